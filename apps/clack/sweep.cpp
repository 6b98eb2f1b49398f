// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/library/version.hpp"
#include "clack/study/cluster.hpp"
#include "clack/study/journal.hpp"
#include "clack/study/page.hpp"
#include "clack/study/sweep.hpp"
#include "clack/study/table.hpp"
#include "clack/trace/summary.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

namespace fs = std::filesystem;

struct SweepRequest {
  std::string study, out;
  std::vector<std::string> settings;
  int threads = 0;  // 0: all cores
  bool is_resume = false, is_sensitivity = false, is_json = false;
};

/// "120 of 400 cases, 2 not done, 31.4 per s, about 9 s left" on a terminal, from two seconds on.
class SweepProgress {
 public:
  explicit SweepProgress(long total, long before) : total_(total), done_(before), before_(before) {}
  ~SweepProgress() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;
  void finished(const study::CaseResult& result) {
    ++done_;
    if (result.status != study::CaseStatus::done) ++failed_;
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (!is_terminal_ || elapsed < 2.0 || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    is_shown_ = true;
    const double rate = double(done_ - before_) / elapsed;
    fmt::print(stderr, "\r\033[K{} of {} cases, {} not done, {:.3g} per s, about {} left", done_,
               total_, failed_, rate, short_duration(double(total_ - done_) / rate));
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_terminal_ = ::isatty(STDERR_FILENO) == 1, is_shown_ = false;
  long total_, done_, before_, failed_ = 0;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

/// A new journal, or the one that is there with what it holds.
std::unique_ptr<study::Journal> open_journal(const SweepRequest& request, const std::string& path,
                                             const study::JournalHead& head,
                                             std::vector<study::CaseResult>& results) {
  if (!fs::exists(path)) return std::make_unique<study::Journal>(path, head);
  study::JournalContent content = study::read_journal(path);
  if (!request.is_resume)
    throw InputError(
        fmt::format("the folder holds a study with {} finished cases", content.results.size()),
        path, "go on with --resume, choose another --out, or remove the file");
  const std::string other = study::difference(content.head, head);
  if (!other.empty())
    throw InputError("the study there cannot be continued: " + other, path,
                     "choose another --out, or remove the file to begin anew");
  if (content.lost_bytes > 0)
    fmt::print(stderr,
               "note: the journal ended in a torn record; {} bytes were cut, its case runs again\n",
               content.lost_bytes);
  results = std::move(content.results);
  return std::make_unique<study::Journal>(path, content);
}

study::Study study_of(const SweepRequest& request) {
  if (request.threads < 0)
    throw InputError(fmt::format("--threads is {}, must be positive", request.threads), "",
                     "leave it out to use all cores");
  return study::read_study(
      request.study, parse_settings(request.settings),
      request.is_sensitivity ? study::Purpose::sensitivity : study::Purpose::cases);
}

/// A study about to run, with what is finished of it.
struct Prepared {
  study::Study study;
  fs::path folder;
  long total = 0;
  std::vector<study::CaseResult> results = {};
  std::unique_ptr<study::Journal> journal = {};
};

Prepared prepare(const SweepRequest& request) {
  Prepared work{study_of(request), request.out.empty()
                                       ? fs::path("out") / fs::path(request.study).stem()
                                       : fs::path(request.out)};
  std::error_code problem;
  fs::create_directories(work.folder, problem);
  if (problem)
    throw InputError("the folder cannot be made: " + problem.message(), work.folder.string(),
                     "choose another --out");
  work.total = study::Cases(work.study).count();
  work.journal = open_journal(request, (work.folder / "journal.txt").string(),
                              study::head_of(work.study, work.total, CLACK_VERSION), work.results);
  return work;
}

study::SweepOptions options_of(const SweepRequest& request, const Interruption& interruption) {
  study::SweepOptions options;
  options.threads =
      request.threads > 0 ? request.threads : static_cast<int>(std::thread::hardware_concurrency());
  options.interruption = [&] { return interruption.reason(); };
  return options;
}

/// results.csv, results.json, results.h5, study.html (and sensitivity.csv), and what is said of them.
void write_results(const SweepRequest& request, const Prepared& work) {
  const study::StudyRecord record = study::record_of(work.study, work.results);
  const auto path = [&](const char* name) { return (work.folder / name).string(); };
  const std::string document = study::results_json(record);
  write_file_atomically(path("results.csv"), study::results_csv(record));
  write_file_atomically(path("results.json"), document);
  study::write_results_hdf5(record, path("results.h5"));
  if (request.is_sensitivity)
    write_file_atomically(path("sensitivity.csv"), study::sensitivity_csv(record.sensitivity));
  write_file_atomically(path("study.html"), study::study_page(record));
  if (request.is_json)
    std::fputs(document.c_str(), stdout);
  else
    fmt::print("{}table {}\npictures {}\n", study::study_summary(record), path("results.csv"),
               path("study.html"));
}

/// `cluster`: the processes that share the work; nullptr: this one alone.
int run_and_write(const SweepRequest& request, Prepared& work, study::Cluster* cluster) {
  const Interruption interruption(std::nullopt);
  {
    SweepProgress progress(work.total, static_cast<long>(work.results.size()));
    study::SweepOptions options = options_of(request, interruption);
    options.finished = [&](const study::CaseResult& result) {
      work.journal->add(result);
      progress.finished(result);
    };
    if (cluster)
      cluster->sweep(work.study, work.results, options);
    else
      sweep(work.study, work.results, options);
    work.journal->flush();
  }
  write_results(request, work);
  if (static_cast<long>(work.results.size()) == work.total) return 0;
  std::fflush(stdout);
  fmt::print(stderr, "error: {} of {} cases are finished: {}\nhelp: go on with --resume\n",
             work.results.size(), work.total, interruption.reason());
  return 1;
}

int execute(const SweepRequest& request) {
  if (!study::is_in_cluster()) {
    Prepared work = prepare(request);
    return run_and_write(request, work, nullptr);
  }
  study::Cluster cluster;
  if (!cluster.is_first()) {  // the first process speaks for all
    if (!cluster.all_go_on(true))
      return 0;  // whoever ends with a failure ends the others, the speaker too
    const Interruption interruption(std::nullopt);
    std::vector<study::CaseResult> none;
    cluster.sweep(study_of(request), none, options_of(request, interruption));
    return 0;
  }
  std::optional<Prepared> work;
  try {
    work = prepare(request);
  } catch (...) {
    cluster.all_go_on(false);
    throw;
  }
  cluster.all_go_on(true);
  return run_and_write(request, *work, &cluster);
}

}  // namespace

void add_sweep(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<SweepRequest>();
  CLI::App* command =
      program.add_subcommand("sweep", "run a study: one model, many cases, one table");
  command->add_option("STUDY", request->study, "study file (YAML)")->required();
  command->add_option("--threads", request->threads,
                      "cases at a time (all cores); results do not depend on it");
  command->add_option("--out", request->out, "folder of the results (out/STUDY-NAME)");
  command->add_option("--set", request->settings, "NAME=FORMULA for all cases; may be repeated")
      ->allow_extra_args(false);
  command->add_flag(
      "--sensitivity", request->is_sensitivity,
      "parts of the variance of each kept result by axis (Sobol indices); the study draws samples");
  command->add_flag("--resume", request->is_resume,
                    "run only the cases that the folder does not hold yet");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack sweep studies/woodpecker-friction.yaml\n"
      "  clack sweep studies/table-bifurcation.yaml --threads 2 --out out/table\n"
      "  clack sweep studies/table-bifurcation.yaml --out out/table --resume\n"
      "  clack sweep studies/woodpecker-sensitivity.yaml --sensitivity\n"
      "  mpirun -n 16 clack sweep studies/woodpecker-map.yaml   (the first process hands out "
      "cases)\n"
      "Finished cases are kept in journal.txt of the folder whatever happens. Exit code 1: not all "
      "cases ran.");
  command->callback([request, &exit_code] { exit_code = execute(*request); });
}

}  // namespace clack::command
