// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "clack/integrate/integrator.hpp"

namespace clack {

/// The makers behind the names of `make_integrator`, one per file; the options have been checked.
std::unique_ptr<Integrator> make_dop853(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_dopri5(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_cvode(const IntegratorOptions& options);

}  // namespace clack
