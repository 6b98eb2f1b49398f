// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace clack::study {

/// FNV-1a, 64 bits: tells apart texts and torn records; no protection against malice.
inline std::uint64_t checksum64(std::string_view bytes,
                                std::uint64_t hash = 0xcbf29ce484222325ull) {
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ull;
  }
  return hash;
}

}  // namespace clack::study
