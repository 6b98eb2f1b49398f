// SPDX-License-Identifier: Apache-2.0
#include "clack/report/certificates.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack::report {
namespace {

TEST(CertificateWords, HaveTheNumberAndTheEventOfTheWorstViolation) {
  Trace trace = ExampleTrace::make(2);
  for (TraceEvent& event : trace.events) event.certificate = {};
  for (TraceImpact& impact : trace.impacts) impact.certificate = {};
  trace.events[2].certificate.cone = 3e-11;
  ASSERT_FALSE(trace.impacts.empty());
  trace.impacts.back().certificate.adhesion = 4e-12;
  std::size_t last = 0;
  for (std::size_t k = 0; k < trace.events.size(); ++k)
    if (trace.events[k].impacts > 0) last = k;
  const std::string html = certificate_words(trace);
  EXPECT_NE(
      html.find(
          "Friction stays within its cone</a>: violated by at most <b>3×10⁻¹¹</b>, by a decision"),
      std::string::npos)
      << html;
  EXPECT_NE(html.find("data-event=\"2\""), std::string::npos);
  EXPECT_NE(
      html.find("No contact pulls</a>: violated by at most <b>4×10⁻¹²</b>, by an impact, <button "
                "type=\"button\" class=\"link\" data-event=\"" +
                std::to_string(last) + "\""),
      std::string::npos)
      << html;
  EXPECT_NE(html.find("Joints hold</a>: holds exactly."), std::string::npos);
}

TEST(CertificateWords, SayWhichImpactsRaisedAFlag) {
  Trace trace = ExampleTrace::make(2);
  trace.flags = {"energy-gain", "<script>"};
  trace.impacts.at(0).flags = {"energy-gain"};
  const std::string html = certificate_words(trace);
  EXPECT_NE(html.find("An impact raised the energy"), std::string::npos);
  EXPECT_NE(html.find("At 1 impact:"), std::string::npos);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
}

TEST(CertificateWords, AreThereForEveryFlagOfTheManual) {
  std::ifstream file(std::string(CLACK_SOURCE_DIR) + "/docs/energy-and-certificates.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str().substr(text.str().find("## Flags"));
  const std::regex row("\n\\| (`[^|]*) \\|"), code("`([a-z-]+)`");
  int found = 0;
  for (std::sregex_iterator r(page.begin(), page.end(), row), end; r != end; ++r) {
    const std::string cell = (*r)[1];
    for (std::sregex_iterator c(cell.begin(), cell.end(), code); c != end; ++c, ++found)
      EXPECT_NE(flag_words((*c)[1].str()), "") << (*c)[1].str();
  }
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace clack::report
