// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace clack {

/// A part of Clack in a shared object of its own, loaded when it is first used. What it needs from outside (HDF5 with
/// libcurl, CSDP with the threads of its BLAS) would otherwise be loaded at every start of the program and take
/// longer than most runs.
///
/// The source ROOM/NAME_module.cpp becomes modules/NAME_module.so (clack_module in cmake/rooms.cmake). It is looked for
/// beside the program or library that asks, and where it was built.
///
/// The address of the function `function` (extern "C") of a module; throws InputError when it cannot be loaded.
void* module_symbol(const std::string& module, const char* function);

template <class Function>
Function* module_function(const std::string& module, const char* function) {
  return reinterpret_cast<Function*>(module_symbol(module, function));
}

}  // namespace clack
