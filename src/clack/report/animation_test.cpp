// SPDX-License-Identifier: Apache-2.0
#include "clack/report/animation.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "clack/report/report.hpp"

namespace clack::report {
namespace {

Drawing example_drawing() {
  Drawing drawing;
  drawing.parts = {{"</script><b>", DrawnKind::disk, 0.5, {}},
                   {"floor", DrawnKind::half_plane, 0.0, {{0, 0, 0}, {0, 1, 0}}}};
  drawing.links = {DrawnLink::spring};
  for (const double t : {0.0, 0.5, 0.5, 1.0}) {
    DrawnFrame frame{.t = t};
    frame.poses = {{t, 2 * t, 0.1}, {0, 0, 0}};
    frame.links = {{0, 0, 0, t, t, 0}};
    if (t > 0.5) frame.contacts = {{0, ContactStatus::slip, {t, 0, 0}, {0, 9.81, 0}, {-1.5, 0, 0}}};
    drawing.frames.push_back(frame);
  }
  drawing.impulses = {{0.5, 0, {1, 2, 0}, {0, 3, 0}, {-1, 0, 0}}};
  return drawing;
}

nlohmann::json pictures_of(const std::string& html) {
  const std::string begin = "id=\"pictures\">";
  const std::size_t from = html.find(begin) + begin.size();
  return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
}

TEST(Animation, CarriesThePicturesAsJson) {
  Trace trace;
  trace.events.emplace_back().t = 0.5;
  const auto pictures = pictures_of(animation_section(trace, example_drawing()));
  EXPECT_EQ(pictures.at("parts")[0].at("name"), "</script><b>");
  EXPECT_EQ(pictures.at("parts")[0].at("poses")[3], nlohmann::json({1.0, 2.0, 0.1}));
  EXPECT_EQ(pictures.at("parts")[1].at("poses").size(), 1u)
      << "a part that stands still has one pose";
  EXPECT_EQ(pictures.at("t").size(), 4u);
  EXPECT_EQ(pictures.at("contacts")[3][0], nlohmann::json({0, 0, 1, 0, 0, 9.81, -1.5, 0}));
  EXPECT_TRUE(pictures.at("contacts")[0].empty());
  EXPECT_EQ(pictures.at("springs"), nlohmann::json({1}));
  EXPECT_EQ(pictures.at("impulses"), nlohmann::json::parse("[[0.5, 0, 1, 2, 0, 3, -1, 0]]"));
  EXPECT_EQ(pictures.at("events")[0][0], 0.5);
}

TEST(Animation, StandsInTheReportOnlyWhereThereIsSomethingToSee) {
  Trace trace;
  EXPECT_EQ(report_html(trace).find("id=\"stage\""), std::string::npos);
  const std::string html = report_html(trace, example_drawing());
  EXPECT_NE(html.find("id=\"stage\""), std::string::npos);
  EXPECT_EQ(html.find("</script><b>"), std::string::npos) << "names cannot end the script";
}

TEST(Animation, LeavesOutWhatIsNotFinite) {
  Drawing drawing = example_drawing();
  drawing.frames[1].poses[0][0] = std::numeric_limits<double>::quiet_NaN();
  drawing.frames[1].poses[0][1] = 1e300;
  const auto pictures = pictures_of(animation_section({}, drawing));
  EXPECT_TRUE(pictures.at("parts")[0].at("poses")[1][1].is_null()) << "beyond any screen";
  EXPECT_TRUE(pictures.at("parts")[0].at("poses")[1][0].is_null());
}

}  // namespace
}  // namespace clack::report
