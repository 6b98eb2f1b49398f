// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/projection.hpp"

#include <Eigen/Cholesky>
#include <numeric>

#include "clack/complementarity/metric_projection.hpp"
#include "clack/contact/circumstances.hpp"
#include "clack/contact/report.hpp"
#include "clack/error.hpp"
#include "clack/impact/approach.hpp"
#include "clack/index.hpp"
#include "clack/linalg/diagonal_contraction.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Rows = ContactRows;

std::string name_of(const ImpactProblem& problem, int i) {
  return i < number_of(problem.names) ? problem.names[i] : std::to_string(i);
}

}  // namespace

std::string zero_row_note(const ImpactProblem& problem, const std::vector<int>& contacts, int row) {
  const int b = problem.bilateral.rows();
  if (row < b)
    return fmt::format("bilateral row {} is zero: it holds nothing and was left out", row + 1);
  return fmt::format("contact {}: its normal row is zero: nothing can move it, it was left out",
                     name_of(problem, contacts[row - b]));
}

namespace {

/// One impact on some of the contacts.
struct Stage {
  SolveStatus status = SolveStatus::solved;
  std::string reason;          // why it is not
  VectorXd velocity;           // n
  VectorXd normal_impulse;     // c
  VectorXd bilateral_impulse;  // b
  std::vector<ComplementarityPair> pairs;
  int sets = 0;
};

/// Newton's law per row: wanted J v+ = surface - e (J v- - surface); a separating row wants only
/// not to approach.
VectorXd wanted_rates(const ImpactProblem& problem, const VectorXd& v, const Rows& rows,
                      const VectorXd& restitution) {
  const VectorXd rates = problem.gap_rates(v);
  VectorXd wanted(number_of(rows));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int i = rows[k];
    const double surface =
        problem.normal_surface_velocity.size() > 0 ? problem.normal_surface_velocity[i] : 0.0;
    wanted[k] = surface - restitution[i] * std::min(rates[i], 0.0);
  }
  return wanted;
}

VectorXd bilateral_wanted(const ImpactProblem& problem) {
  return problem.bilateral_velocity.size() > 0 ? problem.bilateral_velocity
                                               : VectorXd::Zero(problem.bilateral.rows());
}

MatrixXd rows_of(const MatrixXd& jacobian, const Rows& rows, Eigen::Index columns) {
  return rows.empty() ? MatrixXd(0, columns) : MatrixXd(jacobian(rows, Eigen::all));
}

VectorXd restitutions(const ImpactProblem& problem) {
  VectorXd e(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) {
    e[i] = problem.materials[i].restitution;
    if (!(e[i] >= 0.0 && e[i] <= 1.0)) {
      throw InputError(fmt::format("contact {}: restitution is {}, must be in [0, 1]",
                                   name_of(problem, i), e[i]),
                       "", "use 0 for no rebound, 1 for a full one");
    }
  }
  return e;
}

std::string names_of(const ImpactProblem& problem, const Rows& rows) {
  std::string text;
  for (const int i : rows) text += (text.empty() ? "" : ", ") + name_of(problem, i);
  return text;
}

std::string numbers(const VectorXd& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    text += (i > 0 ? ", " : "") + fmt::format("{:.10g}", values[i]);
  return "(" + text + ")";
}

void add_stage(const ImpactProblem& problem, const Stage& stage, const Rows& rows,
               ImpactResult& result) {
  result.velocity = stage.velocity;
  result.normal_impulse += stage.normal_impulse;
  if (stage.bilateral_impulse.size() > 0) result.bilateral_impulse += stage.bilateral_impulse;
  result.iterations += stage.sets;
  ImpactEvent event;
  event.contacts = rows;
  event.velocity = stage.velocity;
  if (!rows.empty()) {
    event.restitution = problem.materials[rows.front()].restitution;
    event.terminal_impulse = stage.normal_impulse[rows.front()];
  }
  result.events.push_back(std::move(event));
}

