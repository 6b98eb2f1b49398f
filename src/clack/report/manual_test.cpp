// SPDX-License-Identifier: Apache-2.0
#include "clack/report/manual.hpp"

#include <gtest/gtest.h>

#include "clack/report/certificates.hpp"
#include "clack/report/report.hpp"
#include "clack/report/viewer.hpp"
#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack::report {
namespace {

TEST(Manual, RowsOfTablesAreWhereLinksLead) {
  const std::string html = manual_section("Words", "docs/x.md",
                                          "# Title\n\n## Flags\n| code | meaning |\n|---|---|\n"
                                          "| `a-b`, `c` | less `<` more ([why](y.md#z)) |\n"
                                          "| cone | **much** [sic] |\n| two words | none |\n\n"
                                          "    x = y\n\nText `code`\nof two lines.\n"
                                          "```sh\n$ a < b\n```\n");
  EXPECT_EQ(WellFormed::problem(html), "") << html;
  for (const char* part :
       {"<h3>Flags</h3>", "id=\"about-a-b\"", "id=\"about-c\"", "id=\"about-cone\"",
        "less <code>&lt;</code> more (why (<code>docs/y.md</code>))", "<b>much</b> [sic]",
        "<pre>x = y</pre>", "<p>Text <code>code</code>\nof two lines.\n</p>", "$ a &lt; b\n"})
    EXPECT_NE(html.find(part), std::string::npos) << part << "\n" << html;
  EXPECT_EQ(html.find("about-two"), std::string::npos);
  EXPECT_EQ(html.find("about-code"), std::string::npos) << "the head of a table explains nothing";
}

TEST(Manual, EveryFlagAndLawHasARow) {
  const std::string html = manual_section();
  EXPECT_EQ(WellFormed::problem(html), "");
  for (const std::string_view law : law_names())
    EXPECT_NE(html.find("id=\"about-" + std::string(law) + "\""), std::string::npos) << law;
  ASSERT_GT(known_flags().size(), 20U);
  for (const std::string_view flag : known_flags())
    EXPECT_NE(html.find("id=\"about-" + std::string(flag) + "\""), std::string::npos) << flag;
  EXPECT_NE(html.find("id=\"about-ledger_error\""), std::string::npos);
}

TEST(Manual, EveryLinkOfAReportHasItsPlace) {
  Trace trace = ExampleTrace::make(2);
  trace.flags = {"energy-gain", "no-such-flag"};
  for (TraceImpact& impact : trace.impacts) impact.flags.clear();
  trace.impacts.at(0).flags = {"energy-gain"};
  const std::string html = report_html(trace);
  const std::string link = "<a href=\"#";
  int links = 0;
  for (std::size_t at = html.find(link); at != std::string::npos; at = html.find(link, at + 1)) {
    const std::size_t begin = at + link.size();
    const std::string target = html.substr(begin, html.find('"', begin) - begin);
    EXPECT_NE(html.find("id=\"" + target + "\""), std::string::npos) << target;
    ++links;
  }
  EXPECT_EQ(links, 6 + 1 + 2) << "the laws, the ledger, the flag twice; nothing for unknown words";
}

}  // namespace
}  // namespace clack::report
