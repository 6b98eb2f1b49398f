// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>

// Loops over rows in steps of four. A CLACK_WIDE function is compiled in several versions for
// wider registers, and the processor's one is chosen when the program starts. Every row is computed
// by the same operations in the same order whatever the width, so results do not depend on the
// processor.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLACK_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLACK_WIDE
#endif

namespace clack::wide {

inline constexpr int lanes = 4;
using Lane = double __attribute__((vector_size(lanes * sizeof(double))));
/// Twice as many rows, for the loops that are limited by the number of instructions.
using LongLane = double __attribute__((vector_size(2 * lanes * sizeof(double))));

__attribute__((always_inline)) inline void load(Lane& lane, const double* from) {
  std::memcpy(&lane, from, sizeof lane);
}

__attribute__((always_inline)) inline void store(double* to, const Lane& lane) {
  std::memcpy(to, &lane, sizeof lane);
}

__attribute__((always_inline)) inline void load(LongLane& lane, const double* from) {
  std::memcpy(&lane, from, sizeof lane);
}

__attribute__((always_inline)) inline void store(double* to, const LongLane& lane) {
  std::memcpy(to, &lane, sizeof lane);
}

/// lane = |lane|: the sign bit is cleared.
__attribute__((always_inline)) inline void make_positive(Lane& lane) {
  using Bits = long long __attribute__((vector_size(sizeof(Lane))));
  lane = (Lane)((Bits)lane & 0x7fffffffffffffffLL);
}

}  // namespace clack::wide
