// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/model/yaml_document.hpp"

namespace clack::yaml {
namespace {

/// Plain where every YAML reader takes it as the same text, else between double quotes.
std::string quoted_if_needed(const std::string& text) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-*/^() ";
  const bool is_plain = !text.empty() && text.find_first_not_of(plain) == std::string::npos &&
                        std::string_view(" *-").find(text.front()) == std::string_view::npos &&
                        text.back() != ' ' && text != "null" && text != "Null" && text != "NULL" &&
                        text.find("  ") == std::string::npos && text.substr(0, 3) != "...";
  const bool is_negative = text.size() > 1 && text[0] == '-' &&
                           text.find_first_not_of("0123456789.e+-") == std::string::npos &&
                           text[1] != '-';
  if (is_plain || is_negative) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (c == '\n')
      quoted += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string inline_text(const Node& node) {
  std::string text;
  switch (node.kind) {
    case Kind::null:
      return "~";
    case Kind::text:
      return quoted_if_needed(node.text);
    case Kind::list:
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + inline_text(item);
      return "[" + text + "]";
    case Kind::map:
      for (const Entry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + quoted_if_needed(entry.key) + ": " +
                inline_text(entry.value);
      return "{" + text + "}";
  }
  return text;
}

/// Short things on one line, long ones entry by entry.
void write(const Node& node, std::size_t indent, std::string& out) {
  constexpr std::size_t line_length = 100;
  const std::string space(indent, ' ');
  const auto write_value = [&](const Node& value, const std::string& lead) {
    const bool has_parts = !value.items.empty() || !value.entries.empty();
    const std::string one_line = inline_text(value);
    const bool fits = indent > 0 && lead.size() + indent + one_line.size() <= line_length;
    if (!has_parts || fits || value.kind == Kind::text) {
      out += space + lead + " " + one_line + "\n";
    } else {
      out += space + lead + "\n";
      write(value, indent + 2, out);
    }
  };
  for (const Node& item : node.items) write_value(item, "-");
  for (const Entry& entry : node.entries)
    write_value(entry.value, quoted_if_needed(entry.key) + ":");
}

}  // namespace

std::string to_yaml(const Node& node) {
  if (node.items.empty() && node.entries.empty()) return inline_text(node) + "\n";
  std::string out;
  write(node, 0, out);
  return out;
}

}  // namespace clack::yaml
