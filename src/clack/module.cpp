// SPDX-License-Identifier: Apache-2.0
#include "clack/module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "clack/error.hpp"

namespace clack {
namespace {

std::vector<std::filesystem::path> module_folders() {
  std::vector<std::filesystem::path> folders;
  std::error_code ignored;
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&module_symbol), &self) != 0 && self.dli_fname != nullptr)
    folders.push_back(std::filesystem::path(self.dli_fname).parent_path());
  folders.push_back(std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path());
  for (std::size_t k = folders.size(); k-- > 0;) {
    folders.push_back(folders[k] / "../lib/clack/modules");  // of an installed program or library
    folders[k] /= "modules";
  }
  folders.emplace_back(CLACK_MODULES);
  return folders;
}

}  // namespace

void* module_symbol(const std::string& module, const char* function) {
  const std::string file = module + "_module.so";
  std::string why = "it is not there";
  for (const std::filesystem::path& folder : module_folders()) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / file, ignored)) continue;
    void* handle = dlopen((folder / file).c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = handle != nullptr ? dlsym(handle, function) : nullptr;
    if (symbol != nullptr) return symbol;
    const char* error = dlerror();
    why = error != nullptr ? error : "it lacks a function";
  }
  throw InputError("the module " + file + " cannot be loaded: " + why, CLACK_MODULES,
                   "build it: cmake --build --preset release --target clack_modules");
}

}  // namespace clack
