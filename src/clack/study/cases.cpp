// SPDX-License-Identifier: Apache-2.0
#include "clack/study/cases.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <random>

#include "clack/index.hpp"
#include "clack/number_text.hpp"

namespace clack::study {
namespace {

/// Numbers in [0, 1): 53 bits of a generator whose output the C++ standard fixes.
std::vector<std::vector<double>> random_points(long count, int dimension, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<std::vector<double>> points(count, std::vector<double>(dimension));
  for (auto& point : points)
    for (double& x : point) x = std::ldexp(double(generator() >> 11), -53);
  return points;
}

/// Sobol's sequence (direction numbers of Joe and Kuo), shifted modulo 1 by a vector that the seed draws: seed 0 leaves
/// it as it is.
std::vector<std::vector<double>> sobol_points(long count, int dimension, std::uint64_t seed) {
  std::vector<double> shift(dimension, 0.0);
  if (seed != 0) shift = random_points(1, dimension, seed).front();
  boost::random::sobol_engine<std::uint64_t, 64> generator(dimension);
  std::vector<std::vector<double>> points(count, std::vector<double>(dimension));
  for (auto& point : points)
    for (int k = 0; k < dimension; ++k) {
      const double x = std::ldexp(double(generator() >> 11), -53) + shift[k];
      point[k] = x - std::floor(x);
    }
  return points;
}

}  // namespace

Cases::Cases(const Study& study) : study_(study) {
  if (study.sample) {
    const long drawn = study.sample->count;
    const int axes = number_of(study.axes), dimension = study.sample->is_paired ? 2 * axes : axes;
    samples_ = study.sample->method == SampleMethod::random
                   ? random_points(drawn, dimension, study.sample->seed)
                   : sobol_points(drawn, dimension, study.sample->seed);
    grid_ = study.sample->is_paired ? drawn * (axes + 2) : drawn;
  } else {
    for (const Axis& axis : study.axes) grid_ *= static_cast<long>(axis.values.size());
  }
  count_ = study.follow ? 2 * grid_ : grid_;
  lanes_ = study.follow ? 2 * (grid_ / static_cast<long>(study.axes[*study.follow].values.size()))
                        : grid_;
}

std::vector<std::string> Cases::sampled(long number) const {
  std::vector<std::string> values;
  const long count = study_.sample->count,
             set = number / count;  // 0: A (or all), 1: B, 2 + i: A with the column i of B
  const int axes = number_of(study_.axes);
  for (int k = 0; k < axes; ++k) {
    const Axis& axis = study_.axes[k];
    const bool is_of_b = set == 1 || set == 2 + k;
    const double u = samples_[number % count][is_of_b ? axes + k : k];
    const double x = axis.is_log ? axis.low * std::pow(axis.high / axis.low, u)
                                 : axis.low + u * (axis.high - axis.low);
    values.emplace_back(std::string_view(NumberText(x)));
  }
  return values;
}

Case Cases::at(long number) const {
  Case one{number, {}, Direction::none};
  long rest = number;
  if (study_.follow) {
    one.direction = number < grid_ ? Direction::up : Direction::down;
    rest = number % grid_;
  }
  if (study_.sample) {
    one.values = sampled(rest);
    return one;
  }
  one.values.resize(study_.axes.size());
  for (std::size_t k = study_.axes.size(); k-- > 0;) {
    const auto& values = study_.axes[k].values;
    const long size = static_cast<long>(values.size());
    one.values[k] = values[rest % size];
    rest /= size;
  }
  return one;
}

std::vector<long> Cases::lane(long index) const {
  if (!study_.follow) return {index};
  const auto size_of = [&](std::size_t k) {
    return static_cast<long>(study_.axes[k].values.size());
  };
  long stride = 1;  // between neighbours along the axis that is followed
  for (std::size_t k = *study_.follow + 1; k < study_.axes.size(); ++k) stride *= size_of(k);
  const long length = size_of(*study_.follow), lanes = grid_ / length;
  const bool is_up = index < lanes;
  const long own = index % lanes;
  const long first = (own / stride) * stride * length + own % stride;
  std::vector<long> cases;
  for (long i = 0; i < length; ++i)
    cases.push_back((is_up ? 0 : grid_) + first + stride * (is_up ? i : length - 1 - i));
  return cases;
}

std::string rerun_command(const Study& study, const Case& one) {
  std::string text = "clack run " + study.model_file;
  const auto add = [&](const std::string& name, const std::string& value) {
    const bool is_plain = std::ranges::all_of(value, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) ||
             std::string_view("+-._").find(c) != std::string_view::npos;
    });
    text += " --set " + name + "=" + (is_plain ? value : "'" + value + "'");
  };
  for (const Override& setting : study.settings) add(setting.name, setting.formula);
  for (std::size_t k = 0; k < study.axes.size(); ++k) add(study.axes[k].name, one.values[k]);
  return text;
}

}  // namespace clack::study
