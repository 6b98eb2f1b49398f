#include "clack/mechanism/symbolic_mechanism.hpp"

#include <random>

#include "clack/error.hpp"
#include "clack/model/own_formulas.hpp"

namespace clack {
namespace {

using symbolic::Program;

class CompiledEvaluator final : public SnapshotEvaluator {
 public:
  CompiledEvaluator(Program program, int coordinates, int speeds)
      : program_(std::move(program)),
        coordinates_(coordinates),
        speeds_(speeds),
        inputs_(static_cast<std::size_t>(1 + coordinates + speeds)) {}

  void evaluate(double t, const double* q, const double* v, Snapshot& snapshot) override {
    inputs_[0] = t;
    std::copy_n(q, coordinates_, inputs_.data() + 1);
    std::copy_n(v, speeds_, inputs_.data() + 1 + coordinates_);
    program_(inputs_.data(), snapshot.data());
  }

 private:
  Program program_;
  int coordinates_, speeds_;
  std::vector<double> inputs_;
};

}  // namespace

SymbolicMechanism::SymbolicMechanism(const Model& shared)
    : model_(with_own_formulas(shared)),
      coordinates_(static_cast<int>(model_.coordinates.size())),
      speeds_(static_cast<int>(model_.speeds.size())),
      tangents_(model_.dimension - 1),
      motion_(model_),
      equations_(derive_equations(model_, motion_)) {
  const Model& model = model_;
  for (const Contact& contact : model.contacts)
    contacts_.push_back(contact_formulas(model, contact, motion_));
  derive_constraints(model);
  inputs_.resize(static_cast<std::size_t>(1 + coordinates_ + 2 * speeds_));
  has_applied_power_ = !power_vanishes(model);

  // Gaps of all contacts with two derivatives; accelerations are further inputs.
  std::vector<Expression> inputs = motion_.inputs(), accelerations, outputs;
  for (int j = 0; j < speeds_; ++j)
    accelerations.push_back(model.graph->symbol("acceleration " + std::to_string(j)));
  inputs.insert(inputs.end(), accelerations.begin(), accelerations.end());
  for (const ContactFormulas& c : contacts_) {
    Expression second = c.gap_bias;
    for (std::size_t j = 0; j < accelerations.size(); ++j)
      second = second + c.normal_row[j] * accelerations[j];
    outputs.insert(outputs.end(), {c.gap, c.gap_rate, second});
  }
  gaps_ = Program(inputs, outputs);
  const std::array<Expression, 2> energies{equations_.kinetic, equations_.potential};
  energies_ = Program(motion_.inputs(), energies);
  watched_ = WatchedFormulas(model, motion_);
  outputs_.resize(std::max<std::size_t>(outputs.size(), 2));
}

void SymbolicMechanism::derive_constraints(const Model& model) {
  for (const Constraint& constraint : model.constraints) {
    auto& rows = constraints_.emplace_back();
    for (const Expression& formula : constraint.rows) {
      ConstraintRow row;
      const bool is_configuration = constraint.kind == ConstraintKind::configuration;
      row.value = is_configuration ? formula : motion_.zero();
      row.rate = is_configuration ? motion_.rate(formula) : formula;
      row.bias = motion_.rate(row.rate);
      for (int j = 0; j < speeds_; ++j) {
        row.row.push_back(motion_.speed_derivative(row.rate, j));
        for (int k = 0; k < speeds_; ++k)
          if (depends_on(row.row.back(), motion_.speed(k)))
            throw ModelError(
                "constraint " + constraint.name + ": its formula is not linear in the speeds",
                model.where(constraint.place),
                "write motion constraints as a sum of formula * speed");
      }
      rows.push_back(std::move(row));
    }
  }
}

/// Whether the power of what the potential does not account for is zero to rounding at states
/// around the start.
bool SymbolicMechanism::power_vanishes(const Model& model) const {
  const std::size_t n = static_cast<std::size_t>(speeds_);
  const Expression potential_rate = motion_.rate(equations_.potential);
  std::vector<Expression> outputs{equations_.applied_power, potential_rate};
  for (std::size_t j = 0; j < n; ++j)
    outputs.push_back(motion_.speed(static_cast<int>(j)) * equations_.force[j]);
  const Program program(motion_.inputs(), outputs, symbolic::Backend::tape);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  std::vector<double> in(motion_.inputs().size()), out(outputs.size());
  for (int trial = 0; trial < 8; ++trial) {
    in[0] = trial == 0 ? 0.0 : part(random);
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const double start = model.coordinates[i].start;
      in[1 + i] = start + 0.3 * part(random) * std::max(std::abs(start), 0.1);
    }
    for (std::size_t j = 0; j < n; ++j) in[1 + model.coordinates.size() + j] = part(random);
    program(in.data(), out.data());
    double scale = 0.0;
    for (std::size_t k = 1; k < out.size(); ++k) scale += std::abs(out[k]);
    if (!(std::abs(out[0]) <= 1e-11 * scale)) return false;
  }
  return true;
}

