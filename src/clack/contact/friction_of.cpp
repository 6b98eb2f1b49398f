#include "clack/contact/friction_of.hpp"

namespace clack {
namespace {

int row_of(const Delassus& delassus, int contact, int component) {
  return component == 0 ? contact
                        : delassus.contacts + contact * delassus.tangents + component - 1;
}

}  // namespace

void fill_friction_problem(const Delassus& delassus, const Eigen::VectorXd& motion, double scale,
                           const std::vector<int>& contacts, FrictionProblem& friction) {
  const int c = static_cast<int>(contacts.size()), d = delassus.tangents + 1;
  friction.dimension = d;
  friction.scale = scale;
  friction.row_start.assign(1, 0);
  friction.column.clear();
  friction.values.clear();
  friction.q.resize(d * c);
  friction.mu.resize(c);
  for (int i = 0; i < c; ++i) {
    for (int j = 0; j < c; ++j) {
      bool is_zero = i != j;
      for (int e = 0; e < d * d; ++e) {
        const double value = delassus.matrix(row_of(delassus, contacts[i], e / d),
                                             row_of(delassus, contacts[j], e % d));
        is_zero = is_zero && value == 0.0;
        friction.values.push_back(value);
      }
      if (is_zero)
        friction.values.resize(friction.values.size() - d * d);
      else
        friction.column.push_back(j);
    }
    friction.row_start.push_back(static_cast<int>(friction.column.size()));
    for (int a = 0; a < d; ++a)
      friction.q[d * i + a] = motion[row_of(delassus, contacts[i], a)];
  }
}

Eigen::VectorXd forces_of(const Delassus& delassus, const std::vector<int>& contacts,
                          const Eigen::VectorXd& reaction) {
  const int d = delassus.tangents + 1;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(delassus.contacts * d);
  for (int m = 0; m < static_cast<int>(contacts.size()); ++m)
    for (int a = 0; a < d; ++a)
      force[row_of(delassus, contacts[m], a)] = reaction[d * m + a];
  return force;
}

}  // namespace clack
