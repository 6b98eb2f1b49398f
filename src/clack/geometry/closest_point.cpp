// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/closest_point.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

double half_squared(const PatchPoint& point, const Vector3d& centre) {
  return 0.5 * (centre - point.at).squaredNorm();
}

/// The smallest eigenvalue of H in parts of the metric is positive.
bool is_positive(const FootForm& form, int parameters) {
  if (parameters == 1) return form.H(0, 0) > 0.0;
  return form.H(0, 0) > 0.0 && form.H.determinant() > 0.0;
}

/// The Newton step where H is definite, else the one that the metric gives; parameters in `is_held` stay.
Vector2d step_of(const FootForm& form, int parameters, const std::array<bool, 2>& is_held) {
  Matrix2d matrix = is_positive(form, parameters) ? form.H : form.metric;
  Vector2d right = form.F;
  for (int k = 0; k < 2; ++k)
    if (k >= parameters || is_held[k]) {
      matrix.row(k).setZero();
      matrix.col(k).setZero();
      matrix(k, k) = 1.0;
      right[k] = 0.0;
    }
  return matrix.inverse() * right;
}

}  // namespace

Patch::Patch(int parameters, const std::array<double, 2>& from, const std::array<double, 2>& to,
             Evaluate evaluate)
    : parameters_(parameters),
      nodes_(parameters == 1 ? closest_point_tolerances.curve_samples
                             : closest_point_tolerances.surface_samples),
      from_(from),
      to_(to),
      evaluate_(std::move(evaluate)) {
  examine();
}

PatchPoint Patch::point(const double* s) const {
  PatchPoint point;
  for (Vector3d& v : point.first) v.setZero();
  for (Vector3d& v : point.second) v.setZero();
  evaluate_(s, point);
  return point;
}

std::array<double, 2> Patch::sample_at(int i, int j) const {
  const auto along = [&](int k, int node) {
    return node == nodes(k) - 1 && k < parameters_
               ? to_[k]
               : from_[k] + range(k) * node / std::max(1, nodes(k) - 1);
  };
  return {along(0, i), parameters_ == 2 ? along(1, j) : 0.0};
}

void Patch::examine() {
  Vector3d least = Vector3d::Constant(std::numeric_limits<double>::infinity()), most = -least;
  for (int j = 0; j < nodes(1); ++j)
    for (int i = 0; i < nodes(0); ++i) {
      const PatchPoint p = point(sample_at(i, j).data());
      samples_.push_back(p.at);
      least = least.cwiseMin(p.at);
      most = most.cwiseMax(p.at);
      for (int k = 0; k < parameters_; ++k)
        stretch_[k] += p.first[k].norm() / (nodes(0) * nodes(1));
    }
  size_ = (most - least).norm();
  for (int k = 0; k < parameters_; ++k) {
    bool is_closed = true;
    for (int other = 0; other < nodes(1 - k) && is_closed; ++other) {
      const auto at = [&](int node) {
        return point((k == 0 ? sample_at(node, other) : sample_at(other, node)).data());
      };
      const PatchPoint begin = at(0), end = at(nodes(k) - 1);
      const double same = closest_point_tolerances.closed;
      is_closed = (begin.at - end.at).norm() <= same * size_ &&
                  (begin.first[k] - end.first[k]).norm() <= same * begin.first[k].norm();
    }
    is_closed_[k] = is_closed;
  }
}

Patch::Weakest Patch::weakest() const {
  Weakest weakest{{}, std::numeric_limits<double>::infinity()};
  for (int j = 0; j < nodes(1); ++j)
    for (int i = 0; i < nodes(0); ++i) {
      const auto s = sample_at(i, j);
      const PatchPoint p = point(s.data());
      const double tangent =
          parameters_ == 1
              ? p.first[0].norm() * std::abs(range(0))
              : std::sqrt(p.first[0].cross(p.first[1]).norm() * std::abs(range(0) * range(1)));
      if (tangent < weakest.tangent * size_ || !std::isfinite(tangent))
        weakest = {s, std::isfinite(tangent) ? tangent / size_ : 0.0};
    }
  return weakest;
}

FootForm foot_form(int parameters, const PatchPoint& p, const Vector3d& centre) {
  FootForm form;
  const Vector3d d = centre - p.at;
  for (int i = 0; i < parameters; ++i) {
    form.F[i] = d.dot(p.first[i]);
    for (int j = 0; j < parameters; ++j) {
      form.metric(i, j) = p.first[i].dot(p.first[j]);
      form.H(i, j) = form.metric(i, j) - d.dot(p.second[i + j]);
    }
  }
  form.regularity = form.H.determinant() / form.metric.determinant();
  return form;
}

