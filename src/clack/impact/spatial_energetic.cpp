// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/spatial_energetic.hpp"

#include <fmt/format.h>

#include "clack/contact/report.hpp"
#include "clack/impact/approach.hpp"
#include "clack/impact/spatial_event.hpp"

namespace clack {
namespace {

using Eigen::VectorXd;

const std::string& moving_body(const ContactGeometry& geometry) {
  return geometry.body_b == "ground" ? geometry.body_a : geometry.body_b;
}
bool is_between_moving(const ContactGeometry& geometry) {
  return geometry.body_a != "ground" && geometry.body_b != "ground";
}

class SpatialChain {
 public:
  SpatialChain(const ImpactProblem& problem, const SpatialEnergeticOptions& options)
      : problem_(problem),
        options_(options),
        c_(problem.contacts()),
        delassus_(make_delassus(problem, problem.options.rank_cutoff)),
        free_(free_velocity(delassus_, problem)),
        impulse_(VectorXd::Zero(delassus_.rows())),
        motion_(free_.contact),
        speed_(motion_.size() > 0 ? motion_.lpNorm<Eigen::Infinity>() : 0.0),
        limit_(approach_limit_of(problem, motion_, spatial_tolerances.approach)) {
    if (problem.options.record_history) writer_.emplace(problem, "impulse", result_.history);
  }

  ImpactResult run() {
    ContactRows members;
    for (int i = 0; i < c_; ++i)
      if (motion_[i] <= limit_) members.push_back(i);
    const bool is_needed = !approaching().empty();
    const int cap = std::min(options_.max_events, spatial_tolerances.events);
    if (!options_.simultaneous) members = {fastest()};
    for (int n = 0; is_needed && result_.status == SolveStatus::solved; ++n) {
      if (n == cap) {
        cut(cap);
        break;
      }
      resolve_event(members, n);
      members = approaching();
      if (members.empty()) break;
      if (!options_.simultaneous) members = {fastest()};
    }
    return finish();
  }

 private:
  ContactRows approaching() const {
    ContactRows rows;
    for (int i = 0; i < c_; ++i)
      if (motion_[i] < -limit_) rows.push_back(i);
    return rows;
  }
  int fastest() const {
    int first = 0;
    for (int i = 1; i < c_; ++i)
      if (motion_[i] < motion_[first]) first = i;
    return first;
  }
  int row(int contact, int a) const { return a == 2 ? contact : c_ + 2 * contact + a; }

  SpatialEvent event_of(const ContactRows& members, int number) const {
    SpatialEvent event;
    const int m = static_cast<int>(members.size());
    event.beta.resize(3 * m, 3 * m);
    event.theta.resize(3 * m);
    event.static_friction.resize(m);
    event.dynamic_friction.resize(m);
    event.speed = speed_;
    for (int i = 0; i < m; ++i) {
      const int contact = members[i];
      const ContactMaterial& material = problem_.materials[contact];
      event.static_friction[i] = material.static_friction;
      event.dynamic_friction[i] = material.dynamic_friction;
      event.names.push_back(problem_.names[contact]);
      if (problem_.names[contact] == options_.hub) event.hub = i;
      for (int a = 0; a < 3; ++a) {
        event.theta[3 * i + a] = motion_[row(contact, a)];
        for (int j = 0; j < m; ++j)
          for (int b = 0; b < 3; ++b)
            event.beta(3 * i + a, 3 * j + b) =
                delassus_.matrix(row(contact, a), row(members[j], b));
      }
      Eigen::Matrix3d& frame = event.frames.emplace_back(Eigen::Matrix3d::Identity());
      event.points.emplace_back(Eigen::Vector3d::Zero());
      if (m == 1) continue;
      const ContactGeometry& geometry = problem_.geometry[contact];
      const double side = geometry.body_b == "ground" ? -1.0 : 1.0;  // as it pushes the moving body
      event.points.back() = *geometry.point;
      frame << side * geometry.tangents[0].transpose(), side * geometry.tangents[1].transpose(),
          side * geometry.normal->transpose();
    }
    const std::vector<double>& list = options_.restitution_sequence;
    event.restitution = list.empty() ? problem_.materials[members[0]].restitution
                                     : list[std::min<std::size_t>(number, list.size() - 1)];
    return event;
  }

