// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"

PYBIND11_MODULE(_clack, module) {
  using namespace clack::python;
  module.doc() = "The lower half of the package clack; import clack instead.";
  module.attr("version") = clack::version();
  add_errors(module);
  add_models(module);
  add_traces(module);
  add_simulations(module);
  add_questions(module);
}
