// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_gap.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "clack/geometry/outline_examples.hpp"
#include "clack/json_input.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using testing::OutlineRandom;
using testing::Polygon;
using testing::rectangle;

Polygon polygon_of(const nlohmann::json& points) {
  Polygon polygon;
  for (const auto& p : points) polygon.emplace_back(p[0].get<double>(), p[1].get<double>());
  return polygon;
}

PlanarPose pose_of(const nlohmann::json& pose) {
  return planar_pose(pose[0].get<double>(), pose[1].get<double>(), pose[2].get<double>());
}

Vector2d point_of(const nlohmann::json& p) { return {p[0].get<double>(), p[1].get<double>()}; }

struct DataPair {
  nlohmann::json wanted;
  Outline a, b;
  PlanarPose pose_a, pose_b;
  OutlinePair pair() const { return {a, b}; }
};

std::vector<DataPair> data_pairs() {
  std::vector<DataPair> pairs;
  const auto document = read_json_file(CLACK_SOURCE_DIR "/src/clack/geometry/data/pairs.json");
  for (const auto& p : document["pairs"])
    pairs.push_back({p, make_outline(polygon_of(p["A"])), make_outline(polygon_of(p["B"])),
                     pose_of(p["poseA"]), pose_of(p["poseB"])});
  return pairs;
}

// 100 pairs computed in 40-digit arithmetic. Gap 1e-12 of the size, normals 1e-12, points 1e-9; where the gap is below
// 1e-15 of the size (pair 7) touching and overlapping cannot be told apart.
TEST(OutlineGap, IsThatOfFortyDigitArithmetic) {
  TreeWorkspace work;
  for (const DataPair& data : data_pairs()) {
    SCOPED_TRACE(data.wanted["name"].get<std::string>());
    const PairGap found = signed_gap(data.pair(), data.pose_a, data.pose_b, work);
    if (data.wanted["gap"].is_null()) {
      EXPECT_EQ(found.status, PairStatus::crossing);
      EXPECT_FALSE(found.gap.has_value());
      EXPECT_EQ(found.kind, ClosestKind::none);
      continue;
    }
    const double gap = data.wanted["gap"].get<double>(), size = data.pair().size();
    ASSERT_TRUE(found.gap.has_value());
    EXPECT_NEAR(*found.gap, gap, 1e-12 * size);
    if (std::abs(gap) > 1e-15 * size || gap == 0.0) {
      EXPECT_EQ(to_string(found.status), data.wanted["status"].get<std::string>());
    }
    EXPECT_EQ(to_string(found.kind), data.wanted["kind"].get<std::string>());
    ASSERT_EQ(found.contacts.size(), data.wanted["contacts"].size());
    for (std::size_t k = 0; k < found.contacts.size(); ++k) {
      const ClosestPair& c = found.contacts[k];
      const auto& w = data.wanted["contacts"][k];
      EXPECT_EQ(c.candidate.owner == PairSide::first ? "A" : "B",
                w["vertex_of"].get<std::string>());
      EXPECT_EQ(c.candidate.vertex.value, w["vertex"].get<int>());
      EXPECT_EQ(c.candidate.edge.value, w["edge"].get<int>());
      EXPECT_NEAR(c.gap, w["g"].get<double>(), 1e-12 * size);
      EXPECT_NEAR(c.line_gap, w["line_gap"].get<double>(), 1e-12 * size);
      EXPECT_NEAR(c.place, w["u"].get<double>(), 1e-9);
      EXPECT_NEAR((c.vertex - point_of(w["point"])).norm(), 0.0, 1e-9);
      EXPECT_NEAR((c.foot - point_of(w["foot"])).norm(), 0.0, 1e-9);
      EXPECT_NEAR((c.normal - point_of(w["normal"])).norm(), 0.0, 1e-12);
      EXPECT_EQ(c.is_at_end, w["at_end"].get<bool>());
    }
  }
}

