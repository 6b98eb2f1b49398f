// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/contact_status.hpp"
#include "clack/formulation/speed_choice.hpp"
#include "clack/mechanism/snapshot.hpp"
#include "clack/parts/part.hpp"

namespace clack {

/// What stays the same inside a mode: which closed contact sticks or slips, with which friction.
/// Contacts are those of the snapshot, in its order.
struct ModeShape {
  int speeds = 0, tangents = 1, constraint_rows = 0;
  std::vector<ContactStatus> statuses;  // stick or slip
  std::vector<double> friction;         // of slipping contacts: the dynamic coefficient
  /// Direction of slip, unit, `tangents` numbers per contact. In the plane it holds for the whole
  /// mode (the sign of the slip); in space it is used while the slip is below `slip_floor`, else
  /// the direction of the slip itself.
  std::vector<double> slip_direction;
  double slip_floor = 0.0;                   // m/s
  double rank_cutoff = 0.0;                  // relative; 0: the default of the formulation
  std::vector<double> static_friction = {};  // per contact: the bound of sticking
};

/// Accelerations and forces inside a mode.
struct ModeForces {
  Eigen::VectorXd acceleration;      // n
  Eigen::VectorXd normal_force;      // c
  Eigen::VectorXd friction_force;    // c k
  Eigen::VectorXd constraint_force;  // b
  bool is_hyperstatic = false;       // other forces hold the rows of the mode as well
  /// Columns: force distributions that the rows of the mode do not feel (unknowns in the order
  /// normal, sticking friction, constraint), orthonormal; empty unless hyperstatic.
  Eigen::MatrixXd null_forces;
  /// n rows: what these distributions do to the motion. No columns: nothing, the accelerations are
  /// unique. With sliding friction they need not be: friction follows the normal forces.
  Eigen::MatrixXd null_accelerations;
  /// c k: T = N times this where a contact slips, else 0; empty where no friction slides.
  Eigen::VectorXd sliding_friction;
  bool is_finite = true;  // false: no forces exist (singular and inconsistent)
};

/// The side of a formulation that integrates fewer speeds than there are: v = T w + e with the independent speeds w.
class MinimalSpeeds {
 public:
  virtual ~MinimalSpeeds() = default;
  virtual const SpeedChoice& choice() const = 0;
  virtual bool has_choice() const = 0;  // false: the first snapshot of the mode will be asked
  /// Chooses anew, by scaled pivoting, at a snapshot of the mode; or takes the speeds given (rising).
  virtual void choose(const Snapshot& snapshot) = 0;
  virtual void choose(const Snapshot& snapshot, const std::vector<int>& independent) = 0;
  virtual void restore(const SpeedChoice& choice) = 0;  // one of the same mode, kept before
  /// The dependent entries of v from the others. `snapshot`: at v with the dependent entries zero.
  virtual void complete(const Snapshot& snapshot, double* v) = 0;
  /// Largest entry of D in units of kinetic energy at the snapshot solved last: of order 1 after a choice, large where
  /// the choice becomes singular.
  virtual double growth() const = 0;
  /// Whether all modes are to be built before the motion begins.
  virtual bool is_built_before() const { return false; }
  /// How many choices were taken so far: while that stays the same, mode and choice do.
  virtual long choices() const = 0;
};

/// Accelerations and forces of a mode whose mass matrix and rows never change, as a constant matrix times (h, bias): n
/// accelerations, then the unknown forces (normal, sticking friction, constraint). Forces and biases come in the same order.
struct ConstantResponse {
  int size = 0;                     // n and the number of unknown forces
  int stride = 0;                   // from one column to the next
  const double* columns = nullptr;  // the formulation's, until it enters another mode

  double operator()(int row, int column) const { return columns[column * stride + row]; }
};

/// Linear algebra only: sticking contacts and joints are equalities, sliding friction is
/// proportional to the normal force. Every formulation gives the same accelerations, and the same
/// forces where they are unique.
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual std::string_view name() const = 0;
  /// Sizes the workspaces; `solve` allocates nothing afterwards (except where the rank changes).
  virtual void enter(const ModeShape& shape) = 0;
  virtual void solve(const Snapshot& snapshot, ModeForces& forces) = 0;
  /// Nothing where all speeds are integrated.
  virtual MinimalSpeeds* minimal() { return nullptr; }
  /// How it answers in the mode it has solved last; nothing where that changes with the state.
  virtual std::optional<ConstantResponse> constant_response() const { return std::nullopt; }
};

/// What a mode asks of a formulation.
Circumstances circumstances_of(const ModeShape& shape);

/// A formulation's entry: name, needs, options, maker. `static FormulationPart part()` of the
/// formulation gives it.
using FormulationPart = Part<Formulation>;
using FormulationRegistry = Registry<Formulation>;
FormulationRegistry formulations();

/// By name; throws InputError naming the known ones.
std::unique_ptr<Formulation> make_formulation(std::string_view name,
                                              const OptionValues& options = {});
std::vector<std::string_view> formulation_names();

}  // namespace clack
