#include "clack/complementarity/friction_hdf5.hpp"

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "clack/complementarity/friction_file.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

TEST(FrictionHdf5, IsRecognisedByItsSignature) {
  EXPECT_TRUE(is_hdf5(std::string("\x89HDF\r\n\x1a\n rest")));
  EXPECT_FALSE(is_hdf5("3 1 0 3 3"));
}

TEST(FrictionHdf5, DamagedFileIsAMistakeOfTheUser) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("clack-damaged-" + std::to_string(::getpid()) + ".hdf5");
  std::ofstream(path, std::ios::binary) << "\x89HDF\r\n\x1a\n" << std::string(64, 'x');
  EXPECT_THROW(read_friction_file(path.string()), InputError);
  std::filesystem::remove(path);
}

TEST(FrictionHdf5, GlobalFileIsReadAndCondensed) {
  const std::string path =
      CLACK_SOURCE_DIR "/../shared/data/friction/spheres-in-a-box-98-i10000-256-10.hdf5";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no data at " << path;
  const auto problem = read_friction_file(path);
  EXPECT_EQ(problem.contacts(), 256);
  const Eigen::VectorXd w = inverse_apparent_mass(problem);
  EXPECT_NEAR(std::log10(w.maxCoeff()), std::log10(5e5), 0.3);  // very light spheres (data README)
}

}  // namespace
}  // namespace clack
