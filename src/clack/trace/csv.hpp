// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack {

/// trace.csv: a line of column names (t, coordinates, speeds, then per contact gap_NAME,
/// normal_NAME, tangent_NAME or tangent1_NAME, tangent2_NAME), then a line per row; "%.17g", so
/// reading it back gives the same bits. A value that is not known is `nan`. Names with commas,
/// quotes or line breaks are quoted. The first `csv_columns` columns are written (0: all).
std::string trace_csv(const Trace& trace);

/// contacts.csv: the closed contacts of pairs, a line each per row of the trace, with the columns
///   t, contact, gap, normal, tangent, status, slip, x, y, nx, ny
/// (in space tangent1, tangent2, slip1, slip2, and z, nz after y, ny).
std::string contacts_csv(const Trace& trace);
/// constraints.csv: the rows of constraints that came from outside, while they are on: t, constraint, row, value, force.
std::string constraints_csv(const Trace& trace);

/// A table read back from a file.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // one list per column, equally long

  /// The column of this name; throws InputError naming the nearest known one.
  const std::vector<double>& column(const std::string& name) const;
};

/// Throws InputError (FILE:LINE) when a line has another number of fields or one that is no number.
/// Empty fields are nan.
CsvTable parse_csv(const std::string& text, const std::string& file);

}  // namespace clack
