// SPDX-License-Identifier: Apache-2.0
// Kane's method in space: frames, own speeds, rolling, against SymPy and closed forms.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <complex>
#include <fstream>
#include <nlohmann/json.hpp>

#include "acceptance/run_support.hpp"
#include "clack/hybrid/embed.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack::acceptance {
namespace {

// acceptance/data/sympy_kane.json, written by scripts/make_sympy_kane.py: SymPy derives every model once more.
TEST(KanesMethod, HasTheMassMatricesAndForcesOfSymPy) {
  std::ifstream file(CLACK_SOURCE_DIR "/acceptance/data/sympy_kane.json");
  const nlohmann::json document = nlohmann::json::parse(file);
  int models = 0;
  for (const auto& [name, states] : document.items()) {
    if (name == "sympy") continue;
    ++models;
    const Model model = load_model(model_path(name));
    Mechanism mechanism(model);
    const int n = mechanism.speeds();
    Snapshot snapshot = mechanism.snapshot({});
    const auto evaluator = mechanism.evaluator({});
    for (const auto& state : states) {
      const auto q = state["q"].get<std::vector<double>>(),
                 v = state["v"].get<std::vector<double>>();
      evaluator->evaluate(0.0, q.data(), v.data(), snapshot);
      double size = 0.0, force_size = 0.0, off = 0.0, force_off = 0.0;
      for (int i = 0; i < n; ++i) {
        const double f = state["force"][i];
        force_size = std::max(force_size, std::abs(f));
        force_off = std::max(force_off, std::abs(snapshot.smooth_force()[i] - f));
        for (int j = 0; j < n; ++j) {
          const double m = state["mass_matrix"][i][j];
          size = std::max(size, std::abs(m));
          off = std::max(off, std::abs(snapshot.mass_matrix()(i, j) - m));
        }
      }
      EXPECT_LE(off, 1e-12 * size) << name;
      EXPECT_LE(force_off, 1e-12 * force_size) << name;
    }
  }
  EXPECT_GE(models, 12);
}

TEST(Top, KeepsEnergyAndBothMomenta) {
  const Trace trace = run_file("top/top.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double J1 = 0.06, J3 = 0.02, u3 = at_row(trace, 0, "u3");
  const auto vertical = [&](std::size_t row) {
    const double th = at_row(trace, row, "th");
    return J1 * at_row(trace, row, "u2") * std::sin(th) +
           J3 * at_row(trace, row, "u3") * std::cos(th);
  };
  for (std::size_t row = 0; row < trace.row_count(); row += 50) {
    EXPECT_NEAR(at_row(trace, row, "u3"), u3, 1e-9 * u3);
    EXPECT_NEAR(vertical(row), vertical(0), 1e-9);
  }
  EXPECT_LT(trace.energy.ledger_error, 1e-9);
}

// Steady precession at the slow rate: J1 W^2 cos(th) - J3 n W + m g l = 0 with n = u3.
TEST(Top, PrecessesSteadilyAtTheTwoRates) {
  const double J1 = 0.06, J3 = 0.02, mgl = 9.81 * 0.2, th = 0.4, n = 60.0, c = std::cos(th);
  for (const double sign : {-1.0, 1.0}) {
    const double rate =
        (J3 * n + sign * std::sqrt(J3 * n * J3 * n - 4.0 * J1 * c * mgl)) / (2.0 * J1 * c);
    const Trace trace = run_file("top/top.yaml", {{"phd0", fmt::format("{:.17g}", rate)},
                                                  {"psd0", fmt::format("{:.17g}", n - rate * c)},
                                                  {"run.until", "1"}});
    EXPECT_NEAR(final_value(trace, "th"), th, 1e-9);
    EXPECT_NEAR(final_value(trace, "ph"), rate, 1e-8 * rate);
  }
}

// The same top as a free body with a quaternion, held at its tip by three rows.
TEST(Top, EqualsTheFreeBodyWithAQuaternion) {
  const std::string yaml =
      "clack: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
      "bodies:\n  top: {mass: 1, inertia: [0.02, 0.02, 0.02], rotation: [[x, 0.4]],\n"
      "    position: [0, -0.2*sin(0.4), 0.2*cos(0.4)], spin: [0, -60*sin(0.4), 1 + 60*cos(0.4)],\n"
      "    velocity: [0.2*sin(0.4), 0, 0]}\n"
      "constraints:\n  tip: {configuration: [top.x - 0.4*(top.qx*top.qz + top.qw*top.qy), top.y - "
      "0.4*(top.qy*top.qz - top.qw*top.qx), top.z - 0.2*(1 - 2*top.qx^2 - 2*top.qy^2)]}\n"
      "run: {until: 1, theory: embedding, tolerance: 1e-12}\n";
  const Trace free = run_text(yaml),
              top = run_file("top/top.yaml", {{"run.until", "1"}, {"run.tolerance", "1e-12"}});
  ASSERT_EQ(free.status, RunStatus::done) << free.reason;
  const double th = final_value(top, "th"), ph = final_value(top, "ph");
  EXPECT_NEAR(final_value(free, "top.z"), 0.2 * std::cos(th), 1e-9);
  EXPECT_NEAR(final_value(free, "top.x"), 0.2 * std::sin(th) * std::sin(ph), 1e-9);
  EXPECT_NEAR(final_value(free, "top.y"), -0.2 * std::sin(th) * std::cos(ph), 1e-9);
}

// And with a quaternion of the model's own coordinates, q' = W u: more coordinates than speeds.
TEST(Quaternions, AsFormulasMoveABodyLikeAFreeOne) {
  const std::string head = "clack: 1\ndimension: 3\n";
  const std::string tail = "run: {until: 2, tolerance: 1e-12}\n";
  const Trace free =
      run_text(head + "bodies: {b: {mass: 1, inertia: [1, 2, 2.5], spin: [0.5, 2, 0.3]}}\n" + tail);
  const Trace own = run_text(
      head +
      "coordinates: {a: 1, b: 0, c: 0, d: 0}\nspeeds: {u: 0.5, v: 2, w: 0.3}\n"
      "kinematics: {a: -(b*u + c*v + d*w)/2, b: (a*u + c*w - d*v)/2, c: (a*v + d*u - b*w)/2, d: "
      "(a*w + b*v - c*u)/2}\n"
      "bodies: {body: {mass: 1, inertia: [1, 2, 2.5], orientation: [a, b, c, d]}}\n" +
      tail);
  ASSERT_EQ(own.status, RunStatus::done) << own.reason;
  const Eigen::Quaterniond p(final_value(free, "b.qw"), final_value(free, "b.qx"),
                             final_value(free, "b.qy"), final_value(free, "b.qz")),
      o(final_value(own, "a"), final_value(own, "b"), final_value(own, "c"), final_value(own, "d"));
  EXPECT_NEAR(std::abs(p.normalized().dot(o.normalized())), 1.0, 1e-12);
  const Eigen::Vector3d world(final_value(free, "b.wx"), final_value(free, "b.wy"),
                              final_value(free, "b.wz"));
  const Eigen::Vector3d local = p.normalized().inverse() * world;
  EXPECT_NEAR(final_value(own, "u"), local.x(), 1e-9);
  EXPECT_NEAR(final_value(own, "v"), local.y(), 1e-9);
  EXPECT_LT(own.energy.ledger_error, 1e-10);
}

TEST(RollingDisk, KeepsItsEnergyAndTheContactPointRests) {
  for (const char* kind : {"0", "1"}) {
    const Trace trace = run_file("rolling/disk-3d.yaml", {{"kind", kind}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_LT(trace.energy.ledger_error, 1e-9);
    const double r = 0.5;
    for (std::size_t row = 0; row < trace.row_count(); row += 100) {
      const auto value = [&](const char* name) {
        return at_row(trace, row, std::string("disk.") + name);
      };
      const Eigen::Quaterniond q(value("qw"), value("qx"), value("qy"), value("qz"));
      const Eigen::Vector3d a = q.normalized() * Eigen::Vector3d::UnitZ(),
                            z = Eigen::Vector3d::UnitZ();
      const Eigen::Vector3d arm = -r * (z - a.z() * a).normalized();
      const Eigen::Vector3d v(value("vx"), value("vy"), value("vz")),
          w(value("wx"), value("wy"), value("wz"));
      EXPECT_LT((v + w.cross(arm)).norm(), 1e-9);
      EXPECT_NEAR(value("z"), -arm.z(), 1e-9);
    }
  }
}

// Upright and straight, turning at W, a thin disk leans with 5/4 x'' = (g/r - 3 W^2) x: stable above W^2 = g/(3 r). In angles that
// the motion does not depend on (a quaternion turns along, and what is frozen at one state says nothing of stability).
TEST(RollingDisk, StandsAboveItsCriticalSpeed) {
  for (const double W : {2.0, 4.0}) {
    const Model model = load_model_text(
        "clack: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "coordinates: {x: {start: 0, rate: {guess: 1}}, y: {start: 0, rate: {guess: 0}}, z: "
        "{guess: "
        "0.5}, yaw: 0, lean: 0, turn: {start: 0, rate: " +
            exact(W) +
            "}}\n"
            "bodies:\n  disk: {mass: 2, inertia: [0.125, 0.25, 0.125], position: [x, y, z], "
            "rotation: "
            "[[z, yaw], [x, lean], [y, turn]]}\n"
            "  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}\n"
            "constraints: {rolling: {rolling: [disk, floor], radius: 0.5, axis: [0, 1, 0]}}\n"
            "run: {theory: embedding}\n",
        "disk.yaml");
    EmbedRequest request;
    request.names = {"rolling"};
    request.linearize = true;
    const EmbedAnswer answer = embed(model, request);
    const std::complex<double> expected =
        std::sqrt(std::complex<double>((9.81 / 0.5 - 3.0 * W * W) / 1.25));
    double best = 1e9;
    for (const auto& x : answer.linear->eigenvalues) best = std::min(best, std::abs(x - expected));
    EXPECT_LT(best, 1e-9) << W;
    EXPECT_EQ(expected.real() > 1e-9, W < 2.5);
  }
}

std::vector<std::complex<double>> bicycle_eigenvalues(double speed) {
  const Model model =
      load_model(model_path("bicycle/whipple.yaml"), {{"v0", fmt::format("{:.17g}", speed)}});
  EmbedRequest request;
  request.names = {"rear", "front"};
  request.linearize = true;
  std::vector<std::complex<double>> own;  // of lean and steer; the others are zero
  const EmbedAnswer answer = embed(model, request);
  for (const auto& x : answer.linear->eigenvalues)
    if (std::abs(x) > 1e-5) own.push_back(x);
  return own;
}

// Guide 4.4: Meijaard et al. 2007.
TEST(Bicycle, HasTheEigenvaluesOfTheBenchmark) {
  const auto near = [](const std::vector<std::complex<double>>& found, std::complex<double> x) {
    double best = 1e9;
    for (const auto& y : found) best = std::min(best, std::abs(x - y));
    EXPECT_LT(best, 1e-8) << x.real() << " " << x.imag();
  };
  const auto at5 = bicycle_eigenvalues(5.0);
  EXPECT_EQ(at5.size(), 4U);
  for (const std::complex<double> x : {std::complex<double>(-14.0783896928, 0),
                                       {-0.7753418822, 4.4648677138},
                                       {-0.7753418822, -4.4648677138},
                                       {-0.3228664290, 0}})
    near(at5, x);
  const auto at4 = bicycle_eigenvalues(4.0);
  for (const std::complex<double> x :
       {std::complex<double>(-12.1586142658, 0), {0.4132533152, 3.0791081860}, {-1.4294442736, 0}})
    near(at4, x);
}

TEST(Bicycle, IsStableBetweenWeaveAndCapsize) {
  const auto growth = [](double v, bool is_weave) {
    double largest = -1e9;
    for (const auto& x : bicycle_eigenvalues(v))
      if ((std::abs(x.imag()) > 1e-6) == is_weave) largest = std::max(largest, x.real());
    return largest;
  };
  const auto crossing = [&](double low, double high, bool is_weave) {
    const bool falls = growth(low, is_weave) > 0.0;
    for (int k = 0; k < 40 && high - low > 1e-9; ++k) {
      const double middle = 0.5 * (low + high);
      ((growth(middle, is_weave) > 0.0) == falls ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  EXPECT_NEAR(crossing(4.2, 4.4, true), 4.2923825363, 1e-7);
  EXPECT_LT(growth(5.0, true), 0.0);
  EXPECT_LT(growth(5.0, false), 0.0);
  EXPECT_GT(growth(6.1, false), 0.0);
  // Capsize: the speed as a polynomial of the eigenvalue through four neighbours, at zero (zero itself is the eigenvalue
  // of where the bicycle heads).
  const std::array<double, 4> speeds{6.01, 6.02, 6.03, 6.04};
  double capsize = 0.0;
  for (const double v : speeds) {
    double weight = 1.0;
    for (const double other : speeds)
      if (other != v) weight *= growth(other, false) / (growth(other, false) - growth(v, false));
    capsize += weight * v;
  }
  EXPECT_NEAR(capsize, 6.0242620154, 1e-7);
}

TEST(Bicycle, RecoversFromALeanByItself) {
  const Trace trace = run_file("bicycle/whipple.yaml", {{"lean0", "0.05"}, {"run.until", "6"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(std::abs(final_value(trace, "lean")), 0.02);
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
