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

// Ten spheres on ten others, ten islands: impacts and decisions share them among threads.
TEST_F(RunCommand, GivesTheSameBytesOnAnyNumberOfThreads) {
  write("islands.yaml", R"(clack: 1
dimension: 3
gravity: [0.5, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  "low{i}": {mass: 1, inertia: 0.4, position: ["5*{i}", 0, 1], shape: {sphere: {radius: 1}}, repeat: {count: 10, as: i}}
  "top{i}": {mass: 1, inertia: 0.4, position: ["5*{i} + 0.1*{i}", 0, 3.2], shape: {sphere: {radius: 1}}, repeat: {count: 10, as: i}}
contacts:
  "f{i}": {between: ["low{i}", floor], friction: 0.3, restitution: 0.3, repeat: {count: 10, as: i}}
  "p{i}": {between: ["top{i}", "low{i}"], friction: 0.3, restitution: 0.3, repeat: {count: 10, as: i}}
run: {until: 0.4, theory: newton}
)");
  ASSERT_EQ(clack("run islands.yaml --out one").exit_code, 0);
  ASSERT_EQ(clack("run islands.yaml --out four --threads 4").exit_code, 0);
  EXPECT_GT(nlohmann::json::parse(read("one/events.json")).at("impacts").size(), 10U);
  for (const char* name : {"trace.csv", "events.json"})
    EXPECT_EQ(read(std::string("one/") + name), read(std::string("four/") + name)) << name;
}

// Ctrl-C, SIGTERM and a limit of time: a stopped run, whole, with exit code 1 and nothing else left.
TEST_F(RunCommand, ThatIsInterruptedWritesEverythingUpToThen) {
  write("swing.yaml", R"(clack: 1
coordinates: {q: {start: 1, rate: 0}}
mass_matrix: [[1]]
force: [-q]
potential: q^2/2
run: {until: 1e9, sample: 1e5}
)");
  for (const char* signal : {"INT", "TERM"}) {
    const std::string command = "cd '" + inside().string() +
                                "' && { '" CLACK_PROGRAM
                                "' run swing.yaml --out o & p=$!; sleep 0.5; kill -" +
                                signal + " $p; wait $p; }";
    const Answer answer = clack::testing::run_shell(command);
    EXPECT_EQ(answer.exit_code, 1) << answer.errors;
    EXPECT_NE(answer.errors.find(std::string("interrupted (SIG") + signal), std::string::npos)
        << answer.errors;
    const auto document = nlohmann::json::parse(read("o/events.json"));
    EXPECT_EQ(document.at("status"), "stopped");
    EXPECT_GT(document.at("final").at("t"), 0.0);
    EXPECT_EQ(std::distance(fs::directory_iterator(inside() / "o"), fs::directory_iterator()), 4);
    fs::remove_all(inside() / "o");
  }
  const Answer limited = clack("run swing.yaml --out o --time-limit 0.3");
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_NE(limited.errors.find("the time limit of 0.3 s is over"), std::string::npos);
  EXPECT_EQ(clack("run swing.yaml --time-limit 0").exit_code, 2);
}

// /dev/full is a disk without room; ulimit -f one where files may not grow.
TEST_F(RunCommand, OnAFullDiskLeavesNothingBehind) {
  const std::string in = "cd '" + inside().string() + "' && ";
  const Answer full =
      clack::testing::run_shell(in + "'" CLACK_PROGRAM "' run " + ball_ + " --out o > /dev/full");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_NE(full.errors.find("error: the output cannot be written"), std::string::npos);
  for (const char* more : {"", " --hdf5"}) {
    const Answer small = clack::testing::run_shell(in + "ulimit -f 8; '" CLACK_PROGRAM "' run " +
                                                   ball_ + " --out a/b" + more);
    EXPECT_EQ(small.exit_code, 1) << small.errors;
    EXPECT_NE(small.errors.find("File too large"), std::string::npos) << small.errors;
    EXPECT_FALSE(fs::exists(inside() / "a"));
  }
}

// The reader of the answer goes away (`| head`): the files are there, and nothing else is.
TEST_F(RunCommand, OnAClosedPipeLeavesItsFilesOnly) {
  fs::create_directory(inside() / "o");
  (void)clack::testing::run_shell("cd '" + inside().string() + "' && '" CLACK_PROGRAM "' run " +
                                  ball_ + " --out o --json | head -c 1");
  EXPECT_TRUE(fs::exists(inside() / "o/events.json"));
  for (const auto& entry : fs::directory_iterator(inside() / "o"))
    EXPECT_EQ(entry.path().filename().string().find(".part"), std::string::npos) << entry.path();
}

TEST_F(RunCommand, SendsNoControlCharactersOfAModelToTheTerminal) {
  write("evil.yaml",
        "clack: 1\nname: \"a\\e]0;title\\a b\"\nbodies: {ball: {mass: 1, inertia: 1}}\n");
  for (const char* command : {"run evil.yaml --until 0.1", "check evil.yaml", "equations evil.yaml",
                              "equations evil.yaml --format c",
                              "compare evil.yaml --theory newton,poisson --until 0.1"}) {
    const Answer answer = clack(command);
    EXPECT_EQ(answer.exit_code, 0) << command << answer.errors;
    EXPECT_EQ(answer.output.find('\033'), std::string::npos) << command;
    EXPECT_NE(answer.output.find("a\\x1b]0;title\\x07 b"), std::string::npos) << answer.output;
  }
}

// M = [[1, q], [q, 1]] turns indefinite at q = 1, which constant speed 1 reaches at 1 s; there the eigenvalue is 0.
TEST_F(RunCommand, StopsWhereTheMassMatrixIsNotPositiveDefiniteAnyMore) {
  write("mass.yaml", R"(clack: 1
coordinates: {q: {start: 0, rate: 1}, p: 0, s: 0}
mass_matrix: [[1, 0, 0], [0, 1, q], [0, q, 1]]
force: [0, 0, 0]
run: {until: 2}
)");
  const Answer answer = clack("run mass.yaml --out o");
  EXPECT_EQ(answer.exit_code, 1) << answer.output;
  EXPECT_NE(answer.errors.find("t = 1 s: the mass matrix is not positive definite any more"),
            std::string::npos)
      << answer.errors;
  EXPECT_NE(answer.errors.find("_dot"), std::string::npos);
  EXPECT_NEAR(nlohmann::json::parse(read("o/events.json")).at("final").at("t").get<double>(), 1.0,
              1e-9);
}

TEST_F(RunCommand, WritesTheContactsOfPairsOneByOne) {
  write("box.yaml", R"(clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}
  upper: {mass: 1, inertia: 1/6, position: [1.2, 0, 1], velocity: [2, 0, 0], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [upper, lower], friction: 0.1}}
run: {until: 0.3, theory: newton, sample: 0.1}
)");
  const Answer answer = clack("run box.yaml --out r");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const std::string trace = read("r/trace.csv"), contacts = read("r/contacts.csv");
  EXPECT_NE(trace.find("gap_c,normal_c,tangent1_c,tangent2_c\n"), std::string::npos);
  EXPECT_EQ(
      contacts.rfind("t,contact,gap,normal,tangent1,tangent2,status,slip1,slip2,x,y,z,nx,ny,nz\n"
                     "0,c.upper.corner1,",
                     0),
      0U)
      << contacts.substr(0, 200);
  const auto document = nlohmann::json::parse(read("r/events.json"));
  EXPECT_EQ(document.at("pairs"), nlohmann::json({"c"}));
  bool has_feature = false;
  for (const auto& event : document.at("events"))
    if (event.at("kind") == "feature") {
      has_feature = true;
      EXPECT_EQ(event.at("features").size(), 2U);
      EXPECT_EQ(event.at("features")[0].at("after").size(), 1U);
    }
  EXPECT_TRUE(has_feature);
  ASSERT_EQ(clack("run " + ball_ + " --out ball --until 0.1").exit_code, 0);
  EXPECT_FALSE(fs::exists(inside() / "ball/contacts.csv"));
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
  for (const char* name : {"delassus", "embedding", "nullspace", "active-set", "poisson",
                           "energetic", "smith", "lzb", "dop853", "step", "lcp_size"}) {
    EXPECT_NE(help.find(name), std::string::npos) << name;
    EXPECT_NE(parts.find(name), std::string::npos) << name;
  }
  for (const char* name : {"ida", "coefficients", "moreau"})
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

TEST_F(PlotCommand, DrawsWhatThereIsWhenNothingIsNamed) {
  ASSERT_EQ(clack("plot . -o p.svg").exit_code, 0);
  EXPECT_NE(read("p.svg").find("data-name=\"x\""), std::string::npos);
}

TEST_F(PlotCommand, MakesPngAndPdf) {
  ASSERT_EQ(clack("plot . --y x -o p.png").exit_code, 0);
  EXPECT_EQ(read("p.png").substr(1, 3), "PNG");
  ASSERT_EQ(clack("plot . --y x -o p.pdf").exit_code, 0);
  EXPECT_EQ(read("p.pdf").substr(0, 5), "%PDF-");
  for (const char* left : {"p.png.part", "p.png.part.svg"})
    EXPECT_FALSE(fs::exists(inside() / left)) << left;
  const Answer without = ::clack::testing::run_shell("cd '" + inside().string() +
                                                     "' && PATH=/nowhere exec '" CLACK_PROGRAM
                                                     "' plot . --y x -o q.png");
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.errors.find("install librsvg2-bin"), std::string::npos) << without.errors;
  EXPECT_FALSE(fs::exists(inside() / "q.png"));
}

