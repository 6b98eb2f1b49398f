// SPDX-License-Identifier: Apache-2.0
#include "clack/report/gallery_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "clack/report/markup.hpp"
#include "clack/report/page_frame.hpp"
#include "clack/report/still.hpp"
#include "clack/report/tables.hpp"

namespace clack {
namespace {

using report::escape;
using report::pretty;

bool has_kind(const Trace& trace, EventKind kind) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& e) { return e.kind == kind; });
}

std::string card_html(const GalleryCard& card, std::size_t number) {
  std::string html =
      fmt::format("<article class=\"model\" id=\"m{}\"><div class=\"still\">{}</div>\n<h3>", number,
                  card.picture);
  html += card.report.empty()
              ? escape(card.name)
              : fmt::format("<a href=\"{}\">{}</a>", escape(card.report), escape(card.name));
  html += fmt::format("</h3>\n<p>{}</p>\n<p class=\"soft\">{}</p>\n", escape(card.about),
                      escape(card.file));
  if (card.status != "done")
    html += fmt::format("<p class=\"stop\">{}: {}</p>\n", escape(card.status), escape(card.reason));
  html += "<p>";
  for (const std::string& figure : card.figures)
    html += "<span class=\"flag\">" + escape(figure) + "</span>";
  return html + "</p></article>\n";
}

constexpr std::string_view gallery_css =
    "<style>.models{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:"
    "14px}"
    "article.model{background:var(--card);border:1px solid "
    "var(--rule);border-radius:8px;padding:12px 14px}"
    "article.model h3{margin:8px 0 4px;font-size:15px}article.model p{margin:0 0 "
    "6px;font-size:13.5px}"
    "article.model .still svg{width:100%;height:auto}a{color:var(--c0)}article:target{outline:2px "
    "solid var(--c4)}</style>\n";

}  // namespace

std::vector<std::string> phenomena_of(const Trace& trace) {
  std::vector<std::string> seen;
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) seen.emplace_back(name);
  };
  add(trace.cycle.has_value(), "limit cycle");
  add(has_kind(trace, EventKind::impact), "impacts");
  add(std::ranges::any_of(trace.impacts,
                          [](const TraceImpact& i) { return i.contacts.size() > 1; }),
      "several contacts hit at once");
  add(has_kind(trace, EventKind::zeno), "accumulating impacts");
  add(has_kind(trace, EventKind::stick) || has_kind(trace, EventKind::slip) ||
          has_kind(trace, EventKind::slip_reversal),
      "stick and slip");
  add(has_kind(trace, EventKind::detach), "letting go");
  add(has_kind(trace, EventKind::feature), "sliding over corners");
  add(has_kind(trace, EventKind::constraint_on) || has_kind(trace, EventKind::constraint_off),
      "constraints that come and go");
  add(trace.status == RunStatus::stopped, "where mechanics has no or several answers");
  add(trace.impacts.empty() && trace.contacts.empty() && trace.pairs.empty(), "smooth motion");
  add(trace.dimension == 3, "in space");
  return seen;
}

GalleryCard gallery_card(const Trace& trace, const Drawing& drawing, const std::string& about) {
  GalleryCard card{trace.model,
                   trace.model_file,
                   about,
                   trace.theory,
                   std::string(to_string(trace.status)),
                   trace.reason,
                   "",
                   report::still_svg(drawing, 300.0, 190.0),
                   {},
                   phenomena_of(trace)};
  card.figures.push_back(pretty(trace.final_time, 4) + " s");
  card.figures.push_back(fmt::format("{} events", trace.counts.events));
  if (trace.counts.impacts > 0)
    card.figures.push_back(fmt::format("{} impacts", trace.counts.impacts));
  if (trace.cycle) card.figures.push_back("period " + pretty(trace.cycle->period * 1e3, 6) + " ms");
  if (trace.energy.dissipated != 0.0)
    card.figures.push_back(pretty(trace.energy.dissipated, 3) + " J lost");
  card.figures.push_back("ledger " + pretty(trace.energy.ledger_error, 1));
  return card;
}

std::string gallery_html(const std::vector<GalleryCard>& cards) {
  std::map<std::string, std::vector<std::size_t>> by_theory, by_phenomenon;
  for (std::size_t k = 0; k < cards.size(); ++k) {
    by_theory[cards[k].theory.empty() ? "not run" : cards[k].theory].push_back(k);
    for (const std::string& phenomenon : cards[k].phenomena) by_phenomenon[phenomenon].push_back(k);
  }
  std::string body =
      std::string(gallery_css) + "<header><h1>The gallery</h1>\n<p class=\"file\">" +
      fmt::format("{} models; each picture leads to its report.</p></header>\n", cards.size());
  std::string list = "<ul class=\"words\">\n";
  for (const auto& [phenomenon, models] : by_phenomenon) {
    list += "<li><b>" + escape(phenomenon) + "</b>: ";
    for (std::size_t k = 0; k < models.size(); ++k)
      list += fmt::format("{}<a href=\"#m{}\">{}</a>", k > 0 ? ", " : "", models[k],
                          escape(cards[models[k]].name));
    list += "</li>\n";
  }
  body += report::page_section("By phenomenon", "", list + "</ul>\n");
  for (const auto& [theory, models] : by_theory) {
    std::string html = "<div class=\"models\">\n";
    for (const std::size_t k : models) html += card_html(cards[k], k);
    body += report::page_section("Theory " + escape(theory), "", html + "</div>\n");
  }
  return report::page_frame("The gallery", body, "");
}

}  // namespace clack
