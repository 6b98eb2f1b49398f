// SPDX-License-Identifier: Apache-2.0
// `clack embed` and `clack equations --embed`, as a user meets them.
#include <cmath>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

using clack::testing::Finished;
using clack::testing::ProgramFolder;
using nlohmann::json;

const std::string models = CLACK_SOURCE_DIR "/models/";

json embedded(const ProgramFolder& folder, const std::string& arguments) {
  const Finished finished = folder.clack("embed " + arguments + " --json");
  EXPECT_EQ(finished.exit_code, 0) << finished.errors;
  return json::parse(finished.output, nullptr, false);
}

void expect_refused(const ProgramFolder& folder, const std::string& arguments, int exit_code,
                    const std::string& what) {
  const Finished finished = folder.clack(arguments);
  EXPECT_EQ(finished.exit_code, exit_code) << arguments << finished.output << finished.errors;
  EXPECT_EQ(finished.errors.rfind("error: ", 0), 0U) << finished.errors;
  EXPECT_NE(finished.errors.find("\nhelp: "), std::string::npos) << finished.errors;
  EXPECT_NE(finished.errors.find(what), std::string::npos) << finished.errors;
}

// Newton and Euler for a uniform rod that hangs from its pin: a = -3 g sin(q)/(2 l).
TEST(EmbedCommand, GivesAccelerationsAndForcesOfAMode) {
  const ProgramFolder folder;
  folder.write("rod.yaml",
               "clack: 1\ngravity: [0, -9.8]\n"
               "bodies: {rod: {mass: 2, inertia: 2/3, position: [sin(0.4), -cos(0.4)], angle: 0.4, "
               "points: {top: [0, 1]}}}\n"
               "constraints: {pin: {configuration: [rod.x - sin(rod.angle), rod.y + "
               "cos(rod.angle)]}}\n");
  const json answer = embedded(folder, "rod.yaml --constraints pin");
  EXPECT_EQ(answer["rank"], 2);
  EXPECT_EQ(answer["independent"].size(), 1U);
  EXPECT_EQ(answer["dependent"].size(), 2U);
  const double a = -3.0 * 9.8 * std::sin(0.4) / (2.0 * 2.0);
  EXPECT_NEAR(answer["acceleration"][2].get<double>(), a, 1e-13);
  EXPECT_NEAR(answer["constraint_forces"]["pin"][0].get<double>(), 2.0 * a * std::cos(0.4), 1e-12);
  EXPECT_NEAR(answer["constraint_forces"]["pin"][1].get<double>(), 2.0 * (a * std::sin(0.4) + 9.8),
              1e-12);
  for (const char* key :
       {"condition", "state", "form_seconds", "embed_seconds", "compile_seconds", "operations"})
    EXPECT_TRUE(answer.contains(key)) << key;
  EXPECT_EQ(folder.clack("embed rod.yaml").exit_code, 0) << "no constraints at all: m = 0";
}

TEST(EmbedCommand, EveryFormulationGivesTheSame) {
  const ProgramFolder folder;
  const std::string arguments = models + "conveyor/conveyor.yaml --constraints belt:stick";
  const json reference = embedded(folder, arguments);
  for (const char* formulation : {"delassus", "projection", "multipliers", "nullspace"}) {
    const json other = embedded(folder, arguments + " --formulation " + formulation);
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(other["acceleration"][j].get<double>(),
                  reference["acceleration"][j].get<double>(), 1e-10)
          << formulation;
  }
}

TEST(EmbedCommand, RefusesWhatItCannotUse) {
  const ProgramFolder folder;
  const std::string four_bar = models + "four-bar/four-bar.yaml";
  expect_refused(folder, "embed " + four_bar + " --constraints lop", 2, "did you mean loop");
  folder.write("short.json", R"({"t": 0, "q": [0, 1], "v": [0, 0, 0]})");
  expect_refused(folder, "embed " + four_bar + " --constraints loop --state short.json", 2, "q");
  folder.write("nan.json", R"({"t": 0, "q": [0, 1, null], "v": [0, 0, 0]})");
  expect_refused(folder, "embed " + four_bar + " --constraints loop --state nan.json", 2, "q");
  folder.write("off.json", R"({"t": 0, "q": [0.3, 0.9, 1.7], "v": [0, 0, 0]})");
  expect_refused(folder, "embed " + four_bar + " --constraints loop --state off.json", 2, "loop 1");
  const json moved = embedded(folder, four_bar + " --constraints loop --state off.json --project");
  EXPECT_NE(moved["state"]["q"][1].get<double>(), 0.9);
  expect_refused(folder, "embed " + four_bar + " --formulation nonsense", 2, "nonsense");
}

