// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/tick_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

/// The smallest value that is not exceeded by this part of all; `sorted` rises.
double quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0.0;
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

TickLoop::TickLoop(SteeredRun& run, double rate, double until) : run_(run), rate_(rate) {
  ticks_ = std::lround(std::floor(run.simulation().time() * rate));
  last_ = std::lround(std::ceil(until * rate));
  const auto count = static_cast<std::size_t>(std::max(0l, last_ - ticks_));
  seconds_.reserve(count);
  run.simulation().run().reserve_rows(hybrid_tolerances.reserved_rows +
                                      std::min(count, hybrid_tolerances.reserved_ticks));
}

double TickLoop::next_time() const { return static_cast<double>(ticks_ + 1) / rate_; }

void TickLoop::tick() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  run_.advance_until(next_time());
  ++ticks_;
  const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
  if (seconds_.size() < seconds_.capacity()) seconds_.push_back(spent);
  if (spent > 1.0 / rate_) ++overruns_;
}

void TickLoop::note_lateness(double seconds) { late_max_ = std::max(late_max_, seconds); }

TraceRealtime TickLoop::summary() const {
  TraceRealtime realtime;
  realtime.rate = rate_;
  realtime.ticks = static_cast<long>(seconds_.size());
  realtime.overruns = overruns_;
  realtime.late_max = late_max_;
  std::vector<double> sorted = seconds_;
  std::ranges::sort(sorted);
  realtime.p50 = quantile(sorted, 0.5);
  realtime.p99 = quantile(sorted, 0.99);
  realtime.p999 = quantile(sorted, 0.999);
  realtime.max = sorted.empty() ? 0.0 : sorted.back();
  realtime.embeddings = run_.simulation().run().embeddings();
  for (const TraceEmbedding& arrival : run_.embeddings()) realtime.embeddings.push_back(arrival);
  return realtime;
}

}  // namespace clack
