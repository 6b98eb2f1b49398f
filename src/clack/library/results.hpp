// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <string_view>

#include "clack/trace/trace.hpp"

namespace clack {

struct Model;

/// One column over the rows of a trace, in the memory of the trace.
using ColumnView = Eigen::Map<const Eigen::VectorXd, Eigen::Unaligned, Eigen::InnerStride<>>;

/// Its place among the columns; throws InputError naming the nearest known one.
std::size_t column_index(const Trace& trace, std::string_view name);
/// Valid as long as the trace is there and does not grow.
ColumnView column(const Trace& trace, std::string_view name);

/// The page of a run: one self-contained HTML file with its motion.
std::string report_page(const Model& model, const Trace& trace);
/// trace.csv, events.json, report.html, model.yaml, as `clack run --out FOLDER` writes them.
void save_run(const Model& model, const Trace& trace, const std::string& folder);

}  // namespace clack
