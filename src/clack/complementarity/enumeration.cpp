// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/enumeration.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <bit>

#include "clack/complementarity/lcp_tolerances.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

using Mask = std::uint32_t;

/// LU with partial pivoting in fixed memory.
struct SmallLu {
  std::array<double, enumeration_tolerances.most_unknowns * enumeration_tolerances.most_unknowns>
      entries;
  std::array<int, enumeration_tolerances.most_unknowns> order;
  int size = 0;

  /// Smallest to largest pivot; 0 when a pivot vanishes.
  double factorise() {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
    for (int k = 0; k < size; ++k) order[k] = k;
    for (int k = 0; k < size; ++k) {
      int row = k;
      for (int i = k + 1; i < size; ++i)
        if (std::abs(at(i, k)) > std::abs(at(row, k))) row = i;
      const double pivot = at(row, k);
      if (pivot == 0.0) return 0.0;
      if (row != k) {
        std::swap(order[row], order[k]);
        for (int j = 0; j < size; ++j) std::swap(at(row, j), at(k, j));
      }
      smallest = std::min(smallest, std::abs(pivot));
      largest = std::max(largest, std::abs(pivot));
      for (int i = k + 1; i < size; ++i) {
        const double factor = at(i, k) /= pivot;
        if (factor == 0.0) continue;
        for (int j = k + 1; j < size; ++j) at(i, j) -= factor * at(k, j);
      }
    }
    return smallest / largest;
  }

  void solve(const double* rhs, double* x) const {
    for (int i = 0; i < size; ++i) {
      x[i] = rhs[order[i]];
      for (int j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
    }
    for (int i = size - 1; i >= 0; --i) {
      for (int j = i + 1; j < size; ++j) x[i] -= at(i, j) * x[j];
      x[i] /= at(i, i);
    }
  }

  double& at(int i, int j) { return entries[i * enumeration_tolerances.most_unknowns + j]; }
  double at(int i, int j) const { return entries[i * enumeration_tolerances.most_unknowns + j]; }
};

class Enumeration {
 public:
  Enumeration(const Lcp& problem, const EnumerationOptions& options)
      : problem_(problem), options_(options), n_(number_of(problem.q)) {
    scale();
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        if (M_(i, j) > 0.0) positive_[i] |= Mask{1} << j;
        if (M_(i, j) < 0.0) negative_[i] |= Mask{1} << j;
      }
  }

  LcpResult run() {
    const Mask end = Mask{1} << n_;
    for (Mask support = 0; support < end && systems_ <= options_.system_limit; ++support)
      if (signs_allow(support)) try_support(support);
    return report();
  }

 private:
  /// w' = r w, z = c z', powers of two: the largest entry of every row and column comes near 1.
  void scale() {
    M_ = problem_.M;
    column_scale_ = Eigen::VectorXd::Ones(n_);
    Eigen::VectorXd row_scale = Eigen::VectorXd::Ones(n_);
    const auto halved = [](double largest) {
      return largest > 0.0 ? std::exp2(-std::round(0.5 * std::log2(largest))) : 1.0;
    };
    for (int sweep = 0; sweep < enumeration_tolerances.scaling_sweeps; ++sweep) {
      const Eigen::VectorXd r = M_.cwiseAbs().rowwise().maxCoeff().unaryExpr(halved);
      const Eigen::VectorXd c = M_.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(halved);
      M_ = r.asDiagonal() * M_ * c.asDiagonal();
      row_scale = row_scale.cwiseProduct(r);
      column_scale_ = column_scale_.cwiseProduct(c);
    }
    q_ = row_scale.cwiseProduct(problem_.q);
    size_of_q_ = q_.cwiseAbs().maxCoeff();
    if (size_of_q_ == 0.0) size_of_q_ = 1.0;
  }

  /// Necessary for  z_a > 0,  w_a = 0,  w_b >= 0,  from signs alone.
  bool signs_allow(Mask support) const {
    for (int k = 0; k < n_; ++k) {
      const bool can_rise = (positive_[k] & support) != 0, can_fall = (negative_[k] & support) != 0;
      if (q_[k] < 0.0 && !can_rise) return false;
      if ((support >> k & 1) == 0) continue;
      if (q_[k] > 0.0 && !can_fall) return false;
      if (q_[k] == 0.0 && can_rise != can_fall) return false;
    }
    return true;
  }

