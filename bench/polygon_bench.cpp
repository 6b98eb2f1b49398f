// SPDX-License-Identifier: Apache-2.0
// Polygons: what outlines, queries and whole runs cost, with brute force beside them in the same run. Times are processor
// times. With Debian's libbox2d-dev installed, its ratchet stands beside ours.
//   scripts/bench polygon
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "clack/complementarity/settling.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/model/part_files.hpp"
#ifdef CLACK_HAS_BOX2D
#include "peers/box2d_ratchet.hpp"
#endif

namespace {

using namespace clack;
using clack::bench::processor_seconds;
using Points = std::vector<Eigen::Vector2d>;

/// Seconds of one call, the best of several batches.
template <class Work>
double seconds_of(Work&& work) {
  int calls = 1;
  for (double taken = 0.0; taken < 2e-3; calls *= 2) {
    const double begin = processor_seconds();
    for (int k = 0; k < calls; ++k) work();
    taken = processor_seconds() - begin;
  }
  double best = 1e300;
  for (int batch = 0; batch < 5; ++batch) {
    const double begin = processor_seconds();
    for (int k = 0; k < calls; ++k) work();
    best = std::min(best, (processor_seconds() - begin) / calls);
  }
  return best;
}

/// The rough profile of the guide to polygon contact, section 4: N points on 20 mm, from right to left, on a base.
Points rough_profile(int count) {
  constexpr double length = 0.02, amplitude = 4e-6, golden = 0.6180339887498949;
  const double waves[] = {3, 7, 13, 29, 61, 113};
  Points points{{-0.5 * length, -2e-3}, {0.5 * length, -2e-3}};
  for (int i = 0; i < count; ++i) {
    const double x = 0.5 * length - length * i / (count - 1);
    double y = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double phase = golden * (k + 1);
      y += std::sin(2 * std::numbers::pi * waves[k] * x / length +
                    2 * std::numbers::pi * (phase - std::floor(phase))) /
           std::sqrt(waves[k]);
    }
    points.emplace_back(x, amplitude * y);
  }
  return points;
}

Points brush() { return {{-2.5e-3, -6e-3}, {2.5e-3, -6e-3}, {2.5e-3, 6e-3}, {-2.5e-3, 6e-3}}; }

std::size_t brute_force(const OutlinePair& pair, const PlanarPose& a, const PlanarPose& b,
                        double skin) {
  std::size_t found = 0;
  const auto one_way = [&](const Outline& corners, const PlanarPose& at, const Outline& edges,
                           const PlanarPose& on) {
    for (const OutlineVertex& vertex : corners.vertices) {
      const Eigen::Vector2d local =
          on.rotation.transpose() * (to_world(at, vertex.point) - on.position);
      for (const OutlineEdge& edge : edges.edges)
        if (segment_distance(edge, local) <= skin) ++found;
    }
  };
  one_way(pair.first, a, pair.second, b);
  one_way(pair.second, b, pair.first, a);
  return found;
}

/// Every edge against every other one: what a check without a tree costs.
bool crosses_itself(const Points& points) {
  const std::size_t n = points.size();
  const auto side = [&](std::size_t i, const Eigen::Vector2d& p) {
    return cross2(points[(i + 1) % n] - points[i], p - points[i]);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      const Eigen::Vector2d &a = points[i], &b = points[i + 1], &c = points[j],
                            &d = points[(j + 1) % n];
      if (side(i, c) * side(i, d) <= 0.0 && side(j, a) * side(j, b) <= 0.0) return true;
    }
  return false;
}

