// Running the program in a folder of its own: what it prints, how it ends, what it leaves behind.
#pragma once
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace clack::testing {

struct Finished {
  int exit_code = -1;  // -1: ended by a signal
  std::string output, errors;
  double processor_seconds = 0.0;
  std::set<std::string> created;  // files and folders that were not there before
};

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

  std::string read(const std::string& name) const { return content(inside() / name); }

  /// `clack ARGUMENTS`, with the arguments as a shell reads them.
  Finished clack(const std::string& arguments) const {
    const std::set<std::string> before = listing();
    const std::string command = "cd '" + inside().string() + "' && exec '" CLACK_PROGRAM "' " +
                                arguments + " >'" + (outside_ / "output").string() + "' 2>'" +
                                (outside_ / "errors").string() + "' </dev/null";
    Finished finished;
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return finished;
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    finished.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    finished.output = content(outside_ / "output");
    finished.errors = content(outside_ / "errors");
    for (const std::string& name : listing())
      if (!before.contains(name)) finished.created.insert(name);
    return finished;
  }

 private:
  static std::string content(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
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
