// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace clack::study {

/// A folder with a small model, for tests: a ball that is thrown up and bounces once. Removed at the end.
class StudyFolder {
 public:
  explicit StudyFolder(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() /
                (name + "-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write(
        "ball.yaml",
        "clack: 1\nname: ball\ndimension: 2\nparameters: {v: 2, e: 0.5, g: 10}\ngravity: [0, -g]\n"
        "coordinates: {y: {start: 0, rate: v}}\nbodies: {ball: {mass: 1, position: [0, y]}}\n"
        "contacts: {ground: {gap: y, restitution: e}}\nrun: {until: 0.5, theory: newton}\n");
  }
  ~StudyFolder() {
    std::error_code problem;
    std::filesystem::remove_all(folder_, problem);
  }
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  /// A study of the ball with these sections.
  std::string study(const std::string& sections) const {
    return write("study.yaml", "study: 1\nmodel: ball.yaml\n" + sections);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace clack::study
