// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/sorprox.hpp"

#include <chrono>
#include <limits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

// Larger eigenvalue of the tangential block of W_ii (d = 3: of its symmetric part).
double largest_tangential(const double* block, int d) {
  if (d == 2) return block[3];
  const double a = block[4], b = 0.5 * (block[5] + block[7]), c = block[8];
  const double mean = 0.5 * (a + c), half = 0.5 * (a - c);
  return mean + std::sqrt(half * half + b * b);
}

}  // namespace

SorproxSweeper::SorproxSweeper(const FrictionProblem& p)
    : dimension_(p.dimension), contacts_(p.contacts()) {
  const int d = dimension_;
  row_start_.assign(contacts_ + 1, 0);
  diagonal_.resize(contacts_);
  blocks_.reserve(p.values.size() + 4);
  column_.reserve(p.column.size());
  const Eigen::VectorXd w = inverse_apparent_mass(p);
  for (int i = 0; i < contacts_; ++i) {
    Diagonal& own = diagonal_[i];
    std::fill(std::begin(own.block), std::end(own.block), 0.0);
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) {
      const double* block = p.values.data() + std::size_t(k) * d * d;
      if (p.column[k] == i) {
        std::copy(block, block + d * d, own.block);
        continue;
      }
      column_.push_back(d * p.column[k]);
      for (int col = 0; col < d; ++col)
        for (int row = 0; row < d; ++row) blocks_.push_back(block[row * d + col]);
    }
    row_start_[i + 1] = number_of(column_);
    const double normal = own.block[0], tangential = largest_tangential(own.block, d);
    own.weight = w(i);
    own.normal_step = normal > 0.0 ? 1.0 / normal : 1.0 / w(i);
    own.tangent_step = tangential > 0.0 ? 1.0 / tangential : 1.0 / w(i);
    own.mu = p.mu(i);
    own.offset = p.offset_of(i);
  }
  blocks_.resize(blocks_.size() + 4, 0.0);
  q_.assign(p.q.data(), p.q.data() + p.q.size());
  q_.resize(q_.size() + 1, 0.0);
  f_.assign(q_.size(), 0.0);
#if defined(__x86_64__)
  has_avx2_ = __builtin_cpu_supports("avx2");
#endif
}

void SorproxSweeper::set_reaction(const Eigen::Ref<const Eigen::VectorXd>& reaction) {
  std::copy(reaction.data(), reaction.data() + reaction.size(), f_.begin());
}

Eigen::VectorXd SorproxSweeper::reaction_vector() const {
  return Eigen::Map<const Eigen::VectorXd>(f_.data(), dimension_ * contacts_);
}

// xi_i without the contact's own reaction: q_i + sum_{j != i} W_ij f_j. Three partial sums, one per
// column of the blocks, added at the end: the order the 4-wide version uses as well, so both give
// the same bits.
void SorproxSweeper::neighbour_velocity(int i, double* xi) const {
  const double* block = blocks_.data();
  if (dimension_ == 2) {
    double first[2] = {q_[2 * i], q_[2 * i + 1]}, second[2] = {};
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      const double* b = block + std::size_t(k) * 4;
      const double* f = f_.data() + column_[k];
      first[0] += b[0] * f[0];
      first[1] += b[1] * f[0];
      second[0] += b[2] * f[1];
      second[1] += b[3] * f[1];
    }
    xi[0] = first[0] + second[0];
    xi[1] = first[1] + second[1];
    return;
  }
  double sum[3][3] = {{q_[3 * i], q_[3 * i + 1], q_[3 * i + 2]}, {}, {}};
  for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
    const double* b = block + std::size_t(k) * 9;
    const double* f = f_.data() + column_[k];
    for (int col = 0; col < 3; ++col)
      for (int row = 0; row < 3; ++row) sum[col][row] += b[3 * col + row] * f[col];
  }
  for (int row = 0; row < 3; ++row) xi[row] = (sum[0][row] + sum[1][row]) + sum[2][row];
}

