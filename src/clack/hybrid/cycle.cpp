// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// One return to the section: the impact of the model's contact, with the state after it.
struct Return {
  double t = 0.0, along = 0.0;
  Eigen::VectorXd state;  // all coordinates but the one that advances, and all speeds
};

/// The row recorded at time t after its last event.
const double* row_after(const Trace& trace, double t) {
  const std::size_t width = trace.columns.size();
  const double* found = nullptr;
  for (std::size_t lo = 0, hi = trace.row_count(); lo < hi;) {  // rows are ordered by time
    const std::size_t mid = (lo + hi) / 2;
    const double* row = trace.rows.data() + mid * width;
    if (row[0] <= t) {
      if (row[0] == t) found = row;
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return found;
}

std::vector<Return> returns_of(const Model& model, const Trace& trace) {
  std::vector<Return> returns;
  const CycleSection& section = *model.cycle;
  const auto nq = number_of(model.coordinates), n = number_of(model.speeds);
  const auto number = [&](const ContactKey& key) {
    const auto found = std::ranges::find(trace.contacts, contact_name(model, key));
    return found == trace.contacts.end() ? -1 : static_cast<int>(found - trace.contacts.begin());
  };
  const int contact = number(section.contact), after = section.after ? number(*section.after) : -1;
  std::vector<int> last_contacts;
  for (const TraceEvent& event : trace.events) {
    if (event.kind != EventKind::impact) continue;
    const auto has = [](const std::vector<int>& set, int c) {
      return std::find(set.begin(), set.end(), c) != set.end();
    };
    const bool follows = !section.after || has(last_contacts, after);
    const bool is_return = has(event.contacts, contact) && follows;
    last_contacts = event.contacts;
    const double* row = is_return ? row_after(trace, event.t) : nullptr;
    if (row == nullptr) continue;
    Return r{event.t, section.along >= 0 ? row[1 + section.along] : 0.0, Eigen::VectorXd(nq + n)};
    for (int i = 0; i < nq + n; ++i) r.state[i] = i == section.along ? 0.0 : row[1 + i];
    returns.push_back(std::move(r));
  }
  return returns;
}

/// Factor by which the change of the state shrinks per period, from the last returns where it is
/// resolved.
double multiplier_of(const std::vector<Return>& returns, int p) {
  for (int last = number_of(returns) - 1; last >= 2 * p; --last) {
    const Eigen::VectorXd change = returns[last].state - returns[last - p].state;
    const Eigen::VectorXd before = returns[last - p].state - returns[last - 2 * p].state;
    if (change.norm() > hybrid_tolerances.resolved_change * returns[last].state.norm())
      return change.dot(before) / before.squaredNorm();
  }
  return 0.0;
}

}  // namespace

std::optional<TraceCycle> find_cycle(const Model& model, const Trace& trace) {
  const std::vector<Return> returns = returns_of(model, trace);
  const HybridTolerances& tol = hybrid_tolerances;
  for (int p = 1; p <= tol.longest_period && number_of(returns) > 3 * p; ++p) {
    const Return &last = returns[returns.size() - 1], &one = returns[returns.size() - 1 - p],
                 &two = returns[returns.size() - 1 - 2 * p];
    const Eigen::VectorXd change = last.state - one.state;
    const double size = last.state.norm();
    if (!(change.norm() <= tol.nearly_periodic * size)) continue;
    TraceCycle cycle;
    cycle.multiplier = multiplier_of(returns, p);
    // The last two periods approach the limit geometrically: extrapolate with the multiplier.
    const bool is_converged = change.norm() <= tol.resolved_change * size;
    const double m = std::abs(cycle.multiplier) < 1.0 && !is_converged ? cycle.multiplier : 0.0;
    const auto limit = [m](double last_value, double value_before) {
      return last_value + m / (1.0 - m) * (last_value - value_before);
    };
    cycle.period = limit(last.t - one.t, one.t - two.t);
    cycle.drop = -limit(last.along - one.along, one.along - two.along);
    cycle.begin = one.t;
    cycle.end = last.t;
    return cycle;
  }
  return std::nullopt;
}

}  // namespace clack
