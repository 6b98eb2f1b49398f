// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/embed.hpp"

#include <fmt/ranges.h>

#include <chrono>

#include "clack/error.hpp"
#include "clack/formulation/embedding.hpp"
#include "clack/formulation/tolerances.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/speed_choice_report.hpp"
#include "clack/hybrid/surroundings.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/json_input.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

[[noreturn]] void refuse_name(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (const Constraint& c : model.constraints) known.push_back(c.name);
  for (const ContactKey& key : possible_contacts(model)) known.push_back(contact_name(model, key));
  const std::string nearest = nearest_name(name, std::span<const std::string>(known));
  throw InputError("--constraints: the model has no constraint or contact " + printable(name, 60),
                   model.file,
                   !nearest.empty() ? "did you mean " + nearest + "?"
                   : known.empty()  ? "the model has none; leave --constraints out"
                                    : "known are " + list_names(known));
}

struct AskedContact {
  ContactKey contact;
  std::string status;  // "", "slip", "stick"
};

/// Names as rows: constraints first wins over a contact of the same name.
std::vector<AskedContact> read_names(const Model& model, const std::vector<std::string>& names,
                                     Mode& mode) {
  std::vector<AskedContact> contacts;
  mode.constraints.assign(model.constraints.size(), false);
  for (const std::string& name : names) {
    const auto constraint =
        std::ranges::find_if(model.constraints, [&](const auto& c) { return c.name == name; });
    if (constraint != model.constraints.end()) {
      mode.constraints[constraint - model.constraints.begin()] = true;
      continue;
    }
    const std::size_t colon = name.rfind(':');
    std::string status = colon == std::string::npos ? "" : name.substr(colon + 1);
    if (status != "slip" && status != "stick") status.clear();
    const std::string own = status.empty() ? name : name.substr(0, colon);
    const auto key = contact_named(model, own);
    if (!key) refuse_name(model, own);
    contacts.push_back({*key, status});
  }
  std::ranges::sort(contacts, {}, &AskedContact::contact);
  for (const AskedContact& c : contacts)
    mode.closed.push_back(
        {c.contact, c.status == "stick" ? ContactStatus::stick : ContactStatus::slip, {1.0, 0.0}});
  return contacts;
}

/// The state on which the question is asked, with everything that computes there.
class Embedder {
 public:
  Embedder(const Model& model, Mechanism& mechanism, Formulation& formulation)
      : model_(model),
        mechanism_(mechanism),
        dynamics_(mechanism, formulation),
        surroundings_(model, mechanism) {
    y_.resize(dynamics_.size(), 0.0);
  }
  ModeDynamics& dynamics() { return dynamics_; }
  const double* y() const { return y_.data(); }
  double t() const { return t_; }

  void start(const StatePoint& state) {
    t_ = state.t;
    std::ranges::copy(state.q, y_.begin());
    std::ranges::copy(state.v, y_.begin() + dynamics_.coordinates());
  }
  StatePoint state() const {
    const double *q = dynamics_.q(y_.data()), *v = dynamics_.v(y_.data());
    return {t_, {q, q + dynamics_.coordinates()}, {v, v + dynamics_.speeds()}};
  }
  /// Coefficients in force at the state: of the zone that holds there, else the contact's own.
  std::vector<ContactMaterial> materials(const Mode& mode) const {
    const SurroundingsState state =
        surroundings_.start(t_, y_.data(), y_.data() + dynamics_.coordinates());
    return surroundings_.materials(state, mode.contacts());
  }
  void enter(const Mode& mode) {
    dynamics_.enter(mode, materials(mode), 0.0, model_.tolerances.rank_cutoff);
  }
  /// A contact of which nothing is said sticks where its slip is none; slip has its direction.
  void settle_statuses(const std::vector<AskedContact>& asked, Mode& mode) {
    const Snapshot& s = dynamics_.snapshot_of(mode.rows(), t_, y_.data());
    const int k = dynamics_.tangents();
    const std::vector<ContactMaterial> in_force = materials(mode);
    double speed = 0.0;
    for (int j = 0; j < s.speeds(); ++j)
      speed = std::max(speed, std::abs(dynamics_.v(y_.data())[j]));
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Eigen::VectorXd slip = s.slip().segment(static_cast<int>(i) * k, k);
      const bool is_slow = !(slip.norm() > model_.tolerances.slip * speed);
      const bool may_stick = in_force[i].static_friction > 0.0;
      if (asked[i].status.empty())
        mode.closed[i].status = is_slow && may_stick ? ContactStatus::stick : ContactStatus::slip;
      for (int a = 0; a < k && !is_slow; ++a)
        mode.closed[i].slip_direction[a] = slip[a] / slip.norm();
    }
  }
  Drift violation() {
    return drift_of(dynamics_.snapshot_of(dynamics_.rows(), t_, y_.data()), dynamics_.is_stick());
  }
  /// Positions by Newton, speeds plastically.
  void project() {
    for (int pass = 0; pass < hybrid_tolerances.state_passes; ++pass) {
      const Snapshot& s = dynamics_.snapshot_of(dynamics_.rows(), t_, y_.data());
      if (drift_of(s, dynamics_.is_stick()).position == 0.0) break;
      const Eigen::VectorXd change = position_correction(s);
      mechanism_.displace(t_, y_.data(), change.data());
    }
    for (int pass = 0; pass < hybrid_tolerances.velocity_passes; ++pass) {
      const Snapshot& s = dynamics_.snapshot_of(dynamics_.rows(), t_, y_.data());
      const Eigen::VectorXd change = velocity_correction(s, dynamics_.is_stick());
      for (int j = 0; j < dynamics_.speeds(); ++j) y_[dynamics_.coordinates() + j] += change[j];
    }
  }

 private:
  const Model& model_;
  Mechanism& mechanism_;
  ModeDynamics dynamics_;
  Surroundings surroundings_;
  double t_ = 0.0;
  std::vector<double> y_;
};

