// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/executable_memory.hpp"

#include <gtest/gtest.h>

namespace clack::symbolic {
namespace {

TEST(ExecutableMemory, RunsWhatWasCopiedIntoIt) {
#if defined(__x86_64__) && defined(__unix__)
  const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3};  // mov eax, 42; ret
  const ExecutableMemory memory(code);
  if (memory.start() == nullptr) GTEST_SKIP() << "executable memory is refused here";
  EXPECT_EQ(reinterpret_cast<int (*)()>(const_cast<void*>(memory.start()))(), 42);
#else
  GTEST_SKIP() << "not x86-64";
#endif
}

TEST(ExecutableMemory, IsEmptyWithoutCode) {
  EXPECT_EQ(ExecutableMemory().start(), nullptr);
  EXPECT_EQ(ExecutableMemory(std::span<const unsigned char>{}).start(), nullptr);
}

}  // namespace
}  // namespace clack::symbolic
