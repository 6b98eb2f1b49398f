// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "clack/error.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/integrate/methods.hpp"

namespace clack {
namespace {

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
}

/// An entry whose maker gets checked options.
IntegratorPart entry(std::string_view name, std::string_view help,
                     std::unique_ptr<Integrator> (*make)(const IntegratorOptions&)) {
  IntegratorPart part;
  part.name = name;
  part.help = help;
  part.make = [name, make](const OptionValues&, const IntegratorOptions& options) {
    check(name, options);
    return make(options);
  };
  return part;
}

/// The fixed step is rk4's own option; a caller may also give it among the integrator's options.
IntegratorPart rk4_entry() {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  IntegratorPart part;
  part.name = "rk4";
  part.help = "classical Runge-Kutta with a fixed step";
  part.options = {in_model(
      required(number_option("step", 0.0, {.low = 0.0, .high = unbounded, .is_low_excluded = true},
                             "the fixed step, s")),
      OptionSection::run)};
  part.make = [](const OptionValues& values, IntegratorOptions options) {
    if (values.has("step")) options.fixed_step = values.number("step");
    check("rk4", options);
    if (!(std::isfinite(options.fixed_step) && options.fixed_step > 0.0))
      throw InputError(
          fmt::format("step of integrator rk4 is {} s, must be above 0", options.fixed_step), "",
          "give a fixed step, or use dop853, which finds its own");
    return make_rk4(options);
  };
  return part;
}

}  // namespace

// One line per integrator; the first is the default.
IntegratorRegistry integrators() {
  return {PartKind::integrator,
          {
              entry("dop853", "Dormand-Prince 8(5,3), dense output of order 7", make_dop853),
              entry("dopri5", "Dormand-Prince 5(4), for loose tolerances", make_dopri5),
              rk4_entry(),
              entry("cvode", "BDF of SUNDIALS, for stiff forces", make_cvode),
          }};
}

std::vector<std::string_view> integrator_names() { return integrators().names(); }

std::unique_ptr<Integrator> make_integrator(std::string_view name,
                                            const IntegratorOptions& options) {
  return integrators().make(name, {}, options);
}

}  // namespace clack
