// SPDX-License-Identifier: Apache-2.0
#include "clack/model/own_formulas.hpp"

namespace clack {
namespace {

/// Changes formulas, and all that holds formulas, one by one: those of the motion, or also symbols and what is watched.
/// Used to take formulas over into a copy of their graph; one that is forgotten here cannot pass unnoticed: its graph is
/// sealed, and two graphs do not mix.
class EachFormula {
 public:
  EachFormula(const std::function<Expression(Expression)>& change, bool is_all)
      : change_(change), is_all_(is_all) {}

  void operator()(Model& model) {
    if (is_all_)
      each(model.time, model.inputs, model.coordinates, model.speeds, model.events,
           model.watched_forces, model.sketches, model.joints);
    each(model.rates, model.gravity, model.bodies, model.mass_matrix, model.force, model.potential);
    each(model.springs, model.forces, model.torques, model.generalised_forces);
    each(model.constraints, model.contacts, model.paths, model.feet);
  }

 private:
  template <class... Parts>
  void each(Parts&... parts) {
    (take(parts), ...);
  }
  template <class T>
  void take(std::vector<T>& parts) {
    for (T& part : parts) take(part);
  }
  template <class T, class IndexType>
  void take(Indexed<T, IndexType>& parts) {
    for (T& part : parts) take(part);
  }
  template <class T, std::size_t n>
  void take(std::array<T, n>& parts) {
    for (T& part : parts) take(part);
  }
  void take(Expression& formula) {
    if (formula.is_valid()) formula = change_(formula);
  }
  void take(Input& input) { take(input.symbols); }
  void take(Coordinate& coordinate) { take(coordinate.symbol); }
  void take(Speed& speed) { take(speed.symbol); }
  void take(Body& body) {
    each(body.position, body.angle);
    take(body.rotation);
  }
  void take(RotationStep& step) {
    if (auto* turn = std::get_if<Turn>(&step))
      take(turn->angle);
    else
      take(std::get<QuaternionFormulas>(step));
  }
  void take(Spring& spring) { each(spring.along, spring.stiffness, spring.damping, spring.rest); }
  void take(PointForce& force) { take(force.components); }
  void take(Torque& torque) { each(torque.value, torque.components); }
  void take(GeneralisedForce& force) { take(force.value); }
  void take(Constraint& constraint) {
    each(constraint.rows, constraint.rates, constraint.biases);
    if (is_all_) take(constraint.active);
  }
  void take(Zone& zone) {
    if (is_all_) take(zone.where);
  }
  void take(ModelEvent& event) { take(event.when); }
  void take(Sketch& sketch) { each(sketch.position, sketch.angle, sketch.rotation, sketch.ends); }
  void take(JointColumn& column) { take(column.value); }
  void take(Joint& joint) { each(joint.row_forces, joint.columns); }
  void take(WatchedForce& force) { take(force.symbol); }
  void take(GapFormulas& f) {
    each(f.gap, f.slip, f.normal_row, f.tangent_rows, f.gap_bias, f.slip_bias);
  }
  void take(Path& path) {
    if (is_all_) each(path.symbols, path.point);
    each(path.position, path.angle, path.rotation);
  }
  void take(Foot& foot) { take(foot.centre); }
  void take(Contact& c) {
    if (auto* formulas = std::get_if<GapFormulas>(&c.given)) take(*formulas);
    each(c.surface_velocity, c.zones);
  }

  const std::function<Expression(Expression)>& change_;
  bool is_all_;
};

}  // namespace

Model with_own_formulas(const Model& model) {
  Model own = model;
  if (!model.graph) return own;
  own.graph = std::make_shared<symbolic::Graph>(*model.graph);
  EachFormula([&](Expression e) { return own.graph->same(e); }, true)(own);
  return own;
}

void transform_motion(Model& model, const std::function<Expression(Expression)>& change) {
  EachFormula(change, false)(model);
}

}  // namespace clack
