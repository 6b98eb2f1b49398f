// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack::report {

/// A column over time.
struct RecordedLine {
  std::vector<double> t, y;
};

/// The columns of a trace as lines: coordinates and speeds with what was recorded between the rows (Trace::fine_rows),
/// the others row by row.
class Recorded {
 public:
  explicit Recorded(const Trace& trace);
  bool has(const std::string& column) const { return index_of(column).has_value(); }
  /// Empty without such a column.
  RecordedLine line(const std::string& column) const;

 private:
  std::optional<std::size_t> index_of(const std::string& column) const;

  const Trace& trace_;
  /// Rows and fine rows by time: index of a row, or -1 - index of a fine row.
  std::vector<std::ptrdiff_t> order_;
};

}  // namespace clack::report
