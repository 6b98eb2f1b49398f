// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "clack/mechanism/body_kinematics.hpp"
#include "clack/mechanism/contact_sides.hpp"
#include "clack/mechanism/feet.hpp"
#include "clack/mechanism/formula_neighbourhood.hpp"
#include "clack/mechanism/formula_rows.hpp"
#include "clack/mechanism/gap_motion.hpp"
#include "clack/mechanism/mode_programs.hpp"
#include "clack/mechanism/neighbourhood.hpp"
#include "clack/mechanism/outline_motion.hpp"
#include "clack/mechanism/outline_neighbours.hpp"
#include "clack/mechanism/snapshot.hpp"
#include "clack/mechanism/spatial_bodies.hpp"
#include "clack/mechanism/switching.hpp"
#include "clack/mechanism/touch.hpp"
#include "clack/mechanism/watched_formulas.hpp"
#include "clack/model/model.hpp"
#include "clack/symbolic/continuation.hpp"

namespace clack {

class Mechanism;

/// Fills snapshots for one row selection. Made when a mode is entered; evaluating allocates nothing.
class SnapshotEvaluator {
 public:
  void evaluate(double t, const double* q, const double* v, Snapshot& snapshot);
  /// Where mass matrix and rows are constant and everything else of a snapshot is formulas: these, from at_force() to
  /// at_normal(), to go on computing with. Inputs: what `load` gives.
  std::optional<symbolic::Continuation> constant_formulas() const;
  /// t, q, v and what formulas need besides.
  const double* load(double t, const double* q, const double* v);

 private:
  friend class Mechanism;
  struct Touching {  // a contact between bodies
    int local = 0;
    SourceIndex source;
    ContactSides sides;
    ContactFrame frame;
  };
  explicit SnapshotEvaluator(Mechanism& mechanism) : mechanism_(mechanism) {}
  void copy_formulas(Snapshot& snapshot) const;
  void write_constants(Snapshot& snapshot) const;

  Mechanism& mechanism_;
  std::shared_ptr<const CompiledRows> formulas_;  // none: nothing of the snapshot is a formula
  std::vector<int> formula_local_;                // local index of each contact given by formulas
  Snapshot formula_rows_;                         // where contacts of both kinds are mixed
  std::vector<Touching> touching_;
};

/// Where a contact is, for those who reason about rigid bodies.
struct ContactPlace {
  BodyIndex first_body, second_body;  // none: given by formulas
  Eigen::Vector3d point = Eigen::Vector3d::Zero(),
                  normal = Eigen::Vector3d::Zero();  // from second to first
  Eigen::Matrix<double, 3, 2> tangents = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Vector3d first_centre = Eigen::Vector3d::Zero(), second_centre = Eigen::Vector3d::Zero();
};

/// Numbers from a model at t, q and v. Contacts are asked for by their keys, constraints by model index.
///
/// Equations of motion: formulas by Kane's method, or free bodies in space in numbers. Rows of contacts between bodies
/// follow in numbers from normal, witness points and local surface (touch.hpp) and the kinematics of the bodies; those
/// of contacts given by formulas and of constraints by differentiation.
class Mechanism {
 public:
  /// Throws ModelError.
  explicit Mechanism(const Model& model);
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;

  int coordinates() const { return coordinates_; }
  int speeds() const { return speeds_; }
  int tangents() const { return tangents_; }  // 1 in the plane, 2 in space
  int constraint_rows(int constraint) const { return rows_.constraint_rows(constraint); }
  int constraint_rows(std::span<const int> constraints) const;
  bool rates_are_speeds() const { return motion_.rates_are_speeds(); }  // dq/dt = v, one by one

