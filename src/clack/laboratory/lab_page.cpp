// SPDX-License-Identifier: Apache-2.0
#include "clack/laboratory/lab_page.hpp"

#include <fmt/format.h>

#include "clack/hybrid/theory.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/viewer.hpp"

namespace clack {
namespace {

constexpr std::string_view lab_css =
    R"(main{max-width:none;padding:14px 18px;display:grid;grid-template-columns:minmax(320px,34%) 1fr;gap:16px;height:100vh;box-sizing:border-box}
.left{display:flex;flex-direction:column;gap:8px;min-height:0;overflow:auto}.right{display:flex;flex-direction:column;gap:8px;min-height:0}
h1{font-size:18px;margin:0}.editor{display:grid;grid-template-columns:44px 1fr;flex:1 1 300px;min-height:240px;border:1px solid var(--rule);border-radius:8px;overflow:hidden;background:var(--card)}
#lines,#text{font:12.5px/18px ui-monospace,"DejaVu Sans Mono",monospace;padding:8px 6px;margin:0;white-space:pre;overflow:auto}
#lines{color:var(--soft);text-align:right;overflow:hidden;user-select:none}#lines .bad{color:#fff;background:var(--hit);border-radius:3px}
#text{border:0;resize:none;color:inherit;background:none;tab-size:2}
#errors{margin:0;padding-left:18px;font-size:13px}#errors li{color:var(--hit)}#errors:empty{display:none}
#sliders{max-height:34vh;overflow:auto;font-size:13px}#sliders label{display:grid;grid-template-columns:90px 1fr 84px;gap:8px;align-items:center}
.bar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;font-size:13.5px}.bar button,.bar select,.bar input,#sliders input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:3px 8px;min-width:0}
.bar input{width:9ch}iframe{flex:1;border:1px solid var(--rule);border-radius:8px;background:var(--paper);min-height:60vh}a{color:var(--c0)}
@media (max-width:900px){main{grid-template-columns:1fr;height:auto}}
)";

}  // namespace

std::string laboratory_page(const std::string& name, const std::string& text) {
  std::string theories = "<option value=\"\">the model's</option>";
  for (const std::string_view theory : catalogue_of(standard_parts()).theory_names())
    theories += fmt::format("<option>{}</option>", theory);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"/><link rel=\"icon\" "
      "href=\"data:,\"/>\n<title>{0} - laboratory</title>\n<style>\n{1}{2}{3}</style></head>\n"
      "<body><main><div class=\"left\"><h1>{0}</h1>\n"
      "<div class=\"editor\"><pre id=\"lines\" aria-hidden=\"true\"></pre><textarea id=\"text\" "
      "spellcheck=\"false\" "
      "aria-label=\"model file\">\n{4}</textarea></div>\n<ul id=\"errors\" "
      "aria-live=\"polite\"></ul>\n"
      "<div class=\"bar\"><label>theory <select id=\"theory\">{5}</select></label>"
      "<label>tolerance <input id=\"tolerance\" inputmode=\"decimal\"/></label>"
      "<label>until <input id=\"until\" inputmode=\"decimal\"/></label>"
      "<button id=\"run\" type=\"button\">Run</button></div>\n<div id=\"sliders\"></div></div>\n"
      "<div class=\"right\"><div class=\"bar\" id=\"result\" aria-live=\"polite\"></div>"
      "<iframe id=\"report\" title=\"report of the last "
      "run\"></iframe></div></main>\n<script>\n{6}</script></body></html>\n",
      report::escape(name), report::plot_css(), report::page_css(), lab_css, report::escape(text),
      theories, report::laboratory_script());
}

}  // namespace clack
