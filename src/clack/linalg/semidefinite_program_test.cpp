// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/semidefinite_program.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace clack {
namespace {

// min x with [[x, 1], [1, x]] >= 0: x = 1, the largest eigenvalue of [[0, -1], [-1, 0]].
SemidefiniteProgram eigenvalue_program() {
  SemidefiniteProgram program;
  program.blocks = {{2, false}, {1, true}};
  program.cost = Eigen::VectorXd::Ones(1);
  program.terms = {{{0, 0, 1, -1.0}, {1, 0, 0, -5.0}},
                   {{0, 0, 0, 1.0}, {0, 1, 1, 1.0}, {1, 0, 0, 1.0}}};
  return program;
}

TEST(SemidefiniteProgram, FindsALargestEigenvalue) {
  const SdpResult result = solve(eigenvalue_program());
  EXPECT_TRUE(result.status == SdpStatus::solved || result.status == SdpStatus::reduced_accuracy);
  EXPECT_NEAR(result.x[0], 1.0, 1e-8);
}

TEST(SemidefiniteProgram, SaysThatThereIsNoPoint) {  // x >= 2 and x <= 1
  SemidefiniteProgram program;
  program.blocks = {{2, true}};
  program.cost = Eigen::VectorXd::Ones(1);
  program.terms = {{{0, 0, 0, 2.0}, {0, 1, 1, -1.0}}, {{0, 0, 0, 1.0}, {0, 1, 1, -1.0}}};
  EXPECT_EQ(solve(program).status, SdpStatus::infeasible);
}

TEST(SemidefiniteProgram, PrintsNothingAndReadsNoParameterFile) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  const fs::path folder = fs::temp_directory_path() / ("clack-csdp-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::current_path(folder);
  std::ofstream("param.csdp") << "this is = no parameter file\nprintlevel=9\nmaxiter=0\n";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const SdpResult result = solve(eigenvalue_program());
  std::fflush(nullptr);
  const std::string out = testing::internal::GetCapturedStdout(),
                    err = testing::internal::GetCapturedStderr();
  fs::current_path(before);
  fs::remove_all(folder);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, "");
  EXPECT_NEAR(result.x[0], 1.0, 1e-8);
}

}  // namespace
}  // namespace clack
