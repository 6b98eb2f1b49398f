// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/spatial_distance.hpp"
#include "clack/mechanism/body_kinematics.hpp"

namespace clack {

/// Frame (t1, t2, n), right-handed, carried along from a start by the smallest rotation that takes
/// its normal to the present one. It depends on the present normal alone and is smooth as long as
/// that does not become the opposite of the one at the start.
///
///   t = t0 - (n . t0)/(1 + n0 . n) (n0 + n)
struct ContactFrame {
  Eigen::Vector3d start_normal = Eigen::Vector3d::UnitZ();
  Eigen::Matrix<double, 3, 2> start_tangents;

  /// t1 is the axis after the normal's largest component, made orthogonal: n = z has (x, y, z),
  /// n = y has (z, x, y), n = x has (y, z, x).
  explicit ContactFrame(const Eigen::Vector3d& normal = Eigen::Vector3d::UnitZ());
  Eigen::Matrix<double, 3, 2> tangents(const Eigen::Vector3d& normal) const;
  Eigen::Matrix<double, 3, 2> tangent_rates(const Eigen::Vector3d& normal,
                                            const Eigen::Vector3d& normal_rate) const;
};

/// Everything about a contact at an instant (docs/theories/newton.md, for all shapes). In the plane there is one
/// tangent, the normal turned by -90 degrees; the second components are then zero.
///
///   gap_rate = n . (v1 - v2),  slip = T^T (v1 - v2),   v: of the material points at the witnesses
///   bias = rate of these at dv/dt = 0, with the witnesses and the frame moving along
struct TouchMotion {
  double gap = 0.0, gap_rate = 0.0, gap_bias = 0.0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Eigen::Matrix<double, 3, 2> tangents = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Vector2d slip = Eigen::Vector2d::Zero(), slip_bias = Eigen::Vector2d::Zero();
  Eigen::Vector3d first_arm = Eigen::Vector3d::Zero();  // from the body's centre to its witness
  Eigen::Vector3d second_arm = Eigen::Vector3d::Zero();
};

/// What the two bodies bring into a contact; the sides live elsewhere (contact_sides.hpp).
struct ContactSides {
  BodyIndex first_body, second_body;
  const Side* first = nullptr;
  const Side* second = nullptr;
  bool has_border = false;  // a box takes part: its features end somewhere
};

/// Whether features of boxes reach beyond their borders as in touching_distance, and the gap rate at a border is
/// one-sided (`held`: contacts that may be closed), or the signed distance counts (`free`).
enum class Reach { free, held };

/// The motion of a pair of witnesses: p1' , p2', n'. With w_i the surface motions (see
/// LocalSurface; P = slide, Q = turn on the tangent plane), s the slip and o_i = T^T (spin_i x n):
///
///   Q1 w1 + Q2 w2 = o1 - o2                      both surfaces keep one common normal
///   P1 w1 - P2 w2 + g Q1 w1 = g o1 - s           and p1 - p2 stays along it
///
/// Spheres give back  gap_bias = (|d'|^2 - gap_rate^2)/L.
TouchMotion spatial_touch(const ContactSides& sides, const ContactFrame& frame,
                          const BodyMotion& first, const BodyMotion& second, Reach reach);
/// The same with one tangent; P, Q, w, o are numbers.
TouchMotion planar_touch(const ContactSides& sides, const BodyMotion& first,
                         const BodyMotion& second);

/// How far a closed contact is from the border of its feature on a box, with the rate of that: its
/// sign changes where the contact comes to another feature. Constant where there is no box.
struct BorderMotion {
  double margin = 1.0, rate = 0.0;
  double band = 0.0;  // margins within +-band are at the border, m
  bool ends_at_border =
      false;  // beyond it the contact is none; otherwise it goes on, on the next feature

  /// Beyond the border of a feature that ends there.
  bool is_left() const { return ends_at_border && !(margin >= -band); }
};
BorderMotion border_motion(const ContactSides& sides, const BodyMotion& first,
                           const BodyMotion& second);

}  // namespace clack
