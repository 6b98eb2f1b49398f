// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/error.hpp"

namespace clack::command {

/// The library's parts know no files: what they refuse inside `action` gets the name of ours.
template <class Action>
auto in_file(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const NoAnswer&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(error.what(), error.where().empty() ? file : error.where(), error.remedy());
  }
}

}  // namespace clack::command
