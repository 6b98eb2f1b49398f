// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/cone_program.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

namespace clack {
namespace {

using Vector = Eigen::VectorXd;

/// a^2 - |t|^2 without cancellation.
template <class Part>
double determinant(const Part& u) {
  const double t = u.size() == 1 ? 0.0 : u.tail(u.size() - 1).norm();
  return (u[0] - t) * (u[0] + t);
}

/// The scaling of one cone: W = eta [w0 w1^T; w1 I + w1 w1^T / (1 + w0)].
struct ConeScaling {
  int first = 0, rows = 1;
  double eta = 1.0;
  Vector w;

  /// y = W^+-1 x.
  void apply(const Eigen::Ref<const Vector>& x, bool is_inverse, Eigen::Ref<Vector> y) const {
    const double scale = is_inverse ? 1.0 / eta : eta, sign = is_inverse ? -1.0 : 1.0;
    if (rows == 1) {
      y[0] = scale * x[0];
      return;
    }
    const int t = rows - 1;
    const double along = w.tail(t).dot(x.tail(t)), head = x[0];
    y.tail(t) = scale * (x.tail(t) + (sign * head + along / (1.0 + w[0])) * w.tail(t));
    y[0] = scale * (w[0] * head + sign * along);
  }
};

/// Jordan product u o v = (u.v, u0 v1 + v0 u1).
template <class A, class B, class C>
void multiply(const A& u, const B& v, C&& out) {
  const int t = static_cast<int>(u.size()) - 1;
  const double head = u.dot(v);
  if (t > 0) out.tail(t) = u[0] * v.tail(t) + v[0] * u.tail(t);
  out[0] = head;
}

/// x with u o x = d.
template <class A, class B, class C>
void divide(const A& u, const B& d, C&& out) {
  const int t = static_cast<int>(u.size()) - 1;
  if (t == 0) {
    out[0] = d[0] / u[0];
    return;
  }
  const double head = (u[0] * d[0] - u.tail(t).dot(d.tail(t))) / determinant(u);
  out.tail(t) = (d.tail(t) - head * u.tail(t)) / u[0];
  out[0] = head;
}

/// Largest step up to `most` for which u + step d stays in its cone.
template <class A, class B>
double step_to_border(const A& u, const B& d, double most) {
  const int t = static_cast<int>(u.size()) - 1;
  if (t == 0) return d[0] < 0.0 ? std::min(most, -u[0] / d[0]) : most;
  // u0 + s d0 = |u1 + s d1|:  a s^2 + 2 b s + c = 0 with c > 0.
  const double a = determinant(d);
  const double b = u[0] * d[0] - u.tail(t).dot(d.tail(t)), c = determinant(u);
  // Inside the cone b^2 >= a c for any d; where d points along u both are equal, to rounding.
  const double root = std::max(0.0, b * b - a * c);
  double step = most;
  const auto take = [&](double s) {
    if (s > 0.0 && s < step) step = s;
  };
  const double far = -(b + std::copysign(std::sqrt(root), b));
  if (a != 0.0) take(far / a);
  if (far != 0.0) take(c / far);
  return step;
}

class InteriorPoint {
 public:
  explicit InteriorPoint(const ConeProgram& program)
      : p_(program),
        n_(static_cast<int>(program.c.size())),
        m_(static_cast<int>(program.h.size())) {
    int first = 0;
    for (const int rows : program.cones) {
      cones_.push_back({first, rows, 1.0, Vector::Zero(rows)});
      first += rows;
    }
    x_ = program.start.size() == n_ ? program.start : Vector(Vector::Zero(n_));
    const Vector at_start = program.h + program.G * x_;
    s_ = z_ = Vector::Zero(m_);
    lambda_ = step_ = target_ = work_ = ds_ = dz_ = scaled_s_ = scaled_z_ = Vector::Zero(m_);
    scaled_G_.resize(m_, n_);
    for (const ConeScaling& cone : cones_) {
      const auto own = at_start.segment(cone.first, cone.rows);
      const double t = cone.rows == 1 ? 0.0 : own.tail(cone.rows - 1).norm();
      s_.segment(cone.first, cone.rows) = own;
      s_[cone.first] = std::max(own[0], t + cone_program_tolerances.inside);
      z_[cone.first] = 1.0;
    }
  }

  ConeAnswer run() {
    ConeAnswer best;
    best.error = std::numeric_limits<double>::infinity();
    int since = 0;
    for (int k = 0; k < cone_program_tolerances.iterations; ++k) {
      measure();
      if (!(error_ >= best.error)) {
        best.x = x_;
        best.slack = s_;
        best.dual = z_;
        best.error = error_;
        since = 0;
      } else if (++since > cone_program_tolerances.patience) {
        break;
      }
      best.iterations = k;
      if (best.error <= cone_program_tolerances.accuracy) break;
      if (!advance()) break;
    }
    best.is_solved = best.error <= cone_program_tolerances.believed;
    return best;
  }

