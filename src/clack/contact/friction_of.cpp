// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/friction_of.hpp"

#include "clack/index.hpp"

namespace clack {
namespace {

int row_of(const Delassus& delassus, int contact, int component) {
  return component == 0 ? contact : delassus.contacts + contact * delassus.tangents + component - 1;
}

}  // namespace

void fill_friction_problem(const Delassus& delassus, const Eigen::VectorXd& motion, double scale,
                           const std::vector<int>& contacts, FrictionProblem& friction) {
  const int c = number_of(contacts), d = delassus.tangents + 1;
  friction.dimension = d;
  friction.scale = scale;
  friction.row_start.resize(c + 1);
  friction.row_start[0] = 0;
  friction.column.resize(c * c);
  friction.values.resize(c * c * d * d);
  friction.q.resize(d * c);
  friction.mu.resize(c);
  int blocks = 0;
  double* value = friction.values.data();
  for (int i = 0; i < c; ++i) {
    int row[3];
    for (int a = 0; a < d; ++a) row[a] = row_of(delassus, contacts[i], a);
    for (int j = 0; j < c; ++j) {
      bool is_zero = i != j;
      for (int b = 0; b < d; ++b) {
        const double* column = &delassus.matrix(0, row_of(delassus, contacts[j], b));
        for (int a = 0; a < d; ++a) {
          is_zero = is_zero && column[row[a]] == 0.0;
          value[a * d + b] = column[row[a]];
        }
      }
      if (is_zero) continue;
      friction.column[blocks++] = j;
      value += d * d;
    }
    friction.row_start[i + 1] = blocks;
    for (int a = 0; a < d; ++a) friction.q[d * i + a] = motion[row[a]];
  }
  friction.column.resize(blocks);
  friction.values.resize(blocks * d * d);
}

Eigen::VectorXd forces_of(const Delassus& delassus, const std::vector<int>& contacts,
                          const Eigen::VectorXd& reaction) {
  const int d = delassus.tangents + 1;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(delassus.contacts * d);
  for (int m = 0; m < number_of(contacts); ++m)
    for (int a = 0; a < d; ++a) force[row_of(delassus, contacts[m], a)] = reaction[d * m + a];
  return force;
}

}  // namespace clack
