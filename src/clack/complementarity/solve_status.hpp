// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace clack {

/// How the search for an answer ended; the same words for every solver, decision and law.
///
///   solved         an answer whose residual is below the tolerance
///   none_exists    PROVED that there is none: every state of the contacts was tried and each fails
///                  by far more than rounding, or the rows contradict each other
///   several        different answers are known; the one that comes first by the stated preference
///                  is given
///   not_converged  the method gave up; the best iterate is given with its residual. This says
///                  nothing about the mechanics.
///   unfinished     a chain of events that reached its cap: what is given is right so far, and
///                  contacts still approach
enum class SolveStatus { solved, none_exists, several, not_converged, unfinished };

constexpr std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::none_exists:
      return "none-exists";
    case SolveStatus::several:
      return "several";
    case SolveStatus::not_converged:
      return "not-converged";
    case SolveStatus::unfinished:
      return "unfinished";
  }
  return "";
}

/// Is there an answer to go on with?
constexpr bool has_answer(SolveStatus status) {
  return status == SolveStatus::solved || status == SolveStatus::several;
}

}  // namespace clack
