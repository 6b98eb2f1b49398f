// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/executable_memory.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__unix__)
#include <asmjit/core.h>
#define CLACK_HAS_EXECUTABLE_PAGES
#endif

namespace clack::symbolic {

#ifdef CLACK_HAS_EXECUTABLE_PAGES

namespace {

/// Pages of all programs, mapped twice: one view is executed, the other one written. To ask the system for pages of its own
/// for every program costs three calls that all threads of a process wait for. It lives as long as the process: programs
/// may outlive everything else.
asmjit::JitAllocator& code_pages() {
  static asmjit::JitAllocator* const pages = [] {
    asmjit::JitAllocator::CreateParams params;
    params.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    return new asmjit::JitAllocator(&params);
  }();
  return *pages;
}

}  // namespace

ExecutableMemory::ExecutableMemory(std::span<const unsigned char> code) {
  if (code.empty()) return;
  void *executed = nullptr, *written = nullptr;
  if (code_pages().alloc(&executed, &written, code.size()) != asmjit::kErrorOk) return;
  std::memcpy(written, code.data(), code.size());
  asmjit::VirtMem::flushInstructionCache(executed, code.size());
  start_ = executed;
  size_ = code.size();
}

ExecutableMemory::~ExecutableMemory() {
  if (start_ != nullptr) (void)code_pages().release(start_);
}

#else

ExecutableMemory::ExecutableMemory(std::span<const unsigned char>) {}
ExecutableMemory::~ExecutableMemory() = default;

#endif

}  // namespace clack::symbolic
