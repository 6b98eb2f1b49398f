// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/option.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "clack/error.hpp"
#include "clack/parts/option_json.hpp"

namespace clack {
namespace {

enum class Colour { red, green };

/// One option of every type.
std::vector<Option> one_of_each() {
  return {number_option("size", 0.5, {.low = 0.0, .high = 1.0, .is_low_excluded = true}, ""),
          count_option("count", 3, 1, 9, ""),
          choice_option("colour", {"red", "green"}, ""),
          boolean_option("fast", true, ""),
          list_option("weights", {1.0, 2.0}, {.low = 0.0, .high = 5.0}, ""),
          name_option("leader", ""),
          rows_option("table", "")};
}

ReadOptions read(const std::string& json, const PartDescription* part) {
  PartCatalogue catalogue;
  catalogue.parts = {{.kind = PartKind::decision,
                      .name = "other",
                      .options = {boolean_option("elsewhere", true, "")}}};
  return read_options(nlohmann::json::parse(json), {}, part, catalogue, "f.json");
}

std::string complaint(const std::string& json) {
  const PartDescription part{.kind = PartKind::impact_law, .name = "law", .options = one_of_each()};
  try {
    (void)read(json, &part);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), "f.json");
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "";
}

TEST(Options, DefaultsHoldWhatIsNotGiven) {
  OptionValues given;
  given.set("count", 7);
  const OptionValues values = with_defaults(one_of_each(), given);
  EXPECT_EQ(values.number("size"), 0.5);
  EXPECT_EQ(values.count("count"), 7);
  EXPECT_EQ(values.chosen<Colour>("colour"), Colour::red);
  EXPECT_TRUE(values.is_on("fast"));
  EXPECT_EQ(values.list("weights"), (std::vector<double>{1.0, 2.0}));
}

TEST(Options, NamesAndRowsAreReadAsTheyAre) {
  const PartDescription part{.kind = PartKind::impact_law, .name = "law", .options = one_of_each()};
  const OptionValues values = with_defaults(one_of_each(), {});
  EXPECT_EQ(values.text("leader"), "");
  EXPECT_TRUE(values.rows("table").empty());
  const OptionValues given =
      read(R"({"leader": "left", "table": [[1, -2], [0, 3]]})", &part).values;
  EXPECT_EQ(given.text("leader"), "left");
  EXPECT_EQ(given.rows("table"), (NumberRows{{1, -2}, {0, 3}}));
  EXPECT_NE(complaint(R"({"leader": 3})"), "");
  EXPECT_NE(complaint(R"({"table": [[1], [1, 2]]})"), "");
  EXPECT_NE(complaint(R"({"table": [["a"]]})"), "");
  EXPECT_NE(complaint(R"({"weights": []})").find("is an empty list"), std::string::npos);
}

TEST(Options, ReadingOneThatIsNotDeclaredIsOurMistake) {
  EXPECT_THROW((void)OptionValues{}.number("size"), std::logic_error);
}

TEST(Options, AreDescribedByTypeRangeAndDefault) {
  const auto options = one_of_each();
  EXPECT_EQ(describe_type(options[0]), "number in (0, 1]");
  EXPECT_EQ(describe_type(options[1]), "whole number in [1, 9]");
  EXPECT_EQ(describe_type(options[2]), "red, green");
  EXPECT_EQ(describe_type(options[3]), "true, false");
  EXPECT_EQ(describe_type(options[4]), "list of numbers in [0, 5]");
  EXPECT_EQ(describe_default(options[2]), "red");
  EXPECT_EQ(describe_default(options[4]), "[1, 2]");
  EXPECT_EQ(describe_default(required(options[0])), "");
  const OptionRange positive{0.0, std::numeric_limits<double>::infinity(), true};
  EXPECT_EQ(describe_range(positive), "> 0");
}

TEST(Options, EveryTypeIsReadFromJson) {
  const PartDescription part{.kind = PartKind::impact_law, .name = "law", .options = one_of_each()};
  const OptionValues values =
      read(R"({"size": 0.25, "count": 2, "colour": "green", "fast": false, "weights": [0, 4]})",
           &part)
          .values;
  EXPECT_EQ(values.number("size"), 0.25);
  EXPECT_EQ(values.count("count"), 2);
  EXPECT_EQ(values.chosen<Colour>("colour"), Colour::green);
  EXPECT_FALSE(values.is_on("fast"));
  EXPECT_EQ(values.list("weights"), (std::vector<double>{0.0, 4.0}));
}

TEST(Options, ValuesOutsideTheirRangeOrTypeAreRefused) {
  EXPECT_NE(complaint(R"({"size": 0})").find("options.size is 0, must be in (0, 1]"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"count": 10})").find("[1, 9]"), std::string::npos);
  EXPECT_NE(complaint(R"({"count": 2.5})").find("integer"), std::string::npos);
  EXPECT_NE(complaint(R"({"colour": "blue"})").find("red, green"), std::string::npos);
  EXPECT_NE(complaint(R"({"fast": 1})").find("true or false"), std::string::npos);
  EXPECT_NE(complaint(R"({"weights": [1, 6]})").find("in [0, 5]"), std::string::npos);
  EXPECT_NE(complaint(R"([1])").find("must be an object"), std::string::npos);
}

TEST(Options, AKeyThatThePartDoesNotReadNamesTheOneThatDoesOrTheNearest) {
  EXPECT_EQ(complaint(R"({"elsewhere": true})"),
            "options.elsewhere is read by decision other, not by impact law law | remove it, or "
            "ask decision other");
  EXPECT_NE(complaint(R"({"colur": "red"})").find("did you mean colour?"), std::string::npos);
}

TEST(Options, AreListedWhereNoPartIsAsked) {
  EXPECT_EQ(read(R"({"elsewhere": true})", nullptr).unread, std::vector<std::string>{"elsewhere"});
  EXPECT_THROW((void)read(R"({"nowhere": true})", nullptr), InputError);
}

}  // namespace
}  // namespace clack
