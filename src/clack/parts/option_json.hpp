// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "clack/parts/catalogue.hpp"

namespace clack {

struct ReadOptions {
  OptionValues values;
  std::vector<std::string> unread;  // keys that no part asked reads, or that it passes over
};

/// The `options` of a JSON problem: `own` are read by the question itself, the others by `chosen`.
/// Every mistake is an InputError that names the option: one that `chosen` does not read names the
/// parts of `catalogue` that do; an unknown one the nearest known. Where no part is asked (nullptr)
/// what only parts read is listed instead.
ReadOptions read_options(const nlohmann::json& options, std::span<const Option> own,
                         const PartDescription* chosen, const PartCatalogue& catalogue,
                         const std::string& file);

}  // namespace clack
