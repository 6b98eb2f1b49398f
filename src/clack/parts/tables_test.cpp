// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/tables.hpp"

#include <gtest/gtest.h>

namespace clack {
namespace {

PartCatalogue small() {
  const Option size = choice_option("size", {"small", "large"}, "how large");
  PartCatalogue catalogue;
  catalogue.theories = {{"one", "for everything", "f", "d", "l"}};
  catalogue.parts = {
      {.kind = PartKind::decision, .name = "d", .help = "decides", .options = {size}},
      {.kind = PartKind::impact_law,
       .name = "l",
       .help = "hits",
       .needs = {.plane = true},
       .options = {size, boolean_option("fast", false, "in haste")}},
      {.kind = PartKind::integrator,
       .name = "i",
       .help = "integrates",
       .options = {
           in_model(required(count_option("steps", 1, 1, 9, "of it")), OptionSection::run)}}};
  return catalogue;
}

TEST(PartTables, ShowNeedsOptionsAndDefaults) {
  EXPECT_EQ(part_table(small(), PartKind::impact_law),
            "| impact law | needs | options | what it is |\n|---|---|---|---|\n"
            "| `l` | plane | `policies: size`, `policies: fast` | hits |\n");
  EXPECT_EQ(theory_table(small()),
            "| `--theory` | formulation | decision | impact | for |\n|---|---|---|---|---|\n"
            "| `one` (default) | `f` | `d` | `l` | for everything |\n");
}

TEST(PartTables, AnOptionOfSeveralPartsIsOneRowThatNamesThem) {
  EXPECT_EQ(model_option_rows(small(), OptionSection::policies),
            "| `size` | small | small, large: how large; read by decision d and impact law l |\n"
            "| `fast` | false | true, false: in haste; read by impact law l |\n");
  EXPECT_EQ(model_option_rows(small(), OptionSection::policies, std::vector<std::string>{"size"}),
            "| `fast` | false | true, false: in haste; read by impact law l |\n");
  EXPECT_EQ(model_option_rows(small(), OptionSection::run),
            "| `steps` | required | whole number in [1, 9]: of it; read by integrator i |\n");
}

TEST(PartTables, AJsonProblemHasTheOptionsOfLawsAndDecisionsOnly) {
  const std::vector<Option> own = {number_option("cut", 0.0, {}, "zero below")};
  const std::string table = problem_option_table(small(), own);
  EXPECT_NE(table.find("| `size` | small | small, large | decision d and impact law l |"),
            std::string::npos);
  EXPECT_NE(table.find("| `cut` | 0 | number in [0, 1] | all laws and decisions |"),
            std::string::npos);
  EXPECT_EQ(table.find("steps"), std::string::npos);
}

TEST(PartTables, HelpListsNamesNeedsAndOptions) {
  const std::string help = part_list(small(), PartKind::impact_law);
  EXPECT_NE(help.find("l            hits; needs: plane\n"), std::string::npos) << help;
  EXPECT_NE(help.find("size (policies: size): small, large, default small; how large"),
            std::string::npos)
      << help;
}

}  // namespace
}  // namespace clack