 private:
  void measure() {
    rx_ = p_.weight * x_ + p_.c - p_.G.transpose() * z_;
    rs_ = p_.h + p_.G * x_ - s_;
    mu_ = s_.dot(z_) / static_cast<double>(cones_.size());
    error_ = mu_ * static_cast<double>(cones_.size());
    for (const Vector* r : {&rx_, &rs_})
      for (const double value : *r)
        if (!(std::abs(value) <= error_)) error_ = std::abs(value);
  }

  bool scale() {
    for (ConeScaling& cone : cones_) {
      const auto s = s_.segment(cone.first, cone.rows), z = z_.segment(cone.first, cone.rows);
      const double ds = determinant(s), dz = determinant(z);
      if (!(ds > 0.0) || !(dz > 0.0)) return false;
      cone.eta = std::sqrt(std::sqrt(ds / dz));
      const double root_s = std::sqrt(ds), root_z = std::sqrt(dz);
      if (cone.rows > 1) {
        const double gamma = std::sqrt(0.5 * (1.0 + s.dot(z) / (root_s * root_z)));
        cone.w = s / root_s - z / root_z;
        cone.w[0] = s[0] / root_s + z[0] / root_z;
        cone.w /= 2.0 * gamma;
      }
      cone.apply(z, false, lambda_.segment(cone.first, cone.rows));
      for (int j = 0; j < n_; ++j)
        cone.apply(p_.G.col(j).segment(cone.first, cone.rows), true,
                   scaled_G_.col(j).segment(cone.first, cone.rows));
    }
    Eigen::MatrixXd normal = scaled_G_.transpose() * scaled_G_;
    normal.diagonal().array() +=
        p_.weight + cone_program_tolerances.regularised * normal.diagonal().maxCoeff();
    factor_.compute(normal);
    return factor_.info() == Eigen::Success;
  }

  /// Direction for  lambda o (W dz + W^-1 ds) = target.
  void direct() {
    for (const ConeScaling& cone : cones_) {
      auto out = work_.segment(cone.first, cone.rows);
      divide(lambda_.segment(cone.first, cone.rows), target_.segment(cone.first, cone.rows), out);
      Vector scaled(cone.rows);
      cone.apply(rs_.segment(cone.first, cone.rows), true, scaled);
      step_.segment(cone.first, cone.rows) = out - scaled;  // lambda \ target - W^-1 rs
    }
    dx_ = factor_.solve(Vector(-rx_ + scaled_G_.transpose() * step_));
    complete();
    // Near the border W^-2 is huge: what the first equation has lost is solved for once more.
    for (int pass = 0; pass < cone_program_tolerances.refinements; ++pass) {
      dx_ += factor_.solve(Vector(p_.G.transpose() * dz_ - p_.weight * dx_ - rx_));
      complete();
    }
  }

  /// ds and dz that belong to dx.
  void complete() {
    ds_ = p_.G * dx_ + rs_;
    for (const ConeScaling& cone : cones_) {
      const int a = cone.first, r = cone.rows;
      cone.apply(ds_.segment(a, r), true, scaled_s_.segment(a, r));
      scaled_z_.segment(a, r) = work_.segment(a, r) - scaled_s_.segment(a, r);
      cone.apply(scaled_z_.segment(a, r), true, dz_.segment(a, r));
    }
  }

  double longest_step(double most) const {
    for (const ConeScaling& cone : cones_) {
      const int a = cone.first, r = cone.rows;
      most = step_to_border(s_.segment(a, r), ds_.segment(a, r), most);
      most = step_to_border(z_.segment(a, r), dz_.segment(a, r), most);
    }
    return most;
  }

  bool advance() {
    if (!scale()) return false;
    for (const ConeScaling& cone : cones_) {
      const auto l = lambda_.segment(cone.first, cone.rows);
      multiply(l, l, target_.segment(cone.first, cone.rows));
    }
    target_ = -target_;
    direct();
    const double part = longest_step(1.0), left = 1.0 - part;
    const double centring = left * left * left * mu_;
    Vector second(m_);
    for (const ConeScaling& cone : cones_) {
      const int a = cone.first, r = cone.rows;
      multiply(scaled_s_.segment(a, r), scaled_z_.segment(a, r), second.segment(a, r));
      target_[a] += centring;
    }
    target_ -= second;
    direct();
    if (!dx_.allFinite() || !dz_.allFinite()) return false;
    const double step = std::min(1.0, cone_program_tolerances.to_border *
                                          longest_step(1.0 / cone_program_tolerances.to_border));
    x_ += step * dx_;
    s_ += step * ds_;
    z_ += step * dz_;
    return true;
  }

  const ConeProgram& p_;
  int n_, m_;
  std::vector<ConeScaling> cones_;
  Vector x_, s_, z_, rx_, rs_, lambda_, target_, work_, step_, dx_, ds_, dz_, scaled_s_, scaled_z_;
  Eigen::MatrixXd scaled_G_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  double mu_ = 0.0, error_ = 0.0;
};

}  // namespace

ConeAnswer solve_cone_program(const ConeProgram& program) { return InteriorPoint(program).run(); }

}  // namespace clack