/// Names and sizes of the rows that a state violates.
std::string violations(const Model& model, const ModeDynamics& dynamics, const Snapshot& s,
                       double zero, double zero_speed) {
  ModeRows rows;
  rows.enter(dynamics.shape());
  rows.gather(s);
  const std::vector<std::string> names = row_names(model, dynamics);
  std::string text;
  for (int r = 0; r < rows.count(); ++r) {
    const double value = rows.value()[r], rate = rows.rate()[r];
    if (std::abs(value) > zero)
      text += fmt::format("{}{} is {:.6g}", text.empty() ? "" : ", ", names[r], value);
    if (std::abs(rate) > zero_speed)
      text += fmt::format("{}the rate of {} is {:.6g}", text.empty() ? "" : ", ", names[r], rate);
  }
  return text;
}

/// The model's start, or the given state; moved where that is allowed, refused where not.
void place_state(const Model& model, const EmbedRequest& request, Embedder& embedder,
                 EmbedAnswer& answer) {
  const StatePoint before = embedder.state();
  double length = 0.0, speed = 0.0;
  for (const double x : before.q) length = std::max(length, std::abs(x));
  for (const double x : before.v) speed = std::max(speed, std::abs(x));
  const double allowed = hybrid_tolerances.state_violation;
  const double zero = allowed * (length > 0.0 ? length : 1.0),
               zero_speed = allowed * (speed > 0.0 ? speed : 1.0);
  const auto broken = [&] {
    const Snapshot& s =
        embedder.dynamics().snapshot_of(embedder.dynamics().rows(), embedder.t(), embedder.y());
    return violations(model, embedder.dynamics(), s, zero, zero_speed);
  };
  if (const std::string text = broken(); !text.empty() && request.state && !request.project)
    throw InputError("the state violates the rows: " + text, "--state",
                     "give a state that satisfies them, or let --project move it");
  embedder.project();
  if (const std::string text = broken(); !text.empty())
    throw NoAnswer("no state near the given one satisfies the rows: " + text, model.file,
                   "look for constraints that exclude each other, or give a nearer --state");
  const StatePoint after = embedder.state();
  for (std::size_t i = 0; i < after.q.size(); ++i)
    answer.position_move = std::max(answer.position_move, std::abs(after.q[i] - before.q[i]));
  for (std::size_t i = 0; i < after.v.size(); ++i)
    answer.speed_move = std::max(answer.speed_move, std::abs(after.v[i] - before.v[i]));
}

void take_forces(const Model& model, const Mode& mode, const ModeDynamics& dynamics,
                 EmbedAnswer& answer) {
  const ModeForces& forces = dynamics.forces();
  const int k = dynamics.tangents();
  int at = 0;
  for (const int c : dynamics.rows().constraints) {
    EmbeddedForce& force = answer.forces.emplace_back(EmbeddedForce{model.constraints[c].name, {}});
    for (std::size_t r = 0; r < model.constraints[c].rows.size(); ++r)
      force.values.push_back(forces.constraint_force[at++]);
  }
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    EmbeddedForce& force =
        answer.forces.emplace_back(EmbeddedForce{contact_name(model, mode.closed[i].contact), {}});
    force.values.push_back(forces.normal_force[i]);
    for (int a = 0; a < k; ++a)
      force.values.push_back(forces.friction_force[static_cast<int>(i) * k + a]);
  }
}

StatePoint start_of(const Model& model) {
  StatePoint start;
  for (const Coordinate& c : model.coordinates) start.q.push_back(c.start);
  for (const Speed& s : model.speeds) start.v.push_back(s.start);
  return start;
}

