// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_newton.hpp"

#include <Eigen/SparseLU>
#include <chrono>

#include "clack/complementarity/friction_cone.hpp"
#include "clack/complementarity/friction_scaled.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

namespace {

// The non-smooth map of one proximal step and its blockwise derivative  dF_i = A_i dr_i + B_i du_i.
template <int D>
struct NonsmoothMap {
  using Block = Eigen::Matrix<double, D, D>;
  Eigen::VectorXd F;
  std::vector<Block> A, B;
  std::vector<char> is_open;
};

// Alart and Curnier (1991), x = r_N - rho u_N, z = r_T - rho u_T:  F_N = u_N (x > 0) or r_N;  F_T =
// r_T - proj(z) on the disk of radius offset + mu max(0, x). Rows that are rho u are divided by rho.
template <int D>
void alart_curnier(const Eigen::Matrix<double, D, 1>& r, const Eigen::Matrix<double, D, 1>& u,
                   double mu, double offset, double rho, int i, NonsmoothMap<D>& map) {
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  auto& A = map.A[i];
  auto& B = map.B[i];
  auto F = map.F.template segment<D>(D * i);
  const double x = r(0) - rho * u(0);
  const Tangent z = (r - rho * u).template tail<D - 1>();
  A.setZero();
  B.setZero();
  const bool is_apart = x <= 0.0;
  map.is_open[i] = is_apart && offset == 0.0;
  if (map.is_open[i]) {
    A.setIdentity();
    F = r;
    return;
  }
  const double length = z.norm(), radius = offset + (is_apart ? 0.0 : mu * x);
  if (length <= radius) B.setIdentity();
  B(0, 0) = is_apart ? 0.0 : 1.0;
  A(0, 0) = is_apart ? 1.0 : 0.0;
  F = u;
  if (is_apart) F(0) = r(0);
  if (length <= radius) return;
  const Tangent n = z / length;
  F.template tail<D - 1>() = r.template tail<D - 1>() - radius * n;
  const Eigen::Matrix<double, D - 1, D - 1> turn =
      (radius / length) * (Eigen::Matrix<double, D - 1, D - 1>::Identity() - n * n.transpose());
  A.template bottomRightCorner<D - 1, D - 1>() =
      Eigen::Matrix<double, D - 1, D - 1>::Identity() - turn;
  B.template bottomRightCorner<D - 1, D - 1>() = rho * turn;
  if (is_apart) return;
  A.template bottomLeftCorner<D - 1, 1>() = -mu * n;
  B.template bottomLeftCorner<D - 1, 1>() = rho * mu * n;
}

// Natural map  F = r - P_K(r - u)  of the relaxed law.
template <int D>
void natural(const Eigen::Matrix<double, D, 1>& r, const Eigen::Matrix<double, D, 1>& u, double mu,
             int i, NonsmoothMap<D>& map) {
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  auto& B = map.B[i];
  auto F = map.F.template segment<D>(D * i);
  const Eigen::Matrix<double, D, 1> y = r - u;
  const ConeProjection<D> p = project_on_cone<D>(y, mu);
  map.is_open[i] = p.region == ConeRegion::polar;
  switch (p.region) {
    case ConeRegion::inside:
      B.setIdentity();
      F = u;
      break;
    case ConeRegion::polar:
      B.setZero();
      F = r;
      break;
    case ConeRegion::surface: {
      const double length = y.template tail<D - 1>().norm();
      const Tangent n = length > 0.0 ? Tangent(y.template tail<D - 1>() / length) : Tangent::Zero();
      Eigen::Matrix<double, D, 1> along;
      along(0) = 1.0;
      along.template tail<D - 1>() = mu * n;
      B = along * along.transpose() / (1.0 + mu * mu);
      if (length > 0.0)
        B.template bottomRightCorner<D - 1, D - 1>() +=
            (mu * p.point(0) / length) *
            (Eigen::Matrix<double, D - 1, D - 1>::Identity() - n * n.transpose());
      F = r - p.point;
      break;
    }
  }
  map.A[i] = NonsmoothMap<D>::Block::Identity() - B;
}

template <int D>
class ProximalNewton {
 public:
  ProximalNewton(const FrictionProblem& problem, const FrictionNewtonOptions& options)
      : original_(problem), scaled_(scale_friction_problem(problem)), options_(options) {
    const int nc = scaled_.problem.contacts();
    map_.F.resize(D * nc);
    map_.A.resize(nc);
    map_.B.resize(nc);
    map_.is_open.resize(nc);
  }

  FrictionResult run();

 private:
  using Vector = Eigen::VectorXd;
  using Block = Eigen::Matrix<double, D, D>;

