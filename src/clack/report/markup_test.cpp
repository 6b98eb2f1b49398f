// SPDX-License-Identifier: Apache-2.0
#include "clack/report/markup.hpp"

#include <gtest/gtest.h>

#include "clack/report/viewer.hpp"
#include "clack/report/well_formed.hpp"

namespace clack::report {
namespace {

TEST(Escape, LeavesNothingThatMeansSomethingInXml) {
  EXPECT_EQ(escape("<a href=\"x\">&'</a>\x01"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;?");
  EXPECT_EQ(escape("φ → ψ"), "φ → ψ");
}

TEST(PlotCss, CanStandInsideXml) {
  EXPECT_EQ(plot_css().find_first_of("<&"), std::string_view::npos);
}

TEST(PageScript, AsksNobodyForAnything) {
  for (const std::string_view script :
       {time_script(), tables_script(), plots_script(), animation_script()})
    for (const char* word : {"fetch(", "XMLHttpRequest", "import ", "eval(", "</script"})
      EXPECT_EQ(script.find(word), std::string_view::npos) << word;
  EXPECT_EQ(page_css().find("url("), std::string_view::npos);
}

TEST(WellFormed, FindsWhatIsWrong) {
  EXPECT_EQ(WellFormed::problem("<a b=\"1\"><c/>&lt;</a>"), "");
  EXPECT_NE(WellFormed::problem("<a><b></a></b>"), "");
  EXPECT_NE(WellFormed::problem("<a b=1/>"), "");
  EXPECT_NE(WellFormed::problem("<a b=\"1\" b=\"2\"/>"), "");
  EXPECT_NE(WellFormed::problem("<a>x & y</a>"), "");
  EXPECT_NE(WellFormed::problem("<a>x < y</a>"), "");
  EXPECT_NE(WellFormed::problem("<a>"), "");
}

}  // namespace
}  // namespace clack::report