/// Projected Newton: 1. parameters at an end towards whose outside the distance falls are held, 2. a step of the others,
/// 3. halved until the distance does not grow, 4. until it is rounding. A closed parameter goes on through its seam.
PatchFoot FootSearch::descend(const Vector3d& centre, std::array<double, 2> s) const {
  const int n = patch_.parameters();
  const ClosestPointTolerances& tol = closest_point_tolerances;
  const auto inside = [&](std::array<double, 2> at) {
    for (int k = 0; k < n; ++k) {
      if (patch_.is_closed(k) && at[k] < patch_.from(k)) at[k] += patch_.range(k);
      if (patch_.is_closed(k) && at[k] > patch_.to(k)) at[k] -= patch_.range(k);
      at[k] = std::clamp(at[k], patch_.from(k), patch_.to(k));
    }
    return at;
  };
  PatchPoint point = patch_.point(s.data());
  double value = half_squared(point, centre);
  for (int pass = 0; pass < tol.newton_steps; ++pass) {
    const FootForm form = foot_form(n, point, centre);
    std::array<bool, 2> is_held{};
    for (int k = 0; k < n; ++k)
      is_held[k] = !patch_.is_closed(k) && ((s[k] <= patch_.from(k) && form.F[k] <= 0.0) ||
                                            (s[k] >= patch_.to(k) && form.F[k] >= 0.0));
    Vector2d step = step_of(form, n, is_held);
    for (
        int k = 0; k < n;
        ++k) {  // what a coupled step would push through an end waits there for the other parameter
      const bool is_through = !patch_.is_closed(k) && ((s[k] <= patch_.from(k) && step[k] < 0.0) ||
                                                       (s[k] >= patch_.to(k) && step[k] > 0.0));
      if (is_held[k] || !is_through) continue;
      is_held[k] = true;
      step = step_of(form, n, is_held);
    }
    for (int k = 0; k < n; ++k)  // no farther than a sample or so
      step *= std::min(1.0, tol.longest_step * patch_.range(k) /
                                (patch_.nodes(k) *
                                 std::max(std::abs(step[k]), std::numeric_limits<double>::min())));
    bool has_moved = false;
    for (double part = 1.0; part > tol.shortest_part && !has_moved; part *= 0.5) {
      const auto next = inside({s[0] + part * step[0], s[1] + part * step[1]});
      const PatchPoint there = patch_.point(next.data());
      const double lower = half_squared(there, centre);
      if (next == s) break;
      // At the last digits the value does not tell any more: a full step is taken where it is small.
      const bool is_last = part == 1.0 && lower <= value * (1.0 + tol.rounding) &&
                           std::abs(step[0]) <= tol.small_step * patch_.range(0) &&
                           (n == 1 || std::abs(step[1]) <= tol.small_step * patch_.range(1));
      if (!(lower < value) && !is_last) continue;
      has_moved = true;
      s = next;
      point = there;
      value = lower;
    }
    const bool is_small = std::abs(step[0]) <= tol.last_step * patch_.range(0) &&
                          (n == 1 || std::abs(step[1]) <= tol.last_step * patch_.range(1));
    if (!has_moved || is_small) break;
  }
  return foot_at(centre, s, point);
}

/// A place where a search ended, and how it is there.
PatchFoot FootSearch::foot_at(const Vector3d& centre, const std::array<double, 2>& s,
                              const PatchPoint& point) const {
  const int n = patch_.parameters();
  PatchFoot foot{.s = s, .distance = (centre - point.at).norm()};
  const FootForm form = foot_form(n, point, centre);
  foot.outward = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < n; ++k) {
    const bool is_begin = s[k] <= patch_.from(k), is_end = s[k] >= patch_.to(k);
    if ((!is_begin && !is_end) || patch_.is_closed(k)) continue;
    foot.is_at_end = true;
    foot.outward =
        std::max(foot.outward, (is_end ? form.F[k] : -form.F[k]) / std::sqrt(form.metric(k, k)));
  }
  if (!foot.is_at_end) foot.outward = 0.0;
  return foot;
}

std::vector<PatchFoot> FootSearch::minima(const Vector3d& centre) const {
  const int n0 = patch_.nodes(0), n1 = patch_.nodes(1);
  std::vector<double> squared;
  squared.reserve(patch_.samples_.size());
  for (const Vector3d& p : patch_.samples_) squared.push_back((centre - p).squaredNorm());
  const auto around = [&](int k, int node, int step) {  // -1: there is none
    const int count = patch_.nodes(k), next = node + step;
    if (next >= 0 && next < count) return next;
    if (!patch_.is_closed(k) || count == 1) return -1;
    return next < 0 ? count - 2 : 1;  // the first and the last node are the same point
  };
  std::vector<PatchFoot> found;
  for (int j = 0; j < n1; ++j)
    for (int i = 0; i < n0; ++i) {
      const double own = squared[j * n0 + i];
      bool is_lowest = true;
      for (int a = -1; a <= 1 && is_lowest; ++a)
        for (int b = -1; b <= 1 && is_lowest; ++b) {
          const int x = around(0, i, a), y = around(1, j, b);
          if (x >= 0 && y >= 0) is_lowest = own <= squared[y * n0 + x];
        }
      if (!is_lowest) continue;
      const PatchFoot foot = descend(centre, patch_.sample_at(i, j));
      const bool is_known =
          std::ranges::any_of(found, [&](const PatchFoot& f) { return is_same(f, foot); });
      if (!is_known) found.push_back(foot);
    }
  std::ranges::stable_sort(found, {}, &PatchFoot::distance);
  return found;
}

bool FootSearch::is_same(const PatchFoot& a, const PatchFoot& b) const {
  for (int k = 0; k < patch_.parameters(); ++k) {
    double apart = std::abs(a.s[k] - b.s[k]) / patch_.range(k);
    if (patch_.is_closed(k)) apart = std::min(apart, 1.0 - apart);
    if (!(apart <= closest_point_tolerances.same_foot)) return false;
  }
  return true;
}

}  // namespace clack
