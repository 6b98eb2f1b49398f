// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "clack/hybrid/contact_set.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// Two boxes meet inside a step.
struct BoxTouch {
  double t = 0.0;
  SourceIndex source;
};

/// The first touch of two boxes in the last step of the integrator, before `until`, that leaves them inside each other: one
/// that the gaps of their features did not show. A corner that leaves a face over its border hands over to an edge whose
/// gap is none before, so that the ends of a step say nothing of what is between. Pairs with a contact in `closed` are
/// looked at eight times in the step. `state`: memory; at a touch the state there.
std::optional<BoxTouch> first_touch_of_boxes(Mechanism& mechanism, const ModeDynamics& dynamics,
                                             Integrator& integrator, const ContactSet& closed,
                                             double until, std::vector<double>& state);

/// Which of the open contacts is the touch: the features of these boxes that are nearest to each other at the state.
std::optional<std::size_t> nearest_gap(Mechanism& mechanism, const ModeDynamics& dynamics,
                                       const ContactSet& open, const BoxTouch& touch,
                                       const std::vector<double>& state);

}  // namespace clack
