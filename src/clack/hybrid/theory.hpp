#pragma once
#include <string>
#include <string_view>

#include "clack/model/model.hpp"

namespace clack {

/// A theory is three independent choices; a preset names one of each.
struct Theory {
  std::string name, formulation, decision, impact;
};

/// The preset of a name; single choices given in the settings replace its parts. Throws InputError
/// naming the known ones.
Theory choose_theory(const RunSettings& settings, int dimension);

}  // namespace clack
