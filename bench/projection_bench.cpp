// SPDX-License-Identifier: Apache-2.0
// Accelerations by oblique projection against a direct solve of [M -A^T; A 0]: time for n = 6 ...
// 200, and accuracy near a singular configuration (two rows that approach each other).
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <cstdio>
#include <random>

#include "clack/formulation/projection.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct System {
  MatrixXd M, A;
  VectorXd force, bias;
};

MatrixXd random_matrix(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  MatrixXd out(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) out(i, j) = normal(random);
  }
  return out;
}

System system_of(int n, int m) {
  std::mt19937_64 random(1);
  const MatrixXd root = random_matrix(random, n, n);
  System s;
  s.M = root * root.transpose() / n + MatrixXd::Identity(n, n);
  s.A = random_matrix(random, m, n);
  s.force = random_matrix(random, n, 1);
  s.bias = random_matrix(random, m, 1);
  return s;
}

clack::Snapshot snapshot_of(const System& s) {
  const int n = s.M.rows(), b = s.A.rows();
  clack::Snapshot snapshot(n, 1, 0, b);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) snapshot.data()[i * n + j] = s.M(i, j);
    snapshot.data()[snapshot.at_force() + i] = s.force[i];
  }
  for (int i = 0; i < b; ++i) {
    for (int j = 0; j < n; ++j) snapshot.data()[snapshot.at_constraint() + i * n + j] = s.A(i, j);
    snapshot.data()[snapshot.at_value() + 2 * b + i] = s.bias[i];
  }
  return snapshot;
}

VectorXd by_kkt(const System& s) {
  const auto n = s.M.rows(), m = s.A.rows();
  MatrixXd kkt = MatrixXd::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = s.M;
  kkt.topRightCorner(n, m) = -s.A.transpose();
  kkt.bottomLeftCorner(m, n) = s.A;
  VectorXd rhs(n + m);
  rhs << s.force, -s.bias;
  return kkt.partialPivLu().solve(rhs).head(n);
}

clack::ModeForces by_projection(const System& s) {
  clack::ProjectionFormulation formulation;
  clack::ModeShape shape;
  shape.speeds = s.M.rows();
  shape.constraint_rows = s.A.rows();
  formulation.enter(shape);
  clack::ModeForces forces;
  formulation.solve(snapshot_of(s), forces);
  return forces;
}

void kkt(benchmark::State& state) {
  const System s = system_of(state.range(0), state.range(0) / 3);
  for (auto _ : state) benchmark::DoNotOptimize(by_kkt(s));
}

void projection(benchmark::State& state) {
  const System s = system_of(state.range(0), state.range(0) / 3);
  const clack::Snapshot snapshot = snapshot_of(s);
  clack::ProjectionFormulation formulation;
  clack::ModeShape shape;
  shape.speeds = s.M.rows();
  shape.constraint_rows = s.A.rows();
  formulation.enter(shape);
  clack::ModeForces forces;
  for (auto _ : state) {
    formulation.solve(snapshot, forces);
    benchmark::DoNotOptimize(forces.acceleration.data());
  }
}

BENCHMARK(kkt)->Arg(6)->Arg(12)->Arg(24)->Arg(50)->Arg(100)->Arg(200)->Unit(
    benchmark::kMicrosecond);
BENCHMARK(projection)
    ->Arg(6)
    ->Arg(12)
    ->Arg(24)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Unit(benchmark::kMicrosecond);

// The last row becomes the first one; biases stay consistent, so the exact acceleration (taken at
// the start, without the last row) satisfies both systems at every distance.
void print_accuracy() {
  std::printf("distance of two rows | error of the direct solve | error of the projection\n");
  for (double distance = 1e-2; distance > 1e-19; distance *= 1e-2) {
    System s = system_of(12, 4);
    const VectorXd exact = by_kkt(s);
    System near = s;
    near.A.conservativeResize(5, 12);
    near.bias.conservativeResize(5);
    std::mt19937_64 random(9);
    near.A.row(4) = s.A.row(0) + distance * random_matrix(random, 1, 12);
    near.bias[4] = -near.A.row(4).dot(exact);
    const double direct = (by_kkt(near) - exact).norm() / exact.norm();
    const double projected = (by_projection(near).acceleration - exact).norm() / exact.norm();
    std::printf("%20.0e | %25.2e | %24.2e\n", distance, direct, projected);
  }
}

}  // namespace

int main(int argc, char** argv) {
  print_accuracy();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
