// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace clack::report {

/// A page of docs/ as a folded section: headings, paragraphs, tables, code. The first cell of every row of a table is
/// the target of `explained` for each `code` in it (or for the word that it is).
std::string manual_section(std::string_view title, std::string_view page_name,
                           std::string_view markdown);

/// docs/energy-and-certificates.md, to which `explained` leads.
std::string manual_section();

/// A link to the row that explains a flag, a law of the certificate or a line of the ledger; `html` is what is clicked.
std::string explained(std::string_view word, std::string_view html,
                      std::string_view css_class = "");

/// What makes these links open the section and keep the address, which remembers the view.
std::string_view manual_script();

}  // namespace clack::report
