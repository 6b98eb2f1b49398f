// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/constant_flow.hpp"

#include "clack/index.hpp"

namespace clack {
namespace {

using symbolic::Continuation;
using Number = Continuation::Number;

/// The numbers of a mode as formulas go on with them.
class FlowFormulas {
 public:
  FlowFormulas(Continuation& formulas, const Snapshot& snapshot, const ModeShape& shape,
               const ConstantResponse& response)
      : f_(formulas), s_(snapshot), shape_(shape) {
    // 1. h and the biases of the unknowns.
    for (int j = 0; j < s_.speeds(); ++j) given_.push_back(at(s_.at_force() + j));
    for (int i = 0; i < s_.contacts(); ++i)
      given_.push_back(at(s_.at_gap() + 2 * s_.contacts() + i));
    for (int i = 0; i < s_.contacts(); ++i)
      for (int a = 0; a < s_.tangents() && sticks(i); ++a)
        given_.push_back(at(s_.at_slip() + (s_.contacts() + i) * s_.tangents() + a));
    for (int b = 0; b < s_.constraint_rows(); ++b)
      given_.push_back(at(s_.at_value() + 2 * s_.constraint_rows() + b));
    // 2. Accelerations and unknowns.
    for (int row = 0; row < response.size; ++row) {
      Number sum = f_.constant(0.0);
      for (int j = 0; j < response.size; ++j)
        sum = f_.sum(sum, f_.product(f_.constant(response(row, j)), given_[j]));
      found_.push_back(sum);
    }
  }

  std::span<const Number> accelerations() const { return std::span(found_).first(s_.speeds()); }
  Number applied_power() const { return at(s_.at_power()); }

  /// Of what moves by itself, and of sliding friction (ModeDynamics::powers).
  Number drive_power() {
    Number power = at(s_.at_power() + 1);
    const double* row = s_.data() + s_.at_normal();
    const auto add = [&](Number force, int rate) {
      Number along = f_.constant(0.0);
      for (int j = 0; j < s_.speeds(); ++j)
        along = f_.sum(along, f_.product(f_.constant(row[j]), speed(j)));
      power = f_.sum(power, f_.product(force, f_.difference(along, at(rate))));
      row += s_.speeds();
    };
    for (int i = 0; i < s_.contacts(); ++i)
      add(found_[s_.speeds() + i], s_.at_gap() + s_.contacts() + i);
    for (int r = 0; r < s_.contacts() * s_.tangents(); ++r) add(friction(r), s_.at_slip() + r);
    for (int b = 0; b < s_.constraint_rows(); ++b)
      add(found_[found_.size() - s_.constraint_rows() + b],
          s_.at_value() + s_.constraint_rows() + b);
    return power;
  }

  Number friction_power() {
    Number power = f_.constant(0.0);
    for (int i = 0; i < s_.contacts(); ++i)
      for (int a = 0; a < s_.tangents() && !sticks(i) && shape_.friction[i] != 0.0; ++a) {
        const int row = i * s_.tangents() + a;
        power = f_.sum(power, f_.product(friction(row), at(s_.at_slip() + row)));
      }
    return power;
  }

  Number speed(int j) const {
    return f_.input(1 + s_.speeds() + j);  // as many coordinates as speeds
  }

 private:
  bool sticks(int contact) const { return shape_.statuses[contact] == ContactStatus::stick; }
  Number at(int place) const { return f_.output(place - s_.at_force()); }

  Number friction(int row) {
    const int contact = row / s_.tangents();
    if (!sticks(contact)) {
      const Number per_direction =
          f_.product(f_.constant(-shape_.friction[contact]), found_[s_.speeds() + contact]);
      return f_.product(per_direction, f_.constant(shape_.slip_direction[row]));
    }
    int place = s_.speeds() + s_.contacts() + row % s_.tangents();
    for (int i = 0; i < contact; ++i) place += sticks(i) ? s_.tangents() : 0;
    return found_[place];
  }

  Continuation& f_;
  const Snapshot& s_;
  const ModeShape& shape_;
  std::vector<Number> given_, found_;
};

}  // namespace

symbolic::Program constant_flow(Continuation formulas, const Snapshot& snapshot,
                                const ModeShape& shape, const ConstantResponse& response,
                                double work_unit) {
  FlowFormulas flow(formulas, snapshot, shape, response);
  std::vector<Number> rates;
  for (int j = 0; j < snapshot.speeds(); ++j) rates.push_back(flow.speed(j));
  rates.insert(rates.end(), flow.accelerations().begin(), flow.accelerations().end());
  for (const Number power : {flow.applied_power(), flow.drive_power(), flow.friction_power()})
    rates.push_back(formulas.product(formulas.constant(work_unit), power));
  return formulas.program(rates);
}

}  // namespace clack
