// SPDX-License-Identifier: Apache-2.0
// clack project PROBLEM.json: projector, constrained motion, closed-form impact and its energy for
// one set of rows.
#include <Eigen/SVD>
#include <nlohmann/json.hpp>
#include <numeric>

#include "clack/complementarity/metric_projection.hpp"
#include "clack/contact/problem_json.hpp"
#include "clack/contact/report.hpp"
#include "clack/energy/restitution_consistency.hpp"
#include "clack/formulation/projection.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/impact/projection.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"
#include "commands.hpp"

namespace clack::command {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::ordered_json;

/// All rows of the document: bilateral first, then contacts in order.
struct Rows {
  MatrixXd jacobian;     // m x n
  VectorXd restitution;  // m, 0 on bilateral rows
  Eigen::Index bilateral = 0;
};

Rows rows_of(const ImpactProblem& problem) {
  Rows rows;
  rows.bilateral = problem.bilateral.rows();
  const Eigen::Index m = rows.bilateral + problem.contacts();
  rows.jacobian.resize(m, problem.speeds());
  rows.restitution = VectorXd::Zero(m);
  if (rows.bilateral > 0) rows.jacobian.topRows(rows.bilateral) = problem.bilateral;
  for (int i = 0; i < problem.contacts(); ++i) {
    rows.jacobian.row(rows.bilateral + i) = problem.normal_jacobian.row(i);
    rows.restitution[rows.bilateral + i] = problem.materials[i].restitution;
  }
  return rows;
}

struct Remarks {
  std::vector<std::string> flags, notes;
};

void add_motion(const ContactProblem& problem, const Rows& rows, const Projector& projector,
                ordered_json& out, Remarks& remarks) {
  VectorXd bias = VectorXd::Zero(rows.jacobian.rows());
  if (problem.bilateral_bias.size() > 0) bias.head(rows.bilateral) = problem.bilateral_bias;
  if (problem.gap_bias.size() > 0) bias.tail(problem.contacts()) = problem.gap_bias;
  const ConstrainedMotion motion =
      project_motion(projector, problem.mass_matrix, rows.jacobian, problem.force, bias);
  out["acceleration"] = to_json_list(motion.acceleration);
  out["constraint_force"] = to_json_list(motion.constraint_force);
  out["multipliers"] = to_json_list(motion.multipliers);
  const double size = bias.size() > 0 ? bias.lpNorm<Eigen::Infinity>() : 0.0;
  if (motion.unreachable > 1e-9 * size) {
    remarks.notes.push_back(
        fmt::format("dependent rows ask for different accelerations (largest difference {:.6g}): "
                    "singular configuration, least squares taken",
                    motion.unreachable));
  }
  for (int i = 0; i < problem.contacts(); ++i) {
    const double force = motion.multipliers[rows.bilateral + i];
    if (force < -1e-11 * motion.multipliers.lpNorm<Eigen::Infinity>()) {
      remarks.notes.push_back(
          fmt::format("contact {} would have to pull with {:.6g} N", problem.names[i], force));
    }
  }
}

VectorXd wanted_of(const ImpactProblem& problem, const Rows& rows, Remarks& remarks) {
  VectorXd wanted = VectorXd::Zero(rows.jacobian.rows());
  if (problem.bilateral_velocity.size() > 0)
    wanted.head(rows.bilateral) = problem.bilateral_velocity;
  const VectorXd rates = problem.gap_rates(problem.velocity);
  const double zero = 1e-9 * (rates.size() > 0 ? rates.lpNorm<Eigen::Infinity>() : 0.0);
  for (int i = 0; i < problem.contacts(); ++i) {
    const Eigen::Index row = rows.bilateral + i;
    wanted[row] = problem.normal_surface_velocity[i] - rows.restitution[row] * rates[i];
    if (rates[i] > zero) {
      remarks.notes.push_back(
          fmt::format("contact {} separates before the impact (gap rate {:.6g}); as a row it is "
                      "held all the same",
                      problem.names[i], rates[i]));
    }
  }
  return wanted;
}

void flag_impact(const ImpactProblem& problem, const Rows& rows, const ClosedFormImpact& impact,
                 double before, double after, Remarks& remarks) {
  const double speed =
      std::max(problem.velocity.size() > 0 ? problem.velocity.lpNorm<Eigen::Infinity>() : 0.0,
               (rows.jacobian * problem.velocity).size() > 0
                   ? (rows.jacobian * problem.velocity).lpNorm<Eigen::Infinity>()
                   : 0.0);
  if (impact.unreachable > 1e-9 * speed) {
    add_flag(remarks.flags, "restitution-least-squares");
    remarks.notes.push_back(
        fmt::format("restitution inconsistent with redundant constraints, residual {:.10g}",
                    impact.unreachable));
  }
  const Distribution signs = distribute_force(
      problem.mass_matrix, rows.jacobian, rows.bilateral, impact.generalised_impulse,
      std::sqrt(2.0 * before) + std::sqrt(2.0 * after), problem.options.rank_cutoff);
  if (!signs.is_admissible) add_flag(remarks.flags, "negative-impulse");
  for (int i = 0; i < problem.contacts() && !signs.is_admissible; ++i) {
    const double impulse = signs.multipliers[rows.bilateral + i];
    if (impulse < 0.0)
      remarks.notes.push_back(
          fmt::format("contact {} would have to pull: impulse {:.10g} N s; clack impact --law "
                      "projection lets it separate (mode: unilateral)",
                      problem.names[i], impulse));
  }
  if (!signs.is_unique) add_flag(remarks.flags, "hyperstatic");
  if (problem.external_impulse.size() == 0 && after > before * (1.0 + 1e-9))
    add_flag(remarks.flags, "energy-gain");
}

void add_impact(const ImpactProblem& problem, const Rows& rows, ordered_json& out,
                Remarks& remarks) {
  const VectorXd wanted = wanted_of(problem, rows, remarks);
  ProjectorOptions options;
  options.rank_cutoff = problem.options.rank_cutoff;
  const ClosedFormImpact impact =
      project_impact(problem.mass_matrix, rows.jacobian, problem.velocity, wanted,
                     problem.external_impulse, options);
  const double before = 0.5 * problem.velocity.dot(problem.mass_matrix * problem.velocity);
  const double after = 0.5 * impact.velocity.dot(problem.mass_matrix * impact.velocity);
  const RestitutionConsistency test = restitution_consistency(problem, problem.options.rank_cutoff);
  VectorXd nearest = rows.restitution;
  nearest.tail(problem.contacts()) = test.nearest;
  out["velocity"] = to_json_list(impact.velocity);
  out["generalized_impulse"] = to_json_list(impact.generalised_impulse);
  out["row_impulses"] = to_json_list(impact.row_impulses);
  out["energy_before"] = before;
  out["energy_after"] = after;
  out["energy_matrix"] = to_json_rows(energy_matrix(problem.mass_matrix, rows.jacobian,
                                                    rows.restitution, problem.options.rank_cutoff));
  out["consistent"] = test.is_consistent;
  out["t_max"] = test.t_max ? ordered_json(*test.t_max) : ordered_json(nullptr);
  out["nearest"] = to_json_list(nearest);
  if (!test.is_consistent) {
    add_flag(remarks.flags, "restitution-inconsistent");
    remarks.notes.push_back(
        "these restitutions can add energy: scale them by t_max or take the nearest ones");
  }
  flag_impact(problem, rows, impact, before, after, remarks);
}

void note_what_is_left_out(const ImpactProblem& problem, const Projector& projector,
                           Remarks& remarks) {
  std::vector<int> all(problem.contacts());
  std::iota(all.begin(), all.end(), 0);
  for (const int row : projector.zero_rows)
    remarks.notes.push_back(zero_row_note(problem, all, row));
  for (std::size_t i = 0; i < problem.materials.size(); ++i) {
    if (problem.materials[i].static_friction > 0.0)
      remarks.notes.push_back(fmt::format(
          "contact {}: its friction is not read, the projection knows none", problem.names[i]));
  }
}

ordered_json answer(const ProblemDocument& document) {
  const ImpactProblem& problem = document.impact;
  const Rows rows = rows_of(problem);
  ProjectorOptions options;
  options.rank_cutoff = problem.options.rank_cutoff;
  const Projector projector = make_projector(problem.mass_matrix, rows.jacobian, options);
  Remarks remarks;
  remarks.notes = projector.notes;
  if (projector.is_near_cutoff) add_flag(remarks.flags, "rank-near-cutoff");
  note_what_is_left_out(problem, projector, remarks);
  ordered_json out;
  out["rank"] = projector.rank;
  out["P"] = to_json_rows(projector.feasible_projector);
  out["S"] = to_json_rows(projector.impact_projector);
  out["condition"] = constraint_inertia_condition(projector);
  out["singular_values"] =
      rows.jacobian.rows() > 0
          ? to_json_list(Eigen::JacobiSVD<MatrixXd>(rows.jacobian).singularValues())
          : ordered_json::array();
  if (document.has_force) add_motion(document.contact, rows, projector, out, remarks);
  if (document.has_restitution) add_impact(problem, rows, out, remarks);
  if (!document.unread_options.empty())
    remarks.notes.push_back("a projection does not read the options " +
                            list_names(document.unread_options));
  out["flags"] = remarks.flags;
  out["notes"] = remarks.notes;
  return out;
}

double largest_in(const ordered_json& value) {
  if (value.is_number()) return std::abs(value.get<double>());
  double largest = 0.0;
  if (!value.is_array()) return largest;
  for (const auto& entry : value) largest = std::max(largest, largest_in(entry));
  return largest;
}

/// Ten digits; what is rounding beside the largest number of its field is 0.
std::string readable(const ordered_json& value, double largest) {
  if (value.is_number()) {
    const double number = value.get<double>();
    return fmt::format("{:.10g}", std::abs(number) < 1e-14 * largest ? 0.0 : number);
  }
  if (!value.is_array() || (!value.empty() && !value.front().is_number()))
    return to_json_text(value, -1);
  std::string text;
  for (const auto& entry : value) text += (text.empty() ? "" : ", ") + readable(entry, largest);
  return "[" + text + "]";
}

void print_text(const ordered_json& out) {
  for (const auto& [key, value] : out.items()) {
    const bool is_matrix = value.is_array() && !value.empty() && value.front().is_array();
    const bool is_sentences = key == "notes";
    const double largest = largest_in(value);
    if (!is_matrix && !is_sentences) {
      fmt::print("{:20} {}\n", key, readable(value, largest));
      continue;
    }
    bool is_first = true;
    for (const auto& row : value) {
      fmt::print("{:20} {}\n", is_first ? key : "",
                 is_sentences ? row.get<std::string>() : readable(row, largest));
      is_first = false;
    }
  }
}

}  // namespace

void add_project(CLI::App& program, int& exit_code) {
  struct Request {
    std::string file;
    bool is_json = false;
  };
  const auto request = std::make_shared<Request>();
  CLI::App* command = program.add_subcommand("project",
                                             "Oblique projector of a set of rows: constrained "
                                             "motion, closed-form impact, energy consistency");
  command
      ->add_option("problem", request->file,
                   "problem document (JSON): mass_matrix, velocity, bilateral, contacts, force")
      ->required();
  command->add_flag("--json", request->is_json, "one JSON document on stdout");
  command->footer(
      "Examples:\n  clack project docs/theories/problems/block.json\n  clack project "
      "docs/theories/problems/three-feet.json --json");
  command->callback([request, &exit_code] {
    const ordered_json out = answer(read_problem_file(
        request->file, {.part = nullptr, .catalogue = catalogue_of(standard_parts())}));
    if (request->is_json) {
      fmt::print("{}\n", to_json_text(out));
    } else {
      print_text(out);
    }
    exit_code = 0;
  });
}

}  // namespace clack::command
