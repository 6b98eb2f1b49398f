// SPDX-License-Identifier: Apache-2.0
#include "clack/study/page.hpp"

#include <fmt/format.h>

#include "clack/report/markup.hpp"
#include "clack/study/table.hpp"
#include "clack/study/views.hpp"

namespace clack::study {
namespace {

using report::escape;

constexpr std::string_view script =
    "document.querySelectorAll('.cell').forEach(c=>c.addEventListener('click',()=>{"
    "const "
    "p=document.getElementById('chosen'),t=c.querySelector('title').textContent,at=t.slice(0,t."
    "lastIndexOf(': '));"
    "p.textContent=t+'   '+p.dataset.command+at.split(', ').map(s=>' --set '+s.replace(' = "
    "','=')).join('')}));";

}  // namespace

std::string study_page(const StudyRecord& record) {
  std::string body =
      fmt::format("<h1>{}</h1><p class=\"file\">model {}</p><p>{}</p>", escape(record.name),
                  escape(record.model_file), escape(record.about));
  body += "<h2>Results</h2><pre>" + escape(study_summary(record)) + "</pre><h2>Pictures</h2>";
  const std::vector<std::string> views = all_views(record);
  for (const std::string& view : views) body += view;
  if (views.empty()) body += "<p>There is no axis of numbers to draw along: see results.csv.</p>";
  body += fmt::format(
      "<p id=\"chosen\" class=\"soft\" data-command=\"{}\">Maps: a click on a cell shows how to "
      "run it again.</p>",
      escape(record.command));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
      "content=\"width=device-width\"/><title>{}</"
      "title><style>\n{}{}.cell:hover{{stroke:var(--ink);stroke-width:2}}"
      "</style></head>\n<body><main>\n{}</main>\n<script>{}</script></body></html>\n",
      escape(record.name), report::plot_css(), report::page_css(), body, script);
}

}  // namespace clack::study