  std::unique_ptr<SnapshotEvaluator> evaluator(const RowSelection& rows);
  /// The embedded equations of a mode compiled (mechanism/embedded_equations.hpp); nothing where some of its rows, or
  /// the equations of motion, are computed in numbers. The latest are kept.
  std::shared_ptr<EmbeddedProgram> embedded(const RowSelection& rows,
                                            const std::vector<bool>& is_stick,
                                            const Elimination& order);
  /// Whether the embedded equations of such a mode would be compiled.
  bool has_embedded_formulas(const RowSelection& rows) const;
  /// All choices of dependent speeds for these rows that are not singular whatever the state, because zeros stand in their
  /// way; at most `limit`. None where the rows cannot be independent.
  std::vector<Elimination> possible_choices(const RowSelection& rows,
                                            const std::vector<bool>& is_stick,
                                            std::size_t limit) const;
  /// Makes what a plan names and this mechanism has not yet. `programs` gets it as well.
  void build(const ModePlan& plan, ModePrograms& programs);
  /// Programs that another mechanism of the same model has built; so many more are kept from now on.
  void take(const ModePrograms& programs);
  /// So many programs are kept at least.
  void keep_programs(std::size_t count);
  bool is_built(const RowSelection& rows, const std::vector<bool>& is_stick,
                const Elimination& order) const;
  /// An empty snapshot for these rows, which knows where the mass matrix is zero.
  Snapshot snapshot(const RowSelection& rows) const;
  /// Gaps with their first two derivatives along the motion with acceleration a (n), of the contacts asked for.
  /// Without a (nullptr) accelerations are not computed.
  void gap_motion(double t, const double* q, const double* v, const double* a,
                  std::span<const ContactKey> contacts, std::span<GapMotion> motion);
  /// The border of the feature that a closed contact rests on, see touch.hpp.
  BorderMotion border(double t, const double* q, const double* v, const ContactKey& contact,
                      int border = 0);
  /// How many borders it has: features of outlines with arcs have two.
  int borders(const ContactKey& contact) const;
  bool has_border(const ContactKey& contact) const { return borders(contact) > 0; }
  /// The pair of outlines that makes a contact; nullptr: no outlines.
  const OutlineSource* outlines_of_source(SourceIndex source) const;
  /// The closest points that contacts follow, at a state.
  const Feet& feet() const { return feet_; }
  const Feet& feet(double t, const double* q, const double* v);
  /// Whether the foot of a contact has come to an end of its path, or the path is not known: there is no contact.
  bool is_resting(SourceIndex source, const double* q) const;
  /// The rates of coordinates of feet that rest are zero: of rates that compiled equations gave.
  void hold_feet(const double* q, double* rates) const { feet_.hold(q, rates); }
  ContactPlace place_of(double t, const double* q, const double* v, const ContactKey& contact);
  /// Contacts that can touch somewhere on the way from one state to another, ascending. All of them where the model
  /// has so few that looking costs less than telling (is_small).
  /// Pairs of outlines are not among them: their contacts are made where they touch.
  const std::vector<OutlineSource>& outlines() const { return outlines_; }
  const OutlineMotionBounds& outline_bounds() const { return outline_bounds_; }
  /// Pairs of polyhedra: of their contacts only those are told that are near.
  const std::vector<SolidSource>& solids() const { return solids_; }
  const SolidSource* solids_of_source(SourceIndex source) const;
  /// The nearest contact of each at a state, with those that could touch there.
  ContactSet solid_contacts(double t, const double* q, const double* v);
  /// The signed distance of a pair of polyhedra: that of its nearest features, m.
  double solid_gap(const SolidSource& source, double t, const double* q, const double* v);
  OutlineNeighbours& outline_neighbours() { return outline_neighbours_; }
  /// The pairs of outlines that are near at a state: those whose bodies' boxes overlap when grown by `margin`, m.
  const std::vector<int>& outlines_near(double t, const double* q, const double* v, double margin);
  /// A body of a pair of outlines on a curve of the coordinates with the given rates, which need not be those that the
  /// speeds of a state tell. Of free bodies nothing but their own coordinates is read.
  PlanarMotion motion_along(BodyIndex body, double t, const double* q, const double* rates);
  bool is_small() const {
    return neighbourhood_.is_trivial() && formula_neighbourhood_.is_trivial();
  }
  void nearby(const StepEnds& step, ContactSet& contacts);

  void coordinate_rates(double t, const double* q, const double* v, double* dqdt);
  /// Moves q by a small amount expressed in speeds (dq = W dv); keeps quaternions of unit length.
  void displace(double t, double* q, const double* speeds_displacement);
  void normalise(double* q) const;
  Energies energies(double t, const double* q, const double* v);
  /// False when both powers of the snapshots vanish identically (everything derives from the potential).
  bool has_applied_power() const;

