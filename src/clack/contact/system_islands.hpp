// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "clack/contact/delassus.hpp"
#include "clack/contact/problem_part.hpp"

namespace clack {

/// Speeds, contacts and bilateral rows that influence each other through the mass matrix or a row.
using SystemIsland = ProblemPart;

/// Islands ordered by their first speed; they cover the whole system. Rows that move nothing belong
/// to the first one.
std::vector<SystemIsland> system_islands(const ContactSystem& system);

/// Every speed is coupled with the first one: one island at a glance. False says nothing.
bool is_one_island(const ContactSystem& system);

/// An island as a problem of its own, seen through its own inverse mass: what is cubic in the size
/// of a system is cubic in the size of its islands only.
template <class Problem>
struct IslandPart {
  SystemIsland island;
  std::shared_ptr<const Problem> owned;  // empty when the system is one island
  const Problem* problem = nullptr;
  Delassus delassus;
  FreeMotion free;  // with the scale of the whole system
};
std::vector<IslandPart<ContactProblem>> parts_of(const ContactProblem& problem);
std::vector<IslandPart<ImpactProblem>> parts_of(const ImpactProblem& problem);

/// Rows (`per` for each of `places`) of a part put into the vector of the whole.
void put(const Eigen::VectorXd& part, const std::vector<int>& places, int per,
         Eigen::VectorXd& whole);

}  // namespace clack
