// SPDX-License-Identifier: Apache-2.0
// What it takes to add a part: the class below and one line that adds it to a registry. Everything
// else (model files, JSON, help, refusals, tables, runs) follows.
#include <gtest/gtest.h>

#include "clack/contact/problem_json.hpp"
#include "clack/contact/prox_decision.hpp"
#include "clack/error.hpp"
#include "clack/formulation/delassus.hpp"
#include "clack/geometry/ellipsoid.hpp"
#include "clack/hybrid/document_tables.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/impact/newton.hpp"
#include "clack/parts/tables.hpp"

namespace clack {
namespace {

/// Newton's law with one restitution for all contacts, the law's own.
class DummyLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part() {
    ImpactLawPart part;
    part.name = "dummy";
    part.help = "one restitution for all";
    part.options = {number_option("bounce", 0.0, {.low = 0.0, .high = 1.0}, "that restitution")};
    part.make = [](const OptionValues& values) {
      return std::make_unique<DummyLaw>(values.number("bounce"));
    };
    return part;
  }
  explicit DummyLaw(double bounce) : bounce_(bounce) {}
  std::string_view name() const override { return "dummy"; }
  ImpactResult resolve(const ImpactProblem& problem) const override {
    ImpactProblem equal = problem;
    for (ContactMaterial& material : equal.materials) material.restitution = bounce_;
    return NewtonLaw{}.resolve(equal);
  }

 private:
  double bounce_;
};

/// `prox`, counting on what it is told.
class DummyDecision final : public Decision {
 public:
  static DecisionPart part() {
    DecisionPart part;
    part.name = "dummy";
    part.options = {count_option("patience", 5, 1, 9, "iterations that are reported")};
    part.make = [](const OptionValues& values) {
      return std::make_unique<DummyDecision>(values.count("patience"));
    };
    return part;
  }
  explicit DummyDecision(int patience) : patience_(patience) {}
  std::string_view name() const override { return "dummy"; }
  ContactResult decide(const ContactProblem& problem) const override {
    ContactResult result = ProxDecision{}.decide(problem);
    result.iterations = patience_;
    return result;
  }

 private:
  int patience_;
};

/// `delassus` that treats smooth contacts only, or says so.
class DummyFormulation final : public Formulation {
 public:
  static FormulationPart part() {
    FormulationPart part;
    part.name = "dummy";
    part.needs.no_friction = true;
    part.options = {choice_option("order", {"forward", "backward"}, "of nothing")};
    part.make = [](const OptionValues&) { return std::make_unique<DummyFormulation>(); };
    return part;
  }
  std::string_view name() const override { return "dummy"; }
  void enter(const ModeShape& shape) override { delassus_.enter(shape); }
  void solve(const Snapshot& snapshot, ModeForces& forces) override {
    delassus_.solve(snapshot, forces);
  }

 private:
  DelassusFormulation delassus_;
};

/// An ellipsoid that a ball of radius `padding` is rolled around: its support function is the sum of both.
class DummyShape final : public SmoothBody {
 public:
  static SmoothShapeKind kind() {
    return {.name = "dummy",
            .help = "a padded ellipsoid",
            .sizes = {{"axes", 3, "the semi-axes inside"}, {"padding", 1, "around them"}},
            .make = [](const std::vector<double>& sizes) -> SmoothShape {
              return {std::make_shared<DummyShape>(Eigen::Vector3d(sizes.data()), sizes[3])};
            }};
  }
  DummyShape(const Eigen::Vector3d& axes, double padding) : inside_(axes), padding_(padding) {}
  Eigen::Vector3d point(const Eigen::Vector3d& n) const override {
    return inside_.point(n) + padding_ * n;
  }
  Eigen::Matrix3d bend(const Eigen::Vector3d& n) const override {
    return inside_.bend(n) + padding_ * (Eigen::Matrix3d::Identity() - n * n.transpose());
  }
  double outer_radius() const override { return inside_.outer_radius() + padding_; }
  double inner_radius() const override { return inside_.inner_radius() + padding_; }