  void resolve_event(const ContactRows& members, int number) {
    const SpatialEvent event = event_of(members, number);
    const SpatialRecord record =
        writer_ ? SpatialRecord([&](const VectorXd& impulse, double work, double tangential,
                                    const std::vector<InnerStatus>& status) {
          tell(members, number, impulse, work, tangential, status);
        })
                : SpatialRecord();
    const SpatialAnswer answer = resolve_spatial_event(event, record);
    if (answer.end == EventEnd::not_begun) {
      // Without compression of the whole: those that approach, and at last the fastest alone.
      const ContactRows fewer = approaching();
      if (fewer.size() < members.size()) return resolve_event(fewer, number);
      if (members.size() > 1) return resolve_event({fastest()}, number);
    }
    for (const std::string& flag : answer.flags) add_flag(result_.flags, flag);
    for (const std::string& note : answer.notes) result_.notes.push_back(note);
    if (answer.is_recompressed) {
      add_flag(result_.flags, "recompressed");
      result_.notes.push_back(fmt::format("event {}: compression began again", number + 1));
    }
    if (answer.end == EventEnd::locked) {
      add_flag(result_.flags, "locked");
      result_.notes.push_back(fmt::format(
          "event {}: all points stick, no motion can give the energy back", number + 1));
    }
    if (answer.end == EventEnd::infeasible || answer.end == EventEnd::endless ||
        answer.end == EventEnd::not_begun) {
      result_.status = SolveStatus::not_converged;
      add_flag(result_.flags, "not-converged");
      return;
    }
    book(members, event, answer);
  }

  void book(const ContactRows& members, const SpatialEvent& event, const SpatialAnswer& answer) {
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int a = 0; a < 3; ++a)
        impulse_[row(members[i], a)] += answer.impulse[3 * static_cast<Eigen::Index>(i) + a];
    motion_ = free_.contact + delassus_.matrix * impulse_;
    works_.normal += answer.normal_work;
    works_.tangential += answer.tangential_work;
    ImpactEvent& done = result_.events.emplace_back();
    done.contacts = members;
    done.restitution = event.restitution;
    done.normal_work = answer.normal_work;
    done.compression_work = answer.compression_work;
    done.tangential_work = answer.tangential_work;
    done.terminal_impulse = answer.impulse[2];
    done.velocity = motion_under(delassus_, free_, impulse_);
    done.energy_after = kinetic(impulse_);
  }

  double kinetic(const VectorXd& impulse) const {
    return 0.5 * (free_.state + delassus_.reduced_rows.transpose() * impulse).squaredNorm();
  }

  void tell(const ContactRows& members, int number, const VectorXd& impulse, double work,
            double tangential, const std::vector<InnerStatus>& status) {
    (void)tangential;
    VectorXd total = impulse_;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int a = 0; a < 3; ++a)
        total[row(members[i], a)] += impulse[3 * static_cast<Eigen::Index>(i) + a];
    const VectorXd motion = free_.contact + delassus_.matrix * total;
    InnerInstant now;
    now.event = number;
    now.progress = impulse[2];
    now.work = work;
    now.kinetic = kinetic(total);
    now.normal_impulse = total.head(c_);
    now.tangent_impulse = total.tail(2 * c_);
    now.gap_rate = motion.head(c_);
    now.slip = motion.tail(2 * c_);
    now.status.assign(c_, InnerStatus::idle);
    for (std::size_t i = 0; i < members.size(); ++i) now.status[members[i]] = status[i];
    writer_->add(now);
  }

  void cut(int cap) {
    const std::string left = fmt::format("{} events; the largest approach left is {:.6g} m/s", cap,
                                         -motion_.head(c_).minCoeff());
    result_.notes.push_back(left);
    if (cap < spatial_tolerances.events)
      add_flag(result_.flags, "chain-cut");
    else
      result_.status = SolveStatus::unfinished;
  }