TEST(OutlineCandidates, WithinASkinAreCountedExactly) {
  TreeWorkspace work;
  std::vector<Candidate> candidates;
  for (const DataPair& data : data_pairs()) {
    SCOPED_TRACE(data.wanted["name"].get<std::string>());
    for (const auto& [skin_text, counts] : data.wanted["raw_within"].items()) {
      const double skin = std::stod(skin_text);
      candidates_within(data.pair(), data.pose_a, data.pose_b, skin, VertexChoice::all, work,
                        candidates);
      const auto of_first =
          std::count_if(candidates.begin(), candidates.end(),
                        [](const Candidate& c) { return c.owner == PairSide::first; });
      EXPECT_EQ(of_first, counts[0].get<int>());
      EXPECT_EQ(static_cast<int>(candidates.size()) - of_first, counts[1].get<int>());
      if (!data.wanted.contains("valid_within") || data.wanted["valid_within"].is_null()) continue;
      EXPECT_EQ(count_valid(data.pair(), data.pose_a, data.pose_b, skin, candidates),
                data.wanted["valid_within"][skin_text].get<int>());
    }
  }
}

/// The rough profile of the guide: N points on 20 mm, listed from right to left, base at -2 mm.
Polygon profile(int n) {
  const double length = 0.02;
  const int waves[] = {3, 7, 13, 29, 61, 113};
  Polygon points{{-length / 2, -0.002}, {length / 2, -0.002}};
  for (int i = n - 1; i >= 0; --i) {
    const double x = -length / 2 + length * i / (n - 1);
    double y = 0.0;
    for (int k = 1; k <= 6; ++k) {
      const double m = waves[k - 1], part = 0.6180339887498949 * k;
      y += std::sin(2 * std::numbers::pi * m * x / length +
                    2 * std::numbers::pi * (part - std::floor(part))) /
           std::sqrt(m);
    }
    points.emplace_back(x, 4e-6 * y);
  }
  return points;
}

struct ProfileRow {
  int n;
  double x, phi, y, gap;
  int raw[3][2], valid[3];
  long box_tests[3];  // of the table in 2.10; 0: not given
};

const ProfileRow profile_rows[] = {
    {1000, 1.1e-3, 0, 0.006003902298388, 0, {{0, 5}, {1, 22}, {4, 252}}, {1, 3, 24}, {67, 0, 0}},
    {1000, 1.1e-3, 0.0002, 0.006003463759724, 0, {{0, 5}, {1, 37}, {4, 252}}, {1, 6, 25}, {}},
    {1000, -2.3e-3, -0.001, 0.006004843252607, 0, {{0, 8}, {0, 45}, {2, 239}}, {3, 6, 26}, {}},
    {10000,
     1.1e-3,
     0,
     0.006003921613412,
     0,
     {{0, 46}, {3, 212}, {20, 2527}},
     {1, 4, 26},
     {179, 0, 6013}},
    {10000, 1.1e-3, 0, 0.006004921613412, 1e-6, {{0, 0}, {0, 110}, {20, 2444}}, {0, 2, 25}, {}},
    {10000, 1.1e-3, 0.0002, 0.006003481467379, 0, {{0, 47}, {2, 355}, {21, 2528}}, {1, 6, 25}, {}},
    {10000,
     1.1e-3,
     0.0002,
     0.006004481467399,
     1e-6,
     {{0, 0}, {0, 108}, {20, 2527}},
     {0, 1, 25},
     {}},
    {10000, -2.3e-3, -0.001, 0.006004852900473, 0, {{0, 75}, {0, 452}, {9, 2386}}, {3, 6, 26}, {}},
    {10000,
     -2.3e-3,
     -0.001,
     0.006005852900973,
     1e-6,
     {{0, 0}, {0, 213}, {9, 2299}},
     {0, 4, 25},
     {}},
};

