// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "clack/model/formula_reader.hpp"
#include "clack/model/model.hpp"
#include "clack/model/reader.hpp"
#include "clack/model/yaml_document.hpp"

/// One function per section of a model file. Each checks its keys, reads its formulas and fills its
/// part of the Model; reader.cpp calls them in the order in which they depend on each other.
namespace clack {

/// Where a frame is, in the world or in another frame.
struct FramePose {
  std::array<Expression, 3> position;
  Expression angle;                    // plane
  std::vector<RotationStep> rotation;  // space
};

/// What the section readers share.
struct Reading {
  Model& model;
  FormulaReader& formulas;
  const SmoothShapes& shapes;  // that bodies may have, beside those of geometry/shape.hpp
  std::unordered_map<std::string, int> bodies, coordinates, speeds, constraints,
      contacts;                     // index by name
  bool has_rows = false;            // constraints or joints, which may carry what has no mass
  double lowest_restitution = 0.0;  // that the chosen impact law takes
  std::unordered_map<std::string, FramePose> frames = {};  // in the world
  /// Of the model's own coordinates: names and start values of their rates, and whether these are to be solved.
  std::vector<std::string> rate_names = {};
  std::vector<double> rate_starts = {};
  std::vector<bool> has_rate_guess = {};
  /// u = formula of coordinates and rates, one per coordinate; empty where the speeds are the rates or `kinematics` is given.
  struct SpeedDefinition {
    Expression formula;
    bool has_start = false;
  };
  std::vector<SpeedDefinition> definitions = {};
  std::vector<std::pair<int, double>> rate_overrides = {};  // coordinate, start of its rate
  /// What joints bring: it is added behind the entries of `constraints:` and `contacts:`.
  std::vector<Constraint> joint_constraints = {};
  std::vector<Contact> joint_limits = {}, joint_frictions = {};

