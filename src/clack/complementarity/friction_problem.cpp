#include "clack/complementarity/friction_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "clack/complementarity/friction_cone.hpp"
#include "clack/error.hpp"

namespace clack {

namespace {

// A residual below this many rounding floors carries no information.
constexpr double floor_factor = 4.0;

FrictionProblem from_sorted_blocks(int d,
                                   std::vector<std::pair<long, std::array<double, 9>>>& blocks,
                                   const Eigen::Ref<const Eigen::VectorXd>& q,
                                   const Eigen::Ref<const Eigen::VectorXd>& mu) {
  FrictionProblem out;
  out.dimension = d;
  out.q = q;
  out.mu = mu;
  const int nc = static_cast<int>(mu.size());
  out.row_start.assign(nc + 1, 0);
  out.column.reserve(blocks.size());
  out.values.reserve(blocks.size() * d * d);
  for (const auto& [key, block] : blocks) {
    ++out.row_start[key / nc + 1];
    out.column.push_back(static_cast<int>(key % nc));
    out.values.insert(out.values.end(), block.begin(), block.begin() + d * d);
  }
  for (int i = 0; i < nc; ++i) out.row_start[i + 1] += out.row_start[i];
  return out;
}

template <int D>
void multiply_add(const FrictionProblem& p, const double* r, double* u, bool absolute) {
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) {
      const double* b = p.values.data() + std::size_t(k) * D * D;
      const double* x = r + std::size_t(p.column[k]) * D;
      for (int a = 0; a < D; ++a)
        for (int c = 0; c < D; ++c)
          u[i * D + a] += absolute ? std::abs(b[a * D + c] * x[c]) : b[a * D + c] * x[c];
    }
}

void multiply_add(const FrictionProblem& p, const double* r, double* u, bool absolute) {
  if (p.dimension == 2)
    multiply_add<2>(p, r, u, absolute);
  else
    multiply_add<3>(p, r, u, absolute);
}

// F_i of every contact for given weights w.
template <int D>
Eigen::VectorXd natural_map(const FrictionProblem& p, const Eigen::VectorXd& u,
                            const Eigen::Ref<const Eigen::VectorXd>& r, const Eigen::VectorXd& w) {
  using Block = Eigen::Matrix<double, D, 1>;
  Eigen::VectorXd F(u.size());
  for (int i = 0; i < p.contacts(); ++i) {
    const Block wr = w(i) * r.template segment<D>(D * i);
    Block uh = u.template segment<D>(D * i);
    uh(0) += p.mu(i) * tangential_length<D>(uh);
    const ConeProjection<D> projection = project_on_cone<D>(wr - uh, p.mu(i));
    switch (projection.region) {
      case ConeRegion::inside:
        F.template segment<D>(D * i) = uh;
        break;
      case ConeRegion::polar:
        F.template segment<D>(D * i) = wr;
        break;
      case ConeRegion::surface:
        F.template segment<D>(D * i) = wr - projection.point;
        break;
    }
  }
  return F;
}

Eigen::VectorXd natural_map(const FrictionProblem& p, const Eigen::Ref<const Eigen::VectorXd>& r,
                            const Eigen::VectorXd& w) {
  const Eigen::VectorXd u = contact_velocity(p, r);
  return p.dimension == 2 ? natural_map<2>(p, u, r, w) : natural_map<3>(p, u, r, w);
}

double scale_of(const FrictionProblem& p) {
  const double size = p.q.size() == 0 ? 0.0 : p.q.stableNorm();
  return size > 0.0 ? size : 1.0;
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

Eigen::VectorXd contact_velocity(const FrictionProblem& p,
                                 const Eigen::Ref<const Eigen::VectorXd>& r) {
  Eigen::VectorXd u = p.q;
  multiply_add(p, r.data(), u.data(), false);
  return u;
}

Eigen::VectorXd inverse_apparent_mass(const FrictionProblem& p) {
  const int d = p.dimension;
  Eigen::VectorXd w = Eigen::VectorXd::Zero(p.contacts());
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      if (p.column[k] == i)
        for (int a = 0; a < d; ++a) w(i) += p.values[std::size_t(k) * d * d + a * d + a] / d;
  return w;
}

FrictionResidual friction_residual(const FrictionProblem& p,
                                   const Eigen::Ref<const Eigen::VectorXd>& r) {
  FrictionResidual out;
  if (p.contacts() == 0) return out;
  const Eigen::VectorXd F = natural_map(p, r, inverse_apparent_mass(p));
  const double scale = scale_of(p);
  out.is_absolute = p.q.isZero(0.0);
  for (int i = 0; i < p.contacts(); ++i) {
    const double size = F.segment(i * p.dimension, p.dimension).stableNorm() / scale;
    if (size > out.worst || out.worst_contact < 0 || !std::isfinite(size)) {
      out.worst = size;
      out.worst_contact = i;
      if (!std::isfinite(size)) break;
    }
  }
  out.value = F.stableNorm() / scale;
  Eigen::VectorXd sum = p.q.cwiseAbs();
  multiply_add(p, r.data(), sum.data(), true);
  out.floor = std::numeric_limits<double>::epsilon() * sum.stableNorm() / scale;
  return out;
}

double plain_friction_residual(const FrictionProblem& p,
                               const Eigen::Ref<const Eigen::VectorXd>& r) {
  if (p.contacts() == 0) return 0.0;
  return natural_map(p, r, Eigen::VectorXd::Ones(p.contacts())).stableNorm() / scale_of(p);
}

Eigen::VectorXd contact_residuals(const FrictionProblem& p,
                                  const Eigen::Ref<const Eigen::VectorXd>& r) {
  if (p.contacts() == 0) return {};
  const Eigen::VectorXd F = natural_map(p, r, inverse_apparent_mass(p));
  Eigen::VectorXd out(p.contacts());
  for (int i = 0; i < p.contacts(); ++i)
    out(i) = F.segment(i * p.dimension, p.dimension).stableNorm() / scale_of(p);
  return out;
}

std::string_view to_string(FrictionStatus status) {
  switch (status) {
    case FrictionStatus::solved:
      return "solved";
    case FrictionStatus::limit:
      return "limit";
    case FrictionStatus::unsolvable:
      return "unsolvable";
  }
  return "limit";
}

bool FrictionResult::has_flag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

void certify(const FrictionProblem& p, double tolerance, FrictionResult& result) {
  result.velocity = contact_velocity(p, result.reaction);
  const FrictionResidual residual = friction_residual(p, result.reaction);
  result.residual = residual.value;
  result.worst = residual.worst;
  result.worst_contact = residual.worst_contact;
  const auto raise = [&](const char* flag) {
    if (!result.has_flag(flag)) result.flags.emplace_back(flag);
  };
  if (residual.is_absolute && p.contacts() > 0) raise("absolute-residual");
  const bool is_solved = residual.value <= tolerance;
  const bool is_at_floor = residual.value <= floor_factor * residual.floor;
  if (is_at_floor && !is_solved) raise("rounding-limit");
  if (is_solved || is_at_floor)
    result.status = FrictionStatus::solved;
  else if (result.status == FrictionStatus::solved)
    result.status = FrictionStatus::limit;
}

}  // namespace clack
