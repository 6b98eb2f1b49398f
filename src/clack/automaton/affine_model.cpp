// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/affine_model.hpp"

#include "clack/automaton/tolerances.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/equations.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/own_formulas.hpp"

namespace clack {
namespace {

AffineAnswer not_affine(std::string reason) { return {std::nullopt, std::move(reason)}; }

/// What neither way can treat.
std::string obstacle(const Model& model) {
  if (!model.constraints.empty()) return "it has constraints";
  if (!model.events.empty()) return "it has events of its own";
  for (const Contact& contact : model.contacts) {
    if (!contact.zones.empty()) return "contact " + contact.name + " has zones";
    if (!contact.surface_velocity.empty())
      return "contact " + contact.name + " has a moving surface";
  }
  return "";
}

/// Coefficients of an expression over (symbols, 1); nothing when it is not affine in them or has
/// others.
std::optional<Eigen::RowVectorXd> affine_row(Expression e, const std::vector<Expression>& symbols,
                                             const MotionSymbols& motion) {
  const int count = number_of(symbols);
  Eigen::RowVectorXd row(count + 1);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto slope = symbolic::number_value(symbolic::derivative(e, symbols[i]));
    if (!slope) return std::nullopt;
    row[i] = *slope;
  }
  const std::vector<Expression> zeros(symbols.size(), motion.zero());
  const auto rest = symbolic::number_value(symbolic::substitute(e, symbols, zeros));
  if (!rest || symbolic::depends_on(e, motion.time())) return std::nullopt;
  row[count] = *rest;
  return row;
}

AffineAnswer from_formulas(const Model& shared) {
  const Model model = with_own_formulas(shared);
  for (const Contact& contact : model.contacts)
    if (contact.coefficients.dynamic_friction > 0.0 || contact.coefficients.static_friction > 0.0)
      return not_affine("contact " + contact.name + " has friction");
  const MotionSymbols motion(model);
  const Equations equations = derive_equations(model, motion);
  const ContactSet contacts = possible_contacts(model);
  const int n = number_of(model.speeds), p = number_of(contacts);
  AffineModel affine;
  const std::vector<Expression> symbols(motion.inputs().begin() + 1, motion.inputs().end());
  for (const Coordinate& c : model.coordinates) affine.coordinates.push_back(c.name);
  for (const Speed& s : model.speeds) affine.speeds.push_back(s.name);
  affine.mass_matrix.resize(n, n);
  affine.force.resize(n, 2 * n + 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto entry = symbolic::number_value(equations.mass_matrix[i][j]);
      if (!entry) return not_affine("its mass matrix is not constant");
      affine.mass_matrix(i, j) = *entry;
    }
    const auto row = affine_row(equations.force[i], symbols, motion);
    if (!row) return not_affine("its force on " + affine.speeds[i] + " is not affine");
    affine.force.row(i) = *row;
  }
  affine.gap_rows.resize(p, n);
  affine.gap_offsets.resize(p);
  affine.restitution.resize(p);
  for (Eigen::Index c = 0; c < p; ++c) {
    const Contact& contact = model.contacts[contacts[c].source];
    const auto row = affine_row(contact_formulas(model, contacts[c], motion).gap, symbols, motion);
    if (!row || row->segment(n, n).squaredNorm() > 0.0)
      return not_affine("the gap of " + contact.name + " is not affine");
    affine.gap_rows.row(c) = row->head(n);
    affine.gap_offsets[c] = (*row)[2 * n];
    affine.restitution[c] = contact.coefficients.restitution;
  }
  return {std::move(affine), ""};
}

/// Free balls and fixed half-spaces whose centres, speeds, normals and gravity all lie along one
/// direction.
class Column {
 public:
  explicit Column(const Model& model) : model_(model), dimension_(model.dimension) {}