  void evaluate(const Vector& r, const Vector& center, double a) {
    u_ = contact_velocity(scaled_.problem, r) + a * (r - center);
    for (int i = 0; i < scaled_.problem.contacts(); ++i) {
      const Eigen::Matrix<double, D, 1> ri = r.segment<D>(D * i), ui = u_.segment<D>(D * i);
      if (options_.law == FrictionLaw::coulomb)
        alart_curnier<D>(ri, ui, scaled_.problem.mu(i), scaled_.problem.offset_of(i), rho_, i,
                         map_);
      else
        natural<D>(ri, ui, scaled_.problem.mu(i), i, map_);
    }
  }
  bool newton_direction(double a, Vector& direction);
  bool proximal_step(const Vector& center, double a, Vector& r);
  void extragradient(Vector& r);
  bool has_offset() const { return original_.offset.size() > 0; }
  double residual(const Vector& r) const {
    if (has_offset()) return friction_residual(original_, from_scaled(scaled_, r)).value;
    return scaled_residual(scaled_, r, options_.law == FrictionLaw::coulomb);
  }
  void proximal_point(Vector r);
  bool is_moving() const;
  bool is_over_limit() const { return newton_steps_ >= options_.newton_limit; }
  bool is_at_rounding_floor() const {
    if (best_residual_ > second_order_tolerances.floor_look || options_.law == FrictionLaw::relaxed)
      return false;
    const FrictionResidual residual = friction_residual(original_, from_scaled(scaled_, best_));
    return residual.value <= friction_tolerances.stop_factor * residual.floor;
  }
  void remember(const Vector& r) {
    const double value = residual(r);
    if (value < best_residual_) {
      best_residual_ = value;
      best_ = r;
    }
  }

  const FrictionProblem& original_;
  ScaledFriction scaled_;
  FrictionNewtonOptions options_;
  NonsmoothMap<D> map_;
  Vector u_, best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  double rho_ = second_order_tolerances.rho;
  long newton_steps_ = 0, iterations_ = 0;
  Eigen::SparseMatrix<double> jacobian_;  // transposed: its columns are the rows of J
  std::vector<char> pattern_;             // is_open of the analysed pattern
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu_;
};

// J = A + B (W + a I), row by row; rows of open contacts are unit rows.
template <int D>
bool ProximalNewton<D>::newton_direction(double a, Vector& direction) {
  const FrictionProblem& p = scaled_.problem;
  const int n = D * p.contacts();
  const bool is_new_pattern = pattern_ != map_.is_open;
  if (is_new_pattern) {
    std::size_t entries = 0;
    for (int i = 0; i < p.contacts(); ++i)
      entries += map_.is_open[i] ? D : std::size_t(p.row_start[i + 1] - p.row_start[i]) * D * D;
    jacobian_.resize(n, n);
    jacobian_.resizeNonZeros(entries);
  }
  int* outer = jacobian_.outerIndexPtr();
  int* inner = jacobian_.innerIndexPtr();
  double* value = jacobian_.valuePtr();
  int at = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    if (map_.is_open[i]) {
      for (int row = 0; row < D; ++row) {
        outer[D * i + row] = at;
        inner[at] = D * i + row;
        value[at++] = 1.0;
      }
      continue;
    }
    const int blocks = p.row_start[i + 1] - p.row_start[i];
    for (int k = 0; k < blocks; ++k) {
      const int block = p.row_start[i] + k, j = p.column[block];
      Block product = map_.B[i] * Eigen::Map<const Eigen::Matrix<double, D, D, Eigen::RowMajor>>(
                                      p.values.data() + std::size_t(block) * D * D);
      if (j == i) product += map_.A[i] + a * map_.B[i];
      for (int row = 0; row < D; ++row)
        for (int col = 0; col < D; ++col) {
          inner[at + (row * blocks + k) * D + col] = D * j + col;
          value[at + (row * blocks + k) * D + col] = product(row, col);
        }
    }
    for (int row = 0; row < D; ++row) outer[D * i + row] = at + row * blocks * D;
    at += blocks * D * D;
  }
  outer[n] = at;
  if (is_new_pattern) {
    lu_.analyzePattern(jacobian_);
    pattern_ = map_.is_open;
  }
  lu_.factorize(jacobian_);
  ++newton_steps_;
  ++iterations_;
  if (lu_.info() != Eigen::Success) {
    pattern_.clear();
    return false;
  }
  direction = -lu_.transpose().solve(map_.F);
  return direction.allFinite();
}

// Semismooth Newton for one proximal step, with a line search that allows a rise up to the largest
// of the last values of |F| (the map has kinks; a strictly falling |F| would stop at them). Leaves
// the best point in r. True when |F| has become small, or has at least been halved: then r is good
// enough as the next centre.
template <int D>
bool ProximalNewton<D>::proximal_step(const Vector& center, double a, Vector& r) {
  const SecondOrderTolerances& tol = second_order_tolerances;
  Vector direction, trial, best = r;
  evaluate(r, center, a);
  double size = map_.F.norm(), best_size = size;
  const double first = size;
  std::vector<double> recent;
  for (int step = 0; step < tol.newton_steps; ++step) {
    if (size <= std::max(tol.rounding, tol.accuracy * a * (r - center).norm())) return true;
    if (is_over_limit() || !newton_direction(a, direction)) break;
    recent.push_back(size);
    const auto from = std::ssize(recent) > tol.memory ? recent.end() - tol.memory : recent.begin();
    const double allowed = *std::max_element(from, recent.end());
    double t = 1.0;
    bool is_accepted = false;
    for (int h = 0; h < tol.halvings && !is_accepted; ++h, t *= 0.5) {
      trial = r + t * direction;
      evaluate(trial, center, a);
      size = map_.F.norm();
      is_accepted = size <= (1.0 - tol.slope * t) * allowed;
    }
    if (!is_accepted) break;
    r = trial;
    if (size < best_size) {
      best_size = size;
      best = r;
    }
  }
  r = best;
  return best_size <= tol.halved * first || best_size <= tol.small * tol.rounding;
}

