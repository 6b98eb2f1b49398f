// SORPROX on piles of spheres of 100 to 10 000 contacts: time per contact and sweep, and beside it,
// from the same run, Siconos' NSGS per contact and iteration where it is installed. The matrix is
// sparse from the start on both sides. Processor time; a plain table, because the two programs
// count their work in different units.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

#include "clack/complementarity/friction_test_problems.hpp"
#include "clack/complementarity/sorprox.hpp"

#ifdef CLACK_HAS_SICONOS
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>
#endif

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

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
  fmt::print("{:>9} {:>12} {:>20} {:>22} {:>7}\n", "contacts", "blocks/row", "clack ns/(c sweep)",
             "siconos ns/(c iter)", "ratio");
  for (const int wanted : {100, 300, 1000, 3000, 10000}) {
    const clack::FrictionProblem problem = clack::test::sphere_pile(wanted, 1);
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
