// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "clack/contact/problem_json.hpp"
#include "clack/json_output.hpp"
#include "clack/library/answers.hpp"

namespace clack::python {
namespace {

std::string impact(const py::dict& problem, const std::string& law) {
  const nlohmann::json document = json_from(problem, "");
  const py::gil_scoped_release unlocked;
  const ImpactAnswer answer = answer_impact(document, "problem", law);
  if (!has_answer(answer.result.status)) refuse_impact(answer, law, "problem");
  return to_json_text(to_json(answer.problem, law, answer.result));
}

std::string contact(const py::dict& problem, const std::string& decision) {
  const nlohmann::json document = json_from(problem, "");
  const py::gil_scoped_release unlocked;
  const ContactAnswer answer = answer_contact(document, "problem", decision);
  if (!has_answer(answer.result.status)) refuse_contact(answer, "problem");
  return to_json_text(to_json(answer.problem, decision, answer.result));
}

py::dict lcp(const py::object& M, const py::object& q, const LcpOptions& options) {
  const Lcp problem{matrix_from(M, "M"), vector_from(q, "q")};
  LcpResult result;
  {
    const py::gil_scoped_release unlocked;
    result = solve_lcp(problem, options);
  }
  py::dict answer;
  answer["status"] = std::string(to_string(result.status));
  answer["z"] = array_from(result.z);
  answer["w"] = array_from(result.w);
  answer["residual"] = result.residual;
  answer["pivots"] = result.pivots;
  py::list solutions;
  for (const Eigen::VectorXd& z : result.solutions) solutions.append(array_from(z));
  answer["solutions"] = solutions;
  return answer;
}

std::string word_for(SolveStatus status) {
  if (has_answer(status)) return "solved";
  return status == SolveStatus::none_exists ? "unsolvable" : "limit";
}

FrictionSolver friction_solver(const std::string& name) {
  constexpr std::array<std::string_view, 4> names = {"automatic", "sorprox", "newton",
                                                     "enumeration"};
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError("unknown solver " + name, "",
                     "known solvers: automatic, sorprox, newton, enumeration");
  return static_cast<FrictionSolver>(found - names.begin());
}

py::dict friction(const py::object& W, const py::object& q, const py::object& mu, int dimension,
                  const std::string& solver, double tolerance) {
  if (dimension != 2 && dimension != 3)
    throw InputError("dimension is " + std::to_string(dimension) + ", must be 2 or 3", "",
                     "2: the plane, 3: space");
  if (!(tolerance > 0.0)) throw InputError("tolerance must be positive", "", "1e-8 is the default");
  const Eigen::MatrixXd matrix = matrix_from(W, "W");
  const Eigen::VectorXd vector = vector_from(q, "q"), coefficients = vector_from(mu, "mu");
  const Eigen::Index n = dimension * coefficients.size();
  if (matrix.rows() != n || matrix.cols() != n || vector.size() != n)
    throw InputError(
        "W is " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
            ", q has " + std::to_string(vector.size()) + " numbers, for " +
            std::to_string(coefficients.size()) + " contacts in " + std::to_string(dimension) +
            " dimensions both must have " + std::to_string(n),
        "", "block i of W and q: normal first, then tangents");
  FrictionOptions options;
  options.solver = friction_solver(solver);
  options.tolerance = tolerance;
  FrictionResult result;
  {
    const py::gil_scoped_release unlocked;
    if (!matrix.allFinite() || !vector.allFinite())
      throw InputError("W or q is not finite", "", "give finite numbers");
    const FrictionProblem problem = make_friction_problem(dimension, matrix, vector, coefficients);
    check_friction_problem(problem, "");
    result = solve_friction(problem, options);
  }
  py::dict answer;
  answer["status"] = word_for(result.status);
  answer["reaction"] = array_from(result.reaction);
  answer["velocity"] = array_from(result.velocity);
  answer["residual"] = result.residual;
  answer["worst_contact"] = result.worst_contact;
  answer["iterations"] = result.iterations;
  answer["flags"] = result.flags;
  py::list solutions;
  for (const Eigen::VectorXd& r : result.solutions) solutions.append(array_from(r));
  answer["solutions"] = solutions;
  return answer;
}

py::dict projector(const py::object& M, const py::object& A, double rank_cutoff) {
  const Eigen::MatrixXd mass = matrix_from(M, "M"), rows = matrix_from(A, "A");
  require_mass_matrix(mass);
  if (rows.cols() != mass.rows())
    throw InputError("A has " + std::to_string(rows.cols()) + " columns, must have " +
                         std::to_string(mass.rows()),
                     "", "one column per speed");
  if (!rows.allFinite()) throw InputError("A is not finite", "", "give finite numbers");
  ProjectorOptions options;
  options.rank_cutoff = rank_cutoff;
  Projector p;
  {
    const py::gil_scoped_release unlocked;
    p = make_projector(mass, rows, options);
  }
  py::dict answer;
  answer["rank"] = p.rank;
  answer["P"] = array_from(p.feasible_projector);
  answer["S"] = array_from(p.impact_projector);
  answer["constraint_inertia"] = array_from(p.constraint_inertia);
  answer["mobility"] = array_from(p.feasible_mobility);
  answer["pseudo_inverse"] = array_from(p.pseudo_inverse);
  answer["singular_values"] = array_from(p.singular_values);
  answer["condition"] = constraint_inertia_condition(p);
  answer["notes"] = p.notes;
  return answer;
}

}  // namespace

void add_questions(py::module_& module) {
  module.def("impact", &impact);
  module.def("contact", &contact);
  module.def("solve_lcp", [](const py::object& M, const py::object& q, const std::string& solver,
                             double tolerance, long long limit) {
    return lcp(M, q, {.solver = solver, .tolerance = tolerance, .limit = limit});
  });
  module.def("solve_friction", &friction);
  module.def("projector", &projector);
}

}  // namespace clack::python
