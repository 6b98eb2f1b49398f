// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/solid_sources.hpp"

namespace clack {

std::vector<SolidSource> solid_sources(const Model& model) {
  std::vector<SolidSource> found;
  for (const SourceIndex i : indices(model.contacts)) {
    if (!is_solid_pair(model, model.contacts[i])) continue;
    const Between& between = *model.contacts[i].between();
    const BodyIndex a = between.first.body, b = between.second.body;
    found.push_back({i, a, b, model.bodies[a].solid.get(), model.bodies[b].solid.get()});
  }
  return found;
}

double approach(const SolidSource& source, const BodyMotions& begin, const BodyMotions& end,
                double duration) {
  const BodyMotion &a0 = begin[source.first_body], &b0 = begin[source.second_body],
                   &a1 = end[source.first_body], &b1 = end[source.second_body];
  const Eigen::Vector3d way =
      (a1.pose.position - b1.pose.position) - (a0.pose.position - b0.pose.position);
  const double bend = (duration * (a0.velocity - b0.velocity) - way).norm() +
                      (duration * (a1.velocity - b1.velocity) - way).norm();
  const double first_turn = duration * (a0.spin.norm() + a1.spin.norm()),
               second_turn = duration * (b0.spin.norm() + b1.spin.norm());
  return way.norm() + bend + first_turn * source.first->outer_radius +
         second_turn * source.second->outer_radius;
}

}  // namespace clack
