// SPDX-License-Identifier: Apache-2.0
#include "clack/study/page.hpp"

#include <gtest/gtest.h>

#include "clack/study/study_files.hpp"
#include "clack/study/sweep.hpp"

namespace clack::study {
namespace {

std::string page_of(const std::string& sections) {
  const StudyFolder folder("page");
  const Study study = read_study(folder.study(sections));
  std::vector<CaseResult> results;
  sweep(study, results, {});
  return study_page(record_of(study, results));
}

int count_of(const std::string& text, const std::string& words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

TEST(StudyPage, HasACellPerCaseForTwoAxes) {
  const std::string page = page_of(
      "axes: {v: {from: 1, to: 2, count: 4}, e: [0.1, 0.5, 0.9]}\nkeep: {end: {final: "
      "y}}\nclassify: [{high: end - 0.1}, {low: otherwise}]\n");
  EXPECT_EQ(count_of(page, "<rect class=\"cell\""), 24);  // classes and one number
  EXPECT_NE(page.find("high"), std::string::npos);
}

TEST(StudyPage, DrawsBothDirectionsOfAFollowedAxis) {
  const std::string page =
      page_of("axes: {v: [1, 2, 3]}\nfollow: v\nkeep: {hit: {value: t, at: impact, last: 2}}\n");
  EXPECT_NE(page.find(">up<"), std::string::npos);
  EXPECT_NE(page.find(">down<"), std::string::npos);
  EXPECT_GE(count_of(page, "h0"), 6);
}

TEST(StudyPage, CountsSamplesInHistograms) {
  const std::string page =
      page_of("axes: {v: {from: 1, to: 2}}\nsample: {count: 20}\nkeep: {end: {final: y}}\n");
  EXPECT_GE(count_of(page, "class=\"on\""), 30);
}

TEST(StudyPage, NamesAreEscaped) {
  const std::string page = page_of(
      "name: <script>alert(1)</script>\nabout: a & b\naxes: {v: [1, 2]}\nkeep: {end: {final: "
      "y}}\n");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("a &amp; b"), std::string::npos);
}

}  // namespace
}  // namespace clack::study
