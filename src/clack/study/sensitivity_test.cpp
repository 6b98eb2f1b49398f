// SPDX-License-Identifier: Apache-2.0
#include "clack/study/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "clack/study/record.hpp"
#include "clack/study/study_files.hpp"
#include "clack/study/sweep.hpp"
#include "clack/study/table.hpp"

namespace clack::study {
namespace {

StudyRecord record_for(const std::string& sections, const std::string& model) {
  const StudyFolder folder("sensitivity");
  folder.write("ball.yaml", model);
  const Study study = read_study(folder.study(sections), {}, Purpose::sensitivity);
  std::vector<CaseResult> results;
  sweep(study, results, {});
  return record_of(study, results);
}

const std::string still =
    "clack: 1\ndimension: 2\nparameters: {a: 0, b: 0, c: 0}\ncoordinates: {y: 0}\nbodies: {ball: "
    "{mass: 1, position: [0, y]}}\n"
    "run: {until: 0.001, sample: 0.001}\n";
const std::string ranges =
    "axes: {a: {from: -pi, to: pi}, b: {from: -pi, to: pi}, c: {from: -pi, to: pi}}\n";

// Ishigami's function f = sin a + 7 sin^2 b + 0.1 c^4 sin a on [-pi, pi]^3 has closed forms: with p = pi^4
//   V_a = (1 + 0.1 p/5)^2/2, V_b = 49/8, V_ac = 0.01 p^2 (1/18 - 1/50), all others 0.
TEST(Sensitivity, OfIshigamisFunctionIsItsClosedForm) {
  const StudyRecord record = record_for(ranges +
                                            "sample: {count: 1024, seed: 3}\nkeep: {f: {final: "
                                            "sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)}}\n",
                                        still);
  const double p = std::pow(std::numbers::pi, 4);
  const double va = 0.5 * std::pow(1.0 + 0.1 * p / 5.0, 2), vb = 49.0 / 8.0,
               vac = 0.01 * p * p * (1.0 / 18.0 - 1.0 / 50.0);
  const double all = va + vb + vac;
  ASSERT_EQ(record.sensitivity.size(), 1u);
  const Sensitivity& found = record.sensitivity.front();
  EXPECT_EQ(found.used, 1024);
  EXPECT_EQ(record.total, 1024 * 5);
  const double first[] = {va / all, vb / all, 0.0},
               total[] = {(va + vac) / all, vb / all, vac / all};
  for (int k = 0; k < 3; ++k) {  // 1024 Sobol points: errors of a hundredth
    EXPECT_NEAR(found.axes[k].first, first[k], 0.03) << k;
    EXPECT_NEAR(found.axes[k].total, total[k], 0.03) << k;
    EXPECT_LT(std::abs(found.axes[k].first - first[k]), 4.0 * found.axes[k].first_error + 1e-12)
        << k;
    EXPECT_GT(found.axes[k].total_error, 0.0);
  }
  EXPECT_NEAR(found.mean, 3.5, 0.05);
  EXPECT_NEAR(found.variance, all, 0.02 * all);
}

// Of a sum of independent terms every axis explains its own part, alone as in all; the parts add up to one.
TEST(Sensitivity, OfASumAddsUpToOne) {
  const StudyRecord record =
      record_for(ranges + "sample: {count: 1024, seed: 1}\nkeep: {f: {final: a + 2*b}}\n", still);
  const std::vector<AxisSensitivity>& axes = record.sensitivity.front().axes;
  EXPECT_NEAR(axes[0].first, 0.2, 4.0 * axes[0].first_error);
  EXPECT_NEAR(axes[1].first, 0.8, 4.0 * axes[1].first_error);
  EXPECT_LT(axes[1].first_error, 0.04);  // 1/sqrt(1024)
  EXPECT_NEAR(axes[0].total, 0.2, 0.01);
  EXPECT_NEAR(axes[2].total, 0.0, 1e-15);
}

TEST(Sensitivity, LeavesOutSamplesWithoutAValueAndSaysSo) {
  const StudyRecord record = record_for(
      ranges + "sample: {count: 64}\nkeep: {f: {final: sqrt(a)}, same: {final: 1}}\n", still);
  const Sensitivity& found = record.sensitivity.front();
  EXPECT_LT(found.used, 40);  // both of A and B must have a > 0
  EXPECT_GT(found.used, 4);
  EXPECT_TRUE(std::isnan(record.sensitivity[1].axes[0].first));
  const std::string text = study_summary(record);
  EXPECT_NE(text.find("of 64 samples have all their values"), std::string::npos) << text;
  EXPECT_NE(text.find("the result does not vary"), std::string::npos) << text;
}

TEST(Sensitivity, IsReadBackFromItsDocument) {
  const StudyFolder folder("sensitivity-back");
  const StudyRecord record =
      record_for(ranges + "sample: {count: 16}\nkeep: {f: {final: a*b}}\n", still);
  const std::string path = folder.write("results.json", results_json(record));
  EXPECT_EQ(results_json(read_record(path)), results_json(record));
}

}  // namespace
}  // namespace clack::study
