// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline.hpp"

#include <gtest/gtest.h>

#include "clack/geometry/outline_examples.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using testing::OutlineRandom;
using testing::Polygon;
using testing::rectangle;

const Polygon l_shape{{0, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.4}, {0, 0.4}};

std::string fault(const Polygon& points) {
  const auto found = outline_fault(points);
  return found ? found->what : "";
}

TEST(Outline, CornersAreConvexReflexOrCollinear) {
  const Outline l = make_outline(l_shape);
  EXPECT_EQ(l.corner(OutlineVertexIndex(3)), Corner::reflex);
  EXPECT_EQ(l.corner(OutlineVertexIndex(2)), Corner::convex);
  const Outline split = make_outline(Polygon{{0, 0}, {1, 0}, {1, 1}, {0.3, 1}, {0, 1}});
  EXPECT_EQ(split.corner(OutlineVertexIndex(3)), Corner::collinear);
}

// Closed form: an L of unit mass has its centroid at (0.1, 0.15) and J = 1/48 kg m2.
TEST(Outline, MomentsOfAnLAreThoseOfTwoRectangles) {
  const AreaMoments l = area_moments(l_shape);
  EXPECT_NEAR(l.area, 0.06, 1e-16);
  EXPECT_NEAR(l.centroid.x(), 0.1, 1e-15);
  EXPECT_NEAR(l.centroid.y(), 0.15, 1e-15);
  EXPECT_NEAR(l.second_moment / l.area, 1.0 / 48, 1e-15);
}

// The sums must not lose digits far away: shifted by a million, the moments about the centroid stay.
TEST(Outline, MomentsDoNotDependOnThePlaceOfTheOrigin) {
  Polygon far = l_shape;
  for (Vector2d& p : far) p += Vector2d(1e6, -1e6);
  EXPECT_NEAR(area_moments(far).second_moment, area_moments(l_shape).second_moment, 1e-10);
}

TEST(Outline, FaultsNameTheVertexAndTheRemedy) {
  EXPECT_EQ(fault(l_shape), "");
  EXPECT_EQ(fault({{0, 0}, {1, 0}}), "an outline of 2 vertices");
  EXPECT_EQ(fault({{0, 0}, {1, 0}, {1, std::nan("")}}), "vertex 2 is not finite");
  EXPECT_EQ(fault({{0, 0}, {1, 0}, {1, 0}, {0, 1}}), "vertex 2 repeats vertex 1 at (1, 0)");
  EXPECT_EQ(fault({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), "vertex 0 repeats vertex 3 at (0, 0)");
  EXPECT_EQ(fault({{0, 0}, {1, 0}, {2, 0}, {0.5, 0}}),
            "all vertices lie on one line, the area is zero");
  EXPECT_EQ(fault({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "the outline meets itself: edges 0 and 2 at (0.5, 0.5)");
  EXPECT_EQ(fault({{0, 1}, {1, 0}, {0, 0}}), "the vertices run clockwise (area -0.5 m2)");
  EXPECT_EQ(outline_fault(Polygon{{0, 1}, {1, 0}, {0, 0}})->remedy,
            "reverse the order or write orient: true");
  EXPECT_NE(fault({{0, 0}, {1, 0}, {1, 1e-12}, {0, 1}}).find("is 1e-12 m long"), std::string::npos);
}

// A spike that runs back on itself, and a vertex that touches an edge from inside, are not simple either.
TEST(Outline, MeetingItselfAtASingleVertexIsAFault) {
  EXPECT_NE(fault({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}).find("meets itself"),
            std::string::npos);
  EXPECT_NE(fault({{0, 0}, {1, 0}, {3, 0}, {1, 0.0}, {1, 1}}).find("meets itself"),
            std::string::npos);
}

TEST(Outline, EveryRandomStarIsAcceptedAndEveryReversedOneIsClockwise) {
  OutlineRandom random(7);
  for (int k = 0; k < 200; ++k) {
    Polygon star = random.star(random.integer(3, 200));
    const auto found = outline_fault(star);
    if (found && !found->is_clockwise) continue;  // three points may run the wrong way round
    std::reverse(star.begin(), star.end());
    const auto turned = outline_fault(star);
    EXPECT_EQ(found.has_value(), !turned.has_value());
  }
}

// Against the winding number, summed over all edges, and the distance to all edges.
TEST(Outline, TreeAndAllEdgesAgreeOnInsideAndDistance) {
  OutlineRandom random(11);
  for (int k = 0; k < 60; ++k) {
    const Polygon points = random.star(random.integer(5, 120));
    const Outline outline = make_outline(points, random.integer(1, 16));
    for (int i = 0; i < 50; ++i) {
      const Vector2d p(random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3));
      double winding = 0.0, nearest = 1e300;
      for (const OutlineEdge& edge : outline.edges) {
        const Vector2d a = edge.start - p, b = outline.vertices[edge.to].point - p;
        winding += std::atan2(cross2(a, b), a.dot(b));
        nearest = std::min(nearest, segment_distance(edge, p));
      }
      EXPECT_EQ(contains(outline, p), std::abs(winding) > 3.0);
      EXPECT_EQ(boundary_distance(outline, p), nearest);
    }
  }
}

}  // namespace
}  // namespace clack
