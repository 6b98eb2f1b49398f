// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/foot_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

/// The feet of an instant, one after the other.
class FootSteps {
 public:
  FootSteps(const NodeTools& tools, RunState& state, const Cause& cause)
      : tools_(tools),
        state_(state),
        cause_(cause),
        feet_(tools.mechanism.feet(state.t, tools.q(state.y), tools.v(state.y))),
        rates_(tools.dynamics.coordinates()) {}

  FootChanges take() {
    std::vector<bool> was_there;
    for (FootIndex foot(0); foot.value < feet_.count(); ++foot)
      was_there.push_back(!feet_.rests(foot, q()));
    for (FootIndex foot(0); foot.value < feet_.count() && !changes_.stop; ++foot) {
      tools_.mechanism.coordinate_rates(state_.t, q(), tools_.v(state_.y), rates_.data());
      if (was_there[foot.value])
        go_on(foot);
      else
        come_back(foot);
    }
    for (FootIndex foot(0); foot.value < feet_.count() && !changes_.stop; ++foot)
      if (!was_there[foot.value] && !feet_.rests(foot, q())) enter(foot, was_there);
    return std::move(changes_);
  }

 private:
  double* q() { return tools_.q(state_.y); }
  ContactKey contact(FootIndex foot) const { return {.source = feet_.source(foot)}; }
  bool is_closed(FootIndex foot) const { return state_.mode.is_closed(contact(foot)); }
  std::string name(FootIndex foot) const { return contact_name(tools_.model, contact(foot)); }
  std::string place(FootIndex foot, const std::array<double, 2>& s) const {
    std::string text = fmt::format("{} = {:.9g}", feet_.path(foot).parameter_names[0], s[0]);
    if (feet_.parameters_of(foot) == 2)
      text += fmt::format(", {} = {:.9g}", feet_.path(foot).parameter_names[1], s[1]);
    return text;
  }
  bool has_fired(FootIndex foot, FootLimit limit) const {
    return std::ranges::any_of(cause_.fired, [&](const Guard& guard) {
      return guard.kind == GuardKind::foot && guard.formula == foot.value &&
             guard.border == static_cast<int>(limit);
    });
  }

  /// 1. to 3. and 5.
  void go_on(FootIndex foot) {
    if (has_fired(foot, FootLimit::regular)) return stop_at_centre(foot);
    if (has_fired(foot, FootLimit::nearer)) return jump(foot);
    for (int k = 0; k < feet_.parameters_of(foot); ++k)
      for (const bool is_end : {false, true})
        if (goes_out(foot, k, is_end)) return leave(foot, k, is_end);
    if (feet_.foot(foot).has_speed) return;
    const PatchFoot polished = feet_.polished(foot, q());
    const auto s = feet_.parameters(foot, q());
    bool is_near = !polished.is_at_end;
    for (int k = 0; k < feet_.parameters_of(foot); ++k)
      is_near = is_near && std::abs(polished.s[k] - s[k]) <=
                               closest_point_tolerances.small_step * range(foot, k);
    if (is_near) feet_.place(foot, feet_.inside(foot, polished.s), q());
  }

  double range(FootIndex foot, int k) const {
    return feet_.path(foot).to[k] - feet_.path(foot).from[k];
  }

  bool goes_out(FootIndex foot, int k, bool is_end) {
    const FootLimit limit = static_cast<FootLimit>(2 * k + (is_end ? 1 : 0));
    const Feet::Value left = feet_.to_end(foot, k, is_end, q(), rates_.data());
    return has_fired(foot, limit) ||
           (left.rate < 0.0 && left.value <= closest_point_tolerances.at_end * feet_.size(foot));
  }

  void leave(FootIndex foot, int k, bool is_end) {
    auto s = feet_.parameters(foot, q());
    const Path& path = feet_.path(foot);
    const double bound = is_end ? path.to[k] : path.from[k];
    if (feet_.foot(foot).has_speed) {  // the coordinate goes on, the contact does not
      s[k] = std::nextafter(bound, is_end ? bound + range(foot, k) : bound - range(foot, k));
    } else if (feet_.is_closed(foot, k)) {
      s[k] += is_end ? -range(foot, k) : range(foot, k);
      s = feet_.inside(foot, s);
    } else {
      s[k] = bound;
    }
    feet_.place(foot, s, q());
  }

  void jump(FootIndex foot) {
    const auto next = feet_.other(foot, q());
    if (!next) return;
    const auto s = feet_.parameters(foot, q());
    if (is_closed(foot)) {
      changes_.stop =
          Stop{fmt::format("t = {:.9g} s: contact {}: {} touches {} at two points, {} and {}",
                           state_.t, name(foot), feet_.foot(foot).body, feet_.path(foot).name,
                           place(foot, s), place(foot, next->s)),
               fmt::format("split {} between them into two, with a contact for each",
                           feet_.path(foot).name)};
      return;
    }
    feet_.place(foot, next->is_at_end ? next->s : feet_.inside(foot, next->s), q());
    InstantEvent& event = changes_.events.emplace_back();
    event.t = state_.t;
    event.kind = EventKind::feature;
    event.contacts = {contact(foot)};
    event.label = fmt::format("{}: {} -> {}", name(foot), place(foot, s), place(foot, next->s));
  }

