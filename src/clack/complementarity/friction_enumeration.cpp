#include "clack/complementarity/friction_enumeration.hpp"

#include <chrono>
#include <numbers>

namespace clack {

namespace {

enum class Mode { open, stick, slip };

// One combination: a mode per contact and, for slip, the direction of u_T.
struct Combination {
  std::vector<Mode> mode;
  std::vector<Eigen::Vector2d> direction;  // plane: (+-1, 0)
};

class ModeEnumeration {
 public:
  ModeEnumeration(const FrictionProblem& problem, const FrictionEnumerationOptions& options)
      : problem_(problem), options_(options), W_(dense_delassus(problem)), d_(problem.dimension) {}

  FrictionResult run();

 private:
  // r of a combination with given slip directions; false when the linear system is inconsistent.
  bool reaction_of(const Combination& combination, Eigen::VectorXd& r);
  // Tangential velocity across the slip directions: zero at a solution (space only).
  bool cross_slip(Combination& combination, const Eigen::VectorXd& angles, Eigen::VectorXd& g,
                  Eigen::VectorXd& r);
  void search_directions(Combination combination, const std::vector<int>& slipping);
  void plane(Combination& combination, int contact);
  void space(Combination& combination, int contact);
  void keep(const Eigen::VectorXd& r);

