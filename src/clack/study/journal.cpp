// SPDX-License-Identifier: Apache-2.0
#include "clack/study/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/json_output.hpp"
#include "clack/study/checksum.hpp"

namespace clack::study {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t prefix = 8 + 1 + 16 + 1;                   // of a record
constexpr auto flush_interval = std::chrono::milliseconds(500);  // between two waits for the disk

std::string record(const std::string& text) {
  return fmt::format("{:08x} {:016x} {}\n", text.size(), checksum64(text), text);
}

/// The text of the record at `offset`; empty when it is torn or damaged.
std::string record_at(const std::string& bytes, std::size_t offset) {
  if (bytes.size() - offset < prefix || bytes[offset + 8] != ' ' || bytes[offset + 25] != ' ')
    return "";
  char* end = nullptr;
  const std::string length_text = bytes.substr(offset, 8), sum_text = bytes.substr(offset + 9, 16);
  const std::size_t length = std::strtoull(length_text.c_str(), &end, 16);
  if (end != length_text.c_str() + 8 || length > bytes.size()) return "";
  const std::uint64_t sum = std::strtoull(sum_text.c_str(), &end, 16);
  if (end != sum_text.c_str() + 16 || offset + prefix + length + 1 > bytes.size()) return "";
  std::string text = bytes.substr(offset + prefix, length);
  return bytes[offset + prefix + length] == '\n' && checksum64(text) == sum ? text : "";
}

std::string head_text(const JournalHead& head) {
  return to_json_text(Json{{"clack_study_journal", 1},
                           {"program", head.program},
                           {"study", fmt::format("{:016x}", head.study)},
                           {"model", fmt::format("{:016x}", head.model)},
                           {"cases", head.cases}},
                      -1);
}

JournalHead head_from(const std::string& text, const std::string& path) {
  const Json json = text.empty() ? Json() : Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("clack_study_journal", 0) != 1)
    throw InputError("this is no journal of a study", path, "choose another folder with --out");
  return {json.at("program"), std::stoull(json.at("study").get<std::string>(), nullptr, 16),
          std::stoull(json.at("model").get<std::string>(), nullptr, 16), json.at("cases")};
}

[[noreturn]] void fail(const char* what, const std::string& path) {
  const std::string text = std::string(what) + ": " + std::strerror(errno);
  if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)
    throw NoAnswer(text, path,
                   "make room and go on with --resume: the cases before this one are kept");
  throw InputError(text, path, "check that the folder exists and is writable");
}

}  // namespace

std::string result_to_text(const CaseResult& result) {
  Json end = Json::array();
  for (const NamedValue& value : result.end) end.push_back(Json::array({value.name, value.value}));
  return to_json_text(Json{{"case", result.number},
                           {"status", std::string(to_string(result.status))},
                           {"reason", result.reason},
                           {"class", result.class_name},
                           {"followed", result.is_followed},
                           {"values", result.values},
                           {"end", end}},
                      -1);
}

CaseResult result_from_text(const std::string& text) {
  const Json json = Json::parse(text);
  CaseResult result;
  result.number = json.at("case");
  result.status = case_status(json.at("status").get<std::string>()).value();
  result.reason = json.at("reason");
  result.class_name = json.at("class");
  result.is_followed = json.at("followed");
  for (const Json& value : json.at("values"))
    result.values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                            : value.get<double>());
  for (const Json& value : json.at("end")) result.end.push_back({value.at(0), value.at(1)});
  return result;
}

JournalHead head_of(const Study& study, long cases, const std::string& program) {
  return {program, study.study_hash, study.model_hash, cases};
}

std::string difference(const JournalHead& old, const JournalHead& now) {
  if (old.program != now.program)
    return fmt::format("it was begun by version {} of the program, this is {}", old.program,
                       now.program);
  if (old.model != now.model) return "the model file is another one";
  if (old.study != now.study) return "the study file or its --set are others";
  if (old.cases != now.cases)
    return fmt::format("it has {} cases, the study {}", old.cases, now.cases);
  return "";
}

JournalContent read_journal(const std::string& path) {
  const std::string bytes = read_input_file(path);
  JournalContent content;
  std::string text = record_at(bytes, 0);
  content.head = head_from(text, path);
  content.good_bytes = prefix + text.size() + 1;
  while (content.good_bytes < bytes.size()) {
    text = record_at(bytes, content.good_bytes);
    if (text.empty()) break;
    content.results.push_back(result_from_text(text));
    content.good_bytes += prefix + text.size() + 1;
  }
  content.lost_bytes = bytes.size() - content.good_bytes;
  return content;
}

Journal::Journal(const std::string& path, const JournalHead& head) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) fail("the journal cannot be written", path_);
  append(head_text(head));
  flush();
}

Journal::Journal(const std::string& path, const JournalContent& content) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) fail("the journal cannot be continued", path_);
  if (::ftruncate(file_, content.good_bytes) != 0 || ::lseek(file_, 0, SEEK_END) < 0)
    fail("the journal cannot be continued", path_);
}

Journal::~Journal() {
  if (file_ < 0) return;
  (void)::fdatasync(file_);
  ::close(file_);
}

void Journal::append(const std::string& text) {
  const std::string bytes = record(text);
  const off_t begin = ::lseek(file_, 0, SEEK_END);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(file_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      (void)::ftruncate(file_, begin);  // no torn record of our own
      errno = reason;
      fail("the journal cannot be written", path_);
    }
    written += count;
  }
}

void Journal::add(const CaseResult& result) {
  append(result_to_text(result));
  if (Clock::now() - flushed_ > flush_interval) flush();
}

void Journal::flush() {
  if (::fdatasync(file_) != 0) fail("the journal cannot be written", path_);
  flushed_ = Clock::now();
}

}  // namespace clack::study
