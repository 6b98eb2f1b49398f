// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/feet.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/geometry/tolerances.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/body_kinematics.hpp"
#include "clack/model/path_patch.hpp"
#include "clack/model/rotation.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

constexpr double unknown_rate = std::numeric_limits<double>::quiet_NaN();
constexpr int numbers_per_foot = 3 + 3 + 9;  // c, then its frame: position and rotation

}  // namespace

Feet::Feet(const Model& model, const MotionSymbols& motion) : model_(model) {
  std::vector<Expression> outputs;
  for (const Foot& foot : model.feet) {
    const Path& path = model.paths[foot.path];
    // The side of the normal: a curve in space has none, its gap is the distance.
    feet_.push_back({foot.source, foot.coordinates, foot.radius, path.known_from, foot.has_speed,
                     model.dimension == 3 && path.parameters == 1, patch_of(path)});
    outputs.insert(outputs.end(), foot.centre.begin(), foot.centre.end());
    outputs.insert(outputs.end(), path.position.begin(), path.position.end());
    const std::vector<RotationStep> steps =
        model.dimension == 2 ? std::vector<RotationStep>{Turn{2, path.angle}} : path.rotation;
    for (const SpatialVector& row : rotation_matrix(*model.graph, steps))
      outputs.insert(outputs.end(), row.begin(), row.end());
  }
  places_ = symbolic::Program(motion.inputs(), outputs);
  values_.resize(outputs.size());
}

std::optional<FootIndex> Feet::of_source(SourceIndex source) const {
  for (const FootIndex foot : indices(feet_))
    if (feet_[foot].source == source) return foot;
  return std::nullopt;
}

void Feet::load(const double* inputs) {
  time_ = inputs[0];
  places_(inputs, values_.data());
}

bool Feet::rests(FootIndex foot, const double* q) const {
  const Piece& piece = feet_[foot];
  for (int k = 0; k < piece.patch.parameters(); ++k) {
    if (piece.patch.is_closed(k) && !piece.has_speed) continue;
    const double s = q[piece.coordinates[k]], from = piece.patch.from(k), to = piece.patch.to(k);
    if (piece.has_speed ? !(from < s && s < to) : s == from || s == to) return true;
  }
  return false;
}

void Feet::hold(const double* q, double* rates) const {
  for (const FootIndex foot : indices(feet_)) {
    const Piece& piece = feet_[foot];
    if (piece.has_speed || !rests(foot, q)) continue;
    for (int k = 0; k < piece.patch.parameters(); ++k) rates[piece.coordinates[k]] = 0.0;
  }
}

Vector3d Feet::centre(FootIndex foot) const {
  return vector_at(values_.data() + foot.value * numbers_per_foot);
}

std::array<double, 2> Feet::parameters(FootIndex foot, const double* q) const {
  const Piece& piece = feet_[foot];
  std::array<double, 2> s{};
  for (int k = 0; k < piece.patch.parameters(); ++k) s[k] = q[piece.coordinates[k]];
  return s;
}

void Feet::place(FootIndex foot, const std::array<double, 2>& s, double* q) const {
  const Piece& piece = feet_[foot];
  for (int k = 0; k < piece.patch.parameters(); ++k) q[piece.coordinates[k]] = s[k];
}

std::array<double, 2> Feet::inside(FootIndex foot, std::array<double, 2> s) const {
  const Piece& piece = feet_[foot];
  for (int k = 0; k < piece.patch.parameters(); ++k) {
    const double from = piece.patch.from(k), to = piece.patch.to(k);
    s[k] = std::clamp(s[k], std::nextafter(from, to), std::nextafter(to, from));
  }
  return s;
}

PatchPoint Feet::at(FootIndex foot, const double* q) const {
  return feet_[foot].patch.point(parameters(foot, q).data());
}

std::vector<PatchFoot> Feet::minima(FootIndex foot) const {
  return FootSearch(feet_[foot].patch).minima(centre(foot));
}

PatchFoot Feet::polished(FootIndex foot, const double* q) const {
  return FootSearch(feet_[foot].patch).descend(centre(foot), parameters(foot, q));
}

double Feet::gap_at(FootIndex foot, const std::array<double, 2>& s) const {
  const PatchPoint p = feet_[foot].patch.point(s.data());
  return (centre(foot) - p.at).dot(normal_at(foot, p)) - feet_[foot].radius;
}

Vector3d Feet::normal_at(FootIndex foot, const PatchPoint& p) const {
  const Piece& piece = feet_[foot];
  if (piece.is_two_sided) return (centre(foot) - p.at).normalized();
  if (piece.patch.parameters() == 2) return p.first[0].cross(p.first[1]).normalized();
  return Vector3d(p.first[0].y(), -p.first[0].x(), 0.0).normalized();
}

