// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack::report {

/// HTML tables of a run. Long ones keep their beginning and their end and say what is left out.
std::string events_table(const Trace& trace, std::size_t most = 2000);
std::string impacts_table(const Trace& trace, std::size_t most = 400);
std::string ledger_table(const EnergyLedger& energy);

/// The events of one period of the limit cycle, in ms from the first; empty without a cycle.
std::string cycle_table(const Trace& trace);

/// A number with six significant digits, a true minus and powers of ten as people write them.
std::string pretty(double number, int digits = 6);

}  // namespace clack::report
