// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/hdf5.hpp"

#include "clack/module.hpp"

namespace clack {

void write_hdf5(const Trace& trace, const std::string& path) {
  static const auto write =
      module_function<void(const Trace&, const std::string&)>("hdf5", "clack_write_hdf5");
  write(trace, path);
}

void write_hdf5_table(const Hdf5Table& table, const std::string& path) {
  static const auto write =
      module_function<void(const Hdf5Table&, const std::string&)>("hdf5", "clack_write_hdf5_table");
  write(table, path);
}

}  // namespace clack