 private:
  Ellipsoid inside_;
  double padding_;
};

TheoryParts with_dummies() {
  TheoryParts parts = standard_parts();
  parts.impact_laws.add(DummyLaw::part());
  parts.decisions.add(DummyDecision::part());
  parts.formulations.add(DummyFormulation::part());
  parts.shapes.push_back(DummyShape::kind());
  return parts;
}

/// A ball that falls from 5 cm; g = 10 m/s2, so it arrives after 0.1 s with 1 m/s.
std::string ball(const std::string& run, const std::string& policies) {
  return "clack: 1\ngravity: [0, -10]\nbodies:\n"
         "  ball: {mass: 1, inertia: 1, position: [0, 0.15], shape: {disk: {radius: 0.1}}}\n"
         "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
         "contacts: {c: {between: [ball, floor]}}\n"
         "run: {until: 0.11, " +
         run + "}\npolicies: {" + policies + "}\n";
}

std::string refusal(const std::string& yaml, const TheoryParts& parts) {
  try {
    (void)load_model_text(yaml, "m.yaml", {}, parts);
  } catch (const InputError& error) {
    return std::string(error.what()) + " (" + error.where() + ") " + error.remedy();
  }
  return "";
}

TEST(DummyParts, AreChosenInAModelAndGetTheirOptions) {
  const TheoryParts parts = with_dummies();
  const std::string yaml = ball("formulation: dummy, decision: dummy, impact: dummy",
                                "bounce: 0.5/2, patience: 7, order: backward");
  const Model model = load_model_text(yaml, "m.yaml", {}, parts);
  EXPECT_EQ(model.options[PartKind::decision].count("patience"), 7);
  EXPECT_EQ(model.options[PartKind::formulation].choice("order"), "backward");
  RunOptions options;
  options.parts = parts;
  const Trace trace = run(model, options);
  ASSERT_EQ(trace.impacts.size(), 1u) << trace.reason;
  EXPECT_EQ(trace.impact, "dummy");
  EXPECT_NEAR(trace.impacts[0].v_after[1], 0.25, 1e-9);
}

/// A body that rolls and bounces against a sphere, a floor and another of its kind.
std::string rolling(const std::string& shape) {
  const std::string body = "inertia: 0.01, shape: {" + shape + "}}\n";
  return "clack: 1\ndimension: 3\ngravity: [0, 0, -10]\nbodies:\n"
         "  a: {mass: 1, position: [0, 0, 0.305], velocity: [1, 0.2, 0], " +
         body + "  b: {mass: 2, position: [0.75, 0.1, 0.305], spin: [3, 1, 2], " + body +
         "  ball: {mass: 1, position: [1.6, 0, 0.4], inertia: 0.02, shape: {sphere: {radius: "
         "0.4}}}\n"
         "  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}\n"
         "contacts:\n  a_floor: {between: [a, floor], friction: 0.3, restitution: 0.2}\n"
         "  b_floor: {between: [b, floor], friction: 0.3}\n"
         "  ball_floor: {between: [ball, floor], friction: 0.3}\n"
         "  a_b: {between: [a, b], friction: 0.2, restitution: 0.8}\n"
         "  b_ball: {between: [b, ball], friction: 0.2, restitution: 0.5}\n"
         "run: {until: 1, theory: newton}\n";
}

// A padded ellipsoid with equal axes is a ball, and moves as one: through impacts, sliding and rolling.
TEST(DummyParts, AShapeRollsAndBouncesAsTheBallThatItIs) {
  const TheoryParts parts = with_dummies();
  RunOptions options;
  options.parts = parts;
  const auto end = [&](const std::string& shape) {
    return run(load_model_text(rolling(shape), "m.yaml", {}, parts), options);
  };
  const Trace ball = end("sphere: {radius: 0.3}");
  const Trace dummy = end("dummy: {axes: [0.2, 0.2, 0.2], padding: 0.1}");
  ASSERT_GE(ball.impacts.size(), 4u) << ball.reason;
  ASSERT_EQ(dummy.impacts.size(), ball.impacts.size()) << dummy.reason;
  for (std::size_t k = 0; k < ball.impacts.size(); ++k)
    EXPECT_NEAR(dummy.impacts[k].t, ball.impacts[k].t, 1e-9) << k;
  ASSERT_EQ(dummy.final_q.size(), ball.final_q.size());
  for (std::size_t k = 0; k < ball.final_q.size(); ++k)
    EXPECT_NEAR(dummy.final_q[k], ball.final_q[k], 1e-8) << ball.coordinates[k];
}

TEST(DummyParts, AShapeIsRefusedWithItsOwnWords) {
  const TheoryParts parts = with_dummies();
  EXPECT_NE(
      refusal(rolling("dummy: {axes: [1, 1, 1]}"), parts)
          .find("body a: dummy needs padding (m.yaml:5:94) give padding: ... in m, around them"),
      std::string::npos)
      << refusal(rolling("dummy: {axes: [1, 1, 1]}"), parts);
  EXPECT_NE(refusal(rolling("dummy: {axes: [1, 1], padding: 1}"), parts), "");
  EXPECT_NE(refusal(rolling("dummy: {axes: [1, 1, 1], padding: 1}"), standard_parts()), "");
}

TEST(DummyParts, OptionsAreRefusedWhereNobodyReadsThem) {
  const TheoryParts parts = with_dummies();
  EXPECT_EQ(refusal(ball("impact: newton", "bounce: 0.25"), parts),
            "policies: bounce is read by impact law dummy, this run uses impact law newton "
            "(m.yaml:8:12) remove it, or choose impact law dummy (run: impact: dummy)");
  EXPECT_NE(refusal(ball("impact: dummy", "bounce: 2"), parts).find("must be in [0, 1]"),
            std::string::npos);
  EXPECT_NE(refusal(ball("impact: dummy", "bonce: 0.1"), parts).find("did you mean bounce?"),
            std::string::npos);
  EXPECT_NE(refusal(ball("impact: dummy", "bounce: 0.1"), standard_parts()), "");
}

TEST(DummyParts, OptionsAreReadFromJson) {
  const TheoryParts parts = with_dummies();
  const auto document = nlohmann::json::parse(
      R"({"dimension": 2, "mass_matrix": [[1]], "velocity": [-2], "options": {"bounce": 0.5},
          "contacts": [{"name": "c", "normal_row": [1]}]})");
  const ImpactLawPart& dummy = parts.impact_laws.find("dummy");
  const ProblemDocument read =
      read_problem(document, "f.json", {.part = &dummy, .catalogue = catalogue_of(parts)});
  const auto law = parts.impact_laws.make("dummy", read.options);
  EXPECT_NEAR(law->resolve(read.impact).velocity[0], 1.0, 1e-12);
  const ImpactLawPart& newton = parts.impact_laws.find("newton");
  EXPECT_THROW(
      (void)read_problem(document, "f.json", {.part = &newton, .catalogue = catalogue_of(parts)}),
      InputError);
}

