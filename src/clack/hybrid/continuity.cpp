// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/continuity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/model/joint_of.hpp"

namespace clack {

std::vector<Violation> violated_constraints(const NodeTools& tools, const Instant& instant) {
  std::vector<Violation> found;
  const RowSelection rows = instant.mode.rows_with({});
  if (rows.constraints.empty()) return found;
  const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, instant.y.data());
  const double limit = std::max(tools.model.tolerances.penetration * instant.scales.length,
                                joint_drift_limit(tools.model.tolerances, instant.scales));
  // Of rows that vanish at the pose (a flat parallelogram): all that is left is their own rounding.
  const double rounding = hybrid_tolerances.placement_rounding *
                          std::numeric_limits<double>::epsilon() *
                          std::max(1.0, instant.scales.place);
  int row = 0;
  for (const int c : rows.constraints) {
    Violation worst{.constraint = c};
    bool is_violated = false;
    for (int end = row + tools.mechanism.constraint_rows(c); row < end; ++row) {
      const double value = s.constraint_value()[row];
      const double slope = s.constraint_jacobian().row(row).cwiseAbs().sum();
      if (std::abs(value) <= std::max(limit * slope, rounding)) continue;
      is_violated = true;
      if (!(std::abs(value) > std::abs(worst.value))) continue;
      worst.value = value;
      worst.distance = std::abs(value) / slope;
    }
    if (is_violated) found.push_back(worst);
  }
  return found;
}

std::string describe(const Model& model, const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& v : violations) {
    const bool is_joint = joint_of(model, v.constraint) >= 0;
    text += fmt::format("{}{} {} is violated by {:.6g}", text.empty() ? "" : ", ",
                        is_joint ? "joint" : "constraint", model.constraints[v.constraint].name,
                        v.value);
  }
  return text;
}

Placement placed_on_constraints(const NodeTools& tools, const Instant& instant,
                                const ContactSet& contacts) {
  Placement placement;
  Instant moved = instant;
  const auto is_placed = [&] {
    const Snapshot& s = tools.snapshot(moved, contacts);
    const double rounding = hybrid_tolerances.placement_rounding *
                            std::numeric_limits<double>::epsilon() *
                            std::max(instant.scales.length, instant.scales.place);
    for (int b = 0; b < s.constraint_rows(); ++b)
      if (!(std::abs(s.constraint_value()[b]) <=
            rounding * std::max(1.0, s.constraint_jacobian().row(b).cwiseAbs().sum())))
        return false;
    return contacts.empty() || s.gap().cwiseAbs().maxCoeff() <= rounding;
  };
  for (int pass = 0; pass < hybrid_tolerances.placement_passes && !is_placed(); ++pass) {
    const Eigen::VectorXd move = position_correction(tools.snapshot(moved, contacts));
    if (!move.allFinite()) break;
    tools.mechanism.displace(moved.t, tools.q(moved.y), move.data());
  }
  placement.has_succeeded = is_placed();
  for (int i = 0; i < tools.dynamics.coordinates(); ++i)
    placement.distance = std::max(placement.distance, std::abs(moved.y[i] - instant.y[i]));
  placement.y = std::move(moved.y);
  return placement;
}

std::optional<Stop> project_start(const NodeTools& tools, Instant& instant,
                                  const std::vector<Violation>& violations,
                                  const ContactSet& contacts, std::vector<std::string>& notes) {
  Placement placement = placed_on_constraints(tools, instant, contacts);
  if (!placement.has_succeeded)
    return Stop{fmt::format("t = {:.9g} s: {}, and no state nearby satisfies it", instant.t,
                            describe(tools.model, violations)),
                "check the formulas of the constraint and the start values"};
  notes.push_back(fmt::format("t = {:.9g} s: {}; moved onto it by {:.6g}", instant.t,
                              describe(tools.model, violations), placement.distance));
  instant.y = std::move(placement.y);
  return std::nullopt;
}

std::optional<Stop> position_jump(const NodeTools& tools, const Instant& instant,
                                  const ContactSet& contacts, const char* cause) {
  if (const auto violations = violated_constraints(tools, instant); !violations.empty())
    return Stop{fmt::format("t = {:.9g} s: {} after {}", instant.t,
                            describe(tools.model, violations), cause),
                "let the formulas of the constraint be continuous"};
  GapMotions gaps;
  gap_motion_of(tools.mechanism, contacts, instant.t, tools.q(instant.y), tools.v(instant.y),
                nullptr, gaps);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (gaps.of[i].gap < -penetration_limit(tools.model.tolerances, instant.scales.of(contacts[i])))
      return Stop{fmt::format("t = {:.9g} s: contact {} penetrates by {:.6g} m after {}", instant.t,
                              contact_name(tools.model, contacts[i]), -gaps.of[i].gap, cause),
                  "let gaps and motions be continuous where they close a contact"};
  return std::nullopt;
}

}  // namespace clack
