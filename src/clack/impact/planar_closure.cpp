// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/planar_closure.hpp"

#include "clack/impact/energetic_tolerances.hpp"

namespace clack {
namespace {

constexpr std::string_view ground = "ground";

/// How a contact touches a body: directions as they push it.
struct Push {
  Eigen::Vector2d point, normal, tangent;
};
Push push_on(const PlanarPlaces::Place& place, int body) {
  const double sign = place.body_b == body ? 1.0 : -1.0;
  return {place.point, sign * place.normal, sign * place.tangent};
}

bool touches(const PlanarPlaces::Place& place, int body) {
  return place.body_a == body || place.body_b == body;
}

double entry(double x) { return std::abs(x) < energetic_tolerances.row_entry ? 0.0 : x; }

/// The row of two members (numbers i < j among them) of one body.
void add_row(const Push& first, const Push& second, int i, int j, bool has_rough_tangent,
             ClosureRule rule, ClosureRows& closure) {
  auto row = closure.rows.row(closure.count++);
  row.setZero();
  const Eigen::Vector2d d = (first.point - second.point).normalized();
  row[2 * i] = entry(first.tangent.dot(d));
  row[2 * i + 1] = entry(first.normal.dot(d));
  row[2 * j] = entry(-second.tangent.dot(d));
  row[2 * j + 1] = entry(-second.normal.dot(d));
  const double product = row[2 * i + 1] * row[2 * j + 1];
  if (product > 0.0 && rule == ClosureRule::rigid_body) row[2 * j + 1] *= -1.0;
  const bool has_normals = row[2 * i + 1] != 0.0 || row[2 * j + 1] != 0.0;
  if (has_normals || has_rough_tangent) return;
  row.setZero();
  row[2 * i + 1] = 1.0;
  row[2 * j + 1] = -1.0;
}

/// Whether friction acts on a tangent of a row that is to be written.
bool is_rough(const ImpactProblem& problem, int contact, double tangent_entry) {
  return entry(tangent_entry) != 0.0 && problem.materials[contact].static_friction > 0.0;
}

}  // namespace

void find_places(const ImpactProblem& problem, PlanarPlaces& places) {
  places.of.clear();
  places.bodies.clear();
  if (problem.geometry.empty()) return;
  std::vector<std::string_view>& bodies = places.bodies;
  const auto number = [&](std::string_view name) {
    if (name == ground) return -1;
    const auto found = std::find(bodies.begin(), bodies.end(), name);
    if (found != bodies.end()) return static_cast<int>(found - bodies.begin());
    bodies.push_back(name);
    return static_cast<int>(bodies.size()) - 1;
  };
  for (const ContactGeometry& geometry : problem.geometry) {
    if (geometry.body_b.empty() || !geometry.point || !geometry.normal) {
      places.of.clear();
      return;
    }
    PlanarPlaces::Place& place = places.of.emplace_back();
    place.body_a = number(geometry.body_a);
    place.body_b = number(geometry.body_b);
    place.point = geometry.point->head<2>();
    place.normal = geometry.normal->head<2>();
    place.tangent = geometry.tangents.empty() ? Eigen::Vector2d(place.normal.y(), -place.normal.x())
                                              : Eigen::Vector2d(geometry.tangents[0].head<2>());
  }
}

bool are_connected(const PlanarPlaces& places, int a, int b) {
  if (places.of.empty()) return true;
  const PlanarPlaces::Place &first = places.of[a], &second = places.of[b];
  for (const int body : {first.body_a, first.body_b})
    if (body >= 0 && touches(second, body)) return true;
  return false;
}

void close_event(const ImpactProblem& problem, const PlanarPlaces& places, ClosureRule rule,
                 std::span<const int> members, ClosureRows& closure) {
  const int n = static_cast<int>(members.size());
  closure.count = 0;
  if (n < 2) return;
  // Each contact adds at most one row per body that it touches.
  if (closure.rows.rows() < 2 * n || closure.rows.cols() < 2 * n) closure.rows.resize(2 * n, 2 * n);
  for (int j = 1; j < n; ++j) {
    const PlanarPlaces::Place& place = places.of[members[j]];
    for (const int body : {place.body_a, place.body_b}) {
      if (body < 0) continue;
      int i = 0;  // the first member of the body
      while (!touches(places.of[members[i]], body)) ++i;
      if (i == j) continue;
      const Push first = push_on(places.of[members[i]], body), second = push_on(place, body);
      const Eigen::Vector2d d = (first.point - second.point).normalized();
      add_row(first, second, i, j,
              is_rough(problem, members[i], first.tangent.dot(d)) ||
                  is_rough(problem, members[j], second.tangent.dot(d)),
              rule, closure);
    }
  }
}

void close_event(const std::vector<std::vector<double>>& given, std::span<const int> members,
                 ClosureRows& closure) {
  const int n = static_cast<int>(members.size()), rows = static_cast<int>(given.size());
  closure.count = 0;
  if (closure.rows.rows() < rows || closure.rows.cols() < 2 * n) closure.rows.resize(rows, 2 * n);
  for (const std::vector<double>& row : given) {
    double inside = 0.0, all = 0.0;
    for (const double x : row) all += std::abs(x);
    for (int i = 0; i < n; ++i)
      for (int a = 0; a < 2; ++a) {
        closure.rows(closure.count, 2 * i + a) = row[2 * members[i] + a];
        inside += std::abs(row[2 * members[i] + a]);
      }
    if (inside == all && all > 0.0) ++closure.count;
  }
}

std::optional<MissingGeometry> missing_geometry(const ImpactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const std::string& name = problem.names[i];
    if (problem.geometry.empty() || problem.geometry[i].body_b.empty())
      return MissingGeometry{name, "bodies"};
    if (!problem.geometry[i].point) return MissingGeometry{name, "point"};
    if (!problem.geometry[i].normal) return MissingGeometry{name, "normal"};
  }
  return {};
}

std::optional<DuplicatePoint> duplicate_point(const ImpactProblem& problem) {
  double size = 0.0;
  for (const ContactGeometry& g : problem.geometry)
    size = std::max(size, g.point->lpNorm<Eigen::Infinity>());
  for (int j = 1; j < problem.contacts(); ++j)
    for (int i = 0; i < j; ++i) {
      const ContactGeometry &first = problem.geometry[i], &second = problem.geometry[j];
      if ((*first.point - *second.point).norm() > energetic_tolerances.coincident * size) continue;
      for (const std::string& body : {first.body_a, first.body_b})
        if (body != ground && (second.body_a == body || second.body_b == body))
          return DuplicatePoint{i, j, body};
    }
  return {};
}

}  // namespace clack