  const std::string& file() const { return model.file; }
  [[noreturn]] void fail(const yaml::Node& node, const std::string& what,
                         const std::string& remedy) const;
  void check_keys(const yaml::Node& map, const std::string& thing,
                  const std::vector<std::string>& known) const;
  /// The text of a node (no list, no map, not empty).
  const std::string& text(const yaml::Node& node, const std::string& what) const;
  bool boolean(const yaml::Node& node, const std::string& what) const;
  /// One of `choices`; the message names the nearest.
  const std::string& choice(const yaml::Node& node, const std::string& what,
                            const std::vector<std::string>& choices) const;
  /// The items of a list; with `count` >= 0 exactly so many.
  const std::vector<yaml::Node>& list(const yaml::Node& node, const std::string& what,
                                      int count = -1) const;
  /// `dimension` formulas; the rest is zero.
  std::array<Expression, 3> vector_formula(const yaml::Node& node, const std::string& what,
                                           unsigned allowed);
  Eigen::Vector3d vector(const yaml::Node& node, const std::string& what);
  /// The index of `name` among the names of `table`; the message names the nearest.
  int index(const yaml::Node& node, const std::string& what, const std::string& kind,
            const std::unordered_map<std::string, int>& table) const;
  BodyIndex body(const yaml::Node& node, const std::string& what) const;
  int coordinate(const yaml::Node& node, const std::string& what) const;
  /// BODY or BODY.POINT.
  Attachment attachment(const yaml::Node& node, const std::string& what) const;
  /// BODY, BODY.POINT or BODY.SHAPE.
  Attachment place_on(const yaml::Node& node, const std::string& what) const;
  /// A number, or `{guess: number}`.
  double start_value(const yaml::Node& node, const std::string& what, bool& is_guessed);
  /// The value of a formula at t = 0 in the start state.
  double at_start(Expression formula) const;
  /// Refuses formulas in which a speed is multiplied by a speed.
  void check_linear(Expression formula, const yaml::Node& node, const std::string& what) const;
  Expression zero() const { return model.graph->number(0.0); }
};

// reader.cpp
Model read_model_tree(yaml::Node root, const std::string& file,
                      const std::vector<Override>& overrides, const PartCatalogue& catalogue,
                      const SmoothShapes& shapes);
// inputs_reader.cpp
void read_inputs(Reading& reading, const yaml::Node& inputs);
/// Appends the symbols of the inputs, and their numbers at the start, to those of a program.
void add_input_symbols(const Model& model, std::vector<Expression>& symbols,
                       std::vector<double>& numbers);
// coordinates_reader.cpp
void read_coordinates(Reading& reading, const yaml::Node* coordinates, const yaml::Node* speeds,
                      const yaml::Node* kinematics);
// speeds_reader.cpp
/// The speeds of the model's own coordinates: their rates, or the user's choice with the rates as formulas of it.
void read_speeds(Reading& reading, const yaml::Node* speeds, const yaml::Node* kinematics);
/// `rate` of coordinates, where it is `given`.
void take_rate_starts(Reading& reading, const std::vector<const yaml::Node*>& given);
/// Rates of the coordinates of free bodies.
void complete_rates(Reading& reading);
/// Start values of defined speeds, once all starts are known.
void finish_speeds(Reading& reading);
/// `run: independent: [speeds]`.
void read_independent(Reading& reading, const yaml::Node& root);
// guessed_starts.cpp
/// Solves the starts that are guesses from the constraints that are on at the start (those that a formula switches do not
/// count): positions by Newton's method, then speeds, which enter linearly.
void solve_guesses(Reading& reading, const yaml::Node& root);
// coordinates_reader.cpp
/// `starts: {NAME: value}`; overrides the start value of any coordinate or speed.
void read_starts(Reading& reading, const yaml::Node& starts);
void read_mass_matrix(Reading& reading, const yaml::Node& root);
void check_mass_matrix(Reading& reading, const yaml::Node& root);
/// The same question for coordinates that move bodies.
void check_placed_masses(Reading& reading, const yaml::Node& root);
// bodies_reader.cpp
void read_bodies(Reading& reading, const yaml::Node& bodies, bool has_coordinates);
void finish_orientations(Reading& reading);  // unit quaternions once all starts are known
// rotation_reader.cpp
/// `orientation: [qw, qx, qy, qz]` or `rotation: [[axis, angle], ...]` (about the axes as already turned), as formulas;
/// empty when neither is there.
std::vector<RotationStep> read_rotation(Reading& reading, const yaml::Node& pose,
                                        const std::string& thing, unsigned allowed);
/// Coordinates that are the quaternion of a step stay of unit length.
void note_quaternions(Reading& reading, const std::vector<RotationStep>& steps);
// frames_reader.cpp
void read_frames(Reading& reading, const yaml::Node& frames);
const FramePose& frame_named(const Reading& reading, const yaml::Node& node,
                             const std::string& what);
/// The pose `inner` in the frame `outer`, in the world.
FramePose in_frame(Reading& reading, const FramePose& outer, const FramePose& inner);
// body_motion.cpp
/// de/dt + de/dq q', at dv/dt = 0 where the formula has speeds.
Expression rate_along_motion(const Reading& reading, Expression formula);
/// Orientation, velocity of the mass centre and angular velocity of a body as formulas, in the world.
struct BodyMotionFormulas {
  SpatialMatrix rotation;
  SpatialVector velocity, spin;
};
BodyMotionFormulas motion_of(const Reading& reading, const Body& body);
// rolling_reader.cpp
void read_rolling(Reading& reading, Constraint& constraint, const yaml::Node& node,
                  const std::string& thing);
// shape_reader.cpp
void read_shape(Reading& reading, Body& body, const yaml::Node& node);
/// `shapes: {NAME: shape}`, plane.
void read_shapes(Reading& reading, Body& body, const yaml::Node& node);
// solid_reader.cpp
/// `hull: {points: [[x, y, z], ...]}` and `prism: {polygon: [[x, y], ...], depth: h}`; every point must be a corner.
Solid read_hull(Reading& reading, const yaml::Node& node, const std::string& what);
Solid read_prism(Reading& reading, const yaml::Node& node, const std::string& what);
/// Mass centre and inertia of a uniform solid; `mass`: kg.
void take_mass_of_solid(Body& body, double mass);
// outline_reader.cpp
/// `polygon` or `polyline`: vertices, a curve or a file; a polygon that is none is refused at its vertex.
Outline read_outline(Reading& reading, const yaml::Node& node, const std::string& what,
                     LoopKind kind);
/// Whether the polygon gives its body mass and inertia: by `density`, or by `mass` with `inertia: shape`.
bool takes_mass_from_shape(const yaml::Node& body);
void read_mass_from_shape(Reading& reading, Body& body, const yaml::Node& node,
                          const std::string& thing);
/// The frame of the drawing becomes the parallel one at the mass centre.
void move_to_mass_centre(Body& body);
// paths_reader.cpp
/// `paths` (one parameter) or `surfaces` (two).
void read_paths(Reading& reading, const yaml::Node& paths, int parameters);
/// Every path as lines to look at.
void draw_paths(Reading& reading);
// path_contacts_reader.cpp
/// The path of that name, or -1.
int path_named(const Model& model, const std::string& name);
/// `between` with a path or surface.
bool names_path(const Reading& reading, const yaml::Node& node);
/// The end of a contact with a path that is no path.
const yaml::Node& toucher_in(const Reading& reading, const yaml::Node& between);
/// Whether the same body has a contact with this path, given or made.
bool touches_path(const Reading& reading, const yaml::Node& contacts, const std::string& toucher,
                  int path);
/// `between: [disk, sphere or point, PATH or SURFACE]`: gap and slip as formulas of a foot, which it adds to the model.
GapFormulas read_path_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                              const std::string& thing);
/// Feet whose rates are speeds: the constraints that determine them.
void add_foot_constraints(Reading& reading);
/// All feet where they are at the start. Throws ModelError where one is not unique.
void place_feet(Reading& reading);
// draw_reader.cpp
void read_draw(Reading& reading, const yaml::Node& draw);
// forces_reader.cpp
void read_springs(Reading& reading, const yaml::Node& springs, bool is_damper);
void read_forces(Reading& reading, const yaml::Node& forces);
void read_torques(Reading& reading, const yaml::Node& torques);
/// A stiffness or damping; zero where it is not given.
Expression read_stiffness(Reading& reading, const yaml::Node* node, const std::string& what);
// joints_reader.cpp
/// Angles and positions of joints as names, springs, and what add_joint_constraints and add_joint_limits add.
void read_joints(Reading& reading, const yaml::Node& joints);
void add_joint_constraints(Reading& reading);
void add_joint_limits(Reading& reading);
/// Takes contacts of joints into the model; `what` they are, for a name that is taken.
void add_contacts_of_joints(Reading& reading, std::string_view what,
                            std::vector<Contact>& contacts);