/// Forces in the order of the rows of the mode.
Eigen::VectorXd row_forces(const ModeDynamics& dynamics) {
  const ModeForces& forces = dynamics.forces();
  std::vector<double> x(forces.normal_force.begin(), forces.normal_force.end());
  const int k = dynamics.tangents();
  for (int i = 0; i < number_of(dynamics.is_stick()); ++i)
    for (int a = 0; a < k && dynamics.is_stick()[i]; ++a)
      x.push_back(forces.friction_force[i * k + a]);
  x.insert(x.end(), forces.constraint_force.begin(), forces.constraint_force.end());
  return Eigen::Map<const Eigen::VectorXd>(x.data(), number_of(x));
}

LinearMotion linear_motion(const Model& model, const Mode& mode, const ModeDynamics& dynamics,
                           const EmbedAnswer& answer) {
  LinearQuestion question;
  for (int i = 0; i < number_of(mode.closed); ++i)
    question.contacts.push_back(
        {mode.closed[i].contact, dynamics.is_stick()[i], dynamics.shape().friction[i]});
  question.constraints = dynamics.rows().constraints;
  question.t = answer.state.t;
  question.q = answer.state.q;
  question.v = answer.state.v;
  question.acceleration = answer.acceleration;
  question.forces = row_forces(dynamics);
  question.order = answer.order;
  return linearize(model, question);
}

}  // namespace

StatePoint read_state(const std::string& path, const Model& model) {
  const nlohmann::json document = read_json_file(path);
  constexpr std::array<std::string_view, 3> keys{"t", "q", "v"};
  check_keys(document, "", keys, path);
  StatePoint state;
  state.t = get_number_or(document, "t", 0.0, "", path);
  const Eigen::VectorXd q =
      get_vector(document, "q", static_cast<Eigen::Index>(model.coordinates.size()), "", path);
  const Eigen::VectorXd v =
      get_vector(document, "v", static_cast<Eigen::Index>(model.speeds.size()), "", path);
  state.q.assign(q.begin(), q.end());
  state.v.assign(v.begin(), v.end());
  return state;
}

EmbedAnswer embed(const Model& model, const EmbedRequest& request, const TheoryParts& parts) {
  EmbedAnswer answer;
  const auto begin = std::chrono::steady_clock::now();
  const auto mechanism = make_mechanism(model);
  answer.form_seconds = seconds_since(begin);
  const auto formulation =
      parts.formulations.make(request.formulation, request.formulation == model.run.formulation
                                                       ? model.options[PartKind::formulation]
                                                       : OptionValues{});
  Embedder embedder(model, *mechanism, *formulation);
  embedder.start(request.state.value_or(start_of(model)));
  Mode mode;
  const std::vector<AskedContact> asked = read_names(model, request.names, mode);
  embedder.settle_statuses(asked, mode);
  embedder.enter(mode);
  ModeDynamics& dynamics = embedder.dynamics();
  const Circumstances now = circumstances_of(dynamics.shape());
  if (const std::string refusal = parts.formulations.refusal(request.formulation, now);
      !refusal.empty())
    throw InputError(refusal, model.file, "choose another --formulation");
  place_state(model, request, embedder, answer);
  embedder.settle_statuses(asked, mode);
  const auto embedding = std::chrono::steady_clock::now();
  embedder.enter(mode);
  dynamics.evaluate(embedder.t(), embedder.y());
  answer.embed_seconds = seconds_since(embedding);
  ModeRows rows;
  rows.enter(dynamics.shape());
  rows.gather(dynamics.snapshot());
  const SpeedChoice choice =
      choose_speeds(rows.rows(), rows.scale(), formulation_tolerances.row_rank);
  answer.rank = choice.rank();
  answer.rows = rows.count();
  answer.condition = 1.0 / choice.smallest_pivot;
  if (answer.rank < answer.rows) {
    const Stop stop = rank_failure(model, dynamics, embedder.t(), answer.rows, choice);
    throw NoAnswer(stop.reason, model.file, stop.remedy);
  }
  if (const auto stop = embedding_failure(model, dynamics, embedder.t()))
    throw NoAnswer(stop->reason, model.file, stop->remedy);
  answer.independent = speed_names(model, choice.independent);
  answer.dependent = speed_names(model, choice.dependent);
  if (answer.rank > 0)
    answer.dependence = -Eigen::MatrixXd(rows.rows()(choice.rows, choice.dependent))
                             .partialPivLu()
                             .solve(Eigen::MatrixXd(rows.rows()(choice.rows, choice.independent)));
  if (const auto program = mechanism->embedded(
          mode.rows(), dynamics.is_stick(), {choice.rows, choice.dependent, choice.independent})) {
    answer.embed_seconds = program->embed_seconds;
    answer.compile_seconds = program->compile_seconds;
    answer.operations = program->operations();
  }
  answer.acceleration = dynamics.forces().acceleration;
  take_forces(model, mode, dynamics, answer);
  answer.state = embedder.state();
  answer.order = {choice.rows, choice.dependent, choice.independent};
  if (request.linearize) answer.linear = linear_motion(model, mode, dynamics, answer);
  return answer;
}

}  // namespace clack