  /// What the inputs of the model are from now on, in its order.
  void set_signals(std::span<const Signal> signals);
  const std::vector<Signal>& signals() const { return signals_; }
  /// Switches of the formulas (if, sign, abs, min, max): their branches follow the state until they are held.
  Switching& switching() { return switching_; }
  /// Watched formulas, in this order: model events, then zones (contact by contact), then activity
  /// of constraints that give a formula for it, then the conditions of switches.
  int formulas() const { return watched_.count(); }
  /// `forces`: of Model::watched_forces; empty: all are zero.
  void formula_motion(double t, const double* q, const double* v, std::span<const double> forces,
                      FormulaValue* values);
  bool uses_forces(int formula) const { return watched_.uses_forces(formula); }
  const WatchedFormulas& watched() const { return watched_; }

  /// Poses and velocities of all bodies at a state, by model index (in the plane: of those in contacts).
  const BodyMotions& bodies(double t, const double* q, const double* v);
  /// The fastest of the bodies that were placed last turns so fast, rad/s.
  double largest_spin() const;
  /// The model with formulas of its own, in which this mechanism derives.
  const Model& model() const { return model_; }
  std::size_t kept_programs() const { return rows_.kept_programs(); }

 private:
  friend class SnapshotEvaluator;
  /// Those of the rows that are formulas.
  FormulaSelection formula_selection(const RowSelection& rows) const;
  void gather_surfaces(const Model& model);
  void refuse_deep_solids(const Model& model) const;
  const double* load(double t, const double* q, const double* v);
  /// Loads and places the bodies.
  const double* place(double t, const double* q, const double* v);
  /// The same for contacts that are asked for. Of many bodies only those of a single one are placed.
  const double* place_for(std::span<const ContactKey> contacts, double t, const double* q,
                          const double* v);
  ContactFrame frame_of(const ContactSides& sides) const;
  TouchMotion touch(SourceIndex source, const ContactSides& sides, const ContactFrame& frame,
                    Reach reach) const;
  void write_touch(const SnapshotEvaluator::Touching& contact, Snapshot& snapshot) const;
  void add_row(BodyIndex body, const Eigen::Vector3d& direction, const Eigen::Vector3d& arm,
               double sign, double* row) const;
  void drop_resting(const double* q, ContactSet& contacts) const;
  void tell_resting(double t, const double* q, const double* v,
                    std::span<const ContactKey> contacts, std::span<GapMotion> motion);
  BorderMotion foot_border(FootIndex foot, const double* q) const;
  double acceleration_at(BodyIndex body, const Eigen::Vector3d& direction,
                         const Eigen::Vector3d& arm, const double* a) const;

  const SwitchedModel switched_;
  const Model& model_;  // with formulas of its own
  int coordinates_ = 0, speeds_ = 0, tangents_ = 1;
  MotionSymbols motion_;
  Switching switching_;
  std::optional<SpatialBodies> spatial_;
  std::optional<Equations> equations_;
  SidesTable sides_;
  FormulaRows rows_;
  BodyKinematics kinematics_;
  Neighbourhood neighbourhood_;
  FormulaNeighbourhood formula_neighbourhood_;
  std::vector<OutlineSource> outlines_;
  std::vector<SolidSource> solids_;
  SolidWorkspace solid_work_;
  OutlineNeighbours outline_neighbours_;
  OutlineMotionBounds outline_bounds_;
  WatchedFormulas watched_;
  Feet feet_;
  symbolic::Program energies_, surfaces_, coordinate_rates_;
  Indexed<int, SourceIndex> surface_value_;  // where its surface velocity and its rate are, or -1
  Indexed<Pose, BodyIndex> start_;           // poses at the start, to which frames refer
  Indexed<ContactFrame, SourceIndex> source_frames_;  // of sources with one contact
  std::vector<int> mass_begin_;                       // see Snapshot::mass_begin
  std::vector<SourceIndex> sources_;
  std::vector<GapMotion> formula_gaps_;
  BoundedCache<EmbeddedKey, EmbeddedProgram> embedded_{FormulaRows::program_bound};
  std::vector<Signal> signals_;
  std::vector<double> held_;  // their numbers, as the programs take them
  std::vector<double> inputs_, surface_values_, moved_, resting_, still_, end_rates_;
};

/// The mechanism of a model.
std::unique_ptr<Mechanism> make_mechanism(const Model& model);

}  // namespace clack
