// SPDX-License-Identifier: Apache-2.0
#include "clack/study/find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/number_text.hpp"

namespace clack::study {

std::string class_of(const CaseResult& result) {
  if (!result.class_name.empty()) return result.class_name;
  return std::string(to_string(result.status));
}

namespace {

Probe probe(const Study& study, double value, const std::function<std::string()>& interruption) {
  Study one = study;
  one.axes = {Axis{study.search->axis,
                   {std::string(std::string_view(NumberText(value)))},
                   0,
                   0,
                   false,
                   false,
                   {}}};
  const Case only = Cases(one).at(0);
  std::optional<CaseResult> result = run_case(one, only, {}, interruption);
  if (!result) throw NoAnswer("the search was interrupted", study.file, "start it again");
  return {value, std::move(*result), rerun_command(one, only)};
}

}  // namespace

Threshold find_threshold(const Study& study, const std::function<std::string()>& interruption) {
  const Search& search = *study.search;
  Threshold threshold;
  threshold.low = probe(study, std::min(search.from, search.to), interruption);
  threshold.high = probe(study, std::max(search.from, search.to), interruption);
  threshold.probes = {threshold.low, threshold.high};
  if (class_of(threshold.low.result) == class_of(threshold.high.result))
    throw InputError(
        fmt::format("{} = {:g} and {:g} are both of class {}", search.axis, threshold.low.value,
                    threshold.high.value, class_of(threshold.low.result)),
        study.where(search.place), "choose from and to on different sides");
  const std::string below = class_of(threshold.low.result);
  const auto is_apart = [&] {
    return threshold.high.value - threshold.low.value >
           search.tolerance *
               std::max(std::abs(threshold.low.value), std::abs(threshold.high.value));
  };
  while (is_apart()) {
    const double middle = threshold.value();
    if (!(middle > threshold.low.value && middle < threshold.high.value))
      break;  // neighbouring numbers
    Probe next = probe(study, middle, interruption);
    threshold.probes.push_back(next);
    (class_of(next.result) == below ? threshold.low : threshold.high) = std::move(next);
  }
  return threshold;
}

}  // namespace clack::study
