// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/poisson.hpp"

#include <numeric>

#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/contact/friction_of.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// The problem of compression: the free velocities and no restitution.
void compression_problem(const ImpactProblem& problem, const Delassus& delassus,
                         const FreeMotion& free, std::vector<int>& contacts,
                         FrictionProblem& phase) {
  contacts.resize(problem.contacts());
  std::iota(contacts.begin(), contacts.end(), 0);
  fill_friction_problem(delassus, free.contact, free.scale, contacts, phase);
  for (const int i : contacts) phase.mu[i] = problem.materials[i].dynamic_friction;
}

/// Expansion: what compression stored is given back, `restored` = (eps_N L_NC, e L_TC) contact by
/// contact; the unknowns are L_NP and D.
void expansion_problem(const ImpactProblem& problem, const FrictionProblem& compression,
                       const Eigen::VectorXd& compressed, Eigen::VectorXd& restored,
                       FrictionProblem& phase) {
  const int c = problem.contacts();
  phase = compression;
  restored.resize(2 * c);
  phase.offset.resize(c);
  for (int i = 0; i < c; ++i) {
    const ContactMaterial& material = problem.materials[i];
    const double returned =
        material.reversibility * material.tangential_restitution * material.restitution;
    restored[2 * i] = material.restitution * compressed[2 * i];
    restored[2 * i + 1] = returned * compressed[2 * i + 1];
    phase.offset[i] = std::max(
        0.0, material.dynamic_friction * (material.restitution - returned) * compressed[2 * i]);
  }
  add_motion(compression, compressed, phase.q);
  add_motion(compression, restored, phase.q);
}

struct Workspace {
  LemkeSolver solver;
  Delassus delassus;
  FreeMotion free;
  FrictionProblem compressing, expanding;
  std::vector<int> contacts;
  std::vector<ComplementarityPair> pairs = std::vector<ComplementarityPair>(2);
};

struct Phase {
  FrictionResult answer;
  bool is_by_lemke = true, is_inexact = false;
  bool is_solved() const { return has_answer(answer.status); }
};

double entry(const FrictionProblem& problem, int row, int column) {
  const auto first = problem.column.begin() + problem.row_start[row / 2];
  const auto last = problem.column.begin() + problem.row_start[row / 2 + 1];
  const auto found = std::lower_bound(first, last, column / 2);
  if (found == last || *found != column / 2) return 0.0;
  return problem.values[(found - problem.column.begin()) * 4 + (row % 2) * 2 + column % 2];
}

/// Rows in which impulses act are linearly dependent: the motion does not determine the impulses.
/// Cholesky row by row, in place of a copy that never leaves the stack for up to eight contacts.
bool is_dependent(const FrictionProblem& problem, const FrictionResult& answer) {
  constexpr int most = 16;
  const int c = problem.contacts();
  if (2 * c > most) return true;  // let the general method decide
  const double zero = contact_tolerances.motion * problem.scale;
  std::array<int, most> rows;
  int n = 0;
  for (int i = 0; i < c; ++i) {
    const bool is_closed = answer.velocity[2 * i] <= zero;
    if (is_closed) rows[n++] = 2 * i;
    const bool has_friction =
        problem.has_tangent_law(i) && (is_closed || problem.offset_of(i) > 0.0);
    if (has_friction && std::abs(answer.velocity[2 * i + 1]) <= zero) rows[n++] = 2 * i + 1;
  }
  std::array<std::array<double, most>, most> factor;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double rest = entry(problem, rows[i], rows[j]);
      for (int k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k];
      if (j < i) {
        factor[i][j] = rest / factor[j][j];
        continue;
      }
      if (!(rest > contact_tolerances.rank * entry(problem, rows[i], rows[i]))) return true;
      factor[i][i] = std::sqrt(rest);
    }
  return false;
}

/// Lemke ended on a ray, or its answer is not believed: sweeps, second-order steps and enumeration.
/// The matrix of a phase is copositive, so a solution exists unless something moves as prescribed and
/// presses upon contacts that hold each other: only then is "none" believed, else it was not found.
void solve_otherwise(const FrictionProblem& problem, bool may_have_none, Phase& phase) {
  const long pivots = phase.answer.iterations;
  phase.is_by_lemke = false;
  phase.answer = solve_friction(problem, run_friction_options());
  phase.answer.velocity = contact_velocity(problem, phase.answer.reaction);
  phase.answer.iterations += pivots;
  phase.is_inexact =
      !phase.is_solved() && phase.answer.residual <= contact_tolerances.inexact_impulse;
  if (phase.is_inexact)
    phase.answer.status = SolveStatus::solved;
  else if (phase.answer.status == SolveStatus::none_exists && !may_have_none)
    phase.answer.status = SolveStatus::not_converged;
}

