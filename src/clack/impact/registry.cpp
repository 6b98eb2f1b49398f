// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/energetic.hpp"
#include "clack/impact/law.hpp"
#include "clack/impact/lzb.hpp"
#include "clack/impact/newton.hpp"
#include "clack/impact/poisson.hpp"
#include "clack/impact/projection.hpp"
#include "clack/impact/smith.hpp"

namespace clack {

// One line per law.
ImpactLawRegistry impact_laws() {
  return {PartKind::impact_law,
          {
              NewtonLaw::part(),
              PoissonLaw::part(),
              ProjectionLaw::part(),
              SmithLaw::part(),
              EnergeticLaw::part(),
              LzbLaw::part(),
          }};
}

std::vector<std::string_view> impact_law_names() { return impact_laws().names(); }

std::unique_ptr<ImpactLaw> make_impact_law(std::string_view name, const OptionValues& options) {
  return impact_laws().make(name, options);
}

}  // namespace clack