double Feet::distance(FootIndex foot, const double* q) const {
  return (centre(foot) - at(foot, q).at).norm() - feet_[foot].radius;
}

Vector3d Feet::in_world(FootIndex foot, const Vector3d& direction) const {
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(values_.data() + foot.value * numbers_per_foot + 6) * direction;
}

Vector3d Feet::world_point(FootIndex foot, const double* q) const {
  return vector_at(values_.data() + foot.value * numbers_per_foot + 3) +
         in_world(foot, at(foot, q).at);
}

Vector3d Feet::world_normal(FootIndex foot, const double* q) const {
  return in_world(foot, normal_at(foot, at(foot, q)));
}

std::optional<PatchFoot> Feet::other(FootIndex foot, const double* q) const {
  const FootSearch search(feet_[foot].patch);
  const PatchFoot own = search.descend(centre(foot), parameters(foot, q));
  const double behind = -closest_point_tolerances.overlap * size(foot);
  for (const PatchFoot& minimum : search.minima(centre(foot)))
    if (!search.is_same(minimum, own) && gap_at(foot, minimum.s) >= behind) return minimum;
  return std::nullopt;
}

std::vector<FootLimit> Feet::limits(FootIndex foot, const double* q) const {
  const Piece& piece = feet_[foot];
  if (rests(foot, q)) {
    if (time_ < piece.known_from) return {};
    return {FootLimit::returns};
  }
  std::vector<FootLimit> found{FootLimit::begin, FootLimit::end};
  if (piece.patch.parameters() == 2)
    found.insert(found.end(), {FootLimit::begin_2, FootLimit::end_2});
  if (!piece.has_speed) found.push_back(FootLimit::nearer);
  found.push_back(FootLimit::regular);
  return found;
}

Feet::Value Feet::to_end(FootIndex foot, int k, bool is_end, const double* q,
                         const double* rates) const {
  const Piece& piece = feet_[foot];
  const double sign = is_end ? -1.0 : 1.0, stretch = sign * piece.patch.stretch(k);
  const double bound = is_end ? piece.patch.to(k) : piece.patch.from(k);
  double drift = 0.0;  // of the foot from its minimum: a Newton step
  if (!piece.has_speed) {
    const FootForm form = foot_form(piece.patch.parameters(), at(foot, q), centre(foot));
    drift = (form.H.inverse() * form.F)[k];
  }
  return {stretch * (q[piece.coordinates[k]] + drift - bound),
          stretch * rates[piece.coordinates[k]]};
}

/// What rests goes on where the nearest point is no end any more and on the free side.
double Feet::rest(FootIndex foot) const {
  const Piece& piece = feet_[foot];
  const std::vector<PatchFoot> found = minima(foot);
  if (found.empty()) return piece.patch.size();
  const PatchFoot& nearest = found[0];
  if (nearest.is_at_end) return std::max(nearest.outward, 0.0);
  const double gap = gap_at(foot, nearest.s);
  if (gap < -closest_point_tolerances.overlap * piece.patch.size()) return -gap;
  double margin = std::numeric_limits<double>::infinity();
  for (int k = 0; k < piece.patch.parameters(); ++k)
    margin = std::min(margin, piece.patch.stretch(k) * std::min(nearest.s[k] - piece.patch.from(k),
                                                                piece.patch.to(k) - nearest.s[k]));
  return -margin;
}

Feet::Value Feet::limit(FootIndex foot, FootLimit limit, const double* q,
                        const double* rates) const {
  const Piece& piece = feet_[foot];
  switch (limit) {
    case FootLimit::begin:
      return to_end(foot, 0, false, q, rates);
    case FootLimit::end:
      return to_end(foot, 0, true, q, rates);
    case FootLimit::begin_2:
      return to_end(foot, 1, false, q, rates);
    case FootLimit::end_2:
      return to_end(foot, 1, true, q, rates);
    case FootLimit::nearer: {
      const auto next = other(foot, q);
      return {next ? next->distance - (centre(foot) - at(foot, q).at).norm() : piece.patch.size(),
              unknown_rate};
    }
    case FootLimit::regular:
      return {foot_form(piece.patch.parameters(), at(foot, q), centre(foot)).regularity -
                  closest_point_tolerances.regular,
              unknown_rate};
    case FootLimit::returns: {
      if (!piece.has_speed) return {rest(foot), unknown_rate};
      Value farthest{-std::numeric_limits<double>::infinity(), 0.0};
      for (int k = 0; k < piece.patch.parameters(); ++k)
        for (const bool is_end : {false, true}) {
          const Value inside = to_end(foot, k, is_end, q, rates);
          if (-inside.value > farthest.value) farthest = {-inside.value, -inside.rate};
        }
      return farthest;
    }
  }
  return {};
}

}  // namespace clack
