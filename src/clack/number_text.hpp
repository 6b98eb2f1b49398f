// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace clack {

/// A double as text from which the same bits are read: what printf("%.17g") prints, three times as fast. The text
/// lives as long as the object. The sign of a nan means nothing and may differ between machines: it is dropped.
class NumberText {
 public:
  explicit NumberText(double number) {
    if (std::isnan(number)) number = std::abs(number);
    end_ = number == 0.0 && !std::signbit(number)
               ? (text_[0] = '0', text_.data() + 1)
               : std::to_chars(text_.data(), text_.data() + text_.size(), number,
                               std::chars_format::general, 17)
                     .ptr;
  }
  operator std::string_view() const { return {text_.data(), end_}; }

 private:
  std::array<char, 32> text_;  // sign, 17 digits, point, e-308
  char* end_;
};

}  // namespace clack
