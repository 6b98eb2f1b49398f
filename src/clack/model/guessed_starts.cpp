// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"
#include "clack/nearest_name.hpp"
#include "clack/symbolic/program.hpp"

// Start values that are guesses: Newton's method on the constraints that are on at the start.

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Formulas that vanish, as numbers of some of the start values.
class StartEquations {
 public:
  /// `unknowns`: places among the start values (coordinates, then speeds).
  StartEquations(const Model& model, std::vector<Expression> rows, std::vector<int> unknowns)
      : rows_(number_of(rows)), unknowns_(std::move(unknowns)) {
    std::vector<Expression> inputs{model.time}, outputs = rows;
    values_.push_back(0.0);
    for (const Coordinate& c : model.coordinates) {
      inputs.push_back(c.symbol);
      values_.push_back(c.start);
    }
    for (const Speed& s : model.speeds) {
      inputs.push_back(s.symbol);
      values_.push_back(s.start);
    }
    for (const Expression& row : rows)
      for (const int k : unknowns_) outputs.push_back(symbolic::derivative(row, inputs[1 + k]));
    add_input_symbols(model, inputs, values_);
    program_ = symbolic::Program(inputs, outputs, symbolic::Backend::tape);
    out_.resize(outputs.size());
  }

  int count() const { return number_of(unknowns_); }
  double value(int unknown) const { return values_[1 + unknowns_[unknown]]; }
  VectorXd unknowns() const {
    VectorXd x(count());
    for (int i = 0; i < count(); ++i) x[i] = value(i);
    return x;
  }
  void set(const VectorXd& x) {
    for (int i = 0; i < count(); ++i) values_[1 + unknowns_[i]] = x[i];
    program_(values_.data(), out_.data());
  }
  VectorXd residual() const { return Eigen::Map<const VectorXd>(out_.data(), rows_); }
  MatrixXd jacobian() const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(out_.data() + rows_, rows_, count());
  }

 private:
  int rows_;
  std::vector<int> unknowns_;
  symbolic::Program program_;
  std::vector<double> values_, out_;
};

struct Solved {
  VectorXd x;
  double residual = 0.0;
  int steps = 0;
  bool has_converged = false, is_determined = false;
};

/// Newton's method, with shorter steps where the residual would grow.
Solved solve(StartEquations& equations) {
  Solved solved;
  solved.x = equations.unknowns();
  equations.set(solved.x);
  const double first = equations.residual().norm();
  solved.residual = first;
  for (; solved.steps < reader_tolerances.guess_steps && std::isfinite(solved.residual);
       ++solved.steps) {
    if (solved.residual == 0.0) break;
    const VectorXd change =
        equations.jacobian().completeOrthogonalDecomposition().solve(-equations.residual());
    double part = 1.0, residual = solved.residual;
    for (; part > reader_tolerances.guess_part; part *= 0.5) {
      equations.set(solved.x + part * change);
      residual = equations.residual().norm();
      if (residual < solved.residual) break;
    }
    if (!(residual < solved.residual)) break;
    solved.x += part * change;
    solved.residual = residual;
  }
  equations.set(solved.x);
  const double scale = 1.0 + solved.x.cwiseAbs().maxCoeff() * equations.jacobian().norm();
  solved.has_converged = solved.residual <= reader_tolerances.guess * scale;
  solved.is_determined =
      equations.jacobian().completeOrthogonalDecomposition().rank() == equations.count();
  return solved;
}

/// Rows of the constraints that are on at the start.
struct StartRows {
  std::vector<Expression> positions, rates;
  std::vector<std::string> names;
};

StartRows rows_at_start(const Reading& reading, const yaml::Node& root) {
  const Model& model = reading.model;
  std::vector<Expression> moving{model.time}, along{model.graph->number(1.0)};
  for (int k = 0; k < number_of(model.coordinates); ++k) {
    moving.push_back(model.coordinates[k].symbol);
    along.push_back(model.rates[k]);
  }
  StartRows rows;
  for (const Constraint& constraint : model.constraints) {
    const yaml::Node* entry = nullptr;
    for (const char* name : {"constraints", "joints"})
      if (const yaml::Node* section = root.find(name); section && !entry)
        entry = section->find(constraint.name);
    const yaml::Node* active = entry ? entry->find("active") : nullptr;
    if (constraint.known_from > 0.0 || (active && active->text != "true")) continue;
    rows.names.push_back(constraint.name);
    for (std::size_t r = 0; r < constraint.rows.size(); ++r) {
      const Expression row = constraint.rows[r];
      const bool is_configuration = constraint.kind_of(r) == ConstraintKind::configuration;
      if (is_configuration) rows.positions.push_back(row);
      if (is_configuration && !constraint.rates.empty())
        rows.rates.push_back(constraint.rates[r]);
      else
        rows.rates.push_back(is_configuration ? symbolic::total_derivative(row, moving, along)
                                              : row);
    }
  }
  return rows;
}

