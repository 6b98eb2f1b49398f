// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clack/energy/restitution_consistency.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/hybrid/contact_set.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/model/model.hpp"

namespace clack {

enum class StartStatus { open, closed, penetrating };
std::string_view to_string(StartStatus status);

struct ContactStart {
  ContactKey contact;
  double gap = 0.0, gap_rate = 0.0;  // m, m/s
  StartStatus status = StartStatus::open;
  bool is_approaching = false;  // a closed contact that begins with an impact
};

/// One of the three exchangeable parts of a theory, and why it cannot treat this model, naming
/// those that can (empty: it can).
struct TheoryPart {
  std::string kind, name, refusal;
};

/// What the constraints that are on at the start leave.
struct StartFreedom {
  int degrees = 0;                       // speeds less the rank of the constraints
  std::vector<std::string> independent;  // speeds that scaled pivoting chooses first
  std::vector<std::string> redundant;    // rows that depend on others ("loop 2")
};

/// A pair of outlines at the start: its signed gap (nothing: crossing) and what is closest.
struct OutlineStart {
  SourceIndex source;
  PairGap gap;
  bool may_start = true;  // no overlap beyond Tolerances::penetration
};

/// A model at its start, before anything runs.
struct StartReport {
  Theory theory;
  std::vector<TheoryPart> parts;       // formulation, decision, impact
  std::vector<ContactStart> contacts;  // of a pair those that touch, else the nearest; ascending
  std::vector<OutlineStart>
      outlines;  // pairs of outlines; those that touch are among the contacts, too
  /// Of the contacts that are closed at the start, read as Newton's restitutions; nothing when
  /// fewer than two are.
  std::optional<RestitutionConsistency> consistency;

  StartFreedom freedom;

  bool is_ready() const;  // no contact penetrates, no outlines overlap, and every part fits
};

/// Throws InputError for names of theories and parts that do not exist.
StartReport inspect_start(const Model& model, const TheoryParts& parts = standard_parts());

}  // namespace clack
