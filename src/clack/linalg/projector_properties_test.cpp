// SPDX-License-Identifier: Apache-2.0
// The identities of the page docs/theories/projection.md (its formulas and those they imply) as
// properties of systems that RapidCheck draws, see drawn_system.hpp: 1 to 10 speeds, any rank,
// dependent rows. All to 1e-11, relative.
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

RC_GTEST_PROP(ProjectorProperties, IdentitiesOfTheMatrices, ()) {
  const DrawnSystem s = draw_system();
  RC_ASSERT(s.p.rank == s.rank);
  const auto n = s.M.rows();
  const MatrixXd I = MatrixXd::Identity(n, n), Z = MatrixXd::Zero(n, n), &M = s.M,
                 &P = s.p.feasible_projector, &S = s.p.impact_projector,
                 &Mc = s.p.constraint_inertia, &Mo = s.p.feasible_inertia,
                 &Mp = s.p.feasible_mobility, &A = s.A, &Ap = s.p.pseudo_inverse;
  const MatrixXd Mi = M.inverse(), St = S.transpose();
  assert_same(P * P, P);
  assert_same(P, I - Ap * A);
  assert_same(P * Mc, Mo);
  assert_same(Mc * P, Mo);
  assert_same(P * Mc.inverse(), Mp);
  assert_same(Mc.inverse() * P, Mp);
  assert_same(Mo * Mc.inverse(), P);
  assert_same(S * S, S);
  assert_same(S * P, Z);
  assert_same(P * St, Z);
  assert_same(S * (I - P), S);
  assert_same((I - P) * S, I - P);
  assert_same(M * S, St * M);
  assert_same(M * S, St * M * S);
  assert_same((I - S) * Mi, Mp);
  assert_same(Mi * (I - St), Mp);
  assert_same(S * Mp, Z);
  assert_same(M - St * M * S, M * Mp * M);
  assert_same(reflection(s.p) * reflection(s.p), I);
  assert_same(P * M * S, Z);  // range(S) = M^-1 range(A^T)
  const auto smallest = [](const MatrixXd& x) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (x + x.transpose())).eigenvalues()[0];
  };
  RC_ASSERT(smallest(St * M * S) >= -identity_tolerance);
  RC_ASSERT(smallest(M - St * M * S) >= -identity_tolerance * 10.0);  // |M| <= 10
  RC_ASSERT(smallest(Mc) > 0.0);
  if (A.rows() == 0) return;
  const MatrixXd D = A * Mi * A.transpose(), Q = constraint_metric(s.p, M);
  assert_same(D * Q * D, D);  // Q is the pseudo-inverse of D: the four conditions of Penrose
  assert_same(Q * D * Q, Q);
  assert_same(D * Q, (D * Q).transpose());
  assert_same(Q * D, (Q * D).transpose());
}

// S by the Delassus matrix: of the rows themselves when they are independent, else of their
// components C along an orthonormal basis of range(A).
RC_GTEST_PROP(ProjectorProperties, DelassusRoutesGiveTheSameProjector, ()) {
  const DrawnSystem s = draw_system();
  if (s.rank == 0) return assert_same(s.p.impact_projector, 0.0 * s.M);
  const MatrixXd Mi = s.M.inverse();
  const auto by_delassus = [&](const MatrixXd& C) {
    return MatrixXd(Mi * C.transpose() * (C * Mi * C.transpose()).ldlt().solve(C));
  };
  if (s.A.rows() == s.rank) assert_same(s.p.impact_projector, by_delassus(s.A));
  const Eigen::JacobiSVD<MatrixXd> svd(s.A, Eigen::ComputeThinU);
  assert_same(s.p.impact_projector, by_delassus(svd.matrixU().leftCols(s.rank).transpose() * s.A));
}

RC_GTEST_PROP(ProjectorProperties, VirtualMassLiesInsideTheSpectrum, ()) {
  const DrawnSystem s = draw_system();
  if (s.rank == s.M.rows()) return;  // locked: any virtual mass does
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(s.p.null_basis.transpose() * s.M * s.p.null_basis)
          .eigenvalues();
  const double low = values[0], high = values[values.size() - 1];
  RC_ASSERT(s.p.virtual_mass >= low * (1 - 1e-14) && s.p.virtual_mass <= high * (1 + 1e-14));
  RC_ASSERT(std::abs(constraint_inertia_condition(s.p) * low / high - 1.0) <= 1e-10);
}

