// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "clack/complementarity/friction_cone.hpp"
#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

namespace {

enum class Weight { apparent_mass, one };

double scale_of(const FrictionProblem& p) {
  constexpr double smallest = 1e-250, largest = 1e250;  // squares between them lose nothing
  const double square = p.q.squaredNorm();
  const double size = square > smallest && square < largest ? std::sqrt(square)
                      : p.q.size() == 0                     ? 0.0
                                                            : p.q.stableNorm();
  return size > 0.0 ? size : 1.0;
}

// F of one contact, see friction_problem.hpp.
template <int D>
Eigen::Matrix<double, D, 1> natural_map(const FrictionProblem& p, int i, double w, const double* r,
                                        const double* u, double zero) {
  using Block = Eigen::Matrix<double, D, 1>;
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  const Block wr = w * Eigen::Map<const Block>(r);
  Block uh = Eigen::Map<const Block>(u);
  const double slip = tangential_length<D>(uh), offset = p.offset_of(i);
  if (p.is_sliding(i) || offset > 0.0) {
    Block F;
    F(0) = wr(0) - uh(0) >= 0.0 ? uh(0) : wr(0);
    const Tangent wr_T = wr.template tail<D - 1>();
    if (p.is_sliding(i)) {
      const Tangent e = p.direction.template segment<D - 1>((D - 1) * i);
      F.template tail<D - 1>() = wr_T + p.dynamic_mu_of(i) * wr(0) * e;
      return F;
    }
    const double radius = std::max(0.0, w * offset + p.mu[i] * wr(0));
    Tangent y = wr_T - uh.template tail<D - 1>();
    const double length = y.norm();
    if (length > radius) y *= radius / length;
    F.template tail<D - 1>() = length > radius ? Tangent(wr_T - y) : uh.template tail<D - 1>();
    return F;
  }
  const double mu = slip > zero ? p.dynamic_mu_of(i) : p.mu[i];
  uh(0) += mu * slip;
  const ConeProjection<D> projection = project_on_cone<D>(wr - uh, mu);
  switch (projection.region) {
    case ConeRegion::inside:
      return uh;
    case ConeRegion::polar:
      return wr;
    case ConeRegion::surface:
      break;
  }
  return wr - projection.point;
}

double weight_of(const FrictionProblem& p, int i, Weight weight) {
  if (weight == Weight::one) return 1.0;
  const double* block = p.diagonal_block(i);
  double w = 0.0;
  for (int a = 0; a < p.dimension; ++a) w += block[a * p.dimension + a];
  return w / p.dimension;
}

// |F_i|^2 of one contact.
double square_of_miss(const FrictionProblem& p, int i, Weight weight, const double* r,
                      const double* u, double zero) {
  const int d = p.dimension;
  const double w = weight_of(p, i, weight);
  return d == 2 ? natural_map<2>(p, i, w, r + d * i, u + d * i, zero).squaredNorm()
                : natural_map<3>(p, i, w, r + d * i, u + d * i, zero).squaredNorm();
}

double rounding_floor(const FrictionProblem& p, const double* r, double scale) {
  const int d = p.dimension;
  double squares = 0.0;
  for (int i = 0; i < p.contacts(); ++i)
    for (int a = 0; a < d; ++a) {
      double sum = std::abs(p.q(d * i + a));
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        for (int c = 0; c < d; ++c)
          sum += std::abs(p.values[(std::size_t(k) * d + a) * d + c] * r[p.column[k] * d + c]);
      squares += (sum / scale) * (sum / scale);
    }
  return std::numeric_limits<double>::epsilon() * std::sqrt(squares);
}

double zero_slip(const FrictionProblem& p) {
  return p.dynamic_mu.size() == 0 ? 0.0 : friction_tolerances.motion * p.motion_scale();
}

}  // namespace