/// 0 <= i _|_ J v+ - wanted >= 0 on `rows`, equalities on the bilateral rows.
Stage unilateral_stage(const ImpactProblem& problem, const VectorXd& v, const VectorXd& v_free,
                       const Rows& rows, const VectorXd& restitution, ImpactResult& result) {
  MetricProjectionProblem nearest;
  nearest.mass_matrix = problem.mass_matrix;
  nearest.point = v_free;
  nearest.equality_rows = problem.bilateral;
  nearest.equality_values = bilateral_wanted(problem);
  nearest.inequality_rows = rows_of(problem.normal_jacobian, rows, v.size());
  nearest.inequality_values = wanted_rates(problem, v, rows, restitution);
  nearest.rank_cutoff = problem.options.rank_cutoff;
  const MetricProjectionResult found = project_in_metric(nearest);

  Stage stage;
  stage.sets = found.sets;
  stage.status = found.status == MetricProjectionStatus::solved ? SolveStatus::solved
                 : found.status == MetricProjectionStatus::contradictory
                     ? SolveStatus::none_exists
                     : SolveStatus::not_converged;
  stage.velocity = found.point;
  stage.normal_impulse = VectorXd::Zero(problem.contacts());
  stage.bilateral_impulse = found.equality_multipliers;
  ComplementarityPair pair;
  pair.normal_impulse = VectorXd::Zero(problem.contacts());
  pair.normal_motion = VectorXd::Zero(problem.contacts());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Eigen::Index row = k;
    stage.normal_impulse[rows[k]] = found.inequality_multipliers[row];
    pair.normal_impulse[rows[k]] = found.inequality_multipliers[row];
    pair.normal_motion[rows[k]] =
        nearest.inequality_rows.row(row).dot(found.point) - nearest.inequality_values[row];
  }
  stage.pairs.push_back(std::move(pair));
  if (!has_answer(stage.status) && !found.notes.empty()) {
    stage.reason = found.notes.front();
    return stage;
  }
  if (!found.is_unique) add_flag(result.flags, "hyperstatic");
  if (found.is_near_cutoff) add_flag(result.flags, "rank-near-cutoff");
  for (const auto& note : found.notes) result.notes.push_back(note);
  return stage;
}

/// Applies the policy for restitutions that can raise the energy; returns those to use.
VectorXd consistent_restitution(const ImpactProblem& problem, const MatrixXd& contact_rows,
                                const Rows& rows, const VectorXd& restitution,
                                InconsistentPolicy policy, ImpactResult& result) {
  const VectorXd e = rows.empty() ? VectorXd() : VectorXd(restitution(rows));
  const ContractionFrame frame =
      make_contraction_frame(constrained_root(problem.mass_matrix, problem.bilateral, contact_rows,
                                              problem.options.rank_cutoff),
                             problem.options.rank_cutoff);
  if (rows.empty() || is_contraction(frame, e)) return restitution;
  const double t_max = largest_scale(frame, e).value_or(1.0);
  const NearestContraction nearest = nearest_contraction(frame, e);
  const std::string what = fmt::format(
      "restitution {} at contacts {} is energetically inconsistent: it can add energy; t_max = "
      "{:.10g} (largest factor that "
      "is safe), nearest consistent restitution {}",
      numbers(e), names_of(problem, rows), t_max, numbers(nearest.e));
  switch (policy) {
    case InconsistentPolicy::error:
      throw InputError(what, "",
                       "use mode: unilateral (in a model policies: {projection: unilateral}), or "
                       "other restitutions, or inconsistent: allow (as they are) or project (take "
                       "the nearest)");
    case InconsistentPolicy::allow:
      add_flag(result.flags, "restitution-inconsistent");
      result.is_consistent = false;
      result.notes.push_back(what);
      return restitution;
    case InconsistentPolicy::project: {
      add_flag(result.flags, "restitution-inconsistent");
      result.notes.push_back(what + "; the nearest was used");
      VectorXd used = restitution;
      used(rows) = nearest.e;
      return used;
    }
  }
  return restitution;
}

void flag_negative_impulses(const ImpactProblem& problem, const Rows& rows,
                            const Distribution& found, Eigen::Index b, ImpactResult& result) {
  if (found.is_admissible) return;
  add_flag(result.flags, "negative-impulse");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double impulse = found.multipliers[b + k];
    if (impulse >= 0.0) continue;
    result.notes.push_back(fmt::format(
        "contact {} would have to pull: impulse {:.10g} N s; mode: unilateral lets it separate",
        name_of(problem, rows[k]), impulse));
  }
}

