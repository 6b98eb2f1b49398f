// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/model/formula_reader.hpp"
#include "clack/model/yaml_document.hpp"
#include "clack/study/study.hpp"

namespace clack::study {

/// Section `keep`: what of a case goes into the table.
///
///   NAME: {final: FORMULA}
///   NAME: {max | min | mean: FORMULA, from: t, to: t}
///   NAME: {count: KIND, contact: NAME, from: t, to: t}
///   NAME: {value: FORMULA, at: KIND, contact: NAME, side: before | after, last: K, from: t, to: t}
///   NAME: {value: FORMULA, when: FORMULA, direction: rising | falling | both, last: K, from: t, to: t}
///   NAME: {cycle: period | drop | multiplier}
///   NAME: {energy: LINE}
///   NAME: {flag: CODE}
std::vector<Kept> read_keep(const yaml::Node& node, FormulaReader& formulas,
                            const std::string& file);

}  // namespace clack::study
