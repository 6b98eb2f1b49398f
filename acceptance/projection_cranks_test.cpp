// SPDX-License-Identifier: Apache-2.0
// Linkages that pass poses of lower rank: models/projection/cranks.yaml and two of their kind against exact motions
// (docs/theories/projection.md, section 5).
#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

/// angle'' = -g cos(angle)/l by classical Runge-Kutta in long double, 1e-5 s steps: error below
/// 1e-15.
struct Crank {
  long double angle = 0.7L, rate = 1.5L, t = 0.0L;
  void advance_to(long double end) {
    const auto bend = [](long double a) { return -9.81L * std::cos(a) / 0.8L; };
    const long steps = std::max(1L, std::lround(static_cast<double>((end - t) / 1e-4L)));
    const long double h = (end - t) / static_cast<long double>(steps);
    for (long k = 0; k < steps; ++k) {
      const long double k1 = rate, l1 = bend(angle), k2 = rate + h / 2 * l1,
                        l2 = bend(angle + h / 2 * k1), k3 = rate + h / 2 * l2,
                        l3 = bend(angle + h / 2 * k2), k4 = rate + h * l3,
                        l4 = bend(angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    t = end;
  }
};

/// Largest error in parts of the crank's length, of its largest speed (5.2 m/s) and of its largest
/// rate (6.5 rad/s).
double crank_error(const Trace& trace, std::size_t row, const Crank& crank) {
  const double c = static_cast<double>(std::cos(crank.angle)),
               s = static_cast<double>(std::sin(crank.angle)),
               rate = static_cast<double>(crank.rate);
  const auto off = [&](const char* name, double exact_value, double size) {
    return std::abs(at_row(trace, row, name) - exact_value) / size;
  };
  return std::max({off("x", 0.8 * c, 0.8), off("y", 0.8 * s, 0.8), off("phi", 0.0, 1.0),
                   off("x_dot", -0.8 * s * rate, 5.2), off("y_dot", 0.8 * c * rate, 5.2),
                   off("phi_dot", 0.0, 6.5)});
}

// EX7: the flat pose (rank 1 of 3) is passed on the way down and again on the other side; exact
// motion known.
TEST(ProjectionRuns, CranksSwingThroughTheirFlatPoseOnTheExactMotion) {
  Model model = read_model(model_path("projection/cranks.yaml"));
  model.run.tolerance = 1e-11;
  const Trace trace = run(model);
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  Crank crank;
  double worst = 0.0;
  bool is_above = false, is_below = false;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    crank.advance_to(at_row(trace, row, "t"));
    is_above = is_above || std::sin(crank.angle) > 0.1L;
    is_below = is_below || std::sin(crank.angle) < -0.1L;
    worst = std::max(worst, crank_error(trace, row, crank));
  }
  EXPECT_TRUE(is_above && is_below);
  EXPECT_LT(worst, 1e-8);
}

// Passing must not depend on where the steps fall: other starts (also from the flat pose itself)
// and tolerances. A rank decided at rounding takes drift for a constraint here and stops dead.
TEST(ProjectionRuns, CranksPassTheirFlatPoseWhateverTheStepsAre) {
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-12})
    for (const auto& [angle, rate] : {std::pair{0.7, 1.5}, {0.0, -1.0}, {1.2, -0.3}, {2.5, 1.0}}) {
      Model model = read_model(model_path("projection/cranks.yaml"),
                               {{"angle0", exact(angle)}, {"rate0", exact(rate)}});
      model.run.tolerance = tolerance;
      const Trace trace = run(model);
      EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
      Crank crank{.angle = angle, .rate = rate};
      crank.advance_to(2.0L);
      EXPECT_LT(crank_error(trace, trace.row_count() - 1, crank), 1e-5)
          << "tolerance " << tolerance << ", from angle " << angle << " with " << rate;
    }
}

/// Two links that are equal: at the dead centre the row `across` vanishes and rod and crank could
/// go on turning together. The torque loads that direction.
constexpr const char* equal_slider_crank = R"(clack: 1
name: slider-crank with equal links
dimension: 2
parameters: {a: 0.4, J1: 0.05, Jr: 0.03, ms: 1, tau: 0.6, angle0: 0.3, rate0: 6}
coordinates:
  alpha: {start: angle0, rate: rate0}
  beta: {start: -angle0, rate: -rate0}
  s: {start: 2*a*cos(angle0), rate: -2*a*sin(angle0)*rate0}
