// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "clack/model/formula_reader.hpp"
#include "clack/model/yaml_document.hpp"

namespace clack {

/// Writes out the entries (of a map) and items (of a list) that carry
///
///   repeat: {count: n, as: i}                         i = 1 ... n
///   repeat: {from: 0, to: n, as: i}                   i = 0 ... n
///   repeat: [{count: n, as: i}, {from: i+1, to: n, as: j}]     all pairs i < j
///
/// In their names and formulas {i}, {i+1}, {2*i} ... stand for whole numbers. `known` gives the
/// names that counts and braces may use besides the indices (the parameters). `thing` opens the
/// messages ("bodies"). A section that would grow beyond `node_limit` values is refused.
void expand_repeats(yaml::Node& section, const std::string& thing, FormulaReader& formulas,
                    const symbolic::Names& known, std::size_t node_limit = 200'000);

}  // namespace clack