TEST(EmbedCommand, RowsOfDeficientRankHaveNoAnswer) {
  const ProgramFolder folder;
  folder.write("twice.yaml",
               "clack: 1\ncoordinates: {x: 1, y: 0}\nbodies: {b: {mass: 1, position: [x, y]}}\n"
               "constraints: {a: {configuration: x - 1}, b: {configuration: 2*x - 2}}\n");
  expect_refused(folder, "embed twice.yaml --constraints a,b", 1, "rank");
}

// Small oscillations of a rod about its lowest pose: (J + m l^2) q'' + d q' + m g l q = 0.
TEST(EmbedCommand, LinearizesTheMotionOnTheConstraints) {
  const ProgramFolder folder;
  folder.write("rod.yaml",
               "clack: 1\ngravity: [0, -9.8]\n"
               "bodies: {rod: {mass: 2, inertia: 2/3, position: [0, -1], points: {top: [0, 1]}}}\n"
               "torques: [{on: rod, torque: -0.3*rod.angle_dot}]\n"
               "constraints: {pin: {configuration: [rod.x - sin(rod.angle), rod.y + "
               "cos(rod.angle)]}}\n");
  const json linear = embedded(folder, "rod.yaml --constraints pin --linearize")["linear"];
  ASSERT_EQ(linear["coordinates"].size(), 1U);
  ASSERT_EQ(linear["speeds"].size(), 1U);
  const double inertia = 2.0 / 3.0 + 2.0, damping = 0.3 / inertia, stiffness = 2.0 * 9.8 / inertia;
  const double re = -0.5 * damping, im = std::sqrt(stiffness - re * re);
  EXPECT_NEAR(linear["eigenvalues"][0][0].get<double>(), re, 1e-13);
  EXPECT_NEAR(linear["eigenvalues"][0][1].get<double>(), im, 1e-13);
  EXPECT_NEAR(linear["eigenvalues"][1][1].get<double>(), -im, 1e-13);
}

// The derivatives of a moving mechanism against differences of the accelerations of neighbouring states.
TEST(EmbedCommand, LinearMotionAgreesWithNeighbouringStates) {
  const ProgramFolder folder;
  const std::string chain = models + "chain/chain-2.yaml --constraints tip";
  const json at = embedded(folder, chain + " --linearize");
  const json& A = at["linear"]["A"];
  ASSERT_EQ(A.size(), 2U);
  EXPECT_NEAR(A[0][0].get<double>(), 0.0, 1e-15);
  EXPECT_NEAR(A[0][1].get<double>(), 1.0, 1e-15);
  const auto acceleration = [&](double dq, double dv) {
    json state = at["state"];
    state["q"][0] = state["q"][0].get<double>() + dq;
    state["v"][0] = state["v"][0].get<double>() + dv;
    // The second angle and speed follow from the tip: l1 cos q1 + l2 cos q2 = const.
    const double height =
        std::cos(at["state"]["q"][0].get<double>()) + std::cos(at["state"]["q"][1].get<double>());
    const double q1 = state["q"][0], sign = at["state"]["q"][1].get<double>() < 0 ? -1.0 : 1.0;
    const double q2 = sign * std::acos(height - std::cos(q1));
    state["q"][1] = q2;
    state["v"][1] = -std::sin(q1) * state["v"][0].get<double>() / std::sin(q2);
    folder.write("near.json", state.dump());
    return embedded(folder, chain + " --state near.json")["acceleration"][0].get<double>();
  };
  const double h = 1e-5;
  EXPECT_NEAR(A[1][0].get<double>(), (acceleration(h, 0) - acceleration(-h, 0)) / (2 * h), 1e-7);
  EXPECT_NEAR(A[1][1].get<double>(), (acceleration(0, h) - acceleration(0, -h)) / (2 * h), 1e-7);
}

