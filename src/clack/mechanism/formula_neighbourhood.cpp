// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/formula_neighbourhood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/index.hpp"
#include "clack/mechanism/tolerances.hpp"

namespace clack {

using symbolic::Interval;

FormulaNeighbourhood::FormulaNeighbourhood(const Model& model, const MotionSymbols& motion)
    : coordinates_(motion.coordinates()), speeds_(motion.speeds()) {
  if (number_of(model.contacts) <= mechanism_tolerances.few_formulas) return;
  std::vector<Expression> gaps;
  for (const Contact& contact : model.contacts) {
    if (!contact.formulas()) return;
    gaps.push_back(contact.formulas()->gap);
  }
  all_ = possible_contacts(model);
  program_ = symbolic::IntervalProgram(motion.inputs(), gaps);
  gaps_.resize(gaps.size());
  const Tolerances& tol = model.tolerances;
  touching_ = std::max(
      {mechanism_tolerances.near_gap, 2.0 * tol.gap, 2.0 * tol.rearm_gap, 2.0 * tol.penetration});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  wanted_.assign(motion.inputs().size(), {-infinity, infinity});
  width_.assign(1 + coordinates_, 0.0);
}

void FormulaNeighbourhood::find(const StepEnds& step, std::span<const double> rates,
                                std::span<const double> held, ContactSet& contacts) {
  enclose(step, rates);
  if (!holds(held)) renew(held);
  contacts.assign(near_.begin(), near_.end());
}

/// Time and coordinates of the step.
void FormulaNeighbourhood::enclose(const StepEnds& step, std::span<const double> rates) {
  const double h = step.t_end - step.t_begin;
  wanted_[0] = {step.t_begin, step.t_end};
  for (int i = 0; i < coordinates_; ++i) {
    const double begin = step.q_begin[i], end = step.q_end[i], way = end - begin;
    const double bend = std::abs(h * rates[i] - way) + std::abs(h * rates[coordinates_ + i] - way);
    wanted_[1 + i] = {std::min(begin, end) - bend, std::max(begin, end) + bend};
  }
  if (!(h > 0.0)) return;
  for (std::size_t i = 0; i < width_.size(); ++i) width_[i] = wanted_[i].high - wanted_[i].low;
}

bool FormulaNeighbourhood::holds(std::span<const double> held) const {
  if (box_.empty() || !std::ranges::equal(held, held_)) return false;
  for (std::size_t i = 0; i < width_.size(); ++i)
    if (!(wanted_[i].low >= box_[i].low && wanted_[i].high <= box_[i].high)) return false;
  return true;
}

void FormulaNeighbourhood::renew(std::span<const double> held) {
  box_ = wanted_;
  for (std::size_t i = 0; i < width_.size(); ++i) {
    const double room = mechanism_tolerances.box_steps * width_[i];
    box_[i].low -= room;
    box_[i].high += room;
  }
  held_.assign(held.begin(), held.end());
  std::ranges::transform(held, box_.begin() + 1 + coordinates_ + speeds_, [](double x) {
    return Interval{x, x};
  });
  program_(box_.data(), gaps_.data());
  double widest = 1.0;  // m: tolerances of smaller gaps are those of one metre
  for (const Interval& gap : gaps_) widest = std::max(widest, gap.largest());
  near_.clear();
  for (const ContactKey& contact : all_)
    if (!(gaps_[contact.source.value].low > touching_ * widest)) near_.push_back(contact);
}

}  // namespace clack
