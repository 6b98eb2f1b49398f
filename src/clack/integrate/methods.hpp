#pragma once
#include <memory>

#include "clack/integrate/integrator.hpp"

namespace clack {

/// The makers behind the names of `make_integrator`, one per file.
std::unique_ptr<Integrator> make_dop853(const IntegratorOptions& options);

}  // namespace clack
