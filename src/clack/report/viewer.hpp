// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace clack::report {

/// The scripts of the pages (viewer/*.js), embedded when the program is built: one time for the whole page and what the
/// address remembers; tables; plots over time; the pictures. Plain JavaScript, no requests. In this order.
std::string_view time_script();
std::string_view tables_script();
std::string_view plots_script();
std::string_view animation_script();
/// The page of the laboratory.
std::string_view laboratory_script();
/// docs/energy-and-certificates.md, in Markdown.
std::string_view certificates_page();
/// What draws in space: three.js with viewer/space.js, gzip in base64. Empty when npm was missing.
std::string_view space_code();

}  // namespace clack::report
