// SPDX-License-Identifier: Apache-2.0
#include "clack/library/results.hpp"

#include "clack/error.hpp"
#include "clack/hybrid/draw.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"
#include "clack/report/report.hpp"
#include "clack/trace/output.hpp"

namespace clack {

std::size_t column_index(const Trace& trace, std::string_view name) {
  for (std::size_t k = 0; k < trace.columns.size(); ++k)
    if (trace.columns[k] == name) return k;
  const std::string nearest =
      nearest_name(std::string(name), std::span<const std::string>(trace.columns));
  throw InputError(
      "the trace has no column " + printable(std::string(name), 60), "",
      nearest.empty() ? "known are " + list_names(trace.columns) : "did you mean " + nearest + "?");
}

ColumnView column(const Trace& trace, std::string_view name) {
  const std::size_t k = column_index(trace, name);
  return {trace.rows.data() + k, static_cast<Eigen::Index>(trace.row_count()),
          Eigen::InnerStride<>(static_cast<Eigen::Index>(trace.columns.size()))};
}

std::string report_page(const Model& model, const Trace& trace) {
  return report_html(trace, draw_run(model, trace));
}

void save_run(const Model& model, const Trace& trace, const std::string& folder) {
  RunFolder files(folder);
  write_run_files(trace, files, report_page(model, trace));
  files.publish();
}

}  // namespace clack
