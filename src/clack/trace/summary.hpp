// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack {

/// Two lines: the model and its file; the theory with its three parts, integrator, tolerance and
/// time.
std::string run_header(const Trace& trace);

/// What a run comes to: final state (one line per coordinate with its speed), the energy ledger,
/// counts, flags and notes.
std::string run_summary(const Trace& trace);

/// "the energy ledger is open: ..." with the numbers.
std::string open_ledger_text(const EnergyLedger& ledger);

/// A number as people read it: six significant digits.
std::string short_number(double number);

/// "0.82 ms", "3.1 s", "2 min 5 s".
std::string short_duration(double seconds);

}  // namespace clack
