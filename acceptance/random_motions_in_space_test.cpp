// SPDX-License-Identifier: Apache-2.0
// Nothing tunnels in space: random motions of two convex polyhedra against conservative advancement by brute force, with
// every integrator. CLACK_RANDOM_MOTIONS=10000 runs as many; scripts/random_motions does that.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include "acceptance/run_support.hpp"
#include "clack/hybrid/run.hpp"

namespace clack::acceptance {
namespace {

using Eigen::Vector3d;

struct SolidPlace {
  Vector3d at = Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

/// A convex body by its corners; its faces are found by trying all triples of them.
struct DrawnSolid {
  std::vector<Vector3d> corners;
  std::vector<std::array<int, 3>> triangles = {};
  std::set<std::pair<int, int>> edges = {};

  explicit DrawnSolid(std::vector<Vector3d> points) : corners(std::move(points)) {
    const int n = static_cast<int>(corners.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k) {
          const Vector3d normal = (corners[j] - corners[i]).cross(corners[k] - corners[i]);
          int above = 0, below = 0;
          for (const Vector3d& c : corners) {
            const double height = normal.dot(c - corners[i]);
            above += height > 1e-9 * normal.norm() * radius();
            below += height < -1e-9 * normal.norm() * radius();
          }
          if (above > 0 && below > 0) continue;
          triangles.push_back({i, j, k});
          edges.insert({{i, j}, {i, k}, {j, k}});
        }
  }
  double radius() const {
    double radius = 0.0;
    for (const Vector3d& c : corners) radius = std::max(radius, c.norm());
    return radius;
  }
  std::vector<Vector3d> placed(const SolidPlace& place) const {
    std::vector<Vector3d> points;
    for (const Vector3d& c : corners) points.push_back(place.at + place.turn * c);
    return points;
  }
  std::string yaml() const {
    std::string text;
    for (const Vector3d& c : corners)
      text += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", text.empty() ? "" : ", ", c.x(), c.y(),
                          c.z());
    return "shape: {hull: {points: [" + text + "]}}";
  }
};

double segments_apart(const Vector3d& p, const Vector3d& u, const Vector3d& q, const Vector3d& v) {
  const Vector3d w = p - q;
  const double a = u.dot(u), b = u.dot(v), c = v.dot(v), d = u.dot(w), e = v.dot(w),
               denominator = a * c - b * b;
  const auto apart = [&](double s, double r) { return (w + s * u - r * v).norm(); };
  double least = std::numeric_limits<double>::infinity();
  if (denominator > 1e-12 * a * c) {
    const double s = (b * e - c * d) / denominator, r = (a * e - b * d) / denominator;
    if (s >= 0.0 && s <= 1.0 && r >= 0.0 && r <= 1.0) least = apart(s, r);
  }
  for (const double s : {0.0, 1.0})
    least = std::min(least, apart(s, std::clamp((e + s * b) / c, 0.0, 1.0)));
  for (const double r : {0.0, 1.0})
    least = std::min(least, apart(std::clamp((r * b - d) / a, 0.0, 1.0), r));
  return least;
}

/// All corners over all faces, all edges against all edges; as long as the bodies do not overlap.
double solids_apart(const DrawnSolid& a, const SolidPlace& at_a, const DrawnSolid& b,
                    const SolidPlace& at_b) {
  const std::vector<Vector3d> x = a.placed(at_a), y = b.placed(at_b);
  double least = std::numeric_limits<double>::infinity();
  const auto over_faces = [&](const std::vector<Vector3d>& points, const DrawnSolid& solid,
                              const std::vector<Vector3d>& corners) {
    for (const auto& [i, j, k] : solid.triangles) {
      const Vector3d u = corners[j] - corners[i], v = corners[k] - corners[i], n = u.cross(v);
      for (const Vector3d& p : points) {
        const Vector3d w = p - corners[i];
        const double s = w.cross(v).dot(n), r = u.cross(w).dot(n);
        if (s >= 0.0 && r >= 0.0 && s + r <= n.squaredNorm())
          least = std::min(least, std::abs(w.dot(n)) / n.norm());
      }
    }
  };
  over_faces(x, b, y);
  over_faces(y, a, x);
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges)
      least = std::min(least, segments_apart(x[i], x[j] - x[i], y[k], y[l] - y[k]));
  return least;
}

class SolidDrawing {
 public:
  explicit SolidDrawing(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int one_of(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  Vector3d direction() {
    const double z = between(-1.0, 1.0), around = between(-std::numbers::pi, std::numbers::pi),
                 r = std::sqrt(1.0 - z * z);
    return {r * std::cos(around), r * std::sin(around), z};
  }
  /// A box, a tetrahedron, a hull of some points, a prism, a plate or a needle of a thousandth.
  DrawnSolid solid() {
    const double size = std::pow(10.0, between(-2.0, 0.0));
    switch (one_of(6)) {
      case 0:
        return box(size * Vector3d(between(0.3, 1.0), between(0.3, 1.0), between(0.3, 1.0)));
      case 1:
        return DrawnSolid({size * Vector3d(1, 1, 1), size * Vector3d(1, -1, -1),
                           size * Vector3d(-1, 1, -1), size * Vector3d(-1, -1, 1)});
      case 2: {
        std::vector<Vector3d> points;
        for (int k = 0, n = 6 + one_of(5); k < n; ++k) points.push_back(size * direction());
        return DrawnSolid(std::move(points));
      }
      case 3: {
        std::vector<Vector3d> points;
        for (int k = 0, n = 3 + one_of(3); k < n; ++k)
          for (const double z : {-0.4 * size, 0.4 * size})
            points.emplace_back(size * std::cos(2.0 * std::numbers::pi * k / n),
                                size * std::sin(2.0 * std::numbers::pi * k / n), z);
        return DrawnSolid(std::move(points));
      }
      case 4:
        return box(size * Vector3d(1.0, 0.7, 0.5e-3));
      default:
        return box(size * Vector3d(1.0, 0.5e-3, 0.5e-3));
    }
  }

 private:
  static DrawnSolid box(const Vector3d& half) {
    std::vector<Vector3d> points;
    for (const double z : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double x : {-1.0, 1.0}) points.push_back(half.cwiseProduct(Vector3d(x, y, z)));
    return DrawnSolid(std::move(points));
  }
  std::mt19937 random_;
};

using SolidPath = std::function<SolidPlace(double)>;

struct SolidMotionDrawn {
  std::string yaml;  // with RUN to be filled in
  DrawnSolid a, b;
  SolidPath place_a, place_b;
  double speed = 0.0, until = 0.0, size = 0.0;  // no two points approach faster than `speed`

  double distance(double t) const { return solids_apart(a, place_a(t), b, place_b(t)); }
};

struct SolidInMotion {
  std::string yaml;
  SolidPath place;
  double speed = 0.0;  // of its points, at most
};

constexpr double space_gravity = 10.0;

std::string triple(const Vector3d& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

/// A body of equal moments of inertia turns with a constant spin.
SolidInMotion flying(const Vector3d& start, const Vector3d& velocity, const Vector3d& spin,
                     double radius, double until) {
  const auto place = [=](double t) {
    const double turned = spin.norm() * t;
    return SolidPlace{start + t * velocity - 0.5 * space_gravity * t * t * Vector3d::UnitZ(),
                      spin.norm() > 0.0
                          ? Eigen::Quaterniond(Eigen::AngleAxisd(turned, spin.normalized()))
                          : Eigen::Quaterniond::Identity()};
  };
  return {fmt::format("free: true, mass: 1, inertia: 1, position: {}, velocity: {}, spin: {}",
                      triple(start), triple(velocity), triple(spin)),
          place, velocity.norm() + space_gravity * until + spin.norm() * radius};
}

/// The second body: fixed, flying, or prescribed by formulas of t. It turns fast.
SolidInMotion drawn_second_solid(SolidDrawing& draw, double size, double radius, double until,
                                 bool is_spinning) {
  const double turn = draw.between(-1.0, 1.0) * std::min(1000.0, 20.0 / until),
               lean = draw.between(-1.5, 1.5), shake = 0.3 * size, omega = 6.0 / until;
  const Vector3d axis = draw.direction();
  switch (draw.one_of(is_spinning ? 4 : 3)) {
    case 0:
      return {fmt::format("fixed: true, rotation: [[x, {:.17g}]]", lean),
              [=](double) {
                return SolidPlace{Vector3d::Zero(),
                                  Eigen::Quaterniond(Eigen::AngleAxisd(lean, Vector3d::UnitX()))};
              },
              0.0};
    case 3:
      return flying(Vector3d::Zero(), Vector3d::Zero(), turn * axis, radius, until);
    default:
      return {fmt::format("motion: {{position: [\"{:.17g}*sin({:.17g}*t)\", 0, 0], rotation: [[z, "
                          "\"{:.17g}*t\"], [x, {:.17g}]]}}",
                          shake, omega, turn, lean),
              [=](double t) {
                return SolidPlace{
                    Vector3d(shake * std::sin(omega * t), 0.0, 0.0),
                    Eigen::Quaterniond(Eigen::AngleAxisd(turn * t, Vector3d::UnitZ())) *
                        Eigen::Quaterniond(Eigen::AngleAxisd(lean, Vector3d::UnitX()))};
              },
              shake * omega + std::abs(turn) * radius};
  }
}

/// The first body flies towards the second. Not spinning: what flies is a parabola, which every integrator follows
/// exactly, whatever its step; what turns is prescribed.
SolidMotionDrawn drawn_motion_in_space(unsigned seed, bool is_spinning) {
  SolidDrawing draw(seed);
  DrawnSolid a = draw.solid(), b = draw.solid();
  const double ra = a.radius(), rb = b.radius(), size = ra + rb,
               fast = std::pow(10.0, draw.between(-1.0, 2.0)),
               until = draw.between(1.0, 3.0) * size / fast;
  const Vector3d to = draw.direction(), aside = to.cross(draw.direction()).normalized();
  const SolidInMotion second = drawn_second_solid(draw, size, rb, until, is_spinning);
  const Vector3d start = -1.4 * size * to + draw.between(-1.0, 1.0) * size * aside,
                 turning =
                     draw.between(0.0, 1.0) * std::min(1000.0, 20.0 / until) * draw.direction(),
                 spin = is_spinning ? turning : Vector3d::Zero();
  const SolidInMotion first = flying(start, fast * to, spin, ra, until);
  const std::string yaml = fmt::format(
      "clack: 1\ndimension: 3\ngravity: [0, 0, {:.17g}]\nbodies:\n  a: {{{}, {}}}\n  b: {{{}, "
      "{}}}\ncontacts: {{hit: {{between: [a, b]}}}}\nrun: {{until: {:.17g}, sample: {:.17g}, "
      "RUN}}\n",
      -space_gravity, first.yaml, a.yaml(), second.yaml, b.yaml(), until, until);
  return {yaml,  std::move(a), std::move(b), first.place, second.place, first.speed + second.speed,
          until, size};
}

/// The first time at which the distance falls to `closed`; nothing before is passed over. `least`: the smallest seen.
std::optional<double> advance_in_space(const SolidMotionDrawn& m, double closed, double& least) {
  least = std::numeric_limits<double>::infinity();
  for (double t = 0.0; t <= m.until;) {
    const double distance = m.distance(t);
    least = std::min(least, distance);
    if (distance <= closed) return t;
    t += distance / m.speed;
  }
  return std::nullopt;
}

std::optional<double> first_impact_in_space(const std::string& text) {
  const Model model = load_model_text(text, "test.yaml", {});
  Run run(model);
  do {
    for (const TraceEvent& event : run.trace().events)
      if (event.kind == EventKind::impact) return event.t;
  } while (run.advance_to_next_event());
  EXPECT_NE(run.trace().status, RunStatus::stopped) << run.trace().reason << "\n" << text;
  return std::nullopt;
}

/// What is wrong with a run, in words; empty: the same first touch, or the same miss.
std::string difference(const SolidMotionDrawn& m, const std::optional<double>& wanted, double least,
                       const std::optional<double>& found, double exactness) {
  if (found.has_value() != wanted.has_value()) {
    if (least < 1e-8 * m.size)
      return "";  // a graze, between closed (1e-9 of the size) and touching
    return fmt::format("{}; least {:.3g}", found ? "touches, should miss" : "misses, should touch",
                       least);
  }
  if (!found) return "";
  const double there = m.distance(*found);
  if (*found >= *wanted - exactness * m.until && *found <= *wanted + 1e-3 * m.until &&
      there <= exactness * m.size)
    return "";
  return fmt::format("touches at {:.15g}, should at {:.15g}, distance there {:.3g}", *found,
                     *wanted, there);
}

void expect_same_touches(bool is_spinning, std::span<const std::string> integrators,
                         double exactness) {
  const char* asked = std::getenv("CLACK_RANDOM_MOTIONS");
  const int count = asked ? std::atoi(asked) : 100;
  int hits = 0, failures = 0;
  for (int k = 0; k < count && failures < 10; ++k) {
    const SolidMotionDrawn m = drawn_motion_in_space(
        (is_spinning ? 5000u : 500'000u) + static_cast<unsigned>(k), is_spinning);
    double least = 0.0;
    const std::optional<double> wanted = advance_in_space(m, 1e-9 * m.size, least);
    hits += wanted ? 1 : 0;
    for (const std::string& run : integrators) {
      std::string text = m.yaml;
      text.replace(text.find("RUN"), 3, run);
      const std::string wrong =
          difference(m, wanted, least, first_impact_in_space(text), exactness);
      if (wrong.empty()) continue;
      ADD_FAILURE() << "motion " << k << ", " << run << ": " << wrong << "\n" << text;
      ++failures;
    }
  }
  EXPECT_GT(hits, count / 5);
  EXPECT_GT(count - hits, count / 20);
}

// Spinning bodies are not exact in any of the integrators: to their tolerance on the way.
TEST(RandomMotionsInSpace, SpinningBodiesTouchWhereConservativeAdvancementSays) {
  expect_same_touches(true,
                      std::array<std::string, 3>{"integrator: dop853, tolerance: 1.0e-12",
                                                 "integrator: dopri5, tolerance: 1.0e-12",
                                                 "integrator: cvode, tolerance: 1.0e-12"},
                      1e-7);
}

TEST(RandomMotionsInSpace, OneStepOfAnyLengthPassesNothing) {
  expect_same_touches(false,
                      std::array<std::string, 4>{"integrator: dop853", "integrator: dopri5",
                                                 "integrator: rk4, step: 1",
                                                 "integrator: dop853, tolerance: 1.0e-3"},
                      1e-9);
}

}  // namespace
}  // namespace clack::acceptance
