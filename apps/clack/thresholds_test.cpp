// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>
#include <set>

#include "run_program.hpp"

// A ball on a table that moves as A sin(w t), G = A w^2/g, hits it once in n periods from G = pi n (1 - e)/(1 + e) on, and this motion doubles
// its period at G^2 = (pi n (1 - e)/(1 + e))^2 + (2 (1 + e^2)/(1 + e)^2)^2 (closed forms in models/vibrating-table/ball.yaml).
namespace clack::testing {
namespace {

struct Table {
  double e;
  int n;
  double begins() const { return std::numbers::pi * n * (1.0 - e) / (1.0 + e); }
  double doubles() const {
    return std::hypot(begins(), 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)));
  }
};

double threshold(const std::string& study, const Table& table, double from, double to,
                 const std::string& more = "") {
  const std::string command =
      std::string(CLACK_PROGRAM) + " find " CLACK_SOURCE_DIR "/studies/" + study +
      " --set e=" + std::to_string(table.e) + " --set n=" + std::to_string(table.n) + " --from " +
      std::to_string(from) + " --to " + std::to_string(to) + more + " --json";
  const Finished found = run_shell(command);
  EXPECT_EQ(found.exit_code, 0) << found.errors;
  return found.exit_code == 0 ? nlohmann::json::parse(found.output).at("value").get<double>() : 0.0;
}

void PrintTo(const Table& table, std::ostream* out) {
  *out << "e = " << table.e << ", n = " << table.n;
}

class VibratingTable : public ::testing::TestWithParam<Table> {};

TEST_P(VibratingTable, DoublesThePeriodOfItsBallWhereTheClosedFormSays) {
  const double G = GetParam().doubles(), begins = GetParam().begins();
  EXPECT_NEAR(threshold("table-doubling.yaml", GetParam(), 0.5 * (begins + G), 1.05 * G), G,
              1e-6 * G);
}

// The ball leaves the place of the motion that is not quite possible the slower the nearer to the threshold: 8000 impacts see 1e-6 below it.
TEST_P(VibratingTable, MakesItsBallBounceFromTheClosedFormOn) {
  const double G = GetParam().begins();
  EXPECT_NEAR(threshold("table-period-one.yaml", GetParam(), 0.9 * G, 1.1 * G,
                        " --set 'run.until=8000*n*2*pi/w'"),
              G, 1e-6 * G);
}

/// Different phases of the last 32 hits, to five digits.
std::size_t phases_at(const std::string& table, double G) {
  const auto document = nlohmann::json::parse(std::ifstream(table));
  std::set<long> phases;
  for (const auto& one : document.at("cases"))
    if (std::stod(one.at("at").at(0).get<std::string>()) == G)
      for (const auto& value : one.at("values"))
        phases.insert(std::lround(1e5 * value.get<double>()));
  return phases.size();
}

// Period one, then two, four and eight: the doublings of the diagram (e = 0.5; the first one, at 1.52682, is in closed form).
TEST(VibratingTableDiagram, ShowsThreeDoublings) {
  const ProgramFolder folder;
  folder.write(
      "doublings.yaml",
      "study: 1\nmodel: " CLACK_SOURCE_DIR
      "/models/vibrating-table/ball.yaml\n"
      "set: {run.until: 400*2*pi/w, run.sample: 400*2*pi/w}\naxes: {G: [1.5, 1.55, 1.6, 1.64, "
      "1.67, 1.7]}\nfollow: G\n"
      "keep: {phase: {value: \"atan2(sin(w*t), cos(w*t))/(2*pi)\", at: impact, last: 32}}\n");
  const std::string inside = folder.inside().string();
  const Finished swept = run_shell("cd " + inside + " && " + std::string(CLACK_PROGRAM) +
                                   " sweep doublings.yaml --out out");
  ASSERT_EQ(swept.exit_code, 0) << swept.errors;
  const std::string table = inside + "/out/results.json";
  EXPECT_EQ(phases_at(table, 1.5), 1u);
  EXPECT_EQ(phases_at(table, 1.6), 2u);
  EXPECT_EQ(phases_at(table, 1.67), 4u);
  EXPECT_EQ(phases_at(table, 1.7), 8u);
}

// A block that cannot slip lifts a corner from the acceleration g b/h on, whatever the frequency: the event is exact.
TEST(ShakenBlock, RocksFromTheClosedFormOn) {
  for (const char* w : {"3", "8"}) {
    const Finished found =
        run_shell(std::string(CLACK_PROGRAM) +
                  " find " CLACK_SOURCE_DIR "/studies/rocking-start.yaml --json --set w=" + w);
    ASSERT_EQ(found.exit_code, 0) << found.errors;
    EXPECT_NEAR(nlohmann::json::parse(found.output).at("value").get<double>(), 1.0 / 3.0, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(All, VibratingTable,
                         ::testing::Values(Table{0.5, 1}, Table{0.8, 1}, Table{0.5, 2},
                                           Table{0.8, 2}),
                         [](const auto& table) {
                           return "e0" + std::to_string(int(10 * table.param.e)) + "n" +
                                  std::to_string(table.param.n);
                         });

}  // namespace
}  // namespace clack::testing
