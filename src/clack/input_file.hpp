// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "clack/error.hpp"

namespace clack {

/// Larger files are refused before they are read.
inline constexpr std::uintmax_t largest_input_file = std::uintmax_t{1} << 29;  // bytes

/// The bytes of a file. Missing files, directories, unreadable and oversized files are user
/// mistakes.
inline std::string read_input_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status))
    throw InputError("there is no such file", path, "check the name and the folder");
  if (fs::is_directory(status))
    throw InputError("this is a folder, not a file", path, "name a file inside the folder");
  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, problem) : 0;
  if (!problem && size > largest_input_file)
    throw InputError("the file is larger than 512 MiB", path,
                     "split the problem or make it smaller");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw InputError(std::string("the file cannot be opened: ") + std::strerror(errno), path,
                     "check its permissions");
  std::string bytes;
  char chunk[1 << 16];
  while (stream.read(chunk, sizeof chunk) || stream.gcount() > 0) {
    bytes.append(chunk, stream.gcount());
    if (bytes.size() > largest_input_file)
      throw InputError("the file is larger than 512 MiB", path,
                       "split the problem or make it smaller");
  }
  if (stream.bad()) throw InputError("the file cannot be read", path, "check the disk");
  return bytes;
}

/// What may stand in a one-line message: control characters and bytes outside ASCII become '?',
/// long texts are cut.
inline std::string printable(std::string_view text, std::size_t longest = 160) {
  std::string line;
  for (const char c : text.substr(0, longest)) line += c < ' ' || c > '~' ? '?' : c;
  if (text.size() > longest) line += "...";
  return line;
}

/// "LINE:COLUMN" of a byte, both counted from 1.
inline std::string line_and_column(std::string_view text, std::size_t offset) {
  std::size_t line = 1, column = 1;
  for (std::size_t k = 0; k < std::min(offset, text.size()); ++k) {
    ++column;
    if (text[k] == '\n') ++line, column = 1;
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace clack
