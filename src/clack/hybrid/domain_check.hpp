// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/model/model.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// One condition of Dom(s) that a state breaks, relative to the run's own length, speed or force.
struct DomainViolation {
  double t = 0.0;
  ContactKey contact = {};
  std::string condition;  // as in docs/tasks/automaton.md
  double size = 0.0;
};

struct DomainReport {
  std::size_t rows = 0;  // that were looked at
  double worst = 0.0;    // the largest violation of any condition, also those within the tolerance
  std::vector<DomainViolation> violations;
};

/// The domain of the current location along a recorded run (docs/tasks/automaton.md), at every row
/// of the trace:
///
///   open:    g_N >= 0
///   closed:  g_N = 0, gamma_N = 0, phi_N >= 0
///   stick:   gamma_T = 0, |phi_T| <= mu_s phi_N
///   slip:    |phi_T| = mu_d phi_N, phi_T . gamma_T <= 0
///
/// Forces that are not unique (flag hyperstatic) are the smallest admissible ones and obey the same.
/// With zones any of the contact's coefficients will do.
DomainReport check_domains(const Model& model, const Trace& trace, double tolerance = 1e-6);

/// A row outside the domain of its mode: when, which contact and number.
struct BrokenRow {
  double t = 0.0;
  std::string what;

  std::string text() const;
};

/// The largest numbers of a run so far, against which violations are measured.
struct DomainScales {
  double length = 0.0, speed = 0.0, force = 0.0;  // m, m/s, N
};

/// The same for one state inside a mode, as evaluated last, with the motions of the gaps of all
/// `contacts`: the first condition broken by more than a part 1e-6 of the scales, which grow with
/// the state, with contact and number; empty when all hold.
std::string broken_domain(const Model& model, const ModeDynamics& dynamics, const double* y,
                          const ContactSet& contacts, std::span<const GapMotion> gaps,
                          DomainScales& scales);
/// A closed contact beyond the border of its feature, in the same words; empty when there is none.
std::string left_feature(Mechanism& mechanism, const ContactSet& closed, double t, const double* q,
                         const double* v, const DomainScales& scales);

}  // namespace clack