/// The unknowns with their values: "ph 0.1, x 1.2".
std::string describe(const std::vector<std::string>& names, const VectorXd& values) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{} {:.6g}", i == 0 ? "" : ", ", names[i], values[i]);
  return text;
}

VectorXd solved_guesses(const Reading& reading, const yaml::Node& at, const StartRows& rows,
                        const std::vector<Expression>& equations_of,
                        const std::vector<std::string>& names, std::vector<int> unknowns) {
  StartEquations equations(reading.model, equations_of, std::move(unknowns));
  const VectorXd guesses = equations.unknowns();
  const std::string constraints = rows.names.empty() ? "no constraint is on at the start"
                                                     : "constraints " + list_names(rows.names);
  if (number_of(equations_of) < equations.count())
    reading.fail(at,
                 fmt::format("the guesses {} are not determined: {} ({} rows)",
                             describe(names, guesses), constraints, equations_of.size()),
                 "give numbers instead of guesses, or the constraints that determine them");
  const Solved solved = solve(equations);
  if (!solved.has_converged)
    reading.fail(
        at,
        fmt::format("no start near the guesses {} satisfies {}: after {} steps they are {}, "
                    "the rows miss zero by {:.3g}",
                    describe(names, guesses), constraints, solved.steps, describe(names, solved.x),
                    solved.residual),
        "give guesses nearer to a solution, and check the starts that are fixed");
  if (!solved.is_determined)
    reading.fail(at,
                 fmt::format("the guesses {} are not determined by {}", describe(names, guesses),
                             constraints),
                 "give numbers instead of some of the guesses");
  return solved.x;
}

}  // namespace

void solve_guesses(Reading& reading, const yaml::Node& root) {
  Model& model = reading.model;
  std::vector<int> positions, speeds;
  std::vector<std::string> position_names, speed_names;
  for (int k = 0; k < number_of(model.coordinates); ++k)
    if (model.coordinates[k].is_guessed) {
      positions.push_back(k);
      position_names.push_back(model.coordinates[k].name);
    }
  for (int k = 0; k < number_of(model.speeds); ++k)
    if (model.speeds[k].is_guessed) {
      speeds.push_back(number_of(model.coordinates) + k);
      speed_names.push_back(model.speeds[k].name);
    }
  if (positions.empty() && speeds.empty()) return;
  const StartRows rows = rows_at_start(reading, root);
  const yaml::Node& at = *root.find("coordinates");
  if (!positions.empty()) {
    const VectorXd x = solved_guesses(reading, at, rows, rows.positions, position_names, positions);
    for (int i = 0; i < number_of(positions); ++i) model.coordinates[positions[i]].start = x[i];
    finish_speeds(reading);
  }
  if (speeds.empty()) return;
  const VectorXd x = solved_guesses(reading, at, rows, rows.rates, speed_names, speeds);
  for (int i = 0; i < number_of(speeds); ++i)
    model.speeds[speeds[i] - number_of(model.coordinates)].start = x[i];
}

void read_independent(Reading& reading, const yaml::Node& root) {
  const yaml::Node* run = root.find("run");
  const yaml::Node* names = run ? run->find("independent") : nullptr;
  if (!names) return;
  Model& model = reading.model;
  for (const yaml::Node& name : reading.list(*names, "run: independent")) {
    const int speed = reading.index(name, "run: independent", "speed", reading.speeds);
    if (std::ranges::find(model.independent, speed) != model.independent.end())
      reading.fail(name, "run: independent names " + name.text + " twice", "name each speed once");
    model.independent.push_back(speed);
  }
  std::ranges::sort(model.independent);
  model.independent_place = names->place;
}

}  // namespace clack