void print_outline() {
  const Points points = rough_profile(10000);
  std::string text;
  for (const Eigen::Vector2d& p : points) text += fmt::format("{:.17g}, {:.17g}\n", p.x(), p.y());
  const double read = seconds_of([&] { (void)read_csv_part(text, "bench.csv", {}); });
  const double checked = seconds_of([&] { (void)outline_fault(points); });
  const double made = seconds_of([&] { (void)make_outline(points); });
  const Outline outline = make_outline(points);
  std::vector<Eigen::Vector2d> lows, highs;
  for (const OutlineEdge& edge : outline.edges) {
    const Eigen::Vector2d &a = outline.vertices[edge.from].point,
                          &b = outline.vertices[edge.to].point;
    lows.push_back(a.cwiseMin(b));
    highs.push_back(a.cwiseMax(b));
  }
  const double tree = seconds_of([&] { (void)BoxTree<2>(lows, highs, outline_leaf_size); });
  const double begin = processor_seconds();
  const bool is_simple = !crosses_itself(points);
  const double by_force = processor_seconds() - begin;
  const std::size_t bytes = sizeof(OutlineVertex) + sizeof(OutlineEdge) +
                            sizeof(outline.tree[0]) *
                                static_cast<std::size_t>(outline.tree.size()) /
                                outline.vertices.size();
  fmt::print(
      "outline of 10 000 vertices: CSV read {:.2f} ms, validated {:.2f} ms (all pairs of edges "
      "{:.0f} "
      "ms{}), made with its tree {:.2f} ms, together {:.2f} ms; tree alone {:.2f} ms; {} bytes per "
      "vertex\n\n",
      1e3 * read, 1e3 * checked, 1e3 * by_force, is_simple ? "" : ", DIFFER", 1e3 * made,
      1e3 * (read + checked + made), 1e3 * tree, bytes);
}

void print_query(const char* name, const Points& first, const Points& second, const PlanarPose& at,
                 double skin) {
  const Outline a = make_outline(first), b = make_outline(second);
  const OutlinePair pair{a, b};
  const PlanarPose origin = planar_pose(0, 0, 0);
  TreeWorkspace work;
  std::vector<Candidate> candidates;
  const double by_tree = seconds_of(
      [&] { candidates_within(pair, at, origin, skin, VertexChoice::all, work, candidates); });
  work.box_tests = 0;
  candidates_within(pair, at, origin, skin, VertexChoice::all, work, candidates);
  std::size_t found = 0;
  const double begin = processor_seconds();
  found = brute_force(pair, at, origin, skin);
  const double by_force = processor_seconds() - begin;
  fmt::print(
      "{:44} {:6} candidates  {:6} box tests  {:9.2f} us   brute force {:10.0f} us  {:8.0f} "
      "times{}\n",
      name, candidates.size(), work.box_tests, 1e6 * by_tree, 1e6 * by_force, by_force / by_tree,
      found == candidates.size() ? "" : "  DIFFER");
}

/// The height at which a profile that is turned over has this gap above itself.
double height_of_gap(const Points& points, double gap) {
  const Outline outline = make_outline(points);
  TreeWorkspace work;
  const PlanarPose origin = planar_pose(0, 0, 0);
  double top = 0.0;
  for (const Eigen::Vector2d& p : points) top = std::max(top, p.y());
  double low = 0.0, high = 2.0 * top + gap;
  for (int k = 0; k < 60; ++k) {
    const double y = 0.5 * (low + high);
    const auto found =
        signed_gap({outline, outline}, planar_pose(0, y, std::numbers::pi), origin, work).gap;
    (found && *found >= gap ? high : low) = y;
  }
  return high;
}

void print_queries() {
  const Points profile = rough_profile(10000);
  print_query("brush 1 mm above the profile, 10 000", brush(), profile,
              planar_pose(1.1e-3, 0.007003921613412, 0), 0.5e-6);
  print_query("brush on the profile, skin 0.5 um", brush(), profile,
              planar_pose(1.1e-3, 0.006003921613412, 0), 0.5e-6);
  print_query("brush on the profile, skin 10 um", brush(), profile,
              planar_pose(1.1e-3, 0.006003921613412, 0), 10e-6);
  const Points small = rough_profile(3000);
  print_query("profile on profile, 3000, skin 0.5 um", small, small,
              planar_pose(0, height_of_gap(small, 0.1e-6), std::numbers::pi), 0.5e-6);
  fmt::print("\n");
}

