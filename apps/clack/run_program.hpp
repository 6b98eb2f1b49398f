// SPDX-License-Identifier: Apache-2.0
// Running the program in a folder of its own: what it prints, how it ends, what it leaves behind.
#pragma once
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace clack::testing {

struct Finished {
  int exit_code = -1;  // -1: ended by a signal
  std::string output, errors;
  double processor_seconds = 0.0;
  std::set<std::string> created;  // files and folders that were not there before
};

/// A command as a shell reads it, with empty input.
inline Finished run_shell(const std::string& command) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> output(std::tmpfile(), close),
      errors(std::tmpfile(), close);
  if (!output || !errors) throw std::runtime_error("no temporary file");
  Finished finished;
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(output.get()), STDOUT_FILENO);
    dup2(fileno(errors.get()), STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", ("exec </dev/null; " + command).c_str(),
          static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return finished;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const auto content = [](std::FILE* file) {
    std::string text;
    char buffer[4096];
    std::rewind(file);
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file))
      text.append(buffer, count);
    return text;
  };
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  finished.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  finished.output = content(output.get());
  finished.errors = content(errors.get());
  return finished;
}

/// A folder that exists as long as the object; the program runs inside it.
class ProgramFolder {
 public:
  ProgramFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "clack-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    outside_ = name;
    std::filesystem::create_directory(inside());
  }
  ~ProgramFolder() { std::filesystem::remove_all(outside_); }
  ProgramFolder(const ProgramFolder&) = delete;
  ProgramFolder& operator=(const ProgramFolder&) = delete;

  std::filesystem::path inside() const { return outside_ / "work"; }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(inside() / name, std::ios::binary) << bytes;
  }

  std::string read(const std::string& name) const {
    std::ifstream stream(inside() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// `clack ARGUMENTS`, with the arguments as a shell reads them.
  Finished clack(const std::string& arguments) const { return shell("exec", arguments); }
  /// The same reading what another command writes.
  Finished clack_behind(const std::string& command, const std::string& arguments) const {
    return shell(command + " |", arguments);
  }

 private:
  Finished shell(const std::string& before_program, const std::string& arguments) const {
    const std::set<std::string> before = listing();
    Finished finished = run_shell("cd '" + inside().string() + "' && " + before_program +
                                  " '" CLACK_PROGRAM "' " + arguments);
    for (const std::string& name : listing())
      if (!before.contains(name)) finished.created.insert(name);
    return finished;
  }

  std::set<std::string> listing() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(inside()))
      names.insert(std::filesystem::relative(entry.path(), inside()).string());
    return names;
  }
  std::filesystem::path outside_;
};

}  // namespace clack::testing