Stage closed_form_stage(const ImpactProblem& problem, const VectorXd& v, const Rows& rows,
                        const VectorXd& given, InconsistentPolicy policy,
                        const ProjectionLawTolerances& tolerances, ImpactResult& result) {
  const Eigen::Index n = v.size(), b = problem.bilateral.rows(), u = number_of(rows);
  const MatrixXd contact_rows = rows_of(problem.normal_jacobian, rows, n);
  const VectorXd restitution =
      consistent_restitution(problem, contact_rows, rows, given, policy, result);
  MatrixXd jacobian(b + u, n);
  if (b > 0) jacobian.topRows(b) = problem.bilateral;
  if (u > 0) jacobian.bottomRows(u) = contact_rows;
  VectorXd wanted(b + u);
  wanted << bilateral_wanted(problem), wanted_rates(problem, v, rows, restitution);
  ProjectorOptions options;
  options.rank_cutoff = problem.options.rank_cutoff;
  const ClosedFormImpact impact =
      project_impact(problem.mass_matrix, jacobian, v, wanted, problem.external_impulse, options);

  const double speed = largest_rate(problem, v);
  if (impact.unreachable > tolerances.least_squares * speed) {
    add_flag(result.flags, "restitution-least-squares");
    result.notes.push_back(fmt::format(
        "restitution inconsistent with redundant constraints, residual {:.10g}; the error is "
        "shared in least squares of the gap rates (rows from unit normals), mode: unilateral "
        "shares "
        "nothing",
        impact.unreachable));
  }
  if (impact.projector.is_near_cutoff) add_flag(result.flags, "rank-near-cutoff");
  for (const auto& note : impact.projector.notes) result.notes.push_back(note);
  for (const int row : impact.projector.zero_rows)
    result.notes.push_back(zero_row_note(problem, rows, row));

  const double scale =
      std::sqrt(std::max(0.0, v.dot(problem.mass_matrix * v))) +
      std::sqrt(std::max(0.0, impact.velocity.dot(problem.mass_matrix * impact.velocity)));
  const Distribution found =
      distribute_force(problem.mass_matrix, jacobian, b, impact.generalised_impulse, scale,
                       problem.options.rank_cutoff);
  if (!found.is_unique) add_flag(result.flags, "hyperstatic");
  flag_negative_impulses(problem, rows, found, b, result);

  Stage stage;
  stage.sets = 1;
  stage.velocity = impact.velocity;
  stage.normal_impulse = VectorXd::Zero(problem.contacts());
  for (Eigen::Index k = 0; k < u; ++k) stage.normal_impulse[rows[k]] = found.multipliers[b + k];
  stage.bilateral_impulse = found.multipliers.head(b);
  ComplementarityPair pair;
  pair.normal_impulse = stage.normal_impulse;
  pair.normal_motion = VectorXd::Zero(problem.contacts());
  for (Eigen::Index k = 0; k < u; ++k) {
    pair.normal_motion[rows[k]] = jacobian.row(b + k).dot(impact.velocity) - wanted[b + k];
  }
  stage.pairs.push_back(std::move(pair));
  return stage;
}

ImpactResult empty_result(const ImpactProblem& problem) {
  ImpactResult result;
  result.velocity = problem.velocity;
  result.normal_impulse = VectorXd::Zero(problem.contacts());
  result.tangent_impulse = VectorXd::Zero(problem.tangent_jacobian.rows());
  result.bilateral_impulse = VectorXd::Zero(problem.bilateral.rows());
  return result;
}

void report_pinch(const ImpactProblem& problem, const Rows& rows, const Stage& stage,
                  ImpactResult& result) {
  result.status = stage.status;
  const bool is_proved = stage.status == SolveStatus::none_exists;
  add_flag(result.flags, is_proved ? "no-solution" : "not-converged");
  result.notes.push_back(fmt::format("contacts {}{}: {}", names_of(problem, rows),
                                     problem.bilateral.rows() > 0 ? " and the bilateral rows" : "",
                                     stage.reason));
}

void note_zero_rows(const ImpactProblem& problem, ImpactResult& result) {
  const int b = problem.bilateral.rows(), c = problem.contacts();
  Rows all(c);
  std::iota(all.begin(), all.end(), 0);
  for (int row = 0; row < b + c; ++row) {
    const bool is_zero = row < b ? problem.bilateral.row(row).isZero(0.0)
                                 : problem.normal_jacobian.row(row - b).isZero(0.0);
    if (is_zero) result.notes.push_back(zero_row_note(problem, all, row));
  }
}

