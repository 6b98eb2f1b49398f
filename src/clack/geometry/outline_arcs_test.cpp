// SPDX-License-Identifier: Apache-2.0
// Arcs, holes, disks, chains and half-planes: closed forms, and the same questions to finely cut polygons.
#include <gtest/gtest.h>

#include <numbers>

#include "clack/geometry/outline_examples.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/geometry/outline_offset.hpp"

namespace clack {
namespace {

using namespace testing;
using Eigen::Vector2d;
constexpr double pi = std::numbers::pi;

OutlineLoop arcs_loop(Polygon points, std::vector<double> bulges) {
  return {.points = std::move(points), .bulges = std::move(bulges)};
}
OutlineLoop circle_loop(const Vector2d& centre, double radius) {
  return {.kind = LoopKind::circle, .points = {centre}, .radius = radius};
}
Outline outline_of(std::vector<OutlineLoop> loops) {
  EXPECT_FALSE(outline_fault(loops).has_value());
  return make_outline(loops);
}
Outline disk(const Vector2d& centre, double radius) {
  return outline_of({circle_loop(centre, radius)});
}
Outline half_plane(const Vector2d& normal, double offset) {
  const OutlineLoop line{.kind = LoopKind::line, .points = {normal}, .offset = offset};
  return make_outline(std::span(&line, 1));
}
/// Two straight sides and two half circles, counter-clockwise.
OutlineLoop stadium(double length, double r) {
  return arcs_loop({{-length / 2, -r}, {length / 2, -r}, {length / 2, r}, {-length / 2, r}},
                   {0.0, 1.0, 0.0, 1.0});
}
/// A random polygon with round corners, some of them hollow.
OutlineLoop round_polygon(OutlineRandom& random) {
  OutlineLoop loop;
  loop.points = random.convex(random.integer(3, 9));
  for (std::size_t k = 0; k < loop.points.size(); ++k)
    loop.bulges.push_back(random.integer(0, 2) == 0 ? 0.0 : random.uniform(-0.15, 0.9));
  return loop;
}
/// Points on the boundary, corners among them.
Polygon cut_finely(const Outline& outline, int pieces) {
  Polygon points;
  for (const OutlineEdge& edge : outline.edges)
    for (int k = 0; k < (edge.is_straight() ? 1 : pieces); ++k)
      points.push_back(edge.point_at(edge.length * k / pieces));
  return points;
}

TEST(OutlineArcs, MomentsOfDiskStadiumAndRingAreTheClosedForms) {
  const AreaMoments whole = area_moments(disk({3.0, -2.0}, 0.5));
  EXPECT_NEAR(whole.area, pi * 0.25, 1e-15);
  EXPECT_NEAR((whole.centroid - Vector2d(3.0, -2.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR(whole.second_moment, pi * std::pow(0.5, 4) / 2, 1e-15);
  const double l = 1.2, r = 0.3;
  const AreaMoments long_one = area_moments(outline_of({stadium(l, r)}));
  EXPECT_NEAR(long_one.area, 2 * r * l + pi * r * r, 1e-15);
  // Rectangle, and two half disks: mass centre 4 r/(3 pi) from their diameter, J about the centre of the circle half of the disk's.
  const double half = pi * r * r / 2, arm = 4 * r / (3 * pi);
  const double half_disk =
      pi * std::pow(r, 4) / 4 - half * arm * arm + half * std::pow(l / 2 + arm, 2);
  EXPECT_NEAR(long_one.second_moment, 2 * r * l * (l * l + 4 * r * r) / 12 + 2 * half_disk, 1e-15);
  const AreaMoments ring =
      area_moments(outline_of({circle_loop({0, 0}, 1.0), circle_loop({0, 0}, -0.6)}));
  EXPECT_NEAR(ring.area, pi * (1 - 0.36), 1e-14);
  EXPECT_NEAR(ring.second_moment, pi * (1 - std::pow(0.6, 4)) / 2, 1e-14);
}

TEST(OutlineArcs, ShallowArcKeepsItsMoments) {
  // A bulge of 1e-7: the area beyond the chord is 2/3 chord sagitta, sagitta = bulge chord/2.
  const Outline bent = outline_of({arcs_loop(rectangle(0, 0, 1, 1), {0, 1e-7, 0, 0})});
  EXPECT_NEAR(area_moments(bent).area, 1.0 + 2.0 / 3.0 * 0.5e-7, 1e-15);
  EXPECT_NEAR(area_moments(bent).second_moment, 1.0 / 6.0, 1e-7);
}

TEST(OutlineArcs, InsideAndDistanceAreThoseOfAFinelyCutPolygon) {
  OutlineRandom random(41);
  int shapes = 0;
  for (int k = 0; k < 40; ++k) {
    const OutlineLoop loop = round_polygon(random);
    if (outline_fault(std::span(&loop, 1))) continue;
    ++shapes;
    const Outline exact = make_outline(std::span(&loop, 1)),
                  cut = make_outline(cut_finely(exact, 400));
    for (int i = 0; i < 50; ++i) {
      const Vector2d p(random.uniform(-2, 2), random.uniform(-2, 2));
      const double distance = boundary_distance(exact, p);
      EXPECT_NEAR(distance, boundary_distance(cut, p), 1e-4);
      if (distance > 1e-4) {
        EXPECT_EQ(contains(exact, p), contains(cut, p)) << k << " " << i;
      }
    }
  }
  EXPECT_GT(shapes, 20);
}

TEST(OutlineArcs, HoleIsOutsideAndOverlappingShapesAreOne) {
  const Outline plate =
      outline_of({{.points = rectangle(-1, -1, 1, 1)}, circle_loop({0.2, 0}, -0.5)});
  EXPECT_TRUE(contains(plate, {-0.8, 0.1}));
  EXPECT_FALSE(contains(plate, {0.3, 0.1}));
  EXPECT_FALSE(contains(plate, {3.0, 0.1}));
  const Outline a = disk({0, 0}, 1), b = disk({1, 0}, 1);
  const std::array<const Outline*, 2> both{&a, &b};
  const Outline two = joined(both);
  for (const double x : {-0.5, 0.5, 1.5}) EXPECT_TRUE(contains(two, {x, 0.1}));
  EXPECT_FALSE(contains(two, {2.5, 0.1}));
}

TEST(OutlineArcs, WhatIsNoOutlineIsNamed) {
  const auto fault = [](std::vector<OutlineLoop> loops) {
    const auto found = outline_fault(loops);
    return found ? found->what : std::string();
  };
  const OutlineLoop square{.points = rectangle(-1, -1, 1, 1)};
  EXPECT_EQ(fault({arcs_loop({{0, 0}}, {1.0})}), "an outline of 1 vertex");
  EXPECT_EQ(fault({arcs_loop({{0, 0}, {1, 0}}, {1.0, 1.0})}), "");
  EXPECT_EQ(fault({arcs_loop({{0, 0}, {1, 0}}, {-1.0, -1.0})}),
            "the vertices run clockwise (area -0.785398 m2)");
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fault({arcs_loop({{0, 0}, {1, 0}, {0, 1}}, {0.0, endless, 0.0})}),
            "vertex 1: the bulge is inf");
  EXPECT_EQ(fault({arcs_loop({{0, 0}, {1, 0}, {0, 1}}, {0.0, -1e308, 0.0})}),
            "vertex 1: the bulge is -1e+308");
  EXPECT_NE(fault({arcs_loop({{0, 0}, {1, 0}, {1, 0.1}, {0, 0.1}}, {-0.9, 0, 0, 0})})
                .find("the outline meets itself: edges 0 and 2"),
            std::string::npos);
  EXPECT_EQ(fault({square, circle_loop({0, 0}, 0.5)}),
            "the hole runs counter-clockwise (area 0.785398 m2)");
  EXPECT_EQ(fault({square, circle_loop({5, 0}, -0.5)}),
            "hole 0 at (5.5, 0) is outside of its outline");
  EXPECT_NE(fault({square, circle_loop({0.8, 0}, -0.5)}).find("the outline meets itself"),
            std::string::npos);
  EXPECT_EQ(fault({square, circle_loop({0, 0}, -0.8), circle_loop({0, 0}, -0.2)}),
            "hole 1 at (0.2, 0) lies in hole 0");
}

TEST(OutlineArcs, GapsOfRoundBodiesAreTheClosedForms) {
  TreeWorkspace work;
  const PlanarPose here = planar_pose(0, 0, 0);
  const auto gap = [&](const Outline& a, const Outline& b, const PlanarPose& at) {
    return signed_gap({a, b}, here, at, work);
  };
  const Outline one = disk({0, 0}, 1.0), box = make_outline(rectangle(-1, -1, 1, 1));
  const PairGap apart = gap(one, disk({0, 0}, 0.5), planar_pose(3, 4, 1.0));
  EXPECT_EQ(apart.status, PairStatus::disjoint);
  EXPECT_NEAR(*apart.gap, 3.5, 1e-15);
  ASSERT_EQ(apart.contacts.size(), 1u);
  EXPECT_NEAR((apart.contacts[0].vertex - Vector2d(0.6, 0.8)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((apart.contacts[0].foot - Vector2d(2.7, 3.6)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(*gap(one, box, planar_pose(2.5, 0.3, 0)).gap, 0.5, 1e-15);
  EXPECT_NEAR(*gap(one, box, planar_pose(3, 3, 0)).gap, 2 * std::sqrt(2.0) - 1, 1e-15);
  const PairGap deep = gap(one, box, planar_pose(1.7, 0.3, 0));
  EXPECT_EQ(deep.status, PairStatus::overlap);
  EXPECT_NEAR(*deep.gap, -0.3, 1e-15);
  EXPECT_NEAR(*gap(one, disk({0, 0}, 0.5), planar_pose(1.2, 0, 0)).gap, -0.3, 1e-15);
  const Outline plate =
      outline_of({{.points = rectangle(-2, -2, 2, 2)}, circle_loop({0, 0}, -1.0)});
  EXPECT_NEAR(*gap(plate, disk({0, 0}, 0.4), planar_pose(0.3, 0.4, 0)).gap, 0.1, 1e-15);
  EXPECT_NEAR(*gap(plate, disk({0, 0}, 0.4), planar_pose(0.48, 0.64, 0)).gap, -0.2, 1e-15);
  const Outline ground = half_plane({0.6, 0.8}, 0.5);
  EXPECT_NEAR(*gap(ground, one, planar_pose(3, 4, 2.0)).gap, 3.5, 1e-14);
  EXPECT_NEAR(*gap(ground, one, planar_pose(0.6, 0.8, 2.0)).gap, -0.5, 1e-14);
  EXPECT_NEAR(*gap(ground, box, planar_pose(600, 800, 0.0)).gap, 1000 - 0.5 - 1.4, 1e-12);
}

TEST(OutlineArcs, GapIsThatOfFinelyCutPolygons) {
  OutlineRandom random(43);
  TreeWorkspace work;
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    const OutlineLoop a = round_polygon(random), b = round_polygon(random);
    if (outline_fault(std::span(&a, 1)) || outline_fault(std::span(&b, 1))) continue;
    const Outline first = make_outline(std::span(&a, 1)), second = make_outline(std::span(&b, 1));
    const Outline cut_first = make_outline(cut_finely(first, 300)),
                  cut_second = make_outline(cut_finely(second, 300));
    for (int i = 0; i < 8; ++i) {
      const PlanarPose at = random.pose(0), there = random.pose(4);
      const PairGap exact = signed_gap({first, second}, at, there, work);
      const PairGap cut = signed_gap({cut_first, cut_second}, at, there, work);
      if (exact.status != PairStatus::disjoint || *exact.gap < 1e-3) continue;
      ASSERT_EQ(cut.status, PairStatus::disjoint);
      EXPECT_NEAR(*exact.gap, *cut.gap, 5e-4) << k;
      EXPECT_NEAR(*exact.gap, *signed_gap({second, first}, there, at, work).gap, 1e-14);
      ASSERT_FALSE(exact.contacts.empty());
      EXPECT_NEAR((exact.contacts[0].vertex - exact.contacts[0].foot).norm(), *exact.gap, 1e-13);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

// Rates of gap, foot and normal against differences of the quantities themselves, for every kind of candidate.
TEST(OutlineArcs, RatesAndBordersAreDerivatives) {
  OutlineRandom random(47);
  const Outline a = outline_of(
                    {arcs_loop({{-1, -1}, {1, -1}, {1.2, 1}, {-0.9, 1}}, {0, 0.4, -0.2, 0.1})}),
                b = outline_of(
                    {arcs_loop({{-1, -1}, {1.1, -1}, {1, 1}, {-1, 1.2}}, {-0.3, 0.5, 0, 0.2})});
  const OutlinePair pair{a, b};
  const auto motion = [&](double t, const PlanarMotion& m) {
    PlanarMotion moved = m;
    const double angle = std::atan2(m.pose.rotation(1, 0), m.pose.rotation(0, 0)) + t * m.spin;
    moved.pose = planar_pose(m.pose.position.x() + t * m.velocity.x(),
                             m.pose.position.y() + t * m.velocity.y(), angle);
    return moved;
  };
  for (int k = 0; k < 300; ++k) {
    PlanarMotion first, second;
    for (PlanarMotion* m : {&first, &second}) {
      m->pose = random.pose(3);
      m->velocity = {random.uniform(-1, 1), random.uniform(-1, 1)};
      m->spin = random.uniform(-1, 1);
    }
    const int round = random.integer(0, 7), edge = random.integer(0, 3);
    const Candidate candidate{PairSide::first, OutlineVertexIndex(round), OutlineEdgeIndex(edge)};
    if (!pair.is_vertex(candidate) && !pair.arc(candidate).is_convex_arc()) continue;
    const auto at = [&](double t) {
      return candidate_gap(pair, candidate, motion(t, first).pose, motion(t, second).pose);
    };
    const CandidateGap now = at(0.0);
    const CandidateRate rate = candidate_rate(pair, candidate, now, first, second);
    const double h = 1e-6;
    const auto borders_at = [&](double t) {
      return candidate_borders(pair, candidate, at(t), rate, motion(t, first).pose);
    };
    const auto borders = borders_at(0.0), before = borders_at(-h), after = borders_at(h);
    EXPECT_NEAR(rate.gap_rate, (at(h).gap - at(-h).gap) / (2 * h), 1e-7);
    if (now.reach > 0.0 && now.reach < 0.3) continue;  // next to a centre
    for (std::size_t i = 0; i < borders.size(); ++i) {
      const double change = (after[i].margin - before[i].margin) / (2 * h);
      if (borders[i].is_border &&
          std::abs(change) < 1e3) {  // elsewhere: an angle that jumps by a turn
        EXPECT_NEAR(borders[i].rate, change, 1e-6) << k << " border " << i;
      }
    }
  }
}

TEST(OutlineOffset, SquareGrowsByStripsAndQuarterDisks) {
  const OutlineLoop square{.points = rectangle(0, 0, 2, 1)};
  const OffsetLoops out = offset_loops(std::span(&square, 1), 0.1);
  ASSERT_FALSE(out.fault.has_value());
  const Outline grown = outline_of(out.loops);
  EXPECT_NEAR(area_moments(grown).area, 2 + 0.1 * 6 + pi * 0.01, 1e-14);
  ASSERT_EQ(grown.edges.size(), 8);
  EXPECT_TRUE(grown.edges[OutlineEdgeIndex(0)].is_corner);
  EXPECT_EQ(grown.edges[OutlineEdgeIndex(2)].label, 1);  // the corner at (2, 0) keeps its number
  EXPECT_EQ(grown.edges[OutlineEdgeIndex(3)].label, 1);  // and so does the edge behind it
  EXPECT_FALSE(grown.edges[OutlineEdgeIndex(3)].is_corner);
  for (const OutlineVertexIndex i : indices(grown.vertices))
    EXPECT_EQ(grown.corner(i), Corner::collinear);
  const OffsetLoops in = offset_loops(std::span(&square, 1), -0.1);
  EXPECT_NEAR(area_moments(outline_of(in.loops)).area, 1.8 * 0.8, 1e-14);
}

TEST(OutlineOffset, ArcsChangeTheirRadiiAndReflexCornersCloseOrOpen) {
  const OutlineLoop slot = stadium(1.2, 0.3);
  EXPECT_NEAR(area_moments(outline_of(offset_loops(std::span(&slot, 1), 0.05).loops)).area,
              2 * 0.35 * 1.2 + pi * 0.35 * 0.35, 1e-14);
  const OutlineLoop l{.points = {{0, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.4}, {0, 0.4}}};
  const double d = 0.01, area = 0.06, perimeter = 1.4;
  // Steiner: five convex corners open, the reflex one closes (the strips meet over d^2).
  EXPECT_NEAR(area_moments(outline_of(offset_loops(std::span(&l, 1), d).loops)).area,
              area + perimeter * d + 5 * pi / 4 * d * d - d * d, 1e-15);
  EXPECT_NEAR(area_moments(outline_of(offset_loops(std::span(&l, 1), -d).loops)).area,
              area - perimeter * d + 5 * d * d - pi / 4 * d * d, 1e-15);
  const OutlineLoop bore = circle_loop({0, 0}, -0.5);
  EXPECT_EQ(offset_loops(std::span(&bore, 1), 0.1).loops[0].radius, -0.4);
}

TEST(OutlineOffset, EdgeThatVanishesIsAFault) {
  const OutlineLoop thin{.points = {{0, 0}, {1, 0}, {1, 0.1}, {0, 0.1}}};
  const auto fault = offset_loops(std::span(&thin, 1), -0.06).fault;
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->what.find("lets edge 1 vanish"), std::string::npos) << fault->what;
  const OutlineLoop hollow = arcs_loop(rectangle(0, 0, 1, 1), {0, 0, -0.2, 0});
  EXPECT_TRUE(offset_loops(std::span(&hollow, 1), 2.0).fault.has_value());
  const OutlineLoop small = circle_loop({0, 0}, 0.1);
  EXPECT_TRUE(offset_loops(std::span(&small, 1), -0.1).fault.has_value());
}

}  // namespace
}  // namespace clack
