// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

namespace fs = std::filesystem;

/// Every name a run may write.
constexpr std::array<std::string_view, 9> run_files = {
    "trace.csv",  "contacts.csv", "constraints.csv", "events.json", "report.html",
    "model.yaml", "trace.h5",     "histories.json",  "inputs.jsonl"};

[[noreturn]] void refuse(const std::string& what, const fs::path& folder) {
  throw InputError(what, folder.string(), "choose another folder with --out");
}

/// An existing folder, for one writer at a time.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace

RunFolder::RunFolder(const std::string& folder) : folder_(fs::path(folder).lexically_normal()) {
  if (!folder_.has_filename() && folder_.has_parent_path() && folder_ != folder_.root_path())
    folder_ = folder_.parent_path();  // "out/" is "out"
  std::error_code problem;
  for (fs::path above = folder_.parent_path();
       !above.empty() && !fs::exists(above, problem) && !problem; above = above.parent_path())
    made_.insert(made_.begin(), above);
  const bool is_there = fs::exists(folder_, problem);
  if (is_there && !fs::is_directory(folder_, problem))
    refuse("the output folder is not a folder", folder_);
  if (!folder_.parent_path().empty()) fs::create_directories(folder_.parent_path(), problem);
  const std::string part = ".part-" + std::to_string(::getpid());
  temporary_ =
      is_there ? folder_ / part : folder_.parent_path() / (folder_.filename().string() + part);
  if (!problem) fs::remove_all(temporary_, problem);
  if (!problem) fs::create_directory(temporary_, problem);
  if (!problem) return;
  for (auto above = made_.rbegin(); above != made_.rend(); ++above) ::rmdir(above->c_str());
  refuse("the output folder cannot be made: " + problem.message(), folder_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  if (is_published_) return;
  for (auto above = made_.rbegin(); above != made_.rend(); ++above) ::rmdir(above->c_str());
}

std::string RunFolder::path(const std::string& name) {
  names_.push_back(name);
  return (temporary_ / name).string();
}

void RunFolder::write(const std::string& name, std::string_view content) {
  write_file_atomically(path(name), content);
}

void RunFolder::publish() {
  std::error_code problem;
  if (!fs::exists(folder_, problem)) {
    fs::rename(temporary_, folder_, problem);
    is_published_ = !problem;
    if (is_published_) return;  // else another run has made it meanwhile
  }
  move_files();
  is_published_ = true;
  fs::remove_all(temporary_,
                 problem);  // now: what is printed next may end the program (a closed pipe)
}

/// Into a folder that exists: all of them, while nobody else does the same.
void RunFolder::move_files() {
  const FolderLock lock(folder_);
  std::error_code problem;
  for (const std::string& name : names_)
    if (fs::is_directory(folder_ / name, problem))
      throw InputError("a folder has this name", (folder_ / name).string(),
                       "choose another folder with --out");
  for (const std::string& name : names_) {
    fs::rename(temporary_ / name, folder_ / name, problem);
    if (problem) refuse("the files cannot be moved: " + problem.message(), folder_);
  }
  for (const std::string_view name : run_files)
    if (std::find(names_.begin(), names_.end(), name) == names_.end())
      fs::remove(folder_ / name, problem);
}

void write_run_files(const Trace& trace, RunFolder& folder, const std::string& report_html) {
  folder.write("trace.csv", trace_csv(trace));
  if (!trace.pairs.empty() || trace.arrived_contacts > 0)
    folder.write("contacts.csv", contacts_csv(trace));
  if (trace.arrived_constraints > 0) folder.write("constraints.csv", constraints_csv(trace));
  folder.write("events.json", events_json(trace));
  const std::string histories = histories_json(trace);
  if (!histories.empty()) folder.write("histories.json", histories);
  folder.write("report.html", report_html);
  folder.write("model.yaml", trace.resolved_model);
}

}  // namespace clack
