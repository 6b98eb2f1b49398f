// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace clack {

/// A text of a user's (names, notes, paths) as it may be sent to a terminal: control characters, which could move the
/// cursor or change the title, are spelled as \\x1b. Line ends and everything else stay.
inline std::string for_terminal(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
    const bool is_c1 = byte == 0xC2U && next >= 0x80U && next < 0xA0U;  // U+0080 to U+009F in UTF-8
    if (is_c1) {
      safe += fmt::format("\\x{:02x}", next);
      ++k;
    } else if ((byte < 0x20U && byte != '\n' && byte != '\t') || byte == 0x7FU) {
      safe += fmt::format("\\x{:02x}", byte);
    } else {
      safe += text[k];
    }
  }
  return safe;
}

}  // namespace clack