FrictionResidual friction_residual(const FrictionProblem& p,
                                   const Eigen::Ref<const Eigen::VectorXd>& r,
                                   const Eigen::Ref<const Eigen::VectorXd>& u) {
  FrictionResidual out;
  if (p.contacts() == 0) return out;
  const double scale = scale_of(p), zero = zero_slip(p);
  out.is_absolute = p.q.isZero(0.0);
  double sum = 0.0, worst = -1.0;
  for (int i = 0; i < p.contacts(); ++i) {
    const double square = square_of_miss(p, i, Weight::apparent_mass, r.data(), u.data(), zero);
    sum += square;
    if (square <= worst || std::isnan(worst)) continue;
    worst = square;
    out.worst_contact = i;
  }
  out.worst = std::sqrt(worst) / scale;
  out.value = std::sqrt(sum) / scale;
  return out;
}

FrictionResidual friction_residual(const FrictionProblem& p,
                                   const Eigen::Ref<const Eigen::VectorXd>& r) {
  FrictionResidual out = friction_residual(p, r, contact_velocity(p, r));
  if (p.contacts() > 0) out.floor = rounding_floor(p, r.data(), scale_of(p));
  return out;
}

double plain_friction_residual(const FrictionProblem& p,
                               const Eigen::Ref<const Eigen::VectorXd>& r) {
  const Eigen::VectorXd u = contact_velocity(p, r);
  double sum = 0.0;
  for (int i = 0; i < p.contacts(); ++i)
    sum += square_of_miss(p, i, Weight::one, r.data(), u.data(), zero_slip(p));
  return std::sqrt(sum) / scale_of(p);
}

Eigen::VectorXd contact_residuals(const FrictionProblem& p,
                                  const Eigen::Ref<const Eigen::VectorXd>& r) {
  const Eigen::VectorXd u = contact_velocity(p, r);
  const double scale = scale_of(p), zero = zero_slip(p);
  Eigen::VectorXd out(p.contacts());
  for (int i = 0; i < p.contacts(); ++i)
    out(i) =
        std::sqrt(square_of_miss(p, i, Weight::apparent_mass, r.data(), u.data(), zero)) / scale;
  return out;
}

void certify(const FrictionProblem& p, double tolerance, FrictionResult& result) {
  result.velocity = contact_velocity(p, result.reaction);
  FrictionResidual residual = friction_residual(p, result.reaction, result.velocity);
  if (p.contacts() > 0) residual.floor = rounding_floor(p, result.reaction.data(), scale_of(p));
  result.residual = residual.value;
  result.worst = residual.worst;
  result.worst_contact = residual.worst_contact;
  const auto raise = [&](const char* flag) {
    if (!result.has_flag(flag)) result.flags.emplace_back(flag);
  };
  if (residual.is_absolute && p.contacts() > 0) raise("absolute-residual");
  const bool is_solved = residual.value <= tolerance;
  const bool is_at_floor = residual.value <= friction_tolerances.floor_factor * residual.floor;
  if (is_at_floor && !is_solved) raise("rounding-limit");
  if (is_solved || is_at_floor)
    result.status = SolveStatus::solved;
  else if (has_answer(result.status))
    result.status = SolveStatus::not_converged;
}

std::vector<ContactStatus> contact_statuses(const FrictionProblem& p, const FrictionResult& result,
                                            double tolerance) {
  const int d = p.dimension;
  const double zero = tolerance * scale_of(p);
  std::vector<ContactStatus> statuses;
  for (int i = 0; i < p.contacts(); ++i) {
    const double w = weight_of(p, i, Weight::apparent_mass);
    const bool is_open = w * result.reaction.segment(d * i, d).norm() <= zero;
    const bool is_still = result.velocity.segment(d * i, d).norm() <= zero;
    statuses.push_back(is_open    ? ContactStatus::open
                       : is_still ? ContactStatus::stick
                                  : ContactStatus::slip);
  }
  return statuses;
}

}  // namespace clack