  void try_support(Mask support) {
    std::array<int, enumeration_tolerances.most_unknowns> a;
    int size = 0;
    for (Mask rest = support; rest != 0; rest &= rest - 1) a[size++] = std::countr_zero(rest);
    lu_.size = size;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) lu_.at(i, j) = M_(a[i], a[j]);
    ++systems_;
    if (size > 0 && lu_.factorise() < enumeration_tolerances.regular_pivot_ratio) {
      try_doubtful_support(std::vector<int>(a.begin(), a.begin() + size));
      return;
    }
    std::array<double, enumeration_tolerances.most_unknowns> rhs, value, correction;
    for (int i = 0; i < size; ++i) rhs[i] = -q_[a[i]];
    lu_.solve(rhs.data(), value.data());
    double largest = 0.0, lowest = 0.0;
    for (int i = 0; i < size; ++i) {
      largest = std::max(largest, std::abs(value[i]));
      lowest = std::min(lowest, value[i]);
    }
    if (lowest < -2.0 * enumeration_tolerances.near_miss * (size_of_q_ + largest))
      return;  // z_a > 0 fails clearly
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) rhs[i] -= M_(a[i], a[j]) * value[j];
    lu_.solve(rhs.data(), correction.data());
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
    for (int i = 0; i < size; ++i) z[a[i]] = value[i] + correction[i];
    consider(z);
  }

  /// M_aa is singular or nearly so: its rank decides how many further rows w_k = 0 a vertex needs;
  /// a rank that is not clear is tried both ways.
  void try_doubtful_support(const std::vector<int>& a) {
    const Eigen::MatrixXd block = M_(a, a);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(block);
    const Eigen::VectorXd& sigma = svd.singularValues();
    const auto rank_above = [&](double share) {
      return (sigma.array() > share * sigma[0]).count();
    };
    const int size = number_of(a);
    const int lowest = rank_above(enumeration_tolerances.surely_regular *
                                  enumeration_tolerances.rank_cutoff),
              highest = rank_above(enumeration_tolerances.surely_singular *
                                   enumeration_tolerances.rank_cutoff);
    for (int rank = lowest; rank <= highest; ++rank) {
      complete_rows(a, size - rank, q_, [&](const Eigen::VectorXd& z) { consider(z); });
      if (rank < size)
        complete_rows(a, size - rank - 1, Eigen::VectorXd(),
                      [&](const Eigen::VectorXd& direction) { consider_direction(direction); });
    }
  }

  /// Calls `use` with every z on the support that solves w_a = 0 and `missing` further equations
  /// w_k = 0, k outside a, when together they determine it. An empty q asks for the direction
  /// (largest entry 1) instead.
  template <class Use>
  void complete_rows(const std::vector<int>& a, int missing, const Eigen::VectorXd& q,
                     const Use& use) {
    std::vector<int> b;
    for (int k = 0; k < n_; ++k)
      if (std::find(a.begin(), a.end(), k) == a.end()) b.push_back(k);
    if (missing > number_of(b)) return;
    std::vector<char> is_chosen(b.size(), 0);
    std::fill_n(is_chosen.begin(), missing, 1);
    do {
      if (++systems_ > options_.system_limit) return;
      std::vector<int> rows = a;
      for (std::size_t k = 0; k < b.size(); ++k)
        if (is_chosen[k]) rows.push_back(b[k]);
      Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
      const bool is_found = q.size() > 0 ? solve_point(rows, a, q, z) : solve_direction(rows, a, z);
      if (is_found) use(z);
    } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
  }

  bool solve_point(const std::vector<int>& rows, const std::vector<int>& a,
                   const Eigen::VectorXd& q, Eigen::VectorXd& z) const {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(M_(rows, a).eval());
    qr.setThreshold(enumeration_tolerances.surely_singular * enumeration_tolerances.rank_cutoff);
    if (qr.rank() < number_of(a)) return false;
    const Eigen::VectorXd rhs = -q(rows);
    Eigen::VectorXd value = qr.solve(rhs);
    const Eigen::VectorXd open = rhs - M_(rows, a) * value;
    value += qr.solve(open);
    z(a) = value;
    return true;
  }

  bool solve_direction(const std::vector<int>& rows, const std::vector<int>& a,
                       Eigen::VectorXd& direction) const {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(M_(rows, a).eval(), Eigen::ComputeFullV);
    const Eigen::Index size = number_of(a);
    const auto rank = (svd.singularValues().array() >
                       enumeration_tolerances.rank_cutoff * std::max(svd.singularValues()[0], 1.0))
                          .count();
    if (rank != size - 1) return false;
    Eigen::VectorXd value = svd.matrixV().col(size - 1);
    Eigen::Index largest = 0;
    value.cwiseAbs().maxCoeff(&largest);
    value /= value[largest];
    direction(a) = value;
    return true;
  }

  /// Scaled z of a support: a solution when it is admissible up to the tolerance.
  void consider(const Eigen::VectorXd& z) {
    const Eigen::VectorXd w = M_ * z + q_;
    const double size = size_of_q_ + z.cwiseAbs().maxCoeff();
    const double violation = z.cwiseMin(w).cwiseAbs().maxCoeff() / size;
    if (!std::isfinite(violation)) return;
    smallest_violation_ = std::min(smallest_violation_, violation);
    if (violation > enumeration_tolerances.near_miss) return;
    const Eigen::VectorXd candidate = column_scale_.cwiseProduct(z.cwiseMax(0.0));
    if (lcp_residual(problem_, candidate) > options_.tolerance) return;
    for (const Eigen::VectorXd& known : scaled_solutions_)
      if ((known - z).cwiseAbs().maxCoeff() <= enumeration_tolerances.same_solution * size) return;
    scaled_solutions_.push_back(z);
    solutions_.push_back(candidate);
  }

  /// A direction n >= 0 with M n >= 0, n.M n = 0: solutions may run to infinity along it.
  void consider_direction(const Eigen::VectorXd& direction) {
    const Eigen::VectorXd change = M_ * direction;
    if (direction.cwiseMin(change).cwiseAbs().maxCoeff() <= enumeration_tolerances.near_miss)
      directions_.push_back(direction);
  }

  /// Two vertices span solutions if each is complementary to the other's w; likewise a vertex and a
  /// direction.
  bool has_faces() const {
    const auto are_complementary = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
      return x.cwiseMin(y).cwiseAbs().maxCoeff() <=
             enumeration_tolerances.near_miss *
                 (size_of_q_ + x.cwiseAbs().maxCoeff() + y.cwiseAbs().maxCoeff());
    };
    for (std::size_t k = 0; k < scaled_solutions_.size(); ++k) {
      const Eigen::VectorXd& z = scaled_solutions_[k];
      const Eigen::VectorXd w = M_ * z + q_;
      for (std::size_t l = 0; l < k; ++l) {
        const Eigen::VectorXd& other = scaled_solutions_[l];
        if (are_complementary(z, M_ * other + q_) && are_complementary(other, w)) return true;
      }
      for (const Eigen::VectorXd& direction : directions_)
        if (are_complementary(z, M_ * direction) && are_complementary(direction, w)) return true;
    }
    return false;
  }

  LcpResult report() {
    LcpResult result;
    result.pivots = static_cast<int>(std::min<long long>(systems_, 2147483647));
    const bool is_complete = systems_ <= options_.system_limit;
    result.is_singular = has_faces();
    result.solutions = std::move(solutions_);
    if (!is_complete)
      result.status = LcpStatus::limit;
    else if (!result.solutions.empty())
      result.status = LcpStatus::solved;
    else
      result.status = smallest_violation_ > enumeration_tolerances.near_miss ? LcpStatus::unsolvable
                                                                             : LcpStatus::limit;
    result.z = result.solutions.empty() ? Eigen::VectorXd::Zero(n_).eval() : result.solutions[0];
    result.w = problem_.M * result.z + problem_.q;
    result.residual = lcp_residual(problem_, result.z);
    return result;
  }

  const Lcp& problem_;
  const EnumerationOptions& options_;
  int n_;
  Eigen::MatrixXd M_;  // scaled
  Eigen::VectorXd q_, column_scale_;
  double size_of_q_ = 1.0;
  std::array<Mask, enumeration_tolerances.most_unknowns> positive_{}, negative_{};
  SmallLu lu_;
  std::vector<Eigen::VectorXd> solutions_, scaled_solutions_, directions_;
  double smallest_violation_ = std::numeric_limits<double>::infinity();
  long long systems_ = 0;
};

}  // namespace

LcpResult enumerate_lcp(const Lcp& problem, const EnumerationOptions& options) {
  check_lcp(problem);
  const Eigen::Index n = problem.q.size();
  if (n > std::min(options.largest_size, enumeration_tolerances.most_unknowns)) {
    LcpResult result;
    result.z = Eigen::VectorXd::Zero(n);
    result.w = problem.q;
    result.residual = lcp_residual(problem, result.z);
    return result;
  }
  if (n == 0) {
    LcpResult result;
    result.status = LcpStatus::solved;
    result.solutions.emplace_back(0);
    return result;
  }
  return Enumeration(problem, options).run();
}

}  // namespace clack
