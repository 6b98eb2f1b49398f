#pragma once
#include "clack/impact/law.hpp"
#include "clack/linalg/projector.hpp"

namespace clack {

/// Closed-form impact by oblique projection (P3, eq. 27 and 45; corrections in
/// docs/theories/projection.md):
///
///   v+  = (I - S) v- + S A+ w + M_o^+ i_u              w = wanted A v+;  Newton's law: w = -E A v-
///   i_f = M (v+ - v-) - i_u = A^T i_lambda             unique
///   i_lambda = (A+)^T i_f                              minimum norm; unique for independent rows
///
/// For w = -E A v- this is  v+ = v- - S (I + A+ E A) v- + M_o^+ i_u,  with one global e:  v- - (1 +
/// e) S v- + M_o^+ i_u. All rows are equalities: impulses may come out negative. Dependent rows
/// that cannot all have what they want share the error in least squares; `unreachable` is its
/// largest entry.
struct [[nodiscard]] ClosedFormImpact {
  Projector projector;
  Eigen::VectorXd velocity;             // n
  Eigen::VectorXd generalised_impulse;  // n, N s: i_f
  Eigen::VectorXd row_impulses;         // m: i_lambda
  double unreachable = 0.0;             // m/s: |(I - A A+) w|_inf
};
/// `jacobian` m x n, `wanted` m, `external_impulse` n or empty.
ClosedFormImpact project_impact(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                                const Eigen::Ref<const Eigen::VectorXd>& velocity_before,
                                const Eigen::Ref<const Eigen::VectorXd>& wanted,
                                const Eigen::Ref<const Eigen::VectorXd>& external_impulse,
                                const ProjectorOptions& options = {});

/// What is said of a zero row, which takes no part. `row` counts the bilateral rows first, then
/// `contacts`.
std::string zero_row_note(const ImpactProblem& problem, const std::vector<int>& contacts, int row);

/// Thresholds of the law.
struct ProjectionLawTolerances {
  double separating =
      1e-9;  // a gap rate above this part of the largest speed separates and takes no part
  double least_squares =
      1e-9;  // unreachable restitution above this part of the largest speed is reported
};

enum class RestitutionMode { unilateral, closed_form };
enum class InconsistentPolicy { error, allow, project };  // closed form

struct ProjectionLawOptions {
  RestitutionMode mode = RestitutionMode::unilateral;
  InconsistentPolicy inconsistent = InconsistentPolicy::error;
  bool simultaneous = true;
  int max_events = 200;  // stages of one impact before the rest is completed plastically
};

/// Law `projection`, frictionless. Rows: bilateral ones and the contacts that do not separate.
///
/// `mode: unilateral` (default): 0 <= i_i _|_ (A v+)_i + e_i (A v-)_i >= 0. Unique v+ also for
/// dependent rows, and
///   T+ - T- = -1/2 sum i_i (1 - e_i) |A v-|_i <= 0  whatever the restitutions. Rows that
///   contradict each other (a pinched body) have no answer. A contact that separated before and
///   approaches afterwards is hit in a following stage.
/// `mode: closed-form` (the paper's): the formulas above; negative impulses and energy gains are
/// flagged. Restitutions that
///   can raise the energy are an error that names t_max and the nearest consistent ones
///   (`inconsistent: error`), are used as they are (`allow`) or replaced by the nearest ones
///   (`project`).
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
