// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "clack/complementarity/friction_problem.hpp"
#include "clack/index.hpp"

/// Equal spheres on a plane between four upright walls: their contacts, and the sparse friction
/// problem of one time step. The walls keep the pile together, because Coulomb's law has no rolling
/// resistance and free spheres would roll off for ever. A sphere needs no orientation.
namespace clack::bench {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Spheres {
  double radius = 0.05, mass = 1.0, friction = 0.3;  // m, kg
  double width = 1.0;                                // of the square between the walls, m
  std::vector<Vector3d> position, velocity, spin;    // spin: angular velocity, rad/s

  int count() const { return number_of(position); }
  double inertia() const { return 0.4 * mass * radius * radius; }
  double kinetic_energy() const {
    double twice = 0.0;
    for (int b = 0; b < count(); ++b)
      twice += mass * velocity[b].squaredNorm() + inertia() * spin[b].squaredNorm();
    return 0.5 * twice;
  }
};

/// A number in [-1, 1] that depends on (sphere, axis) only (finaliser of MurmurHash3).
inline double scatter(std::uint64_t sphere, std::uint64_t axis) {
  std::uint64_t x = 3 * sphere + axis + 1;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return static_cast<double>((x ^ (x >> 33)) >> 11) * 0x1p-52 - 1.0;
}

/// `count` spheres at rest, layer upon layer of a loose grid with scattered places: nowhere
/// touching. The walls are as far apart as the settled pile is high, roughly.
inline Spheres loose_spheres(int count) {
  Spheres out;
  const double R = out.radius, loose = 2.5 * R;
  const int side = std::max(2, static_cast<int>(std::lround(0.85 * std::cbrt(count))));
  out.width = side * loose;
  for (int b = 0; b < count; ++b) {
    const Vector3d cell(b % side, b / side % side, b / (side * side));
    const Vector3d shift(scatter(b, 0), scatter(b, 1), scatter(b, 2));
    out.position.push_back((cell.array() + 0.5).matrix() * loose + 0.24 * R * shift);
  }
  out.velocity.assign(count, Vector3d::Zero());
  out.spin.assign(count, Vector3d::Zero());
  return out;
}

/// Contact of sphere `b` with sphere `a` < b, or with the floor (a = -1) or a wall (a = -2 ... -5).
/// Rows of `frame`: normal from a to b, two tangents, right-handed.
struct Touch {
  int a, b;
  double gap;  // m
  Matrix3d frame;
  Vector3d impulse = Vector3d::Zero();  // on b, in world axes, N s
};

inline Touch make_touch(int a, int b, double gap, const Vector3d& normal) {
  const Vector3d tangent = normal.unitOrthogonal();
  Touch out{a, b, gap, {}};
  out.frame << normal.transpose(), tangent.transpose(), normal.cross(tangent).transpose();
  return out;
}

/// Cells at least as wide as the reach of a contact; each holds a chain of the spheres in it.
class CellGrid {
 public:
  CellGrid(const Spheres& spheres, double cell) : cell_(cell), next_(spheres.count()) {
    Vector3d high = low_ = spheres.position.front();
    for (const Vector3d& x : spheres.position) {
      low_ = low_.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    size_ = place(high) + 1;
    head_.assign(size_.prod(), -1);
    for (int b = 0; b < spheres.count(); ++b)
      next_[b] = std::exchange(head_[index(place(spheres.position[b]))], b);
  }

  /// Every sphere in the 27 cells around x.
  template <class Visit>
  void around(const Vector3d& x, Visit visit) const {
    const Cell from = (place(x) - 1).max(0), to = (place(x) + 1).min(size_ - 1);
    for (int k = from(2); k <= to(2); ++k)
      for (int j = from(1); j <= to(1); ++j)
        for (int i = from(0); i <= to(0); ++i)
          for (int b = head_[index({i, j, k})]; b >= 0; b = next_[b]) visit(b);
  }

 private:
  using Cell = Eigen::Array3i;
  Cell place(const Vector3d& x) const { return ((x - low_) / cell_).array().cast<int>(); }
  int index(const Cell& c) const { return (c(2) * size_(1) + c(1)) * size_(0) + c(0); }

  double cell_;
  Vector3d low_;
  Cell size_;
  std::vector<int> head_, next_;
};

/// All contacts with a gap below the sum of the reaches of the two bodies (a plane has none),
/// ordered by (b, a).
inline std::vector<Touch> find_touches(const Spheres& s, const std::vector<double>& reach) {
  const double R = s.radius;
  const CellGrid grid(s, 2.0 * (R + *std::max_element(reach.begin(), reach.end())));
  std::vector<Touch> out;
  std::vector<int> below;
  for (int b = 0; b < s.count(); ++b) {
    const Vector3d& x = s.position[b];
    const std::array<double, 5> heights = {x(2), x(0), s.width - x(0), x(1), s.width - x(1)};
    const std::array<Vector3d, 5> inward = {Vector3d::UnitZ(), Vector3d::UnitX(),
                                            -Vector3d::UnitX(), Vector3d::UnitY(),
                                            -Vector3d::UnitY()};
    for (int k = 4; k >= 0; --k)
      if (heights[k] - R < reach[b])
        out.push_back(make_touch(-1 - k, b, heights[k] - R, inward[k]));
    below.clear();
    grid.around(x, [&](int a) {
      const double limit = 2.0 * R + reach[a] + reach[b];
      if (a < b && (x - s.position[a]).squaredNorm() < limit * limit) below.push_back(a);
    });
    std::sort(below.begin(), below.end());
    for (const int a : below) {
      const Vector3d between = x - s.position[a];
      const double distance = between.norm();
      out.push_back(make_touch(a, b, distance - 2.0 * R, between / distance));
    }
  }
  return out;
}

/// Contact velocity u = frame (v_b - v_a) + spin_arm (w_b + w_a): the arms of both spheres are
/// opposite, -R n and R n, and so are the signs of their velocities. Row of tangent t: -R n x t.
inline Matrix3d spin_arm(const Touch& c, double radius) {
  Matrix3d out;
  out << Vector3d::Zero().transpose(), -radius * c.frame.row(2), radius * c.frame.row(1);
  return out;
}

inline Vector3d touch_velocity(const Spheres& s, const Touch& c) {
  Vector3d v = s.velocity[c.b], w = s.spin[c.b];
  if (c.a >= 0) {
    v -= s.velocity[c.a];
    w += s.spin[c.a];
  }
  return c.frame * v + spin_arm(c, s.radius) * w;
}

/// J_c M^-1 J_d^T of two contacts: a term for every sphere that both touch.
inline Matrix3d delassus_block(const Spheres& s, const Touch& c, const Touch& d) {
  int along = 0, shared = 0;  // sums over shared spheres of the product of signs, and of 1
  for (const int x : {c.a, c.b})
    for (const int y : {d.a, d.b})
      if (x >= 0 && x == y) {
        along += (x == c.a) == (y == d.a) ? 1 : -1;
        ++shared;
      }
  return (along / s.mass) * c.frame * d.frame.transpose() +
         (shared / s.inertia()) * spin_arm(c, s.radius) * spin_arm(d, s.radius).transpose();
}

/// The part of an overlap that one step undoes; all of it at once would set a pile trembling.
constexpr double overlap_undone = 0.1;

/// The step's friction problem: W = J M^-1 J^T by 3 x 3 blocks of contacts that share a sphere, and
/// q = J v + (gap/h, 0), so that u_N >= 0 means: an open contact does not overlap at the end of the
/// step (to first order).
inline FrictionProblem pile_problem(const Spheres& s, const std::vector<Touch>& touches,
                                    double step) {
  const int nc = number_of(touches);
  std::vector<std::vector<int>> of_sphere(s.count());
  for (int i = 0; i < nc; ++i)
    for (const int b : {touches[i].a, touches[i].b})
      if (b >= 0) of_sphere[b].push_back(i);
  FrictionProblem out;
  out.mu = Eigen::VectorXd::Constant(nc, s.friction);
  out.q.resize(3 * nc);
  std::vector<int> row;
  for (int i = 0; i < nc; ++i) {
    const Touch& c = touches[i];
    out.q.segment<3>(3 * i) = touch_velocity(s, c);
    out.q(3 * i) += (c.gap < 0.0 ? overlap_undone : 1.0) * c.gap / step;
    row.clear();
    for (const int b : {c.a, c.b})
      if (b >= 0) row.insert(row.end(), of_sphere[b].begin(), of_sphere[b].end());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const int j : row) {
      const Matrix3d block = delassus_block(s, c, touches[j]);
      out.column.push_back(j);
      for (int e = 0; e < 9; ++e) out.values.push_back(block(e / 3, e % 3));
    }
    out.row_start.push_back(number_of(out.column));
  }
  return out;
}

/// v <- v + M^-1 J^T r; the reactions are kept with their contacts.
inline void apply_impulses(Spheres& s, std::vector<Touch>& touches,
                           const Eigen::VectorXd& reaction) {
  for (int i = 0; i < number_of(touches); ++i) {
    Touch& c = touches[i];
    const Vector3d r = reaction.segment<3>(3 * i);
    c.impulse = c.frame.transpose() * r;
    const Vector3d turn = spin_arm(c, s.radius).transpose() * r / s.inertia();
    s.velocity[c.b] += c.impulse / s.mass;
    s.spin[c.b] += turn;
    if (c.a < 0) continue;
    s.velocity[c.a] -= c.impulse / s.mass;
    s.spin[c.a] += turn;
  }
}

}  // namespace clack::bench
