// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace clack {

/// A mistake in what the user gave us (file, option, problem): exit code 2.
///
///   error: WHAT (WHERE)          WHERE = FILE:LINE:COLUMN, FILE or nothing
///   help: REMEDY
class InputError : public std::runtime_error {
 public:
  InputError(std::string what, std::string where, std::string remedy)
      : std::runtime_error(what), where_(std::move(where)), remedy_(std::move(remedy)) {}
  const std::string& where() const { return where_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string where_;
  std::string remedy_;
};

/// A mistake in a model file, found while it is loaded.
class ModelError : public InputError {
 public:
  using InputError::InputError;
};

/// The input is fine but the question has no answer for a physical or mathematical reason: exit code 1.
class NoAnswer : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace clack
