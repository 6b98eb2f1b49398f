// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// A model with one mistake, the place where it must be reported and words of the message and of
/// the remedy.
struct Mistake {
  std::string yaml, where, what, remedy;
};

const std::string head = "clack: 1\n";
const std::string ball = head +
                         "bodies:\n"
                         "  ball: {mass: 1, inertia: 1, shape: {disk: {radius: 1}}}\n"
                         "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n";
const std::string pair = head +
                         "coordinates: {q: 0.5, p: 0}\n"
                         "mass_matrix: [[1, 0], [0, 1]]\n"
                         "force: [0, 0]\n";

// Line and column are 1-based.
const std::vector<Mistake> mistakes = {
    // broken YAML and structure
    {"", "m.yaml", "empty", "clack: 1"},
    {"# only a comment\n", "m.yaml", "empty", "clack: 1"},
    {"clack: 1\n\tname: x\n", "m.yaml:2:", "not valid YAML", "spaces, not with tabs"},
    {"clack: 1\nbodies: {ball: [1, 2}\n", "m.yaml:2:", "not valid YAML", "[ and {"},
    {"clack: 1\nname: \"open\n", "m.yaml:", "closing quote is missing", "quote"},
    {"clack: 1\n  name: x\n", "m.yaml:2:", "not valid YAML", "indentation"},
    {"clack: 1\nname: *nowhere\n", "m.yaml:2:", "not valid YAML", "anchor"},
    {"clack: 1\nname: a\nname: b\n", "m.yaml:3:1", "name appears twice", "keep one"},
    {"clack: 1\n---\nclack: 1\n", "m.yaml:2:", "more than one YAML document", "---"},
    {"clack: 1\nname: !!binary abc\n", "m.yaml:2:", "tags", "remove the tag"},
    {"clack: 1\n? [a, b]\n: 2\n", "m.yaml:2:", "a key is a list", "plain text"},
    {"clack: 1\nname: &a [*a]\n", "m.yaml:2:", "alias", "write the value out"},
    {"just text", "m.yaml:1:1", "a map of keys", "KEY: VALUE"},
    {"- 1\n- 2\n", "m.yaml:1:1", "a map of keys", "KEY: VALUE"},
    {std::string("clack: 1\n\0\x01\x02", 12), "m.yaml:2:1", "not a text file (byte 0x00)", "UTF-8"},
    {"\x7f"
     "ELF\x02\x01",
     "m.yaml:1:1", "not a text file", "UTF-8"},
    // header
    {"name: x\n", "m.yaml:1:1", "format version is missing", "clack: 1"},
    {"clack: 2\n", "m.yaml:1:8", "format version 2", "clack: 1"},
    {head + "dimension: 4\n", "m.yaml:2:12", "dimension is 4, must be 2 or 3", "dimension: 2"},
    {head + "gravty: [0, 1]\n", "m.yaml:2:1", "unknown key gravty", "did you mean gravity?"},
    {head, "m.yaml:1:1", "nothing in this model moves", "bodies"},
    {head + "name: [a]\n", "m.yaml:2:7", "name: a text is expected", "text"},
    // parameters and formulas
    {head + "parameters: [1]\n", "m.yaml:2:13", "parameters: a map", "{m: 1"},
    {head + "parameters: {a: b, b: a}\n", "m.yaml:2:", "depends on itself", "circle"},
    {head + "parameters: {a: 2*bb}\n", "m.yaml:2:19", "parameter a", "a"},
    {head + "parameters: {a: 1/0}\n", "m.yaml:2:17", "parameter a is inf", "division"},
    {head + "parameters: {a: sqrt(-1)}\n", "m.yaml:2:17", "must be finite", "division"},
    {head + "parameters: {a: nan}\n", "m.yaml:2:17", "nan", ""},
    {head + "parameters: {sin: 1}\n", "m.yaml:2:14", "parameter sin: this word has a meaning",
     "another name"},
    {head + "parameters: {1a: 1}\n", "m.yaml:2:14", "parameter 1a: this is no name", "letters"},
    {head + "parameters: {a: (1}\n", "m.yaml:2:", "parameter a", ""},
    {head + "parameters: {a: [1]}\n", "m.yaml:2:17", "a number or a formula", "formula"},
    {head + "parameters: {a: t}\n", "m.yaml:2:17", "parameter a", ""},
    {head + "parameters: {a: {valu: 3}}\n", "m.yaml:2:18", "unknown key valu", "value"},
    {head + "parameters: {q_0: 1}\ncoordinates: {q: 1}\nbodies: {b: {mass: 1, position: [q, 0]}}\n",
     "m.yaml:2:13", "name of a start value", "another name"},
    // bodies
    {head + "bodies: {b: {mass: 0, inertia: 1}}\n", "m.yaml:2:20",
     "body b: mass is 0, must be positive", "greater than 0"},
    {head + "bodies: {b: {mass: -2, inertia: 1}}\n", "m.yaml:2:20", "body b: mass is -2",
     "greater than 0"},
    {head + "bodies: {b: {mass: 1, inertia: -1}}\n", "m.yaml:2:32", "inertia is -1",
     "0 or a positive"},
    {head + "bodies: {b: {mass: 1, inertia: 0}}\n", "m.yaml:2:32", "inertia is 0, must be positive",
     "mass centre"},
    {head + "bodies: {b: {mass: 1}}\n", "m.yaml:2:13", "needs an inertia", "inertia"},
    {head + "bodies: {b: {inertia: 1}}\n", "m.yaml:2:13", "needs a mass", "fixed: true"},
    {head + "bodies: {b: {mass: 1, inertia: 1, position: [1, 2, 3]}}\n", "m.yaml:2:45",
     "position has 3 entries, must have 2", "2 entries"},
    {head + "bodies: {b: {mass: 1, inertia: 1, postion: [1, 2]}}\n", "m.yaml:2:35",
     "body b: unknown key postion", "did you mean position?"},
    {head + "bodies: {b: {mass: .nan, inertia: 1}}\n", "m.yaml:2:20", "body b: mass", ""},
    {head + "bodies: {b: {fixed: yes}}\n", "m.yaml:2:21", "fixed is yes, must be true or false",
     "true or false"},
    {head + "bodies: {b: {fixed: true, mass: 1}}\n", "m.yaml:2:33",
     "mass has no meaning because it is fixed", "remove"},
    {head + "bodies: {b: {fixed: true, motion: {}}}\n", "m.yaml:2:13", "exclude each other",
     "keep one"},
    {head + "bodies: {b-1: {mass: 1, inertia: 1}}\n", "m.yaml:2:10", "body b-1: this is no name",
     "letters"},
    {head + "bodies: {b: {mass: 1, inertia: 1, orientation: [1, 0, 0, 0]}}\n", "m.yaml:2:48",
     "orientation has no meaning in dimension 2", "angle"},
    {head + "bodies: {b: {mass: 1, inertia: 1, shape: {sphere: {radius: 1}}}}\n", "m.yaml:2:42",
     "no sphere in dimension 2", "disk"},
    {head + "bodies: {b: {mass: 1, inertia: 1, shape: {disk: {radius: -1}}}}\n", "m.yaml:2:58",
     "radius is -1", "greater than 0"},
    {head + "bodies: {b: {mass: 1, inertia: 1, shape: {half-plane: {normal: [0, 0]}}}}\n",
     "m.yaml:2:64", "normal is zero", "direction"},
    {head + "bodies: {b: {mass: 1, inertia: 1, angle: q}}\n", "m.yaml:2:42", "body b: angle", ""},
    {head + "bodies: {b: {motion: {position: [sin(u), 0]}}}\n", "m.yaml:2:38",
     "body b: motion: position[1]", ""},
    {head + "dimension: 3\nbodies: {b: {mass: 1, inertia: [1, 1, 3]}}\n", "m.yaml:3:32",
     "no mass distribution", "sum of the other two"},
    {head + "dimension: 3\nbodies: {b: {mass: 1, inertia: 1, orientation: [0, 0, 0, 0]}}\n",
     "m.yaml:3:48", "orientation is zero", "[1, 0, 0, 0]"},
    {head + "coordinates: {q: 0}\nbodies: {b: {mass: 1, position: [1, 2]}}\n", "m.yaml:2:18",
     "coordinate q: no body with mass moves with it", "depend on it"},
    {head + "coordinates: {q: 0, p: 0}\nbodies: {b: {mass: 1, position: [q + p, 0]}}\n",
     "m.yaml:2:14", "not positive definite", "masses"},
    {head + "coordinates: {q: 0}\nspeeds: {p_dot: 1}\nbodies: {b: {mass: 1, position: [q, 2]}}\n",
     "m.yaml:3:10", "no speed p_dot", "q_dot"},
    // mass matrix
    {head + "coordinates: {q: 0}\nmass_matrix: [[1]]\n", "m.yaml:3:14", "belong together", "both"},
    {head + "coordinates: {q: 0, p: 0}\nmass_matrix: [[1, 0]]\nforce: [0, 0]\n", "m.yaml:3:14",
     "mass_matrix has 1 entries, must have 2", "2 entries"},
    {head + "coordinates: {q: 0, p: 0}\nmass_matrix: [[1, 0], [0, -1]]\nforce: [0, 0]\n",
     "m.yaml:3:14", "smallest eigenvalue is -1", "signs"},
    {head + "coordinates: {q: 0, p: 0}\nmass_matrix: [[1, 0], [0.5, 1]]\nforce: [0, 0]\n",
     "m.yaml:3:24", "not symmetric", "same formula"},
    {head + "coordinates: {q: 0}\nmass_matrix: [[1/q]]\nforce: [0]\n", "m.yaml:3:16",
     "row 1 column 1 is", "start"},
    {head + "coordinates: {q: 0}\nmass_matrix: [[1]]\nforce: [1/q]\n", "m.yaml:4:9",
     "force[1] is inf at the start", "start values"},
    {pair + "gravity: [0, -1]\n", "m.yaml:5:10", "gravity has no meaning beside mass_matrix",
     "force"},
    // contacts
    {ball + "contacts: {c: {between: [ball, flor]}}\n", "m.yaml:5:32", "no body flor",
     "did you mean floor?"},
    {ball + "contacts: {c: {between: [ball.tip, floor]}}\n", "m.yaml:5:26",
     "body ball has no point tip", "points"},
    {ball + "contacts: {c: {between: [ball]}}\n", "m.yaml:5:25",
     "between has 1 entries, must have 2", "2 entries"},
    {ball + "contacts: {c: {between: [ball, ball]}}\n", "m.yaml:5:25", "same body twice",
     "two different"},
    {ball + "contacts: {c: {between: [ball, floor], restitution: 1.4}}\n", "m.yaml:5:53",
     "contact c: restitution is 1.4, must be in [0, 1]", "0 for no rebound"},
    {ball + "contacts: {c: {between: [ball, floor], friction: -1}}\n", "m.yaml:5:50",
     "friction is -1, must not be negative", "0 or a positive"},
    {ball +
         "contacts: {c: {between: [ball, floor], dynamic_friction: 0.5, static_friction: 0.2}}\n",
     "m.yaml:5:80", "static_friction is 0.2", "raise static_friction"},
    {ball + "contacts: {c: {between: [ball, floor], friction: 1, static_friction: 2}}\n",
     "m.yaml:5:50", "sets both", "either"},
    {ball + "contacts: {c: {between: [ball, floor], frction: 1}}\n", "m.yaml:5:40",
     "contact c: unknown key frction", "did you mean friction?"},
    {ball + "contacts: {c: {between: [ball, floor], slip: ball.x_dot}}\n", "m.yaml:5:46",
     "slip belongs to contacts given by gap", "remove"},
    {ball + "contacts: {c: {friction: 1}}\n", "m.yaml:5:15",
     "needs either between, among, gap or pressed", "between"},
    {ball + "contacts: {c: {gap: ball.y, friction: 0.1}}\n", "m.yaml:5:15", "friction but no slip",
     "slip"},
    {ball + "contacts: {c: {gap: ball.y_dot}}\n", "m.yaml:5:21",
     "ball.y_dot is a speed, which may not stand here", "coordinates"},
    {ball + "contacts: {c: {gap: ball.yy}}\n", "m.yaml:5:21", "contact c: gap", "ball.y"},
    {ball + "contacts: {c: {gap: ball.y, slip: ball.x_dot^2}}\n", "m.yaml:5:35",
     "not linear in the speed ball.x_dot", "sum of speeds"},
    {ball + "contacts: {c: {gap: log(ball.y)}}\n", "m.yaml:5:21",
     "contact c: gap is -inf at the start", "start"},
    {ball + "contacts: {c: {between: [ball, floor], restitution: ball.x}}\n", "m.yaml:5:53",
     "ball.x is a coordinate", "parameters and pi"},
    {ball + "contacts: {\"a b\": {between: [ball, floor]}}\n", "m.yaml:5:12", "this is no name",
     "without spaces"},
    {ball + "contacts: {c: {between: [ball, floor]}}\nexclusive: [[c, d]]\n", "m.yaml:6:17",
     "no contact d", "c"},
    {ball + "contacts: {c: {between: [ball, floor]}}\ncycle: {at: d}\n", "m.yaml:6:13",
     "no contact d", "c"},
    // forces, constraints, events
    {ball + "springs: [{between: [ball, floor]}]\n", "m.yaml:5:11", "spring 1 needs stiffness",
     "stiffness"},
    {ball + "springs: [{between: [ball, floor], stiffness: -1}]\n", "m.yaml:5:47",
     "stiffness is -1", "0 or a positive"},
    {ball + "forces: [{on: ball, force: [1]}]\n", "m.yaml:5:28", "force has 1 entries, must have 2",
     "2 entries"},
    {ball + "forces: [{coordinate: ball.w, force: 1}]\n", "m.yaml:5:23", "no speed ball.w",
     "ball.x"},
    {ball + "torques: [{on: bal, torque: 1}]\n", "m.yaml:5:16", "no body bal",
     "did you mean ball?"},
    {ball + "constraints: {c: {}}\n", "m.yaml:5:18",
     "needs one of configuration, motion and rolling", "configuration"},
    {ball + "constraints: {c: {configuration: 1}}\n", "m.yaml:5:34", "is a constant", "vanishes"},
    {ball + "constraints: {c: {motion: ball.x_dot*ball.y_dot}}\n", "m.yaml:5:27", "not linear",
     "sum of speeds"},
    {ball + "events: [{when: t - 1, do: explode}]\n", "m.yaml:5:28", "unknown action",
     "constraint_on"},
    {ball + "events: [{when: t - 1, do: {constraint_on: x}}]\n", "m.yaml:5:44", "no constraint x",
     "none"},
    {ball + "events: [{when: t - 1, do: stop, direction: up}]\n", "m.yaml:5:45", "direction is up",
     "rising"},
    {ball + "events: [{when: 3, do: stop}]\n", "m.yaml:5:17", "never crosses zero", "coordinates"},
    // run
    {ball + "run: {until: 0}\n", "m.yaml:5:14", "run: until is 0", "greater than 0"},
    {ball + "run: {tolerance: 2}\n", "m.yaml:5:18", "tolerance is 2, must be less than 1", "1e-6"},
    {ball + "run: {untill: 2}\n", "m.yaml:5:7", "unknown key untill", "did you mean until?"},
    {ball + "run: {until: 1e9, sample: 1e-9}\n", "m.yaml:5:27", "rows", "less often"},
    {ball + "policies: {painleve: ignore}\n", "m.yaml:5:22", "painleve is ignore",
     "tangential-impact"},
    {ball + "tolerances: {gap: 0}\n", "m.yaml:5:19", "gap is 0, must be positive",
     "greater than 0"},
    {ball + "tolerances: {event_limit: 1.5}\n", "m.yaml:5:27", "must be a whole number",
     "whole number"},
    // repeat
    {head + "bodies: {\"b{i}\": {mass: 1, inertia: 1, repeat: {count: 1e5*1e5, as: i}}}\n",
     "m.yaml:2:", "whole number", "count"},
    {head + "bodies: {\"b{i}\": {mass: 1, inertia: 1, repeat: {count: 900000, as: i}}}\n",
     "m.yaml:2:", "too many entries", "lower the count"},
    {head + "bodies: {\"b{j}\": {mass: 1, inertia: 1, repeat: {count: 2, as: i}}}\n",
     "m.yaml:2:", "{j}", ""},
    {head + "bodies: {b: {mass: 1, inertia: 1, repeat: {count: 2, as: i}}}\n", "m.yaml:2:10",
     "the name b twice", "b"},
    {head + "bodies: {\"b{i\": {mass: 1, inertia: 1, repeat: {count: 2, as: i}}}\n",
     "m.yaml:2:", "{ without }", "close the brace"},
    {head + "bodies: {b: {mass: 1, inertia: 1, repeat: {cont: 2, as: i}}}\n", "m.yaml:2:44",
     "unknown key cont", "count"},
};

