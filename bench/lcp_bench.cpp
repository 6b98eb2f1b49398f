// SPDX-License-Identifier: Apache-2.0
// Lemke on random frictional LCPs, against Siconos' lexicographic Lemke where it is installed: one
// time per problem and size, how many of 40 were solved, and the ratio, from the same run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>

#include "clack/complementarity/lemke.hpp"
#include "clack/complementarity/random_friction_lcp.hpp"

#ifdef CLACK_HAS_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

namespace {

constexpr int problems_per_size = 40;
constexpr double solved_residual = 1e-10;

std::vector<clack::Lcp> problems_of_size(int n) {
  std::mt19937_64 random(static_cast<unsigned>(1000 + n));
  std::vector<clack::Lcp> problems;
  for (int k = 0; k < problems_per_size; ++k)
    problems.push_back(clack::random_friction_lcp(n / 4, random));
  return problems;
}

void with_clack(benchmark::State& state) {
  const auto problems = problems_of_size(state.range(0));
  clack::LemkeSolver solver;
  int solved = 0, pivots = 0;
  for (auto _ : state) {
    solved = pivots = 0;
    for (const auto& problem : problems) {
      benchmark::DoNotOptimize(solver.solve(problem.M, problem.q));
      solved += solver.residual() <= solved_residual;
      pivots += solver.pivots();
    }
  }
  state.counters["solved"] = solved;
  state.counters["pivots"] = pivots / problems_per_size;
}

#ifdef CLACK_HAS_SICONOS
void with_siconos(benchmark::State& state) {
  auto problems = problems_of_size(state.range(0));
  const auto n = state.range(0);
  Eigen::VectorXd z(n), w(n);
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  int solved = 0;
  for (auto _ : state) {
    solved = 0;
    for (auto& problem : problems) {
      NumericsMatrix* matrix = NM_new();
      NM_fill(matrix, NM_DENSE, n, n, problem.M.data());
      LinearComplementarityProblem lcp{};
      lcp.size = n;
      lcp.M = matrix;
      lcp.q = problem.q.data();
      z.setZero();
      w.setZero();
      int info = 0;
      lcp_lexicolemke(&lcp, z.data(), w.data(), &info, options);
      matrix->matrix0 = nullptr;  // ours
      NM_clear(matrix);
      std::free(matrix);
      state.PauseTiming();
      solved += clack::lcp_residual(problem, z) <= solved_residual;
      state.ResumeTiming();
    }
  }
  state.counters["solved"] = solved;
  solver_options_delete(options);
}
#endif

/// Keeps what the console shows, for the table at the end.
class Collector : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      found[run.run_name.function_name + "/" + run.run_name.args] = {
          run.GetAdjustedCPUTime() / problems_per_size,
          static_cast<int>(run.counters.at("solved").value)};
    ConsoleReporter::ReportRuns(runs);
  }
  struct Figure {
    double microseconds = 0.0;
    int solved = 0;
  };
  std::map<std::string, Figure> found;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<int> sizes = {12, 52, 100, 200};
  for (const int n : sizes) {
    benchmark::RegisterBenchmark("clack", with_clack)
        ->Arg(n)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.2);
#ifdef CLACK_HAS_SICONOS
    benchmark::RegisterBenchmark("siconos", with_siconos)
        ->Arg(n)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.2);
#endif
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  fmt::print("\n{:>5}  {:>12}  {:>8}  {:>12}  {:>8}  {:>8}  {:>8}\n", "n", "clack us", "solved",
             "siconos us", "solved", "ratio", "wanted");
  const std::map<int, double> wanted = {{12, 1.5}, {52, 8}, {100, 15}, {200, 20}};
  for (const int n : sizes) {
    const auto ours = collector.found[fmt::format("clack/{}", n)];
    const auto theirs = collector.found[fmt::format("siconos/{}", n)];
    fmt::print("{:>5}  {:>12.2f}  {:>8}  {:>12.2f}  {:>8}  {:>8.1f}  {:>8.1f}\n", n,
               ours.microseconds, ours.solved, theirs.microseconds, theirs.solved,
               ours.microseconds > 0.0 ? theirs.microseconds / ours.microseconds : 0.0,
               wanted.at(n));
  }
  return 0;
}
