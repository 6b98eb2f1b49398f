// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/solid_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/mechanism/spatial_kinematics.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using symbolic::Interval;

constexpr double unbounded = std::numeric_limits<double>::infinity();

Interval enclosing(const DenseCurve::Range& range) { return {range.low, range.high}; }

double middle_of_interval(const Interval& x) { return 0.5 * (x.low + x.high); }

double smallest_size(const Interval& x) {
  if (x.low > 0.0) return x.low;
  return x.high < 0.0 ? -x.high : 0.0;
}

/// Where an interval is not known, no bound is.
double largest_norm(std::span<const Interval> components) {
  double squared = 0.0;
  for (const Interval& x : components) {
    const double largest = x.largest();
    if (!(largest < unbounded)) return unbounded;
    squared += largest * largest;
  }
  return std::sqrt(squared);
}

}  // namespace

SolidMotion::SolidMotion(Mechanism& mechanism) : mechanism_(mechanism) {
  for (const SolidSource& solids : mechanism.solids())
    for (const BodyIndex body : {solids.first_body, solids.second_body}) {
      const BodyKind kind = mechanism.model().bodies[body].kind;
      if (kind == BodyKind::free || kind == BodyKind::fixed || formulas_of(body)) continue;
      add_formulas(body);
    }
}

void SolidMotion::add_formulas(BodyIndex index) {
  const Model& model = mechanism_.model();
  const Body& body = model.bodies[index];
  std::vector<Expression> pose(body.position.begin(), body.position.end());
  for (const SpatialVector& row : rotation_matrix(*model.graph, steps_to(model, body)))
    pose.insert(pose.end(), row.begin(), row.end());
  Formulas formulas;
  formulas.body = index;
  std::vector<Expression> along{model.time}, inputs{model.time}, outputs;
  for (int i = 0; i < number_of(model.coordinates); ++i) {
    const Expression& symbol = model.coordinates[i].symbol;
    inputs.push_back(symbol);
    if (std::ranges::none_of(pose, [&](const Expression& e) { return depends_on(e, symbol); }))
      continue;
    formulas.coordinates.push_back(i);
    along.push_back(symbol);
  }
  std::vector<Expression> signals;
  for (const Input& input : model.inputs)
    signals.insert(signals.end(), input.symbols.begin(), input.symbols.end());
  for (const Expression& e : pose)
    for (const Expression& symbol : symbolic::symbols_of(e)) {
      if (std::ranges::find(inputs, symbol) != inputs.end()) continue;
      const auto signal = std::ranges::find(signals, symbol);
      inputs.push_back(symbol);
      formulas.held.push_back(signal != signals.end() ? static_cast<int>(signal - signals.begin())
                                                      : -1);
    }
  for (const Expression& symbol : along)
    for (const Expression& e : pose) outputs.push_back(symbolic::derivative(e, symbol));
  for (std::size_t i = 0; i < along.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t k = 0; k < numbers; ++k)
        outputs.push_back(symbolic::derivative(outputs[numbers * i + k], along[j]));
  formulas.pose = symbolic::IntervalProgram(inputs, pose);
  formulas.program = symbolic::IntervalProgram(inputs, outputs);
  formulas.outputs = outputs.size();
  formulas_.push_back(std::move(formulas));
}

const SolidMotion::Formulas* SolidMotion::formulas_of(BodyIndex body) const {
  const auto found = std::ranges::find(formulas_, body, &Formulas::body);
  return found != formulas_.end() ? &*found : nullptr;
}

std::vector<Interval> SolidMotion::inputs_of(const Formulas& formulas, double from,
                                             double to) const {
  std::vector<Interval> inputs{{from, to}};
  for (int i = 0; i < mechanism_.coordinates(); ++i)
    inputs.push_back(enclosing(curve_.range(i, 0, from, to)));
  const std::vector<Signal>& signals = mechanism_.signals();
  for (const int at : formulas.held) {
    if (at < 0) {
      inputs.push_back({-1.0, 1.0});  // a branch: any
      continue;
    }
    const Signal& s = signals[at / 4];
    const double number = std::array{s.value, s.rate, s.acceleration, s.since}[at % 4];
    inputs.push_back({number, number});
  }
  return inputs;
}

