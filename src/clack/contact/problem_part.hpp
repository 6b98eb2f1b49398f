// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/problem.hpp"

namespace clack {

/// Some speeds, contacts and bilateral rows of a problem, each ascending.
struct ProblemPart {
  std::vector<int> speeds, contacts, bilateral;
};

/// The problem of a part alone. Every field of the structs is named there, so that a new one that is
/// not cut does not compile.
ContactProblem part_of(const ContactProblem& problem, const ProblemPart& part);
ImpactProblem part_of(const ImpactProblem& problem, const ProblemPart& part);

/// The same question for some of its contacts, with all speeds and bilateral rows.
ImpactProblem restricted_to(const ImpactProblem& problem, const std::vector<int>& contacts);

}  // namespace clack
