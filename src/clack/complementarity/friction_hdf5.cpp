// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_hdf5.hpp"

#include "clack/module.hpp"

namespace clack {

bool is_hdf5(std::string_view bytes) { return bytes.starts_with("\x89HDF\r\n\x1a\n"); }

FrictionProblem read_friction_hdf5(const std::string& path) {
  static const auto read = module_function<void(const std::string&, FrictionProblem&)>(
      "friction_hdf5", "clack_read_friction_hdf5");
  FrictionProblem problem;
  read(path, problem);
  return problem;
}

}  // namespace clack