  ImpactResult finish() {
    const VectorXd start = motion_under(delassus_, free_, VectorXd::Zero(delassus_.rows()));
    apply_impulses(problem_, delassus_, free_, impulse_, result_);
    complete_marched_impact(problem_, start, works_, result_);
    result_.iterations = static_cast<int>(result_.events.size());
    const double miss = result_.energy_after - result_.energy_before - result_.normal_work -
                        result_.tangential_work - result_.joint_work;
    if (!(std::abs(miss) <= spatial_tolerances.balance * result_.energy_before)) {
      result_.status = SolveStatus::not_converged;
      add_flag(result_.flags, "not-converged");
      result_.notes.push_back(
          fmt::format("the works miss the change of kinetic energy by {:.3g} J", miss));
    }
    return std::move(result_);
  }

  const ImpactProblem& problem_;
  const SpatialEnergeticOptions& options_;
  int c_;
  Delassus delassus_;
  FreeMotion free_;
  VectorXd impulse_, motion_;
  double speed_, limit_;
  ImpactResult result_;
  MarchedWorks works_;
  std::optional<HistoryWriter> writer_;
};

LawRefusal names_other_laws(std::string what) {
  return {std::move(what), "use law newton or lzb, which take any bodies"};
}

std::optional<LawRefusal> missing_place(const ImpactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const bool is_known = i < static_cast<int>(problem.geometry.size());
    const ContactGeometry none, &g = is_known ? problem.geometry[i] : none;
    const char* key = g.body_b.empty()         ? "bodies"
                      : !g.point               ? "point"
                      : !g.normal              ? "normal"
                      : g.tangents.size() != 2 ? "tangents"
                                               : nullptr;
    if (key != nullptr) return without_geometry(problem.names[i], key);
  }
  return {};
}

}  // namespace

LawRefusal without_geometry(std::string_view contact, std::string_view key) {
  return {fmt::format("contact {} has no {}, which several contacts at once need", contact, key),
          fmt::format("give {} of every contact, or use law lzb, which needs none", key)};
}

std::optional<LawRefusal> spatial_energetic_refusal(const ImpactProblem& problem,
                                                    const SpatialEnergeticOptions& options) {
  const int c = problem.contacts();
  if (!options.hub.empty() &&
      std::find(problem.names.begin(), problem.names.end(), options.hub) == problem.names.end())
    return LawRefusal{fmt::format("hub {} is no contact of this problem", options.hub),
                      "contacts: " + fmt::format("{}", fmt::join(problem.names, ", "))};
  if (c < 2 || !options.simultaneous) return {};
  if (auto refused = missing_place(problem)) return refused;
  const std::string& body = moving_body(problem.geometry[0]);
  for (int i = 0; i < c; ++i) {
    const ContactGeometry& g = problem.geometry[i];
    if (is_between_moving(g) || moving_body(g) != body)
      return names_other_laws(fmt::format(
          "several contacts in space need one moving body, but contact {} is between {} and {}",
          problem.names[i], g.body_a, g.body_b));
    for (int j = 0; j < i; ++j)
      if ((*g.point - *problem.geometry[j].point).norm() == 0.0)
        return LawRefusal{fmt::format("contacts {} and {} have one and the same point of body {} "
                                      "(duplicate contact point)",
                                      problem.names[j], problem.names[i], body),
                          "remove one of them, or move the points apart"};
  }
  if (problem.bilateral.rows() > 0)
    return names_other_laws("several contacts in space and joints at once are not treated");
  const double slow = spatial_tolerances.motionless * problem.velocity.cwiseAbs().maxCoeff();
  const auto moves = [&](const VectorXd& v) {
    return v.size() > 0 && v.cwiseAbs().maxCoeff() > slow;
  };
  if (moves(problem.normal_surface_velocity) || moves(problem.tangent_surface_velocity))
    return names_other_laws("several contacts in space and moving surfaces are not treated");
  for (int i = 1; i < c && options.restitution_sequence.empty(); ++i)
    if (problem.materials[i].restitution != problem.materials[0].restitution)
      return LawRefusal{
          fmt::format("contacts {} and {} have restitutions {:.6g} and {:.6g}, an event has one",
                      problem.names[0], problem.names[i], problem.materials[0].restitution,
                      problem.materials[i].restitution),
          "give restitution_sequence, one coefficient per event, or equal restitutions"};
  return {};
}

ImpactResult resolve_spatial_energetic(const ImpactProblem& problem,
                                       const SpatialEnergeticOptions& options) {
  return SpatialChain(problem, options).run();
}

}  // namespace clack
