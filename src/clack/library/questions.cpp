// SPDX-License-Identifier: Apache-2.0
#include "clack/library/questions.hpp"

#include "clack/complementarity/enumeration.hpp"
#include "clack/complementarity/lemke.hpp"
#include "clack/contact/circumstances.hpp"
#include "clack/contact/validate.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/library/answers.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

void complete(ContactSystem& system) {
  const int n = system.speeds(), c = system.contacts(), t = c * system.tangents();
  if (system.bilateral.size() == 0) system.bilateral.resize(0, n);
  if (system.normal_jacobian.size() == 0) system.normal_jacobian.resize(0, n);
  if (system.tangent_jacobian.size() == 0) system.tangent_jacobian = Eigen::MatrixXd::Zero(t, n);
  if (system.normal_surface_velocity.size() == 0)
    system.normal_surface_velocity = Eigen::VectorXd::Zero(c);
  if (system.tangent_surface_velocity.size() == 0)
    system.tangent_surface_velocity = Eigen::VectorXd::Zero(t);
  if (system.materials.empty()) system.materials.resize(c);
  if (system.names.empty())
    for (int i = 0; i < c; ++i) system.names.push_back(fmt::format("contact{}", i + 1));
}

}  // namespace

ImpactResult solve_impact(ImpactProblem problem, std::string_view law,
                          const OptionValues& options) {
  complete(problem);
  const ImpactLawPart& part = standard_impact_laws().find(law);
  ValidationLimits limits;
  limits.lowest_restitution = part.needs.lowest_restitution;
  validate(problem, "", limits);
  return resolve_impact(problem, law, options, "");
}

ContactResult solve_contact(ContactProblem problem, std::string_view decision,
                            const OptionValues& options) {
  complete(problem);
  ValidationLimits limits;
  limits.lowest_restitution = -1.0;  // not read here
  validate(problem, "", limits);
  return decide_contact(problem, decision, options, "");
}

LcpResult solve_lcp(const Lcp& problem, const LcpOptions& request) {
  constexpr std::array<std::string_view, 2> solvers = {"lemke", "enumeration"};
  if (std::ranges::find(solvers, request.solver) == solvers.end()) {
    const std::string nearest = nearest_name(request.solver, solvers);
    throw InputError(fmt::format("unknown solver {}", request.solver), "",
                     nearest.empty() ? "known solvers: " + list_names(solvers)
                                     : "did you mean " + nearest + "?");
  }
  if (!(request.tolerance > 0.0) || !std::isfinite(request.tolerance))
    throw InputError(fmt::format("--tolerance is {}, must be positive", request.tolerance), "",
                     "1e-10 is the default");
  if (request.limit < 0 || request.limit > 2147483647)
    throw InputError(fmt::format("--limit is {}, must be in [0, 2147483647]", request.limit), "",
                     "0 chooses a limit from the size");
  if (request.solver == "enumeration") {
    EnumerationOptions options;
    options.tolerance = request.tolerance;
    if (request.limit > 0) options.system_limit = request.limit;
    return enumerate_lcp(problem, options);
  }
  LemkeOptions options;
  options.tolerance = request.tolerance;
  options.pivot_limit = static_cast<int>(request.limit);
  return lemke(problem, options);
}

}  // namespace clack
