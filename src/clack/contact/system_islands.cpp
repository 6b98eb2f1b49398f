// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/system_islands.hpp"

#include <numeric>

#include "clack/index.hpp"

namespace clack {
namespace {

/// Sets of speeds that grow together.
class SpeedSets {
 public:
  explicit SpeedSets(int speeds) : parent_(speeds) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int speed) {
    while (parent_[speed] != speed) speed = parent_[speed] = parent_[parent_[speed]];
    return speed;
  }
  /// All speeds that a row acts on; the first of them, -1 for none. `first`: one to join with.
  template <class Row>
  int join(const Row& row, int first = -1) {
    for (int j = 0; j < row.size(); ++j) {
      if (row[j] == 0.0) continue;
      if (first >= 0) {
        const int a = root(first), b = root(j);
        parent_[std::max(a, b)] = std::min(a, b);
      }
      first = j;
    }
    return first;
  }

 private:
  std::vector<int> parent_;
};

FreeMotion free_motion(const Delassus& delassus, const ContactProblem& problem) {
  return free_acceleration(delassus, problem);
}
FreeMotion free_motion(const Delassus& delassus, const ImpactProblem& problem) {
  return free_velocity(delassus, problem);
}

template <class Problem>
std::vector<IslandPart<Problem>> make_parts(const Problem& problem) {
  std::vector<IslandPart<Problem>> parts;
  for (SystemIsland& island : system_islands(problem))
    parts.emplace_back().island = std::move(island);
  double scale = 0.0;
  for (IslandPart<Problem>& part : parts) {
    if (parts.size() > 1)
      part.owned = std::make_shared<const Problem>(part_of(problem, part.island));
    part.problem = part.owned ? part.owned.get() : &problem;
    make_delassus(*part.problem, problem.options.rank_cutoff, part.delassus);
    part.free = free_motion(part.delassus, *part.problem);
    scale = std::max(scale, part.free.scale);
  }
  for (IslandPart<Problem>& part : parts) part.free.scale = scale;
  return parts;
}

}  // namespace

bool is_one_island(const ContactSystem& system) {
  const Eigen::MatrixXd& mass = system.mass_matrix;
  return mass.cols() == 0 || (mass.col(0).array() != 0.0).all();
}

std::vector<SystemIsland> system_islands(const ContactSystem& system) {
  const int n = system.speeds(), c = system.contacts(), k = system.tangents();
  if (is_one_island(system)) {
    SystemIsland all{std::vector<int>(n), std::vector<int>(c),
                     std::vector<int>(system.bilateral.rows())};
    for (std::vector<int>* list : {&all.speeds, &all.contacts, &all.bilateral})
      std::iota(list->begin(), list->end(), 0);
    std::vector<SystemIsland> islands;
    islands.push_back(std::move(all));
    return islands;
  }
  SpeedSets sets(n);
  for (int j = 0; j < n; ++j) sets.join(system.mass_matrix.col(j), j);
  std::vector<int> of_bilateral, of_contact;
  for (int b = 0; b < system.bilateral.rows(); ++b)
    of_bilateral.push_back(sets.join(system.bilateral.row(b)));
  for (int i = 0; i < c; ++i) {
    int speed = sets.join(system.normal_jacobian.row(i));
    for (int a = 0; a < k && system.tangent_jacobian.rows() > 0; ++a)
      speed = sets.join(system.tangent_jacobian.row(i * k + a), speed);
    of_contact.push_back(speed);
  }
  std::vector<SystemIsland> islands;
  std::vector<int> number(n, -1);
  const auto island_of = [&](int speed) -> SystemIsland& {
    return islands[speed < 0 ? 0 : number[sets.root(speed)]];
  };
  for (int j = 0; j < n; ++j) {
    int& own = number[sets.root(j)];
    if (own < 0) {
      own = number_of(islands);
      islands.emplace_back();
    }
    islands[own].speeds.push_back(j);
  }
  if (islands.empty()) islands.emplace_back();
  for (int i = 0; i < c; ++i) island_of(of_contact[i]).contacts.push_back(i);
  for (int b = 0; b < system.bilateral.rows(); ++b)
    island_of(of_bilateral[b]).bilateral.push_back(b);
  return islands;
}

std::vector<IslandPart<ContactProblem>> parts_of(const ContactProblem& problem) {
  return make_parts(problem);
}
std::vector<IslandPart<ImpactProblem>> parts_of(const ImpactProblem& problem) {
  return make_parts(problem);
}

void put(const Eigen::VectorXd& part, const std::vector<int>& places, int per,
         Eigen::VectorXd& whole) {
  for (std::size_t k = 0; k < places.size(); ++k)
    whole.segment(places[k] * per, per) = part.segment(k * per, per);
}

}  // namespace clack
