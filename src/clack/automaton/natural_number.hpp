// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clack {

/// A natural number of any size: the sizes of automata outgrow 64 bits at about thirty contacts.
class NaturalNumber {
 public:
  NaturalNumber(
      std::uint64_t value = 0);  // NOLINT: a number may stand where a natural number is expected

  NaturalNumber& operator+=(const NaturalNumber& other);
  /// `other` must not be larger.
  NaturalNumber& operator-=(const NaturalNumber& other);
  friend NaturalNumber operator+(NaturalNumber a, const NaturalNumber& b) { return a += b; }
  friend NaturalNumber operator-(NaturalNumber a, const NaturalNumber& b) { return a -= b; }
  friend NaturalNumber operator*(const NaturalNumber& a, const NaturalNumber& b);
  friend bool operator==(const NaturalNumber&, const NaturalNumber&) = default;
  friend std::strong_ordering operator<=>(const NaturalNumber& a, const NaturalNumber& b);

  /// Nothing when it is 2^63 or more.
  std::optional<std::int64_t> to_int64() const;
  std::string to_string() const;  // decimal
  /// For people: all digits up to fifteen of them, "about 6.3e74" beyond.
  std::string to_short_string() const;

 private:
  void trim();
  std::vector<std::uint32_t> limbs_;  // base 1e9, lowest first, no zero on top
};

NaturalNumber power(NaturalNumber base, unsigned exponent);

}  // namespace clack
