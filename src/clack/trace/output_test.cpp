// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/output.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
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

void publish_run(const Trace& trace, const std::string& folder, const std::string& report) {
  RunFolder files(folder);
  write_run_files(trace, files, report);
  files.publish();
}

class FilesOfARun : public ::testing::Test {
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

TEST_F(FilesOfARun, ReceivesFourFilesAndNothingElse) {
  const Trace trace = ExampleTrace::make();
  const fs::path nested = folder_ / "a" / "b";
  publish_run(trace, nested.string(), "<!doctype html>");
  EXPECT_EQ(read(nested / "trace.csv"), trace_csv(trace));
  EXPECT_EQ(read(nested / "events.json"), events_json(trace));
  EXPECT_EQ(read(nested / "report.html"), "<!doctype html>");
  EXPECT_EQ(read(nested / "model.yaml"), trace.resolved_model);
  EXPECT_EQ(std::distance(fs::directory_iterator(nested), fs::directory_iterator()), 4);
}

TEST_F(FilesOfARun, IsWrittenOverByTheNextRun) {
  publish_run(ExampleTrace::make(5), folder_.string(), "first");
  publish_run(ExampleTrace::make(1), folder_.string(), "second");
  EXPECT_EQ(read(folder_ / "report.html"), "second");
  EXPECT_EQ(read(folder_ / "trace.csv"), trace_csv(ExampleTrace::make(1)));
}

TEST_F(FilesOfARun, ReplaceThoseOfAnEarlierRunAndNothingElse) {
  {
    RunFolder files(folder_.string());
    write_run_files(ExampleTrace::make(5), files, "first");
    files.write("trace.h5", "binary");
    files.publish();
  }
  std::ofstream(folder_ / "notes.txt") << "mine";
  publish_run(ExampleTrace::make(1), folder_.string(), "second");
  EXPECT_FALSE(fs::exists(folder_ / "trace.h5"));
  EXPECT_EQ(read(folder_ / "notes.txt"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 5);
}

TEST_F(FilesOfARun, LeaveNothingWhenTheyAreNotPublished) {
  {
    RunFolder files((folder_ / "a" / "b").string());
    files.write("trace.csv", "t\n");
  }
  EXPECT_FALSE(fs::exists(folder_));
  publish_run(ExampleTrace::make(1), folder_.string(), "first");
  {
    RunFolder files(folder_.string());
    files.write("report.html", "second");
  }
  EXPECT_EQ(read(folder_ / "report.html"), "first");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4);
}

TEST_F(FilesOfARun, OfManyRunsAtOnceAreThoseOfOne) {
  std::vector<pid_t> writers;
  for (int k = 0; k < 4; ++k) {
    const pid_t writer = fork();
    if (writer == 0) {
      for (int round = 0; round < 20; ++round) {
        RunFolder files(folder_.string());
        for (const char* name : {"trace.csv", "events.json", "report.html"})
          files.write(name, std::to_string(k));
        files.publish();
      }
      _exit(0);
    }
    writers.push_back(writer);
  }
  for (const pid_t writer : writers) {
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read(folder_ / "trace.csv"), read(folder_ / "events.json"));
  EXPECT_EQ(read(folder_ / "trace.csv"), read(folder_ / "report.html"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

TEST_F(FilesOfARun, ThatIsAFileIsAnInputError) {
  std::ofstream(folder_) << "in the way";
  EXPECT_THROW(publish_run(ExampleTrace::make(), folder_.string(), ""), InputError);
  EXPECT_THROW(publish_run(ExampleTrace::make(), (folder_ / "below").string(), ""), InputError);
  EXPECT_EQ(read(folder_), "in the way");
}

}  // namespace
}  // namespace clack
