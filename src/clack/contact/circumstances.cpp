// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/circumstances.hpp"

#include "clack/error.hpp"

namespace clack {

Circumstances circumstances_of(const ContactSystem& system) {
  Circumstances now{.dimension = system.dimension, .contacts = system.contacts()};
  for (int i = 0; i < system.contacts(); ++i) {
    const ContactMaterial& material = system.materials[i];
    const double friction = std::max(material.dynamic_friction, material.static_friction);
    if (!(friction > 0.0)) continue;
    now.rough_contact = system.names[i];
    now.friction = friction;
    break;
  }
  return now;
}

Circumstances circumstances_of(const ImpactProblem& problem) {
  Circumstances now = circumstances_of(static_cast<const ContactSystem&>(problem));
  for (int i = 0; i < problem.contacts(); ++i) {
    if (i > 0 && !(problem.materials[i].restitution < now.restitution)) continue;
    now.rebounding_contact = problem.names[i];
    now.restitution = problem.materials[i].restitution;
  }
  return now;
}

void require_needs(PartKind kind, std::string_view name, const Needs& needs,
                   const ContactSystem& system) {
  const std::string reason = unmet_need(needs, circumstances_of(system));
  if (reason.empty()) return;
  throw InputError(fmt::format("{} {} {}", to_string(kind), name, reason), "",
                   fmt::format("choose another {}", to_string(kind)));
}

}  // namespace clack
