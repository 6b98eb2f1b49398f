// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack {

/// The files of one run, which appear together: they are written into a temporary folder beside their place (inside it,
/// when it exists) and moved there by `publish`. What is not published leaves nothing behind. Several runs into one
/// folder follow one another: its files are those of one of them. Files of an earlier run that this one does not write
/// are removed, files that no run writes stay.
class RunFolder {
 public:
  /// Throws InputError when the folder cannot be made or written.
  explicit RunFolder(const std::string& folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Where to write a file of the run.
  std::string path(const std::string& name);
  /// Throws InputError, or NoAnswer when there is no room.
  void write(const std::string& name, std::string_view content);
  void publish();

 private:
  void move_files();

  std::filesystem::path folder_, temporary_;
  std::vector<std::filesystem::path>
      made_;  // folders above it that were not there, outermost first
  std::vector<std::string> names_;
  bool is_published_ = false;
};

/// trace.csv, contacts.csv (where there are pairs), events.json, report.html (`report_html`) and model.yaml.
void write_run_files(const Trace& trace, RunFolder& folder, const std::string& report_html);

}  // namespace clack
