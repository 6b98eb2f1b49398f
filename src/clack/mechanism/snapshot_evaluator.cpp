// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "clack/mechanism/mechanism.hpp"

namespace clack {

void SnapshotEvaluator::evaluate(double t, const double* q, const double* v, Snapshot& snapshot) {
  Mechanism& m = mechanism_;
  const bool needs_bodies = m.spatial_ || !touching_.empty();
  const double* inputs = needs_bodies ? m.place(t, q, v) : m.load(t, q, v);
  if (formulas_ && !snapshot.has_constants_of(formulas_.get())) write_constants(snapshot);
  if (formulas_ && touching_.empty()) {
    formulas_->program(inputs, snapshot.data() + formulas_->begin_in(snapshot));
  } else if (formulas_) {
    formulas_->program(inputs, formula_rows_.data() + formulas_->begin_in(formula_rows_));
    copy_formulas(snapshot);
  }
  if (m.spatial_) {
    m.spatial_->load(inputs);
    m.spatial_->write(m.kinematics_, v, snapshot);
  }
  for (const Touching& contact : touching_) m.write_touch(contact, snapshot);
}

std::optional<symbolic::Continuation> SnapshotEvaluator::constant_formulas() const {
  if (!formulas_ || formulas_->formulas.empty() || !touching_.empty() || mechanism_.spatial_)
    return std::nullopt;
  return symbolic::Continuation(mechanism_.motion_.inputs(), formulas_->formulas);
}

const double* SnapshotEvaluator::load(double t, const double* q, const double* v) {
  return mechanism_.load(t, q, v);
}

/// What the program leaves out because it never changes.
void SnapshotEvaluator::write_constants(Snapshot& s) const {
  const bool has_rows = formulas_->has_constant_rows && touching_.empty();
  double* to = s.data();
  if (formulas_->has_constant_mass && !s.shares_mass())
    std::ranges::copy(*mechanism_.rows_.constant_mass(), to);
  if (has_rows) {
    std::fill_n(to + s.at_normal(), s.numbers() - s.at_normal(), 0.0);
    for (const auto& [at, value] : formulas_->constant_rows)
      to[at - CompiledRows::shift_in(s)] = value;
  }
  s.set_constants(formulas_, formulas_->has_constant_mass,
                  formulas_->has_constant_mass && has_rows);
}

/// From the snapshot that has only the rows given by formulas into the one that has all.
void SnapshotEvaluator::copy_formulas(Snapshot& s) const {
  const Snapshot& f = formula_rows_;
  const int n = s.speeds(), k = s.tangents(), b = s.constraint_rows();
  const double* from = f.data();
  double* to = s.data();
  if (formulas_->begin_in(f) <=
      f.at_force())  // forces are formulas, and the mass matrix unless it is constant
    std::copy(from + formulas_->begin_in(f), from + f.at_gap(), to + formulas_->begin_in(s));
  for (int i = 0; i < f.contacts(); ++i) {
    const int local = formula_local_[i];
    std::copy_n(from + f.at_normal() + i * n, n, to + s.at_normal() + local * n);
    std::copy_n(from + f.at_tangent() + i * k * n, k * n, to + s.at_tangent() + local * k * n);
    for (int part = 0; part < 3; ++part)
      to[s.at_gap() + part * s.contacts() + local] = from[f.at_gap() + part * f.contacts() + i];
    for (int part = 0; part < 2; ++part)
      std::copy_n(from + f.at_slip() + (part * f.contacts() + i) * k, k,
                  to + s.at_slip() + (part * s.contacts() + local) * k);
  }
  std::copy_n(from + f.at_constraint(), b * n, to + s.at_constraint());
  std::copy_n(from + f.at_value(), 3 * b, to + s.at_value());
}

}  // namespace clack
