// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_program.hpp"

namespace clack::testing {
namespace {

const std::string program = CLACK_PROGRAM;
const std::string ball =
    "clack: 1\nname: ball\ndimension: 2\nparameters: {v: 2, e: 0.9, g: 10}\ngravity: [0, -g]\n"
    "coordinates: {y: {start: 0, rate: v}}\nbodies: {ball: {mass: 1, position: [0, y]}}\n"
    "contacts: {ground: {gap: y, restitution: e}}\nrun: {until: 3, theory: newton}\n";
const std::string study =
    "study: 1\nname: throws\nmodel: ball.yaml\naxes: {v: {from: 1, to: 3, count: 60}, e: [0.5, "
    "0.6, 0.7]}\nfollow: v\n"
    "keep: {end: {final: y}, hits: {value: t, at: impact, last: 3}}\nclassify: [{high: end - 0.1}, "
    "{low: otherwise}]\n";

std::string bytes_of(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class SweepCommand : public ::testing::Test {
 protected:
  SweepCommand() {
    folder_.write("ball.yaml", ball);
    folder_.write("study.yaml", study);
  }
  Finished run(const std::string& arguments) {
    return run_shell("cd " + folder_.inside().string() + " && " + program + " " + arguments);
  }
  std::filesystem::path file(const std::string& name) const { return folder_.inside() / name; }
  ProgramFolder folder_;
};

TEST_F(SweepCommand, WritesTableAndPageAndSaysWhatCameOut) {
  const Finished finished = run("sweep study.yaml");
  ASSERT_EQ(finished.exit_code, 0) << finished.errors;
  EXPECT_NE(finished.output.find("throws: 360 of 360 cases"), std::string::npos);
  const std::string table = bytes_of(file("out/study/results.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 361);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "case,v,e,direction,followed,status,class,end,hits_1,hits_2,hits_3,reason");
  EXPECT_NE(bytes_of(file("out/study/study.html")).find("<svg"), std::string::npos);
}

TEST_F(SweepCommand, GivesOneJsonDocument) {
  const Finished finished = run("sweep study.yaml --json");
  const auto document = nlohmann::json::parse(finished.output);
  EXPECT_EQ(document.at("finished"), 360);
  EXPECT_EQ(document.at("statuses").at("done"), 360);
  EXPECT_EQ(document.at("cases").size(), 360u);
}

TEST_F(SweepCommand, GivesTheSameBytesOnOneAndOnTwoThreads) {
  ASSERT_EQ(run("sweep study.yaml --threads 1 --out one").exit_code, 0);
  ASSERT_EQ(run("sweep study.yaml --threads 2 --out two").exit_code, 0);
  EXPECT_EQ(bytes_of(file("one/results.csv")), bytes_of(file("two/results.csv")));
}

TEST_F(SweepCommand, GivesTheSameBytesOnAnyNumberOfProcesses) {
  ASSERT_EQ(run("sweep study.yaml --threads 1 --out alone").exit_code, 0);
  for (const int processes : {1, 2, 3, 4}) {
    const std::string name = "ranks" + std::to_string(processes);
    const Finished shared = run_shell(
        "cd " + folder_.inside().string() + " && mpirun --allow-run-as-root --oversubscribe -n " +
        std::to_string(processes) + " " + program + " sweep study.yaml --threads 2 --out " + name);
    ASSERT_EQ(shared.exit_code, 0) << shared.errors;
    EXPECT_EQ(bytes_of(file(name + "/results.csv")), bytes_of(file("alone/results.csv")))
        << processes;
  }
}

TEST_F(SweepCommand, AMistakeIsSaidOnceByManyProcesses) {
  const Finished bad = run_shell("cd " + folder_.inside().string() +
                                 " && mpirun --allow-run-as-root --oversubscribe -n 3 " + program +
                                 " sweep nothing.yaml");
  EXPECT_NE(bad.exit_code, 0);
  const std::size_t first = bad.errors.find("there is no such file");
  ASSERT_NE(first, std::string::npos) << bad.errors;
  EXPECT_EQ(bad.errors.find("there is no such file", first + 1), std::string::npos) << bad.errors;
}

// Killed at any instant of its work and resumed, fifty times: the table is that of a study that was left alone. Each kill
// waits until the journal has grown by a few records, so that it meets a study at work on any machine.
TEST_F(SweepCommand, KilledAndResumedFiftyTimesItLosesNothing) {
  folder_.write("long.yaml", std::string(study).replace(study.find("count: 60"), 9, "count: 1200"));
  ASSERT_EQ(run("sweep long.yaml --threads 2 --out whole").exit_code, 0);
  int kills = 0;
  for (int k = 0; k < 50; ++k) {
    const std::string bytes = std::to_string(100 + 113 * ((k * 37) % 50));
    const Finished cut = run_shell(
        "cd " + folder_.inside().string() +
        " && size() { stat -c %s cut/journal.txt 2>/dev/null || echo 0; }; end=$(($(size) + " +
        bytes + ")); " + program +
        " sweep long.yaml --threads 2 --out cut --resume & p=$!; "
        "while [ $(size) -lt $end ] && kill -0 $p 2>/dev/null; do :; done; kill -9 $p 2>/dev/null; "
        "wait $p");
    if (cut.exit_code == 137) ++kills;
  }
  EXPECT_EQ(kills, 50);
  const Finished last = run("sweep long.yaml --threads 2 --out cut --resume");
  ASSERT_EQ(last.exit_code, 0) << last.errors;
  EXPECT_EQ(bytes_of(file("cut/results.csv")), bytes_of(file("whole/results.csv")));
}

// One of four processes is killed: MPI ends the others, what was finished stays, any number of processes goes on.
TEST_F(SweepCommand, AProcessThatIsKilledLosesNothingThatWasFinished) {
  folder_.write("long.yaml", std::string(study).replace(study.find("count: 60"), 9, "count: 1500"));
  const std::string mpi = "mpirun --allow-run-as-root --oversubscribe -n 4 " + program +
                          " sweep long.yaml --threads 1 --out cut";
  const Finished cut =
      run_shell("cd " + folder_.inside().string() + " && " + mpi + " & p=$!; cd " +
                folder_.inside().string() +
                "; while [ $(stat -c %s cut/journal.txt 2>/dev/null || echo 0) -lt 20000 ] && kill "
                "-0 $p 2>/dev/null; do sleep 0.01; done; "
                "pkill -9 -n -f 'clack sweep long.yaml --threads 1 --out cut'; wait $p");
  EXPECT_NE(cut.exit_code, 0);
  const Finished resumed = run("sweep long.yaml --threads 2 --out cut --resume --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  ASSERT_EQ(run("sweep long.yaml --threads 2 --out whole").exit_code, 0);
  EXPECT_EQ(bytes_of(file("cut/results.csv")), bytes_of(file("whole/results.csv")));
}

TEST_F(SweepCommand, ATornJournalIsCutAndSaid) {
  ASSERT_EQ(run("sweep study.yaml --out torn").exit_code, 0);
  const std::string table = bytes_of(file("torn/results.csv"));
  std::filesystem::resize_file(file("torn/journal.txt"),
                               std::filesystem::file_size(file("torn/journal.txt")) - 7);
  const Finished resumed = run("sweep study.yaml --out torn --resume");
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_NE(resumed.errors.find("torn record"), std::string::npos) << resumed.errors;
  EXPECT_EQ(bytes_of(file("torn/results.csv")), table);
}

// A record that was damaged on the disk: what stands before it is kept, the rest runs again.
TEST_F(SweepCommand, ADamagedJournalIsCutAtTheDamage) {
  ASSERT_EQ(run("sweep study.yaml --out torn").exit_code, 0);
  const std::string table = bytes_of(file("torn/results.csv"));
  std::string journal = bytes_of(file("torn/journal.txt"));
  journal[journal.size() * 2 / 3] ^= 4;
  std::ofstream(file("torn/journal.txt"), std::ios::binary) << journal;
  const Finished resumed = run("sweep study.yaml --out torn --resume");
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_NE(resumed.errors.find("bytes were cut"), std::string::npos) << resumed.errors;
  EXPECT_EQ(bytes_of(file("torn/results.csv")), table);
}

TEST_F(SweepCommand, AFolderThatCannotBeWrittenIsExplainedBeforeAnythingRuns) {
  for (const char* place : {"/proc/clack-study", "ball.yaml/inside"}) {
    const Finished refused = run("sweep study.yaml --out " + std::string(place));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.errors.rfind("error: the folder cannot be made", 0), 0u) << refused.errors;
    EXPECT_NE(refused.errors.find("help: choose another --out"), std::string::npos)
        << refused.errors;
  }
}

TEST_F(SweepCommand, PlotsOfItsFolderShowAxesWithTheirUnits) {
  folder_.write(
      "map.yaml",
      "study: 1\nmodel: ball.yaml\naxes: {v: {from: 1, to: 3, count: 5}, e: [0.5, 0.6, 0.7]}\n"
      "keep: {end: {final: y, unit: m}}\nclassify: [{high: end - 0.1}, {low: otherwise}]\n");
  std::string with_units = ball;
  with_units.replace(with_units.find("v: 2"), 4, "v: {value: 2, unit: m/s}");
  folder_.write("ball.yaml", with_units);
  ASSERT_EQ(run("sweep map.yaml").exit_code, 0);
  const auto drawn = [&](const std::string& options) {
    const Finished plot = run("plot out/map -o p.svg " + options);
    EXPECT_EQ(plot.exit_code, 0) << options << plot.errors;
    return bytes_of(file("p.svg"));
  };
  EXPECT_NE(drawn("").find(">v in m/s<"), std::string::npos);  // a map of classes
  EXPECT_NE(drawn("--y class").find(">high<"), std::string::npos);
  EXPECT_NE(drawn("--y end").find(">end in m<"), std::string::npos);     // of numbers
  EXPECT_NE(drawn("--y end --x v").find("e = 0.5"), std::string::npos);  // lines, one per e
  for (const char* wrong : {"--y nothing", "--x nothing", "--modes", "--y end,class"}) {
    const Finished plot = run("plot out/map -o q.svg " + std::string(wrong));
    EXPECT_EQ(plot.exit_code, 2) << wrong;
    EXPECT_NE(plot.errors.find("help: "), std::string::npos) << wrong;
  }
  EXPECT_FALSE(std::filesystem::exists(file("q.svg")));
  folder_.write("out/map/results.json", "{\"study\": 3}");
  EXPECT_NE(run("plot out/map -o q.svg").errors.find("no results of a study"), std::string::npos);
}

TEST_F(SweepCommand, SensitivitiesNeedSamples) {
  const Finished refused = run("sweep study.yaml --sensitivity");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("sensitivities need samples"), std::string::npos) << refused.errors;
  folder_.write("drawn.yaml",
                "study: 1\nmodel: ball.yaml\naxes: {v: {from: 1, to: 3}, e: {from: 0.2, to: 0.8}}\n"
                "sample: {count: 32}\nkeep: {end: {final: y}}\n");
  const Finished drawn = run("sweep drawn.yaml --sensitivity");
  ASSERT_EQ(drawn.exit_code, 0) << drawn.errors;
  EXPECT_NE(drawn.output.find("128 of 128 cases"), std::string::npos)
      << drawn.output;  // 32 (2 + 2)
  EXPECT_NE(drawn.output.find("part of the variance"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(file("out/drawn/sensitivity.csv")));
  EXPECT_NE(bytes_of(file("out/drawn/study.html")).find("part of the variance of end"),
            std::string::npos);
  EXPECT_EQ(run("sweep drawn.yaml --resume").exit_code,
            2);  // another study than that of the folder
}

TEST_F(SweepCommand, FindRefusesWhatItWouldPassOver) {
  folder_.write(
      "find.yaml",
      "study: 1\nmodel: ball.yaml\naxes: {e: [0.1, 0.2]}\nfind: {axis: v, from: 0.5, to: 3}\n"
      "keep: {hits: {count: impact}}\nclassify: [{back: hits}, {flies: otherwise}]\n");
  const Finished refused = run("find find.yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("axes stands beside find, which varies v alone (find.yaml:3:"),
            std::string::npos)
      << refused.errors;
}

TEST_F(SweepCommand, RefusesToMixStudies) {
  ASSERT_EQ(run("sweep study.yaml --out x").exit_code, 0);
  EXPECT_EQ(run("sweep study.yaml --out x").exit_code, 2);
  const Finished other = run("sweep study.yaml --out x --resume --set g=9");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.errors.find("--set are others"), std::string::npos) << other.errors;
  folder_.write("ball.yaml", ball + "# another\n");
  EXPECT_NE(run("sweep study.yaml --out x --resume").errors.find("the model file is another one"),
            std::string::npos);
}

TEST_F(SweepCommand, AFullDiskKeepsWhatWasFinished) {
  const Finished full =
      run("--version; ulimit -f 8; " + program + " sweep study.yaml --threads 1 --out small");
  EXPECT_EQ(full.exit_code, 1) << full.errors;
  EXPECT_NE(full.errors.find("--resume"), std::string::npos) << full.errors;
  const Finished resumed = run("sweep study.yaml --out small --resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
  ASSERT_EQ(run("sweep study.yaml --out whole").exit_code, 0);
  EXPECT_EQ(bytes_of(file("small/results.csv")), bytes_of(file("whole/results.csv")));
}

TEST_F(SweepCommand, FindPrintsTheThresholdAndBothRuns) {
  folder_.write("find.yaml",
                "study: 1\nmodel: ball.yaml\nset: {run.until: 0.3}\nfind: {axis: v, from: 0.5, to: "
                "3, tolerance: 1e-9}\n"
                "keep: {hits: {count: impact}}\nclassify: [{back: hits}, {flies: otherwise}]\n");
  const Finished found = run("find find.yaml --json");
  ASSERT_EQ(found.exit_code, 0) << found.errors;
  const auto document = nlohmann::json::parse(found.output);
  EXPECT_NEAR(document.at("value").get<double>(), 1.5, 2e-9);  // back at 2 v/g = 0.3 s
  const Finished again =
      run(document.at("low").at("command").get<std::string>().substr(6) + " --json");
  EXPECT_EQ(nlohmann::json::parse(again.output).at("counts").at("impacts"), 1);
}

TEST_F(SweepCommand, NamesTheMistake) {
  folder_.write("bad.yaml", "study: 1\nmodel: ball.yaml\naxes: {w: [1]}\n");
  const Finished bad = run("sweep bad.yaml");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.errors.substr(0, 6), "error:");
  EXPECT_FALSE(std::filesystem::exists(file("out")));
  EXPECT_EQ(run("sweep nothing.yaml").exit_code, 2);
  EXPECT_EQ(run("sweep study.yaml --threads -1").exit_code, 2);
  EXPECT_EQ(run("find study.yaml").exit_code, 2);
}

}  // namespace
}  // namespace clack::testing
