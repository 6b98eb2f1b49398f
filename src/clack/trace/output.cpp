// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/output.hpp"

#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {

void make_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw InputError("the output folder cannot be made: " + problem.message(), folder,
                     "choose another folder with --out");
  if (!std::filesystem::is_directory(folder, problem))
    throw InputError("the output folder is not a folder", folder,
                     "choose another folder with --out");
}

void write_run_folder(const Trace& trace, const std::string& folder,
                      const std::string& report_html) {
  make_folder(folder);
  const std::filesystem::path base(folder);
  write_file_atomically((base / "trace.csv").string(), trace_csv(trace));
  if (!trace.pairs.empty())
    write_file_atomically((base / "contacts.csv").string(), contacts_csv(trace));
  write_file_atomically((base / "events.json").string(), events_json(trace));
  const std::string histories = histories_json(trace);
  std::error_code none;
  if (histories.empty())  // one of an earlier run would lie about this one
    std::filesystem::remove(base / "histories.json", none);
  else
    write_file_atomically((base / "histories.json").string(), histories);
  write_file_atomically((base / "report.html").string(), report_html);
  write_file_atomically((base / "model.yaml").string(), trace.resolved_model);
}

}  // namespace clack
