// SPDX-License-Identifier: Apache-2.0
// Polygons: what outlines, queries and whole runs cost, with brute force beside each query in the same run.
//   scripts/bench polygon
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "clack/complementarity/settling.hpp"
#include "clack/geometry/outline_pair.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/theory.hpp"

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

void print_outline() {
  const Points points = rough_profile(10000);
  const double checked = seconds_of([&] { (void)outline_fault(points); });
  const double made = seconds_of([&] { (void)make_outline(points); });
  const Outline outline = make_outline(points);
  const std::size_t bytes = sizeof(OutlineVertex) + sizeof(OutlineEdge) +
                            sizeof(outline.tree[0]) *
                                static_cast<std::size_t>(outline.tree.size()) /
                                outline.vertices.size();
  fmt::print(
      "outline of 10 000 vertices: validated {:.2f} ms, made with its tree {:.2f} ms, {} bytes per "
      "vertex\n\n",
      1e3 * checked, 1e3 * made, bytes);
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

void print_queries() {
  const Points profile = rough_profile(10000);
  print_query("brush 1 mm above the profile, 10 000", brush(), profile,
              planar_pose(1.1e-3, 0.007003921613412, 0), 0.5e-6);
  print_query("brush on the profile, skin 0.5 um", brush(), profile,
              planar_pose(1.1e-3, 0.006003921613412, 0), 0.5e-6);
  print_query("brush on the profile, skin 10 um", brush(), profile,
              planar_pose(1.1e-3, 0.006003921613412, 0), 10e-6);
  const Points small = rough_profile(3000);
  double top = 0.0;
  for (const Eigen::Vector2d& p : small) top = std::max(top, p.y());
  print_query("profile on profile, 3000, skin 0.5 um", small, small,
              planar_pose(0, 2.0 * top + 0.1e-6, std::numbers::pi), 0.5e-6);
  fmt::print("\n");
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

void print_runs() {
  fmt::print("body with an n-gon back near a floor\n");
  double first = 0.0;
  for (const int n : {100, 1000, 10000}) {
    const double seconds = run_seconds(load_model_text(pinned_gon(n), "bench.yaml"));
    first = first > 0.0 ? first : seconds;
    fmt::print("  n = {:5}  {:8.2f} ms   {:.2f} times n = 100\n", n, 1e3 * seconds,
               seconds / first);
  }
  const auto file = [](const char* name, const char* until) {
    return load_model(std::string(CLACK_SOURCE_DIR "/models/polygons/") + name,
                      {{"run.until", until}});
  };
  fmt::print("ratchet to 0.36 s   {:.2f} ms\n", 1e3 * run_seconds(file("ratchet.yaml", "0.36")));
  fmt::print("brush to 11 ms      {:.2f} ms\n", 1e3 * run_seconds(file("brush.yaml", "0.011")));
}

}  // namespace

int main() {
  print_outline();
  print_queries();
  print_runs();
}
