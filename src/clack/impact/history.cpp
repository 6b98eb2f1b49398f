// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/history.hpp"

namespace clack {

HistoryWriter::HistoryWriter(const ImpactProblem& problem, std::string_view progress,
                             ImpactHistory& history, Storing storing)
    : contacts_(problem.contacts()), tangents_(problem.tangents()), history_(history) {
  history_.rows.clear();
  history_.columns = {"event", std::string(progress), "work", "kinetic"};
  history_.columns.reserve(4 + 7 * problem.names.size() * tangents_);
  const auto add_tangents = [&](const std::string& quantity, const std::string& name) {
    for (int a = 0; a < tangents_; ++a)
      history_.columns.push_back(quantity + (tangents_ == 1 ? "_" : a == 0 ? "1_" : "2_") + name);
  };
  for (const std::string& name : problem.names) {
    history_.columns.push_back("normal_impulse_" + name);
    add_tangents("tangent_impulse", name);
    history_.columns.push_back("gap_rate_" + name);
    add_tangents("slip", name);
    history_.columns.push_back("status_" + name);
    if (storing == Storing::no) continue;
    history_.columns.push_back("stored_" + name);
    history_.columns.push_back("force_" + name);
  }
  history_.rows.reserve(8 * rows_per_stretch, history_.columns.size());
}

void HistoryWriter::add(const InnerInstant& instant) {
  double* out = next_row();
  *out++ = static_cast<double>(instant.event);
  *out++ = instant.progress;
  *out++ = instant.work;
  *out++ = instant.kinetic;
  for (int i = 0; i < contacts_; ++i) {
    *out++ = instant.normal_impulse[i];
    for (int a = 0; a < tangents_; ++a) *out++ = instant.tangent_impulse[i * tangents_ + a];
    *out++ = instant.gap_rate[i];
    for (int a = 0; a < tangents_; ++a) *out++ = instant.slip[i * tangents_ + a];
    *out++ = static_cast<double>(instant.status[i]);
    if (instant.stored.size() == 0) continue;
    *out++ = instant.stored[i];
    *out++ = instant.force[i];
  }
}

}  // namespace clack
