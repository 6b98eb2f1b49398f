// SPDX-License-Identifier: Apache-2.0
// Edge cases of the laws for simultaneous impacts inside runs, both laws on each: moving partners, moving
// surfaces, joints, formulas, islands, an impact at the start, masses far apart.
#include <gtest/gtest.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

const char* const both_laws[] = {"energetic", "lzb"};

Trace run_law(const std::string& yaml, const std::string& theory,
              std::vector<Override> overrides = {}) {
  overrides.push_back({"run.theory", theory});
  return run_text("clack: 1\n" + yaml, overrides);
}

double speed_after(const Trace& trace, std::size_t impact, const std::string& speed) {
  const auto found = std::find(trace.speeds.begin(), trace.speeds.end(), speed);
  if (found == trace.speeds.end()) throw std::runtime_error("no speed " + speed);
  return trace.impacts.at(impact).v_after[found - trace.speeds.begin()];
}

/// The works of every impact add up to its change of energy, which is no gain where nothing drives.
void expect_books(const Trace& trace, const std::string& what) {
  ASSERT_FALSE(trace.impacts.empty()) << what << " " << trace.reason;
  for (const TraceImpact& impact : trace.impacts) {
    EXPECT_NEAR(impact.normal_work + impact.tangential_work + impact.joint_work,
                impact.energy_after - impact.energy_before, 1e-10 * (1.0 + impact.energy_before))
        << what;
  }
}

// One contact between two moving bodies in space. Spheres: the normal part is e times the approach
// whatever the friction, and both laws are the same law.
TEST(MultipleImpactEdges, TwoMovingSpheresMeetInSpace) {
  const std::string yaml = R"(dimension: 3
bodies:
  A: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], velocity: [2, 0, 0], shape: {sphere: {radius: 0.5}}}
  B: {mass: 3, inertia: [0.3, 0.3, 0.3], position: [1.5, 0, 0], velocity: [-1, 0.4, 0], shape: {sphere: {radius: 0.5}}}
contacts: {touch: {between: [B, A], restitution: 0.6, friction: 0.2}}
run: {until: 0.4}
)";
  std::vector<double> first;
  for (const char* law : both_laws) {
    const Trace trace = run_law(yaml, law);
    expect_books(trace, law);
    ASSERT_EQ(trace.impacts.size(), 1u) << law;
    const TraceImpact& impact = trace.impacts[0];
    // Centres: A at 2t, B at 1.5 - t and 0.4 t; they touch where their distance is 1.
    const double t = impact.t;
    const Eigen::Vector3d line = Eigen::Vector3d(1.5 - 3 * t, 0.4 * t, 0).normalized();
    const auto approach = [&](const std::vector<double>& v) {
      return line.dot(Eigen::Vector3d(v[6] - v[0], v[7] - v[1], v[8] - v[2]));
    };
    EXPECT_NEAR(approach(impact.v_after), -0.6 * approach(impact.v_before), 1e-10) << law;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(impact.v_after[i] + 3 * impact.v_after[6 + i],
                  impact.v_before[i] + 3 * impact.v_before[6 + i], 1e-12)
          << law;
    if (first.empty()) first = impact.v_after;
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(impact.v_after[i], first[i], 1e-9) << law << i;
  }
}

// A block falls flat onto a belt, hits it with two corners at once, and is carried off in the end:
// whatever the law, the belt's work is m V^2 and the heat is that plus what the fall had.
TEST(MultipleImpactEdges, ABlockOnABeltIsCarriedOff) {
  const std::string yaml = R"(dimension: 2
gravity: [0, -10]
bodies:
  block: {mass: 2, inertia: 0.05, position: [0, 0.3], shape: {box: {width: 0.4, height: 0.2}}}
  ground: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts: {belt: {between: [block, ground], restitution: 0.4, dynamic_friction: 0.3, static_friction: 0.5, surface_velocity: 2}}
run: {until: 1}
)";
  for (const char* law : both_laws) {
    const Trace trace = run_law(yaml, law);
    EXPECT_EQ(trace.status, RunStatus::done) << law << trace.reason;
    expect_books(trace, law);
    EXPECT_EQ(trace.impacts[0].contacts.size(), 2u) << law;
    EXPECT_NEAR(trace.energy.final, trace.energy.initial, 1e-7) << law;
    EXPECT_NEAR(trace.energy.work_of_drives, 2 * 2 * 2, 1e-7) << law;
    EXPECT_NEAR(trace.energy.dissipated, 8.0, 1e-7) << law;
    EXPECT_NEAR(trace.final_v[0], 2.0, 1e-9) << law;
  }
}

