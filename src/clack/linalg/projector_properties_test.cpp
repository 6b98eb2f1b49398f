// The identities of the page docs/theories/projection.md, sections 2.2 to 2.5,
// as properties of systems that RapidCheck draws: 1 to 10 speeds, any rank, dependent rows. Rows
// and masses are well conditioned (singular values in [0.3, 3], eigenvalues in [0.3, 10]), so 1e-11
// leaves four digits.
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "clack/linalg/projector.hpp"
#include "clack/linalg/random_matrix.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double identity_tolerance = 1e-11;

struct DrawnSystem {
  MatrixXd M, A, Adot;
  VectorXd v, force, impulse, restitution;
  int rank = 0;
  Projector p;
};

MatrixXd orthogonal(std::mt19937_64& random, int size) {
  return random_matrix(random, size, size).householderQr().householderQ();
}

VectorXd between(std::mt19937_64& random, int size, double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  return VectorXd::NullaryExpr(size, [&] { return uniform(random); });
}

/// Sizes shrink; the entries follow from a drawn seed.
DrawnSystem draw() {
  const int n = *rc::gen::inRange(1, 11);
  const int rank = *rc::gen::inRange(0, n + 1);
  const int more = *rc::gen::inRange(0, 4);
  std::mt19937_64 random(*rc::gen::arbitrary<unsigned>());
  DrawnSystem s;
  s.rank = rank;
  const MatrixXd turn = orthogonal(random, n);
  s.M = turn * between(random, n, 0.3, 10.0).asDiagonal() * turn.transpose();
  s.M = 0.5 * (s.M + s.M.transpose().eval());
  const int m = rank + more;
  s.A = MatrixXd::Zero(m, n);
  if (rank > 0)
    s.A = orthogonal(random, m).leftCols(rank) * between(random, rank, 0.3, 3.0).asDiagonal() *
          orthogonal(random, n).leftCols(rank).transpose();
  s.Adot = s.A * random_matrix(random, n, n);  // redundant rows stay consistent: range(A)
  s.v = random_matrix(random, n, 1);
  s.force = random_matrix(random, n, 1);
  s.impulse = random_matrix(random, n, 1);
  s.restitution = between(random, m, 0.0, 1.0);
  s.p = make_projector(s.M, s.A);
  return s;
}

void same(const MatrixXd& a, const MatrixXd& b) {
  const auto size = [](const MatrixXd& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; };
  RC_ASSERT(size(a - b) <= identity_tolerance * std::max({1.0, size(a), size(b)}));
}

RC_GTEST_PROP(ProjectorProperties, IdentitiesOfTheMatrices, ()) {
  const DrawnSystem s = draw();
  RC_ASSERT(s.p.rank == s.rank);
  const auto n = s.M.rows();
  const MatrixXd I = MatrixXd::Identity(n, n), Z = MatrixXd::Zero(n, n), &M = s.M,
                 &P = s.p.feasible_projector, &S = s.p.impact_projector,
                 &Mc = s.p.constraint_inertia, &Mo = s.p.feasible_inertia,
                 &Mp = s.p.feasible_mobility, &A = s.A, &Ap = s.p.pseudo_inverse;
  const MatrixXd Mi = M.inverse(), St = S.transpose();
  same(P * P, P);
  same(P, I - Ap * A);
  same(P * Mc, Mo);
  same(Mc * P, Mo);
  same(P * Mc.inverse(), Mp);
  same(Mc.inverse() * P, Mp);
  same(Mo * Mc.inverse(), P);
  same(S * S, S);
  same(S * P, Z);
  same(P * St, Z);
  same(S * (I - P), S);
  same((I - P) * S, I - P);
  same(M * S, St * M);
  same(M * S, St * M * S);
  same((I - S) * Mi, Mp);
  same(Mi * (I - St), Mp);
  same(S * Mp, Z);
  same(M - St * M * S, M * Mp * M);
  same(reflection(s.p) * reflection(s.p), I);
  if (A.rows() == 0) return;
  const MatrixXd D = A * Mi * A.transpose(), Q = constraint_metric(s.p, M);
  same(D * Q * D, D);  // Q is the pseudo-inverse of D: the four conditions of Penrose
  same(Q * D * Q, Q);
  same(D * Q, (D * Q).transpose());
  same(Q * D, (Q * D).transpose());
}

