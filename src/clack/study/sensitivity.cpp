// SPDX-License-Identifier: Apache-2.0
#include "clack/study/sensitivity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "clack/index.hpp"
#include "clack/number_text.hpp"
#include "clack/trace/summary.hpp"

namespace clack::study {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// Values of the cases of one sample: f_A, f_B, f_AB1 ... f_ABd.
struct PairedSample {
  double a = nowhere, b = nowhere;
  std::vector<double> ab;
  bool is_whole() const {
    bool whole = std::isfinite(a) && std::isfinite(b);
    for (const double value : ab) whole = whole && std::isfinite(value);
    return whole;
  }
};

struct Moments {
  double mean = 0.0, variance = 0.0;
};

/// `picked`: which samples, possibly several times.
Moments moments_of(const std::vector<PairedSample>& samples, const std::vector<int>& picked) {
  Moments moments;
  const double count = 2.0 * double(picked.size());
  for (const int k : picked) moments.mean += (samples[k].a + samples[k].b) / count;
  for (const int k : picked)
    moments.variance +=
        (std::pow(samples[k].a - moments.mean, 2) + std::pow(samples[k].b - moments.mean, 2)) /
        count;
  return moments;
}

struct Indices {
  double first = nowhere, total = nowhere;
};

Indices indices_of(const std::vector<PairedSample>& samples, const std::vector<int>& picked,
                   int axis) {
  const Moments moments = moments_of(samples, picked);
  if (!(moments.variance > 0.0)) return {};
  Indices indices{0.0, 0.0};
  const double count = double(picked.size());
  for (const int k : picked) {
    const PairedSample& one = samples[k];
    indices.first += (one.b - moments.mean) * (one.ab[axis] - one.a) / (count * moments.variance);
    indices.total += std::pow(one.a - one.ab[axis], 2) / (2.0 * count * moments.variance);
  }
  return indices;
}

/// Standard deviations of both indices over resampled sets.
Indices errors_of(const std::vector<PairedSample>& samples, int axis) {
  std::mt19937_64 generator(1);
  std::vector<int> picked(samples.size());
  double first = 0.0, first_square = 0.0, total = 0.0, total_square = 0.0;
  for (int k = 0; k < bootstrap; ++k) {
    for (int& place : picked) place = static_cast<int>(generator() % samples.size());
    const Indices one = indices_of(samples, picked, axis);
    first += one.first / bootstrap;
    first_square += one.first * one.first / bootstrap;
    total += one.total / bootstrap;
    total_square += one.total * one.total / bootstrap;
  }
  return {std::sqrt(std::max(0.0, first_square - first * first)),
          std::sqrt(std::max(0.0, total_square - total * total))};
}

}  // namespace

Sensitivity sensitivity_of(const Study& study, const std::string& name,
                           const std::vector<CaseResult>& results, int column) {
  const int dimension = number_of(study.axes);
  const long count = study.sample->count;
  std::vector<PairedSample> drawn(count,
                                  {nowhere, nowhere, std::vector<double>(dimension, nowhere)});
  for (const CaseResult& result : results) {  // numbered A, B, AB_1 ... AB_d
    PairedSample& sample = drawn[result.number % count];
    const long set = result.number / count;
    (set == 0 ? sample.a : set == 1 ? sample.b : sample.ab[set - 2]) = result.values[column];
  }
  std::vector<PairedSample> samples;
  for (PairedSample& sample : drawn)
    if (sample.is_whole()) samples.push_back(std::move(sample));
  Sensitivity sensitivity{name, static_cast<long>(samples.size()), count, nowhere, nowhere, {}};
  std::vector<int> all(samples.size());
  for (int k = 0; k < number_of(all); ++k) all[k] = k;
  if (!samples.empty()) {
    const Moments moments = moments_of(samples, all);
    sensitivity.mean = moments.mean;
    sensitivity.variance = moments.variance;
  }
  for (int axis = 0; axis < dimension; ++axis) {
    const Indices indices = samples.empty() ? Indices{} : indices_of(samples, all, axis);
    const Indices errors = samples.empty() ? Indices{} : errors_of(samples, axis);
    sensitivity.axes.push_back(
        {study.axes[axis].name, indices.first, errors.first, indices.total, errors.total});
  }
  return sensitivity;
}

nlohmann::ordered_json sensitivity_json(const Sensitivity& sensitivity) {
  nlohmann::ordered_json axes = nlohmann::ordered_json::array();
  for (const AxisSensitivity& axis : sensitivity.axes)
    axes.push_back({{"axis", axis.axis},
                    {"first", axis.first},
                    {"first_error", axis.first_error},
                    {"total", axis.total},
                    {"total_error", axis.total_error}});
  return {{"result", sensitivity.column},     {"used", sensitivity.used},
          {"drawn", sensitivity.drawn},       {"mean", sensitivity.mean},
          {"variance", sensitivity.variance}, {"axes", axes}};
}

Sensitivity sensitivity_from(const nlohmann::json& json) {
  const auto number = [](const nlohmann::json& value) {
    return value.is_null() ? nowhere : value.get<double>();
  };
  Sensitivity sensitivity{json.at("result"),
                          json.at("used"),
                          json.at("drawn"),
                          number(json.at("mean")),
                          number(json.at("variance")),
                          {}};
  for (const nlohmann::json& axis : json.at("axes"))
    sensitivity.axes.push_back({axis.at("axis"), number(axis.at("first")),
                                number(axis.at("first_error")), number(axis.at("total")),
                                number(axis.at("total_error"))});
  return sensitivity;
}

std::string sensitivity_text(const std::vector<Sensitivity>& all) {
  std::string text = fmt::format("{:<26} {:<14} {:>22} {:>22}\n", "part of the variance", "axis",
                                 "alone", "in all");
  for (const Sensitivity& one : all) {
    for (const AxisSensitivity& axis : one.axes)
      text += fmt::format("  {:<24} {:<14} {:>10.4f} +- {:<8.4f} {:>11.4f} +- {:<7.4f}\n",
                          &axis == &one.axes.front() ? one.column : "", axis.axis, axis.first,
                          axis.first_error, axis.total, axis.total_error);
    if (one.used < one.drawn)
      text +=
          fmt::format("  {:<24} {} of {} samples have all their values\n", "", one.used, one.drawn);
    if (!(one.variance > 0.0)) text += fmt::format("  {:<24} the result does not vary\n", "");
  }
  return text;
}

std::string sensitivity_csv(const std::vector<Sensitivity>& all) {
  std::string text = "result,axis,first,first_error,total,total_error,samples\n";
  for (const Sensitivity& one : all)
    for (const AxisSensitivity& axis : one.axes) {
      text += one.column + "," + axis.axis;
      for (const double value : {axis.first, axis.first_error, axis.total, axis.total_error}) {
        text += ',';
        if (std::isfinite(value)) text += std::string_view(NumberText(value));
      }
      text += "," + std::to_string(one.used) + "\n";
    }
  return text;
}

}  // namespace clack::study
