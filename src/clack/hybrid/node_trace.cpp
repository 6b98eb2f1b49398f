#include "clack/hybrid/node_trace.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "clack/contact/delassus.hpp"

namespace clack {
namespace {

/// Names and numbers that all visits of one pass share.
class PassLog {
 public:
  PassLog(Trace& trace, double t, char kind, std::span<const int> contacts) : trace_(trace) {
    visit_.t = t;
    visit_.contacts.assign(contacts.begin(), contacts.end());
    visit_.mode = trace.modes.size();
    visit_.node = kind;
    visit_.node += '{';
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i > 0) visit_.node += ',';
      visit_.node += trace.contacts[static_cast<std::size_t>(contacts[i])];
    }
    visit_.node += '}';
  }
  void add(std::string location) {
    visit_.location = std::move(location);
    trace_.node_visits.push_back(visit_);
  }
  void add(const NodePath& path) {
    for (const int location : path.locations) add(std::to_string(location));
    if (!path.is_converged) add("limit");
  }

 private:
  Trace& trace_;
  NodeVisit visit_;
};

/// The sweeps of one node; equations as in docs/tasks/automaton.md.
class SorproxWalk {
 public:
  explicit SorproxWalk(const SorproxNode& node)
      : node_(node), n_(node.contacts), k_(node.tangents) {
    path_.force = Eigen::VectorXd::Zero(node.b.size());
    tangent_step_.resize(static_cast<std::size_t>(n_), 0.0);
    for (int i = 0; i < n_; ++i) {
      if (k_ == 0) break;
      const Eigen::MatrixXd block = node.G.block(tangent(i), tangent(i), k_, k_);
      const double largest =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(block, Eigen::EigenvaluesOnly)
              .eigenvalues()
              .maxCoeff();
      if (largest > 0.0) tangent_step_[static_cast<std::size_t>(i)] = 1.0 / largest;
    }
  }

  NodePath run(int sweep_limit) {
    if (has_painleve_contact()) return std::move(path_);
    while (path_.sweeps < sweep_limit && !path_.is_converged) {
      ++path_.sweeps;
      for (int i = 0; i < n_; ++i) update_normal(i);
      for (int i = 0; i < n_; ++i) update_tangent(i);
      path_.is_converged = pass_tests();
    }
    return std::move(path_);
  }

 private:
  int tangent(int i) const { return n_ + i * k_; }
  auto direction(int i) const { return node_.slip_direction.segment(i * k_, k_); }
  bool is_slipping(int i) const { return k_ > 0 && direction(i).squaredNorm() > 0.0; }
  double friction(int i) const { return node_.friction[static_cast<std::size_t>(i)]; }
  double diagonal(int i) const {
    double value = node_.G(i, i);
    if (is_slipping(i))
      value -= friction(i) * node_.G.block(i, tangent(i), 1, k_).row(0).dot(direction(i));
    return value;
  }
  bool has_painleve_contact() const {
    for (int i = 0; i < n_; ++i)
      if (!(diagonal(i) > 0.0)) return true;
    return false;
  }
  double normal_target(int i) const {
    const double xi = node_.G.row(i).dot(path_.force) + node_.b[i];
    return std::max(0.0, path_.force[i] - xi / diagonal(i));
  }
  Eigen::VectorXd tangent_target(int i) const {
    if (is_slipping(i)) return -friction(i) * path_.force[i] * direction(i);
    const Eigen::VectorXd xi =
        node_.G.middleRows(tangent(i), k_) * path_.force + node_.b.segment(tangent(i), k_);
    Eigen::VectorXd target =
        path_.force.segment(tangent(i), k_) - tangent_step_[static_cast<std::size_t>(i)] * xi;
    const double bound = friction(i) * path_.force[i], size = target.norm();
    if (size > bound) target *= bound / size;
    return target;
  }
  void update_normal(int i) {
    path_.locations.push_back(i + 1);
    path_.force[i] = normal_target(i);
    if (is_slipping(i)) path_.force.segment(tangent(i), k_) = tangent_target(i);
  }
  void update_tangent(int i) {
    path_.locations.push_back(n_ + i + 1);
    if (k_ > 0) path_.force.segment(tangent(i), k_) = tangent_target(i);
  }
  bool pass_tests() {
    const double delta = 1e-12 * (1.0 + path_.force.lpNorm<Eigen::Infinity>());
    for (int i = 0; i < n_; ++i) {
      path_.locations.push_back(2 * n_ + i + 1);
      if (std::abs(path_.force[i] - normal_target(i)) >= delta) return false;
    }
    for (int i = 0; i < n_; ++i) {
      path_.locations.push_back(3 * n_ + i + 1);
      if (k_ > 0 && (path_.force.segment(tangent(i), k_) - tangent_target(i)).norm() >= delta)
        return false;
    }
    path_.locations.push_back(4 * n_ + 1);
    return true;
  }

