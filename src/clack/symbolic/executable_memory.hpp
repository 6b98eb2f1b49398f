// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

namespace clack::symbolic {

/// A copy of machine code in pages that are executable and no longer writable; empty when the
/// system refuses such pages or this platform is not supported.
class ExecutableMemory {
 public:
  ExecutableMemory() = default;
  explicit ExecutableMemory(std::span<const unsigned char> code);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  const void* start() const { return start_; }  // nullptr when empty

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace clack::symbolic
