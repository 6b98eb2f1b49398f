// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words of a formula. For the parser only.
#include <string>
#include <string_view>

namespace clack::symbolic {

enum class TokenKind { number, identifier, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;     // as written; empty at the end
  std::size_t position = 0;  // bytes from 0
  double value = 0.0;        // of a number
};

/// Reads the word at or after `position`; throws ParseError for what is no word of the language.
Token next_token(std::string_view text, std::size_t position);

/// A word for messages: 'sin', or "the end of the formula".
std::string quoted(const Token& token);

}  // namespace clack::symbolic
