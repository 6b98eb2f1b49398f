// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/domain_check.hpp"

#include <filesystem>
#include <string_view>

#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using testing::fixed;

TEST(DomainCheck, HoldsAlongEveryModelOfTheGallery) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CLACK_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  std::size_t rows = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    Model model = load_model(file);
    model.run.until =
        std::min(model.run.until, 1.5);  // long enough for every kind of event of the gallery
    if (model.contacts.size() > 12) {    // every row evaluates every candidate
      model.run.until = std::min(model.run.until, 0.05);
      model.run.sample = model.run.until / 20.0;
    }
    const Trace trace = run(model);
    const DomainReport report = check_domains(model, trace);
    rows += report.rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(report.violations.size(), 5); ++i) {
      const DomainViolation& v = report.violations[i];
      ADD_FAILURE() << "t = " << v.t << ", contact " << contact_name(model, v.contact) << ": "
                    << v.condition << " broken by " << v.size;
    }
  }
  EXPECT_GT(rows, 1000U);
}

TEST(DomainCheck, StickingFrictionStaysInItsConeBesideSlipsThatHaveJustBegun) {
  // The friction of a slip that has just begun turns with its reference when a step ends, which may not take away the
  // forces of spheres that stick next to it (once 40 % above their cones). Rows at events are those of the mode that ends.
  Model model = load_model(CLACK_SOURCE_DIR "/models/pile/spheres.yaml");
  model.run.until = 0.765;
  const Trace trace = run(model);
  ASSERT_EQ(trace.rows[(trace.row_count() - 1) * trace.columns.size()], model.run.until);
  for (const DomainViolation& v : check_domains(model, trace).violations)
    if (std::string_view(v.condition).starts_with("stick: |phi_T|"))
      ADD_FAILURE() << "t = " << v.t << ", contact " << contact_name(model, v.contact) << ": "
                    << v.condition << " broken by " << v.size;
}

TEST(DomainCheck, SeesAStateOutsideItsDomain) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/slide-to-roll/slide-to-roll.yaml");
  Trace trace = run(model);
  ASSERT_TRUE(check_domains(model, trace).violations.empty());
  const std::size_t tangent = 1 + trace.coordinates.size() + trace.speeds.size() + 2;
  Trace wrong = trace;
  wrong.rows[tangent] *= -1.0;  // friction along the slip
  ASSERT_FALSE(check_domains(model, wrong).violations.empty());
  EXPECT_EQ(check_domains(model, wrong).violations[0].condition, "slip: phi_T . gamma_T <= 0");
  wrong = trace;
  wrong.rows[tangent - 1] *= -1.0;
  EXPECT_FALSE(check_domains(model, wrong).violations.empty());
  wrong = trace;
  wrong.modes[0].closed = {{0, ContactStatus::stick}};
  EXPECT_FALSE(check_domains(model, wrong).violations.empty());
}

/// What debug builds assert at every recorded row, at the start of the sliding ball changed a
/// little.
std::string broken_at_start(ContactStatus status, double direction, double height, double fall) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/slide-to-roll/slide-to-roll.yaml");
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("delassus");
  ModeDynamics dynamics(*mechanism, *formulation);
  Mode mode;
  if (status != ContactStatus::open) mode.closed = {{fixed(0), status, {direction, 0.0}}};
  const std::vector<ContactMaterial> materials = {
      {.dynamic_friction = 0.2, .static_friction = 0.2}};
  std::vector<double> y;
  for (const Coordinate& c : model.coordinates) y.push_back(c.start);
  for (const Speed& s : model.speeds) y.push_back(s.start);
  y.resize(dynamics.size(), 0.0);
  y[1] += height;
  y[4] -= fall;
  dynamics.enter(mode, materials, 0.0, 0.0);
  dynamics.evaluate(0.0, y.data());
  const std::vector<double> rest(3, 0.0);
  const ContactSet contacts = possible_contacts(model);
  GapMotions gaps;
  gap_motion_of(*mechanism, contacts, 0.0, y.data(), y.data() + 3, rest.data(), gaps);
  DomainScales scales;
  return broken_domain(model, dynamics, y.data(), contacts, gaps.of, scales);
}

TEST(DomainCheck, NamesTheConditionThatAStateInsideAModeBreaks) {
  using enum ContactStatus;
  EXPECT_EQ(broken_at_start(slip, 1.0, 0.0, 0.0), "");
  EXPECT_EQ(broken_at_start(open, 0.0, 0.5, 1.0), "");
  EXPECT_EQ(broken_at_start(slip, -1.0, 0.0, 0.0),
            "contact ground: friction drives the slip with 3.924 W");
  EXPECT_EQ(broken_at_start(stick, 0.0, 0.0, 0.0),
            "contact ground: it sticks and slips with 2 m/s");
  EXPECT_TRUE(
      broken_at_start(open, 0.0, -0.05, 0.0).starts_with("contact ground: the gap is -0.05"));
  EXPECT_TRUE(broken_at_start(slip, 1.0, 0.01, 0.0)
                  .starts_with("contact ground: closed with a gap of 0.0"));
  EXPECT_EQ(broken_at_start(slip, 1.0, 0.0, 0.5),
            "contact ground: closed with a gap rate of -0.5 m/s");
}

}  // namespace
}  // namespace clack
