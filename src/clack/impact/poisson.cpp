#include "clack/impact/poisson.hpp"

#include "clack/contact/planar_friction.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

/// The problem of compression: the free velocities and no restitution.
void compression_problem(const ImpactProblem& problem, const Delassus& delassus,
                         const FreeMotion& free, PlanarFriction& phase) {
  phase.G = delassus.matrix;
  phase.b = free.contact;
  phase.scale = free.scale;
  phase.dynamic_friction.resize(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i)
    phase.dynamic_friction[i] = problem.materials[static_cast<std::size_t>(i)].dynamic_friction;
  phase.static_friction = phase.dynamic_friction;
}

/// Expansion: what compression stored is given back, `restored` = (eps_N L_NC, e L_TC); the
/// unknowns are L_NP and D.
void expansion_problem(const ImpactProblem& problem, const PlanarFriction& compression,
                       const Eigen::VectorXd& compressed, Eigen::VectorXd& restored,
                       PlanarFriction& phase) {
  const int c = problem.contacts();
  phase.G = compression.G;
  phase.dynamic_friction = compression.dynamic_friction;
  phase.static_friction = compression.static_friction;
  phase.scale = compression.scale;
  restored.resize(2 * c);
  phase.offset.resize(c);
  for (int i = 0; i < c; ++i) {
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    const double returned =
        material.reversibility * material.tangential_restitution * material.restitution;
    restored[i] = material.restitution * compressed[i];
    restored[c + i] = returned * compressed[c + i];
    phase.offset[i] = std::max(
        0.0, material.dynamic_friction * (material.restitution - returned) * compressed[i]);
  }
  phase.b = compression.b;
  phase.b.noalias() += compression.G * compressed;
  phase.b.noalias() += compression.G * restored;
}

struct Workspace {
  LemkeSolver solver;
  Delassus delassus;
  FreeMotion free;
  PlanarFriction compressing, expanding;
  std::vector<ComplementarityPair> pairs = std::vector<ComplementarityPair>(2);
};

struct Phase {
  PlanarAnswer answer;
  bool is_hyperstatic = false;
  bool is_enumerated = false;
  bool is_solved = true;
};

/// Rows in which impulses act are linearly dependent: the motion does not determine the impulses.
/// Cholesky row by row, in place of a copy that never leaves the stack for up to eight contacts.
bool is_dependent(const PlanarFriction& problem, const PlanarAnswer& answer) {
  constexpr int most = 16;
  const int c = problem.contacts();
  if (2 * c > most) return true;  // let the general method decide
  const double zero = contact_tolerances.motion * problem.scale;
  std::array<int, most> rows;
  int n = 0;
  for (int i = 0; i < c; ++i) {
    const bool is_closed = answer.motion[i] <= zero;
    if (is_closed) rows[static_cast<std::size_t>(n++)] = i;
    const bool has_friction =
        problem.has_tangent_law(i) && (is_closed || problem.offset_of(i) > 0.0);
    if (has_friction && std::abs(answer.motion[c + i]) <= zero)
      rows[static_cast<std::size_t>(n++)] = c + i;
  }
  std::array<std::array<double, most>, most> factor;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = problem.G(rows[i], rows[j]);
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k];
      if (j < i) {
        factor[i][j] = rest / factor[j][j];
        continue;
      }
      if (!(rest > contact_tolerances.rank * problem.G(rows[i], rows[i]))) return true;
      factor[i][i] = std::sqrt(rest);
    }
  return false;
}

Phase solve_phase(const PlanarFriction& problem, LcpSize size, LemkeSolver& solver) {
  Phase phase;
  const int c = problem.contacts();
  bool needs_impulse = false;
  for (int i = 0; i < c; ++i)
    needs_impulse = needs_impulse || problem.b[i] < 0.0 || problem.offset_of(i) > 0.0;
  if (!needs_impulse) {
    phase.answer.force = Eigen::VectorXd::Zero(2 * c);
    phase.answer.motion = problem.b;
    return phase;
  }
  auto answer = solve_planar_lcp(problem, size, solver);
  if (!answer && size == LcpSize::compact)
    answer = solve_planar_lcp(problem, LcpSize::full, solver);
  if (answer) {
    phase.answer = std::move(*answer);
  } else {
    phase.is_enumerated = true;
    phase.is_solved = false;
    if (c <= contact_tolerances.fallback_contacts) {
      auto answers = distinct_answers(problem, solve_all_words(problem, ForceNorm::kinetic));
      phase.is_solved = !answers.empty();
      if (phase.is_solved) phase.answer = answers.front();
    }
    if (!phase.is_solved) {
      phase.answer.force = Eigen::VectorXd::Zero(2 * c);
      phase.answer.motion = problem.b;
      phase.answer.residual = planar_residual(problem, phase.answer.force);
      return phase;
    }
  }
  if (is_dependent(problem, phase.answer)) {
    const Word word = word_of(problem, phase.answer);
    if (auto smallest = solve_word(problem, word, ForceNorm::kinetic);
        smallest && smallest->is_hyperstatic) {
      const int iterations = phase.answer.iterations;
      phase.answer = std::move(*smallest);
      phase.answer.iterations = iterations;
      phase.is_hyperstatic = true;
    }
  }
  return phase;
}

