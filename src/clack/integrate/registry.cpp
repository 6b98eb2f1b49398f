#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "clack/error.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/integrate/methods.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Integrator> (*make)(const IntegratorOptions&);
};
constexpr std::array<Entry, 4> entries = {
    {{"dop853", make_dop853}, {"dopri5", make_dopri5}, {"rk4", make_rk4}, {"cvode", make_cvode}}};

[[noreturn]] void refuse_name(std::string_view name) {
  if (name == "ida")
    throw InputError("integrator ida needs the equations in implicit form, which are not built yet",
                     "", "use cvode, which solves the same stiff problems in explicit form");
  const std::vector<std::string_view> known = integrator_names();
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("integrator is {}, must be one of {}", name, fmt::join(known, ", ")),
                   "",
                   nearest.empty() ? "use dop853 unless there is a reason for another"
                                   : fmt::format("did you mean {}?", nearest));
}

void check(std::string_view name, const IntegratorOptions& options) {
  const auto is_usable = [](double x) { return std::isfinite(x) && x >= 0.0; };
  const double relative = options.relative_tolerance, absolute = options.absolute_tolerance;
  if (!is_usable(relative) || !is_usable(absolute) || relative + absolute == 0.0)
    throw InputError(
        fmt::format("tolerances of integrator {} are {} (relative) and {} (absolute), must "
                    "be at least 0 and not both 0",
                    name, relative, absolute),
        "", "1e-9 for both is a good start");
  if (!is_usable(options.largest_step))
    throw InputError(fmt::format("largest step of integrator {} is {} s, must be at least 0", name,
                                 options.largest_step),
                     "", "use 0 for no bound");
  if (name == "rk4" && !(std::isfinite(options.fixed_step) && options.fixed_step > 0.0))
    throw InputError(
        fmt::format("step of integrator rk4 is {} s, must be above 0", options.fixed_step), "",
        "give a fixed step, or use dop853, which finds its own");
}

}  // namespace

std::vector<std::string_view> integrator_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name,
                                            const IntegratorOptions& options) {
  for (const Entry& entry : entries) {
    if (entry.name != name) continue;
    check(name, options);
    return entry.make(options);
  }
  refuse_name(name);
}

}  // namespace clack
