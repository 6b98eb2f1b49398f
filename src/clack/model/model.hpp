// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "clack/geometry/shape.hpp"
#include "clack/model/contact_key.hpp"
#include "clack/model/path.hpp"
#include "clack/model/rotation.hpp"
#include "clack/model/run_settings.hpp"
#include "clack/model/signal.hpp"
#include "clack/parts/catalogue.hpp"
#include "clack/symbolic/expression.hpp"

namespace clack {

using symbolic::Expression;

/// A line and column of the model file, for messages (0: not from a file).
struct Place {
  int line = 0, column = 0;
};

struct Parameter {
  std::string name;
  double value = 0.0;
};

struct Coordinate {
  std::string name;
  Expression symbol;
  double start = 0.0;
  bool is_guessed = false;  // `start` was solved from the constraints
};

/// Without further words speed i is the rate of coordinate i; otherwise Model::rates tells what the rates are. A free
/// spatial body has seven coordinates (x y z qw qx qy qz) and six speeds (vx vy vz wx wy wz, world frame).
struct Speed {
  std::string name;
  Expression symbol;
  double start = 0.0;
  bool is_guessed = false;  // `start` was solved from the constraints
};

/// A signal from outside the model. In formulas its name stands for the formula of a Signal in four symbols (value, rate,
/// acceleration, since), which change at events only; so everything that is differentiated knows its rates.
struct Input {
  static constexpr int numbers = 4;
  std::string name;
  std::array<Expression, numbers> symbols;
  Signal start;
  Place place;
};

enum class BodyKind {
  free,    // has coordinates of its own
  placed,  // pose given by formulas of the model's coordinates (and t)
  fixed,   // does not move
  moving,  // pose given by formulas of t
};

struct BodyPoint {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // body frame
};

/// Selects a body of a model.
using BodyIndex = Index<struct BodyTag>;

/// One of several shapes of a planar body, with the place of its features in the outline of the whole body.
struct NamedOutline {
  std::string name;
  Outline outline;
  int first_vertex = 0, first_edge = 0;
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::free;
  double mass = 0.0;  // kg
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();         // kg m2, body frame, about the mass centre; plane: (2,2)
  std::array<Expression, 3> position;  // of the mass centre; plane: the first two
  Expression angle;                    // plane
  Eigen::Vector4d orientation{1, 0, 0, 0};  // space: unit quaternion at the start, scalar first
  /// Space, placed and prescribed bodies that turn: from the world to the body.
  std::vector<RotationStep> rotation;
  int first_coordinate = -1, first_speed = -1;  // free bodies
  std::vector<BodyPoint> points;                // a box adds its corners
  std::optional<Shape> shape;
  std::vector<NamedOutline> shapes;  // plane: where there are several; `shape` then is all of them
  std::optional<Outline> outline;    // plane: of a disk, box or half-plane, against outlines
  std::shared_ptr<const Polyhedron>
      solid;  // space: of a box, hull or prism, against hulls and prisms
  Place place;
};

/// What of a body is meant: its mass centre, one of its named points, its shape as a whole, or one of several.
struct MassCentre {};
struct NamedPoint {
  int index = 0;  // among the points of the body
};
struct WholeShape {};
struct OneShape {
  int index = 0;  // among the shapes of the body
};

/// A place on a body. A body named alone is its mass centre for springs and forces and its shape for contacts.
struct Attachment {
  BodyIndex body;
  std::variant<MassCentre, NamedPoint, WholeShape, OneShape> at;

