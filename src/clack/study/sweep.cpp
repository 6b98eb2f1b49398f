// SPDX-License-Identifier: Apache-2.0
#include "clack/study/sweep.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace clack::study {
namespace {

/// Finished cases by number; the end of the case before is what a lane goes on from.
class Board {
 public:
  Board(std::vector<CaseResult>& results, const SweepOptions& options)
      : results_(results), options_(options) {
    for (std::size_t k = 0; k < results.size(); ++k) places_[results[k].number] = k;
  }
  bool has(long number) {
    const std::scoped_lock lock(mutex_);
    return places_.contains(number);
  }
  std::vector<NamedValue> end_of(long number) {
    const std::scoped_lock lock(mutex_);
    return results_[places_.at(number)].end;
  }
  void add(CaseResult result) {
    const std::scoped_lock lock(mutex_);
    if (options_.finished) options_.finished(result);
    places_[result.number] = results_.size();
    results_.push_back(std::move(result));
  }

 private:
  std::mutex mutex_;
  std::vector<CaseResult>& results_;
  const SweepOptions& options_;
  std::unordered_map<long, std::size_t> places_;
};

void run_on_board(const Study& study, const Cases& cases, long lane, Board& board,
                  const SweepOptions& options) {
  std::vector<NamedValue> start;
  for (const long number : cases.lane(lane)) {
    if (!board.has(number)) {
      std::optional<CaseResult> result =
          run_case(study, cases.at(number), start, options.interruption);
      if (!result) return;
      board.add(std::move(*result));
    }
    if (study.follow) start = board.end_of(number);
  }
}

}  // namespace

void run_lane(const Study& study, long lane, std::vector<CaseResult>& known,
              const SweepOptions& options) {
  Board board(known, options);
  run_on_board(study, Cases(study), lane, board, options);
}

void sweep(const Study& study, std::vector<CaseResult>& results, const SweepOptions& options) {
  const Cases cases(study);
  Board board(results, options);
  std::vector<long> lanes;
  for (long lane = 0; lane < cases.lane_count(); ++lane) {
    const std::vector<long> numbers = cases.lane(lane);
    if (!std::ranges::all_of(numbers, [&](long number) { return board.has(number); }))
      lanes.push_back(lane);
  }
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    options.threads);  // also beyond the cores
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    tbb::parallel_for_each(lanes.begin(), lanes.end(), [&](long lane) {
      if (options.interruption && !options.interruption().empty()) return;
      run_on_board(study, cases, lane, board, options);
    });
  });
  std::ranges::sort(results, {}, &CaseResult::number);
}

}  // namespace clack::study
