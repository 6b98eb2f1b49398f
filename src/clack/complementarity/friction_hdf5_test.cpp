// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_hdf5.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "clack/complementarity/friction_file.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"

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

/// The three ways in which a matrix may be stored, by the number in its nz.
enum class Storage { triplets, columns = -1, rows = -2 };

/// A small file in the field's layout, made with the library's own calls; removed at the end.
class WrittenHdf5 {
 public:
  WrittenHdf5()
      : path_((std::filesystem::temp_directory_path() /
               ("clack-written-" + std::to_string(::getpid()) + ".hdf5"))
                  .string()),
        file_(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~WrittenHdf5() {
    close();
    std::filesystem::remove(path_);
  }
  WrittenHdf5(const WrittenHdf5&) = delete;
  WrittenHdf5& operator=(const WrittenHdf5&) = delete;

  void group(const std::string& name) {
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void numbers(const std::string& name, const std::vector<double>& values) {
    put(name, H5T_NATIVE_DOUBLE, values.data(), values.size());
  }
  void integers(const std::string& name, const std::vector<int>& values) {
    put(name, H5T_NATIVE_INT, values.data(), values.size());
  }
  void matrix(const std::string& name, const Eigen::MatrixXd& m, Storage storage) {
    std::vector<int> i, p;
    std::vector<double> x;
    const bool is_by_column = storage == Storage::columns;
    const int lines = static_cast<int>(is_by_column ? m.cols() : m.rows()),
              others = static_cast<int>(is_by_column ? m.rows() : m.cols());
    for (int line = 0; line < lines; ++line) {
      if (storage != Storage::triplets) p.push_back(number_of(x));
      for (int other = 0; other < others; ++other) {
        const double value = is_by_column ? m(other, line) : m(line, other);
        if (value == 0.0) continue;
        i.push_back(storage == Storage::triplets ? line : other);
        if (storage == Storage::triplets) p.push_back(other);
        x.push_back(value);
      }
    }
    const int nz = storage == Storage::triplets ? number_of(x) : static_cast<int>(storage);
    if (storage != Storage::triplets) p.push_back(number_of(x));
    group(name);
    integers(name + "/m", {static_cast<int>(m.rows())});
    integers(name + "/n", {static_cast<int>(m.cols())});
    integers(name + "/nz", {nz});
    integers(name + "/i", i);
    integers(name + "/p", p);
    numbers(name + "/x", x);
  }
  const std::string& close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
    return path_;
  }

 private:
  void put(const std::string& name, hid_t type, const void* values, std::size_t count) {
    const hsize_t size = count;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t dataset =
        H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
  }
  std::string path_;
  hid_t file_;
};

/// M, H, f, w of two planar contacts on three speeds, and what condensation makes of them:
/// W = H^T M^-1 H, q = w + H^T M^-1 f.
struct SmallProblem {
  Eigen::MatrixXd M{{2, 0.5, 0}, {0.5, 1, 0}, {0, 0, 4}};
  Eigen::MatrixXd H{{1, 0, 0, 3}, {0, 1, 2, 0}, {0.5, 0, 1, 0}};  // no symmetry hides a transpose
  Eigen::Vector3d f{0.1, -0.4, 0.9};
  Eigen::Vector4d w{-1, 0.5, -2, 0.25};
  Eigen::MatrixXd W = H.transpose() * M.inverse() * H;
  Eigen::VectorXd q = w + H.transpose() * M.inverse() * f;
};

std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

constexpr Storage every_storage[] = {Storage::triplets, Storage::columns, Storage::rows};

TEST(FrictionHdf5, LocalFilesAreReadInEveryStorage) {
  SmallProblem small;
  small.W(0, 3) += 0.125;  // files may hold matrices that are not symmetric
  for (const Storage storage : every_storage) {
    WrittenHdf5 file;
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {2});
    file.matrix("/fclib_local/W", small.W, storage);
    file.group("/fclib_local/vectors");
    file.numbers("/fclib_local/vectors/q", list_of(small.q));
    file.numbers("/fclib_local/vectors/mu", {0.3, 0.7});
    const FrictionProblem problem = read_friction_file(file.close());
    EXPECT_EQ(problem.dimension, 2);
    EXPECT_EQ(dense_delassus(problem), small.W);
    EXPECT_EQ(problem.q, small.q);
    EXPECT_EQ(problem.mu, Eigen::Vector2d(0.3, 0.7));
  }
}

TEST(FrictionHdf5, GlobalFilesAreCondensedInEveryStorage) {
  const SmallProblem small;
  for (const Storage storage : every_storage) {
    WrittenHdf5 file;
    file.group("/fclib_global");
    file.integers("/fclib_global/spacedim", {2});
    file.matrix("/fclib_global/M", small.M, storage);
    file.matrix("/fclib_global/H", small.H, storage);
    file.group("/fclib_global/vectors");
    file.numbers("/fclib_global/vectors/f", list_of(small.f));
    file.numbers("/fclib_global/vectors/w", list_of(small.w));
    file.numbers("/fclib_global/vectors/mu", {0.3, 0.7});
    const FrictionProblem problem = read_friction_file(file.close());
    EXPECT_LT((dense_delassus(problem) - small.W).norm(), 1e-13 * small.W.norm());
    EXPECT_LT((problem.q - small.q).norm(), 1e-13 * small.q.norm());
  }
}

TEST(FrictionHdf5, MatricesThatDoNotFitTheirIndicesAreRefused) {
  const SmallProblem small;
  const auto refused = [&](auto spoil) {
    WrittenHdf5 file;
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {2});
    spoil(file);
    file.group("/fclib_local/vectors");
    file.numbers("/fclib_local/vectors/q", list_of(small.q));
    file.numbers("/fclib_local/vectors/mu", {0.3, 0.7});
    EXPECT_THROW((void)read_friction_file(file.close()), InputError);
  };
  const auto parts = [](WrittenHdf5& file, int nz, const std::vector<int>& i,
                        const std::vector<int>& p, const std::vector<double>& x) {
    file.group("/fclib_local/W");
    file.integers("/fclib_local/W/m", {4});
    file.integers("/fclib_local/W/n", {4});
    file.integers("/fclib_local/W/nz", {nz});
    file.integers("/fclib_local/W/i", i);
    file.integers("/fclib_local/W/p", p);
    file.numbers("/fclib_local/W/x", x);
  };
  refused([](WrittenHdf5&) {});                                               // no matrix at all
  refused([&](WrittenHdf5& f) { parts(f, 2, {0, 4}, {0, 0}, {1, 1}); });      // row 4 of 4
  refused([&](WrittenHdf5& f) { parts(f, 3, {0, 1}, {0, 1}, {1, 1}); });      // too few
  refused([&](WrittenHdf5& f) { parts(f, -1, {0}, {0, 1, 1, 1}, {1}); });     // p too short
  refused([&](WrittenHdf5& f) { parts(f, -2, {0}, {0, 1, 0, 1, 1}, {1}); });  // p falls
  refused([&](WrittenHdf5& f) { parts(f, -3, {0}, {0, 1, 1, 1, 1}, {1}); });  // no such storage
  refused([&](WrittenHdf5& f) { parts(f, 1, {0}, {0}, {std::nan("")}); });    // no number
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
