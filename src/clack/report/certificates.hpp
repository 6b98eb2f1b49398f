// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack::report {

/// A flag in words; empty for a code that is not known.
std::string_view flag_words(std::string_view code);

/// All flags that have words.
std::vector<std::string_view> known_flags();

/// A flag as a small label that leads to its explanation.
std::string flag_label(const std::string& flag);

/// Of each law of a certificate what it says, for the scripts of the page as well; and the name of its number.
std::array<std::string_view, 6> law_words();
std::array<std::string_view, 6> law_names();
std::array<double, 6> numbers_of(const Certificate& certificate);

/// How far the numbers of a run can be trusted, in sentences: each law with its largest violation and the event where
/// it is, the ledger, every flag with the events that raised it, notes. Buttons lead to the events.
std::string certificate_words(const Trace& trace);

}  // namespace clack::report
