// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/parts/catalogue.hpp"

namespace clack {

/// Names of one kind with their needs and options, one per line, for help texts:
///   lcp          Lemke's method ...; needs: plane
///     lcp_size=compact  compact, full: unknowns ...
std::string part_list(const PartCatalogue& catalogue, PartKind kind);
std::string theory_list(const PartCatalogue& catalogue);

/// Tables of the documents (Markdown).
std::string theory_table(const PartCatalogue& catalogue);
std::string part_table(const PartCatalogue& catalogue, PartKind kind);
/// Options in the words of JSON problems: key, default, values, who reads it, meaning. `own` are
/// those that everybody reads.
std::string problem_option_table(const PartCatalogue& catalogue, std::span<const Option> own);
/// Options of one section of model files, as rows of a table with the columns key, default,
/// meaning; those that the run reads itself (`own`) have their rows already.
std::string model_option_rows(const PartCatalogue& catalogue, OptionSection section,
                              std::span<const std::string> own = {});

}  // namespace clack
