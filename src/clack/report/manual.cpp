// SPDX-License-Identifier: Apache-2.0
#include "clack/report/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "clack/report/markup.hpp"
#include "clack/report/viewer.hpp"

namespace clack::report {
namespace {

std::string identifier(std::string_view word) { return "about-" + escape(word); }

/// The part of `text` up to `end`, which is taken off with it; all of it when there is no `end`.
std::string_view take_until(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return part;
}

/// `code`, **strong** and [links](page.md), which name their page: a report stands alone.
std::string inline_markup(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t special = std::min({text.find('`'), text.find("**"), text.find('[')});
    html += escape(text.substr(0, special));
    if (special == std::string_view::npos) return html;
    text.remove_prefix(special);
    if (text.starts_with('`')) {
      text.remove_prefix(1);
      html += "<code>" + escape(take_until(text, "`")) + "</code>";
    } else if (text.starts_with("**")) {
      text.remove_prefix(2);
      html += "<b>" + inline_markup(take_until(text, "**")) + "</b>";
    } else if (const std::size_t middle = text.find("](");
               middle != std::string_view::npos && middle < text.find('\n')) {
      html += inline_markup(text.substr(1, middle - 1));
      text.remove_prefix(middle + 2);
      const std::string_view target = take_until(text, ")");
      html += fmt::format(" (<code>docs/{}</code>)", escape(target.substr(0, target.find('#'))));
    } else {
      html += "[";
      text.remove_prefix(1);
    }
  }
  return html;
}

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  row.remove_prefix(1);
  while (!row.empty()) {
    std::string_view cell = take_until(row, "|");
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(cell);
  }
  return cells;
}

/// What a first cell is about: its codes, or itself.
std::vector<std::string_view> words_of(std::string_view cell) {
  std::vector<std::string_view> words;
  std::string_view rest = cell;
  while (rest.find('`') != std::string_view::npos) {
    take_until(rest, "`");
    words.push_back(take_until(rest, "`"));
  }
  if (words.empty() && !cell.empty() && cell.find(' ') == std::string_view::npos)
    words.push_back(cell);
  return words;
}

class ManualPage {
 public:
  std::string html(std::string_view text) {
    while (!text.empty()) line(take_until(text, "\n"));
    close();
    return std::move(html_);
  }

 private:
  enum class Part { none, paragraph, table, code };

  void line(std::string_view text) {
    if (text.starts_with("```")) {
      const bool ends = part_ == Part::code;
      enter(ends ? Part::none : Part::code);
    } else if (part_ == Part::code) {
      html_ += escape(text) + "\n";
    } else if (text.starts_with("    ")) {
      close();
      html_ += "<pre>" + escape(text.substr(4)) + "</pre>\n";
    } else if (text.starts_with("## ")) {
      close();
      html_ += "<h3>" + inline_markup(text.substr(3)) + "</h3>\n";
    } else if (text.starts_with("|")) {
      row(text);
    } else if (text.empty() || text.starts_with("# ")) {
      close();
    } else {
      enter(Part::paragraph);
      html_ += inline_markup(text) + "\n";
    }
  }

  void row(std::string_view text) {
    if (text.starts_with("|--") || text.starts_with("| --")) return;
    const bool is_head = part_ != Part::table;
    enter(Part::table);
    html_ += "<tr>";
    const std::vector<std::string_view> cells = cells_of(text);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      std::string targets;
      if (k == 0 && !is_head)
        for (const std::string_view word : words_of(cells[k]))
          if (known_.insert(std::string(word)).second)
            targets += fmt::format("<span id=\"{}\"></span>", identifier(word));
      html_ +=
          fmt::format("<{0}>{1}{2}</{0}>", is_head ? "th" : "td", targets, inline_markup(cells[k]));
    }
    html_ += "</tr>\n";
  }

  void enter(Part part) {
    if (part == part_) return;
    close();
    part_ = part;
    if (part == Part::paragraph) html_ += "<p>";
    if (part == Part::table)
      html_ += "<div class=\"wide\" tabindex=\"0\"><table class=\"manual\">\n";
    if (part == Part::code) html_ += "<pre>";
  }

  void close() {
    if (part_ == Part::paragraph) html_ += "</p>\n";
    if (part_ == Part::table) html_ += "</table></div>\n";
    if (part_ == Part::code) html_ += "</pre>\n";
    part_ = Part::none;
  }

  std::string html_;
  Part part_ = Part::none;
  std::set<std::string> known_;  // words that have their place
};

}  // namespace

std::string manual_section(std::string_view title, std::string_view page_name,
                           std::string_view markdown) {
  return fmt::format(
      "<section><details id=\"manual\"><summary>{}</summary>\n{}<p class=\"soft\">This is "
      "<code>{}</code> of the documents, as it was when the program was built.</p>\n"
      "</details></section>\n",
      escape(title), ManualPage().html(markdown), escape(page_name));
}

std::string manual_section() {
  return manual_section("What these numbers and flags mean", "docs/energy-and-certificates.md",
                        certificates_page());
}

std::string explained(std::string_view word, std::string_view html, std::string_view css_class) {
  return fmt::format("<a href=\"#{}\"{}>{}</a>", identifier(word),
                     css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class), html);
}

std::string_view manual_script() {
  return R"js(
// Links into the manual open it and keep the address, which remembers the view.
document.addEventListener("click", event => {
  const link = event.target.closest('a[href^="#about-"]');
  const place = link && document.getElementById(link.getAttribute("href").slice(1));
  if (!place) return;
  event.preventDefault();
  document.getElementById("manual").open = true;
  const row = place.closest("tr");
  document.querySelectorAll("table.manual tr.here").forEach(other => other.classList.remove("here"));
  row.classList.add("here");
  row.tabIndex = -1;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: "center"});
});
)js";
}

}  // namespace clack::report
