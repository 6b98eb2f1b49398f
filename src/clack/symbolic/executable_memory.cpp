// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/executable_memory.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__unix__)
#include <sys/mman.h>
#define CLACK_HAS_EXECUTABLE_PAGES
#endif

namespace clack::symbolic {

#ifdef CLACK_HAS_EXECUTABLE_PAGES

ExecutableMemory::ExecutableMemory(std::span<const unsigned char> code) {
  if (code.empty()) return;
  void* pages =
      mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, code.size());
    return;
  }
  start_ = pages;
  size_ = code.size();
}

ExecutableMemory::~ExecutableMemory() {
  if (start_ != nullptr) munmap(start_, size_);
}

#else

ExecutableMemory::ExecutableMemory(std::span<const unsigned char>) {}
ExecutableMemory::~ExecutableMemory() = default;

#endif

}  // namespace clack::symbolic
