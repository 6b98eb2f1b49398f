// SPDX-License-Identifier: Apache-2.0
// Spheres fall onto a plane and settle; every step's contacts are solved by SORPROX, warm-started.
// Then, on the problems of the last steps, of about 100 to 10 000 contacts: time per contact and
// sweep, and beside it, from the same run, Siconos' NSGS per contact and iteration where it is
// installed. The matrix is sparse from the start on both sides. Processor time; plain tables,
// because the two programs count their work in different units.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "clack/complementarity/settling.hpp"

#ifdef CLACK_HAS_SICONOS
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>
#endif

namespace {

using clack::bench::processor_seconds;

// Lets the spheres settle, prints a line about it, and returns the problem of the last step.
clack::FrictionProblem settled_problem(int count) {
  clack::bench::Spheres spheres = clack::bench::loose_spheres(count);
  const clack::bench::SettlingOptions options;
  clack::bench::Settling run = clack::bench::settle(spheres, options);
  const auto carrying =
      std::count_if(run.touches.begin(), run.touches.end(),
                    [](const clack::bench::Touch& c) { return c.impulse.norm() > 0.0; });
  clack::SorproxOptions longer;
  longer.sweep_limit = 2000;
  longer.start = run.reaction;
  const clack::FrictionResult more = clack::solve_sorprox(run.problem, longer);
  fmt::print(
      "{:>8} {:>9} {:>9} {:>6} {:>11.1e} {:>8.4f} {:>10.1e} {:>18.1f} {:>9.0f}% {:>8.1f} "
      "{:>9.1e} {:>11.1e}\n",
      count, run.problem.contacts(), carrying, run.steps, run.energy / run.largest_energy,
      clack::bench::carried_weight(spheres, options, run), run.penetration / spheres.radius,
      1e9 * run.sweep_seconds / run.contact_sweeps, 100.0 * run.sweep_seconds / run.seconds,
      run.seconds, clack::friction_residual(run.problem, run.reaction).value, more.residual);
  std::fflush(stdout);
  return std::move(run.problem);
}

// Nanoseconds per contact and sweep: the best of several batches, each long enough for the clock.
double clack_nanoseconds(const clack::FrictionProblem& problem) {
  clack::SorproxSweeper sweeper(problem);
  const int sweeps = std::max(10, 400000 / problem.contacts());
  double best = 1e300;
  for (int batch = 0; batch < 8; ++batch) {
    const double begin = processor_seconds();
    for (int k = 0; k < sweeps; ++k) sweeper.sweep(1.0);
    best = std::min(best, processor_seconds() - begin);
  }
  return 1e9 * best / sweeps / problem.contacts();
}

#ifdef CLACK_HAS_SICONOS
// The problem as a text file with block storage, which Siconos reads.
void write_blocks(const clack::FrictionProblem& problem, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const int nc = problem.contacts(), n = 3 * nc;
  const std::size_t blocks = problem.column.size();
  fmt::print(file, "3\n{}\n1\n{}\n{}\n{}\n{} {}\n", nc, n, n, blocks, nc, nc);
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < nc; ++i) fmt::print(file, "{} ", 3 * (i + 1));
  fmt::print(file, "\n{} {}\n", nc + 1, blocks);
  for (const int start : problem.row_start) fmt::print(file, "{} ", start);
  for (const int column : problem.column) fmt::print(file, "{} ", column);
  for (std::size_t k = 0; k < blocks; ++k) {
    fmt::print(file, "\n{}\n", k);
    for (int e = 0; e < 9; ++e)
      fmt::print(file, "{:.17g} ", problem.values[9 * k + (e % 3) * 3 + e / 3]);
  }
  for (const double x : problem.q) fmt::print(file, "\n{:.17g}", x);
  for (const double x : problem.mu) fmt::print(file, "\n{:.17g}", x);
  fmt::print(file, "\n0\n");
  std::fclose(file);
}

// Nanoseconds per contact and iteration: the difference of a long and a short run, so that set-up
// does not count.
double siconos_nanoseconds(const clack::FrictionProblem& problem) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("clack-friction-bench-{}.dat", getpid()))
                               .string();
  write_blocks(problem, path);
  FrictionContactProblem* peer = frictionContact_new_from_filename(path.c_str());
  std::filesystem::remove(path);
  const auto seconds = [&](int iterations) {
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-300;
    std::vector<double> reaction(problem.q.size(), 0.0), velocity(problem.q.size(), 0.0);
    const double begin = processor_seconds();
    fc3d_driver(peer, reaction.data(), velocity.data(), options);
    const double end = processor_seconds();
    solver_options_delete(options);
    return end - begin;
  };
  const int few = 5, many = few + std::max(10, 40000 / problem.contacts());
  double best = 1e300;
  for (int batch = 0; batch < 3; ++batch) best = std::min(best, seconds(many) - seconds(few));
  frictionContactProblem_free(peer);
  return 1e9 * best / (many - few) / problem.contacts();
}
#endif

}  // namespace

int main() {
  fmt::print("{:>8} {:>9} {:>9} {:>6} {:>11} {:>8} {:>10} {:>18} {:>10} {:>8} {:>9} {:>11}\n",
             "spheres", "contacts", "carrying", "steps", "energy/max", "weight", "overlap/R",
             "ns/(contact sweep)", "in sweeps", "seconds", "residual", "2000 sweeps");
  std::vector<clack::FrictionProblem> problems;
  for (const int spheres : {40, 120, 400, 1000, 3900}) problems.push_back(settled_problem(spheres));
  fmt::print("\n{:>9} {:>12} {:>20} {:>22} {:>7}\n", "contacts", "blocks/row", "clack ns/(c sweep)",
             "siconos ns/(c iter)", "ratio");
  for (const clack::FrictionProblem& problem : problems) {
    const double clack_time = clack_nanoseconds(problem);
    fmt::print("{:>9} {:>12.1f} {:>20.1f}", problem.contacts(),
               double(problem.column.size()) / problem.contacts(), clack_time);
#ifdef CLACK_HAS_SICONOS
    const double peer_time = siconos_nanoseconds(problem);
    fmt::print(" {:>22.1f} {:>7.1f}", peer_time, peer_time / clack_time);
#else
    fmt::print(" {:>22} {:>7}", "not installed", "-");
#endif
    fmt::print("\n");
    std::fflush(stdout);
  }
}