TEST_F(PlotCommand, DrawsTheModesOfARun) {
  write("events.json",
        R"({"contacts":["foot"],"coordinates":["x"],"impacts":[{"t":1,"contacts":["foot"]}],
    "events":[{"t":0,"to":{}},{"t":1,"to":{"foot":"stick"}},{"t":2,"to":{"foot":"slip"}},{"t":3,"to":{}}]})");
  ASSERT_EQ(clack("plot . --modes -o modes.svg").exit_code, 0);
  const std::string svg = read("modes.svg");
  for (const char* part : {"class=\"stick\"", "class=\"slip\"", "class=\"hit\"", ">foot<"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  write("events.json", "{}");
  EXPECT_EQ(clack("plot . --modes -o no.svg").exit_code, 2);
}

TEST_F(PlotCommand, NamesWhatIsWrong) {
  EXPECT_NE(clack("plot . --y speed -o p.svg").errors.find("no column speed"), std::string::npos);
  EXPECT_NE(clack("plot . --y x -o p.gif").errors.find("ending in .svg, .png or .pdf"),
            std::string::npos);
  EXPECT_NE(clack("plot . --modes -o p.svg").exit_code, 0) << "without events.json";
  EXPECT_NE(clack("plot . --modes --y x -o p.svg").errors.find("leave --x, --y"),
            std::string::npos);
  EXPECT_EQ(clack("plot nowhere --y x -o p.svg").exit_code, 2);
  EXPECT_FALSE(fs::exists(inside() / "p.svg"));
}

TEST(ProgressLine, EstimatesTheTimeThatIsLeft) {
  EXPECT_EQ(clack::command::progress_line(2.5, 10.0, 4.0),
            "t = 2.5 of 10 s, 25 %, about 12.0 s left");
  EXPECT_EQ(clack::command::progress_line(2.5, 10.0, 4.0, 3.0),
            "t = 2.5 of 10 s, 25 %, t stands still for 3.0 s");
  EXPECT_EQ(clack::command::progress_line(0.0, 10.0, 4.0), "t = 0 of 10 s, 0 %");
}

}  // namespace