RC_GTEST_PROP(ProjectorProperties, ConstrainedMotion, ()) {
  const DrawnSystem s = draw_system();
  const MatrixXd &P = s.p.feasible_projector, &S = s.p.impact_projector, &Ap = s.p.pseudo_inverse;
  const VectorXd v = P * s.v;  // admissible
  const MatrixXd Lambda = -Ap * s.Adot * P, Omega = Lambda - Lambda.transpose();
  assert_same(Omega * v, -Ap * s.Adot * v);
  const VectorXd a = s.p.feasible_mobility * s.force + S * Omega * v;
  const VectorXd f = -S.transpose() * s.force + S.transpose() * s.M * Omega * v;
  const MatrixXd I = MatrixXd::Identity(s.M.rows(), s.M.rows());
  assert_same((I - S) * s.M.inverse() * s.force, s.p.feasible_mobility * s.force);
  assert_same(s.M * a, s.force + f);             // Newton
  assert_same(s.A * a, -s.Adot * v);             // constraints
  assert_same(P * f, VectorXd::Zero(v.size()));  // f in range(A^T)
  const VectorXd lambda = Ap.transpose() * f;
  assert_same(s.A.transpose() * lambda, f);
  assert_same(s.A * Ap * lambda, lambda);  // minimum norm: lambda lies in range(A)
  assert_same(unreachable_part(s.p, s.A, s.Adot * v), VectorXd::Zero(s.A.rows()));
}

RC_GTEST_PROP(ProjectorProperties, ImpactWithOneRestitution, ()) {
  const DrawnSystem s = draw_system();
  const double e = static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000.0;
  const auto n = s.M.rows();
  const MatrixXd I = MatrixXd::Identity(n, n), &S = s.p.impact_projector,
                 &Mp = s.p.feasible_mobility;
  const VectorXd after = s.v - (1 + e) * S * s.v;
  assert_same(after, (e * reflection(s.p) + (1 - e) * (I - S)) * s.v);
  assert_same(s.A * after, -e * s.A * s.v);
  assert_same(s.M * after, s.M * s.v - (1 + e) * S.transpose() * s.M * s.v);
  const auto energy = [&](const VectorXd& v) { return MatrixXd(0.5 * v.transpose() * s.M * v); };
  assert_same(energy(after) - energy(s.v),
              -0.5 * (1 - e * e) * s.v.transpose() * S.transpose() * s.M * S * s.v);
  const VectorXd pushed = after + Mp * s.impulse;
  const VectorXd reaction = -(1 + e) * S.transpose() * s.M * s.v - S.transpose() * s.impulse;
  assert_same(s.M * (pushed - s.v), reaction + s.impulse);
  assert_same(energy(pushed) - energy(s.v),
              MatrixXd(-0.5 * (1 - e * e) * s.v.transpose() * S.transpose() * s.M * S * s.v +
                       0.5 * s.impulse.transpose() * Mp * s.impulse +
                       s.v.transpose() * (I - S.transpose()) * s.impulse));
  assert_same(Mp * S.transpose() * s.impulse,
              VectorXd::Zero(n));  // along the constraints: no effect
}

RC_GTEST_PROP(ProjectorProperties, ImpactWithRestitutionPerContact, ()) {
  const DrawnSystem s = draw_system();
  const auto n = s.M.rows();
  const MatrixXd &S = s.p.impact_projector, &P = s.p.feasible_projector, &Ap = s.p.pseudo_inverse,
                 Z = MatrixXd::Zero(n, n);
  const MatrixXd E = s.restitution.asDiagonal(), Et = Ap * E * s.A;
  assert_same(Et * P, Z);
  assert_same(P * Et, Z);
  const VectorXd after = s.v - S * (s.v + Et * s.v);
  assert_same(s.A * after, -s.A * Ap * E * s.A * s.v);
  const MatrixXd Q = constraint_metric(s.p, s.M);
  const VectorXd rate = s.A * s.v;
  assert_same(MatrixXd(0.5 * after.transpose() * s.M * after - 0.5 * s.v.transpose() * s.M * s.v),
              MatrixXd(0.5 * rate.transpose() * (E * Q * E - Q) * rate));
}

}  // namespace
}  // namespace clack