  /// The index of the named point, or nothing.
  std::optional<int> point() const {
    const auto* named = std::get_if<NamedPoint>(&at);
    return named ? std::optional(named->index) : std::nullopt;
  }
  /// The index of the one shape that is meant, or nothing.
  std::optional<int> shape() const {
    const auto* one = std::get_if<OneShape>(&at);
    return one ? std::optional(one->index) : std::nullopt;
  }
};

struct Coefficients {  // of a contact; which law reads which: contact/problem.hpp
  double dynamic_friction = 0.0, static_friction = 0.0, restitution = 0.0,
         tangential_restitution = 0.0, reversibility = 0.0;
  double stiffness = 1.0;  // relative
};

/// A corner or an edge of a drawn body, as zones name it: BODY.vI, BODY.eJ.
struct NamedFeature {
  BodyIndex body;
  bool is_vertex = false;
  int index = 0;
  friend bool operator==(const NamedFeature&, const NamedFeature&) = default;
};

/// Where `where` > 0, or for contacts on one of `features`, these coefficients replace the contact's own; the first zone
/// that holds counts.
struct Zone {
  Expression where;  // a zone by features: -1, nowhere
  std::vector<NamedFeature> features;
  Coefficients coefficients;
  Place place;
};

/// A contact between two bodies: the normal points from `second` to `first`, relative velocity is first minus second.
struct Between {
  Attachment first, second;
};

/// What keeps a contact without a gap closed: a pad on it that a constant force pushes, so that this force is the normal
/// force and bounds friction whatever else happens. The coordinate of the pad is the gap and stays 0; where slip in space
/// has one direction a second one stays 0 across it. Their inertia moves nothing; it only keeps the equations regular.
struct Pad {
  double force = 0.0;  // > 0, in N; N m where the slip is an angular velocity
  std::array<int, 2> speeds{-1, -1}, coordinates{-1, -1};  // along the gap, across the slip
};

/// A contact given by formulas. Rows and biases may be given; otherwise they follow by differentiation.
struct GapFormulas {
  Expression gap;
  std::vector<Expression> slip;  // formulas in coordinates and speeds; one per tangent, or none
  std::vector<Expression> normal_row;                 // optional, one per speed
  std::vector<std::vector<Expression>> tangent_rows;  // optional
  Expression gap_bias;                                // optional
  std::vector<Expression> slip_bias;                  // optional
  std::optional<Pad> pad;                             // of a contact that is pressed
};

/// An entry of `contacts:`, as the user wrote it: a source of one contact (formulas, or features that are fixed) or of
/// as many as two shapes have pairs of features (contact_key.hpp).
struct Contact {
  std::string name;
  std::string
      list;  // the entry `among` or `all` that made this pair, NAME of NAME.a/b; empty: an entry of its own
  std::variant<Between, GapFormulas> given;
  std::vector<Expression> surface_velocity;  // optional: one per tangent, formulas of t
  Coefficients coefficients;
  std::vector<Zone> zones;
  Place place;

