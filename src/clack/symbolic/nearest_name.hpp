// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace clack::symbolic {

/// The candidate with the smallest edit distance to `name` (the first of several), or nothing when
/// even that one differs in more than a third of its letters.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace clack::symbolic
