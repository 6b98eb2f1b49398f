// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace clack::report {

/// Text for HTML and XML, between tags and inside quoted attributes; control characters become '?'.
std::string escape(std::string_view text);

/// Colours as CSS variables, for light and for dark surroundings, and how plots look; shared by the
/// report and by plots that stand alone.
std::string_view plot_css();

/// How the page around the plots looks.
std::string_view page_css();

}  // namespace clack::report