// Guide section 5: counts are exact; box tests below three times those of 2.10.
TEST(OutlineCandidates, OfABrushOnARoughProfileAreThoseOfTheGuide) {
  const double skins[] = {0.5e-6, 2e-6, 10e-6};
  const Outline brush = make_outline(rectangle(-0.0025, -0.006, 0.0025, 0.006));
  TreeWorkspace work;
  std::vector<Candidate> candidates;
  for (const ProfileRow& row : profile_rows) {
    SCOPED_TRACE(fmt::format("N {} x {} phi {} gap {}", row.n, row.x, row.phi, row.gap));
    const Outline ground = make_outline(profile(row.n));
    const OutlinePair pair{brush, ground};
    const PlanarPose at = planar_pose(row.x, row.y, row.phi), here;
    EXPECT_NEAR(signed_gap(pair, at, here, work).gap.value(), row.gap, 2e-12);
    for (int k = 0; k < 3; ++k) {
      candidates_within(pair, at, here, skins[k], VertexChoice::all, work, candidates);
      const auto of_brush =
          std::count_if(candidates.begin(), candidates.end(),
                        [](const Candidate& c) { return c.owner == PairSide::first; });
      EXPECT_EQ(of_brush, row.raw[k][0]);
      EXPECT_EQ(static_cast<int>(candidates.size()) - of_brush, row.raw[k][1]);
      EXPECT_EQ(count_valid(pair, at, here, skins[k], candidates), row.valid[k]);
      if (row.box_tests[k] > 0) {
        EXPECT_LT(work.box_tests, 3 * row.box_tests[k]);
      }
    }
  }
}

TEST(OutlineCandidates, DoNotDependOnTheLeavesOfTheTree) {
  OutlineRandom random(3);
  TreeWorkspace work;
  std::vector<Candidate> wanted, found;
  for (int k = 0; k < 100; ++k) {
    const Polygon a = random.any(), b = random.any();
    const PlanarPose pa = random.pose(1.5), pb = random.pose(0.2);
    const Outline first = make_outline(a, 1), second = make_outline(b, 1);
    const double skin = random.uniform(0.0, 0.3);
    candidates_within({first, second}, pa, pb, skin, VertexChoice::all, work, wanted);
    for (const int leaf : {2, 5, 16}) {
      const Outline other_first = make_outline(a, leaf), other_second = make_outline(b, leaf);
      candidates_within({other_first, other_second}, pa, pb, skin, VertexChoice::all, work, found);
      EXPECT_EQ(found, wanted);
    }
  }
}

std::optional<double> gap_of(const Polygon& a, const PlanarPose& pa, const Polygon& b,
                             const PlanarPose& pb) {
  TreeWorkspace work;
  const Outline first = make_outline(a), second = make_outline(b);
  return signed_gap({first, second}, pa, pb, work).gap;
}