TEST(DummyParts, StandInHelpTablesAndRefusals) {
  const TheoryParts parts = with_dummies();
  EXPECT_NE(part_list(catalogue_of(parts), PartKind::impact_law).find("bounce"), std::string::npos);
  std::string tables;
  for (const DocumentTable& table : document_tables(parts)) tables += table.text;
  for (const char* key : {"bounce", "patience", "order"})
    EXPECT_NE(tables.find("| `" + std::string(key) + "` |"), std::string::npos) << key;
  const Circumstances rough{.contacts = 1, .rough_contact = "c", .friction = 0.2};
  EXPECT_NE(parts.impact_laws.refusal("projection", rough)
                .find("newton, poisson, smith, energetic, lzb or dummy"),
            std::string::npos);
  EXPECT_EQ(parts.formulations.refusal("dummy", rough),
            "formulation dummy knows no friction, but contact c has friction 0.2; use formulation "
            "delassus, projection, multipliers, nullspace or embedding");
}

/// Newton's law that says a work other than that of its impulses.
class WrongWork final : public ImpactLaw {
 public:
  explicit WrongWork(double wrong) : wrong_(wrong) {}
  std::string_view name() const override { return "wrong-work"; }
  ImpactResult resolve(const ImpactProblem& problem) const override {
    ImpactResult result = NewtonLaw{}.resolve(problem);
    result.normal_work += wrong_;
    return result;
  }

 private:
  double wrong_;
};

// T + V - (T_0 + V_0) - work of everything else is zero up to the impact and -0.125 J after it.
TEST(CheckFunction, AWorkThatAnImpactDidNotDoShowsFromThereOn) {
  for (const double wrong : {0.0, 0.125}) {
    ImpactLawPart part;
    part.name = "wrong-work";
    part.make = [wrong](const OptionValues&) { return std::make_unique<WrongWork>(wrong); };
    RunOptions options;
    options.parts.impact_laws.add(part);
    const Trace trace =
        run(load_model_text(ball("impact: wrong-work", ""), "m.yaml", {}, options.parts), options);
    ASSERT_EQ(trace.impacts.size(), 1u);
    EXPECT_NEAR(trace.energy.check, wrong, 1e-12);
    EXPECT_EQ(trace.energy.open.has_value(), wrong != 0.0);
    const std::size_t width = trace.columns.size();
    ASSERT_EQ(trace.columns.back(), "check");
    EXPECT_EQ(trace.csv_columns, width - 4);
    bool is_after = false;
    for (std::size_t row = 0; row < trace.row_count(); ++row) {
      const bool is_impact = row > 0 && trace.rows[row * width] == trace.impacts[0].t &&
                             trace.rows[(row - 1) * width] == trace.impacts[0].t;
      is_after = is_after || is_impact;
      EXPECT_NEAR(trace.rows[(row + 1) * width - 1], is_after ? -wrong : 0.0, 1e-12) << row;
    }
    EXPECT_TRUE(is_after);
  }
}

/// Newton's law that tells how many threads it was offered.
class WatchingLaw final : public ImpactLaw {
 public:
  explicit WatchingLaw(int& threads) : threads_(threads) {}
  std::string_view name() const override { return "watching"; }
  ImpactResult resolve(const ImpactProblem& problem) const override {
    threads_ = problem.options.threads;
    return NewtonLaw{}.resolve(problem);
  }

 private:
  int& threads_;
};

TEST(RunOptions, ThreadsAreOfferedToTheNodes) {
  int threads = 0;
  ImpactLawPart watching;
  watching.name = "watching";
  watching.make = [&threads](const OptionValues&) {
    return std::make_unique<WatchingLaw>(threads);
  };
  RunOptions options;
  options.threads = 3;
  options.parts.impact_laws.add(watching);
  const Model model = load_model_text(ball("impact: watching", ""), "m.yaml", {}, options.parts);
  EXPECT_EQ(run(model, options).impacts.size(), 1u);
  EXPECT_EQ(threads, 3);
}

}  // namespace
}  // namespace clack
