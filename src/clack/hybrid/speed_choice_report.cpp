// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/speed_choice_report.hpp"

#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>

#include "clack/formulation/mode_rows.hpp"
#include "clack/formulation/tolerances.hpp"

namespace clack {

std::vector<std::string> row_names(const Model& model, const ModeDynamics& dynamics) {
  std::vector<std::string> names;
  const ContactSet& closed = dynamics.rows().contacts;
  for (const ContactKey& contact : closed) names.push_back(contact_name(model, contact));
  for (std::size_t i = 0; i < closed.size(); ++i)
    for (int a = 0; a < dynamics.tangents() && dynamics.is_stick()[i]; ++a)
      names.push_back(contact_name(model, closed[i]) +
                      (dynamics.tangents() == 1 ? " tangent" : fmt::format(" tangent {}", a + 1)));
  for (const int c : dynamics.rows().constraints) {
    const Constraint& constraint = model.constraints[c];
    for (std::size_t r = 0; r < constraint.rows.size(); ++r)
      names.push_back(constraint.rows.size() == 1 ? constraint.name
                                                  : fmt::format("{} {}", constraint.name, r + 1));
  }
  return names;
}

std::vector<std::string> speed_names(const Model& model, const std::vector<int>& speeds) {
  std::vector<std::string> names;
  for (const int j : speeds) names.push_back(model.speeds[j].name);
  return names;
}

std::optional<Stop> embedding_failure(const Model& model, ModeDynamics& dynamics, double t) {
  if (dynamics.forces().is_finite) return std::nullopt;
  ModeRows rows;
  rows.enter(dynamics.shape());
  rows.gather(dynamics.snapshot());
  // Motions that the rows allow, in units of kinetic energy, and the inertia of each.
  const Eigen::MatrixXd unit = rows.rows() * rows.scale().asDiagonal();
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(unit);
  const bool has_rows = unit.rows() > 0 && !unit.isZero(0.0);
  Eigen::MatrixXd kernel = has_rows ? Eigen::MatrixXd(lu.kernel())
                                    : Eigen::MatrixXd::Identity(rows.speeds(), rows.speeds());
  if (has_rows && lu.dimensionOfKernel() == 0) kernel.resize(rows.speeds(), 0);
  if (kernel.cols() > 0) {
    kernel = Eigen::HouseholderQR<Eigen::MatrixXd>(kernel).householderQ() *
             Eigen::MatrixXd::Identity(kernel.rows(), kernel.cols());
    const Eigen::MatrixXd mass =
        rows.scale().asDiagonal() * rows.mass() * rows.scale().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(kernel.transpose() * mass * kernel);
    if (eigen.eigenvalues()[0] <= formulation_tolerances.inertia * eigen.eigenvalues().maxCoeff()) {
      const Eigen::VectorXd motion =
          rows.scale().cwiseProduct(kernel * eigen.eigenvectors().col(0)).normalized();
      std::vector<std::string> parts;
      for (int j = 0; j < rows.speeds(); ++j)
        if (std::abs(motion[j]) > formulation_tolerances.unreachable)
          parts.push_back(fmt::format("{} {:.6g}", model.speeds[j].name, motion[j]));
      return Stop{fmt::format("t = {:.9g} s: the mode has a motion without inertia: {}", t,
                              fmt::join(parts, ", ")),
                  "give what moves there a mass, or a constraint that determines it"};
    }
  }
  return Stop{fmt::format("t = {:.9g} s: the rows {} contradict each other, or no forces exist", t,
                          fmt::join(row_names(model, dynamics), ", ")),
              "formulation projection gives the least-squares motion; look for constraints that "
              "exclude each other, or for friction that jams"};
}

Stop rank_failure(const Model& model, const ModeDynamics& dynamics, double t, int rank_before,
                  const SpeedChoice& choice) {
  // At the last state that could be reached a pivot may not have vanished yet.
  return {fmt::format("t = {:.9g} s: the rank of the rows {} falls from {} to {} here (smallest "
                      "pivot {:.3g} of the largest)",
                      t, fmt::join(row_names(model, dynamics), ", "), rank_before,
                      std::min(choice.rank(), rank_before - 1),
                      choice.rank() < rank_before ? choice.next_pivot : choice.smallest_pivot),
          "formulation projection passes poses where the rank falls"};
}

std::string redundancy_note(const Model& model, const ModeDynamics& dynamics, double t,
                            const SpeedChoice& choice) {
  if (choice.dropped.empty()) return "";
  const std::vector<std::string> names = row_names(model, dynamics);
  std::vector<std::string> dropped;
  for (const int r : choice.dropped) dropped.push_back(names[r]);
  return fmt::format(
      "t = {:.9g} s: rows {} depend on the others and are left out; the motion does "
      "not depend on it, the forces shown are the smallest",
      t, fmt::join(dropped, ", "));
}

}  // namespace clack