/// Seconds of a search for the nearest features by the tree, and by brute force, at a pose of a pair.
void print_nearest(const char* name, const Outline& first, const Outline& second,
                   const PlanarPose& at) {
  const OutlinePair pair{first, second};
  const PlanarPose origin = planar_pose(0, 0, 0);
  TreeWorkspace work;
  const double by_tree = seconds_of([&] { (void)vertex_distance(pair, at, origin, work); });
  const double by_force = seconds_of([&] { (void)brute_force(pair, at, origin, 0.0); });
  fmt::print("    nearest features {:8.2f} us   brute force {:10.1f} us  {:6.0f} times   {}\n",
             1e6 * by_tree, 1e6 * by_force, by_force / by_tree, name);
}

/// The executor's time alone, best of three.
double run_seconds(const Model& model) {
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    Run run(model);
    const double begin = processor_seconds();
    run.advance_to_end();
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

/// A body on a pin whose back is an n-gon, above a floor that it does not reach.
std::string pinned_gon(int n) {
  return fmt::format(R"yaml(clack: 1
dimension: 2
parameters: {{n: {}}}
gravity: [0, -9.81]
coordinates: {{th: {{start: 0.3, rate: 0}}}}
bodies:
  gon: {{mass: 1, inertia: 0.1, position: ["sin(th)", "-cos(th)"], angle: th, shape: {{polygon: {{curve: {{count: n, as: i, points: [[0.2*cos(2*pi*i/n), 0.2*sin(2*pi*i/n)]]}}}}}}}}
  floor: {{fixed: true, shape: {{polygon: [[-3, -3], [3, -3], [3, -1.3], [-3, -1.3]]}}}}
contacts: {{floor: {{between: [gon, floor], friction: 0.2}}}}
run: {{until: 5, sample: 5}}
)yaml",
                     n);
}

/// A body that rocks on the corners of its foot, with an n-gon as its back.
std::string rocking_gon(int n) {
  return fmt::format(R"yaml(clack: 1
dimension: 2
parameters: {{n: {}}}
gravity: [0, -9.81]
bodies:
  gon: {{mass: 1, inertia: 0.05, position: [0, 0.5], angle: 0.1, velocity: [0, 0], shapes: {{foot: {{polygon: [[-0.2, -0.4], [0.2, -0.4], [0.2, -0.3], [-0.2, -0.3]]}}, back: {{polygon: {{curve: {{count: n, as: i, points: [[0.2*cos(2*pi*i/n), 0.2*sin(2*pi*i/n)]]}}}}}}}}}}
  floor: {{fixed: true, shape: {{polygon: [[-3, -1], [3, -1], [3, 0], [-3, 0]]}}}}
contacts: {{foot: {{between: [gon.foot, floor], friction: 0.5, restitution: 0.2}}, back: {{between: [gon.back, floor], friction: 0.5}}}}
run: {{until: 1, sample: 1}}
)yaml",
                     n);
}

void print_gons(const char* name, std::string (*model)(int)) {
  fmt::print("{}\n", name);
  double first = 0.0;
  for (const int n : {100, 1000, 10000}) {
    const double seconds = run_seconds(load_model_text(model(n), "bench.yaml"));
    first = first > 0.0 ? first : seconds;
    fmt::print("  n = {:5}  {:8.2f} ms   {:.2f} times n = 100\n", n, 1e3 * seconds,
               seconds / first);
    Points points;
    for (int i = 0; i < n; ++i)
      points.emplace_back(0.2 * std::cos(2 * std::numbers::pi * i / n),
                          0.2 * std::sin(2 * std::numbers::pi * i / n));
    print_nearest("above its floor by 0.1 m", make_outline(points),
                  make_outline(Points{{-3, -3}, {3, -3}, {3, -0.3}, {-3, -0.3}}),
                  planar_pose(0, 0, 0.3));
  }
}

