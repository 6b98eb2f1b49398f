// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/hybrid/theory.hpp"

namespace clack {

/// A table of the documents that follows from what the parts and the run say of themselves.
struct DocumentTable {
  std::string name, text;  // text: Markdown
};

/// theories, formulations, decisions, impact-laws, integrators, problem-options, run, policies,
/// tolerances, model-file. In a page a table stands between the lines  <!-- table NAME -->  and
/// <!-- end of table -->; scripts/docs_tables writes them there.
std::vector<DocumentTable> document_tables(const TheoryParts& parts);

}  // namespace clack
