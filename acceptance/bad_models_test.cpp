// SPDX-License-Identifier: Apache-2.0
// Bad input through the program: exit code 2 within a second, two lines with place and remedy,
// nothing left on disk.
#include <sys/resource.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance::bad_models {
namespace {

/// What is wrong, the file, and a word that the message must contain.
struct BadModel {
  std::string name, text, word;
};

const std::string head = "clack: 1\n";
const std::string ball = head + "coordinates: {y: 1}\nmass_matrix: [[1]]\nforce: [-9.81]\n";
const std::string bodies =
    head +
    "bodies:\n  ball: {mass: 1, inertia: 1, position: [0, 2], shape: {disk: {radius: 1}}}\n"
    "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n";

std::string nested(const std::string& open, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

std::string billion_laughs() {
  std::string text = head + "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format("a{0}: &a{0} [", i);
    for (int j = 0; j < 10; ++j) text += fmt::format("{}*a{}", j == 0 ? "" : ", ", i - 1);
    text += "]\n";
  }
  return text;
}

const std::vector<BadModel> bad_model_list = {
    {"empty file", "", "empty"},
    {"tab as indentation", "clack: 1\n\tname: x\n", "YAML"},
    {"unclosed bracket", head + "bodies: {ball: [1, 2}\n", "YAML"},
    {"unclosed quote", head + "name: \"open\n", "quote"},
    {"a list instead of a map", "- 1\n- 2\n", "map"},
    {"two documents", head + "---\n" + head, "document"},
    {"binary garbage",
     std::string("\x7f"
                 "ELF\x02\x01\x00\xff\xfe",
                 9),
     "text file"},
    {"zero bytes", head + std::string("\0\0\0", 3), "text file"},
    {"broken UTF-8", head + "name: \xc3\x28\n", "m.yaml"},
    {"no format version", "name: x\n", "version"},
    {"format of the future", "clack: 99\n", "version"},
    {"unknown key", head + "gravty: [0, -1]\n", "gravity"},
    {"unknown key in a contact",
     bodies + "contacts: {c: {between: [ball, floor], frictoin: 0.3}}\n", "friction"},
    {"unknown key in a body", head + "bodies: {b: {mas: 1}}\n", "mass"},
    {"repeated key", head + "name: a\nname: b\n", "twice"},
    {"dimension 4", head + "dimension: 4\n", "dimension"},
    {"gravity of three numbers in the plane", bodies + "gravity: [0, 0, -9.81]\n", "gravity"},
    {"zero mass", head + "bodies: {b: {mass: 0, inertia: 1}}\n", "mass"},
    {"negative mass", head + "bodies: {b: {mass: -1, inertia: 1}}\n", "mass"},
    {"negative inertia", head + "bodies: {b: {mass: 1, inertia: -1}}\n", "inertia"},
    {"mass that is not a number", head + "bodies: {b: {mass: .nan, inertia: 1}}\n", "mass"},
    {"infinite parameter", head + "parameters: {a: 1/0}\n", "finite"},
    {"root of a negative number", head + "parameters: {a: sqrt(-1)}\n", "finite"},
    {"circular parameters", head + "parameters: {a: b, b: a}\n", "itself"},
    {"unknown name in a formula", head + "parameters: {a: 2*bb}\n", "bb"},
    {"unknown function", head + "parameters: {a: system(1)}\n", "system"},
    {"unclosed formula", head + "parameters: {a: (1 + 2}\n", "parameter a"},
    {"mass matrix of a wrong size",
     head + "coordinates: {y: 1}\nmass_matrix: [[1, 0]]\nforce: [0]\n", "mass_matrix"},
    {"force of a wrong size", head + "coordinates: {y: 1}\nmass_matrix: [[1]]\nforce: [0, 1]\n",
     "force"},
    {"singular mass matrix",
     head + "coordinates: {x: 1, y: 1}\nmass_matrix: [[1, 1], [1, 1]]\nforce: [0, 0]\n",
     "positive definite"},
    {"unsymmetric mass matrix",
     head + "coordinates: {x: 1, y: 1}\nmass_matrix: [[2, 1], [0, 2]]\nforce: [0, 0]\n",
     "symmetric"},
    {"unknown body in a contact", bodies + "contacts: {c: {between: [bal, floor]}}\n", "ball"},
    {"unknown point", bodies + "contacts: {c: {between: [ball.tip, floor]}}\n", "tip"},
    {"negative friction", ball + "contacts: {c: {gap: y, slip: y_dot, friction: -0.1}}\n",
     "friction"},
    {"restitution above one", ball + "contacts: {c: {gap: y, restitution: 1.4}}\n", "restitution"},
    {"static below dynamic friction",
     ball + "contacts: {c: {gap: y, slip: y_dot, dynamic_friction: 0.4, static_friction: 0.2}}\n",
     "static"},
    {"penetration at the start", ball + "contacts: {c: {gap: y - 1.5}}\n", "0.5"},
    {"gap that is not finite", ball + "contacts: {c: {gap: log(y - 2)}}\n", "finite"},
    {"friction without slip", ball + "contacts: {c: {gap: y, friction: 0.3}}\n", "slip"},
    {"negative time", ball + "run: {until: -1}\n", "until"},
    {"tolerance of zero", ball + "run: {tolerance: 0}\n", "tolerance"},
    {"unknown theory", ball + "run: {theory: newtonn}\n", "newton"},
    {"unknown decision", ball + "run: {decision: lpc}\n", "lcp"},
    {"unknown integrator", ball + "run: {integrator: dop835}\n", "dop853"},
    {"unknown policy", ball + "policies: {painleve: maybe}\n", "stop"},
    {"unknown tolerance", ball + "tolerances: {gop: 1}\n", "gap"},
    {"formula bomb of parentheses", head + "parameters: {a: " + nested("(", ")", 200000) + "}\n",
     ""},
    {"formula bomb of powers", head + "parameters: {a: 9^9^9^9^9^9^9}\n", "parameter a"},
    {"formula of a hundred thousand terms",
     head + "parameters: {a: x" +
         [] {
           std::string sum;
           for (int i = 0; i < 100000; ++i) sum += "+x";
           return sum;
         }() +
         "}\n",
     ""},
    {"nesting bomb", head + "name: " + nested("[", "]", 100000) + "\n", ""},
    {"alias bomb", billion_laughs(), ""},
    {"repeat without end",
     head + "coordinates: {\"q{i}\": {start: 0, repeat: {count: 1e12, as: i}}}\n", ""},
    {"five megabytes", head + "about: " + std::string(5'000'000, 'x') + "\n", ""},
    {"action on an unknown constraint",
     ball + "events: [{when: t - 1, do: [{constraint_on: wall}]}]\n", "wall"},
    {"nothing moves", head, "moves"},
};

/// Processor time of all programs run so far, so that a busy machine does not matter.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void expect_refused(const ProgramFolder& folder, const std::string& name,
                    const std::string& arguments, const std::string& file,
                    const std::string& word) {
  const double before = processor_seconds();
  const testing::Finished answer = folder.clack(arguments);
  EXPECT_EQ(answer.exit_code, 2) << name << "\n" << answer.errors.substr(0, 500);
  EXPECT_TRUE(answer.output.empty()) << name;
  // Two lines: error: WHAT (WHERE) and help: REMEDY.
  const std::string& text = answer.errors;
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << name << "\n" << text.substr(0, 500);
  const std::string error = text.substr(0, text.find('\n')),
                    help = text.substr(text.find('\n') + 1);
  EXPECT_EQ(error.rfind("error: ", 0), 0u) << name << "\n" << error;
  EXPECT_EQ(help.rfind("help: ", 0), 0u) << name << "\n" << help;
  EXPECT_GT(help.size(), 10u) << name;
  EXPECT_LT(text.size(), 1000u) << name << ": a message is no dump of the file";
  EXPECT_NE(error.find(file), std::string::npos) << name << "\n" << error;
  EXPECT_NE(text.find(word), std::string::npos) << name << "\n" << text;
  EXPECT_LT(processor_seconds() - before, 1.0) << name;
}

TEST(BadModels, AreRefusedWithPlaceAndRemedyAndLeaveNothingBehind) {
  const ProgramFolder folder;
  const std::vector<BadModel>& all = bad_model_list;
  ASSERT_GE(all.size(), 30u);
  for (const BadModel& bad : all) {
    folder.write("m.yaml", bad.text);
    expect_refused(folder, bad.name, "run m.yaml --out results --hdf5", "m.yaml", bad.word);
    int files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.inside()))
      ++files;
    EXPECT_EQ(files, 1) << bad.name << ": only the model is there afterwards";
  }
}

