// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mode_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "clack/error.hpp"

namespace clack {
namespace {

enum class Role {
  out,
  on,
  stick
};  // of a constraint: out or on; of a contact: open, slipping, sticking

/// Something that may take part in a mode, and how.
struct Possible {
  int constraint = -1;  // else a contact
  ContactKey contact = {};
  std::vector<Role> roles = {};
};

bool is_switched_by_event(const Model& model, int constraint, ActionKind kind) {
  return std::ranges::any_of(model.events, [&](const ModelEvent& event) {
    return std::ranges::any_of(event.actions, [&](const Action& action) {
      return action.kind == kind && action.constraint == constraint;
    });
  });
}

bool can_be_on(const Model& model, int constraint) {
  const Constraint& c = model.constraints[constraint];
  return c.active.is_valid() || c.is_active ||
         is_switched_by_event(model, constraint, ActionKind::constraint_on);
}

bool can_be_off(const Model& model, int constraint) {
  const Constraint& c = model.constraints[constraint];
  return c.active.is_valid() || !c.is_active || c.known_from > 0.0 ||
         is_switched_by_event(model, constraint, ActionKind::constraint_off);
}

std::vector<Role> roles_of_constraint(const Model& model, int constraint) {
  std::vector<Role> roles = {};
  if (can_be_off(model, constraint)) roles.push_back(Role::out);
  if (can_be_on(model, constraint)) roles.push_back(Role::on);
  return roles;
}

/// Friction of a contact somewhere: the largest static and the smallest dynamic coefficient.
struct FrictionRange {
  double largest_static = 0.0, smallest_dynamic = 0.0;
};
FrictionRange friction_of(const Contact& contact) {
  FrictionRange range{contact.coefficients.static_friction, contact.coefficients.dynamic_friction};
  for (const Zone& zone : contact.zones) {
    range.largest_static = std::max(range.largest_static, zone.coefficients.static_friction);
    range.smallest_dynamic = std::min(range.smallest_dynamic, zone.coefficients.dynamic_friction);
  }
  return range;
}

std::vector<Role> roles_of_contact(const Contact& contact) {
  std::vector<Role> roles{Role::out, Role::on};
  if (friction_of(contact).largest_static > 0.0) roles.push_back(Role::stick);
  return roles;
}

std::vector<Possible> possibles_of(const Model& model) {
  std::vector<Possible> possibles;
  for (int c = 0; c < number_of(model.constraints); ++c)
    possibles.push_back({.constraint = c, .roles = roles_of_constraint(model, c)});
  for (const SourceIndex source : indices(model.contacts)) {
    const Contact& contact = model.contacts[source];
    if (source_kind(model, contact) == SourceKind::pair)
      throw InputError(
          fmt::format(
              "embedding: offline: the contacts of {} are made where its bodies touch, nobody "
              "can list their modes before",
              contact.name),
          model.file, "use policies: embedding: online");
    possibles.push_back({.contact = {.source = source}, .roles = roles_of_contact(contact)});
  }
  return possibles;
}

/// The plan of a mode without its choices, contacts ascending.
ModePlan plan_of(std::span<const Possible> possibles, std::span<const Role> taken) {
  ModePlan plan;
  for (std::size_t i = 0; i < possibles.size(); ++i) {
    if (taken[i] == Role::out) continue;
    if (possibles[i].constraint >= 0) {
      plan.rows.constraints.push_back(possibles[i].constraint);
    } else {
      plan.rows.contacts.push_back(possibles[i].contact);
      plan.is_stick.push_back(taken[i] == Role::stick);
    }
  }
  return plan;
}

bool is_excluded(const Model& model, const ContactSet& closed) {
  return std::ranges::any_of(
      model.exclusive, [&](const ContactSet& set) { return std::ranges::includes(closed, set); });
}

/// Choices of speeds where the equations of the mode are compiled: not where friction surely slides.
void add_choices(const Model& model, const Mechanism& mechanism, std::size_t limit,
                 ModePlan& plan) {
  for (std::size_t i = 0; i < plan.is_stick.size(); ++i)
    if (!plan.is_stick[i] &&
        friction_of(model.contacts[plan.rows.contacts[i].source]).smallest_dynamic > 0.0)
      return;
  plan.choices = mechanism.possible_choices(plan.rows, plan.is_stick, limit);
}

/// Programs of choices; a mode without any counts as one.
std::size_t programs_of(const ModePlan& plan) {
  return std::max<std::size_t>(1, plan.choices.size());
}

/// What holds in a mode, and what of it always holds.
struct NearMode {
  std::vector<Possible> present, lasting;
  std::vector<Role> roles;  // of what is present
};
NearMode near_mode(const Model& model, const Mode& near) {
  NearMode base;
  for (int c = 0; c < number_of(near.constraints); ++c) {
    if (!near.constraints[c]) continue;
    base.present.push_back({.constraint = c});
    base.roles.push_back(Role::on);
    if (!can_be_off(model, c)) base.lasting.push_back(base.present.back());
  }
  for (const ClosedContact& closed : near.closed) {
    base.present.push_back({.contact = closed.contact});
    base.roles.push_back(closed.status == ContactStatus::stick ? Role::stick : Role::on);
  }
  return base;
}

[[noreturn]] void refuse(const Model& model, const std::string& number, std::size_t limit) {
  throw InputError(
      fmt::format(
          "embedding: offline: this model has {} modes with their choices of speeds, at most {} "
          "are built before the motion begins",
          number, limit),
      model.file, "use policies: embedding: online, which builds those that are needed");
}

}  // namespace

std::vector<ModePlan> plan_all_modes(const Model& model, const Mechanism& mechanism,
                                     std::size_t limit) {
  const std::vector<Possible> possibles = possibles_of(model);
  double modes = 1.0;
  for (const Possible& possible : possibles) modes *= static_cast<double>(possible.roles.size());
  const double listed =
      100.0 * static_cast<double>(limit);  // no more than this is looked at to count exactly
  if (modes > listed) refuse(model, fmt::format("up to {:.3g}", modes), limit);
  std::vector<ModePlan> plans;
  std::size_t programs = 0;
  std::vector<Role> taken;
  const std::function<void()> extend = [&] {
    const std::size_t i = taken.size();
    if (i < possibles.size()) {
      for (const Role part : possibles[i].roles) {
        taken.push_back(part);
        extend();
        taken.pop_back();
      }
      return;
    }
    ModePlan plan = plan_of(possibles, taken);
    if (is_excluded(model, plan.rows.contacts)) return;
    add_choices(model, mechanism, static_cast<std::size_t>(listed), plan);
    programs += programs_of(plan);
    if (programs <= limit) plans.push_back(std::move(plan));
  };
  extend();
  if (programs > limit) refuse(model, std::to_string(programs), limit);
  return plans;
}

std::vector<ModePlan> plan_modes_ahead(const Model& model, const Mechanism& mechanism,
                                       const Mode& near, const Newcomers& newcomers,
                                       std::size_t limit) {
  std::vector<Possible> possibles;  // newcomers
  for (const int c : newcomers.constraints)
    possibles.push_back({.constraint = c, .roles = {Role::on, Role::out}});
  for (const ContactKey& contact : newcomers.contacts) {
    std::vector<Role> roles = roles_of_contact(model.contacts[contact.source]);
    std::ranges::reverse(roles);
    possibles.push_back({.contact = contact, .roles = std::move(roles)});
  }
  const NearMode base = near_mode(model, near);
  const std::vector<Role> lasting_roles(base.lasting.size(), Role::on);
  std::vector<ModePlan> plans;
  std::size_t programs = 0;
  const auto add = [&](std::vector<Possible> all, std::vector<Role> roles) {
    if (programs >= limit) return;
    ModePlan plan = plan_of(all, roles);
    std::ranges::sort(plan.rows.constraints);
    const auto is_same = [&](const ModePlan& other) {
      return other.rows == plan.rows && other.is_stick == plan.is_stick;
    };
    if (!std::ranges::is_sorted(plan.rows.contacts) || is_excluded(model, plan.rows.contacts) ||
        std::ranges::any_of(plans, is_same))
      return;
    add_choices(model, mechanism, limit - programs, plan);
    programs += programs_of(plan);
    plans.push_back(std::move(plan));
  };
  std::vector<Role> taken;
  const std::function<void()> extend = [&] {
    if (programs >= limit) return;
    const std::size_t i = taken.size();
    if (i < possibles.size()) {
      for (const Role part : possibles[i].roles) {
        taken.push_back(part);
        extend();
        taken.pop_back();
      }
      return;
    }
    for (const bool with_present : {true, false}) {
      std::vector<Possible> all = with_present ? base.present : base.lasting;
      std::vector<Role> roles = with_present ? base.roles : lasting_roles;
      all.insert(all.end(), possibles.begin(), possibles.end());
      roles.insert(roles.end(), taken.begin(), taken.end());
      add(std::move(all), std::move(roles));
    }
  };
  add(base.present, base.roles);
  extend();
  return plans;
}

}  // namespace clack
