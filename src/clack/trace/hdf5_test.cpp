// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/hdf5.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "clack/error.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

namespace fs = std::filesystem;

std::string written(const Trace& trace, const std::string& name) {
  const fs::path path = fs::temp_directory_path() / (name + std::to_string(::getpid()) + ".h5");
  write_hdf5(trace, path.string());
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  fs::remove(path);
  return bytes;
}

bool holds(const std::string& bytes, const std::vector<double>& values) {
  const std::string part(reinterpret_cast<const char*>(values.data()),
                         values.size() * sizeof(double));
  return bytes.find(part) != std::string::npos;
}

TEST(Hdf5, HoldsEveryColumnAsOneRunOfDoubles) {
  const Trace trace = ExampleTrace::make();
  const std::string bytes = written(trace, "clack-columns-");
  EXPECT_EQ(bytes.substr(1, 3), "HDF");
  for (std::size_t k = 0; k < trace.columns.size(); ++k) {
    std::vector<double> column;
    for (std::size_t row = 0; row < trace.row_count(); ++row)
      column.push_back(trace.rows[row * trace.columns.size() + k]);
    EXPECT_TRUE(holds(bytes, column)) << trace.columns[k];
    EXPECT_NE(bytes.find(trace.columns[k]), std::string::npos);
  }
}

TEST(Hdf5, IsTheSameForTheSameTrace) {
  EXPECT_EQ(written(ExampleTrace::make(), "clack-first-"),
            written(ExampleTrace::make(), "clack-second-"));
}

TEST(Hdf5, AllowsSlashesInNamesAndEmptyTraces) {
  Trace trace = ExampleTrace::make(1);
  trace.columns[8] = "normal_a.v1/b.e2";
  EXPECT_NE(written(trace, "clack-slash-").find("normal_a.v1|b.e2"), std::string::npos);
  EXPECT_EQ(written(Trace{}, "clack-empty-").substr(1, 3), "HDF");
}

TEST(Hdf5, HoldsTheContactsOfPairsAndJams) {
  Trace trace = ExampleTrace::make(1);
  trace.pairs = {"teeth"};
  trace.contacts.push_back("pawl.v3/wheel.e17");
  for (const double t : {0.1, 0.2, 0.3})
    trace.contact_rows.push_back(
        {.t = t, .contact = 3, .normal = 7.0 + t, .direction = {0.6, 0.8, 0.0}});
  trace.jams.push_back(
      {.t = 0.25, .bodies = {}, .contacts = {}, .by = JamCause::shape, .load_factor = 3.5});
  const std::string bytes = written(trace, "clack-pairs-");
  EXPECT_TRUE(holds(bytes, {7.1, 7.2, 7.3}));
  EXPECT_TRUE(holds(bytes, {0.8, 0.8, 0.8}));
  EXPECT_TRUE(holds(bytes, {3.5}));
  EXPECT_NE(bytes.find("pawl.v3/wheel.e17"), std::string::npos);
  EXPECT_NE(bytes.find("shape"), std::string::npos);
}

TEST(Hdf5, InAMissingFolderIsAnInputError) {
  EXPECT_THROW(write_hdf5(ExampleTrace::make(), "/no/such/folder/trace.h5"), InputError);
}

}  // namespace
}  // namespace clack