  void stop_at_centre(FootIndex foot) {
    changes_.stop =
        Stop{fmt::format(
                 "t = {:.9g} s: contact {}: {} has reached a centre of curvature of {}, {:.6g} m "
                 "away: the closest point is not unique ({})",
                 state_.t, name(foot), feet_.foot(foot).body, feet_.path(foot).name,
                 feet_.distance(foot, q()) + feet_.foot(foot).radius,
                 place(foot, feet_.parameters(foot, q()))),
             "a disk that touches must be less curved than the path; start a little to one side if "
             "it flies"};
  }

  /// 4.
  void come_back(FootIndex foot) {
    const Path& path = feet_.path(foot);
    if (state_.t < path.known_from) return;
    const bool becomes_known = cause_.is_time && state_.t == path.known_from;
    if (becomes_known) {
      InstantEvent& event = changes_.events.emplace_back();
      event.t = state_.t;
      event.kind = EventKind::time;
      event.label = "path " + path.name;
    }
    if (feet_.foot(foot).has_speed) return come_inside(foot);
    const std::vector<PatchFoot> found = feet_.minima(foot);
    if (found.empty()) return;
    const PatchFoot& nearest = found[0];
    const double band = closest_point_tolerances.at_end * feet_.size(foot);
    if (nearest.is_at_end && nearest.outward > band)
      return feet_.place(foot, nearest.s, q());  // of two ends the nearer one
    const double gap = feet_.gap_at(foot, nearest.s);
    if (gap < -closest_point_tolerances.overlap * feet_.size(foot)) {
      if (becomes_known)
        changes_.stop = Stop{
            fmt::format("t = {:.9g} s: contact {}: penetrates by {:.6g} m when {} becomes known",
                        state_.t, name(foot), -gap, path.name),
            "let it become known before the body is there"};
      return;
    }
    const auto resting = feet_.parameters(foot, q());
    feet_.place(foot, feet_.inside(foot, nearest.s), q());
    if (!nearest.is_at_end) return;
    // At an end: which way it goes.
    tools_.mechanism.coordinate_rates(state_.t, q(), tools_.v(state_.y), rates_.data());
    for (int k = 0; k < feet_.parameters_of(foot); ++k)
      for (const bool is_end : {false, true}) {
        const Feet::Value left = feet_.to_end(foot, k, is_end, q(), rates_.data());
        if (left.value <= band && !(left.rate > 0.0)) return feet_.place(foot, resting, q());
      }
  }

  /// A coordinate that constraints determine comes over an end.
  void come_inside(FootIndex foot) {
    auto s = feet_.parameters(foot, q());
    for (int k = 0; k < feet_.parameters_of(foot); ++k)
      for (const bool is_end : {false, true}) {
        const Feet::Value left = feet_.to_end(foot, k, is_end, q(), rates_.data());
        const double band = closest_point_tolerances.at_end * feet_.size(foot);
        if (left.value < -band || (left.value <= 0.0 && !(left.rate > 0.0))) return;
        const double bound = is_end ? feet_.path(foot).to[k] : feet_.path(foot).from[k];
        if (left.value <= 0.0)
          s[k] = std::nextafter(bound, is_end ? feet_.path(foot).from[k] : feet_.path(foot).to[k]);
      }
    feet_.place(foot, s, q());
  }

  /// It has come onto a path. Where a closed contact of the same body has just left another one at this point, it goes on.
  void enter(FootIndex foot, const std::vector<bool>& was_there) {
    const double near = touch_limit(tools_.model.tolerances, state_.scales.of(contact(foot)));
    if (!(std::abs(feet_.gap_at(foot, feet_.parameters(foot, q()))) <= near)) return;
    insert(changes_.entered, contact(foot));
    for (FootIndex left(0); left.value < feet_.count(); ++left) {
      const bool has_left = was_there[left.value] && feet_.rests(left, q()) && is_closed(left);
      if (!has_left || feet_.foot(left).body != feet_.foot(foot).body) continue;
      const Eigen::Vector3d apart = feet_.world_point(left, q()) - feet_.world_point(foot, q());
      const Eigen::Vector3d turned = feet_.world_normal(left, q()) - feet_.world_normal(foot, q());
      if (apart.norm() <= near && turned.norm() <= closest_point_tolerances.same_normal)
        changes_.continued.push_back({contact(left), contact(foot)});
    }
  }

  const NodeTools& tools_;
  RunState& state_;
  const Cause& cause_;
  const Feet& feet_;
  std::vector<double> rates_;
  FootChanges changes_;
};

}  // namespace

FootChanges follow_feet(const NodeTools& tools, RunState& state, const Cause& cause) {
  if (tools.mechanism.feet().empty()) return {};
  return FootSteps(tools, state, cause).take();
}

}  // namespace clack
