// SPDX-License-Identifier: Apache-2.0
#include "clack/study/journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/study/study_files.hpp"

namespace clack::study {
namespace {

CaseResult example(long number) {
  CaseResult result;
  result.number = number;
  result.status = number % 2 == 0 ? CaseStatus::done : CaseStatus::stopped;
  result.reason = number % 2 == 0 ? "" : "a \"reason\", with\nbreaks";
  result.class_name = "walks";
  result.values = {0.1 * double(number), std::nan("")};
  result.end = {{"y", 1.0 / 3.0}};
  return result;
}

const JournalHead head{"0.1.0", 1, 2, 10};

TEST(Journal, GivesBackWhatWasWrittenToTheLastBit) {
  const StudyFolder folder("journal-round");
  {
    Journal journal(folder.path("j"), head);
    for (long k = 0; k < 5; ++k) journal.add(example(k));
  }
  const JournalContent content = read_journal(folder.path("j"));
  EXPECT_EQ(difference(content.head, head), "");
  ASSERT_EQ(content.results.size(), 5u);
  EXPECT_EQ(content.results[3].values[0], 0.1 * 3.0);
  EXPECT_TRUE(std::isnan(content.results[3].values[1]));
  EXPECT_EQ(content.results[3].reason, example(3).reason);
  EXPECT_EQ(content.results[3].end.front().value, 1.0 / 3.0);
  EXPECT_EQ(content.lost_bytes, 0u);
}

// Whatever byte the file ends at, or is damaged at: the whole records before it are read, nothing else.
TEST(Journal, ATornOrDamagedTailIsCutAndNothingElse) {
  const StudyFolder folder("journal-torn");
  {
    Journal journal(folder.path("j"), head);
    for (long k = 0; k < 4; ++k) journal.add(example(k));
  }
  const std::string bytes = read_input_file(folder.path("j"));
  const std::size_t first = bytes.find('\n') + 1, second = bytes.find('\n', first) + 1;
  for (std::size_t end = first; end < bytes.size(); ++end) {
    folder.write("torn", bytes.substr(0, end));
    const JournalContent content = read_journal(folder.path("torn"));
    EXPECT_EQ(content.good_bytes + content.lost_bytes, end);
    EXPECT_LE(content.good_bytes, end);
    EXPECT_EQ(content.results.size(),
              std::size_t(std::count(bytes.begin() + first, bytes.begin() + end, '\n')));
  }
  for (std::size_t k = second; k < bytes.size(); k += 3) {
    std::string damaged = bytes;
    damaged[k] ^= 1;
    folder.write("damaged", damaged);
    EXPECT_LT(read_journal(folder.path("damaged")).results.size(), 4u) << k;
  }
  folder.write("torn", bytes.substr(0, bytes.size() - 5));
  {
    Journal journal(folder.path("torn"), read_journal(folder.path("torn")));
    journal.add(example(3));
  }
  EXPECT_EQ(read_input_file(folder.path("torn")), bytes);
}

TEST(Journal, SaysWhatDiffers) {
  EXPECT_NE(difference({"0.0.9", 1, 2, 10}, head).find("version 0.0.9"), std::string::npos);
  EXPECT_NE(difference({"0.1.0", 7, 2, 10}, head).find("study"), std::string::npos);
  EXPECT_NE(difference({"0.1.0", 1, 7, 10}, head).find("model"), std::string::npos);
}

TEST(Journal, AnotherFileIsNoJournal) {
  const StudyFolder folder("journal-other");
  EXPECT_THROW(read_journal(folder.path("ball.yaml")), InputError);
}

}  // namespace
}  // namespace clack::study
