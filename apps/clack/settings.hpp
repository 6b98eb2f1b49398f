// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack::command {

/// What `--set NAME=FORMULA` says, in the order given.
inline std::vector<Override> parse_settings(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size())
      throw InputError("--set " + setting.substr(0, 60) + " is not NAME=FORMULA", "",
                       "write for example --set mu=0.3 or --set phi_0=pi/6");
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return overrides;
}

}  // namespace clack::command