/// Stages until no contact approaches; the first takes the external impulse and everything that
/// touches.
void run_stages(const ImpactProblem& problem, const VectorXd& restitution,
                const ProjectionLawOptions& options, const ProjectionLawTolerances& tolerances,
                ImpactResult& result, std::vector<ComplementarityPair>& pairs) {
  const double zero =
      tolerances.separating * largest_rate(problem, free_velocity_of(problem, problem.velocity));
  const int limit = options.max_events;
  const bool is_one_by_one = !options.simultaneous;
  VectorXd v = problem.velocity, v_free = free_velocity_of(problem, v);
  for (int stage_number = 0;; ++stage_number) {
    const Rows coming = approaching(problem, v_free, zero);
    const bool is_first = stage_number == 0;
    if (coming.empty() && !is_first) return;
    const bool is_last = stage_number >= limit;
    Rows rows = taking_part(problem, v, v_free, zero);
    if (is_one_by_one && !is_last)
      rows = coming.empty() ? Rows{} : Rows{fastest(problem, v_free, coming)};
    const VectorXd e = is_last ? VectorXd::Zero(restitution.size()) : restitution;
    if (is_last) {
      rows.resize(problem.contacts());
      std::iota(rows.begin(), rows.end(), 0);
      add_flag(result.flags, "chain-completed");
      result.notes.push_back(fmt::format(
          "contacts still approach after {} stages; the rest is resolved without rebound", limit));
    }
    Stage stage = unilateral_stage(problem, v, v_free, rows, e, result);
    if (!has_answer(stage.status)) return report_pinch(problem, rows, stage, result);
    add_stage(problem, stage, rows, result);
    pairs.insert(pairs.end(), stage.pairs.begin(), stage.pairs.end());
    v = v_free = stage.velocity;
    if (is_last) return;
  }
}

constexpr Needs projection_law_needs{.no_friction = true};

}  // namespace

ImpactLawPart ProjectionLaw::part() {
  ImpactLawPart part;
  part.name = "projection";
  part.help = "restitution as a ratio of velocities, oblique projection; redundant contacts";
  part.needs = projection_law_needs;
  part.options = {
      in_model(choice_option("mode", {"unilateral", "closed-form"},
                             "impulses that push only, or all contacts as equalities"),
               OptionSection::policies, "projection"),
      choice_option("inconsistent", {"error", "allow", "project"},
                    "closed form, restitutions that can add energy: refuse them, take them as they "
                    "are, take the nearest that cannot"),
      simultaneous_option(), max_events_option()};
  part.make = [](const OptionValues& values) {
    return std::make_unique<ProjectionLaw>(
        ProjectionLawOptions{.mode = values.chosen<RestitutionMode>("mode"),
                             .inconsistent = values.chosen<InconsistentPolicy>("inconsistent"),
                             .simultaneous = values.is_on("simultaneous"),
                             .max_events = values.count("max_events")});
  };
  return part;
}

ImpactResult ProjectionLaw::resolve(const ImpactProblem& problem) const {
  require_needs(PartKind::impact_law, name(), projection_law_needs, problem);
  require_mass_matrix(problem.mass_matrix);
  const VectorXd restitution = restitutions(problem);
  ImpactResult result = empty_result(problem);
  std::vector<ComplementarityPair> pairs;
  const VectorXd v_free = free_velocity_of(problem, problem.velocity);
  if (options_.mode == RestitutionMode::closed_form && options_.simultaneous) {
    const double zero = tolerances_.separating * largest_rate(problem, v_free);
    const Rows rows = taking_part(problem, problem.velocity, v_free, zero);
    const Stage stage = closed_form_stage(problem, problem.velocity, rows, restitution,
                                          options_.inconsistent, tolerances_, result);
    add_stage(problem, stage, rows, result);
    pairs = stage.pairs;
  } else {
    run_stages(problem, restitution, options_, tolerances_, result, pairs);
    note_zero_rows(problem, result);
  }
  const VectorXd free_motion =
      free_velocity(make_delassus(problem, problem.options.rank_cutoff), problem).contact;
  const bool was_consistent = result.is_consistent;
  complete_impact(problem, free_motion, pairs, result);
  result.is_consistent = result.is_consistent && was_consistent;
  return result;
}

}  // namespace clack
