// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace clack {

void for_each_in_threads(int count, int threads, const std::function<void(int)>& work) {
  if (threads <= 1 || count <= 1) {
    for (int k = 0; k < count; ++k) work(k);
    return;
  }
  std::atomic<int> next = 0;
  std::vector<std::exception_ptr> failures(count);
  const auto take = [&] {
    for (int k = next++; k < count; k = next++) {
      try {
        work(k);
      } catch (...) {
        failures[k] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(take);
    take();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace clack