// A bob on a rod meets a wall and a slope at t = 0. One freedom: without friction e^2 of the energy
// comes back, so v+ = -e v-. With friction the joint still holds and more is lost.
TEST(MultipleImpactEdges, ABobOnARodMeetsTwoWallsAtTheStart) {
  const std::string yaml = R"yaml(dimension: 2
parameters: {mu: 0.2}
bodies:
  bob: {coordinates: [x, y, turn], mass: 1, inertia: 0.1, position: [0, -1], velocity: [1, 0], spin: 1, shape: {disk: {radius: 0.2}}}
  right: {fixed: true, shape: {half-plane: {normal: [-1, 0], point: [0.2, 0]}}}
  ramp: {fixed: true, shape: {half-plane: {normal: [-0.6, 0.8], point: [0.12, -1.16]}}}
constraints:
  pin_x: {configuration: "x - sin(turn)"}
  pin_y: {configuration: "y + cos(turn)"}
contacts:
  wall: {between: [bob, right], restitution: 0.5, friction: mu}
  slope: {between: [bob, ramp], restitution: 0.5, friction: mu}
run: {until: 0.1}
)yaml";
  for (const char* law : both_laws) {
    const Trace smooth = run_law(yaml, law, {{"mu", "0"}});
    expect_books(smooth, law);
    EXPECT_EQ(smooth.impacts[0].t, 0.0) << law;
    EXPECT_EQ(smooth.impacts[0].contacts.size(), 2u) << law;
    EXPECT_NEAR(smooth.impacts[0].v_after[2], -0.5, 1e-10) << law;
    const Trace rough = run_law(yaml, law);
    expect_books(rough, law);
    const std::vector<double>& v = rough.impacts[0].v_after;
    EXPECT_NEAR(v[0], v[2], 1e-12) << law;  // x' = omega at the lowest point
    EXPECT_NEAR(v[1], 0.0, 1e-12) << law;
    EXPECT_LT(v[2], 0.0) << law;
    EXPECT_GT(v[2], -0.5 + 1e-3) << law;
  }
}

// Formula contacts have no bodies: law energetic takes them one at a time (energetic_test.cpp), law lzb
// together.
TEST(MultipleImpactEdges, FormulaContactsTogetherAreForLawLzb) {
  const std::string yaml = R"(dimension: 2
coordinates: {y: {start: 0, rate: -1}, z: {start: 0, rate: -1}}
mass_matrix: [[1, 0.3], [0.3, 1]]
force: [0, 0]
contacts: {a: {gap: y, restitution: 0.5}, b: {gap: z + y/2, restitution: 0.2}}
run: {until: 0.1}
)";
  const Trace trace = run_law(yaml, "lzb");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  expect_books(trace, "lzb");
  const std::vector<double>& v = trace.impacts[0].v_after;
  EXPECT_GE(v[0], 0.0);
  EXPECT_GE(v[1] + 0.5 * v[0], -1e-9);
  const Trace refused = run_law(yaml, "energetic");
  EXPECT_EQ(refused.status, RunStatus::stopped);
  EXPECT_NE(refused.reason.find("contact a has no bodies"), std::string::npos) << refused.reason;
}

// What touches elsewhere is not hit, and may have a restitution of its own.
TEST(MultipleImpactEdges, AContactOfAnotherIslandIsLeftAlone) {
  const std::string yaml = R"(dimension: 2
gravity: [0, -10]
bodies:
  A: {mass: 1, inertia: 0.1, position: [0, 1], shape: {disk: {radius: 0.5}}}
  B: {mass: 1, inertia: 0.1, position: [5, 0.5], shape: {disk: {radius: 0.5}}}
  ground: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts: {a: {between: [A, ground], restitution: 0.5}, b: {between: [B, ground], restitution: 0.3}}
run: {until: 0.35}
)";
  for (const char* law : both_laws) {
    const Trace trace = run_law(yaml, law);
    EXPECT_EQ(trace.status, RunStatus::done) << law << trace.reason;
    expect_books(trace, law);
    EXPECT_NEAR(trace.impacts[0].v_after[1], 0.5 * std::sqrt(10.0), 1e-9) << law;
    for (int i = 3; i < 6; ++i) EXPECT_EQ(trace.impacts[0].v_after[i], 0.0) << law;
    for (const ImpactEvent& event : trace.impacts[0].events)
      EXPECT_EQ(event.contacts, std::vector<int>{0}) << law;
  }
}

// 1 kg on 1e6 kg that stands on the ground. energetic: equal impulses above and below, so the slab does
// not move and v+ = -e v-. lzb: the slab gives way by about 1e-6 of the speed.
TEST(MultipleImpactEdges, OneKilogramOnAThousandTons) {
  const std::string yaml = R"(dimension: 2
bodies:
  ball: {coordinates: [bx, by, bturn], mass: 1, inertia: 0.1, position: [0, 1.5], velocity: [0, -1], shape: {disk: {radius: 0.5}}}
  slab: {coordinates: [sx, sy, sturn], mass: 1e6, inertia: 1e6, position: [0, 0.5], shape: {disk: {radius: 0.5}}}
  ground: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts: {top: {between: [ball, slab], restitution: 0.5}, bottom: {between: [slab, ground], restitution: 0.5}}
run: {until: 0.1}
)";
  const Trace energetic = run_law(yaml, "energetic");
  expect_books(energetic, "energetic");
  EXPECT_EQ(energetic.impacts[0].t, 0.0);
  EXPECT_NEAR(speed_after(energetic, 0, "by_dot"), 0.5, 1e-12);
  EXPECT_NEAR(speed_after(energetic, 0, "sy_dot"), 0.0, 1e-15);
  const Trace lzb = run_law(yaml, "lzb");
  expect_books(lzb, "lzb");
  EXPECT_NEAR(speed_after(lzb, 0, "by_dot"), 0.5, 1e-5);
  EXPECT_GE(speed_after(lzb, 0, "sy_dot"), 0.0);
  EXPECT_LT(speed_after(lzb, 0, "sy_dot"), 3e-6);
}

}  // namespace
}  // namespace clack::acceptance
