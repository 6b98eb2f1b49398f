// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "clack/hybrid/mode.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {

/// Every mode that a run of a model can come to: each allowed set of closed contacts, each of them sticking or slipping, with
/// each set of the constraints that can be on; and for each of these every choice of dependent speeds that is not singular by
/// its zeros alone (P2, design III). Contacts without friction never stick; where friction slides the embedded equations are
/// not compiled, so that there is no choice to plan.
///
/// Throws InputError with their number when they are more than `limit`, and where contacts are made at run time.
std::vector<ModePlan> plan_all_modes(const Model& model, const Mechanism& mechanism,
                                     std::size_t limit);

/// Entries of a model that a run does not know yet.
struct Newcomers {
  std::vector<int> constraints;
  std::vector<ContactKey> contacts;
};

/// The modes that are likely when newcomers begin to act on a run in the mode `near`: this one, and it and what always holds
/// with sets of them, all of them first. At most `limit` programs. A guess: what is not among them is built when it is needed.
std::vector<ModePlan> plan_modes_ahead(const Model& model, const Mechanism& mechanism,
                                       const Mode& near, const Newcomers& newcomers,
                                       std::size_t limit);

}  // namespace clack
