// SPDX-License-Identifier: Apache-2.0
// Pages beside the report of a run: theories side by side, the gallery, and the pictures on it.
#include <gtest/gtest.h>

#include "clack/report/comparison.hpp"
#include "clack/report/gallery_page.hpp"
#include "clack/report/still.hpp"
#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

using report::WellFormed;

std::string main_of(const std::string& html) {
  const std::size_t begin = html.find("<main>");
  return html.substr(begin, html.find("</main>") + 7 - begin);
}

Drawing falling_ball(int dimension) {
  Drawing drawing;
  drawing.dimension = dimension;
  drawing.parts = {{"ball", dimension == 2 ? DrawnKind::disk : DrawnKind::sphere, 0.5, {}},
                   {"box", DrawnKind::box, 0.0, {{1, 1, 1}}}};
  if (dimension == 2) drawing.parts.pop_back();
  for (const double t : {0.0, 0.5, 1.0}) {
    DrawnFrame frame{.t = t};
    for (std::size_t k = 0; k < drawing.parts.size(); ++k)
      frame.poses.push_back(dimension == 2 ? DrawnPose{t, -t, 0} : DrawnPose{t, 0, -t, 1, 0, 0, 0});
    drawing.frames.push_back(frame);
  }
  return drawing;
}

TEST(Comparison, SaysWhereAndWhyTwoRunsPart) {
  Trace a = ExampleTrace::make(2), b = a;
  a.impact = "newton";
  b.impact = "poisson";
  std::size_t event = 0;
  while (a.events[event].impacts == 0) ++event;
  b.impacts[a.events[event].first_impact + a.events[event].impacts - 1].v_after[0] += 2.0;
  const std::string html =
      comparison_html("<b>model", {{"first", "velocities", a, falling_ball(2), ""},
                                   {"<i>second", "impulses", b, falling_ball(2), ""},
                                   {"third", "", {}, {}, "it needs a plane"}});
  EXPECT_EQ(WellFormed::problem(main_of(html)), "");
  EXPECT_NE(html.find("part at event " + std::to_string(event) + ", in: speeds after the impact"),
            std::string::npos);
  EXPECT_NE(html.find("newton takes velocities; poisson takes impulses"), std::string::npos);
  EXPECT_NE(html.find("refused: it needs a plane"), std::string::npos);
  EXPECT_NE(html.find("id=\"stage-1\""), std::string::npos);
  EXPECT_EQ(html.find("<i>second"), std::string::npos);
  EXPECT_EQ(html.find("<b>model"), std::string::npos);
}

TEST(Comparison, OfRefusedTheoriesIsStillAPage) {
  EXPECT_EQ(WellFormed::problem(main_of(comparison_html("m", {{"a", "", {}, {}, "no"}}))), "");
}

TEST(Gallery, HasACardForEveryModelAndListsPhenomena) {
  Trace trace = ExampleTrace::make(2);
  trace.model = "<woodpecker>";
  GalleryCard card = gallery_card(trace, falling_ball(2), "it pecks & falls");
  card.report = "wood/report.html";
  const std::string html =
      gallery_html({card, {.name = "broken", .status = "failed", .reason = "line 3"}});
  EXPECT_EQ(WellFormed::problem(main_of(html)), "");
  EXPECT_NE(html.find("<a href=\"wood/report.html\">&lt;woodpecker&gt;</a>"), std::string::npos);
  EXPECT_NE(html.find("it pecks &amp; falls"), std::string::npos);
  EXPECT_NE(html.find("failed: line 3"), std::string::npos);
  EXPECT_NE(html.find("<b>impacts</b>: <a href=\"#m0\">"), std::string::npos);
}

TEST(Still, ShowsTheMotionInPlaneAndSpace) {
  for (const int dimension : {2, 3}) {
    const std::string svg = report::still_svg(falling_ball(dimension), 300, 200);
    EXPECT_EQ(WellFormed::problem(svg), "");
    std::size_t circles = 0;
    for (std::size_t at = svg.find("<circle"); at != std::string::npos;
         at = svg.find("<circle", at + 1))
      ++circles;
    EXPECT_EQ(circles, 5u) << "five exposures of the ball";
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }
  EXPECT_EQ(report::still_svg({}, 300, 200), "");
}

}  // namespace
}  // namespace clack
