// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_scaled.hpp"

#include "clack/complementarity/friction_cone.hpp"

namespace clack {

ScaledFriction scale_friction_problem(const FrictionProblem& problem) {
  ScaledFriction out;
  out.problem = problem;
  FrictionProblem& p = out.problem;
  const int d = p.dimension;
  out.root = inverse_apparent_mass(problem).cwiseSqrt();
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int e = 0; e < d * d; ++e)
        p.values[std::size_t(k) * d * d + e] /= out.root(i) * out.root(p.column[k]);
  for (int i = 0; i < p.contacts(); ++i) p.q.segment(d * i, d) /= out.root(i);
  const double length = p.q.size() == 0 ? 0.0 : p.q.stableNorm();
  out.magnitude = length > 0.0 ? length : 1.0;
  p.q /= out.magnitude;
  for (int i = 0; i < p.offset.size(); ++i) p.offset[i] *= out.root(i) / out.magnitude;
  const double original = problem.q.size() == 0 ? 0.0 : problem.q.stableNorm();
  out.q_norm = original > 0.0 ? original / out.magnitude : 1.0;
  return out;
}

Eigen::VectorXd to_scaled(const ScaledFriction& s, const Eigen::Ref<const Eigen::VectorXd>& r) {
  Eigen::VectorXd out = r;
  const int d = s.problem.dimension;
  for (int i = 0; i < s.problem.contacts(); ++i) out.segment(d * i, d) *= s.root(i) / s.magnitude;
  return out;
}

Eigen::VectorXd from_scaled(const ScaledFriction& s, const Eigen::Ref<const Eigen::VectorXd>& r) {
  Eigen::VectorXd out = r;
  const int d = s.problem.dimension;
  for (int i = 0; i < s.problem.contacts(); ++i) out.segment(d * i, d) *= s.magnitude / s.root(i);
  return out;
}

namespace {

template <int D>
double residual(const ScaledFriction& s, const Eigen::Ref<const Eigen::VectorXd>& r,
                bool is_coulomb) {
  using Block = Eigen::Matrix<double, D, 1>;
  const FrictionProblem& p = s.problem;
  const Eigen::VectorXd u = contact_velocity(p, r);
  double sum = 0.0;
  for (int i = 0; i < p.contacts(); ++i) {
    const Block ri = r.template segment<D>(D * i);
    Block uh = u.template segment<D>(D * i);
    if (is_coulomb) uh(0) += p.mu(i) * tangential_length<D>(uh);
    const ConeProjection<D> projection = project_on_cone<D>(ri - uh, p.mu(i));
    const Block F = projection.region == ConeRegion::inside  ? uh
                    : projection.region == ConeRegion::polar ? ri
                                                             : Block(ri - projection.point);
    sum += s.root(i) * s.root(i) * F.squaredNorm();
  }
  return std::sqrt(sum) / s.q_norm;
}

}  // namespace

double scaled_residual(const ScaledFriction& s, const Eigen::Ref<const Eigen::VectorXd>& r,
                       bool is_coulomb) {
  if (s.problem.contacts() == 0) return 0.0;
  return s.problem.dimension == 2 ? residual<2>(s, r, is_coulomb) : residual<3>(s, r, is_coulomb);
}

}  // namespace clack
