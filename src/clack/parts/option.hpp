// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace clack {

/// One of the declared names; `index` is its place among them, which is the order of the
/// enumeration that the part uses inside.
struct Choice {
  std::string_view name;
  int index = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Numbers row by row.
using NumberRows = std::vector<std::vector<double>>;

/// Names of things in the model or the problem.
using NameList = std::vector<std::string>;

/// number | count | choice | boolean | list of numbers | name of something in the problem | rows | names
using OptionValue =
    std::variant<double, int, Choice, bool, std::vector<double>, std::string, NumberRows, NameList>;

/// What a number, a count or an entry of a list may be.
struct OptionRange {
  double low = 0.0, high = 1.0;
  bool is_low_excluded = false, is_high_excluded = false;
  bool contains(double x) const {
    return (is_low_excluded ? x > low : x >= low) && (is_high_excluded ? x < high : x <= high);
  }
};

/// Where an option stands in a model file.
enum class OptionSection { policies, run };
std::string_view to_string(OptionSection section);

/// An option of a part, as data: what it is called, what it may be, what it is when nobody says.
struct Option {
  std::string_view key;   // among the `options` of a JSON problem, and for the part that reads it
  std::string_view help;  // one line
  OptionValue standard;   // its default; the alternative held is the type of the option
  OptionRange range = {};
  std::vector<std::string_view> choices = {};
  bool is_required = false;  // no default
  OptionSection section = OptionSection::policies;
  std::string_view model_key = {};  // in a model file; empty: `key`

  std::string_view key_in_model() const { return model_key.empty() ? key : model_key; }
};

Option number_option(std::string_view key, double standard, OptionRange range,
                     std::string_view help);
Option count_option(std::string_view key, int standard, int low, int high, std::string_view help);
/// The first choice is the default.
Option choice_option(std::string_view key, std::vector<std::string_view> choices,
                     std::string_view help);
Option boolean_option(std::string_view key, bool standard, std::string_view help);
Option list_option(std::string_view key, std::vector<double> standard, OptionRange range,
                   std::string_view help);
/// A name that the part looks up in its problem; empty when nobody gives one.
Option name_option(std::string_view key, std::string_view help);
/// Rows of finite numbers; empty when nobody gives them.
Option rows_option(std::string_view key, std::string_view help);
/// Names that are looked up in the model; none when nobody gives them.
Option names_option(std::string_view key, std::string_view help);
/// The same option at another place in model files.
Option in_model(Option option, OptionSection section, std::string_view model_key = {});
/// The same option without a default: the part cannot do without it.
Option required(Option option);

/// "policies: projection"
std::string place_in_model(const Option& option);
/// "unilateral, closed-form", "true, false", "number in (0, 1]", "whole number in [1, 9]", ...
std::string describe_type(const Option& option);
std::string describe_range(const OptionRange& range);
/// "unilateral"; empty when there is none.
std::string describe_default(const Option& option);

/// Values by key, each of the type and in the range that its option declares.
class OptionValues {
 public:
  OptionValues() = default;
  explicit OptionValues(std::map<std::string, OptionValue, std::less<>> values)
      : values_(std::move(values)) {}
  void set(std::string_view key, OptionValue value) {
    values_.insert_or_assign(std::string(key), std::move(value));
  }
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  bool empty() const { return values_.empty(); }

  double number(std::string_view key) const { return get<double>(key); }
  int count(std::string_view key) const { return get<int>(key); }
  bool is_on(std::string_view key) const { return get<bool>(key); }
  const std::vector<double>& list(std::string_view key) const {
    return get<std::vector<double>>(key);
  }
  const std::string& text(std::string_view key) const { return get<std::string>(key); }
  const NumberRows& rows(std::string_view key) const { return get<NumberRows>(key); }
  const NameList& names(std::string_view key) const { return get<NameList>(key); }
  std::string_view choice(std::string_view key) const { return get<Choice>(key).name; }
  /// The choice as the enumeration whose values stand in the order of the declared names.
  template <class Enumeration>
  Enumeration chosen(std::string_view key) const {
    return static_cast<Enumeration>(get<Choice>(key).index);
  }

 private:
  template <class Value>
  const Value& get(std::string_view key) const {
    return std::get<Value>(at(key));
  }
  const OptionValue& at(std::string_view key) const;

  std::map<std::string, OptionValue, std::less<>> values_;
};

/// The given values, and the defaults of all options that are not given.
OptionValues with_defaults(std::span<const Option> options, const OptionValues& given);

}  // namespace clack