RC_GTEST_PROP(ProjectorProperties, ConstrainedMotion, ()) {
  const DrawnSystem s = draw();
  const MatrixXd &P = s.p.feasible_projector, &S = s.p.impact_projector, &Ap = s.p.pseudo_inverse;
  const VectorXd v = P * s.v;  // admissible
  const MatrixXd Lambda = -Ap * s.Adot * P, Omega = Lambda - Lambda.transpose();
  same(Omega * v, -Ap * s.Adot * v);
  const VectorXd a = s.p.feasible_mobility * s.force + S * Omega * v;
  const VectorXd f = -S.transpose() * s.force + S.transpose() * s.M * Omega * v;
  same(s.M * a, s.force + f);             // Newton
  same(s.A * a, -s.Adot * v);             // constraints
  same(P * f, VectorXd::Zero(v.size()));  // f in range(A^T)
  same(s.A.transpose() * (Ap.transpose() * f), f);
}

RC_GTEST_PROP(ProjectorProperties, ImpactWithOneRestitution, ()) {
  const DrawnSystem s = draw();
  const double e = static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000.0;
  const auto n = s.M.rows();
  const MatrixXd I = MatrixXd::Identity(n, n), &S = s.p.impact_projector,
                 &Mp = s.p.feasible_mobility;
  const VectorXd after = s.v - (1 + e) * S * s.v;
  same(after, (e * reflection(s.p) + (1 - e) * (I - S)) * s.v);
  same(s.A * after, -e * s.A * s.v);
  same(s.M * after, s.M * s.v - (1 + e) * S.transpose() * s.M * s.v);
  const auto energy = [&](const VectorXd& v) { return MatrixXd(0.5 * v.transpose() * s.M * v); };
  same(energy(after) - energy(s.v),
       -0.5 * (1 - e * e) * s.v.transpose() * S.transpose() * s.M * S * s.v);
  const VectorXd pushed = after + Mp * s.impulse;
  const VectorXd reaction = -(1 + e) * S.transpose() * s.M * s.v - S.transpose() * s.impulse;
  same(s.M * (pushed - s.v), reaction + s.impulse);
  same(energy(pushed) - energy(s.v),
       MatrixXd(-0.5 * (1 - e * e) * s.v.transpose() * S.transpose() * s.M * S * s.v +
                0.5 * s.impulse.transpose() * Mp * s.impulse +
                s.v.transpose() * (I - S.transpose()) * s.impulse));
  same(Mp * S.transpose() * s.impulse, VectorXd::Zero(n));  // along the constraints: no effect
}

RC_GTEST_PROP(ProjectorProperties, ImpactWithRestitutionPerContact, ()) {
  const DrawnSystem s = draw();
  const auto n = s.M.rows();
  const MatrixXd &S = s.p.impact_projector, &P = s.p.feasible_projector, &Ap = s.p.pseudo_inverse,
                 Z = MatrixXd::Zero(n, n);
  const MatrixXd E = s.restitution.asDiagonal(), Et = Ap * E * s.A;
  same(Et * P, Z);
  same(P * Et, Z);
  const VectorXd after = s.v - S * (s.v + Et * s.v);
  same(s.A * after, -s.A * Ap * E * s.A * s.v);
  const MatrixXd Q = constraint_metric(s.p, s.M);
  const VectorXd rate = s.A * s.v;
  same(MatrixXd(0.5 * after.transpose() * s.M * after - 0.5 * s.v.transpose() * s.M * s.v),
       MatrixXd(0.5 * rate.transpose() * (E * Q * E - Q) * rate));
}

}  // namespace
}  // namespace clack
