// SPDX-License-Identifier: Apache-2.0
// `clack run` and `clack plot` as a user meets them: exit codes, files, documents.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/clack/progress.hpp"
#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;

using Answer = clack::testing::Finished;

class RunCommand : public ::testing::Test, protected clack::testing::ProgramFolder {
 protected:
  const std::string ball_ = "'" CLACK_SOURCE_DIR "/models/bouncing-ball/bouncing-ball.yaml'";
};

TEST_F(RunCommand, WritesFourFilesNamedAfterTheModel) {
  const Answer answer = clack("run " + ball_ + " --until 0.5");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  for (const char* name : {"trace.csv", "events.json", "report.html", "model.yaml"})
    EXPECT_FALSE(read(std::string("out/bouncing-ball/") + name).empty()) << name;
  EXPECT_NE(answer.output.find("report out/bouncing-ball/report.html"), std::string::npos)
      << answer.output;
}

TEST_F(RunCommand, GivesTheSameBytesTwice) {
  ASSERT_EQ(clack("run " + ball_ + " --out a --hdf5").exit_code, 0);
  ASSERT_EQ(clack("run " + ball_ + " --out b --hdf5 --threads 2").exit_code, 0);
  for (const char* name : {"trace.csv", "events.json", "report.html", "model.yaml", "trace.h5"})
    EXPECT_EQ(read(std::string("a/") + name), read(std::string("b/") + name)) << name;
}

TEST_F(RunCommand, PrintsTheDocumentOfItsFileAndWallTimeAsJson) {
  const Answer answer = clack("run " + ball_ + " --until 0.5 --json --out r");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  nlohmann::json document = nlohmann::json::parse(answer.output);
  EXPECT_GE(document.at("wall_seconds").get<double>(), 0.0);
  document.erase("wall_seconds");
  EXPECT_EQ(document, nlohmann::json::parse(read("r/events.json")));
}

TEST_F(RunCommand, RefusesBadInputAndLeavesNothing) {
  for (const char* flags :
       {"--until abc", "--until -1", "--sample 0", "--tolerance nan", "--set nope", "--set =1",
        "--threads 0", "--no-such-flag", "--set no_such_parameter=1"}) {
    const Answer answer = clack("run " + ball_ + " " + flags);
    EXPECT_EQ(answer.exit_code, 2) << flags;
    EXPECT_EQ(answer.errors.rfind("error: ", 0), 0U) << answer.errors;
    EXPECT_NE(answer.errors.find("\nhelp: "), std::string::npos) << answer.errors;
    EXPECT_FALSE(fs::exists(inside() / "out")) << flags;
  }
}

TEST_F(RunCommand, WritesWhatWasAskedForIntoTheResolvedModel) {
  ASSERT_EQ(clack("run " + ball_ + " --until 0.25 --set e=0.5 --out r").exit_code, 0);
  EXPECT_NE(read("r/model.yaml").find("until: 0.25"), std::string::npos) << read("r/model.yaml");
  ASSERT_EQ(clack("run r/model.yaml --out again").exit_code, 0);
  EXPECT_EQ(read("r/trace.csv"), read("again/trace.csv"));
}

TEST_F(RunCommand, RefusesAPolicyThatNothingInTheRunReads) {
  const Answer answer = clack("run " + ball_ + " --set policies.projection=closed-form");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.errors.find("read by impact law projection"), std::string::npos)
      << answer.errors;
  EXPECT_FALSE(fs::exists(inside() / "out"));
}

TEST_F(RunCommand, HelpAndPartsNameWhatExistsAndNothingElse) {
  const std::string help = clack("run --help").output, parts = clack("parts").output;
  for (const char* name : {"delassus", "active-set", "poisson", "dop853", "step", "lcp_size"}) {
    EXPECT_NE(help.find(name), std::string::npos) << name;
    EXPECT_NE(parts.find(name), std::string::npos) << name;
  }
  for (const char* name : {"energetic", "embedding", "smith", "lzb", "nullspace"})
    EXPECT_EQ(help.find(name), std::string::npos) << name;
  EXPECT_NE(clack("parts --table policies").output.find("| `painleve` | stop |"),
            std::string::npos);
  EXPECT_EQ(clack("parts --table policy").exit_code, 2);
}

class PlotCommand : public RunCommand {
 protected:
  void SetUp() override {
    RunCommand::SetUp();
    write("trace.csv", "t,x,y\n0,0,1\n1,2,nan\n2,1,3\n");
  }
};

TEST_F(PlotCommand, DrawsColumnsOfATrace) {
  ASSERT_EQ(clack("plot . --y x,y -o p.svg").exit_code, 0);
  EXPECT_NE(read("p.svg").find("data-name=\"y\""), std::string::npos);
  ASSERT_EQ(clack("plot trace.csv --x x --y y -o q.svg").exit_code, 0);
  EXPECT_EQ(read("q.svg").rfind("<?xml", 0), 0U);
}

TEST_F(PlotCommand, NamesWhatIsWrong) {
  EXPECT_NE(clack("plot . --y speed -o p.svg").errors.find("no column speed"), std::string::npos);
  EXPECT_NE(clack("plot . --y x -o p.png").errors.find("ending in .svg"), std::string::npos);
  EXPECT_EQ(clack("plot nowhere --y x -o p.svg").exit_code, 2);
  EXPECT_FALSE(fs::exists(inside() / "p.svg"));
}

TEST(ProgressLine, EstimatesTheTimeThatIsLeft) {
  EXPECT_EQ(clack::command::progress_line(2.5, 10.0, 4.0),
            "t = 2.5 of 10 s, 25 %, about 12.0 s left");
  EXPECT_EQ(clack::command::progress_line(0.0, 10.0, 4.0), "t = 0 of 10 s, 0 %");
}

}  // namespace