mass_matrix:
  - [J1, 0, 0]
  - [0, Jr, 0]
  - [0, 0, ms]
force: [0, tau, 0]
constraints:
  along: {configuration: a*cos(alpha) + a*cos(beta) - s}
  across: {configuration: a*sin(alpha) + a*sin(beta)}
run: {until: 2, theory: projection}
)";

/// The parallelogram may fold into the crossed one whenever its links are in line.
constexpr const char* parallelogram = R"(clack: 1
name: parallelogram by its link angles
dimension: 2
parameters: {l: 0.5, d: 0.9, c: 0.3, m: 2, J1: 0.1, Jc: 0.08, J2: 0.06, g: 9.81, angle0: 0.7, rate0: 9}
coordinates:
  alpha: {start: angle0, rate: rate0}
  beta: {start: 0, rate: 0}
  gamma: {start: angle0, rate: rate0}
mass_matrix:
  - [J1 + m*l^2, m*l*c*cos(alpha - beta), 0]
  - [m*l*c*cos(alpha - beta), Jc + m*c^2, 0]
  - [0, 0, J2]
force:
  - -m*l*c*sin(alpha - beta)*beta_dot^2 - m*g*l*cos(alpha)
  - m*l*c*sin(alpha - beta)*alpha_dot^2 - m*g*c*cos(beta)
  - 0
constraints:
  along: {configuration: l*cos(alpha) + d*cos(beta) - l*cos(gamma) - d}
  across: {configuration: l*sin(alpha) + d*sin(beta) - l*sin(gamma)}
run: {until: 2, theory: projection}
)";

Trace from_start(const char* yaml, double angle, double rate, double tolerance) {
  Model model =
      read_model_text(yaml, "test.yaml", {{"angle0", exact(angle)}, {"rate0", exact(rate)}});
  model.run.tolerance = tolerance;
  return run(model);
}

// On its branch (beta = -alpha) alpha'^2 (J1 + Jr + 4 ms a^2 sin^2 alpha) + 2 tau alpha is kept; on
// the other one beta = alpha - pi.
TEST(ProjectionRuns, SliderCrankWithEqualLinksPassesItsDeadCentreOnItsBranch) {
  for (const double tolerance : {1e-8, 1e-10, 1e-12})
    for (const auto& [angle, rate] : {std::pair{0.3, 6.0}, {-1.0, 8.0}, {0.2, -7.0}}) {
      const Trace trace = from_start(equal_slider_crank, angle, rate, tolerance);
      ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
      const auto kept = [](double a, double r) {
        return r * r * (0.08 + 0.64 * std::sin(a) * std::sin(a)) + 1.2 * a;
      };
      const double a = final_value(trace, "alpha"), r = final_value(trace, "alpha_dot");
      EXPECT_GT(std::abs(a - angle), 2.0) << "it has not passed a dead centre";
      EXPECT_NEAR(final_value(trace, "beta"), -a, 1e-4);
      EXPECT_NEAR(kept(a, r), kept(angle, rate), 1e-4 * std::abs(kept(angle, rate)));
    }
}

// beta = 0 throughout; (J1 + J2 + m l^2) alpha'^2/2 + m g l sin(alpha) is kept.
TEST(ProjectionRuns, ParallelogramStaysOneThroughItsFlatPoses) {
  for (const double tolerance : {1e-8, 1e-10, 1e-12})
    for (const auto& [angle, rate] : {std::pair{0.7, 9.0}, {0.0, -8.0}, {-1.0, 10.0}}) {
      const Trace trace = from_start(parallelogram, angle, rate, tolerance);
      ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
      const auto kept = [](double a, double r) { return 0.33 * r * r + 9.81 * std::sin(a); };
      const double a = final_value(trace, "alpha"), r = final_value(trace, "alpha_dot");
      EXPECT_GT(std::abs(a - angle), 6.0) << "it has not passed both flat poses";
      EXPECT_NEAR(final_value(trace, "beta"), 0.0, 1e-4);
      EXPECT_NEAR(final_value(trace, "gamma"), a, 1e-4);
      EXPECT_NEAR(kept(a, r), kept(angle, rate), 1e-4 * kept(angle, rate));
    }
}

TEST(ProjectionRuns, RedundantCranksAreFlaggedHyperstatic) {
  EXPECT_TRUE(has_flag(run_file("projection/cranks.yaml"), "hyperstatic"));
  EXPECT_FALSE(has_flag(run_file("projection/spherical-pendulum.yaml"), "hyperstatic"));
}

}  // namespace
}  // namespace clack::acceptance
