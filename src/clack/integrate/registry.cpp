#include <fmt/format.h>

#include "clack/error.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/integrate/methods.hpp"

namespace clack {
std::vector<std::string_view> integrator_names() { return {"dop853"}; }

std::unique_ptr<Integrator> make_integrator(std::string_view name,
                                            const IntegratorOptions& options) {
  if (name == "dop853") return make_dop853(options);
  throw InputError(fmt::format("unknown integrator {}", name), "", "known integrators: dop853");
}
}  // namespace clack
