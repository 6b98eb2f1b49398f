// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/timed_loads.hpp"

#include <algorithm>

namespace clack {
namespace {

class TimedLoads {
 public:
  explicit TimedLoads(const Model& model) : model_(model) {}

  bool any() const {
    const auto is_of = [&](const auto& all) {
      return std::ranges::any_of(all, [&](const auto& load) { return is_timed(load); });
    };
    return is_timed(model_.gravity) || is_timed(model_.force) || is_of(model_.springs) ||
           is_of(model_.forces) || is_of(model_.torques) || is_of(model_.generalised_forces);
  }

 private:
  bool is_timed(const Expression& e) const {
    return e.is_valid() && symbolic::depends_on(e, model_.time);
  }
  bool is_timed(std::span<const Expression> all) const {
    return std::ranges::any_of(all, [&](const Expression& e) { return is_timed(e); });
  }
  bool is_timed(const PointForce& force) const { return is_timed(force.components); }
  bool is_timed(const Torque& torque) const {
    return is_timed(torque.value) || is_timed(torque.components);
  }
  bool is_timed(const GeneralisedForce& force) const { return is_timed(force.value); }
  bool is_timed(const Spring& spring) const {
    return is_timed(spring.stiffness) || is_timed(spring.damping) || is_timed(spring.rest) ||
           is_moved(spring.first.body) || is_moved(spring.second.body);
  }
  bool is_moved(BodyIndex index) const {
    if (!index.is_valid()) return false;
    const Body& body = model_.bodies[index];
    return body.kind == BodyKind::moving || is_timed(body.position) || is_timed(body.angle);
  }

  const Model& model_;
};

}  // namespace

bool has_timed_loads(const Model& model) { return TimedLoads(model).any(); }

}  // namespace clack
