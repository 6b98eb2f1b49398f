// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/chain_options.hpp"
#include "clack/impact/closed_form_impact.hpp"
#include "clack/impact/law.hpp"

namespace clack {

/// What is said of a zero row, which takes no part. `row` counts the bilateral rows first, then
/// `contacts`.
std::string zero_row_note(const ImpactProblem& problem, const std::vector<int>& contacts, int row);

/// Thresholds of the law, speeds as parts of the largest one.
struct ProjectionLawTolerances {
  double separating = 1e-9;     // a larger gap rate separates and takes no part
  double least_squares = 1e-9;  // a larger part of restitution out of reach is reported
};

enum class RestitutionMode { unilateral, closed_form };
enum class InconsistentPolicy { error, allow, project };  // closed form

struct ProjectionLawOptions {
  RestitutionMode mode = RestitutionMode::unilateral;
  InconsistentPolicy inconsistent = InconsistentPolicy::error;
  bool simultaneous = true;
  int max_events =
      standard_max_events;  // stages of one impact before the rest is completed plastically
};

/// Law `projection`, frictionless. Rows: bilateral ones and the contacts that do not separate.
///
/// `mode: unilateral` (default), unique v+ also for dependent rows:
///
///   0 <= i_i _|_ (A v+)_i + e_i (A v-)_i >= 0
///   T+ - T- = -1/2 sum i_i (1 - e_i) |A v-|_i <= 0    whatever the restitutions
///
/// Rows that contradict each other (a pinched body) have no answer. A contact that separated before
/// and approaches afterwards is hit in a following stage.
///
/// `mode: closed-form` (the paper's): the formulas above; negative impulses and energy gains are
/// flagged. Restitutions that can raise the energy are an error that names t_max and the nearest
/// consistent ones (`inconsistent: error`), are used as they are (`allow`) or replaced by the
/// nearest ones (`project`).
///
/// `simultaneous: false`: one contact at a time, the fastest approaching first, until none
/// approaches.
class ProjectionLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part();
  explicit ProjectionLaw(const ProjectionLawOptions& options = {},
                         const ProjectionLawTolerances& tolerances = {})
      : options_(options), tolerances_(tolerances) {}
  std::string_view name() const override { return "projection"; }
  ImpactResult resolve(const ImpactProblem& problem) const override;

 private:
  ProjectionLawOptions options_;
  ProjectionLawTolerances tolerances_;
};

}  // namespace clack
