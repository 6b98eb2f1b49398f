// SPDX-License-Identifier: Apache-2.0
// All formulations give the same accelerations, and the same forces where these are unique: for
// every model of the gallery, at states and in modes that its run goes through. A formulation that
// is registered later takes part without a change here.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>

#include "acceptance/run_support.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/index.hpp"

namespace clack::acceptance {
namespace {

constexpr std::string_view reference_formulation = "delassus";

/// Fewer states of large models: their decompositions take the time.
bool is_large(const Model& model) { return model.speeds.size() >= 12; }
std::size_t states_of(const Model& model) { return is_large(model) ? 8 : 60; }

std::vector<std::string> gallery_models() {
  std::vector<std::string> found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CLACK_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".yaml") found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

/// A mode of a trace with the slip directions that belong to a state: in the plane the sign of the
/// slip, in space its direction.
struct VisitedState {
  Mode mode;
  double t = 0.0;
  std::vector<double> q, v;
};

std::vector<VisitedState> visited_states(const Model& model, const Trace& trace) {
  std::vector<VisitedState> states;
  const std::size_t width = trace.columns.size(), rows = trace.row_count(),
                    nq = model.coordinates.size(), n = model.speeds.size();
  const std::size_t stride = std::max<std::size_t>(1, rows / states_of(model));
  for (std::size_t m = 0; m < trace.modes.size(); ++m) {
    const std::size_t end = m + 1 < trace.modes.size() ? trace.modes[m + 1].first_row : rows;
    for (std::size_t row = trace.modes[m].first_row; row < end; ++row) {
      if (row % stride != 0 && row != trace.modes[m].first_row) continue;
      if (row == trace.modes[m].first_row && m % (1 + trace.modes.size() / states_of(model)) != 0)
        continue;
      const double* at = &trace.rows[row * width];
      VisitedState state;
      state.t = at[0];
      state.q.assign(at + 1, at + 1 + nq);
      state.v.assign(at + 1 + nq, at + 1 + nq + n);
      for (const TraceStatus& c : trace.modes[m].closed)
        state.mode.closed.push_back(
            {contact_named(model, trace.contacts[c.contact]).value(), c.status, {}});
      state.mode.constraints = trace.modes[m].constraints;
      states.push_back(std::move(state));
    }
  }
  return states;
}

/// Shape of the mode as the executor makes it; slip directions from the snapshot.
ModeShape shape_of(const Model& model, const VisitedState& state, const RowSelection& rows,
                   const Snapshot& snapshot) {
  ModeShape shape;
  shape.speeds = snapshot.speeds();
  shape.tangents = snapshot.tangents();
  shape.constraint_rows = snapshot.constraint_rows();
  const int k = snapshot.tangents();
  for (std::size_t i = 0; i < rows.contacts.size(); ++i) {
    const Coefficients& material = model.contacts[rows.contacts[i].source].coefficients;
    shape.statuses.push_back(material.static_friction == 0.0 ? ContactStatus::slip
                                                             : state.mode.closed[i].status);
    shape.friction.push_back(material.dynamic_friction);
    Eigen::VectorXd direction = snapshot.slip().segment(i * k, k);
    if (direction.norm() > 0.0)
      direction.normalize();
    else
      direction = Eigen::VectorXd::Unit(k, 0);
    for (int a = 0; a < k; ++a) shape.slip_direction.push_back(direction[a]);
  }
  return shape;
}

struct Agreement {
  int compared = 0, refused = 0;
  double acceleration = 0.0, force = 0.0;  // largest relative differences
};

void compare(const ModeForces& one, const ModeForces& other, const Snapshot& s, Agreement& found) {
  const Eigen::VectorXd free =
      Eigen::MatrixXd(s.mass_matrix()).llt().solve(Eigen::VectorXd(s.smooth_force()));
  const double size =
      std::max(one.acceleration.lpNorm<Eigen::Infinity>(), free.lpNorm<Eigen::Infinity>());
  ++found.compared;
  if (size == 0.0) return;
  found.acceleration = std::max(
      found.acceleration, (one.acceleration - other.acceleration).lpNorm<Eigen::Infinity>() / size);
  EXPECT_EQ(one.is_hyperstatic, other.is_hyperstatic);
  if (one.is_hyperstatic || other.is_hyperstatic) return;
  const auto all = [](const ModeForces& f) {
    Eigen::VectorXd joined(f.normal_force.size() + f.friction_force.size() +
                           f.constraint_force.size());
    joined << f.normal_force, f.friction_force, f.constraint_force;
    return joined;
  };
  const Eigen::VectorXd a = all(one), b = all(other);
  if (a.size() == 0) return;
  const double force =
      std::max(a.lpNorm<Eigen::Infinity>(),
               s.smooth_force().size() ? s.smooth_force().cwiseAbs().maxCoeff() : 0.0);
  found.force = std::max(found.force, (a - b).lpNorm<Eigen::Infinity>() / force);
}

void compare_along_run(const Model& model, const Trace& trace,
                       std::map<std::string, Agreement>& found) {
  const std::unique_ptr<Mechanism> mechanism = make_mechanism(model);
  std::map<RowSelection, std::unique_ptr<SnapshotEvaluator>> evaluators;
  for (const VisitedState& state : visited_states(model, trace)) {
    const RowSelection rows = state.mode.rows();
    auto& evaluator = evaluators[rows];
    if (!evaluator) evaluator = mechanism->evaluator(rows);
    int b = 0;
    for (const int c : rows.constraints) b += mechanism->constraint_rows(c);
    Snapshot snapshot(mechanism->speeds(), mechanism->tangents(), number_of(rows.contacts), b);
    evaluator->evaluate(state.t, state.q.data(), state.v.data(), snapshot);
    const ModeShape shape = shape_of(model, state, rows, snapshot);
    const auto reference = make_formulation(reference_formulation);
    reference->enter(shape);
    ModeForces expected;
    reference->solve(snapshot, expected);
    if (!expected.is_finite) continue;
    for (const std::string_view name : formulation_names()) {
      if (name == reference_formulation) continue;
      Agreement& agreement = found[std::string(name)];
      const auto formulation = make_formulation(name);
      if (const std::string refusal = formulations().refusal(name, circumstances_of(shape));
          !refusal.empty()) {
        ++agreement.refused;
        EXPECT_NE(refusal.find("use "), std::string::npos) << refusal;
        continue;
      }
      ModeForces forces;
      try {
        formulation->enter(shape);
        formulation->solve(snapshot, forces);
      } catch (const NoAnswer&) {
        forces.is_finite = false;
      }
      EXPECT_TRUE(forces.is_finite) << name << " at t = " << state.t << " of " << model.file;
      if (!forces.is_finite) continue;
      compare(expected, forces, snapshot, agreement);
    }
  }
}

// Whole runs, every state that delassus answers; a formulation may refuse a mode (sliding friction
// in `projection`) but not give up on one it takes.
TEST(Formulations, AgreeOnEveryModelOfTheGallery) {
  std::map<std::string, Agreement> total;
  for (const std::string& path : gallery_models()) {
    const Model model = load_model(path);
    const Trace trace = run(model);
    std::map<std::string, Agreement> found;
    compare_along_run(model, trace, found);
    for (const auto& [name, agreement] : found) {
      EXPECT_LT(agreement.acceleration, 1e-10) << name << " on " << path;
      EXPECT_LT(agreement.force, 1e-10) << name << " on " << path;
      total[name].compared += agreement.compared;
      total[name].refused += agreement.refused;
      total[name].acceleration = std::max(total[name].acceleration, agreement.acceleration);
      total[name].force = std::max(total[name].force, agreement.force);
    }
  }
  for (const std::string_view name : formulation_names()) {
    if (name == reference_formulation) continue;
    const Agreement& all = total[std::string(name)];
    EXPECT_GT(all.compared, 300) << name;
    std::printf(
        "%s: %d states compared, %d refused; accelerations to %.1e, forces to "
        "%.1e\n",
        std::string(name).c_str(), all.compared, all.refused, all.acceleration, all.force);
  }
}

// The flat pose of the cranks: three rows, rank one. Exact acceleration (-l rate^2, -g, 0).
TEST(Formulations, ProjectionAndDelassusSurviveTheFlatPoseOfTheCranks) {
  const Model model =
      read_model(model_path("projection/cranks.yaml"), {{"angle0", "0"}, {"rate0", "1.5"}});
  const auto mechanism = make_mechanism(model);
  const RowSelection rows{.contacts = {}, .constraints = {0, 1, 2}};
  Snapshot snapshot(3, mechanism->tangents(), 0, 3);
  const double q[] = {0.8, 0.0, 0.0}, v[] = {0.0, 1.2, 0.0};
  mechanism->evaluator(rows)->evaluate(0.0, q, v, snapshot);
  for (const char* name : {"projection", "delassus"}) {
    const auto formulation = make_formulation(name);
    ModeShape shape;
    shape.speeds = 3;
    shape.tangents = mechanism->tangents();
    shape.constraint_rows = 3;
    formulation->enter(shape);
    ModeForces forces;
    formulation->solve(snapshot, forces);
    EXPECT_TRUE(forces.is_finite) << name;
    EXPECT_TRUE(forces.is_hyperstatic) << name;
    EXPECT_LT((forces.acceleration - Eigen::Vector3d(-1.8, -9.81, 0)).norm(), 1e-10) << name;
  }
}

}  // namespace
}  // namespace clack::acceptance