/// A box that slides off a table, in space.
std::string slide_off(const char* sample) {
  return fmt::format(R"yaml(clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  box: {{mass: 1, inertia: [1, 1/240, 1], position: [-0.25, 0, 0.05], velocity: [2, 0, 0], shape: {{box: {{width: 0.2, height: 0.4, depth: 0.1}}}}}}
  table: {{fixed: true, position: [-1.5, 0, -0.5], shape: {{box: {{width: 3, height: 2, depth: 1}}}}}}
contacts: {{top: {{between: [box, table], friction: 0.3}}}}
run: {{until: 0.25, theory: newton, tolerance: 1.0e-12, sample: {}}}
)yaml",
                     sample);
}

void print_runs() {
  print_gons("body on a pin with an n-gon back above a floor", pinned_gon);
  print_gons("body that rocks on its foot with an n-gon back", rocking_gon);
  const auto file = [](const std::string& name, std::vector<Override> overrides) {
    return load_model(CLACK_SOURCE_DIR "/models/" + name, overrides);
  };
  const auto print = [](const char* name, const Model& rows, const Model& none) {
    fmt::print("{:36} {:8.2f} ms   {:8.2f} ms without rows\n", name, 1e3 * run_seconds(rows),
               1e3 * run_seconds(none));
  };
  const auto print_file = [&](const char* title, const char* name, const char* until) {
    print(title, file(name, {{"run.until", until}}),
          file(name, {{"run.until", until}, {"run.sample", until}}));
  };
  fmt::print("\n");
  print_file("ratchet to 0.36 s, 1000 rows", "polygons/ratchet.yaml", "0.36");
  print_file("brush to 11 ms, 1000 rows", "polygons/brush.yaml", "0.011");
  print("box slides off a table in space", load_model_text(slide_off("0.25e-3"), "bench.yaml"),
        load_model_text(slide_off("0.25"), "bench.yaml"));
  const double drawn = run_seconds(file("woodpecker/four-dof-polygons.yaml", {})),
               formulas = run_seconds(file("woodpecker/four-dof.yaml", {}));
  fmt::print("four-dof woodpecker: polygons {:.2f} ms, formulas {:.2f} ms, {:.2f} times\n",
             1e3 * drawn, 1e3 * formulas, drawn / formulas);
}

/// The first impact of the ratchet (guide, section 5), and what a program finds that steps through time and takes convex
/// pieces only.
void print_box2d() {
#ifdef CLACK_HAS_BOX2D
  constexpr double impact = 0.004205690515, end = 0.36;
  const Model model =
      load_model(CLACK_SOURCE_DIR "/models/polygons/ratchet.yaml",
                 {{"run.until", std::to_string(end)}, {"run.sample", std::to_string(end)}});
  Run run(model);
  run.advance_to_end();
  double found = 0.0;
  for (const TraceEvent& event : run.trace().events)
    if (found == 0.0 && event.kind == EventKind::impact) found = event.t;
  fmt::print("\nratchet to 0.36 s    first impact {:.12f} s, error {:8.1e} s   {:8.2f} ms\n", found,
             std::abs(found - impact), 1e3 * run_seconds(model));
  for (const double step : {1e-3, 1e-4, 1e-5}) {
    double hit = 0.0;
    const double seconds =
        seconds_of([&] { hit = clack::bench::box2d_ratchet(step, end).first_impact; });
    fmt::print("  Box2D, steps {:.0e} s  first impact {:.12f} s, error {:8.1e} s   {:8.2f} ms\n",
               step, hit, std::abs(hit - impact), 1e3 * seconds);
  }
#endif
}

}  // namespace

int main() {
  print_outline();
  print_queries();
  print_runs();
  print_box2d();
}
