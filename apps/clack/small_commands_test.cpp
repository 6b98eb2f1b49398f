// SPDX-License-Identifier: Apache-2.0
// `clack equations`, `clack compare`, `clack gallery` and the help of every subcommand, as a user
// meets them.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;

using clack::testing::ProgramFolder;

struct Answer {
  int exit_code = -1;
  std::string output;  // with what went to stderr
  bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
};

Answer joined(const clack::testing::Finished& finished) {
  return {finished.exit_code, finished.output + finished.errors};
}

Answer run_clack(const std::string& arguments) {
  return joined(clack::testing::run_shell("cd '" CLACK_SOURCE_DIR "' && exec '" CLACK_PROGRAM "' " +
                                          arguments));
}

const char* const pendulum = "models/pendulum-wall/pendulum-wall.yaml";
const char* const woodpecker = "models/woodpecker/three-dof.yaml";
const char* const three_feet = "models/projection/three-feet.yaml";

TEST(EquationsCommand, PrintsMassForceGapsAndRows) {
  const Answer answer = run_clack(std::string("equations ") + woodpecker);
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  for (const char* name : {"mass_matrix", "smooth_force", "potential", "gap_beak",
                           "normal_row_lower", "tangent_row_upper", "gap_bias_beak", "slip_lower"})
    EXPECT_TRUE(answer.says(std::string("\n") + name + "   (")) << name;
  EXPECT_TRUE(answer.says("0.0006")) << "r_M - r_0, the play of the sleeve";
}

TEST(EquationsCommand, ShowsWhatHoldsInAModeAndOnlyItsContacts) {
  const Answer answer = run_clack(std::string("equations ") + woodpecker +
                                  " --mode lower:slip,upper:stick --set mu=0.25");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("friction_lower = -0.25 normal_lower"));
  EXPECT_TRUE(answer.says("tangent_row_upper . dv/dt + slip_bias_upper = 0"));
  EXPECT_FALSE(answer.says("beak"));
}

TEST(EquationsCommand, WritesLatex) {
  const Answer answer = run_clack(std::string("equations ") + pendulum + " --format latex");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("\\begin{bmatrix}"));
  EXPECT_TRUE(answer.says("\\dot{q}"));
}

// A pendulum of length l and mass 1: mass matrix l^2, force -g l sin(q).
TEST(EquationsCommand, WritesCThatACompilerTakesAndThatIsRight) {
  const ProgramFolder folder;
  const Answer code =
      run_clack(std::string("equations ") + pendulum + " --format c --set l=2 --set g=10");
  ASSERT_EQ(code.exit_code, 0) << code.output;
  folder.write("p.c",
               code.output +
                   "#include <stdio.h>\nint main(void) { double in[3] = {0, 0.5, 1.5}, m, f; "
                   "mass_matrix(in, &m); smooth_force(in, &f); printf(\"%.17g %.17g\\n\", m, f); "
                   "return 0; }\n");
  const Answer built = joined(clack::testing::run_shell("cd '" + folder.inside().string() +
                                                        "' && c++ -x c++ p.c -o p -lm && ./p"));
  ASSERT_EQ(built.exit_code, 0) << built.output;
  double mass = 0.0, force = 0.0;
  ASSERT_EQ(std::sscanf(built.output.c_str(), "%lf %lf", &mass, &force), 2) << built.output;
  EXPECT_NEAR(mass, 4.0, 1e-14);
  EXPECT_NEAR(force, -20.0 * std::sin(0.5), 1e-13);
}

TEST(EquationsCommand, NamesTheMistake) {
  EXPECT_TRUE(run_clack(std::string("equations ") + woodpecker + " --mode lowr:slip")
                  .says("did you mean lower?"));
  EXPECT_EQ(run_clack(std::string("equations ") + woodpecker + " --mode lower:sliding").exit_code,
            2);
  EXPECT_EQ(run_clack(std::string("equations ") + woodpecker + " --format fortran").exit_code, 2);
  EXPECT_EQ(run_clack("equations nowhere.yaml").exit_code, 2);
  EXPECT_EQ(run_clack("equations models/rolling/sphere-3d.yaml --mode ground:sliding").exit_code,
            2);
}

