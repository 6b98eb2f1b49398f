// SPDX-License-Identifier: Apache-2.0
// What every reader and writer shares: names that were mistyped, JSON in and out, files that are
// there completely or not at all.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "clack/atomic_file.hpp"
#include "clack/input_file.hpp"
#include "clack/json_input.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"

using namespace clack;

namespace {

constexpr std::array<std::string_view, 4> known_names = {"friction", "restitution", "mass", "mu"};

std::string nearest(std::string_view wrong) {
  return nearest_name(wrong, std::span<const std::string_view>(known_names));
}

/// What an action that must throw InputError says.
struct Refusal {
  std::string what, where, remedy;
};
template <class Action>
Refusal refusal_of(const Action& action) {
  try {
    action();
  } catch (const InputError& e) {
    return {e.what(), e.where(), e.remedy()};
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

class InputOutputFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "clack-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

const std::string file = "some.json";

}  // namespace

TEST(NearestName, CountsInsertedLostReplacedAndSwappedLetters) {
  EXPECT_EQ(edit_distance("mass", "mass"), 0);
  EXPECT_EQ(edit_distance("mas", "mass"), 1);
  EXPECT_EQ(edit_distance("masss", "mass"), 1);
  EXPECT_EQ(edit_distance("mess", "mass"), 1);
  EXPECT_EQ(edit_distance("amss", "mass"), 1);
  EXPECT_EQ(edit_distance("MASS", "mass"), 0);
  EXPECT_EQ(edit_distance("", "mass"), 4);
}

TEST(NearestName, FindsWhatWasMeantAndNothingForOtherWords) {
  EXPECT_EQ(nearest("frction"), "friction");
  EXPECT_EQ(nearest("Restitutoin"), "restitution");
  EXPECT_EQ(nearest("mue"), "mu");
  EXPECT_EQ(nearest("gravity"), "");
  EXPECT_EQ(nearest(""), "");
  EXPECT_EQ(nearest(std::string(100000, 'x')), "");
  EXPECT_EQ(list_names(known_names), "friction, restitution, mass, mu");
}

TEST(JsonInput, NamesLineAndColumnOfMalformedText) {
  const Refusal r = refusal_of([] { parse_json("{\n  \"a\": 1,\n  oops\n}", file); });
  EXPECT_EQ(r.where, "some.json:3:3");
  EXPECT_EQ(r.what.rfind("not valid JSON", 0), 0u) << r.what;
}

TEST(JsonInput, RefusesAKeyThatStandsTwiceAlsoInside) {
  EXPECT_EQ(refusal_of([] { parse_json(R"({"a": 1, "a": 2})", file); }).what,
            "key a appears twice");
  EXPECT_EQ(refusal_of([] { parse_json(R"({"x": [{"b": 1, "b": 2}]})", file); }).what,
            "key b appears twice");
  EXPECT_NO_THROW(parse_json(R"({"x": {"a": 1}, "y": {"a": 1}})", file));
}

TEST(JsonInput, RefusesNumbersBeyondDoubles) {
  EXPECT_THROW(parse_json("[1e999]", file), InputError);
}

TEST(JsonInput, NamesTheNearestOfTheKnownKeys) {
  const auto document = parse_json(R"({"mass": 1, "frictoin": 2})", file);
  const Refusal r = refusal_of([&] { check_keys(document, "contacts[2]", known_names, file); });
  EXPECT_EQ(r.what, "unknown key contacts[2].frictoin");
  EXPECT_EQ(r.remedy, "did you mean friction?");
  EXPECT_EQ(r.where, file);
  EXPECT_NO_THROW(check_keys(parse_json(R"({"mu": 1})", file), "", known_names, file));
  EXPECT_THROW(check_keys(parse_json("[1]", file), "", known_names, file), InputError);
}

TEST(JsonInput, NamesThePlaceOfAWrongEntry) {
  const auto document = parse_json(
      R"({"v": [1, 2, "x"], "M": [[1, 2], [3]], "t": 4, "flag": 1, "null": null})", file);
  EXPECT_EQ(refusal_of([&] { get_vector(document, "v", 3, "", file); }).what.rfind("v[2] is", 0),
            0u);
  EXPECT_EQ(refusal_of([&] { get_vector(document, "v", 2, "", file); }).what,
            "v has 3 numbers, must have 2");
  EXPECT_EQ(refusal_of([&] { get_matrix(document, "M", 2, 2, "a", file); }).what,
            "a.M[1] has 1 numbers, must have 2");
  EXPECT_EQ(refusal_of([&] { get_matrix(document, "M", 3, 2, "", file); }).what,
            "M has 2 rows, must have 3");
  EXPECT_EQ(refusal_of([&] { get_number(document, "none", "a", file); }).what,
            "key a.none is missing");
  EXPECT_THROW(get_number(document, "null", "", file), InputError);
  EXPECT_THROW(get_text(document, "t", "", file), InputError);
  EXPECT_THROW(get_flag_or(document, "flag", false, "", file), InputError);
  EXPECT_EQ(get_number(document, "t", "", file), 4.0);
  EXPECT_EQ(get_number_or(document, "absent", 7.0, "", file), 7.0);
  EXPECT_TRUE(get_flag_or(document, "absent", true, "", file));
}

TEST(JsonInput, ReadsMatricesRowByRow) {
  const auto document = parse_json(R"({"M": [[1, 2, 3], [4, 5, 6]], "none": []})", file);
  Eigen::MatrixXd expected(2, 3);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(get_matrix(document, "M", -1, -1, "", file), expected);
  EXPECT_EQ(get_matrix(document, "none", -1, -1, "", file).size(), 0);
}

// 17 significant digits carry every bit of a double.
TEST(JsonOutput, EveryDoubleReadsBackToTheSameBits) {
  const auto text_of = [](double number) { return to_json_text(nlohmann::ordered_json(number)); };
  std::mt19937_64 random(1);
  for (int k = 0; k < 20000; ++k) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const double back = std::stod(std::abs(number) < 1e-307 ? "0" : text_of(number));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::abs(number) < 1e-307 ? 0.0 : number),
              std::bit_cast<std::uint64_t>(back));
  }
  EXPECT_EQ(text_of(1.0), "1.0");
  EXPECT_EQ(text_of(-0.0), "-0.0");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonOutput, KeepsTheOrderOfKeysAndParsesBack) {
  nlohmann::ordered_json document;
  document["z"] = to_json_list(Eigen::Vector3d(0.1, 2.0, -3.0));
  document["a"] = {
      {"text", "quote \" and \n"}, {"count", 3}, {"empty", nlohmann::ordered_json::array()}};
  document["M"] = to_json_rows((Eigen::MatrixXd(2, 2) << 1, 2, 3, 4).finished());
  for (const int indent : {-1, 0, 2}) {
    const std::string text = to_json_text(document, indent);
    EXPECT_EQ(nlohmann::ordered_json::parse(text), document) << text;
    EXPECT_LT(text.find("\"z\""), text.find("\"a\""));
    EXPECT_EQ(text.find('\n') == std::string::npos, indent < 0);
  }
  EXPECT_NE(to_json_text(document, 2).find("\"z\": [0.10000000000000001, 2.0, -3.0]"),
            std::string::npos);
}