  const Between* between() const { return std::get_if<Between>(&given); }
  const GapFormulas* formulas() const { return std::get_if<GapFormulas>(&given); }
  /// Pressed by a constant force: closed for good, and without a part in impacts.
  bool is_pressed() const { return formulas() && formulas()->pad; }
};

enum class ConstraintKind { configuration, motion };

/// Bilateral: each row is a formula that vanishes; configuration: of coordinates and t, motion: linear in the speeds.
struct Constraint {
  std::string name;
  ConstraintKind kind = ConstraintKind::configuration;
  std::vector<Expression> rows;
  std::vector<ConstraintKind> row_kinds;  // of each row where they differ; empty: all are `kind`
  ConstraintKind kind_of(std::size_t row) const {
    return row_kinds.empty() ? kind : row_kinds[row];
  }
  /// Of joints: the rate of each configuration row, linear in the speeds, and what is left of the derivative of each
  /// rate at dv/dt = 0. Empty: they follow by differentiation. A rate equals the derivative of its row where all rows vanish.
  std::vector<Expression> rates, biases;
  Expression active;        // optional formula: active while it is > 0
  bool is_active = true;    // at the start, when `active` is not given
  double known_from = 0.0;  // s
  Place place;
};

enum class JointKind {
  pin,
  slider,
  weld,
  ball,
  universal,
  cylinder,
  distance,
  rolling,
  gear,
  rack,
  drive
};
std::string_view to_string(JointKind kind);

/// Where a joint holds a body; no body: a place on the ground.
struct JointEnd {
  BodyIndex body;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // body frame; ground: world
};

/// A column of the trace that is a formula of the state and the row forces of joints.
struct JointColumn {
  std::string name;
  Expression value;
};

/// An entry of `joints:`. Its rows are a constraint; what it says of itself are formulas.
struct Joint {
  std::string name;
  JointKind kind = JointKind::pin;
  int constraint = -1;                 // of Model::constraints
  std::vector<JointEnd> ends;          // two; gear, rack and drive: none
  std::vector<Expression> row_forces;  // symbols: the force of each row of the constraint
  std::vector<JointColumn>
      columns;            // reaction of the second body on the first; drive: its force or torque
  bool is_simple = true;  // no limits, spring, damping or friction: it may be switched off
  Place place;
};

/// Force along the line between two points: -stiffness (length - rest) - damping * length rate; or between two body
/// angles (torsion): torque on the first body, opposite on the second; or along any formula of the coordinates.
struct Spring {
  bool is_torsion = false;
  Attachment first, second;
  Expression along;  // of a joint: its angle or position, instead of the two ends
  Expression stiffness, damping, rest;  // stiffness or damping may be 0
  Place place;
};

struct PointForce {  // world components, formulas
  Attachment on;
  std::array<Expression, 3> components;
  Place place;
};

struct Torque {  // on a body, opposite on `reaction` when that is given
  BodyIndex body, reaction;
  Expression value;          // plane, about z
  SpatialVector components;  // space, in the world
  Place place;
};

struct GeneralisedForce {  // on a speed, or on a coordinate whose rate is no speed
  int speed = -1, coordinate = -1;
  Expression value;
  Place place;
};

enum class ActionKind { constraint_on, constraint_off, stop };

struct Action {
  ActionKind kind = ActionKind::stop;
  int constraint = -1;
};

enum class CrossingDirection { rising, falling, both };

/// The column of the trace with the force of a row, and its name in formulas.
std::string force_name(const Constraint& constraint, int row);

enum class WatchedForceKind { constraint, normal, tangent };

/// A force that formulas of `when` and `active` may name: force_CONSTRAINT (several rows: force_CONSTRAINT_1, ...),
/// normal_CONTACT, tangent_CONTACT (space: tangent1_CONTACT, tangent2_CONTACT). Zero while the constraint is off or the
/// contact open.
struct WatchedForce {
  Expression symbol;
  WatchedForceKind kind = WatchedForceKind::constraint;
  int index = -1;  // of the constraint, or of the entry of `contacts:`
  int row = 0;     // of the constraint, or of the tangent
};

/// An entry of `draw:`: something to look at that takes part in nothing. In the plane third components are zero.
struct Sketch {
  std::string name;
  enum class Kind { disk, polygon, line, spring, rod, sphere, box, contact } kind = Kind::line;
  double radius = 0.0;  // disk (in space about its z axis), sphere
  Eigen::Vector3d half_extents = Eigen::Vector3d::Zero();  // box
  std::vector<Eigen::Vector3d> points;          // polygon, line: in the frame at `position`, turned
  std::vector<std::array<Expression, 3>> ends;  // spring: its two ends; rod: its joints; world
                                                // contact: place, normal and, in the plane, tangent
  std::string contact;                          // contact: which, of those given by formulas
  std::array<Expression, 3> position;           // formulas of coordinates and t
  Expression angle;                             // plane
  SpatialMatrix rotation;                       // space: world = rotation * own
  Place place;
};

/// When the formula crosses zero the actions are carried out, in order.
struct ModelEvent {
  std::string name;
  Expression when;
  CrossingDirection direction = CrossingDirection::both;
  std::vector<Action> actions;
  Place place;
};

/// The recurring event and the coordinate by which the mechanism advances per period (woodpecker: its fall).
struct CycleSection {
  ContactKey contact;
  std::optional<ContactKey> after;  // contact whose impact must have been the last one before
  int along = -1;                   // coordinate, or -1
};

/// A mechanism as plain, validated data. Formulas live in `graph`; parameters are numbers in them.
struct Model {
  std::shared_ptr<symbolic::Graph> graph;
  std::string file, name, about, source;
  int dimension = 2;
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::array<Expression, 3> gravity;  // m/s2 (zero when not given)
  Expression time;                    // the symbol t
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;
  std::vector<Expression> rates;  // dq/dt per coordinate, formulas of t, coordinates and speeds
  std::vector<std::array<int, 4>>
      quaternions;               // own coordinates that are the unit quaternion of a body
  std::vector<int> independent;  // speeds that minimal formulations begin with; empty: they choose
  Place independent_place;
  Indexed<Body, BodyIndex> bodies;
  std::vector<std::vector<Expression>> mass_matrix;  // instead of bodies; empty otherwise
  std::vector<Expression> force;  // instead of bodies: smooth force including velocity terms
  Expression potential;           // optional, J: lets the ledger close for mass_matrix models
  std::vector<Spring> springs;
  std::vector<PointForce> forces;
  std::vector<Torque> torques;
  std::vector<GeneralisedForce> generalised_forces;
  std::vector<Constraint> constraints;  // those of joints after the others
  std::vector<Joint> joints;
  Indexed<Contact, SourceIndex> contacts;
  std::vector<Path> paths;            // and surfaces
  std::vector<Foot> feet;             // closest points that contacts follow, by source
  std::vector<ContactSet> exclusive;  // sets of contacts that can never be closed together
  std::vector<ModelEvent> events;
  std::vector<WatchedForce> watched_forces;  // that `when` and `active` name
  std::optional<CycleSection> cycle;
  std::vector<Sketch> sketches;
  RunSettings run;
  Policies policies;
  Tolerances tolerances;
  PartOptions options;             // of the chosen parts, as far as given
  std::vector<std::string> notes;  // sentences for the reader of results: settings that gave way
  std::string
      resolved_yaml;  // the model file with all overrides applied, as it is written to model.yaml

  /// "FILE:LINE:COLUMN" for messages.
  std::string where(Place place) const {
    if (place.line <= 0) return file;
    return file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  }
};

}  // namespace clack
