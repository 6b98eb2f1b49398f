// SPDX-License-Identifier: Apache-2.0
#include "clack/report/recorded.hpp"

#include <algorithm>

namespace clack::report {

Recorded::Recorded(const Trace& trace) : trace_(trace) {
  const std::size_t rows = trace.row_count(), wide = trace.columns.size(),
                    fine = trace.fine_width();
  const std::size_t more = trace.columns.size() < fine ? 0 : trace.fine_rows.size() / fine;
  order_.reserve(rows + more);
  std::size_t k = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = trace.rows[row * wide];
    for (; k < more && trace.fine_rows[k * fine] < t; ++k)
      order_.push_back(-1 - static_cast<std::ptrdiff_t>(k));
    while (k < more && trace.fine_rows[k * fine] == t) ++k;  // the row says the same and more
    order_.push_back(static_cast<std::ptrdiff_t>(row));
  }
}

std::optional<std::size_t> Recorded::index_of(const std::string& column) const {
  const auto found = std::find(trace_.columns.begin(), trace_.columns.end(), column);
  if (found == trace_.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - trace_.columns.begin());
}

RecordedLine Recorded::line(const std::string& column) const {
  RecordedLine line;
  const auto index = index_of(column);
  if (!index) return line;
  const std::size_t wide = trace_.columns.size(), fine = trace_.fine_width();
  const bool is_fine = *index < fine;
  line.t.reserve(order_.size());
  line.y.reserve(order_.size());
  for (const std::ptrdiff_t place : order_) {
    if (place < 0 && !is_fine) continue;
    const double* row = place < 0
                            ? trace_.fine_rows.data() + static_cast<std::size_t>(-1 - place) * fine
                            : trace_.rows.data() + static_cast<std::size_t>(place) * wide;
    line.t.push_back(row[0]);
    line.y.push_back(row[*index]);
  }
  return line;
}

}  // namespace clack::report