void fill_pair(const PlanarFriction& problem, const PlanarAnswer& answer,
               ComplementarityPair& pair) {
  const Eigen::Index c = problem.contacts();
  pair.normal_impulse = answer.force.head(c);
  pair.normal_motion = answer.motion.head(c);
  pair.tangent_impulse = answer.force.tail(c);
  pair.tangent_motion = answer.motion.tail(c);
  pair.tangent_bound = problem.dynamic_friction.cwiseProduct(pair.normal_impulse);
  if (problem.offset.size() > 0) pair.tangent_bound += problem.offset;
}

/// Rows A, C, E: relative velocities and impulses so far, per contact.
void record_history(const ImpactProblem& problem, const Eigen::VectorXd& free_motion,
                    const Phase& compression, const Phase& expansion, const Eigen::VectorXd& total,
                    ImpactResult& result) {
  const int c = problem.contacts();
  ImpactHistory& history = result.history;
  history.columns.emplace_back("phase");
  for (const auto& name : problem.names)
    for (const char* quantity : {"gap_rate_", "slip_", "normal_impulse_", "tangent_impulse_"})
      history.columns.push_back(quantity + name);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(2 * c);
  const auto add = [&](double phase, const Eigen::VectorXd& motion,
                       const Eigen::VectorXd& impulse) {
    std::vector<double> row = {phase};
    for (int i = 0; i < c; ++i)
      row.insert(row.end(), {motion[i], motion[c + i], impulse[i], impulse[c + i]});
    history.rows.push_back(std::move(row));
  };
  add(0.0, free_motion, none);
  add(1.0, compression.answer.motion, compression.answer.force);
  add(2.0, expansion.answer.motion, total);
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
  auto& [solver, delassus, free, compressing, expanding, pairs] = workspace;
  make_delassus(problem, problem.options.rank_cutoff, delassus);
  free_velocity(delassus, problem, free);
  compression_problem(problem, delassus, free, compressing);
  const Phase compression = solve_phase(compressing, size_, solver);
  Eigen::VectorXd restored;
  expansion_problem(problem, compressing, compression.answer.force, restored, expanding);
  const Phase expansion = solve_phase(expanding, size_, solver);
  const Eigen::VectorXd total = compression.answer.force + restored + expansion.answer.force;

  ImpactResult result;
  apply_impulses(problem, delassus, free, total, result);
  fill_pair(compressing, compression.answer, pairs[0]);
  fill_pair(expanding, expansion.answer, pairs[1]);
  complete_impact(problem, free.contact, pairs, result);
  result.certificate.residual = std::max(compression.answer.residual, expansion.answer.residual);
  result.iterations = compression.answer.iterations + expansion.answer.iterations;
  if (compression.is_hyperstatic || expansion.is_hyperstatic) add_flag(result.flags, "hyperstatic");
  if (compression.is_enumerated || expansion.is_enumerated)
    result.notes.emplace_back("Lemke ended without a solution; contact states were enumerated");
  if (!compression.is_solved || !expansion.is_solved) {
    result.outcome = Outcome::no_solution;
    add_flag(result.flags, "not-converged");
  }
  if (problem.options.record_history)
    record_history(problem, free.contact, compression, expansion, total, result);
  return result;
}

std::optional<int> count_poisson_solutions(const ImpactProblem& problem) {
  if (problem.contacts() > contact_tolerances.counted_contacts) return std::nullopt;
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_velocity(delassus, problem);
  PlanarFriction compressing, expanding;
  compression_problem(problem, delassus, free, compressing);
  std::vector<Eigen::VectorXd> motions;
  for (const WordAnswer& first :
       distinct_answers(compressing, solve_all_words(compressing, ForceNorm::kinetic))) {
    Eigen::VectorXd restored;
    expansion_problem(problem, compressing, first.force, restored, expanding);
    for (const WordAnswer& second :
         distinct_answers(expanding, solve_all_words(expanding, ForceNorm::kinetic))) {
      const bool is_known = std::any_of(motions.begin(), motions.end(), [&](const auto& motion) {
        return motion.size() == 0 || (motion - second.motion).cwiseAbs().maxCoeff() <=
                                         contact_tolerances.distinct * free.scale;
      });
      if (!is_known) motions.push_back(second.motion);
    }
  }
  return static_cast<int>(motions.size());
}

}  // namespace clack
