// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/natural_number.hpp"

#include <cassert>
#include <cstdio>
#include <limits>

namespace clack {
namespace {

constexpr std::uint64_t limb_base = 1'000'000'000;

}  // namespace

NaturalNumber::NaturalNumber(std::uint64_t value) {
  for (; value > 0; value /= limb_base)
    limbs_.push_back(static_cast<std::uint32_t>(value % limb_base));
}

void NaturalNumber::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

NaturalNumber& NaturalNumber::operator+=(const NaturalNumber& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += limbs_[i];
    if (i < other.limbs_.size()) carry += other.limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(carry % limb_base);
    carry /= limb_base;
  }
  if (carry > 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  return *this;
}

NaturalNumber& NaturalNumber::operator-=(const NaturalNumber& other) {
  assert(*this >= other);
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    std::int64_t digit = static_cast<std::int64_t>(limbs_[i]) - borrow;
    if (i < other.limbs_.size()) digit -= other.limbs_[i];
    borrow = digit < 0 ? 1 : 0;
    limbs_[i] = static_cast<std::uint32_t>(digit + borrow * static_cast<std::int64_t>(limb_base));
  }
  trim();
  return *this;
}

NaturalNumber operator*(const NaturalNumber& a, const NaturalNumber& b) {
  NaturalNumber product;
  product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.limbs_.size() || carry > 0; ++j) {
      carry += product.limbs_[i + j];
      if (j < b.limbs_.size()) carry += static_cast<std::uint64_t>(a.limbs_[i]) * b.limbs_[j];
      product.limbs_[i + j] = static_cast<std::uint32_t>(carry % limb_base);
      carry /= limb_base;
    }
  }
  product.trim();
  return product;
}

std::strong_ordering operator<=>(const NaturalNumber& a, const NaturalNumber& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
  for (std::size_t i = a.limbs_.size(); i-- > 0;)
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
  return std::strong_ordering::equal;
}

std::optional<std::int64_t> NaturalNumber::to_int64() const {
  if (*this > NaturalNumber(static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())))
    return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) value = value * limb_base + limbs_[i];
  return static_cast<std::int64_t>(value);
}

std::string NaturalNumber::to_string() const {
  if (limbs_.empty()) return "0";
  std::string text = std::to_string(limbs_.back());
  for (std::size_t i = limbs_.size() - 1; i-- > 0;) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%09u", limbs_[i]);
    text += digits;
  }
  return text;
}

std::string NaturalNumber::to_short_string() const {
  constexpr std::size_t most_digits = 15;
  const std::string digits = to_string();
  if (digits.size() <= most_digits) return digits;
  const int tenths = std::stoi(digits.substr(0, 3)) + 5;  // rounded to two digits below
  const bool carries = tenths >= 1000;
  const int shown = carries ? 10 : tenths / 10;
  return "about " + std::to_string(shown / 10) + "." + std::to_string(shown % 10) + "e" +
         std::to_string(digits.size() - 1 + (carries ? 1 : 0));
}

NaturalNumber power(NaturalNumber base, unsigned exponent) {
  NaturalNumber result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

}  // namespace clack