/// Surfaces, joints or impulses from outside move something whatever the contacts do.
bool is_prescribed(const ImpactProblem& problem) {
  const auto moves = [](const Eigen::VectorXd& speeds) {
    return speeds.size() > 0 && !speeds.isZero(0.0);
  };
  return moves(problem.normal_surface_velocity) || moves(problem.tangent_surface_velocity) ||
         moves(problem.bilateral_velocity);
}

Phase solve_phase(const FrictionProblem& problem, bool may_have_none, LcpSize size,
                  LemkeSolver& solver) {
  Phase phase;
  // What compression has left of an approach is rounding and nothing to push against.
  const bool is_expansion = problem.offset.size() > 0;
  const double zero = is_expansion ? 0.1 * contact_tolerances.motion * problem.scale : 0.0;
  bool needs_impulse = false;
  for (int i = 0; i < problem.contacts(); ++i)
    needs_impulse = needs_impulse || problem.q[2 * i] < -zero || problem.offset_of(i) > 0.0;
  if (!needs_impulse) {
    phase.answer.reaction = Eigen::VectorXd::Zero(problem.unknowns());
    phase.answer.velocity = problem.q;
    phase.answer.status = SolveStatus::solved;
    return phase;
  }
  phase.answer = solve_planar_lcp(problem, size, solver);
  if (!phase.is_solved() && size == LcpSize::compact)
    phase.answer = solve_planar_lcp(problem, LcpSize::full, solver);
  if (!phase.is_solved()) solve_otherwise(problem, may_have_none, phase);
  if (phase.is_solved() && is_dependent(problem, phase.answer)) {
    const Word word = word_of(problem, phase.answer);
    if (auto smallest = solve_word(problem, word, ForceNorm::kinetic);
        smallest && smallest->is_hyperstatic && smallest->residual <= contact_tolerances.residual) {
      smallest->iterations = phase.answer.iterations;
      phase.answer = std::move(*smallest);
    }
  }
  return phase;
}

/// In parts of the motion before the impact, q of compression: what compression leaves of it may be rounding only, and
/// whatever expansion misses of that is rounding, too.
double residual_of(const FrictionProblem& compressing, const FrictionProblem& phase,
                   const FrictionResult& answer) {
  const double residual = friction_residual(phase, answer.reaction).value,
               before = compressing.q.norm(), own = phase.q.isZero(0.0) ? 1.0 : phase.q.norm();
  return own < before ? residual * (own / before) : residual;
}

/// Every second number: normal parts (0) or tangential ones (1).
auto parts(const Eigen::VectorXd& by_contact, int first) {
  return Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<2>>(by_contact.data() + first,
                                                                     by_contact.size() / 2);
}

void fill_pair(const FrictionProblem& problem, const FrictionResult& answer,
               ComplementarityPair& pair) {
  pair.normal_impulse = parts(answer.reaction, 0);
  pair.normal_motion = parts(answer.velocity, 0);
  pair.tangent_impulse = parts(answer.reaction, 1);
  pair.tangent_motion = parts(answer.velocity, 1);
  pair.tangent_bound = problem.mu.cwiseProduct(pair.normal_impulse);
  if (problem.offset.size() > 0) pair.tangent_bound += problem.offset;
}

/// Rows A, C, E: relative velocities and impulses so far, per contact.
void record_history(const ImpactProblem& problem, const Eigen::VectorXd& free_motion,
                    const Phase& compression, const Phase& expansion, ImpactResult& result) {
  ImpactHistory& history = result.history;
  history.columns.emplace_back("phase");
  for (const auto& name : problem.names)
    for (const char* quantity : {"gap_rate_", "slip_", "normal_impulse_", "tangent_impulse_"})
      history.columns.push_back(quantity + name);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(free_motion.size());
  Eigen::VectorXd total(free_motion.size());
  for (int i = 0; i < problem.contacts(); ++i)
    total.segment(2 * i, 2) << result.normal_impulse[i], result.tangent_impulse[i];
  const auto add = [&](double phase, const Eigen::VectorXd& motion,
                       const Eigen::VectorXd& impulse) {
    std::vector<double> row = {phase};
    for (int i = 0; i < problem.contacts(); ++i)
      row.insert(row.end(), {motion[2 * i], motion[2 * i + 1], impulse[2 * i], impulse[2 * i + 1]});
    history.rows.push_back(row);
  };
  add(0.0, free_motion, none);
  add(1.0, compression.answer.velocity, compression.answer.reaction);
  add(2.0, expansion.answer.velocity, total);
}

}  // namespace