// The printed program, run by the interpreter and the compiler, gives the numbers of `clack embed`.
TEST(EquationsCommand, EmbeddedCodeRunsAndGivesTheSameNumbers) {
  const ProgramFolder folder;
  struct Case {
    std::string model, mode;
  };
  for (const Case& c :
       {Case{"four-bar/four-bar.yaml", "loop"}, Case{"conveyor/conveyor.yaml", "belt:slip"},
        Case{"conveyor/conveyor.yaml", "belt:stick"}, Case{"sleigh/body-speeds.yaml", "blade"}}) {
    const json answer = embedded(folder, models + c.model + " --constraints " + c.mode);
    std::string state = "[0.0";
    for (const char* part : {"q", "v"})
      for (const json& x : answer["state"][part]) state += ", " + x.dump();
    state += "]";
    const std::string code =
        "equations " + models + c.model + " --mode " + c.mode + " --embed --format ";
    const int n = static_cast<int>(answer["acceleration"].size());
    Finished printed = folder.clack(code + "python");
    ASSERT_EQ(printed.exit_code, 0) << printed.errors;
    folder.write("m.py", printed.output + "\nx = " + state +
                             "\nprint(' '.join(repr(a) for a in acceleration(x)))\n");
    printed = folder.clack(code + "c");
    folder.write("m.c", printed.output + "\n#include <stdio.h>\nint main(void) { double x[] = {" +
                            state.substr(1, state.size() - 2) + "}, a[" + std::to_string(n) +
                            "]; acceleration(x, a); for (int i = 0; i < " + std::to_string(n) +
                            "; ++i) printf(\"%.17g \", a[i]); return 0; }\n");
    for (const std::string& run :
         {std::string("python3 m.py"), std::string("cc m.c -o m -lm && ./m")}) {
      const Finished finished =
          clack::testing::run_shell("cd '" + folder.inside().string() + "' && " + run);
      ASSERT_EQ(finished.exit_code, 0) << finished.errors;
      std::istringstream numbers(finished.output);
      for (int j = 0; j < n; ++j) {
        double a = 0.0;
        numbers >> a;
        const double expected = answer["acceleration"][j];
        EXPECT_NEAR(a, expected, 1e-11 * (1.0 + std::abs(expected))) << c.model << run;
      }
    }
  }
  expect_refused(folder, "equations " + models + "four-bar/four-bar.yaml --mode lop --embed", 2,
                 "--mode");
  expect_refused(folder, "equations " + models + "four-bar/four-bar.yaml --format java", 2,
                 "python");
}

// ------------------------------------------------------------ starts, speeds and their bad input

const std::string crank =
    "clack: 1\ncoordinates: {th: {start: 0.5, rate: 2}, ph: {guess: GUESS}, x: {guess: 1}}\n"
    "bodies:\n  rod: {mass: 1, inertia: 0.1, position: [cos(th) + cos(ph)/2, sin(th) + sin(ph)/2], "
    "angle: ph}\n  slider: {mass: 1, position: [x, 0]}\n"
    "constraints: {loop: {configuration: [cos(th) + 2*cos(ph) - x, sin(th) + 2*sin(ph)]}}\n"
    "run: {theory: embedding, until: 0.2INDEPENDENT}\n";

std::string with(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}

TEST(GuessedStarts, AreSolvedFromTheConstraintsOnTheBranchOfTheGuess) {
  const ProgramFolder folder;
  for (const bool is_left : {false, true}) {
    const std::string yaml =
        with(with(crank, "GUESS", is_left ? "3.3" : "-0.1"), "INDEPENDENT", "");
    folder.write("crank.yaml", yaml);
    const Finished run = folder.clack("run crank.yaml --json --out out");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const json start = embedded(folder, "crank.yaml --constraints loop")["state"];
    const double small = std::asin(-std::sin(0.5) / 2.0), pi = std::acos(-1.0);
    const double ph = is_left ? pi - small : small;
    EXPECT_NEAR(start["q"][1].get<double>(), ph, 1e-13);
    EXPECT_NEAR(start["q"][2].get<double>(), std::cos(0.5) + 2.0 * std::cos(ph), 1e-13);
    EXPECT_NEAR(start["v"][1].get<double>(), -std::cos(0.5) * 2.0 / (2.0 * std::cos(ph)), 1e-12);
  }
}

