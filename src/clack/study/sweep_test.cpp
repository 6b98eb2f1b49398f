// SPDX-License-Identifier: Apache-2.0
#include "clack/study/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "clack/error.hpp"
#include "clack/study/find.hpp"
#include "clack/study/study_files.hpp"
#include "clack/study/table.hpp"

namespace clack::study {
namespace {

std::vector<CaseResult> all_of(const Study& study, int threads = 1) {
  std::vector<CaseResult> results;
  SweepOptions options;
  options.threads = threads;
  sweep(study, results, options);
  return results;
}

// A ball thrown up with v comes back after 2 v/g and is highest, v^2/(2g), at v/g.
TEST(Sweep, KeepsWhatTheClosedFormsSay) {
  const StudyFolder folder("sweep-kept");
  const Study study = read_study(folder.study(
      "axes: {v: [1, 2]}\nkeep:\n  hit: {value: t, at: impact, contact: ground, last: 1, to: "
      "0.45}\n"
      "  down: {value: y_dot, at: impact, side: before, to: 0.45}\n  up: {value: y_dot, at: "
      "impact, to: 0.45}\n"
      "  top: {value: y, when: y_dot, direction: falling, to: 0.21}\n  top_time: {value: t, when: "
      "y_dot, direction: falling, to: 0.21}\n"
      "  end: {final: y}\n  hits: {count: impact, to: 0.45}\n  lost: {energy: dissipated}\n  "
      "mean_height: {mean: y_dot, to: 0.1}\n"
      "  lowest: {min: y_dot, to: 0.1}\n  fastest: {max: y_dot}\n  gained: {flag: energy-gain}\n"
      "  ratio: {derived: -up/down + v}\n"));
  const std::vector<CaseResult> results = all_of(study);
  ASSERT_EQ(results.size(), 2u);
  const std::vector<double>& values = results[1].values;  // v = 2, g = 10
  EXPECT_NEAR(values[0], 0.4, 1e-12);
  EXPECT_NEAR(values[1], -2.0, 1e-12);
  EXPECT_NEAR(values[2], 1.0, 1e-12);
  EXPECT_NEAR(values[3], 0.2, 1e-12);
  EXPECT_NEAR(values[4], 0.2, 1e-12);
  EXPECT_NEAR(values[5], 1.0 * 0.1 - 0.5 * 10 * 0.01, 1e-12);
  EXPECT_EQ(values[6], 1.0);
  EXPECT_NEAR(values[7], 0.5 * (4.0 - 1.0), 1e-12);
  EXPECT_NEAR(values[8], 1.5, 1e-12);  // the speed falls linearly: the trapezoidal rule is exact
  EXPECT_NEAR(values[9], 1.0, 1e-12);
  EXPECT_EQ(values[10], 2.0);
  EXPECT_EQ(values[11], 0.0);
  EXPECT_NEAR(values[12], 0.5 + 2.0, 1e-12);
}

TEST(Sweep, GivesTheSameTableOnAnyNumberOfThreadsAndFromAnyRest) {
  const StudyFolder folder("sweep-threads");
  const Study study =
      read_study(folder.study("axes: {v: {from: 1, to: 2, count: 12}, e: [0.2, 0.9]}\nfollow: "
                              "v\nkeep: {end: {final: y}, speed: {final: y_dot}}\n"
                              "classify: [{high: end - 0.1}, {low: otherwise}]\n"));
  const std::vector<CaseResult> all = all_of(study);
  const std::string table = results_csv(record_of(study, all));
  EXPECT_EQ(results_csv(record_of(study, all_of(study, 3))), table);
  for (const std::size_t kept : {1u, 7u, 30u}) {
    std::vector<CaseResult> results;
    for (std::size_t k = 0; k < all.size(); ++k)
      if ((7 * k) % 31 < kept) results.push_back(all[k]);
    sweep(study, results, {});
    EXPECT_EQ(results_csv(record_of(study, results)), table);
  }
}

TEST(Sweep, FollowedCasesStartWhereTheirNeighbourEnded) {
  const StudyFolder folder("sweep-follow");
  const Study study = read_study(folder.study(
      "axes: {e: [0.5, 0.5, 0.5]}\nset: {run.until: 0.1}\nfollow: e\nkeep: {y: {final: y}}\n"));
  const std::vector<CaseResult> results = all_of(study);
  // One flight in three pieces of 0.1 s: y = 2 t - 5 t^2.
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(results[k].values[0], 0.2 * (k + 1) - 0.05 * (k + 1) * (k + 1), 1e-12);
  EXPECT_FALSE(results[0].is_followed);
  EXPECT_TRUE(results[1].is_followed);
}

TEST(Sweep, StopsACaseWhereTheFormulaSaysSo) {
  const StudyFolder folder("sweep-stop");
  const Study study =
      read_study(folder.study("axes: {v: [2]}\nstop: 0.1 - y_dot\nkeep: {t_end: {final: t}}\n"));
  EXPECT_NEAR(all_of(study).front().values[0], 0.19, 1e-12);  // v - g t = 0.1
}

TEST(Sweep, ACaseThatIsRefusedIsARowWithItsReason) {
  const StudyFolder folder("sweep-refused");
  const Study study = read_study(folder.study("axes: {e: [0.5, 7]}\nkeep: {y: {final: y}}\n"));
  const std::vector<CaseResult> results = all_of(study);
  EXPECT_EQ(results[0].status, CaseStatus::done);
  EXPECT_EQ(results[1].status, CaseStatus::refused);
  EXPECT_NE(results[1].reason.find("restitution"), std::string::npos);
  EXPECT_TRUE(std::isnan(results[1].values[0]));
}

// The ball comes back before t = 0.3 exactly when 2 v/g < 0.3.
TEST(Find, MeetsTheClosedFormAndProvesBothSides) {
  const StudyFolder folder("find-ball");
  const Study study =
      read_study(folder.study("set: {run.until: 0.3}\nfind: {axis: v, from: 0.5, to: 3, tolerance: "
                              "1e-9}\nkeep: {hits: {count: impact}}\n"
                              "classify: [{back: hits}, {flies: otherwise}]\n"),
                 {}, Purpose::threshold);
  const Threshold found = find_threshold(study);
  EXPECT_NEAR(found.value(), 1.5, 1.5e-9);
  EXPECT_EQ(class_of(found.low.result), "back");
  EXPECT_EQ(class_of(found.high.result), "flies");
  EXPECT_LT(found.high.value - found.low.value, 2e-9);
}

TEST(Find, RefusesAnIntervalWithOneClass) {
  const StudyFolder folder("find-none");
  const Study study =
      read_study(folder.study("find: {axis: v, from: 0.5, to: 0.6}\nkeep: {hits: {count: "
                              "impact}}\nclassify: [{back: hits}, {flies: otherwise}]\n"),
                 {}, Purpose::threshold);
  EXPECT_THROW(find_threshold(study), InputError);
}

}  // namespace
}  // namespace clack::study
