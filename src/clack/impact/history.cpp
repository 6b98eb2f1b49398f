// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/history.hpp"

namespace clack {

HistoryWriter::HistoryWriter(const ImpactProblem& problem, std::string_view progress,
                             ImpactHistory& history, Storing storing)
    : contacts_(problem.contacts()), tangents_(problem.tangents()), history_(history) {
  history_.rows.clear();
  history_.columns = {"event", std::string(progress), "work", "kinetic"};
  const auto add_tangents = [&](const char* quantity, const std::string& name) {
    for (int a = 0; a < tangents_; ++a)
      history_.columns.push_back(tangents_ == 1 ? fmt::format("{}_{}", quantity, name)
                                                : fmt::format("{}{}_{}", quantity, a + 1, name));
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
}

void HistoryWriter::add(const InnerInstant& instant) {
  std::vector<double>& row = history_.rows.emplace_back();
  row.reserve(history_.columns.size());
  row = {static_cast<double>(instant.event), instant.progress, instant.work, instant.kinetic};
  for (int i = 0; i < contacts_; ++i) {
    row.push_back(instant.normal_impulse[i]);
    for (int a = 0; a < tangents_; ++a)
      row.push_back(instant.tangent_impulse[i * tangents_ + a]);
    row.push_back(instant.gap_rate[i]);
    for (int a = 0; a < tangents_; ++a) row.push_back(instant.slip[i * tangents_ + a]);
    row.push_back(static_cast<double>(instant.status[i]));
    if (instant.stored.size() == 0) continue;
    row.push_back(instant.stored[i]);
    row.push_back(instant.force[i]);
  }
}

}  // namespace clack