ImpactLawPart PoissonLaw::part() {
  ImpactLawPart part;
  part.name = "poisson";
  part.help = "restitution as a ratio of impulses, compression and expansion; Coulomb friction";
  part.needs.plane = true;
  part.options = {lcp_size_option()};
  part.make = [](const OptionValues& values) {
    return std::make_unique<PoissonLaw>(values.chosen<LcpSize>("lcp_size"));
  };
  return part;
}

std::optional<int> PoissonLaw::count_solutions(const ImpactProblem& problem) const {
  return count_poisson_solutions(problem);
}

ImpactResult PoissonLaw::resolve(const ImpactProblem& problem) const {
  // Memory only: every impact starts afresh, so answers do not depend on earlier ones. Kept per
  // thread because allocating it would cost a third of an impact.
  static thread_local Workspace workspace;
  auto& [solver, delassus, free, compressing, expanding, contacts, pairs] = workspace;
  make_delassus(problem, problem.options.rank_cutoff, delassus);
  free_velocity(delassus, problem, free);
  compression_problem(problem, delassus, free, contacts, compressing);
  const bool may_have_none = is_prescribed(problem);
  const Phase compression = solve_phase(compressing, may_have_none, size_, solver);
  Eigen::VectorXd restored;
  expansion_problem(problem, compressing, compression.answer.reaction, restored, expanding);
  const Phase expansion = solve_phase(expanding, may_have_none, size_, solver);
  const int c = problem.contacts();
  Eigen::VectorXd total(2 * c);  // rows as in Delassus
  for (int i = 0; i < c; ++i)
    for (int a = 0; a < 2; ++a)
      total[a * c + i] = compression.answer.reaction[2 * i + a] + restored[2 * i + a] +
                         expansion.answer.reaction[2 * i + a];

  ImpactResult result;
  apply_impulses(problem, delassus, free, total, result);
  fill_pair(compressing, compression.answer, pairs[0]);
  fill_pair(expanding, expansion.answer, pairs[1]);
  const double first = residual_of(compressing, compressing, compression.answer),
               second = residual_of(compressing, expanding, expansion.answer);
  result.certificate.residual = second <= first ? first : second;
  complete_impact(problem, free.contact, pairs, result);
  result.iterations = static_cast<int>(compression.answer.iterations + expansion.answer.iterations);
  if (compression.answer.is_hyperstatic || expansion.answer.is_hyperstatic)
    add_flag(result.flags, "hyperstatic");
  if (!compression.is_by_lemke || !expansion.is_by_lemke)
    result.notes.emplace_back("Lemke ended without a solution; other methods were asked");
  if (compression.is_inexact || expansion.is_inexact) add_flag(result.flags, "inexact-impulse");
  if (!compression.is_solved() || !expansion.is_solved()) {
    const bool is_none = compression.answer.status == SolveStatus::none_exists;
    result.status = is_none ? SolveStatus::none_exists : SolveStatus::not_converged;
    add_flag(result.flags, is_none ? "no-solution" : "not-converged");
  }
  if (problem.options.record_history)
    record_history(problem, compressing.q, compression, expansion, result);
  return result;
}

std::optional<int> count_poisson_solutions(const ImpactProblem& problem) {
  if (problem.contacts() > contact_tolerances.counted_contacts) return std::nullopt;
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_velocity(delassus, problem);
  FrictionProblem compressing, expanding;
  std::vector<int> contacts;
  compression_problem(problem, delassus, free, contacts, compressing);
  std::vector<Eigen::VectorXd> motions;
  for (const WordAnswer& first :
       distinct_answers(compressing, solve_all_words(compressing, ForceNorm::kinetic).answers)) {
    Eigen::VectorXd restored;
    expansion_problem(problem, compressing, first.reaction, restored, expanding);
    for (const WordAnswer& second :
         distinct_answers(expanding, solve_all_words(expanding, ForceNorm::kinetic).answers)) {
      const bool is_known = std::any_of(motions.begin(), motions.end(), [&](const auto& motion) {
        return motion.size() == 0 || (motion - second.velocity).cwiseAbs().maxCoeff() <=
                                         contact_tolerances.distinct * free.scale;
      });
      if (!is_known) motions.push_back(second.velocity);
    }
  }
  return number_of(motions);
}

}  // namespace clack