TEST(GuessedStarts, ThatDoNotConvergeAreRefused) {
  const ProgramFolder folder;
  const std::string yaml = with(with(crank, "GUESS", "0.1"), "INDEPENDENT", "");
  folder.write("far.yaml", with(yaml, "sin(th) + 2*sin(ph)]", "5 + sin(th) + 2*sin(ph)]"));
  expect_refused(folder, "run far.yaml", 2, "no start near the guesses ph 0.1, x 1");
  folder.write("loose.yaml", with(yaml, "start: 0.5, rate: 2", "guess: 0.5"));
  expect_refused(folder, "run loose.yaml", 2, "not determined");
  folder.write(
      "none.yaml",
      "clack: 1\ncoordinates: {x: {guess: 1}}\nbodies: {b: {mass: 1, position: [x, 0]}}\n");
  expect_refused(folder, "check none.yaml", 2, "no constraint is on at the start");
  folder.write("key.yaml",
               "clack: 1\ncoordinates: {x: {gues: 1}}\nbodies: {b: {mass: 1, position: [x, 0]}}\n");
  expect_refused(folder, "check key.yaml", 2, "guess");
}

TEST(IndependentSpeeds, OfAnyAdmissibleChoiceGiveTheSameMotion) {
  const ProgramFolder folder;
  std::vector<double> ends;
  for (const char* speed : {"th_dot", "ph_dot", "x_dot"}) {
    folder.write("crank.yaml", with(with(crank, "GUESS", "-0.1"), "INDEPENDENT",
                                    std::string(", independent: [") + speed + "]"));
    const Finished run = folder.clack("run crank.yaml --json --tolerance 1e-12 --out out");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    ends.push_back(json::parse(run.output)["final"]["q"][2]);
  }
  EXPECT_NEAR(ends[1], ends[0], 1e-10);
  EXPECT_NEAR(ends[2], ends[0], 1e-10);
}

TEST(IndependentSpeeds, BadInput) {
  const ProgramFolder folder;
  const auto refuse = [&](const std::string& list, const std::string& what) {
    folder.write("crank.yaml",
                 with(with(crank, "GUESS", "-0.1"), "INDEPENDENT", ", independent: " + list));
    expect_refused(folder, "run crank.yaml --out out", 2, what);
    EXPECT_FALSE(std::filesystem::exists(folder.inside() / "out"));
  };
  refuse("[th_dot, x_dot]", "2 speeds are named, the rows that hold at the start leave 1");
  refuse("[th_do]", "did you mean th_dot");
  refuse("[]", "empty list");
  refuse("[th_dot, th_dot]", "twice");
  // At th = 0, a dead centre, the speed of the slider is zero whatever the others are.
  folder.write("dead.yaml",
               with(with(with(crank, "GUESS", "-0.1"), "INDEPENDENT", ", independent: [x_dot]"),
                    "start: 0.5", "start: 0"));
  expect_refused(folder, "run dead.yaml", 2, "x_dot do not determine the other speeds");
  folder.write("dead.yaml",
               with(with(with(crank, "GUESS", "-0.1"), "INDEPENDENT", ", independent: [x_dot]"),
                    "theory: embedding", "formulation: delassus"));
  expect_refused(folder, "run dead.yaml", 2, "independent is read by formulation embedding");
}