namespace {

// The projected step of one contact in space; xi: velocity caused by all others. Returns
// |change|^2.
template <class Diagonal>
[[gnu::always_inline]] inline double step3(const Diagonal& own, const double* xi, double a,
                                           double* f, bool does_normal, bool does_tangent) {
  const double before[3] = {f[0], f[1], f[2]};
  const double* W = own.block;
  if (does_normal) {
    const double phi = -(xi[0] + W[1] * f[1] + W[2] * f[2]) * own.normal_step;
    f[0] = std::max(0.0, (1.0 - a) * f[0] + a * phi);
  }
  if (does_tangent) {
    const double step = a * own.tangent_step, radius = own.offset + own.mu * f[0];
    const double z1 = f[1] - step * (xi[1] + W[3] * f[0] + W[4] * f[1] + W[5] * f[2]);
    const double z2 = f[2] - step * (xi[2] + W[6] * f[0] + W[7] * f[1] + W[8] * f[2]);
    const double square = z1 * z1 + z2 * z2;
    const double shrink = square <= radius * radius ? 1.0 : radius / std::sqrt(square);
    f[1] = shrink * z1;
    f[2] = shrink * z2;
  }
  const double c0 = f[0] - before[0], c1 = f[1] - before[1], c2 = f[2] - before[2];
  return c0 * c0 + c1 * c1 + c2 * c2;
}

template <class Diagonal>
[[gnu::always_inline]] inline double step2(const Diagonal& own, const double* xi, double a,
                                           double* f, bool does_normal, bool does_tangent) {
  const double before[2] = {f[0], f[1]};
  const double* W = own.block;
  if (does_normal) {
    const double phi = -(xi[0] + W[1] * f[1]) * own.normal_step;
    f[0] = std::max(0.0, (1.0 - a) * f[0] + a * phi);
  }
  if (does_tangent) {
    const double radius = own.offset + own.mu * f[0];
    const double z = f[1] - a * own.tangent_step * (xi[1] + W[2] * f[0] + W[3] * f[1]);
    f[1] = std::clamp(z, -radius, radius);
  }
  const double c0 = f[0] - before[0], c1 = f[1] - before[1];
  return c0 * c0 + c1 * c1;
}

}  // namespace

double SorproxSweeper::update(int i, double a, bool does_normal, bool does_tangent) {
  double xi[3];
  neighbour_velocity(i, xi);
  const Diagonal& own = diagonal_[i];
  double* f = f_.data() + std::size_t(dimension_) * i;
  const double square = dimension_ == 2 ? step2(own, xi, a, f, does_normal, does_tangent)
                                        : step3(own, xi, a, f, does_normal, does_tangent);
  return own.weight * own.weight * square;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) double SorproxSweeper::sweep_by_contact_avx2(double a) {
  double largest = 0.0;
  const double* block = blocks_.data();
  const int* column = column_.data();
  double* f_all = f_.data();
  for (int i = 0; i < contacts_; ++i) {
    __m256d sum0 = _mm256_loadu_pd(q_.data() + 3 * i);
    __m256d sum1 = _mm256_setzero_pd(), sum2 = _mm256_setzero_pd();
    const double* b = block + std::size_t(row_start_[i]) * 9;
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k, b += 9) {
      const double* f = f_all + column[k];
      sum0 = _mm256_add_pd(sum0, _mm256_mul_pd(_mm256_loadu_pd(b), _mm256_broadcast_sd(f)));
      sum1 = _mm256_add_pd(sum1, _mm256_mul_pd(_mm256_loadu_pd(b + 3), _mm256_broadcast_sd(f + 1)));
      sum2 = _mm256_add_pd(sum2, _mm256_mul_pd(_mm256_loadu_pd(b + 6), _mm256_broadcast_sd(f + 2)));
    }
    alignas(32) double xi[4];
    _mm256_store_pd(xi, _mm256_add_pd(_mm256_add_pd(sum0, sum1), sum2));
    const Diagonal& own = diagonal_[i];
    const double square = step3(own, xi, a, f_all + 3 * std::size_t(i), true, true);
    largest = std::max(largest, own.weight * own.weight * square);
  }
  return std::sqrt(largest);
}
#else
double SorproxSweeper::sweep_by_contact_avx2(double a) {
  return sweep(a, SorproxOrder::by_contact);
}
#endif

