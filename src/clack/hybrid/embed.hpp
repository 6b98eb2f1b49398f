// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/hybrid/theory.hpp"
#include "clack/mechanism/linear_motion.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// A state as a run leaves it (`final`).
struct StatePoint {
  double t = 0.0;
  std::vector<double> q, v;
};
/// Reads {"t", "q": [...], "v": [...]}; throws InputError for wrong sizes and numbers that are not finite.
StatePoint read_state(const std::string& path, const Model& model);

/// One mode of a model at one state, as a question: constraints and contacts by name, everything else off. A contact is
/// `NAME:slip`, `NAME:stick`, or `NAME` (whichever its slip says).
struct EmbedRequest {
  std::vector<std::string> names;
  std::optional<StatePoint> state;  // nothing: the start of the model, moved onto the constraints
  bool project = false;             // move a given state onto the constraints, too
  std::string formulation = "embedding";
  bool linearize = false;
};

/// The rows of one constraint or contact and their forces.
struct EmbeddedForce {
  std::string name;
  std::vector<double> values;  // one per row; a contact: normal, tangents
};

struct EmbedAnswer {
  std::vector<std::string> independent, dependent;
  Eigen::MatrixXd dependence;  // D: one row per dependent speed
  Eigen::VectorXd acceleration;
  std::vector<EmbeddedForce> forces;
  int rank = 0, rows = 0;
  double condition =
      1.0;  // largest over smallest pivot of the rows, speeds in units of kinetic energy
  StatePoint state;
  double position_move = 0.0,
         speed_move = 0.0;  // how far the state was moved, largest of all coordinates and speeds
  double form_seconds = 0.0, embed_seconds = 0.0, compile_seconds = 0.0;
  Elimination order;
  std::optional<LinearMotion> linear;  // where it was asked for
  std::size_t operations =
      0;  // of the compiled embedded equations; 0: they are computed in numbers
};

/// Throws InputError for unknown names, and for a state that violates the rows where it may not be moved; NoAnswer
/// where rows have a deficient rank, contradict each other or leave a motion without inertia.
EmbedAnswer embed(const Model& model, const EmbedRequest& request,
                  const TheoryParts& parts = standard_parts());

}  // namespace clack