int SymbolicMechanism::constraint_rows(int constraint) const {
  return static_cast<int>(constraints_[static_cast<std::size_t>(constraint)].size());
}

std::unique_ptr<SnapshotEvaluator> SymbolicMechanism::evaluator(const RowSelection& rows) {
  int b = 0;
  for (const int c : rows.constraints) b += constraint_rows(c);
  const Snapshot shape(speeds_, tangents_, static_cast<int>(rows.contacts.size()), b);
  std::vector<Expression> outputs(Snapshot::size(speeds_, tangents_, shape.contacts(), b),
                                  motion_.zero());
  const auto put = [&](int at, Expression e) { outputs[static_cast<std::size_t>(at)] = e; };
  const auto put_row = [&](int at, const std::vector<Expression>& row) {
    for (std::size_t j = 0; j < row.size(); ++j) put(at + static_cast<int>(j), row[j]);
  };
  for (int j = 0; j < speeds_; ++j)
    put_row(j * speeds_, equations_.mass_matrix[static_cast<std::size_t>(j)]);
  put_row(shape.at_force(), equations_.force);
  if (has_applied_power_) put(shape.at_power(), equations_.applied_power);
  for (int i = 0; i < shape.contacts(); ++i) {
    const ContactFormulas& c = contact(rows.contacts[static_cast<std::size_t>(i)]);
    put_row(shape.at_normal() + i * speeds_, c.normal_row);
    put(shape.at_gap() + i, c.gap);
    put(shape.at_gap() + shape.contacts() + i, c.gap_rate);
    put(shape.at_gap() + 2 * shape.contacts() + i, c.gap_bias);
    for (int a = 0; a < tangents_; ++a) {
      const int k = i * tangents_ + a;
      const auto s = static_cast<std::size_t>(a);
      put_row(shape.at_tangent() + k * speeds_, c.tangent_rows[s]);
      put(shape.at_slip() + k, c.slip[s]);
      put(shape.at_slip() + shape.contacts() * tangents_ + k, c.slip_bias[s]);
    }
  }
  int row = 0;
  for (const int c : rows.constraints)
    for (const ConstraintRow& r : constraints_[static_cast<std::size_t>(c)]) {
      put_row(shape.at_constraint() + row * speeds_, r.row);
      put(shape.at_value() + row, r.value);
      put(shape.at_value() + b + row, r.rate);
      put(shape.at_value() + 2 * b + row, r.bias);
      ++row;
    }
  return std::make_unique<CompiledEvaluator>(Program(motion_.inputs(), outputs), coordinates_,
                                             speeds_);
}

const double* SymbolicMechanism::load(double t, const double* q, const double* v) {
  inputs_[0] = t;
  std::copy_n(q, coordinates_, inputs_.data() + 1);
  std::copy_n(v, speeds_, inputs_.data() + 1 + coordinates_);
  return inputs_.data();
}

void SymbolicMechanism::gap_motion(double t, const double* q, const double* v, const double* a,
                                   double* gap, double* gap_rate, double* gap_acceleration) {
  load(t, q, v);
  std::copy_n(a, speeds_, inputs_.data() + 1 + coordinates_ + speeds_);
  gaps_(inputs_.data(), outputs_.data());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    gap[i] = outputs_[3 * i];
    gap_rate[i] = outputs_[3 * i + 1];
    gap_acceleration[i] = outputs_[3 * i + 2];
  }
}

void SymbolicMechanism::coordinate_rates(const double*, const double* v, double* dqdt) const {
  std::copy_n(v, speeds_, dqdt);
}

void SymbolicMechanism::displace(double* q, const double* speeds_displacement) const {
  for (int j = 0; j < speeds_; ++j) q[j] += speeds_displacement[j];
}

Energies SymbolicMechanism::energies(double t, const double* q, const double* v) {
  energies_(load(t, q, v), outputs_.data());
  return {outputs_[0], outputs_[1]};
}

void SymbolicMechanism::formula_motion(double t, const double* q, const double* v,
                                       FormulaValue* values) {
  watched_.evaluate(load(t, q, v), values);
}

}  // namespace clack