// Extragradient with a step that adapts to the local Lipschitz number.
template <int D>
void ProximalNewton<D>::extragradient(Vector& r) {
  const FrictionProblem& p = scaled_.problem;
  const bool exact = options_.law == FrictionLaw::coulomb;
  const auto project = [&](const Vector& y) {
    Vector out(y.size());
    for (int i = 0; i < p.contacts(); ++i)
      out.segment<D>(D * i) = project_on_cone<D>(y.segment<D>(D * i), p.mu(i)).point;
    return out;
  };
  const auto slope = [&](const Vector& x) {
    Vector u = contact_velocity(p, x);
    if (exact)
      for (int i = 0; i < p.contacts(); ++i)
        u(D * i) += p.mu(i) * tangential_length<D>(u.segment<D>(D * i));
    return u;
  };
  const SecondOrderTolerances& tol = second_order_tolerances;
  double s = 1.0;
  for (int k = 0; k < options_.extragradient_steps; ++k) {
    const Vector slope_here = slope(r);
    Vector middle, slope_middle;
    for (int tries = 0; tries < tol.step_tries; ++tries) {
      middle = project(r - s * slope_here);
      slope_middle = slope(middle);
      if (s * (slope_middle - slope_here).norm() <= tol.lipschitz * (middle - r).norm()) break;
      s *= tol.step_fall;
    }
    const Vector next = project(r - s * slope_middle);
    const double change = (next - r).norm();
    r = next;
    ++iterations_;
    if (k % tol.grow_every == 0) s *= tol.step_growth;
    if (change <= tol.rounding) break;
    if (k % tol.look_every == tol.look_every - 1) {
      remember(r);
      if (best_residual_ <= options_.tolerance) break;
    }
  }
  remember(r);
}

// Is it certain enough that the relaxed answer moves? Then rest is impossible and there is nothing
// more to learn.
template <int D>
bool ProximalNewton<D>::is_moving() const {
  if (options_.law != FrictionLaw::relaxed || options_.moving_ratio <= 0.0) return false;
  const Vector u = contact_velocity(scaled_.problem, best_);
  double square = 0.0;
  for (int i = 0; i < scaled_.problem.contacts(); ++i)
    square += scaled_.root(i) * scaled_.root(i) * u.segment<D>(D * i).squaredNorm();
  return best_residual_ <= options_.moving_ratio * std::sqrt(square) / scaled_.q_norm;
}

template <int D>
void ProximalNewton<D>::proximal_point(Vector r) {
  const SecondOrderTolerances& tol = second_order_tolerances;
  // The relaxed law serves the rest question, where |u| must vanish and not only the residual: a
  // few more steps.
  const double polish = options_.law == FrictionLaw::relaxed ? tol.rest_polish : 1.0;
  double a = options_.regularisation_first;
  int failures = 0, polished = 0;
  while (best_residual_ > polish * options_.tolerance && !is_over_limit() &&
         failures < tol.failures) {
    if (best_residual_ <= options_.tolerance && ++polished > tol.polish_steps) return;
    if (is_at_rounding_floor() || is_moving()) return;
    const Vector center = r;
    if (proximal_step(center, a, r)) {
      remember(r);
      a = std::max(a / tol.fall, options_.regularisation_last);
      if (r == center) return;
    } else {
      remember(r);
      r = center;
      a = std::min(tol.growth * a, tol.largest);
      rho_ = rho_ == tol.rho ? 1.0 : tol.rho;
      ++failures;
    }
    if (options_.progress) options_.progress("newton", iterations_, best_residual_);
  }
}

template <int D>
FrictionResult ProximalNewton<D>::run() {
  const auto begin = std::chrono::steady_clock::now();
  Vector r = options_.start.size() == original_.q.size() ? to_scaled(scaled_, options_.start)
                                                         : Vector(Vector::Zero(original_.q.size()));
  best_ = r;
  remember(r);
  if (best_residual_ > options_.tolerance && !has_offset()) extragradient(r);
  proximal_point(best_);
  FrictionResult result;
  result.reaction = from_scaled(scaled_, best_);
  result.iterations = iterations_;
  certify(original_, options_.tolerance, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace

FrictionResult solve_friction_newton(const FrictionProblem& problem,
                                     const FrictionNewtonOptions& options) {
  if (problem.dimension == 2) return ProximalNewton<2>(problem, options).run();
  return ProximalNewton<3>(problem, options).run();
}

}  // namespace clack