double SorproxSweeper::sweep(double a, SorproxOrder order) {
  if (order == SorproxOrder::by_contact && dimension_ == 3 && has_avx2_)
    return sweep_by_contact_avx2(a);
  double largest = 0.0;
  if (order == SorproxOrder::by_contact) {
    for (int i = 0; i < contacts_; ++i) largest = std::max(largest, update(i, a, true, true));
    return std::sqrt(largest);
  }
  for (int i = 0; i < contacts_; ++i) largest = std::max(largest, update(i, a, true, false));
  for (int i = 0; i < contacts_; ++i) largest = std::max(largest, update(i, a, false, true));
  return std::sqrt(largest);
}

namespace {

// Sweeps with one relaxation factor until solved, out of budget, or the residual no longer falls.
struct SorproxRun {
  const FrictionProblem& problem;
  const SorproxOptions& options;
  SorproxSweeper& sweeper;
  Eigen::VectorXd best;
  double best_residual;
  long sweeps = 0;
  std::vector<SolverStep> path;

  bool is_done() const {
    return best_residual <= options.tolerance || sweeps >= options.sweep_limit;
  }

  void record_sweep() {
    const int c = problem.contacts();
    const bool is_by_contact = options.order == SorproxOrder::by_contact;
    for (int i = 0; i < c; ++i) {
      path.push_back({SolverStep::Kind::update_normal, i});
      if (is_by_contact) path.push_back({SolverStep::Kind::update_tangent, i});
    }
    for (int i = 0; i < c && !is_by_contact; ++i)
      path.push_back({SolverStep::Kind::update_tangent, i});
  }

  // The tests of all contacts up to the first whose part of the residual is above its share.
  void record_tests(const Eigen::VectorXd& r) {
    const int c = problem.contacts();
    const Eigen::VectorXd parts = contact_residuals(problem, r);
    const double share = options.tolerance / std::sqrt(double(c));
    const bool has_passed = is_done();
    for (const auto kind : {SolverStep::Kind::test_normal, SolverStep::Kind::test_tangent})
      for (int i = 0; i < c; ++i) {
        path.push_back({kind, i});
        if (!has_passed && parts[i] > share) return;
      }
    if (has_passed) path.push_back({SolverStep::Kind::passed, -1});
  }

  void run(double relaxation) {
    double reference = best_residual;
    long since = 0, until_check = 1;
    while (!is_done()) {
      const double change = sweeper.sweep(relaxation, options.order);
      ++sweeps;
      ++since;
      if (options.records_path) record_sweep();
      if (--until_check > 0 && change > 0.0) continue;
      until_check = std::clamp<long>(sweeps / 10, 1, 50);
      const Eigen::VectorXd r = sweeper.reaction_vector();
      const FrictionResidual residual = friction_residual(problem, r);
      if (residual.value < best_residual) {
        best_residual = residual.value;
        best = r;
      }
      if (options.progress) options.progress(sweeps, best_residual);
      if (options.records_path) record_tests(r);
      if (residual.value <= friction_tolerances.stop_factor * residual.floor || change == 0.0)
        return;
      if (best_residual < friction_tolerances.improvement * reference) {
        reference = best_residual;
        since = 0;
      }
      if (since > friction_tolerances.patience) return;
    }
  }
};

}  // namespace

FrictionResult solve_sorprox(const FrictionProblem& problem, const SorproxOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FrictionResult result;
  const bool has_start = options.start.size() == problem.q.size();
  result.reaction =
      has_start ? options.start : Eigen::VectorXd(Eigen::VectorXd::Zero(problem.q.size()));
  if (problem.contacts() > 0) {
    SorproxSweeper sweeper(problem);
    SorproxRun run{problem,
                   options,
                   sweeper,
                   result.reaction,
                   friction_residual(problem, result.reaction).value,
                   0,
                   {}};
    for (const double relaxation : options.relaxation) {
      if (run.is_done()) break;
      sweeper.set_reaction(run.best);
      run.run(relaxation);
    }
    result.reaction = run.best;
    result.iterations = run.sweeps;
    result.path = std::move(run.path);
    result.method = FrictionMethod::sweeps;
  }
  certify(problem, options.tolerance, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace clack
