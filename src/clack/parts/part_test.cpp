// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/part.hpp"

#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/parts/catalogue.hpp"

namespace clack {
namespace {

/// Something to make: it remembers the value that it was made with.
struct Thing {
  double size;
};

Registry<Thing> two_laws() {
  Part<Thing> any;
  any.name = "any";
  any.options = {number_option("size", 2.0, {.low = 0.0, .high = 5.0}, "of the thing")};
  any.make = [](const OptionValues& values) {
    return std::make_unique<Thing>(Thing{values.number("size")});
  };
  Part<Thing> smooth = any;
  smooth.name = "smooth";
  smooth.needs = {.plane = true, .no_friction = true, .contact_limit = 3};
  smooth.options = {};
  return {PartKind::impact_law, {any, smooth}};
}

TEST(Registry, MakesAPartWithItsDefaultsOrWithWhatIsGiven) {
  EXPECT_EQ(two_laws().make("any", {})->size, 2.0);
  OptionValues given;
  given.set("size", 4.5);
  EXPECT_EQ(two_laws().make("any", given)->size, 4.5);
}

TEST(Registry, UnknownNamesAreRefusedWithTheNearestOrAll) {
  for (const auto& [name, remedy] : {std::pair("smoth", "did you mean smooth?"),
                                     std::pair("xyzzy", "known impact laws: any, smooth")}) {
    try {
      (void)two_laws().make(name, {});
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), std::string("unknown impact law ") + name);
      EXPECT_EQ(error.remedy(), remedy);
    }
  }
}

TEST(Registry, ARefusalNamesTheNeedAndOnlyPartsThatCan) {
  const Registry<Thing> laws = two_laws();
  const Circumstances rough{.contacts = 1, .rough_contact = "left", .friction = 0.3};
  EXPECT_EQ(laws.refusal("smooth", rough),
            "impact law smooth knows no friction, but contact left has friction 0.3; use impact "
            "law any");
  EXPECT_EQ(laws.refusal("any", rough), "");
  EXPECT_NE(laws.refusal("smooth", {.dimension = 3}).find("in space"), std::string::npos);
  EXPECT_NE(laws.refusal("smooth", {.contacts = 4}).find("at most 3 contacts, here are 4"),
            std::string::npos);
  EXPECT_EQ(laws.remedy({}), "use impact law any or smooth");
}

TEST(Registry, RefusesWithoutAdviceWhenNoPartCan) {
  const Registry<Thing> both = two_laws();
  const Registry<Thing> laws(PartKind::impact_law, {both.find("smooth")});
  EXPECT_EQ(laws.remedy({.dimension = 3}), "no impact law can");
}

TEST(Needs, AreDescribedInWords) {
  EXPECT_EQ(describe(Needs{}), "nothing");
  const Registry<Thing> laws = two_laws();
  EXPECT_EQ(describe(laws.find("smooth").needs), "plane, no friction, at most 3 contacts");
}

TEST(Catalogue, KnowsWhoReadsAKeyOfAModelFileAndOfAJsonProblem) {
  const Option renamed = in_model(boolean_option("fast", true, ""), OptionSection::run, "hurry");
  PartCatalogue catalogue;
  catalogue.parts = {{.kind = PartKind::decision, .name = "a", .options = {renamed}},
                     {.kind = PartKind::impact_law, .name = "b", .options = {renamed}}};
  EXPECT_EQ(titles(catalogue.readers(OptionSection::run, "hurry")), "decision a and impact law b");
  EXPECT_EQ(titles(catalogue.readers("fast")), "decision a and impact law b");
  EXPECT_TRUE(catalogue.readers(OptionSection::policies, "hurry").empty());
  EXPECT_TRUE(catalogue.readers(OptionSection::run, "fast").empty());
  EXPECT_EQ(catalogue.keys(OptionSection::run), std::vector<std::string>{"hurry"});
}

}  // namespace
}  // namespace clack