// pads_reader.cpp
/// A contact pressed by a constant force, with the coordinates of its pad, which it adds to the model.
GapFormulas pressed_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                            double force, std::vector<Expression> slip);
/// An entry of `contacts:` with `pressed`.
GapFormulas read_pressed_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                                 const std::string& thing);
void add_joint_frictions(Reading& reading);
// joint_ends.cpp
struct JointBodies joint_bodies(Reading& reading, const yaml::Node& ends, const std::string& thing,
                                Joint& joint);
// joint_forces.cpp
/// Reactions as formulas of the forces of the rows, under names for `when` and `active`.
void name_joint_forces(Reading& reading);
void read_joint_activities(Reading& reading, const yaml::Node& joints);
/// A joint with limits, spring, damping or friction cannot be switched: these would stay.
void check_joint_switches(Reading& reading, const yaml::Node& joints);
/// Entries of a model file, or those that came to the model from outside: these stand behind what joints bring, so that
/// everything else keeps its number.
enum class EntryOrigin { file, outside };
inline EntryOrigin origin_of(const yaml::Node& node) {
  return node.origin.empty() ? EntryOrigin::file : EntryOrigin::outside;
}
// contacts_reader.cpp
/// A body named alone takes part in a contact with its shape, else with the point that is named.
Attachment contact_end(Reading& reading, const yaml::Node& node, const std::string& thing);
/// The bodies of an entry `among`, and all pairs of them that can move against each other. Pairs that have an entry
/// `between` of their own are left to it.
struct ContactList {
  std::vector<BodyIndex> bodies;
  std::vector<Between> pairs;
};
ContactList read_among(Reading& reading, const yaml::Node& among, const yaml::Node& contacts,
                       const std::string& thing);
/// `features: [BODY.vI, BODY.eJ, ...]` of a zone; the bodies must be among `bodies`.
void read_zone_features(Reading& reading, std::span<const BodyIndex> bodies,
                        const yaml::Node& features, const std::string& what, Zone& zone);
void read_contacts(Reading& reading, const yaml::Node& contacts, EntryOrigin origin);
void read_exclusive(Reading& reading, const yaml::Node& exclusive);
void read_cycle(Reading& reading, const yaml::Node& cycle);
// constraints_reader.cpp
void read_constraints(Reading& reading, const yaml::Node& constraints, EntryOrigin origin);
/// The forces of all constraints and contacts as names for `when` and `active`. A name of the model's own wins.
void name_forces(Reading& reading);
/// `active` of the constraints, once all forces have names.
void read_activities(Reading& reading, const yaml::Node& constraints);
/// Keeps the forces that `when` or `active` name.
void keep_watched_forces(Reading& reading);
void read_events(Reading& reading, const yaml::Node& events);
// run_reader.cpp
void read_run(Reading& reading, const yaml::Node& run);
void read_policies(Reading& reading, const yaml::Node& policies);
void read_tolerances(Reading& reading, const yaml::Node& tolerances);
// remarks.cpp
/// Sentences about what is allowed and seldom meant go into the notes of the model: no gravity, shapes that nothing
/// touches, angles of more than a turn, bodies inside one another without a contact.
void add_remarks(Reading& reading, const yaml::Node& root);
// part_options_reader.cpp
/// Values of the options that the chosen parts declare; a required one that is missing is refused.
void read_part_options(Reading& reading, const yaml::Node& root, const PartCatalogue& catalogue);

/// Contact, constraint and event names: printable, no spaces, commas or quotes (they become column
/// titles).
void check_label(const Reading& reading, const std::string& name, const std::string& thing,
                 const yaml::Node& node);

}  // namespace clack
