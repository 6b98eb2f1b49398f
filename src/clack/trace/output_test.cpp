// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "clack/error.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/example_trace.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

namespace fs = std::filesystem;

class RunFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("clack-output-" + std::to_string(::getpid()) +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
};

TEST_F(RunFolder, ReceivesFourFilesAndNothingElse) {
  const Trace trace = ExampleTrace::make();
  const fs::path nested = folder_ / "a" / "b";
  write_run_folder(trace, nested.string(), "<!doctype html>");
  EXPECT_EQ(read(nested / "trace.csv"), trace_csv(trace));
  EXPECT_EQ(read(nested / "events.json"), events_json(trace));
  EXPECT_EQ(read(nested / "report.html"), "<!doctype html>");
  EXPECT_EQ(read(nested / "model.yaml"), trace.resolved_model);
  EXPECT_EQ(std::distance(fs::directory_iterator(nested), fs::directory_iterator()), 4);
}

TEST_F(RunFolder, IsWrittenOverByTheNextRun) {
  write_run_folder(ExampleTrace::make(5), folder_.string(), "first");
  write_run_folder(ExampleTrace::make(1), folder_.string(), "second");
  EXPECT_EQ(read(folder_ / "report.html"), "second");
  EXPECT_EQ(read(folder_ / "trace.csv"), trace_csv(ExampleTrace::make(1)));
}

TEST_F(RunFolder, ThatIsAFileIsAnInputError) {
  std::ofstream(folder_) << "in the way";
  EXPECT_THROW(write_run_folder(ExampleTrace::make(), folder_.string(), ""), InputError);
  EXPECT_THROW(write_run_folder(ExampleTrace::make(), (folder_ / "below").string(), ""),
               InputError);
  EXPECT_EQ(read(folder_), "in the way");
}

}  // namespace
}  // namespace clack
