// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>

namespace clack::command {

/// Ends a run from outside: Ctrl-C, SIGTERM, or a limit of time. The first signal asks the run to stop where it is, a
/// second one ends the program at once.
class Interruption {
 public:
  /// `seconds` of the clock from now on; empty: no limit.
  explicit Interruption(std::optional<double> seconds) : limit_(seconds) {
    struct sigaction action {};
    action.sa_handler = [](int signal) { signal_ = signal; };
    action.sa_flags = SA_RESETHAND;
    for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  }

  /// Why the run is to stop; empty: it is not.
  std::string reason() const {
    if (signal_ != 0) return signal_ == SIGINT ? "interrupted (SIGINT)" : "interrupted (SIGTERM)";
    if (limit_ && std::chrono::duration<double>(Clock::now() - begin_).count() > *limit_)
      return fmt::format("the time limit of {:g} s is over", *limit_);
    return "";
  }

 private:
  using Clock = std::chrono::steady_clock;
  inline static volatile std::sig_atomic_t signal_ = 0;
  std::optional<double> limit_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace clack::command
