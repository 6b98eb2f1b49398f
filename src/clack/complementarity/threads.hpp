// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

namespace clack {

/// Calls work(0), ..., work(count - 1), shared among up to `threads` threads. Each call must touch
/// only what belongs to its number; then the results do not depend on the number of threads. The
/// first exception (by number) is thrown again.
void for_each_in_threads(int count, int threads, const std::function<void(int)>& work);

}  // namespace clack
