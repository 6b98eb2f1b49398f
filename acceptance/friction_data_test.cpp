// SPDX-License-Identifier: Apache-2.0
// Every problem file of friction (clack/test_data.hpp) through the default choice of solvers
// (docs/solvers-friction.md section 6).
#include <ctime>
#include <filesystem>

#include "clack/complementarity/friction_file.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/test_data.hpp"

namespace clack {
namespace {

using testing::has_field_data;

std::string friction_data(const std::string& name) {
  return testing::problem_file("friction/" + name);
}

FrictionResult solve_file(const std::string& name, double tolerance = 1e-8) {
  FrictionOptions options;
  options.tolerance = tolerance;
  return solve_friction(read_friction_file(friction_data(name)), options);
}

TEST(FrictionData, EveryFileIsSolvedWithinTenSeconds) {
  int files = 0;
  for (const std::filesystem::path& path : testing::problem_files("friction")) {
    const FrictionProblem problem = read_friction_file(path.string());
    const std::clock_t begin = std::clock();
    const FrictionResult result = solve_friction(problem);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_TRUE(has_answer(result.status)) << path;
    EXPECT_LE(friction_residual(problem, result.reaction).value, 1e-8) << path;
    EXPECT_LE(seconds, 10.0) << path;
    ++files;
  }
  EXPECT_EQ(files, has_field_data() ? 44 : 22);
}

TEST(FrictionData, SmallAndMediumFilesReachTwelveDigitsOnRequest) {
  for (const std::filesystem::path& path : testing::problem_files("friction")) {
    if (std::filesystem::file_size(path) > 320000 || path.extension() == ".hdf5") continue;
    const FrictionResult result = solve_file(path.filename().string(), 1e-12);
    EXPECT_TRUE(has_answer(result.status)) << path;
    EXPECT_TRUE(result.residual <= 1e-12 || result.has_flag("rounding-limit")) << path;
  }
}

TEST(FrictionData, ScenesThatCanRestDoRest) {
  for (const char* name :
       {"stack-05-rest.json", "stack-20-rest.json", "stack-50-rest.json", "table-4-rest.json",
        "wall2d-rest.json", "arch2d-rest.json", "spheres-100-rest.json"}) {
    const FrictionProblem problem = read_friction_file(friction_data(name));
    const FrictionResult result = solve_friction(problem);
    EXPECT_TRUE(result.has_flag("rest")) << name;
    EXPECT_LE(result.velocity.norm(), 1e-8 * problem.q.norm()) << name;
  }
}

TEST(FrictionData, OneProblemInEightSpellings) {
  for (const char* name : {"dense.json", "coo.json", "block.json", "dense.dat", "block.dat",
                           "sparse.dat", "triplet.dat", "global.dat"}) {
    const FrictionResult result = solve_file(std::string("example-two-feet-") + name, 1e-12);
    EXPECT_TRUE(result.reaction.isApprox(Eigen::Vector4d(0.48, 0.144, 0.52, 0.156), 1e-10)) << name;
    EXPECT_TRUE(result.velocity.isApprox(Eigen::Vector4d(0, -0.85, 0, -0.85), 1e-10)) << name;
  }
}

TEST(FrictionData, StackedBoxesCarryTheWeightAboveThem) {
  const FrictionResult result = solve_file("stack-05-rest.json", 1e-12);
  std::vector<double> faces(5, 0.0);
  for (int i = 0; i < 20; ++i) faces[i / 4] += result.reaction(3 * i);
  std::sort(faces.rbegin(), faces.rend());
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(faces[k], 49.05 * (5 - k), 1e-7);
}

TEST(FrictionData, StackOnASlopeSlidesWithTheClosedFormSpeed) {
  const FrictionResult result = solve_file("stack-05-slope.json", 1e-12);
  int slipping = 0;
  for (int i = 0; i < 20; ++i) {
    const double slip = result.velocity.segment(3 * i + 1, 2).norm();
    if (slip < 1e-6) continue;
    ++slipping;
    EXPECT_NEAR(slip, 0.0151154, 1e-7);
  }
  EXPECT_EQ(slipping, 4);
}

TEST(FrictionData, PainleveRodHasThreeAnswersAndTheJammedOneOnlyOne) {
  FrictionOptions options;
  options.solver = FrictionSolver::enumeration;
  EXPECT_EQ(solve_friction(read_friction_file(friction_data("painleve-three.json")), options)
                .solutions.size(),
            3u);
  EXPECT_TRUE(solve_file("painleve-three.json").has_flag("not-unique"));
  const FrictionResult jam = solve_file("painleve-jam.json");
  EXPECT_TRUE(jam.reaction.isApprox(Eigen::Vector2d(0.685, 0.83), 1e-3));
}

// Both files print seven digits: half a unit of the last one is up to 5e-7 of an entry, and that is
// how far the condensed matrices differ (docs/solvers-friction.md). The answers follow the data.
TEST(FrictionData, CondensationAgreesWithTheCondensedFileToItsSevenDigits) {
  if (!has_field_data()) GTEST_SKIP() << "no data at " << testing::field_data;
  const auto global = read_friction_file(friction_data("GFC3D_TwoRods1.dat"));
  const auto local = read_friction_file(friction_data("GFC3D_TwoRods1-condensed.dat"));
  const Eigen::MatrixXd W = dense_delassus(local), change = dense_delassus(global) - W;
  RecordProperty("matrix", fmt::format("{:.3g}", change.norm() / W.norm()));
  RecordProperty("vector", fmt::format("{:.3g}", (global.q - local.q).norm() / local.q.norm()));
  EXPECT_LE(change.norm(), 5e-7 * W.norm());
  EXPECT_LE((global.q - local.q).norm(), 1e-12 * local.q.norm());  // M^-1 f is zero there
  const FrictionResult a = solve_file("GFC3D_TwoRods1.dat", 1e-12),
                       b = solve_file("GFC3D_TwoRods1-condensed.dat", 1e-12);
  RecordProperty("velocity",
                 fmt::format("{:.3g}", (a.velocity - b.velocity).norm() / local.q.norm()));
  EXPECT_LE((a.velocity - b.velocity).norm(), 1e-10 * local.q.norm());
  RecordProperty("reaction",
                 fmt::format("{:.3g}", (a.reaction - b.reaction).norm() / b.reaction.norm()));
  EXPECT_LE((a.reaction - b.reaction).norm(), 1e-6 * b.reaction.norm());
}

}  // namespace
}  // namespace clack
