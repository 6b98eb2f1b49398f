// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "clack/mechanism/snapshot.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Which speeds feel each other's motion: through springs and formulas of loads, through the pose of a body, the mass
/// matrix, joints and closed contacts. What rests stays at rest as long as all that is coupled to it rests and nothing
/// of it depends on t. Read off the formulas (which symbols they hold), not off numbers.
class LoadCoupling {
 public:
  LoadCoupling(const Model& model, const Snapshot& snapshot);

  /// Speeds with the same number are coupled.
  int group_of(int speed) { return root(first_speed_ + speed); }
  /// Whether t takes part in a group: loads, prescribed bodies that may be touched, driven joints.
  bool is_timed(int group) { return root(group) == root(time_); }

 private:
  int root(int node);
  void join(int a, int b) { parent_[root(a)] = root(b); }
  /// Everything that a formula holds acts on a node.
  void formula(const Expression& e, int node);
  void formulas(std::span<const Expression> all, int node);
  void add_bodies(const Model& model);
  void add_loads(const Model& model);
  void add_contacts(const Model& model);
  void add_rows(const Snapshot& snapshot);
  /// Of a body; -1: fixed ones couple nothing.
  int node_of(BodyIndex body) const { return body_[body]; }

  std::vector<int> parent_;
  std::map<std::string, int> symbol_;
  Indexed<int, BodyIndex> body_;
  int first_speed_ = 0, time_ = 0;
};

}  // namespace clack
