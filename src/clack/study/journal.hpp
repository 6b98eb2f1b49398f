// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

/// A finished case as one line of JSON, and back to the last bit.
std::string result_to_text(const CaseResult& result);
CaseResult result_from_text(const std::string& text);

/// What a journal belongs to; another study, model or program does not continue it.
struct JournalHead {
  std::string program;  // version
  std::uint64_t study = 0, model = 0;
  long cases = 0;
};
JournalHead head_of(const Study& study, long cases, const std::string& program);

/// A journal as it was found: a torn or damaged record and all behind it are not there.
struct JournalContent {
  JournalHead head;
  std::vector<CaseResult> results;
  std::size_t good_bytes = 0, lost_bytes = 0;
};
/// Throws InputError when the file is no journal.
JournalContent read_journal(const std::string& path);

/// Why a journal cannot be continued by a study: which of them differs; empty when it can.
std::string difference(const JournalHead& old, const JournalHead& now);

/// Finished cases, appended one by one: each is a record of its own,
///
///   length (8 hexadecimal digits) checksum (16) text (JSON) line break,
///
/// written by one call, so that it survives the end of the process at any instant; `flush_interval` bounds what the end of
/// the machine can take.
class Journal {
 public:
  /// A new journal; a file of this name is replaced.
  Journal(const std::string& path, const JournalHead& head);
  /// Goes on with one that was read; what was torn is cut off.
  Journal(const std::string& path, const JournalContent& content);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Throws NoAnswer when there is no room; what was written before stays good.
  void add(const CaseResult& result);
  void flush();

 private:
  void append(const std::string& text);
  using Clock = std::chrono::steady_clock;
  std::string path_;
  int file_ = -1;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace clack::study
