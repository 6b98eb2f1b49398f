// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

std::string model_file(const std::string& name) { return CLACK_SOURCE_DIR "/models/" + name; }

std::vector<std::string> names_of(const auto& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

struct Contract {
  std::string file;
  std::vector<std::string> parameters, coordinates, contacts;
};

const std::vector<std::string> woodpecker = {"m_M",      "J_M",        "m_S", "J_S", "c_phi", "r_0",
                                             "r_M",      "h_M",        "l_M", "l_G", "h_S",   "l_S",
                                             "eps_beak", "eps_sleeve", "mu",  "g"};

// The names of the gallery's contract: other programs set and read them.
const std::vector<Contract> contracts = {
    {"woodpecker/three-dof.yaml",
     woodpecker,
     {"y_M", "phi_M", "phi_S"},
     {"beak", "lower", "upper"}},
    {"woodpecker/four-dof.yaml",
     woodpecker,
     {"x_M", "y_M", "phi_M", "phi_S"},
     {"beak", "LR", "UR", "LL", "UL"}},
    {"bouncing-ball/bouncing-ball.yaml", {"H", "e", "g"}, {"y"}, {"ground"}},
    {"slide-to-roll/slide-to-roll.yaml",
     {"v0", "w0", "mu", "g", "m", "R", "k"},
     {"x", "y", "turn"},
     {"ground"}},
    {"incline/incline.yaml",
     {"angle", "mu", "mu_static", "g", "m"},
     {"x", "y", "turn"},
     {"left", "right"}},
    {"incline/sphere.yaml", {"angle", "mu", "g", "m", "R"}, {"x", "y", "turn"}, {"ground"}},
    {"pendulum-wall/pendulum-wall.yaml", {"e", "g", "l", "q0"}, {"q"}, {"wall"}},
    {"rod/painleve.yaml",
     {"m", "length", "mu", "theta0", "slip0", "g"},
     {"x", "y", "theta"},
     {"tip"}},
    {"rod/falling.yaml",
     {"m", "length", "mu", "eps", "theta0", "g"},
     {"x", "y", "theta"},
     {"left", "right"}},
    {"block/tumbling.yaml",
     {"m", "width", "height", "mu", "eps", "g"},
     {"x", "y", "theta"},
     {"left", "right"}},
};

TEST(Gallery, FilesKeepTheNamesOfTheirContract) {
  for (const Contract& contract : contracts) {
    const Model model = read_model(model_file(contract.file));
    EXPECT_EQ(names_of(model.coordinates), contract.coordinates) << contract.file;
    EXPECT_EQ(names_of(model.contacts), contract.contacts) << contract.file;
    const auto parameters = names_of(model.parameters);
    for (const std::string& name : contract.parameters)
      EXPECT_NE(std::find(parameters.begin(), parameters.end(), name), parameters.end())
          << contract.file << " " << name;
    EXPECT_FALSE(model.about.empty()) << contract.file;
  }
}

TEST(Gallery, FourDegreeWoodpeckerStartsWithBothCornersClosed) {
  // docs/theories/poisson.md: r_M cos a + h_M sin a = r_0 has a = -0.100900924721.
  const std::string file = model_file("woodpecker/four-dof.yaml");
  EXPECT_NEAR(read_model(file).coordinates[2].start, -0.100900924721, 1e-12);
  const double a = read_model(file, {{"r_M", "0.0033"}}).coordinates[2].start;
  EXPECT_NEAR(0.0033 * std::cos(a) + 0.0058 * std::sin(a), 0.0025, 1e-17);
}

TEST(Gallery, ThreeDegreeWoodpeckerStartFollowsTheGeometryAndLosesAgainstStartValues) {
  const std::string file = model_file("woodpecker/three-dof.yaml");
  EXPECT_DOUBLE_EQ(read_model(file, {{"r_M", "0.0032"}}).coordinates[1].start, -0.0007 / 0.0058);
  EXPECT_DOUBLE_EQ(read_model(file, {{"phi_M_0", "r_M"}}).coordinates[1].start, 0.0031);
  EXPECT_DOUBLE_EQ(read_model(file, {{"phi_S_dot_0", "-2*pi"}}).speeds[2].start,
                   -2 * 3.141592653589793);
}

TEST(Gallery, PainleveRodStartsOnTheGroundWithTheTipSlidingLeft) {
  const Model model =
      read_model(model_file("rod/painleve.yaml"), {{"spin0", "6"}, {"slip0", "0.7"}});
  const double l = 0.5, theta = model.coordinates[2].start, spin = model.speeds[2].start;
  EXPECT_DOUBLE_EQ(model.coordinates[1].start, l * std::sin(theta));
  EXPECT_NEAR(model.speeds[1].start - l * std::cos(theta) * spin, 0.0,
              1e-15);  // gap rate of the tip
  EXPECT_NEAR(model.speeds[0].start + l * std::sin(theta) * spin, -0.7, 1e-15);  // its slip
}

TEST(Gallery, StaticFrictionOfTheSlopeFollowsTheDynamicOneUnlessItIsSet) {
  const std::string file = model_file("incline/incline.yaml");
  EXPECT_DOUBLE_EQ(
      read_model(file, {{"mu", "0.9"}}).contacts[SourceIndex(0)].coefficients.static_friction, 0.9);
  EXPECT_THROW(read_model(file, {{"mu_static", "0.1"}}), ModelError);
}

}  // namespace
}  // namespace clack
