// SPDX-License-Identifier: Apache-2.0
// One impact by law poisson or newton: the claim is under 3 microseconds with two contacts.
#include <benchmark/benchmark.h>

#include "clack/contact/random_system.hpp"
#include "clack/impact/newton.hpp"
#include "clack/impact/poisson.hpp"

namespace {

/// `contacts` corners of a planar body (three speeds), all approaching and sliding.
clack::ImpactProblem approaching(int contacts) {
  clack::testing::RandomSystem random(11);
  auto problem =
      random.system<clack::ImpactProblem>(contacts < 3 ? 3 : 2 * contacts, contacts, 2, 0.4);
  for (int i = 0; i < contacts; ++i)
    if (problem.normal_jacobian.row(i).dot(problem.velocity) > 0.0)
      problem.normal_jacobian.row(i) *= -1.0;
  return problem;
}

template <class Law>
void impact(benchmark::State& state) {
  const clack::ImpactProblem problem = approaching(state.range(0));
  const Law law;
  for (auto _ : state) benchmark::DoNotOptimize(law.resolve(problem).velocity.data());
}
BENCHMARK_TEMPLATE(impact, clack::PoissonLaw)->Arg(1)->Arg(2)->Arg(4)->Arg(8);
BENCHMARK_TEMPLATE(impact, clack::NewtonLaw)->Arg(1)->Arg(2)->Arg(4)->Arg(8);

}  // namespace

BENCHMARK_MAIN();
