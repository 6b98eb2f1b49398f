#pragma once
#include <Eigen/Dense>
#include <random>

#include "clack/complementarity/friction_problem.hpp"

/// Friction problems for tests and benchmarks.
namespace clack::test {

/// W = G G^T of random G: symmetric, regular for `freedoms` >= d nc; q normal components mostly
/// approaching.
inline FrictionProblem random_friction(int dimension, int contacts, int freedoms, double mu,
                                       std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const int n = dimension * contacts;
  Eigen::MatrixXd G(n, freedoms);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < freedoms; ++j) G(i, j) = normal(engine);
  Eigen::VectorXd q(n);
  for (int i = 0; i < n; ++i) q(i) = normal(engine);
  for (int i = 0; i < contacts; ++i) q(dimension * i) -= 0.5;
  return make_friction_problem(dimension, Eigen::MatrixXd(G * G.transpose()), q,
                               Eigen::VectorXd::Constant(contacts, mu));
}

/// Equal spheres on a jittered square grid, layer upon layer, each touching up to six neighbours:
/// contact i joins two bodies (or one and the ground), W_ij = sum over shared bodies, about ten
/// blocks per row. Sparse from the start.
inline FrictionProblem sphere_pile(int contacts_wanted, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  const int side = std::max(2, static_cast<int>(std::cbrt(contacts_wanted / 2.7)));
  struct Contact {
    int a, b;               // bodies; a = -1: ground
    Eigen::Matrix3d frame;  // rows: normal, two tangents
  };
  std::vector<Contact> contacts;
  const auto body = [&](int x, int y, int z) { return (z * side + y) * side + x; };
  const auto touch = [&](int a, int b, Eigen::Vector3d n) {
    n += Eigen::Vector3d(jitter(engine), jitter(engine), jitter(engine));
    n.normalize();
    const Eigen::Vector3d t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    Contact contact{a, b, {}};
    contact.frame << n.transpose(), t1.transpose(), t2.transpose();
    if (static_cast<int>(contacts.size()) < contacts_wanted) contacts.push_back(contact);
  };
  for (int z = 0; static_cast<int>(contacts.size()) < contacts_wanted; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        touch(z == 0 ? -1 : body(x, y, z - 1), body(x, y, z), {0, 0, 1});
        if (x > 0) touch(body(x - 1, y, z), body(x, y, z), {1, 0, 0});
        if (y > 0 && z % 2 == 0) touch(body(x, y - 1, z), body(x, y, z), {0, 1, 0});
      }
  const int nc = static_cast<int>(contacts.size());
  std::vector<std::vector<int>> of_body;
  for (int i = 0; i < nc; ++i)
    for (const int b : {contacts[i].a, contacts[i].b})
      if (b >= 0) {
        if (b >= static_cast<int>(of_body.size())) of_body.resize(b + 1);
        of_body[b].push_back(i);
      }
  // Unit mass, radius 1, inertia 2/5: velocity of the contact point n (as seen from the centre) per
  // unit impulse.
  const auto jacobian = [&](const Contact& c, int b) {
    Eigen::Matrix<double, 3, 6> J;
    const double sign = b == c.b ? 1.0 : -1.0;
    const Eigen::Vector3d arm = -sign * c.frame.row(0).transpose();
    J.leftCols<3>() = sign * c.frame;
    for (int k = 0; k < 3; ++k)
      J.block<1, 3>(k, 3) =
          sign * arm.cross(c.frame.row(k).transpose()).transpose() / std::sqrt(0.4);
    return J;
  };
  std::vector<MatrixEntry> entries;
  for (std::size_t b = 0; b < of_body.size(); ++b)
    for (const int i : of_body[b])
      for (const int j : of_body[b]) {
        const Eigen::Matrix3d block = jacobian(contacts[i], static_cast<int>(b)) *
                                      jacobian(contacts[j], static_cast<int>(b)).transpose();
        for (int e = 0; e < 9; ++e)
          entries.push_back({3 * i + e / 3, 3 * j + e % 3, block(e / 3, e % 3)});
      }
  Eigen::VectorXd q(3 * nc);
  for (int i = 0; i < nc; ++i) {
    const Contact& c = contacts[i];
    const Eigen::Vector3d fall =
        c.a < 0 ? Eigen::Vector3d(0, 0, -0.0981)
                : Eigen::Vector3d(jitter(engine), jitter(engine), jitter(engine)) * 0.1;
    q.segment<3>(3 * i) = c.frame * fall;
  }
  return make_friction_problem(3, entries, q, Eigen::VectorXd::Constant(nc, 0.5));
}

}  // namespace clack::test
