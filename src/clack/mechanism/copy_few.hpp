// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>

namespace clack {

/// Copies numbers that are few, as the states of small models are: a call of the library's copy costs more than they do.
inline void copy_few(const double* from, int count, double* to) {
  const double* const end = from + count;
  for (; end - from >= 2; from += 2, to += 2)
    std::memcpy(to, from, 2 * sizeof(double));  // one vector instruction
  if (from != end) *to = *from;
}

}  // namespace clack