TEST(CompareCommand, GivesEveryTheoryTheSameNumbersAndSaysSo) {
  const Answer answer =
      run_clack(std::string("compare ") + three_feet + " --theory poisson,projection");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("every theory gets the same numbers"));
  EXPECT_TRUE(
      answer.says("poisson and projection first differ at event 1 in: speeds after the impact"))
      << answer.output;
}

TEST(CompareCommand, SaysWhatTheImpactLawsAddToMomentum) {
  const Answer answer = run_clack(
      "compare models/cradle/measured.yaml --theory newton,poisson,projection,energetic,lzb "
      "--until "
      "0.001");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("momentum alone does not decide an impact"));
  EXPECT_TRUE(answer.says("lzb          stiffness ratios share an impact")) << answer.output;
  const Answer one =
      run_clack("compare models/cradle/measured.yaml --theory lzb,lzb --until 0.001");
  EXPECT_FALSE(one.says("momentum alone")) << one.output;
}

// Three dependent feet: v+ = (0, 0.9, 0.2) by projection and (0, 0.50303, -0.02364) by Poisson
// (docs/theories/projection.md).
TEST(CompareCommand, AnswersInJson) {
  const Answer answer =
      run_clack(std::string("compare ") + three_feet + " --theory projection,poisson --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  const auto document = nlohmann::json::parse(answer.output);
  ASSERT_EQ(document.at("theories").size(), 2U);
  const auto& projection = document["theories"][0];
  EXPECT_EQ(projection.at("theory"), "projection");
  EXPECT_EQ(projection.at("status"), "done");
  EXPECT_TRUE(projection.at("first_difference").is_null());
  EXPECT_NEAR(projection.at("final").at("v")[2].get<double>(), 0.2, 1e-12);
  const auto& poisson = document["theories"][1];
  EXPECT_EQ(poisson.at("decision"), "lcp");
  EXPECT_EQ(poisson.at("first_difference").at("this").at("kind"), "impact");
  EXPECT_NEAR(poisson.at("final").at("v")[2].get<double>(), -0.02364, 1e-5);
}

TEST(CompareCommand, FindsNoDifferenceWhereTheoriesAgree) {
  const Answer answer =
      run_clack("compare models/projection/cradle.yaml --theory poisson,projection --until 0.5");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("the same events to 1e-06")) << answer.output;
}

TEST(CompareCommand, ExitsWithOneWhenATheoryCannotTreatTheModel) {
  const Answer answer =
      run_clack("compare models/rod/falling.yaml --theory poisson,projection --until 0.4");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_TRUE(answer.says("friction")) << answer.output;
}

TEST(CompareCommand, RefusesUnknownTheoriesBeforeRunning) {
  const Answer answer =
      run_clack(std::string("compare ") + three_feet + " --theory poisson,poison");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_TRUE(answer.says("did you mean poisson?")) << answer.output;
  EXPECT_EQ(run_clack(std::string("compare ") + three_feet).exit_code, 2);
}

TEST(CompareCommand, ComparesMethodsAndSteps) {
  const Answer answer = run_clack(
      "compare models/woodpecker/three-dof.yaml --integrator dop853,rk4 --step 1e-4,1e-5 --until "
      "0.1 --json");
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  const auto runs = nlohmann::json::parse(answer.output).at("theories");
  ASSERT_EQ(runs.size(), 3u);  // dop853 has no step of its own
  EXPECT_EQ(runs[0].at("name"), "dop853");
  EXPECT_EQ(runs[1].at("name"), "rk4, 1e-4");
  EXPECT_EQ(runs[2].at("name"), "rk4, 1e-5");
  EXPECT_EQ(runs[2].at("integrator"), "rk4");
  const auto y = [&](int k) { return runs[k].at("final").at("q")[0].get<double>(); };
  EXPECT_LT(std::abs(y(2) - y(0)), std::abs(y(1) - y(0)) + 1e-15);
  EXPECT_NEAR(y(2), y(0), 1e-8);
}