TEST(BadModels, MistakesWithAPlaceNameTheirLine) {
  const ProgramFolder folder;
  for (const auto& [text, line] : std::vector<std::pair<std::string, std::string>>{
           {ball + "contacts:\n  c:\n    gap: y\n    restitution: 1.4\n", "m.yaml:8:"},
           {bodies + "contacts:\n  c: {between: [bal, floor]}\n", "m.yaml:6:"},
           {head + "parameters:\n  a: 1\n  b: 2*cc\n", "m.yaml:4:"},
           {ball + "contacts:\n  c: {gap: y - 1.5}\n", "m.yaml:6:"},
           {ball + "run:\n  theory: newtonn\n", "m.yaml:6:"}}) {
    folder.write("m.yaml", text);
    const testing::Finished answer = folder.clack("run m.yaml --out results");
    EXPECT_EQ(answer.exit_code, 2) << answer.errors;
    EXPECT_NE(answer.errors.find(line), std::string::npos) << line << " in\n" << answer.errors;
  }
}

TEST(BadModels, MissingFilesAndFoldersAreRefused) {
  const ProgramFolder folder;
  expect_refused(folder, "missing file", "run nowhere.yaml --out results", "nowhere.yaml", "");
  std::filesystem::create_directory(folder.inside() / "folder");
  expect_refused(folder, "a folder", "run folder --out results", "folder", "");
  EXPECT_FALSE(std::filesystem::exists(folder.inside() / "results"));
}

TEST(BadModels, BadSettingsAreRefused) {
  const ProgramFolder folder;
  folder.write("m.yaml", ball + "contacts: {c: {gap: y}}\n");
  for (const char* arguments :
       {"run m.yaml --set z=1", "run m.yaml --set y_0=abc", "run m.yaml --set y_0",
        "run m.yaml --until nan", "run m.yaml --theory nothing", "run m.yaml --integrator euler",
        "run m.yaml --tolerance -1", "run m.yaml --threads 0", "run m.yaml --no-such-option",
        "walk m.yaml", "run"}) {
    const testing::Finished answer = folder.clack(std::string(arguments) + " --out results");
    EXPECT_EQ(answer.exit_code, 2) << arguments << "\n" << answer.errors;
    EXPECT_EQ(answer.errors.rfind("error: ", 0), 0u) << arguments << "\n" << answer.errors;
    EXPECT_FALSE(std::filesystem::exists(folder.inside() / "results")) << arguments;
  }
}

}  // namespace
}  // namespace clack::acceptance::bad_models