TEST(MalformedModel, IsRefusedWithItsPlaceAndARemedy) {
  EXPECT_GE(mistakes.size(), 100u);
  for (const Mistake& mistake : mistakes) {
    const std::string show = mistake.yaml.substr(0, 300);
    try {
      (void)read_model_text(mistake.yaml, "m.yaml");
      ADD_FAILURE() << "accepted:\n" << show;
    } catch (const ModelError& e) {
      const bool is_exact = mistake.where.back() != ':';
      EXPECT_EQ(is_exact ? e.where() : e.where().substr(0, mistake.where.size()), mistake.where)
          << show << "\n"
          << e.what();
      EXPECT_NE(std::string(e.what()).find(mistake.what), std::string::npos) << show << "\n"
                                                                             << e.what();
      EXPECT_NE(e.remedy().find(mistake.remedy), std::string::npos) << show << "\n"
                                                                    << e.what() << "\n"
                                                                    << e.remedy();
      EXPECT_FALSE(e.remedy().empty()) << show;
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << show;
    }
  }
}

TEST(MalformedModel, OverridesNameTheOptionAndTheNearestName) {
  const auto refuse = [](const std::string& name, const std::string& formula,
                         const std::string& what, const std::string& remedy) {
    const std::string yaml =
        "clack: 1\nparameters: {length: 1}\nbodies: {rod: {mass: 1, inertia: length}}\n";
    try {
      (void)read_model_text(yaml, "m.yaml", {{name, formula}});
      ADD_FAILURE() << name;
    } catch (const ModelError& e) {
      EXPECT_EQ(e.where(), "--set " + name);
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
      EXPECT_NE(e.remedy().find(remedy), std::string::npos) << e.remedy();
    }
  };
  refuse("lenght", "1", "no parameter or start value lenght", "did you mean length?");
  refuse("rod.x_00", "1", "rod.x_00", "rod.x_0");
  refuse("length", "1/0", "parameter length is inf", "division");
  refuse("length", "2*(3", "parameter length", "");
  refuse("rod.angle_dot_0", "1/0", "start of rod.angle_dot", "division");
  refuse("run.until", "-1", "until is -1", "greater than 0");
}

