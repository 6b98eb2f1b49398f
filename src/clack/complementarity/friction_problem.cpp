// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

FrictionProblem from_sorted_blocks(int d,
                                   std::vector<std::pair<long, std::array<double, 9>>>& blocks,
                                   const Eigen::Ref<const Eigen::VectorXd>& q,
                                   const Eigen::Ref<const Eigen::VectorXd>& mu) {
  FrictionProblem out;
  out.dimension = d;
  out.q = q;
  out.mu = mu;
  const int nc = number_of(mu);
  out.row_start.assign(nc + 1, 0);
  out.column.reserve(blocks.size());
  out.values.reserve(blocks.size() * d * d);
  for (const auto& [key, block] : blocks) {
    ++out.row_start[key / nc + 1];
    out.column.push_back(key % nc);
    out.values.insert(out.values.end(), block.begin(), block.begin() + d * d);
  }
  for (int i = 0; i < nc; ++i) out.row_start[i + 1] += out.row_start[i];
  return out;
}

}  // namespace

FrictionProblem make_friction_problem(int dimension, std::span<const MatrixEntry> entries,
                                      const Eigen::Ref<const Eigen::VectorXd>& q,
                                      const Eigen::Ref<const Eigen::VectorXd>& mu) {
  const long nc = mu.size();
  const int d = dimension;
  struct Place {
    long key;
    int slot;
    double value;
  };
  std::vector<Place> places;
  places.reserve(entries.size() + nc);
  for (const MatrixEntry& e : entries)
    places.push_back({(e.row / d) * nc + e.column / d, (e.row % d) * d + e.column % d, e.value});
  for (long i = 0; i < nc; ++i) places.push_back({i * nc + i, 0, 0.0});
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.key < b.key; });
  std::vector<std::pair<long, std::array<double, 9>>> blocks;
  for (const Place& p : places) {
    if (blocks.empty() || blocks.back().first != p.key) blocks.push_back({p.key, {}});
    blocks.back().second[p.slot] += p.value;
  }
  return from_sorted_blocks(d, blocks, q, mu);
}

FrictionProblem make_friction_problem(int dimension, const Eigen::Ref<const Eigen::MatrixXd>& W,
                                      const Eigen::Ref<const Eigen::VectorXd>& q,
                                      const Eigen::Ref<const Eigen::VectorXd>& mu) {
  std::vector<MatrixEntry> entries;
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j)
      if (W(i, j) != 0.0) entries.push_back({i, j, W(i, j)});
  return make_friction_problem(dimension, entries, q, mu);
}

Eigen::MatrixXd dense_delassus(const FrictionProblem& p) {
  const int d = p.dimension;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(p.unknowns(), p.unknowns());
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int a = 0; a < d; ++a)
        for (int c = 0; c < d; ++c)
          W(i * d + a, p.column[k] * d + c) = p.values[std::size_t(k) * d * d + a * d + c];
  return W;
}

void check_friction_problem(const FrictionProblem& p, const std::string& where) {
  const int d = p.dimension, nc = p.contacts();
  if (d != 2 && d != 3)
    throw InputError(fmt::format("dimension is {}: not a Coulomb problem of dimension 2 or 3", d),
                     where,
                     "use dimension 2 (plane) or 3 (space); rolling friction is not covered");
  if (p.q.size() != d * nc)
    throw InputError(fmt::format("q has {} numbers, expected {} ({} contacts of {} components)",
                                 p.q.size(), d * nc, nc, d),
                     where, "give one normal and d - 1 tangential components per contact");
  for (int i = 0; i < nc; ++i)
    if (!(p.mu(i) >= 0.0) || !std::isfinite(p.mu(i)))
      throw InputError(
          fmt::format("contact {}: friction coefficient is {}, must be >= 0 and finite", i,
                      p.mu(i)),
          where, "use 0 for a frictionless contact");
  for (int k = 0; k < d * nc; ++k)
    if (!std::isfinite(p.q(k)))
      throw InputError(fmt::format("q[{}] is {}, must be finite", k, p.q(k)), where,
                       "correct the number");
  for (int i = 0; i < nc; ++i)
    for (int k = p.row_start[i] * d * d; k < p.row_start[i + 1] * d * d; ++k)
      if (!std::isfinite(p.values[k]))
        throw InputError(
            fmt::format("W, row of contact {}: an entry is {}, must be finite", i, p.values[k]),
            where, "correct the number");
  const Eigen::VectorXd w = inverse_apparent_mass(p);
  for (int i = 0; i < nc; ++i)
    if (!(w(i) > 0.0))
      throw InputError(
          fmt::format("contact {} has no inertia in it: mean diagonal of its W block is {:.6g}, "
                      "must be > 0",
                      i, w(i)),
          where, "leave the contact out, or correct its diagonal block");
}

