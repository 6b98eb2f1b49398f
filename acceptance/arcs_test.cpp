// SPDX-License-Identifier: Apache-2.0
// Parts with arcs as whole runs: closed forms of the guide to polygon contact, 2.5 and 2.11.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "acceptance/run_support.hpp"
#include "clack/input_file.hpp"

namespace clack::acceptance {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> times_of(const Trace& trace, EventKind kind) {
  std::vector<double> times;
  for (const TraceEvent& event : trace.events)
    if (event.kind == kind) times.push_back(event.t);
  return times;
}

TEST(Cam, LeavesItsFollowerWhereItWouldHaveToPull) {
  for (const auto& [omega, e] : {std::pair(40.0, 0.01), std::pair(70.0, 0.004)}) {
    const Trace trace = run_file(
        "polygons/cam.yaml", {{"omega", fmt::format("{}", omega)}, {"e", fmt::format("{}", e)}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_EQ(trace.contacts.at(0), "cam/follower.e0");
    const auto detached = times_of(trace, EventKind::detach);
    ASSERT_FALSE(detached.empty());
    EXPECT_NEAR(detached[0], std::asin(9.81 / (e * omega * omega)) / omega, 1e-10);
    EXPECT_LT(trace.energy.ledger_error, 1e-8);
  }
}

TEST(Cam, ExchangedInItsPairGivesTheSameEvents) {
  const std::string yaml = read_input_file(model_path("polygons/cam.yaml"));
  std::string exchanged = yaml;
  exchanged.replace(exchanged.find("[cam, follower]"), 15, "[follower, cam]");
  const Trace one = run_text(yaml), other = run_text(exchanged);
  ASSERT_EQ(one.events.size(), other.events.size());
  for (std::size_t k = 0; k < one.events.size(); ++k)
    EXPECT_NEAR(one.events[k].t, other.events[k].t, 1e-11);
}

// Corners fall away from the follower faster than it falls: between two corners it flies, so its speed is known to g times the time from one
// corner to the next, and its height after a flight of at most one turn to that speed times the turn.
TEST(Cam, FacetsConvergeToTheArc) {
  const Trace round = run_file("polygons/cam.yaml");
  const double turn = 2 * pi / 40;
  for (const int n : {48, 192, 768, 3072}) {
    const Trace facets = run_file("polygons/cam-facets.yaml", {{"n", std::to_string(n)}});
    ASSERT_EQ(facets.status, RunStatus::done) << facets.reason;
    double worst = 0.0;  // of the height of the follower, while both touch and after the throw
    for (const double part : {0.25, 0.5, 0.75, 1.0}) {
      const double t = part * turn;
      const auto height = [&](const Trace& trace) {
        std::size_t row = 0;
        while (row + 1 < trace.row_count() && at_row(trace, row, "t") < t - 1e-12) ++row;
        // rows of two runs are at different instants: follow the parabola or the speed to t
        return at_row(trace, row, "y") +
               (t - at_row(trace, row, "t")) * at_row(trace, row, "y_dot");
      };
      worst = std::max(worst, std::abs(height(facets) - height(round)));
    }
    EXPECT_LT(worst, 9.81 * (turn / n) * turn) << n;
  }
}

/// A slider that does not turn, without friction and weight, runs through a bend of the angle pi/2.
std::string bend(const std::string& surface) {
  return R"(
clack: 1
dimension: 2
gravity: [0, 0]
parameters: {R: 1}
bodies:
  slider:
    mass: 1
    inertia: 1e9
    position: [-0.3, 0]
    velocity: [1, 0]
    shape: {polygon: [[0, 0], [0.02, 0.05], [-0.02, 0.05]]}
  track: {fixed: true, shape: )" +
         surface + R"(}
contacts: {run: {between: [slider, track]}}
run: {until: 1.7, theory: poisson, tolerance: 1.0e-11}
)";
}

TEST(Bend, FacetsTakeTheCosineAtEveryCornerAndAnArcTakesNothing) {
  // The way turns by 0.8 rad in total, upwards. Facets of a chain lose cos(Th/N) at each of N corners.
  const double turn = 0.8;
  for (const int n : {4, 16}) {
    // Corners on a polygon whose edges turn by turn/n each, drawn from the far end back to the start, material below.
    std::string points;
    double x = 0.0, y = 0.0, angle = 0.0;
    std::vector<std::pair<double, double>> corners{{-1.0, 0.0}, {0.0, 0.0}};
    for (int k = 0; k < n; ++k) {
      angle += turn / n;
      x += std::cos(angle) / n;
      y += std::sin(angle) / n;
      corners.emplace_back(x, y);
    }
    for (std::size_t k = corners.size(); k-- > 0;)
      points += fmt::format("{}[{:.17g}, {:.17g}]", points.empty() ? "" : ", ", corners[k].first,
                            corners[k].second);
    const Trace trace = run_text(bend("{polyline: [" + points + "]}"));
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_EQ(times_of(trace, EventKind::impact).size(), static_cast<std::size_t>(n));
    const double speed =
        std::hypot(final_value(trace, "slider.x_dot"), final_value(trace, "slider.y_dot"));
    EXPECT_NEAR(speed, std::pow(std::cos(turn / n), n), 1e-9);
  }
  // The same as an arc of radius 1, a smooth join at both ends: a concave arc seen from above.
  const std::string arc =
      fmt::format("{{polyline: [[{0}, {1}], [{2}, {3}, {4}], [0, 0], [-1, 0]]}}",
                  std::sin(turn) + std::cos(turn), 1 - std::cos(turn) + std::sin(turn),
                  std::sin(turn), 1 - std::cos(turn), -std::tan(turn / 4));
  const Trace trace = run_text(bend(arc));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(times_of(trace, EventKind::impact).empty());
  const auto handed = times_of(trace, EventKind::feature);
  ASSERT_EQ(handed.size(), 2u);
  EXPECT_NEAR(handed[0], 0.3, 1e-9);
  EXPECT_NEAR(handed[1], 0.3 + turn, 1e-8);  // at unit speed along the arc
  EXPECT_NEAR(std::hypot(final_value(trace, "slider.x_dot"), final_value(trace, "slider.y_dot")),
              1.0, 1e-9);
}

// Drawings hold so many digits: where line and arc join with a kink of 1e-10 rad the contact goes on as well.
TEST(Bend, JoinThatIsSmoothToTenDigitsHandsTheContactOver) {
  const double turn = 0.8;
  for (const double error : {1e-10, -1e-10, 3e-9, -3e-9}) {
    const std::string arc =
        fmt::format("{{polyline: [[{0}, {1}], [{2}, {3}, {4}], [0, 0], [-1, 0]]}}",
                    std::sin(turn) + std::cos(turn), 1 - std::cos(turn) + std::sin(turn),
                    std::sin(turn), 1 - std::cos(turn) + error, -std::tan(turn / 4));
    const Trace trace = run_text(bend(arc));
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_GT(final_value(trace, "slider.y"), 0.5) << error;
  }
}

double complete_elliptic(double k) {  // K(k), by the arithmetic-geometric mean
  double a = 1.0, b = std::sqrt(1.0 - k * k);
  while (std::abs(a - b) > 1e-16 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

TEST(PinInHole, RollsAsAPendulumOfOneAndAHalfTimesTheClearance) {
  for (const double phi0 : {0.2, 0.7}) {
    const Trace trace = run_file("polygons/pin-in-hole.yaml", {{"phi0", fmt::format("{}", phi0)}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_LT(trace.energy.ledger_error, 1e-8);
    // Handed over at the lowest place, a quarter of a period after the start and then every half of one.
    const auto passes = times_of(trace, EventKind::feature);
    const double period =
        4.0 * std::sqrt(1.5 * 0.03 / 9.81) * complete_elliptic(std::sin(phi0 / 2));
    ASSERT_GE(passes.size(), 6u);
    for (std::size_t k = 0; k < passes.size(); ++k)
      EXPECT_NEAR(passes[k] / ((0.25 + 0.5 * static_cast<double>(k)) * period), 1.0, 1e-8) << k;
    EXPECT_TRUE(times_of(trace, EventKind::impact).empty());
    EXPECT_TRUE(times_of(trace, EventKind::slip).empty());  // handed over sticking
    EXPECT_EQ(trace.contacts, (std::vector<std::string>{"pin/plate.e4", "pin/plate.e5"}));
  }
}

TEST(PinInHole, EqualRadiiAreRefused) {
  EXPECT_THROW(run_file("polygons/pin-in-hole.yaml", {{"r", "0.05"}, {"R", "0.05"}}), ModelError);
}

TEST(Geneva, WheelFollowsThePinWithinItsClearance) {
  const Trace trace = run_file("polygons/geneva.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double r = 0.04, slots = 4, d = r / std::sin(pi / slots), alpha = pi / 2 - pi / slots,
               c = 1e-4, omega = 5;
  int inside = 0;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double th = -alpha - 0.2 + omega * at_row(trace, row, "t");
    if (std::abs(th) > 0.97 * alpha) continue;
    ++inside;
    const double psi = std::atan2(std::sin(th), d / r - std::cos(th));
    const double play = std::asin(c / std::hypot(d - r * std::cos(th), r * std::sin(th)));
    EXPECT_LE(std::abs(at_row(trace, row, "wheel") - psi), play + 1e-9) << th;
  }
  EXPECT_GT(inside, 20);
  // One slot further, held by the hub within its play.
  EXPECT_NEAR(final_value(trace, "wheel"), pi / slots, 0.02);
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
