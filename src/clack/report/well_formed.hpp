// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace clack::report {

/// For tests: why a piece of XML is not well formed, or nothing. Checks that tags nest, attributes
/// are quoted and unique, and that `<` and `&` appear only where they may; declarations (<?...?>)
/// are skipped.
class WellFormed {
 public:
  static std::string problem(std::string_view xml) { return WellFormed(xml).check(); }

 private:
  explicit WellFormed(std::string_view xml) : xml_(xml) {}

  std::string check() {
    while (at_ < xml_.size()) {
      if (xml_[at_] == '&' && !skip_entity()) return near("a bare &");
      if (xml_[at_] != '<') {
        ++at_;
        continue;
      }
      if (const std::string wrong = tag(); !wrong.empty()) return near(wrong);
    }
    return open_.empty() ? "" : "unclosed " + open_.back();
  }

  std::string near(const std::string& what) const {
    return what + " near \"" + std::string(xml_.substr(at_, 60)) + "\"";
  }

  bool skip_entity() {
    const std::size_t end = xml_.find(';', at_);
    if (end == std::string_view::npos || end - at_ > 8 || end == at_ + 1) return false;
    for (std::size_t k = at_ + 1; k < end; ++k)
      if (std::isalnum(static_cast<unsigned char>(xml_[k])) == 0 && xml_[k] != '#') return false;
    at_ = end + 1;
    return true;
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < xml_.size() && (std::isalnum(static_cast<unsigned char>(xml_[at_])) != 0 ||
                                 xml_[at_] == '-' || xml_[at_] == ':' || xml_[at_] == '_'))
      ++at_;
    return std::string(xml_.substr(begin, at_ - begin));
  }

  void skip_space() {
    while (at_ < xml_.size() && std::isspace(static_cast<unsigned char>(xml_[at_])) != 0) ++at_;
  }

  std::string attribute(std::vector<std::string>& seen) {
    const std::string key = name();
    if (key.empty()) return "a bad attribute";
    for (const std::string& other : seen)
      if (other == key) return "a doubled attribute " + key;
    seen.push_back(key);
    if (xml_.substr(at_, 2) != "=\"") return "an attribute without quotes";
    at_ += 2;
    while (at_ < xml_.size() && xml_[at_] != '"') {
      if (xml_[at_] == '<') return "< in an attribute";
      if (xml_[at_] == '&' ? !skip_entity() : (++at_, false)) return "a bare & in an attribute";
    }
    ++at_;
    return "";
  }

  std::string tag() {
    if (xml_.substr(at_, 2) == "<?") {
      at_ = xml_.find("?>", at_) + 2;
      return "";
    }
    const bool is_closing = xml_.substr(at_, 2) == "</";
    at_ += is_closing ? 2 : 1;
    const std::string tag_name = name();
    if (tag_name.empty()) return "a bare <";
    std::vector<std::string> seen;
    for (skip_space(); at_ < xml_.size() && xml_[at_] != '>' && xml_[at_] != '/'; skip_space())
      if (const std::string wrong = attribute(seen); !wrong.empty()) return wrong;
    const bool is_empty = xml_.substr(at_, 2) == "/>";
    at_ += is_empty ? 2 : 1;
    if (is_closing) {
      if (open_.empty() || open_.back() != tag_name) return "an unexpected end of " + tag_name;
      open_.pop_back();
    } else if (!is_empty) {
      open_.push_back(tag_name);
    }
    return "";
  }

  std::string_view xml_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
};

}  // namespace clack::report