  std::optional<AffineModel> reduce() {
    if (!model_.springs.empty() || !model_.forces.empty() || !model_.torques.empty() ||
        !model_.generalised_forces.empty() || !model_.mass_matrix.empty() || !find_balls() ||
        !find_direction())
      return std::nullopt;
    const int n = number_of(balls_), p = number_of(model_.contacts);
    AffineModel affine;
    affine.mass_matrix = Eigen::MatrixXd::Zero(n, n);
    affine.force = Eigen::MatrixXd::Zero(n, 2 * n + 1);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Body& body = *balls_[i];
      affine.coordinates.push_back(body.name);
      affine.speeds.push_back(body.name + "_dot");
      affine.mass_matrix(i, i) = body.mass;
      affine.force(i, 2 * n) = body.mass * gravity_.dot(direction_);
    }
    affine.gap_rows = Eigen::MatrixXd::Zero(p, n);
    affine.gap_offsets.resize(p);
    affine.restitution.resize(p);
    for (Eigen::Index c = 0; c < p; ++c)
      if (!add_gap(affine, c)) return std::nullopt;
    return affine;
  }

 private:
  bool is_along(const Eigen::Vector3d& vector, double scale) const {
    return (vector - vector.dot(direction_) * direction_).norm() <=
           affine_tolerances.on_a_line * scale;
  }
  Eigen::Vector3d start(const Body& body) const { return components(body.first_coordinate, true); }
  Eigen::Vector3d components(int first, bool is_position) const {
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();
    for (int a = 0; a < dimension_; ++a) {
      const std::size_t at = first + a;
      vector[a] = is_position ? model_.coordinates[at].start : model_.speeds[at].start;
    }
    return vector;
  }
  bool find_balls() {
    for (const Body& body : model_.bodies) {
      if (body.kind == BodyKind::fixed) continue;
      if (body.kind != BodyKind::free || !body.shape || !std::holds_alternative<Ball>(*body.shape))
        return false;
      const int turns = dimension_ == 2 ? 1 : 3;
      for (int a = 0; a < turns; ++a)
        if (model_.speeds[body.first_speed + dimension_ + a].start != 0.0) return false;
      balls_.push_back(&body);
    }
    for (int a = 0; a < dimension_; ++a) {
      const auto value = symbolic::number_value(model_.gravity[a]);
      if (!value) return false;
      gravity_[a] = *value;
    }
    return !balls_.empty();
  }
  bool find_direction() {
    for (const Body& body : model_.bodies)
      if (body.shape && std::holds_alternative<HalfSpace>(*body.shape))
        direction_ = std::get<HalfSpace>(*body.shape).normal;
    if (direction_.norm() == 0.0 && gravity_.norm() > 0.0) direction_ = -gravity_.normalized();
    if (direction_.norm() == 0.0 && balls_.size() > 1)
      direction_ = (start(*balls_[1]) - start(*balls_[0])).normalized();
    if (direction_.norm() == 0.0 || !is_along(gravity_, gravity_.norm())) return false;
    for (const Body* ball : balls_) {
      const Eigen::Vector3d apart = start(*ball) - start(*balls_[0]),
                            speed = components(ball->first_speed, false);
      if (!is_along(apart, apart.norm()) || !is_along(speed, speed.norm())) return false;
    }
    return true;
  }
  Eigen::Index ball_index(BodyIndex body) const {
    for (std::size_t i = 0; i < balls_.size(); ++i)
      if (balls_[i] == &model_.bodies[body]) return i;
    return -1;
  }
  /// Balls: s (z_i - z_j) - R_i - R_j, s the sign at the start; half-space: s z_i - offset - R_i.
  bool add_gap(AffineModel& affine, Eigen::Index c) const {
    const Contact& contact = model_.contacts[SourceIndex(c)];
    const Between* between = contact.between();
    if (!between || between->first.point() || between->second.point()) return false;
    affine.restitution[c] = contact.coefficients.restitution;
    Eigen::Index i = ball_index(between->first.body), j = ball_index(between->second.body);
    BodyIndex other = between->second.body;
    if (i < 0) std::swap(i, j), other = between->first.body;
    if (i < 0) return false;
    const auto radius = [&](Eigen::Index k) { return std::get<Ball>(*balls_[k]->shape).radius; };
    if (j >= 0) {
      const double height = (start(*balls_[i]) - start(*balls_[j])).dot(direction_);
      const double sign = height < 0.0 ? -1.0 : 1.0;
      affine.gap_rows(c, i) = sign;
      affine.gap_rows(c, j) = -sign;
      affine.gap_offsets[c] = -radius(i) - radius(j);
      return true;
    }
    const Body& ground = model_.bodies[other];
    if (ground.kind != BodyKind::fixed || !ground.shape ||
        !std::holds_alternative<HalfSpace>(*ground.shape))
      return false;
    const HalfSpace& half = std::get<HalfSpace>(*ground.shape);
    double offset = half.offset;
    for (int a = 0; a < dimension_; ++a) {
      const Expression position = ground.position[a];
      const auto value =
          position.is_valid() ? symbolic::number_value(position) : std::optional<double>(0.0);
      if (!value) return false;
      offset += half.normal[a] * *value;
    }
    const bool is_turned = ground.orientation != Eigen::Vector4d(1, 0, 0, 0) ||
                           (ground.angle.is_valid() &&
                            symbolic::number_value(ground.angle) != std::optional<double>(0.0));
    if (is_turned || !is_along(half.normal, 1.0)) return false;
    // The part of the half-space's distance that the common line of the balls does not change.
    const Eigen::Vector3d foot = start(*balls_[i]);
    const double aside = half.normal.dot(foot - foot.dot(direction_) * direction_);
    affine.gap_rows(c, i) = half.normal.dot(direction_);
    affine.gap_offsets[c] = aside - offset - radius(i);
    return true;
  }

  const Model& model_;
  int dimension_;
  std::vector<const Body*> balls_;
  Eigen::Vector3d direction_ = Eigen::Vector3d::Zero(), gravity_ = Eigen::Vector3d::Zero();
};

}  // namespace

AffineAnswer affine_model(const Model& model) {
  if (const std::string reason = obstacle(model); !reason.empty()) return not_affine(reason);
  if (auto column = Column(model).reduce()) return {std::move(column), ""};
  if (model.dimension != 2) return not_affine("its bodies move freely in space");
  return from_formulas(model);
}

}  // namespace clack
