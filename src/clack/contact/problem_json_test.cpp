// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/problem_json.hpp"

#include <gtest/gtest.h>

#include "clack/contact/lcp_decision.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

nlohmann::json disc() {
  return nlohmann::json::parse(R"({"dimension": 2, "mass_matrix": [[1,0,0],[0,1,0],[0,0,0.5]],
    "velocity": [4,-1,0], "contacts": [{"name": "floor", "normal_row": [0,1,0],
    "tangent_rows": [[1,0,1]], "dynamic_friction": 0.2, "restitution": 0.5,
    "surface_velocity": [0.25, 0.125]}]})");
}

std::string complaint(const nlohmann::json& document) {
  try {
    (void)read_problem(document, "file.json");
  } catch (const InputError& e) {
    EXPECT_EQ(e.where().rfind("file.json", 0), 0u);
    return std::string(e.what()) + " | " + e.remedy();
  }
  return "";
}

TEST(ProblemJson, ReadsEveryPartOfAContact) {
  const ProblemDocument read = read_problem(disc(), "file.json");
  EXPECT_EQ(read.impact.contacts(), 1);
  EXPECT_EQ(read.impact.materials[0].static_friction, 0.2);  // defaults to the dynamic one
  EXPECT_EQ(read.impact.tangent_surface_velocity[0], 0.25);  // tangent first, then normal
  EXPECT_EQ(read.impact.normal_surface_velocity[0], 0.125);
  EXPECT_TRUE(read.has_restitution);
  EXPECT_FALSE(read.has_force);
  EXPECT_TRUE(read.impact.geometry.empty());
  EXPECT_EQ(read.contact.force.size(), 3);
  EXPECT_EQ(read.contact.names[0], "floor");
}

TEST(ProblemJson, ReadsGeometryAndOptions) {
  nlohmann::json document = disc();
  document["contacts"][0]["bodies"] = {"ground", "disc"};
  document["contacts"][0]["point"] = {1, 2};
  document["contacts"][0]["center_b"] = {3, 4};
  document["options"] = {{"lcp_size", "full"}, {"rank_cutoff", 1e-7}};
  const DecisionPart lcp = LcpDecision::part();
  const ProblemDocument read = read_problem(document, "file.json", {.part = &lcp});
  ASSERT_EQ(read.impact.geometry.size(), 1u);
  EXPECT_EQ(read.impact.geometry[0].body_b, "disc");
  EXPECT_EQ(read.impact.geometry[0].point, Eigen::Vector3d(1, 2, 0));
  EXPECT_TRUE(read.impact.geometry[0].center_b.has_value());
  EXPECT_EQ(read.options.chosen<LcpSize>("lcp_size"), LcpSize::full);
  EXPECT_EQ(read.contact.options.rank_cutoff, 1e-7);
}

TEST(ProblemJson, UnknownKeysNameTheNearest) {
  nlohmann::json document = disc();
  document["contacts"][0]["restitutoin"] = 0.5;
  EXPECT_NE(complaint(document).find("did you mean restitution?"), std::string::npos);
  document = disc();
  document["velocty"] = nlohmann::json::array();
  EXPECT_NE(complaint(document).find("did you mean velocity?"), std::string::npos);
  document = disc();
  document["options"] = {{"rank_cutof", 0.1}};
  EXPECT_NE(complaint(document).find("did you mean rank_cutoff?"), std::string::npos);
}

TEST(ProblemJson, FrictionNeedsTangentRows) {
  nlohmann::json document = disc();
  document["contacts"][0].erase("tangent_rows");
  EXPECT_NE(complaint(document).find("no tangent_rows"), std::string::npos);
  document["contacts"][0]["dynamic_friction"] = 0;
  EXPECT_EQ(complaint(document), "");
}

TEST(ProblemJson, KeysOfTheOtherQuestionAreNamedNotIgnored) {
  nlohmann::json document = disc();
  document["force"] = {0, -9.81, 0};
  document["contacts"][0]["gap_bias"] = 1.0;
  const ProblemDocument read = read_problem(document, "file.json");
  EXPECT_EQ(read.contact_only, (std::vector<std::string>{"force", "contacts[0].gap_bias"}));
  EXPECT_EQ(read.impact_only, (std::vector<std::string>{"contacts[0].restitution"}));
}

TEST(ProblemJson, AnswersHaveTheFieldsOfTheContract) {
  const ProblemDocument read = read_problem(disc(), "file.json");
  ImpactResult impact;
  impact.velocity = Eigen::Vector3d(1, 2, 3);
  impact.normal_impulse = Eigen::VectorXd::Constant(1, 0.5);
  impact.tangent_impulse = Eigen::VectorXd::Constant(1, -0.1);
  impact.statuses = {ContactStatus::slip};
  const auto answer = to_json(read.impact, "poisson", impact);
  for (const char* key : {"law", "velocity", "contacts", "energy_before", "energy_after", "events",
                          "consistent", "flags", "notes", "history"})
    EXPECT_TRUE(answer.contains(key)) << key;
  for (const char* key : {"name", "normal_impulse", "tangent_impulse", "gap_rate_before",
                          "gap_rate_after", "slip_before", "slip_after", "status"})
    EXPECT_TRUE(answer["contacts"][0].contains(key)) << key;
  EXPECT_TRUE(answer["contacts"][0]["tangent_impulse"].is_array());
  EXPECT_EQ(answer["contacts"][0]["gap_rate_before"], -1.125);
  ContactResult contact;
  contact.acceleration = Eigen::Vector3d::Zero();
  contact.normal_force = contact.friction_force = contact.gap_acceleration =
      contact.slip_acceleration = Eigen::VectorXd::Zero(1);
  contact.statuses = {ContactStatus::trans};
  const auto decided = to_json(read.contact, "lcp", contact);
  for (const char* key :
       {"decision", "acceleration", "contacts", "residual", "iterations", "flags", "notes"})
    EXPECT_TRUE(decided.contains(key)) << key;
  EXPECT_FALSE(decided.contains("solutions"));
  EXPECT_EQ(decided["contacts"][0]["status"], "trans");
}

}  // namespace
}  // namespace clack
