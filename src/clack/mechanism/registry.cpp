#include <algorithm>

#include "clack/mechanism/spatial_mechanism.hpp"
#include "clack/mechanism/symbolic_mechanism.hpp"

namespace clack {

std::unique_ptr<Mechanism> make_mechanism(const Model& model) {
  const bool has_free_bodies =
      std::any_of(model.bodies.begin(), model.bodies.end(),
                  [](const Body& body) { return body.kind == BodyKind::free; });
  if (model.dimension == 3 && has_free_bodies) return std::make_unique<SpatialMechanism>(model);
  return std::make_unique<SymbolicMechanism>(model);
}

}  // namespace clack