  const FrictionProblem& problem_;
  FrictionEnumerationOptions options_;
  Eigen::MatrixXd W_;
  int d_;
  bool is_singular_ = false;   // the combination looked at last
  bool has_singular_ = false;  // some consistent combination was: no proof that nothing is left out
  long tried_ = 0;
  std::vector<Eigen::VectorXd> solutions_;
};

bool ModeEnumeration::reaction_of(const Combination& combination, Eigen::VectorXd& r) {
  // r = B x: one column per unknown; rows of the equations: u = 0 (stick), u_N = 0 (slip).
  const int nc = problem_.contacts();
  int unknowns = 0;
  for (const Mode mode : combination.mode)
    unknowns += mode == Mode::stick ? d_ : mode == Mode::slip ? 1 : 0;
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(d_ * nc, unknowns), rows = B;
  int at = 0;
  for (int i = 0; i < nc; ++i) {
    if (combination.mode[i] == Mode::stick)
      for (int a = 0; a < d_; ++a, ++at) B(d_ * i + a, at) = rows(d_ * i + a, at) = 1.0;
    if (combination.mode[i] == Mode::slip) {
      B(d_ * i, at) = rows(d_ * i, at) = 1.0;
      for (int a = 1; a < d_; ++a)
        B(d_ * i + a, at) = -problem_.mu(i) * combination.direction[i](a - 1);
      ++at;
    }
  }
  ++tried_;
  r = Eigen::VectorXd::Zero(d_ * nc);
  is_singular_ = false;
  if (unknowns == 0) return true;
  const Eigen::MatrixXd A = rows.transpose() * W_ * B;
  const Eigen::VectorXd b = -rows.transpose() * problem_.q;
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A);
  const Eigen::VectorXd x = solver.solve(b);
  is_singular_ = solver.rank() < unknowns;
  if (is_singular_) {
    if ((A * x - b).norm() > 1e-9 * b.norm()) return false;
    has_singular_ = true;
  }
  r = B * x;
  return r.allFinite();
}

void ModeEnumeration::keep(const Eigen::VectorXd& r) {
  // Slightly negative normal reactions and the like are what the residual measures.
  if (friction_residual(problem_, r).value > options_.tolerance) return;
  // A singular combination holds a whole family of reactions: one for each velocity is enough.
  const double scale = r.norm();
  for (const Eigen::VectorXd& known : solutions_) {
    if ((known - r).norm() <= 1e-7 * std::max(scale, known.norm())) return;
    if (is_singular_ && (W_ * (known - r)).norm() <= 1e-7 * problem_.q.norm()) return;
  }
  solutions_.push_back(r);
}

void ModeEnumeration::plane(Combination& combination, int i) {
  if (i == problem_.contacts()) {
    Eigen::VectorXd r;
    if (reaction_of(combination, r)) keep(r);
    return;
  }
  const auto choose = [&](Mode mode, double sign) {
    combination.mode[i] = mode;
    combination.direction[i] = {sign, 0.0};
    plane(combination, i + 1);
  };
  choose(Mode::open, 0.0);
  choose(Mode::stick, 0.0);
  choose(Mode::slip, 1.0);
  choose(Mode::slip, -1.0);
}

bool ModeEnumeration::cross_slip(Combination& combination, const Eigen::VectorXd& angles,
                             Eigen::VectorXd& g, Eigen::VectorXd& r) {
  int k = 0;
  for (int i = 0; i < problem_.contacts(); ++i)
    if (combination.mode[i] == Mode::slip) {
      combination.direction[i] = {std::cos(angles(k)), std::sin(angles(k))};
      ++k;
    }
  if (!reaction_of(combination, r)) return false;
  const Eigen::VectorXd u = W_ * r + problem_.q;
  g.resize(angles.size());
  k = 0;
  for (int i = 0; i < problem_.contacts(); ++i)
    if (combination.mode[i] == Mode::slip) {
      const Eigen::Vector2d& e = combination.direction[i];
      g(k++) = e(0) * u(3 * i + 2) - e(1) * u(3 * i + 1);
    }
  return true;
}

// Newton's method on the slip angles from a regular grid of starts.
void ModeEnumeration::search_directions(Combination combination, const std::vector<int>& slipping) {
  const int m = static_cast<int>(slipping.size());
  const int per_angle = m <= 1 ? 24 : m == 2 ? 12 : m == 3 ? 6 : 5;
  long starts = 1;
  for (int k = 0; k < m; ++k) starts *= per_angle;
  Eigen::VectorXd angles(m), g, shifted, r, unused;
  for (long start = 0; start < starts; ++start) {
    long rest = start;
    for (int k = 0; k < m; ++k, rest /= per_angle)
      angles(k) = 2.0 * std::numbers::pi * (double(rest % per_angle) + 0.25) / per_angle;
    for (int step = 0; step < 25; ++step) {
      if (!cross_slip(combination, angles, g, r) || g.norm() <= 1e-14 * problem_.q.norm()) break;
      Eigen::MatrixXd J(m, m);
      constexpr double h = 1e-7;
      bool is_regular = true;
      for (int k = 0; k < m && is_regular; ++k) {
        Eigen::VectorXd moved = angles;
        moved(k) += h;
        is_regular = cross_slip(combination, moved, shifted, unused);
        J.col(k) = (shifted - g) / h;
      }
      if (!is_regular) break;
      Eigen::VectorXd change = -J.fullPivLu().solve(g);
      if (!change.allFinite()) break;
      const double largest = change.cwiseAbs().maxCoeff();
      if (largest > 0.5) change *= 0.5 / largest;
      angles += change;
      if (largest < 1e-15) break;
    }
    if (cross_slip(combination, angles, g, r)) keep(r);
  }
}

void ModeEnumeration::space(Combination& combination, int i) {
  if (i < problem_.contacts()) {
    for (const Mode mode : {Mode::open, Mode::stick, Mode::slip}) {
      combination.mode[i] = mode;
      space(combination, i + 1);
    }
    return;
  }
  std::vector<int> slipping;
  for (int k = 0; k < problem_.contacts(); ++k)
    if (combination.mode[k] == Mode::slip) slipping.push_back(k);
  Eigen::VectorXd r;
  if (!slipping.empty())
    search_directions(combination, slipping);
  else if (reaction_of(combination, r))
    keep(r);
}

FrictionResult ModeEnumeration::run() {
  Combination combination{
      std::vector<Mode>(problem_.contacts(), Mode::open),
      std::vector<Eigen::Vector2d>(problem_.contacts(), Eigen::Vector2d::Zero())};
  if (d_ == 2)
    plane(combination, 0);
  else
    space(combination, 0);
  FrictionResult result;
  result.iterations = tried_;
  result.solutions = solutions_;
  result.reaction = solutions_.empty() ? Eigen::VectorXd(Eigen::VectorXd::Zero(problem_.q.size()))
                                       : solutions_.front();
  certify(problem_, options_.tolerance, result);
  if (solutions_.empty())
    result.status = d_ == 2 && !has_singular_ ? FrictionStatus::unsolvable : FrictionStatus::limit;
  if (solutions_.size() > 1) result.flags.emplace_back("not-unique");
  return result;
}

}  // namespace

bool is_enumerable(const FrictionProblem& problem, const FrictionEnumerationOptions& options) {
  return problem.contacts() <=
         (problem.dimension == 2 ? options.planar_limit : options.spatial_limit);
}

FrictionResult enumerate_friction(const FrictionProblem& problem,
                                  const FrictionEnumerationOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FrictionResult result;
  if (is_enumerable(problem, options)) {
    result = ModeEnumeration(problem, options).run();
  } else {
    result.reaction = Eigen::VectorXd::Zero(problem.q.size());
    certify(problem, options.tolerance, result);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace clack