TEST(CompareCommand, WritesAPage) {
  const ProgramFolder folder;
  const std::string page = folder.inside().string() + "/page.html";
  const Answer answer = run_clack(std::string("compare ") + three_feet +
                                  " --theory poisson,projection --html '" + page + "'");
  EXPECT_TRUE(answer.says("page " + page)) << answer.output;
  EXPECT_TRUE(fs::exists(page));
  EXPECT_EQ(run_clack(std::string("compare ") + three_feet + " --theory poisson --html page.txt")
                .exit_code,
            2);
}

TEST(GalleryCommand, ListsEveryModelWithItsName) {
  const Answer answer = run_clack("gallery");
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says(
      "models/woodpecker/three-dof.yaml\n  woodpecker toy, three degrees of freedom\n"));
  EXPECT_FALSE(answer.says("cannot be read"));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(CLACK_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".yaml") {
      ++files;
      EXPECT_TRUE(answer.says(entry.path().lexically_relative(CLACK_SOURCE_DIR).string()));
    }
  EXPECT_GT(files, 10U);
}

TEST(GalleryCommand, RunsModelsByPartOfTheirName) {
  const ProgramFolder folder;
  const std::string out = " --out '" + folder.inside().string() + "/g'";
  const Answer answer = run_clack("gallery run bouncing --until 1" + out);
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("1 of 1 models run"));
  EXPECT_TRUE(fs::exists(folder.inside() / "g/index.html"));
  EXPECT_TRUE(fs::exists(folder.inside() / "g/bouncing-ball/bouncing-ball/report.html"));
  EXPECT_EQ(run_clack("gallery run bouncing --until 1 --out /dev/null/x").exit_code, 2);
  EXPECT_EQ(run_clack("gallery run no-such-model").exit_code, 2);
}

TEST(GalleryCommand, DoesNotBlameAModelThatMechanicsHasNoAnswerFor) {
  const ProgramFolder folder;
  const Answer answer = run_clack("gallery run painleve --out '" + folder.inside().string() + "'");
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_TRUE(answer.says("stopped"));
  EXPECT_TRUE(answer.says("no admissible forces"));
}

TEST(GalleryCommand, ExitsWithOneWhenAModelFails) {
  const ProgramFolder folder;
  folder.write("broken.yaml", "clack: 1\nname: broken\nno_such_key: 1\n");
  const Answer answer = run_clack("gallery --models '" + folder.inside().string() +
                                  "' run all --out '" + folder.inside().string() + "/out'");
  EXPECT_EQ(answer.exit_code, 1) << answer.output;
  EXPECT_TRUE(answer.says("no_such_key"));
  EXPECT_EQ(run_clack("gallery --models nowhere").exit_code, 2);
}

TEST(Help, AMistypedSubcommandGetsTheNearestOne) {
  const Answer answer = run_clack("galery");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.output, "error: unknown subcommand galery\nhelp: did you mean gallery?\n");
  EXPECT_TRUE(run_clack("frobnicate").says("help: clack --help lists the subcommands"));
  EXPECT_TRUE(run_clack("").says("error: "));
  EXPECT_EQ(run_clack("").exit_code, 2);
}

TEST(Help, EverySubcommandShowsAnExample) {
  const Answer help = run_clack("--help");
  ASSERT_EQ(help.exit_code, 0);
  std::size_t at = help.output.find("Subcommands:\n");
  ASSERT_NE(at, std::string::npos);
  int count = 0;
  for (at += 13; at < help.output.size() && help.output.compare(at, 2, "  ") == 0;
       at = help.output.find('\n', at) + 1) {
    const std::string name = help.output.substr(at + 2, help.output.find(' ', at + 2) - at - 2);
    if (name.empty()) continue;
    const Answer answer = run_clack(name + " --help");
    EXPECT_EQ(answer.exit_code, 0) << name;
    EXPECT_TRUE(answer.says("Example")) << name;
    EXPECT_TRUE(answer.says("clack " + name + " ") || answer.says("clack " + name + "\n")) << name;
    ++count;
  }
  EXPECT_GE(count, 9);
}

}  // namespace
