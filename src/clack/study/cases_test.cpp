// SPDX-License-Identifier: Apache-2.0
#include "clack/study/cases.hpp"

#include <gtest/gtest.h>

#include <set>

#include "clack/error.hpp"
#include "clack/study/study_files.hpp"

namespace clack::study {
namespace {

TEST(Cases, AreTheGridOfTheAxesWithTheLastAxisFastest) {
  const StudyFolder folder("cases-grid");
  const Study study =
      read_study(folder.study("axes: {v: [1, 2], e: {from: 0, to: 1, count: 3}}\n"));
  const Cases cases(study);
  ASSERT_EQ(cases.count(), 6);
  EXPECT_EQ(cases.at(0).values, (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(cases.at(1).values, (std::vector<std::string>{"1", "0.5"}));
  EXPECT_EQ(cases.at(5).values, (std::vector<std::string>{"2", "1"}));
  EXPECT_EQ(cases.lane(4), std::vector<long>{4});
}

TEST(Cases, LogarithmicRangesHaveEqualRatiosAndTheirOwnEnds) {
  const StudyFolder folder("cases-log");
  const Study study =
      read_study(folder.study("axes: {v: {from: 0.01, to: 100, count: 5, scale: log}}\n"));
  const auto& values = study.axes.front().values;
  ASSERT_EQ(values.size(), 5u);
  for (std::size_t k = 1; k < values.size(); ++k)
    EXPECT_NEAR(std::stod(values[k]) / std::stod(values[k - 1]), 10.0, 1e-12);
  EXPECT_EQ(std::stod(values.back()), 100.0);
}

TEST(Cases, LanesFollowOneAxisUpwardsAndDownwards) {
  const StudyFolder folder("cases-lanes");
  const Study study = read_study(folder.study("axes: {v: [1, 2, 3], e: [0.1, 0.2]}\nfollow: v\n"));
  const Cases cases(study);
  EXPECT_EQ(cases.count(), 12);
  ASSERT_EQ(cases.lane_count(), 4);
  EXPECT_EQ(cases.lane(0), (std::vector<long>{0, 2, 4}));
  EXPECT_EQ(cases.lane(3), (std::vector<long>{11, 9, 7}));
  std::set<long> all;
  for (long lane = 0; lane < 4; ++lane)
    for (const long number : cases.lane(lane)) all.insert(number);
  EXPECT_EQ(all.size(), 12u);
  EXPECT_EQ(cases.at(11).values, (std::vector<std::string>{"3", "0.2"}));
  EXPECT_EQ(cases.at(11).direction, Direction::down);
}

TEST(Cases, SobolPointsFillTheRangeEvenly) {
  // Of the first 2^k points of Sobol's sequence, without a shift, each of 2^k equal intervals holds one on every axis; the
  // first point, the origin, is left out.
  const StudyFolder folder("cases-sobol");
  const Study study =
      read_study(folder.study("axes: {v: {from: 0, to: 16}, e: {from: 0, to: 1}}\nsample: {count: "
                              "15, method: sobol, seed: 0}\n"));
  const Cases cases(study);
  std::set<int> first, second;
  for (long k = 0; k < 15; ++k) {
    first.insert(int(std::stod(cases.at(k).values[0])));
    second.insert(int(16.0 * std::stod(cases.at(k).values[1])));
  }
  EXPECT_EQ(first.size(), 15u);
  EXPECT_EQ(second.size(), 15u);
}

TEST(Cases, RandomSamplesDependOnTheSeedOnly) {
  const StudyFolder folder("cases-random");
  const std::string text = "axes: {v: {from: 1, to: 2}}\nsample: {count: 5, method: random, seed: ";
  const Study one = read_study(folder.study(text + "3}\n")),
              other = read_study(folder.study(text + "4}\n"));
  EXPECT_EQ(Cases(one).at(4).values, Cases(one).at(4).values);
  EXPECT_NE(Cases(one).at(4).values, Cases(other).at(4).values);
}

void expect_refused(const std::string& sections, const std::string& place,
                    const std::string& words) {
  const StudyFolder folder("cases-bad");
  try {
    read_study(folder.study(sections));
    ADD_FAILURE() << "accepted: " << sections;
  } catch (const InputError& error) {
    EXPECT_NE(error.where().find(place), std::string::npos)
        << error.where() << "  " << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(StudyFile, IsRefusedWithItsPlaceBeforeAnythingRuns) {
  expect_refused("axes: {speed: [1]}\n", "--set speed", "speed");
  expect_refused("axes: {v: []}\n", "study.yaml:3:", "has no value");
  expect_refused("axes: {v: {from: 1, to: 2, count: 1e6}, e: {from: 0, to: 1, count: 1e6}}\n",
                 "study.yaml:3:", "cases");
  expect_refused("axes: {v: {from: 0, to: 2, count: 3, scale: log}}\n",
                 "study.yaml:3:", "logarithmic");
  expect_refused("axes: {v: [1]}\nfollow: e\n", "study.yaml:4:", "is no axis");
  expect_refused("axes: {v: [1]}\nkeep: {x: {final: z}}\n", "study.yaml:4:", "z");
  expect_refused("axes: {v: [1]}\nkeep: {x: {final: y, of: 3}}\n", "study.yaml:4:", "of");
  expect_refused("axes: {v: [1]}\nkeep: {x: {count: hits}}\n", "study.yaml:4:", "hits");
  expect_refused("axes: {v: [1]}\nkeep: {x: {count: impact, contact: wall}}\n",
                 "study.yaml:4:", "no contact wall");
  expect_refused("axes: {v: [1]}\nkeep: {x: {value: y, last: 3}}\n",
                 "study.yaml:4:", "either at or when");
  expect_refused("axes: {v: [1]}\nkeep: {x: {value: t, at: impact, last: 2}, x_1: {final: y}}\n",
                 "study.yaml:4:", "there already");
  expect_refused("axes: {v: [1]}\nkeep: {x: {derived: z}, z: {final: y}}\n", "study.yaml:4:", "z");
  expect_refused("axes: {v: [1]}\nclassify: [{high: x}]\n", "study.yaml:4:", "x");
  expect_refused("axes: {v: [1]}\nclassify: [{low: otherwise}, {high: t}]\n",
                 "study.yaml:4:", "otherwise");
  expect_refused("axes: {v: [1]}\nsteps: 3\n", "study.yaml:4:", "steps");
  expect_refused("keep: {x: {final: y}}\n", "study.yaml", "nothing varies");
}

}  // namespace
}  // namespace clack::study
