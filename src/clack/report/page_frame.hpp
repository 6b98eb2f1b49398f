// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace clack::report {

/// A whole page that needs nothing else: title, styles, `body` and the scripts of every page, then `more` scripts.
std::string page_frame(const std::string& title, const std::string& body, const std::string& more);

/// <section><h2>TITLE</h2>, a few soft words (HTML; none: left out) and its body.
std::string page_section(const std::string& title, const std::string& text,
                         const std::string& body);

}  // namespace clack::report
