// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "clack/error.hpp"

namespace clack {

/// Writes `content` under a temporary name in the same folder and renames it, so that the file is
/// there completely or not at all. On failure the temporary file is removed and InputError is
/// thrown (NoAnswer when there is no room: nothing is wrong with what was asked).
inline void write_file_atomically(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".part-" + std::to_string(::getpid());
  const auto fail = [&](const char* what, int reason) {
    std::remove(temporary.c_str());
    if (reason == ENOSPC || reason == EFBIG || reason == EDQUOT)
      throw NoAnswer(std::string(what) + ": " + std::strerror(reason), path,
                     "make room there, or choose another folder");
    throw InputError(std::string(what) + ": " + std::strerror(reason), path,
                     "check that the folder exists, is writable and has room");
  };
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem))
    throw InputError("a folder has this name", path, "choose another name for the output");
  std::FILE* file = std::fopen(temporary.c_str(), "wbx");
  if (file == nullptr)
    throw InputError(std::string("the file cannot be written: ") + std::strerror(errno), path,
                     "check that the folder exists and is writable");
  const bool is_written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const int write_error = errno;
  const bool is_closed = std::fclose(file) == 0;
  if (!is_written || !is_closed)
    fail("the file cannot be written", is_written ? errno : write_error);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("the file cannot be renamed", errno);
}

}  // namespace clack
