// SPDX-License-Identifier: Apache-2.0
// What a study costs beside its runs: cases per second of `sweep` against the executor called in a loop, the gain of a
// second thread, and memory over the number of cases. Ratios are from one run; times of one thread are processor time.
//
//   study_bench [CASES]     (2000 by default; the statement of docs/tasks/parameter-studies.md takes 10000)
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "clack/complementarity/settling.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/input_file.hpp"
#include "clack/study/journal.hpp"
#include "clack/study/sweep.hpp"

namespace {

using clack::bench::processor_seconds;
using namespace clack::study;

/// Woodpeckers of 2 s each over friction.
Study woodpeckers(long cases) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("study-bench-{}.yaml", ::getpid()))
          .string();
  std::ofstream(path) << fmt::format(
      "study: 1\nmodel: {}\nset: {{run.until: 2}}\naxes: {{mu: {{from: 0.25, to: 0.35, count: "
      "{}}}}}\n"
      "keep: {{period: {{cycle: period}}, fall: {{final: -y_M}}}}\n",
      (std::filesystem::relative(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml",
                                 std::filesystem::temp_directory_path()))
          .string(),
      cases);
  const Study study = read_study(path);
  std::filesystem::remove(path);
  return study;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long largest_memory() {  // KiB
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// The same cases without a study: read the model with its settings, run it.
double loop_seconds(const Study& study) {
  const Cases cases(study);
  const std::string text = clack::read_input_file(study.model_file);
  const double begin = processor_seconds();
  for (long k = 0; k < cases.count(); ++k) {
    std::vector<clack::Override> overrides = study.settings;
    overrides.push_back({"mu", cases.at(k).values[0]});
    (void)clack::run(clack::load_model_text(text, study.model_file, overrides));
  }
  return processor_seconds() - begin;
}

struct SweepTime {
  double processor = 0.0, wall = 0.0;
};

SweepTime sweep_seconds(const Study& study, int threads) {
  std::vector<CaseResult> results;
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("study-bench-{}.journal", ::getpid()))
          .string();
  SweepTime time{processor_seconds(), wall_seconds()};
  {
    Journal journal(path, head_of(study, Cases(study).count(), "bench"));
    SweepOptions options;
    options.threads = threads;
    options.finished = [&](const CaseResult& result) { journal.add(result); };
    sweep(study, results, options);
  }
  time = {processor_seconds() - time.processor, wall_seconds() - time.wall};
  std::filesystem::remove(path);
  return time;
}

}  // namespace

int main(int count, char** words) {
  const long cases = count > 1 ? std::atol(words[1]) : 2000;
  const Study few = woodpeckers(std::max(20L, cases / 20)), all = woodpeckers(cases);
  const double loop = loop_seconds(few);
  const SweepTime own = sweep_seconds(few, 1);
  const double few_cases = double(Cases(few).count());
  fmt::print("{:<44} {:>10.1f} cases per s of processor time\n", "the executor in a loop",
             few_cases / loop);
  fmt::print("{:<44} {:>10.1f}   {:.2f} of the loop\n", "sweep, one thread, with its journal",
             few_cases / own.processor, loop / own.processor);
  const SweepTime one = sweep_seconds(few, 1), two = sweep_seconds(few, 2);
  fmt::print("{:<44} {:>10.1f} cases per s of the clock\n", "one thread", few_cases / one.wall);
  fmt::print("{:<44} {:>10.1f}   {:.2f} times one thread\n", "two threads", few_cases / two.wall,
             one.wall / two.wall);
  const long before = largest_memory();
  const SweepTime many = sweep_seconds(all, 2);
  fmt::print("{:<44} {:>10.1f} cases per s of the clock\n",
             fmt::format("two threads, {} cases", cases), double(cases) / many.wall);
  fmt::print("{:<44} {:>10} KiB, {} KiB after {} cases\n", "largest memory", largest_memory(),
             before, Cases(few).count());
}
