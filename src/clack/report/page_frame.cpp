// SPDX-License-Identifier: Apache-2.0
#include "clack/report/page_frame.hpp"

#include <fmt/format.h>

#include "clack/report/animation.hpp"
#include "clack/report/manual.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/viewer.hpp"

namespace clack::report {

std::string page_frame(const std::string& title, const std::string& body, const std::string& more) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"/>\n<title>{}</title>\n"
      "<style>\n{}{}{}</style></head>\n<body><main>\n{}</main>\n<script>\n{}{}{}{}{}</script></"
      "body></html>\n",
      escape(title), plot_css(), page_css(), animation_css(), body, time_script(), plots_script(),
      more, tables_script(), manual_script());
}

std::string page_section(const std::string& title, const std::string& text,
                         const std::string& body) {
  const std::string lead = text.empty() ? "" : "<p class=\"soft\">" + text + "</p>\n";
  return "<section><h2>" + title + "</h2>\n" + lead + body + "</section>\n";
}

}  // namespace clack::report
