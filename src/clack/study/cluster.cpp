// SPDX-License-Identifier: Apache-2.0
#include "clack/study/cluster.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include "clack/error.hpp"
#include "clack/module.hpp"
#include "clack/study/journal.hpp"
#include "clack/study/messages.hpp"

// Between the first process and the others go texts:
//
//   "lane?"            a thread is free                    (to the first)
//   "case TEXT"        a finished case, as in the journal  (to the first)
//   "lane N" + cases   run lane N; those of its cases that are finished follow, a line each
//   "end"              nothing is left
namespace clack::study {
namespace {

Messages& messages() {
  static Messages joined;  // MPI belongs to the process
  return joined;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The work that is left, and who has it.
class Foreman {
 public:
  Foreman(const Study& study, std::vector<CaseResult>& results, const SweepOptions& options)
      : cases_(study), results_(results), options_(options) {
    std::ranges::sort(results_, {}, &CaseResult::number);
    for (long lane = 0; lane < cases_.lane_count(); ++lane)
      if (!is_finished(lane)) lanes_.push_back(lane);
    std::ranges::reverse(lanes_);
    begun_ = results_.size();
  }

  void serve(int threads_elsewhere) {
    int working = threads_elsewhere;
    while (working > 0) {
      int sender = 0;
      const std::string text = messages().receive(-1, sender);
      if (text.starts_with("case ")) {
        take(result_from_text(text.substr(5)));
        continue;
      }
      const bool is_over =
          lanes_.empty() || failure_ || (options_.interruption && !options_.interruption().empty());
      messages().send(sender, is_over ? "end" : order(lanes_.back()));
      if (is_over)
        --working;
      else
        lanes_.pop_back();
    }
    if (failure_) std::rethrow_exception(failure_);
    std::ranges::sort(results_, {}, &CaseResult::number);
  }

 private:
  /// What cannot be recorded (a full disk) ends the study, once the others have heard of it.
  void take(CaseResult result) {
    if (failure_) return;
    try {
      if (options_.finished) options_.finished(result);
      results_.push_back(std::move(result));
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  const CaseResult* finished_before(long number) const {
    const auto end = results_.begin() + static_cast<long>(std::min(begun_, results_.size()));
    const auto found =
        std::ranges::lower_bound(results_.begin(), end, number, {}, &CaseResult::number);
    return found != end && found->number == number ? &*found : nullptr;
  }
  bool is_finished(long lane) {
    begun_ = results_.size();
    const std::vector<long> numbers = cases_.lane(lane);
    return std::ranges::all_of(numbers,
                               [&](long number) { return finished_before(number) != nullptr; });
  }
  std::string order(long lane) const {
    std::string text = "lane " + std::to_string(lane);
    for (const long number : cases_.lane(lane))
      if (const CaseResult* result = finished_before(number))
        text += "\n" + result_to_text(*result);
    return text;
  }

  Cases cases_;
  std::vector<CaseResult>& results_;
  const SweepOptions& options_;
  std::vector<long> lanes_;  // not given out; the next one last
  std::exception_ptr failure_;
  std::size_t begun_ = 0;  // results that were there at the start, sorted
};

/// One thread of a process that computes.
void work(const Study& study, const SweepOptions& options, std::mutex& turn) {
  for (;;) {
    std::string order;
    {
      const std::scoped_lock lock(turn);  // question and answer belong together
      int sender = 0;
      messages().send(0, "lane?");
      order = messages().receive(0, sender);
    }
    if (order == "end") return;
    const std::vector<std::string> lines = lines_of(order);
    std::vector<CaseResult> known;
    for (std::size_t k = 1; k < lines.size(); ++k) known.push_back(result_from_text(lines[k]));
    SweepOptions own;
    own.interruption = options.interruption;
    own.finished = [](const CaseResult& result) {
      messages().send(0, "case " + result_to_text(result));
    };
    run_lane(study, std::stol(lines.front().substr(5)), known, own);
  }
}

}  // namespace

bool is_in_cluster() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name); size != nullptr && std::atoi(size) > 1) return true;
  return false;
}

Cluster::Cluster() {
  module_function<void(Messages&)>("mpi", "clack_join_mpi")(messages());
  rank_ = messages().rank;
  size_ = messages().size;
}

Cluster::~Cluster() { messages().leave(); }

bool Cluster::all_go_on(bool is_ready) {
  int sender = 0;
  if (!is_first()) return messages().receive(0, sender) == "go";
  for (int rank = 1; rank < size_; ++rank) messages().send(rank, is_ready ? "go" : "stop");
  return is_ready;
}

void Cluster::sweep(const Study& study, std::vector<CaseResult>& results,
                    const SweepOptions& options) {
  if (is_first()) {
    int threads = 0, sender = 0;
    for (int rank = 1; rank < size_; ++rank) threads += std::stoi(messages().receive(rank, sender));
    Foreman(study, results, options).serve(threads);
    return;
  }
  messages().send(0, std::to_string(options.threads));
  std::mutex turn;
  std::vector<std::jthread> threads;
  for (int k = 0; k < options.threads; ++k)
    threads.emplace_back([&] { work(study, options, turn); });
}

}  // namespace clack::study