/// Along (t, q_1, q_2, ...): rates 1, q_i' and their rates 0, q_i''.
SolidMotion::PoseRates SolidMotion::rates_of(const Formulas& formulas, double from,
                                             double to) const {
  std::vector<Interval> values(formulas.outputs), rate{{1.0, 1.0}}, acceleration{{0.0, 0.0}};
  const std::vector<Interval> inputs = inputs_of(formulas, from, to);
  formulas.program(inputs.data(), values.data());
  for (const int i : formulas.coordinates) {
    rate.push_back(enclosing(curve_.range(i, 1, from, to)));
    acceleration.push_back(enclosing(curve_.range(i, 2, from, to)));
  }
  const std::size_t n = rate.size();
  PoseRates rates{};
  for (std::size_t k = 0; k < numbers; ++k) {
    for (std::size_t i = 0, at = numbers * n; i < n; ++i) {
      rates.first[k] = rates.first[k] + values[numbers * i + k] * rate[i];
      rates.second[k] = rates.second[k] + values[numbers * i + k] * acceleration[i];
      for (std::size_t j = 0; j <= i; ++j, at += numbers) {
        const double times = i == j ? 1.0 : 2.0;
        rates.second[k] =
            rates.second[k] + Interval{times, times} * (values[at + k] * (rate[i] * rate[j]));
      }
    }
  }
  return rates;
}

SolidRange SolidMotion::free_range(const Body& body, double from, double to) const {
  SolidRange range;
  const int x = body.first_coordinate, p = x + 3;
  for (int k = 0; k < 3; ++k) {
    range.velocity[k] = enclosing(curve_.range(x + k, 1, from, to));
    range.acceleration[k] = enclosing(curve_.range(x + k, 2, from, to));
  }
  std::array<Interval, 4> rate, second;
  double inside = 0.0, there = 0.0;  // |p|^2 from below: by its components, and in the middle
  for (int k = 0; k < 4; ++k) {
    rate[k] = enclosing(curve_.range(p + k, 1, from, to));
    second[k] = enclosing(curve_.range(p + k, 2, from, to));
    inside += std::pow(smallest_size(enclosing(curve_.range(p + k, 0, from, to))), 2);
    there += std::pow(curve_.value(p + k, 0.5 * (from + to)), 2);
  }
  const double first = largest_norm(rate),
               least = std::max(std::sqrt(inside), std::sqrt(there) - 0.5 * (to - from) * first);
  if (!(least > 0.0)) {
    range.turning = range.bending = unbounded;
    return range;
  }
  range.turning = 2.0 * first / least;
  range.bending = 2.0 * largest_norm(second) / least + 2.0 * range.turning * range.turning;
  return range;
}

SolidRange SolidMotion::over(BodyIndex index, double from, double to) const {
  const Body& body = mechanism_.model().bodies[index];
  if (body.kind == BodyKind::free) return free_range(body, from, to);
  SolidRange range;
  const Formulas* formulas = formulas_of(index);
  if (!formulas) return range;
  const PoseRates rates = rates_of(*formulas, from, to);
  for (int k = 0; k < 3; ++k) {
    range.velocity[k] = rates.first[k];
    range.acceleration[k] = rates.second[k];
  }
  range.turning = largest_norm(std::span(rates.first).subspan(3)) / std::sqrt(2.0);
  range.bending = largest_norm(std::span(rates.second).subspan(3));
  return range;
}

SolidRate SolidMotion::at(BodyIndex index, double t) const {
  const Body& body = mechanism_.model().bodies[index];
  SolidRate rate;
  if (body.kind == BodyKind::free) {
    const int x = body.first_coordinate, p = x + 3;
    Eigen::Quaterniond turn, change;
    const auto set = [](Eigen::Quaterniond& q, int k, double value) {
      (k == 0 ? q.w() : q.vec()[k - 1]) = value;
    };
    for (int k = 0; k < 3; ++k) {
      rate.velocity[k] = curve_.rate(x + k, t);
      rate.velocity_rounding += curve_.rate_rounding(x + k);
    }
    for (int k = 0; k < 4; ++k) {
      set(turn, k, curve_.value(p + k, t));
      set(change, k, curve_.rate(p + k, t));
      rate.spin_rounding += 2.0 * curve_.rate_rounding(p + k);
    }
    rate.spin = 2.0 * (change * turn.conjugate()).vec() / turn.squaredNorm();
    return rate;
  }
  const Formulas* formulas = formulas_of(index);
  if (!formulas) return rate;
  std::array<Interval, numbers> pose;
  const std::vector<Interval> inputs = inputs_of(*formulas, t, t);
  formulas->pose(inputs.data(), pose.data());
  const PoseRates rates = rates_of(*formulas, t, t);
  Matrix3d R, change;
  for (int i = 0; i < 3; ++i) {
    rate.velocity[i] = middle_of_interval(rates.first[i]);
    rate.velocity_rounding += rates.first[i].high - rates.first[i].low;
    for (int j = 0; j < 3; ++j) {
      const std::size_t k = 3 + 3 * i + j;
      R(i, j) = middle_of_interval(pose[k]);
      change(i, j) = middle_of_interval(rates.first[k]);
      rate.spin_rounding += rates.first[k].high - rates.first[k].low;
    }
  }
  const Matrix3d w = change * R.transpose();  // [w]x
  rate.spin = 0.5 * Vector3d(w(2, 1) - w(1, 2), w(0, 2) - w(2, 0), w(1, 0) - w(0, 1));
  return rate;
}

}  // namespace clack
