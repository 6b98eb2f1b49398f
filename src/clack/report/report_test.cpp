// SPDX-License-Identifier: Apache-2.0
#include "clack/report/report.hpp"

#include <gtest/gtest.h>

#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

using report::WellFormed;

std::vector<std::string> drawings_of(const std::string& html) {
  std::vector<std::string> drawings;
  for (std::size_t at = html.find("<svg xmlns"); at != std::string::npos;
       at = html.find("<svg xmlns", at + 1)) {
    const std::size_t inner = html.find("</svg>", at);  // every drawing holds one field
    drawings.push_back(html.substr(at, html.find("</svg>", inner + 6) + 6 - at));
  }
  return drawings;
}

/// The page without its doctype, style and script, which XML would read otherwise.
std::string body_of(const std::string& html) {
  const std::size_t begin = html.find("<main>");
  return html.substr(begin, html.find("</main>") + 7 - begin);
}

TEST(Report, HasEverySection) {
  const std::string html = report_html(ExampleTrace::make(3));
  for (const char* title : {"Certificates and warnings", "The limit cycle", "The mode over time",
                            "The automaton as it was visited", "Motion", "Hodographs", "Gaps",
                            "Contact forces", "Energy", "Events", "Impacts"})
    EXPECT_NE(html.find("<h2>" + std::string(title) + "</h2>"), std::string::npos) << title;
  // mode strip; coordinate, speed and portrait three times; a hodograph; gaps of three contacts, forces of two; energy
  EXPECT_EQ(drawings_of(html).size(), 1U + 9U + 1U + 3U + 2U + 2U);
}

TEST(Report, HasEveryLineAsItWasRecorded) {
  const std::string html = report_html(ExampleTrace::make(3));
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = html.find(word); at != std::string::npos; at = html.find(word, at + 1))
      ++found;
    return found;
  };
  // coordinates and speeds; three gaps; normal and tangent of two contacts; kinetic, potential, total, check
  EXPECT_EQ(count("\"mid\":"), 6U + 3U + 4U + 4U);
  EXPECT_EQ(count(" data-curve=\"16\""), 1U);
  EXPECT_EQ(count(" data-curve=\"17\""), 0U);
}

TEST(Report, IsWellFormed) {
  const std::string html = report_html(ExampleTrace::make(3));
  EXPECT_EQ(WellFormed::problem(body_of(html)), "");
  for (const std::string& drawing : drawings_of(html)) EXPECT_EQ(WellFormed::problem(drawing), "");
}

TEST(Report, StaysSmallWithAHundredThousandContacts) {
  Trace trace = ExampleTrace::make(3);
  const int known = static_cast<int>(trace.contacts.size());
  for (int k = known; k < 100'000; ++k) {
    trace.contacts.push_back("<b>" + std::to_string(k));
    for (TraceMode& mode : trace.modes) mode.closed.push_back({k, ContactStatus::slip});
  }
  const std::string html = report_html(trace);
  EXPECT_LT(html.size(), 3'000'000U);
  EXPECT_EQ(html.find("<b>5"), std::string::npos) << "names are escaped";
}

TEST(Report, AsksNobodyForAnything) {
  const std::string html = report_html(ExampleTrace::make(3));
  for (const char* word :
       {" src=", " href=\"h", " href=\"/", "url(", "@import", "<link", "<iframe"})
    EXPECT_EQ(html.find(word), std::string::npos) << word;
}

TEST(Report, EscapesNames) {
  Trace trace = ExampleTrace::make(2);
  trace.model = "<script>alert('a')</script>";
  trace.reason = "x < y & z";
  trace.coordinates[0] = trace.columns[1] = "q<1>";
  trace.contacts[1] = "a\"b";
  const std::string html = report_html(trace);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("q<1>"), std::string::npos);
  EXPECT_EQ(WellFormed::problem(body_of(html)), "");
}

TEST(Report, IsTheSameForEqualRunsWhateverTheirWallTime) {
  Trace trace = ExampleTrace::make(3);
  const std::string first = report_html(trace);
  trace.wall_seconds = 99.0;
  EXPECT_EQ(report_html(trace), first);
}

TEST(Report, OfAnEmptyTraceIsStillAPage) {
  const std::string html = report_html(Trace{});
  EXPECT_EQ(WellFormed::problem(body_of(html)), "");
  EXPECT_NE(html.find("<h2>Events</h2>"), std::string::npos);
}

TEST(Report, SurvivesUnknownValues) {
  Trace trace = ExampleTrace::make(2);
  for (std::size_t k = 0; k < trace.rows.size(); k += 7)
    trace.rows[k] = std::numeric_limits<double>::quiet_NaN();
  trace.energy.final = std::numeric_limits<double>::quiet_NaN();
  const std::string html = report_html(trace);
  EXPECT_EQ(WellFormed::problem(body_of(html)), "");
  for (const std::string& drawing : drawings_of(html))
    EXPECT_EQ(drawing.find("nan"), std::string::npos);
}

TEST(Report, SaysWhyARunStopped) {
  Trace trace = ExampleTrace::make(1);
  trace.status = RunStatus::stopped;
  trace.reason = "no admissible forces";
  trace.remedy = "lower the friction";
  const std::string html = report_html(trace);
  EXPECT_NE(html.find("badge stopped"), std::string::npos);
  EXPECT_NE(html.find("no admissible forces"), std::string::npos);
  EXPECT_NE(html.find("lower the friction"), std::string::npos);
}

TEST(Report, StaysBelowThreeMegabytes) {
  EXPECT_LT(report_html(ExampleTrace::make(100, 1000)).size(), 3'000'000U);  // 100 000 rows
}

TEST(Report, StaysSmallWithManyBodies) {
  Trace trace;
  trace.columns = {"t"};
  for (int body = 0; body < 40; ++body)
    for (const char* axis : {"x", "y", "z", "qw", "qx", "qy", "qz"})
      trace.coordinates.push_back("b" + std::to_string(body) + "." + axis);
  for (int body = 0; body < 40; ++body)
    for (const char* axis : {"vx", "vy", "vz", "wx", "wy", "wz"})
      trace.speeds.push_back("b" + std::to_string(body) + "." + axis);
  trace.columns.insert(trace.columns.end(), trace.coordinates.begin(), trace.coordinates.end());
  trace.columns.insert(trace.columns.end(), trace.speeds.begin(), trace.speeds.end());
  for (int row = 0; row < 2000; ++row)
    for (std::size_t k = 0; k < trace.columns.size(); ++k)
      trace.rows.push_back(k == 0 ? row * 1e-3 : std::sin(static_cast<double>(k) + 0.7 * row));
  const std::string html = report_html(trace);
  EXPECT_LT(html.size(), 3'000'000U);
  EXPECT_NE(html.find("232 more coordinates are in trace.csv"), std::string::npos);  // 280 - 48
  EXPECT_NE(html.find("b0.vx against b0.x"), std::string::npos);
}

}  // namespace
}  // namespace clack
