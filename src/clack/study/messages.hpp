// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

namespace clack::study {

/// What a cluster needs of MPI: texts between processes. Rank -1 as a sender: anybody.
struct Messages {
  int rank = 0, size = 1;
  std::function<void(int to, const std::string& text)> send;
  /// The next text from `from`, and who sent it. Waits by sleeping, so that it takes no processor time.
  std::function<std::string(int from, int& sender)> receive;
  std::function<void()> leave;
};

}  // namespace clack::study