double seconds_to_refuse(const std::string& yaml) {
  const std::clock_t start = std::clock();  // of the processor: the machine may be busy
  EXPECT_THROW((void)read_model_text(yaml, "m.yaml"), ModelError) << yaml.substr(0, 200);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t k = 0; k < count; ++k) result += text;
  return result;
}

TEST(MalformedModel, BombsAreRefusedWithinASecond) {
  std::string laughs = "clack: 1\na0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    laughs += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [";
    for (int j = 0; j < 9; ++j) laughs += (j ? ", *a" : "*a") + std::to_string(k - 1);
    laughs += "]\n";
  }
  const std::string parameter = "clack: 1\nparameters: {a: ";
  std::string chain = "clack: 1\nparameters:\n";
  for (int k = 0; k < 5000; ++k)
    chain += "  p" + std::to_string(k) + ": p" + std::to_string(k + 1) + "\n";
  chain += "  p5000: 1\n";
  std::string tower = "clack: 1\nparameters: {a: 9";
  for (int k = 0; k < 100; ++k) tower += "^9";
  for (const std::string& yaml : {
           laughs,
           chain,
           tower + "}\n",
           parameter + repeated("(", 50'000) + "}\n",
           parameter + "\"" + repeated("(", 50'000) + "1" + repeated(")", 50'000) + "\"}\n",
           parameter + "\"" + repeated("-", 90'000) + "1\"}\n",
           parameter + "\"" + repeated("1+", 200'000) + "1\"}\n",
           parameter + repeated("sin(", 10'000) + "}\n",
           "clack: 1\nname: " + repeated("[", 100'000),
           "clack: 1\nname: " + repeated("{a: ", 100'000),
           "clack: 1\n" + repeated("- ", 100'000),
           repeated("a: 1\n", 100'000),
           "clack: 1\nabout: \"" + repeated("x", 9 << 20) + "\"\n",
           "clack: 1\nforce: [" + repeated("1, ", 500'000) + "1]\n",
           repeated("\xff\xfe", 1000),
           repeated("%", 1000),
           repeated("? ", 10'000),
           repeated("&a ", 10'000),
           repeated("\"\\", 10'000),
       })
    EXPECT_LT(seconds_to_refuse(yaml), 1.0) << yaml.substr(0, 60);
}

TEST(MalformedModel, FilesThatAreNoFilesAreRefused) {
  const auto refuse = [](const std::string& path, const std::string& what) {
    try {
      (void)read_model(path);
      ADD_FAILURE() << path;
    } catch (const ModelError& e) {
      EXPECT_EQ(e.where(), path);
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
      EXPECT_FALSE(e.remedy().empty());
    }
  };
  refuse("no-such-folder/no-such-file.yaml", "no such file");
  refuse(CLACK_SOURCE_DIR, "folder");
}

TEST(MalformedModel, AnyTruncationOfAModelIsEitherReadOrRefused) {
  std::ifstream stream(CLACK_SOURCE_DIR "/models/rod/falling.yaml");
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  ASSERT_GT(text.size(), 500u);
  for (std::size_t length = 0; length < text.size(); length += 3) {
    try {
      (void)read_model_text(text.substr(0, length), "m.yaml");
    } catch (const ModelError& e) {
      EXPECT_EQ(e.where().substr(0, 6), "m.yaml");
    }
  }
}

TEST(MalformedModel, AnyMutationOfAModelIsEitherReadOrRefused) {
  std::mt19937_64 random(11);
  const std::string letters = "{}[]:,-'\"&*!|>%#?@ \n\t0.e(^";
  for (const char* file : {"/models/rod/falling.yaml", "/models/woodpecker/three-dof.yaml"}) {
    std::ifstream stream(std::string(CLACK_SOURCE_DIR) + file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    for (int k = 0; k < 400; ++k) {
      std::string mutated = text;
      for (auto changes = 1 + random() % 4; changes > 0; --changes) {
        const std::size_t at = random() % mutated.size();
        if (random() % 3 == 0)
          mutated.erase(at, random() % 20);
        else if (random() % 2 == 0)
          mutated.insert(at, 1, letters[random() % letters.size()]);
        else
          mutated[at] = letters[random() % letters.size()];
      }
      try {
        (void)read_model_text(mutated, "m.yaml");
      } catch (const ModelError& e) {
        EXPECT_EQ(e.where().substr(0, 6), "m.yaml");
        EXPECT_FALSE(e.remedy().empty());
      }
    }
  }
}

}  // namespace
}  // namespace clack
