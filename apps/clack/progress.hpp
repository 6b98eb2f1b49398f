// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "clack/trace/summary.hpp"

namespace clack::command {

/// "t = 1.2 of 10 s, 12 %, about 14 s left"; when t has not changed for some seconds it says so instead.
inline std::string progress_line(double t, double until, double elapsed_seconds,
                                 double still_seconds = 0.0) {
  const double part = until > 0.0 ? std::clamp(t / until, 0.0, 1.0) : 0.0;
  constexpr double patience = 2.0;  // s
  const std::string left =
      still_seconds > patience ? ", t stands still for " + short_duration(still_seconds)
      : part > 0.0 ? ", about " + short_duration(elapsed_seconds * (1.0 - part) / part) + " left"
                   : "";
  return fmt::format("t = {:.4g} of {:.4g} s, {:.0f} %{}", t, until, 100.0 * part, left);
}

/// A line on the terminal behind stderr for runs of more than two seconds, renewed five times a
/// second and erased at the end. Silent when stderr is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(double until)
      : until_(until),
        is_terminal_(::isatty(STDERR_FILENO) == 1),
        begin_(Clock::now()),
        last_(begin_) {}
  ~ProgressLine() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(double t) {
    if (!is_terminal_) return;
    const auto now = Clock::now();
    if (t != t_) moved_ = now;
    t_ = t;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (elapsed < 2.0 || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    is_shown_ = true;
    const double still = std::chrono::duration<double>(now - moved_).count();
    fmt::print(stderr, "\r\033[K{}", progress_line(t, until_, elapsed, still));
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  double until_;
  bool is_terminal_;
  bool is_shown_ = false;
  double t_ = -1.0;
  Clock::time_point begin_, last_, moved_ = Clock::now();
};

}  // namespace clack::command