TEST(OwnSpeeds, BadInput) {
  const ProgramFolder folder;
  const auto refuse = [&](const std::string& speeds, const std::string& what) {
    folder.write("m.yaml", "clack: 1\ncoordinates: {x: 1, y: 0}\n" + speeds +
                               "\nbodies: {b: {mass: 1, position: [x, y]}}\n");
    expect_refused(folder, "check m.yaml", 2, what);
  };
  refuse("speeds: {u: {is: x_dot}}", "1 definitions for 2 coordinates");
  refuse("speeds: {u: {is: x_dot}, w: {is: x_dot*y_dot}}", "not linear in the rate");
  refuse("speeds: {u: {is: x_dot + y_dot}, w: {is: 2*x_dot + 2*y_dot}}", "u, w depend");
  refuse("speeds: {u: {is: x_dot}, w: 3}", "w has no definition");
  refuse("speeds: {u: 0}\nkinematics: {x: u}", "kinematics: y is missing");
  refuse("speeds: {u: 0}\nkinematics: {x: u, y: u*u}", "not linear");
  refuse("kinematics: {x: 1, y: 2}", "kinematics needs speeds");
  refuse("speeds: {a: 0, b: 0, c: 0}\nkinematics: {x: a, y: b + c}", "3 speeds for 2 coordinates");
  refuse("speeds: {u: {is: x_dot, start: 0}, w: {is: y_dot, strt: 1}}", "start");
}

TEST(OwnSpeeds, StartsAreGivenInSpeedsOrInRates) {
  const ProgramFolder folder;
  folder.write("m.yaml",
               "clack: 1\ncoordinates: {x: 0, y: {start: 0, rate: 3}}\n"
               "speeds: {u: {is: x_dot + y_dot}, w: {is: x_dot - y_dot, start: 5}}\n"
               "bodies: {b: {mass: 1, position: [x, y]}}\nrun: {until: 1}\n");
  const auto moved = [&](const std::string& arguments) {
    const Finished run = folder.clack("run m.yaml --json --out out " + arguments);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    const json q = json::parse(run.output)["final"]["q"];
    return std::pair<double, double>(q[0], q[1]);
  };
  const auto [x, y] = moved("");  // u = 3 from the rates, w = 5
  EXPECT_NEAR(x, 4.0, 1e-12);
  EXPECT_NEAR(y, -1.0, 1e-12);
  EXPECT_NEAR(moved("--set u_0=7").first, 6.0, 1e-12);
  EXPECT_NEAR(moved("--set x_dot_0=10").first, 10.0, 1e-12);
  EXPECT_NEAR(moved("--set x_dot_0=10").second, -1.0, 1e-12) << "the other rate stays";
}

TEST(FramesAndRolling, BadInput) {
  const ProgramFolder folder;
  const auto refuse = [&](const std::string& yaml, const std::string& what) {
    folder.write("m.yaml", "clack: 1\ndimension: 3\ncoordinates: {q: 1}\n" + yaml);
    expect_refused(folder, "check m.yaml", 2, what);
  };
  const std::string ball = "ball: {mass: 1, inertia: 1, position: [q, 0, 1]}";
  const std::string floor = "floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}";
  refuse("frames: {a: {in: b}, b: {in: a}}\nbodies: {" + ball + "}\n",
         "a stands in itself (a in b in a)");
  refuse("frames: {a: {in: c}}\nbodies: {" + ball + "}\n", "there is no frame c");
  refuse("frames: {arm: {}}\nbodies: {b: {in: arn, mass: 1}}\n", "did you mean arm");
  refuse("frames: {a: {rotation: [[w, q]]}}\nbodies: {" + ball + "}\n", "there is no axis w");
  refuse("frames: {a: {angle: q}}\nbodies: {" + ball + "}\n", "angle");
  const auto rolling = [&](const std::string& constraint, const std::string& what) {
    refuse("bodies: {" + ball + ", " + floor + "}\nconstraints: {c: " + constraint + "}\n", what);
  };
  rolling("{rolling: [ball, floor]}", "body ball has no radius");
  rolling("{rolling: [ball, ball], radius: 1}", "ball is no fixed plane");
  rolling("{rolling: [floor, floor], radius: 1}", "floor does not move by forces");
  rolling("{rolling: [ball, floor], radius: -1}", "radius");
  rolling("{rolling: [ball, floor], radius: 1, axis: [0, 0, 0]}", "axis is zero");
  rolling("{motion: q_dot, radius: 1}", "radius belongs to rolling");
  rolling("{motion: q_dot, rolling: [ball, floor]}", "needs one of");
}

}  // namespace