// Moved by d, the gap changes by at most |d|; exchanged or turned together, not at all.
TEST(OutlineGap, IsLipschitzSymmetricAndTheSameInEveryFrame) {
  OutlineRandom random(5);
  int compared = 0;
  for (int k = 0; k < 400; ++k) {
    const Polygon a = random.convex(random.integer(3, 20)), b = random.star(random.integer(5, 30));
    const PlanarPose pa = random.pose(1.4), pb = random.pose(1.4);
    const auto gap = gap_of(a, pa, b, pb);
    const auto exchanged = gap_of(b, pb, a, pa);
    ASSERT_EQ(gap.has_value(), exchanged.has_value());
    if (!gap) continue;
    EXPECT_NEAR(*gap, *exchanged, 1e-14);
    const PlanarPose frame = random.pose(3.0);
    const auto in_frame = [&](const PlanarPose& p) {
      return PlanarPose{frame.position + frame.rotation * p.position, frame.rotation * p.rotation};
    };
    const auto turned = gap_of(a, in_frame(pa), b, in_frame(pb));
    if (std::abs(*gap) > 1e-12) {
      ASSERT_TRUE(turned.has_value());
      EXPECT_NEAR(*gap, *turned, 1e-14 * 10);
    }
    PlanarPose moved = pa;
    const Vector2d way(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1));
    moved.position += way;
    const auto other = gap_of(a, moved, b, pb);
    if (*gap < 0.0 || !other || *other < 0.0)
      continue;  // the depth of one vertex may end in a crossing
    EXPECT_LE(std::abs(*gap - *other), way.norm() * (1 + 1e-12) + 1e-14);
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

/// The difference body B - A of two convex polygons: the quadratic program min |x| over it is the distance, and the
/// smallest translation that parts them when the origin is inside.
double convex_gap(const Polygon& a, const PlanarPose& pa, const Polygon& b, const PlanarPose& pb) {
  Polygon points;
  for (const Vector2d& p : a)
    for (const Vector2d& q : b) points.push_back(to_world(pb, q) - to_world(pa, p));
  std::sort(points.begin(), points.end(), [](const Vector2d& p, const Vector2d& q) {
    return std::pair(p.x(), p.y()) < std::pair(q.x(), q.y());
  });
  Polygon hull;
  for (const int pass : {0, 1}) {  // lower chain, upper chain
    const std::size_t begin = hull.size();
    for (const Vector2d& p : points) {
      while (hull.size() >= begin + 2 &&
             cross2(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0.0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    if (pass == 0) std::reverse(points.begin(), points.end());
  }
  double distance = 1e300, inside = 1e300;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vector2d p = hull[i], along = (hull[(i + 1) % hull.size()] - p);
    const double s = std::clamp(-p.dot(along) / along.squaredNorm(), 0.0, 1.0);
    distance = std::min(distance, (p + s * along).norm());
    inside = std::min(inside, cross2(along, -p) / along.norm());
  }
  return inside > 0.0 ? -inside : distance;
}

TEST(OutlineGap, OfConvexPairsIsTheQuadraticProgram) {
  OutlineRandom random(17);
  for (int k = 0; k < 500; ++k) {
    const Polygon a = random.convex(random.integer(3, 30)),
                  b = random.convex(random.integer(3, 30));
    const PlanarPose pa = random.pose(2.5), pb = random.pose(0.5);
    const double wanted = convex_gap(a, pa, b, pb);
    const auto gap = gap_of(a, pa, b, pb);
    if (wanted > 0.0) {
      ASSERT_TRUE(gap.has_value());
      EXPECT_NEAR(*gap, wanted, 1e-13);
    } else if (gap) {
      EXPECT_LE(*gap, 0.0);
    }
  }
}

TEST(OutlineGap, SeesOverlapsWithoutAVertexInside) {
  TreeWorkspace work;
  const PlanarPose here;
  const auto status = [&](const Polygon& a, const Polygon& b) {
    const Outline first = make_outline(a), second = make_outline(b);
    return signed_gap({first, second}, here, here, work).status;
  };
  const Polygon square = rectangle(-1, -1, 1, 1);
  EXPECT_EQ(status(square, square), PairStatus::crossing);
  EXPECT_EQ(status(rectangle(-2, -0.001, 2, 0.001), rectangle(-0.001, -2, 0.001, 2)),
            PairStatus::crossing);
  EXPECT_EQ(status(square, {{-1, 0}, {0, -1}, {1, 0}, {0, 1}}), PairStatus::crossing);  // inscribed
  EXPECT_EQ(status(square, rectangle(-0.5, -0.5, 0.5, 0.5)), PairStatus::overlap);
  EXPECT_EQ(status(square, rectangle(1, -1, 3, 1)), PairStatus::disjoint);
  EXPECT_EQ(status(rectangle(-1, -1, 1, 0.5), rectangle(-1, -1, 0.5, 1)), PairStatus::crossing);
}

}  // namespace
}  // namespace clack
