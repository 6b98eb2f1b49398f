// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "clack/symbolic/parser.hpp"

namespace clack::symbolic {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Token number_token(std::string_view text, std::size_t position) {
  const auto digits = [&](std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  };
  std::size_t end = digits(position);
  if (end < text.size() && text[end] == '.') end = digits(end + 1);
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (digits(exponent) > exponent) end = digits(exponent);
  }
  Token token{TokenKind::number, text.substr(position, end - position), position, 0.0};
  const auto [stop, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
  const std::string shown(token.text.substr(0, 32));
  if (error == std::errc::result_out_of_range)
    throw ParseError(position, fmt::format("number {} does not fit a double", shown),
                     "use a magnitude between 1e-307 and 1e308");
  if (error != std::errc() || stop != token.text.data() + token.text.size())
    throw ParseError(position, fmt::format("{} is not a number", shown), "write it like 1.5e-3");
  return token;
}

struct Mistake {
  std::string_view written, remedy;
};
constexpr std::array mistakes = {
    Mistake{"**", "powers are written with ^, like x^2"},
    Mistake{"&&", "write and"},
    Mistake{"||", "write or"},
    Mistake{"&", "write and"},
    Mistake{"|", "write or, or abs(x) for a magnitude"},
    Mistake{"!", "write not, or != for unequal"},
    Mistake{"=", "comparisons are written with =="},
    Mistake{"[", "use round parentheses"},
    Mistake{"]", "use round parentheses"},
    Mistake{"{", "use round parentheses"},
    Mistake{"}", "use round parentheses"},
    Mistake{"?", "write if(condition, value, otherwise)"},
    Mistake{"%", "there is no remainder; a percentage is written as a fraction"},
    Mistake{"'", "time derivatives have names of their own; none is formed by an apostrophe"},
    Mistake{";", "one formula only; arguments are separated by commas"},
};

[[noreturn]] void refuse_character(std::string_view text, std::size_t position) {
  for (const Mistake& mistake : mistakes)
    if (text.substr(position).starts_with(mistake.written))
      throw ParseError(position, fmt::format("unexpected '{}'", mistake.written),
                       std::string(mistake.remedy));
  const auto byte = static_cast<unsigned char>(text[position]);
  const bool is_printable = byte > 32 && byte < 127;
  throw ParseError(position,
                   is_printable ? fmt::format("unexpected character '{}'", text[position])
                                : fmt::format("unexpected byte 0x{:02x}", byte),
                   "formulas consist of numbers, names, + - * / ^, comparisons and parentheses");
}

}  // namespace

Token next_token(std::string_view text, std::size_t position) {
  while (position < text.size() && is_space(text[position])) ++position;
  if (position >= text.size()) return {TokenKind::end, {}, text.size(), 0.0};
  const char c = text[position];
  const char following = position + 1 < text.size() ? text[position + 1] : '\0';
  if (is_digit(c) || (c == '.' && is_digit(following))) return number_token(text, position);
  if (is_letter(c)) {
    std::size_t end = position + 1;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.'))
      ++end;
    return {TokenKind::identifier, text.substr(position, end - position), position, 0.0};
  }
  if (c == '*' && following == '*') refuse_character(text, position);
  for (std::string_view symbol :
       {"<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">"})
    if (text.substr(position).starts_with(symbol))
      return {TokenKind::symbol, text.substr(position, symbol.size()), position, 0.0};
  refuse_character(text, position);
}

std::string quoted(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the formula";
  const bool is_long = token.text.size() > 40;
  return fmt::format("'{}{}'", token.text.substr(0, 40), is_long ? "..." : "");
}

}  // namespace clack::symbolic