  const SorproxNode& node_;
  int n_, k_;
  NodePath path_;
  std::vector<double> tangent_step_;
};

SorproxNode make_sorprox_node(const ContactSystem& system, const Delassus& delassus,
                              const FreeMotion& free) {
  SorproxNode node;
  node.contacts = system.contacts();
  node.tangents = system.tangents();
  node.G = delassus.matrix;
  node.b = free.contact;
  node.slip_direction = Eigen::VectorXd::Zero(node.contacts * node.tangents);
  return node;
}

}  // namespace

NodePath walk_node(const SorproxNode& node, int sweep_limit) {
  return SorproxWalk(node).run(sweep_limit);
}

/// b_N = (1 + e_N) gap rate before, b_T = (1 + e_T) slip before.
SorproxNode impact_node(const ImpactProblem& problem) {
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  SorproxNode node = make_sorprox_node(problem, delassus, free_velocity(delassus, problem));
  const Eigen::VectorXd gap_rate = problem.gap_rates(problem.velocity),
                        slip = problem.slips(problem.velocity);
  const int k = node.tangents;
  for (int i = 0; i < node.contacts; ++i) {
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    node.b[i] += material.restitution * gap_rate[i];
    node.b.segment(node.contacts + i * k, k) +=
        material.tangential_restitution * slip.segment(i * k, k);
    node.friction.push_back(material.dynamic_friction);
  }
  return node;
}

/// b = accelerations without contact forces.
SorproxNode contact_node(const ContactProblem& problem) {
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  SorproxNode node = make_sorprox_node(problem, delassus, free_acceleration(delassus, problem));
  const Eigen::VectorXd slip = problem.slips(problem.velocity);
  const int k = node.tangents;
  for (int i = 0; i < node.contacts; ++i) {
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    const double speed = slip.segment(i * k, k).norm();
    if (speed > 0.0) node.slip_direction.segment(i * k, k) = slip.segment(i * k, k) / speed;
    node.friction.push_back(speed > 0.0 ? material.dynamic_friction : material.static_friction);
  }
  return node;
}

void log_impact_node(Trace& trace, double t, std::span<const int> contacts,
                     const ImpactProblem& problem, std::string_view law) {
  PassLog log(trace, t, 'I', contacts);
  log.add("en");
  if (law == "newton" && !contacts.empty()) log.add(walk_node(impact_node(problem)));
  log.add("ex");
}

void log_contact_node(Trace& trace, double t, std::span<const int> contacts,
                      const ContactProblem& problem, const ContactResult& result,
                      std::string_view decision) {
  PassLog log(trace, t, 'C', contacts);
  log.add("en");
  if (decision == "prox") log.add(walk_node(contact_node(problem)));
  log.add("ex");
  std::vector<int> closed;
  std::string word;
  bool has_transition = false;
  for (std::size_t i = 0; i < contacts.size() && i < result.statuses.size(); ++i) {
    if (result.statuses[i] == ContactStatus::open) continue;
    closed.push_back(contacts[i]);
    if (!word.empty()) word += ' ';
    word += to_string(result.statuses[i]);
    has_transition = has_transition || result.statuses[i] == ContactStatus::trans;
  }
  if (has_transition) PassLog(trace, t, 's', closed).add(word);
}

void log_closed_form_node(Trace& trace, double t, std::span<const int> contacts) {
  PassLog log(trace, t, 'I', contacts);
  log.add("en");
  log.add("ex");
}

}  // namespace clack
