// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_enumeration.hpp"

#include <chrono>

#include "clack/complementarity/contact_words.hpp"

namespace clack {

bool is_enumerable(const FrictionProblem& problem, const FrictionEnumerationOptions& options) {
  return problem.contacts() <=
         (problem.dimension == 2 ? options.planar_limit : options.spatial_limit);
}

FrictionResult enumerate_friction(const FrictionProblem& problem,
                                  const FrictionEnumerationOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FrictionResult result;
  result.reaction = Eigen::VectorXd::Zero(problem.q.size());
  SolveStatus status = SolveStatus::not_converged;
  if (is_enumerable(problem, options)) {
    WordSearch search = solve_all_words(problem, ForceNorm::euclidean);
    std::vector<WordAnswer> answers = distinct_answers(problem, std::move(search.answers));
    std::erase_if(answers, [&](const WordAnswer& a) { return !(a.residual <= options.tolerance); });
    for (const WordAnswer& answer : answers) result.solutions.push_back(answer.reaction);
    result.iterations = search.tried;
    result.method = FrictionMethod::enumeration;
    status = answers.size() > 1    ? SolveStatus::several
             : answers.size() == 1 ? SolveStatus::solved
             : search.refutes      ? SolveStatus::none_exists
                                   : SolveStatus::not_converged;
    if (!answers.empty()) {
      result.reaction = answers.front().reaction;
      result.is_hyperstatic = answers.front().is_hyperstatic;
    }
    if (status == SolveStatus::several) result.flags.emplace_back("not-unique");
  }
  certify(problem, options.tolerance, result);
  result.status = status;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace clack