const double* FrictionProblem::diagonal_block(int i) const {
  const auto first = column.begin() + row_start[i], last = column.begin() + row_start[i + 1];
  const auto found = std::lower_bound(first, last, i);
  return values.data() + (found - column.begin()) * dimension * dimension;
}

namespace {

template <int D>
void add_rows(const FrictionProblem& p, const double* r, double* u) {
  for (int i = 0; i < p.contacts(); ++i) {
    double sum[D] = {};
    const double* b = p.values.data() + std::size_t(p.row_start[i]) * D * D;
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k, b += D * D)
      for (int a = 0; a < D; ++a) sum[a] += b[a * D] * r[p.column[k] * D];
    b = p.values.data() + std::size_t(p.row_start[i]) * D * D;
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k, b += D * D)
      for (int c = 1; c < D; ++c)
        for (int a = 0; a < D; ++a) sum[a] += b[a * D + c] * r[p.column[k] * D + c];
    for (int a = 0; a < D; ++a) u[i * D + a] += sum[a];
  }
}

}  // namespace

void add_motion(const FrictionProblem& p, const Eigen::Ref<const Eigen::VectorXd>& r,
                Eigen::VectorXd& motion) {
  if (p.dimension == 2)
    add_rows<2>(p, r.data(), motion.data());
  else
    add_rows<3>(p, r.data(), motion.data());
}

Eigen::VectorXd contact_velocity(const FrictionProblem& p,
                                 const Eigen::Ref<const Eigen::VectorXd>& r) {
  Eigen::VectorXd u = p.q;
  add_motion(p, r, u);
  return u;
}

Eigen::VectorXd inverse_apparent_mass(const FrictionProblem& p) {
  const int d = p.dimension;
  Eigen::VectorXd w = Eigen::VectorXd::Zero(p.contacts());
  for (int i = 0; i < p.contacts(); ++i)
    for (int a = 0; a < d; ++a) w(i) += p.diagonal_block(i)[a * d + a] / d;
  return w;
}

FrictionProblem without_known_slips(const FrictionProblem& problem) {
  FrictionProblem p = problem;
  p.direction.resize(0);
  if (problem.direction.size() == 0) return p;
  const int d = p.dimension, k = p.tangents();
  for (std::size_t b = 0; b < p.column.size(); ++b) {
    const int j = p.column[b];
    if (!problem.is_sliding(j)) continue;
    const double mu = problem.dynamic_mu_of(j);
    for (int t = 0; t < k; ++t)
      for (int a = 0; a < d; ++a)
        p.values[b * d * d + a * d] -=
            mu * problem.direction[j * k + t] * problem.values[b * d * d + a * d + t + 1];
  }
  for (int i = 0; i < p.contacts(); ++i) {
    if (!problem.is_sliding(i)) continue;
    p.mu[i] = 0.0;
    if (p.dynamic_mu.size() > 0) p.dynamic_mu[i] = 0.0;
  }
  return p;
}

void restore_known_slips(const FrictionProblem& p, Eigen::VectorXd& reaction) {
  const int d = p.dimension, k = p.tangents();
  for (int i = 0; i < p.contacts(); ++i)
    if (p.is_sliding(i))
      reaction.segment(d * i + 1, k) =
          -p.dynamic_mu_of(i) * reaction[d * i] * p.direction.segment(k * i, k);
}

double sliding_mobility(const FrictionProblem& p, int i) {
  const double* block = p.diagonal_block(i);
  double mobility = block[0];
  for (int t = 0; t < p.tangents(); ++t)
    mobility -= p.dynamic_mu_of(i) * p.direction[i * p.tangents() + t] * block[t + 1];
  return mobility;
}

bool FrictionResult::has_flag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

}  // namespace clack
