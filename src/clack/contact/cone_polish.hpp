#pragma once
#include "clack/contact/cone_friction.hpp"

namespace clack {

/// Sweeps end a few digits above rounding. Once the state of every contact is clear from their
/// answer, the equations of these states hold exactly:
///
///   closed   xi_N = 0        stick   xi_T = 0        slip   l_T = -mu l_N xi_T/|xi_T|
///
/// Newton steps on them, each the smallest correction (dependent rows included), bring the answer
/// to rounding. Where a state is not clear, or a step would leave its state, the answer stays as
/// it is. True when it was improved.
bool polish_cone_answer(const ConeFriction& problem, ConeAnswer& answer);

}  // namespace clack
