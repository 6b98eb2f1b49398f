// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/spaceex.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "clack/model/reader.hpp"

namespace clack {
namespace {

std::string spaceex_of(const Model& model, const Automaton& automaton) {
  std::string text;
  write_spaceex(automaton, affine_model(model), [&text](std::string_view part) { text += part; });
  return text;
}

std::string spaceex_of(const Model& model) {
  return spaceex_of(model, build_automaton(contact_list(model)));
}

Model spaceex_model(const std::string& name) {
  return read_model(CLACK_SOURCE_DIR "/models/" + name);
}

/// Tags open and close in pairs and every id that a transition names exists.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    if (xml.compare(at, 4, "<!--") == 0) {
      const std::size_t end = xml.find("--", at + 4);
      ASSERT_EQ(xml.compare(end, 3, "-->"), 0);
      continue;
    }
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    if (xml[at + 1] == '?' || xml[end - 1] == '/') continue;
    const bool is_closing = xml[at + 1] == '/';
    const std::size_t begin = at + (is_closing ? 2 : 1);
    const std::string name = xml.substr(begin, xml.find_first_of(" >", begin) - begin);
    if (!is_closing) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open.back(), name);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  if (std::system("xmllint --version > /dev/null 2>&1") != 0) return;
  const auto path = std::filesystem::temp_directory_path() /
                    ("clack-spaceex-" + std::to_string(::getpid()) + ".xml");
  std::ofstream(path) << xml;
  EXPECT_EQ(std::system(("xmllint --noout '" + path.string() + "'").c_str()), 0);
  std::filesystem::remove(path);
}

TEST(SpaceEx, BouncingBallIsExact) {
  const std::string xml = spaceex_of(spaceex_model("bouncing-ball/bouncing-ball.yaml"));
  expect_well_formed(xml);
  EXPECT_NE(xml.find("<sspaceex xmlns=\"http://www-verimag.imag.fr/xml-namespaces/sspaceex\" "
                     "version=\"0.2\" math=\"SpaceEx\">"),
            std::string::npos);
  EXPECT_NE(xml.find("<flow>y' == y_dot &amp; y_dot' == -9.81 &amp; clock' == 0</flow>"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<guard>y &lt;= 0 &amp; y_dot &lt;= 0</guard>"), std::string::npos);
  EXPECT_NE(xml.find("<assignment>y_dot := -0.8*y_dot &amp; clock := 0</assignment>"),
            std::string::npos);
  EXPECT_NE(xml.find("<invariant>clock &lt;= 0</invariant>"), std::string::npos);
  EXPECT_NE(xml.find("<flow>y' == y_dot &amp; y_dot' == 0 &amp; clock' == 0</flow>"),
            std::string::npos);  // at rest
}

constexpr const char* two_balls = R"(
clack: 1
name: two balls on a line
dimension: 2
parameters: {g: 9.81}
coordinates: {y1: {start: 1, rate: 0}, y2: {start: 1.5, rate: 0}}
mass_matrix: [[1, 0], [0, 0.5]]
force: [-g, -0.5*g]
contacts:
  ground: {gap: y1, restitution: 0.5}
  "12": {gap: y2 - y1 - 0.2, restitution: 0.5}
run: {until: 1}
)";

TEST(SpaceEx, ColumnByFormulasHasTheSimultaneousImpactInClosedForm) {
  const Model model = read_model_text(two_balls, "two.yaml");
  const AffineAnswer answer = affine_model(model);
  ASSERT_TRUE(answer.model) << answer.reason;
  EXPECT_EQ(answer.model->gap_offsets, Eigen::Vector2d(0, -0.2));
  const std::string xml = spaceex_of(model);
  expect_well_formed(xml);
  // Both contacts take an impulse: y1+ = -0.5 y1-, y2+ = y1+ - 0.5 (y2- - y1-) = -0.5 y2- (Newton).
  EXPECT_NE(xml.find("y1_dot := -0.5*y1_dot &amp; y2_dot := -0.5*y2_dot"), std::string::npos)
      << xml;
  // At rest on the ground the lower ball carries both: no acceleration.
  EXPECT_NE(xml.find("y1_dot' == 0 &amp; y2_dot' == 0 &amp; clock' == 0"), std::string::npos);
}

constexpr const char* spheres = R"(
clack: 1
name: column
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  low: {mass: 1, inertia: 0.4, position: [0.3, 0, 1.1], shape: {sphere: {radius: 0.1}}}
  high: {mass: 0.5, inertia: 0.2, position: [0.3, 0, 1.301], shape: {sphere: {radius: 0.1}}}
contacts:
  ground: {between: [low, floor], restitution: 1}
  pair: {between: [high, low], restitution: 1, friction: 0.3}
run: {until: 1, theory: newton}
)";

TEST(SpaceEx, SpheresOnOneLineAreReducedToTheirHeights) {
  const AffineAnswer answer = affine_model(read_model_text(spheres, "column.yaml"));
  ASSERT_TRUE(answer.model) << answer.reason;
  EXPECT_EQ(answer.model->coordinates, (std::vector<std::string>{"low", "high"}));
  EXPECT_TRUE(answer.model->gap_rows.isApprox((Eigen::Matrix2d() << 1, 0, -1, 1).finished()));
  EXPECT_TRUE(answer.model->gap_offsets.isApprox(Eigen::Vector2d(-0.1, -0.2)));
  EXPECT_TRUE(answer.model->force.rightCols(1).isApprox(Eigen::Vector2d(-9.81, -4.905)));
}

TEST(SpaceEx, SpheresThatLeaveTheLineAreNotAffine) {
  std::string aside = spheres;
  aside.replace(aside.find("[0.3, 0, 1.301]"), 15, "[0.2, 0, 1.301]");
  EXPECT_FALSE(affine_model(read_model_text(aside, "column.yaml")).model);
}

TEST(SpaceEx, OtherModelsAreStructureOnlyAndSaySo) {
  const Model model = spaceex_model("woodpecker/three-dof.yaml");
  const AffineAnswer answer = affine_model(model);
  ASSERT_FALSE(answer.model);
  const Automaton automaton = build_automaton(contact_list(model));
  const std::string xml = spaceex_of(model, automaton);
  expect_well_formed(xml);
  EXPECT_NE(xml.find("Structure only"), std::string::npos);
  EXPECT_NE(xml.find(answer.reason), std::string::npos);
  std::size_t transitions = 0;
  for (std::size_t at = xml.find("<transition "); at != std::string::npos;
       at = xml.find("<transition ", at + 1))
    ++transitions;
  EXPECT_EQ(transitions, automaton.edges.size());
}

}  // namespace
}  // namespace clack