TEST_F(InputOutputFolder, AWrittenFileHoldsTheBytesAndNoOtherFileStays) {
  const std::string bytes("with a zero \0 inside", 20);
  write_file_atomically(path("out.txt"), bytes);
  EXPECT_EQ(content(path("out.txt")), bytes);
  write_file_atomically(path("out.txt"), "second");
  EXPECT_EQ(content(path("out.txt")), "second");
  EXPECT_EQ(read_input_file(path("out.txt")), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(InputOutputFolder, AFileThatCannotBeWrittenLeavesNothing) {
  EXPECT_THROW(write_file_atomically(path("no/such/folder.txt"), "x"), InputError);
  std::filesystem::create_directory(path("folder"));
  EXPECT_THROW(write_file_atomically(path("folder"), "x"), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(path("folder")));
  EXPECT_EQ(files(), 1u);
}

TEST_F(InputOutputFolder, ReadingNamesWhatIsWrongWithTheFile) {
  EXPECT_EQ(refusal_of([&] { read_input_file(path("absent")); }).what, "there is no such file");
  EXPECT_EQ(refusal_of([&] { read_input_file(folder_.string()); }).what,
            "this is a folder, not a file");
  std::ofstream(path("large")).put('x');
  std::filesystem::resize_file(path("large"), largest_input_file + 1);  // a hole: no room on disk
  EXPECT_EQ(refusal_of([&] { read_input_file(path("large")); }).what,
            "the file is larger than 512 MiB");
  std::ofstream(path("bad.json")) << "{";
  EXPECT_EQ(refusal_of([&] { read_json_file(path("bad.json")); }).where, path("bad.json") + ":1:2");
}

TEST(InputFile, CountsLinesAndColumnsFromOne) {
  EXPECT_EQ(line_and_column("ab\ncd", 0), "1:1");
  EXPECT_EQ(line_and_column("ab\ncd", 4), "2:2");
  EXPECT_EQ(line_and_column("ab\ncd", 1000), "2:3");
}

TEST(InputFile, MessagesStayOnOneLineOfPlainLetters) {
  EXPECT_EQ(printable("a\nb\x1b[31m\xff"), "a?b?[31m?");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}
