// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/closed_set.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "clack/geometry/outline_examples.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using testing::Polygon;
using testing::rectangle;

struct Scene {
  Outline first, second;
  PlanarMotion first_motion, second_motion;

  Scene(const Polygon& a, const PlanarPose& at, const Polygon& b, const Vector2d& velocity)
      : first(make_outline(a)), second(make_outline(b)) {
    first_motion.pose = at;
    first_motion.velocity = velocity;
  }
  ClosedSet closed() const {
    TreeWorkspace work;
    std::vector<Candidate> candidates;
    ClosedSet set;
    closed_set({first, second}, first_motion, second_motion, {1e-10, 1e-10, 1e-9}, work, candidates,
               set);
    return set;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const OutlineContact& c : closed().contacts) {
      const bool is_first = c.candidate.owner == PairSide::first;
      names.push_back(fmt::format("{}.v{}/{}.e{}", is_first ? "A" : "B", c.candidate.vertex.value,
                                  is_first ? "B" : "A", c.candidate.edge.value));
    }
    return names;
  }
};
using Names = std::vector<std::string>;

const Polygon box = rectangle(-0.1, -0.05, 0.1, 0.05);
const Polygon table = rectangle(-3, -1, 0, 0);
const Polygon split_table{{-3, -1}, {0, -1}, {0, 0}, {-0.2, 0}, {-3, 0}};

TEST(ClosedSet, ABoxOnATableRestsOnItsTwoOuterCorners) {
  EXPECT_EQ(Scene(box, planar_pose(-1, 0.05, 0), table, {0, 0}).names(),
            (Names{"A.v0/B.e2", "A.v1/B.e2"}));
}

// 2.4 (c): the end of the common interval is the table's corner when the box hangs over.
TEST(ClosedSet, ABoxThatHangsOverRestsOnTheCornerOfTheTable) {
  EXPECT_EQ(Scene(box, planar_pose(-0.05, 0.05, 0), table, {1, 0}).names(),
            (Names{"A.v0/B.e2", "B.v2/A.e0"}));
}

// (a) and 2.5: at the convex corner the sliding corner is dropped and the table's corner takes over.
TEST(ClosedSet, AtTheEndOfTheTableTheContactChangesItsOwner) {
  EXPECT_EQ(Scene(box, planar_pose(-0.1, 0.05, 0), table, {1, 0}).names(),
            (Names{"A.v0/B.e2", "B.v2/A.e0"}));
  EXPECT_EQ(Scene(box, planar_pose(-0.1, 0.05, 0), table, {-1, 0}).names(),
            (Names{"A.v0/B.e2", "A.v1/B.e2"}));
}

// (a), (b): a collinear vertex hands over, at rest the lower key stays.
TEST(ClosedSet, ACollinearVertexIsPassedWithoutADuplicate) {
  EXPECT_EQ(Scene(box, planar_pose(-0.3, 0.05, 0), split_table, {1, 0}).names(),
            (Names{"A.v0/B.e3", "A.v1/B.e2"}));
  EXPECT_EQ(Scene(box, planar_pose(-0.3, 0.05, 0), split_table, {-1, 0}).names(),
            (Names{"A.v0/B.e3", "A.v1/B.e3"}));
  EXPECT_EQ(Scene(box, planar_pose(-0.3, 0.05, 0), split_table, {0, 0}).names(),
            (Names{"A.v0/B.e3", "A.v1/B.e2"}));
}

// (c): equal peaks under a flat face are as many as two.
TEST(ClosedSet, OfManyEqualPeaksTheOutermostTwoCarry) {
  Polygon comb{{-1, -1}, {1, -1}, {1, -0.5}};
  for (int k = 4; k >= -4; --k) {
    comb.emplace_back(0.2 * k + 0.05, -0.5);
    comb.emplace_back(0.2 * k, 0.0);
    comb.emplace_back(0.2 * k - 0.05, -0.5);
  }
  comb.emplace_back(-1, -0.5);
  const auto closed =
      Scene(rectangle(-0.5, 0, 0.5, 0.3), PlanarPose{}, comb, {0, 0}).closed().contacts;
  ASSERT_EQ(closed.size(), 2u);
  EXPECT_NEAR(std::abs(closed[0].place.vertex.x()), 0.4, 1e-15);
  EXPECT_NEAR(closed[0].place.vertex.x() + closed[1].place.vertex.x(), 0.0, 1e-15);
}

// (d): a tip in the root of a notch touches both flanks, whichever way it moves.
TEST(ClosedSet, ATipInANotchTouchesBothFlanks) {
  const Polygon notch{{-2, -2}, {2, -2}, {2, 1}, {0, -1}, {-2, 1}};
  const Polygon wedge{{0, 0}, {0.2, 1.0}, {-0.2, 1.0}};
  for (const double vx : {-1.0, 0.0, 1.0})
    EXPECT_EQ(Scene(wedge, planar_pose(0, -1, 0), notch, {vx, 0}).names(),
              (Names{"A.v0/B.e2", "A.v0/B.e3"}));
}

// (e): corner on corner: of the edges that are approached the one that is approached faster.
TEST(ClosedSet, CornerOnCornerGoesByTheFasterApproach) {
  const Polygon square = rectangle(-1, -1, 1, 1);
  Scene scene(square, planar_pose(2, 2, 0), square, {-1.0, -2.0});
  EXPECT_EQ(scene.names(), (Names{"A.v0/B.e2"}));
  EXPECT_TRUE(scene.closed().has_vertex_on_vertex);
  scene.first_motion.velocity = {-2.0, -1.0};
  EXPECT_EQ(scene.names(), (Names{"A.v0/B.e1"}));
  scene.first_motion.velocity = {1.0, 1.0};
  EXPECT_FALSE(scene.closed().has_vertex_on_vertex);
}

}  // namespace
}  // namespace clack
