// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/model/reader.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

/// Defines the parameters of the section `parameters: {NAME: formula}` (`node` may be null).
/// Formulas may use other parameters in any order; a circle is an error. An override whose name is
/// a parameter replaces its formula and is marked in `is_used`. Entries with repeat are written out
/// first; their counts use the plain parameters.
void read_parameters(Reading& reading, const yaml::Node* node,
                     const std::vector<Override>& overrides, std::vector<bool>& is_used);

}  // namespace clack
