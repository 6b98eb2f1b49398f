// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/formula_rows.hpp"

#include <array>
#include <chrono>
#include <string>

#include "clack/index.hpp"
#include "clack/mechanism/tolerances.hpp"
#include "clack/symbolic/shared_angles.hpp"

namespace clack {
namespace {

using symbolic::Program;

/// The numbers among formulas that are all numbers, where they differ from zero; nothing otherwise.
std::optional<std::vector<SnapshotConstant>> constants_among(std::span<const Expression> formulas,
                                                             int first) {
  std::vector<SnapshotConstant> found;
  for (int i = 0; i < number_of(formulas); ++i) {
    const std::optional<double> value = symbolic::number_value(formulas[i]);
    if (!value) return std::nullopt;
    if (*value != 0.0) found.push_back({first + i, *value});
  }
  return found;
}

/// The mass matrix as numbers, by rows; none where an entry is a formula.
std::shared_ptr<const std::vector<double>> constant_mass_of(const Equations& equations, int n) {
  auto mass = std::make_shared<std::vector<double>>(static_cast<std::size_t>(n) * n, 0.0);
  for (int j = 0; j < n; ++j) {
    const auto row = constants_among(equations.mass_matrix[j], j * n);
    if (!row) return nullptr;
    for (const auto& [at, value] : *row) (*mass)[at] = value;
  }
  return mass;
}

/// Every formula of a contact, in one order.
template <class Visit>
void for_each_formula(ContactFormulas& c, Visit&& visit) {
  visit(c.gap), visit(c.gap_rate), visit(c.gap_bias);
  for (std::vector<Expression>* list : {&c.normal_row, &c.slip, &c.slip_bias})
    for (Expression& e : *list) visit(e);
  for (std::vector<Expression>& row : c.tangent_rows)
    for (Expression& e : row) visit(e);
}

/// The corners of a polygon given by formulas turn together: one sine and one cosine for all.
void share_angles(std::vector<ContactFormulas>& contacts) {
  std::vector<Expression> formulas;
  for (ContactFormulas& c : contacts)
    for_each_formula(c, [&](Expression& e) { formulas.push_back(e); });
  formulas = symbolic::share_angles(formulas);
  auto next = formulas.begin();
  for (ContactFormulas& c : contacts) for_each_formula(c, [&](Expression& e) { e = *next++; });
}

}  // namespace

FormulaRows::FormulaRows(const Model& model, const MotionSymbols& motion,
                         const std::optional<Equations>& equations)
    : motion_(motion),
      tangents_(model.dimension - 1),
      equations_(equations),
      constraints_(derive_constraints(model, motion)) {
  if (equations_) constant_mass_ = constant_mass_of(*equations_, motion_.speeds());
  for (const SourceIndex source : indices(model.contacts)) {
    const bool is_formula = model.contacts[source].formulas() != nullptr;
    contact_at_.push_back(is_formula ? number_of(contacts_) : -1);
    if (is_formula) contacts_.push_back(contact_formulas(model, {.source = source}, motion));
  }
  share_angles(contacts_);
  // Gaps with two derivatives; accelerations are further inputs.
  gap_inputs_ = motion_.inputs();
  std::vector<Expression> accelerations;
  for (int j = 0; j < motion_.speeds(); ++j)
    accelerations.push_back(model.graph->symbol("acceleration " + std::to_string(j)));
  gap_inputs_.insert(gap_inputs_.end(), accelerations.begin(), accelerations.end());
  for (const ContactFormulas& c : contacts_) {
    Expression second = c.gap_bias;
    for (std::size_t j = 0; j < accelerations.size(); ++j)
      second = second + c.normal_row[j] * accelerations[j];
    gap_outputs_.insert(gap_outputs_.end(), {c.gap, c.gap_rate, second});
  }
  all_gaps_ = Program(gap_inputs_, gap_outputs_);
  std::vector<Expression> rates;
  for (const ContactFormulas& c : contacts_) rates.insert(rates.end(), {c.gap, c.gap_rate});
  all_rates_ = Program(motion_.inputs(), rates);
  rates_.resize(rates.size());
  state_.resize(motion_.inputs().size());
  single_gaps_.resize(contacts_.size());
  values_.resize(gap_outputs_.size());
}

std::shared_ptr<const CompiledRows> FormulaRows::compiled(const FormulaSelection& selection) {
  return programs_.get(selection, [&] { return compile(selection); });
}

std::shared_ptr<CompiledRows> FormulaRows::compile(const FormulaSelection& selection) const {
  auto rows = std::make_shared<CompiledRows>();
  const int n = motion_.speeds(), k = tangents_;
  rows->contacts = number_of(selection.sources);
  for (const int c : selection.constraints) rows->constraint_rows += constraint_rows(c);
  const int count = rows->contacts, b = rows->constraint_rows;
  const Snapshot shape(n, k, count, b);
  rows->has_constant_mass = constant_mass_ != nullptr;
  rows->begin = !equations_ ? shape.at_gap() : rows->has_constant_mass ? shape.at_force() : 0;
  std::vector<Expression> outputs(Snapshot::size(n, k, count, b) - rows->begin, motion_.zero());
  const auto put = [&](int at, Expression e) { outputs[at - rows->begin] = e; };
  const auto put_row = [&](int at, const std::vector<Expression>& row) {
    std::copy(row.begin(), row.end(), outputs.begin() + (at - rows->begin));
  };
  if (equations_) {
    for (int j = 0; j < n && !rows->has_constant_mass; ++j)
      put_row(j * n, equations_->mass_matrix[j]);
    put_row(shape.at_force(), equations_->force);
    put(shape.at_power(), equations_->applied_power);
    put(shape.at_power() + 1, equations_->drive_power);
  }
  for (int i = 0; i < count; ++i) {
    const ContactFormulas& c = contacts_[contact_at_[selection.sources[i]]];
    put_row(shape.at_normal() + i * n, c.normal_row);
    put(shape.at_gap() + i, c.gap);
    put(shape.at_gap() + count + i, c.gap_rate);
    put(shape.at_gap() + 2 * count + i, c.gap_bias);
    for (int a = 0; a < k; ++a) {
      put_row(shape.at_tangent() + (i * k + a) * n, c.tangent_rows[a]);
      put(shape.at_slip() + i * k + a, c.slip[a]);
      put(shape.at_slip() + count * k + i * k + a, c.slip_bias[a]);
    }
  }
  int row = 0;
  for (const int c : selection.constraints)
    for (const ConstraintRow& r : constraints_[c]) {
      put_row(shape.at_constraint() + row * n, r.row);
      put(shape.at_value() + row, r.value);
      put(shape.at_value() + b + row, r.rate);
      put(shape.at_value() + 2 * b + row, r.bias);
      ++row;
    }
  const std::size_t varying = shape.at_normal() - rows->begin;
  if (const auto constants =
          constants_among(std::span(outputs).subspan(varying), shape.at_normal())) {
    rows->has_constant_rows = true;
    rows->constant_rows = *constants;
    outputs.resize(varying);
  }
  rows->program = Program(motion_.inputs(), outputs);
  if (rows->has_constant_mass && rows->has_constant_rows) rows->formulas = std::move(outputs);
  return rows;
}

void FormulaRows::take(const FormulaSelection& selection,
                       std::shared_ptr<const CompiledRows> rows) {
  if (rows->formulas.empty()) programs_.put(selection, std::move(rows));
}

std::vector<std::vector<bool>> FormulaRows::pattern(const FormulaSelection& selection,
                                                    const std::vector<bool>& is_stick) const {
  std::vector<std::vector<bool>> pattern;
  for (const EmbeddedRow& row : rows_of(selection, is_stick)) {
    std::vector<bool>& stands = pattern.emplace_back();
    for (const Expression& entry : row.row) stands.push_back(entry != motion_.zero());
  }
  return pattern;
}

/// Normals, tangents of sticking contacts, constraints.
std::vector<EmbeddedRow> FormulaRows::rows_of(const FormulaSelection& selection,
                                              const std::vector<bool>& is_stick) const {
  std::vector<EmbeddedRow> rows;
  for (const SourceIndex source : selection.sources) {
    const ContactFormulas& c = contacts_[contact_at_[source]];
    rows.push_back({c.normal_row, c.gap_rate, c.gap_bias});
  }
  for (std::size_t i = 0; i < selection.sources.size(); ++i) {
    const ContactFormulas& c = contacts_[contact_at_[selection.sources[i]]];
    for (int a = 0; a < tangents_ && is_stick[i]; ++a)
      rows.push_back({c.tangent_rows[a], c.slip[a], c.slip_bias[a]});
  }
  for (const int c : selection.constraints)
    for (const ConstraintRow& row : constraints_[c]) rows.push_back({row.row, row.rate, row.bias});
  return rows;
}

std::shared_ptr<EmbeddedProgram> FormulaRows::embedded(const FormulaSelection& selection,
                                                       const std::vector<bool>& is_stick,
                                                       const Elimination& order) const {
  if (!equations_) return nullptr;
  const std::vector<EmbeddedRow> rows = rows_of(selection, is_stick);
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const auto begin = Clock::now();
  const EmbeddedEquations equations =
      embed_equations(motion_, *equations_, rows, order, EliminationMethod::orthogonal);
  const auto embedded = Clock::now();
  auto program = std::make_shared<EmbeddedProgram>(motion_, equations, order);
  program->embed_seconds = seconds(embedded - begin);
  program->compile_seconds = seconds(Clock::now() - embedded);
  return program;
}

void FormulaRows::compute_all(const double* inputs, GapOrder order) {
  const bool is_known = has_state_ && std::equal(state_.begin(), state_.end(), inputs);
  if (order == GapOrder::rate && is_known) return;
  std::copy_n(inputs, state_.size(), state_.begin());
  has_state_ = true;
  has_accelerations_ = order == GapOrder::acceleration;
  if (has_accelerations_)
    all_gaps_(inputs, values_.data());
  else
    all_rates_(inputs, rates_.data());
}

/// Of all that were computed together.
void FormulaRows::take(std::size_t contact, GapMotion& to) const {
  const double* value =
      has_accelerations_ ? values_.data() + 3 * contact : rates_.data() + 2 * contact;
  to = {value[0], value[1], has_accelerations_ ? value[2] : 0.0};
}

void FormulaRows::gap_motion(const double* inputs, GapOrder order,
                             std::span<const SourceIndex> sources, std::span<GapMotion> motion) {
  if (sources.empty()) return;
  if (is_cheaper_together(sources.size())) {
    compute_all(inputs, order);
    for (std::size_t i = 0; i < sources.size(); ++i) take(contact_at_[sources[i]], motion[i]);
    return;
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const int contact = contact_at_[sources[i]];
    std::optional<Program>& program = single_gaps_[contact];
    // Of many contacts each is asked for a few times only: machine code would cost more than it saves.
    if (!program)
      program = Program(gap_inputs_, std::span(gap_outputs_).subspan(3 * contact, 3),
                        number_of(contacts_) > mechanism_tolerances.few_formulas
                            ? symbolic::Backend::tape
                            : symbolic::Backend::automatic);
    std::array<double, 3> value{};
    (*program)(inputs, value.data());
    motion[i] = {value[0], value[1], value[2]};
  }
}

void FormulaRows::most_gap_motions(const double* inputs, GapOrder order,
                                   std::span<const ContactKey> contacts,
                                   std::span<GapMotion> motion) {
  compute_all(inputs, order);
  for (std::size_t i = 0; i < contacts.size(); ++i) take(contacts[i].source.value, motion[i]);
}

}  // namespace clack
