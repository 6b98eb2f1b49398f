// SPDX-License-Identifier: Apache-2.0
#include "clack/model/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using Names = std::set<std::string>;

/// The keys that a reader names when it is given one that it does not know.
Names keys_taken(const std::string& yaml) {
  std::string remedy;
  try {
    (void)read_model_text(yaml, "m.yaml");
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("unknown key zz9"), std::string::npos) << yaml << "\n"
                                                                                    << error.what();
    remedy = error.remedy();
  }
  const std::string before = "keys here are ";
  const std::size_t at = remedy.find(before);
  if (at == std::string::npos) return {};
  Names names;
  std::istringstream words(remedy.substr(at + before.size()));
  for (std::string word; std::getline(words, word, ',');)
    names.insert(word.substr(word.find_first_not_of(' ')));
  return names;
}

/// `dimension` 0: of the plane and of space.
Names keys_in_schema(const std::string& section, int dimension) {
  Names names;
  for (const SchemaSection& one : schema_sections({}, smooth_shapes()))
    if (one.name == section)
      for (const SchemaKey& key : one.keys)
        if (key.dimension == 0 || dimension == 0 || key.dimension == dimension)
          names.insert(key.name);
  if (section != "parameter") names.erase("repeat");  // is gone when the readers see an entry
  return names;
}

struct Probe {
  std::string section;
  std::vector<std::string> texts;  // one unknown key each; all kinds together
};

const std::string plane =
    "clack: 1\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1, points: {p: [0, 0]}}, f: {fixed: "
    "true, points: {p: [0, 0]}}}\n";
const std::string space =
    "clack: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: 1, points: {p: [0, "
    "0, 0]}}, f: {fixed: true, points: {p: [0, 0, 0]}}}\n";

std::string joint(const std::string& base, const std::string& kind) {
  return base + "joints: {j: {" + kind + ": [a.p, f.p], zz9: 1}}\n";
}

std::vector<Probe> both(const std::string& base, const std::string& head) {
  return {
      {"model", {base + "zz9: 1\n"}},
      {"parameter", {base + "parameters: {g: {value: 1, zz9: 1}}\n"}},
      {"body", {head + "bodies: {b: {zz9: 1}}\n"}},
      {"motion", {head + "bodies: {b: {motion: {zz9: 1}}}\n"}},
      {"frame", {base + "frames: {f1: {zz9: 1}}\n"}},
      {"half-space",
       {head + (base == plane ? "bodies: {b: {fixed: true, shape: {half-plane: {zz9: 1}}}}\n"
                              : "bodies: {b: {fixed: true, shape: {half-space: {zz9: 1}}}}\n")}},
      {"box", {head + "bodies: {b: {fixed: true, shape: {box: {zz9: 1}}}}\n"}},
      {"point", {head + "bodies: {b: {fixed: true, shape: {point: {zz9: 1}}}}\n"}},
      {"shape", {head + "bodies: {b: {fixed: true, shape: {zz9: {}}}}\n"}},
      {"coordinate", {head + "coordinates: {q: {zz9: 1}}\n"}},
      {"guess", {head + "coordinates: {q: {start: {guess: 1, zz9: 1}}}\nmass_matrix: [[1]]\n"}},
      {"speed",
       {head + "coordinates: {q: 1}\nspeeds: {u: {is: q_dot, zz9: 1}}\nmass_matrix: [[1]]\n"}},
      {"spring", {base + "springs: [{zz9: 1}]\n", base + "dampers: [{zz9: 1}]\n"}},
      {"force", {base + "forces: [{zz9: 1}]\n"}},
      {"torque", {base + "torques: [{zz9: 1}]\n"}},
      {"path", {base + "paths: {k: {zz9: 1}}\n"}},
      {"constraint", {base + "constraints: {k: {zz9: 1}}\n"}},
      {"contact", {base + "contacts: {k: {zz9: 1}}\n"}},
      {"zone",
       {base + "contacts: {k: {gap: 1 + a.x, slip: " +
        (base == plane ? "a.x_dot" : "[a.vx, a.vy]") + ", zones: [{zz9: 1}]}}\n"}},
      {"event", {base + "events: [{zz9: 1}]\n"}},
      {"cycle", {base + "cycle: {zz9: 1}\n"}},
      {"run", {base + "run: {zz9: 1}\n"}},
      {"policies", {base + "policies: {zz9: 1}\n"}},
      {"tolerances", {base + "tolerances: {zz9: 1}\n"}},
      {"draw", {base + "draw: {d: {zz9: 1}}\n", base + "draw: {d: {contact: k, zz9: 1}}\n"}},
      {"sphere", {base + "draw: {d: {disk: {zz9: 1}}}\n"}}};
}

void expect_same_keys(const std::vector<Probe>& probes, int dimension) {
  for (const Probe& probe : probes) {
    Names taken;
    for (const std::string& text : probe.texts) taken.merge(keys_taken(text));
    // Some readers name keys of the other dimension and refuse them afterwards.
    const Names here = keys_in_schema(probe.section, dimension),
                all = keys_in_schema(probe.section, 0);
    EXPECT_TRUE(std::ranges::includes(taken, here) && std::ranges::includes(all, taken))
        << probe.section << " in dimension " << dimension << ": the schema has "
        << ::testing::PrintToString(here) << ", the readers take "
        << ::testing::PrintToString(taken);
    EXPECT_FALSE(here.empty() && probe.section != "point") << probe.section;
  }
}

TEST(Schema, HasTheKeysThatTheReadersTakeInThePlane) {
  std::vector<Probe> probes = both(plane, "clack: 1\ngravity: [0, 0]\n");
  const std::string body = "clack: 1\ngravity: [0, 0]\nbodies: {b: {fixed: true, shape: {";
  probes.push_back({"disk", {body + "disk: {zz9: 1}}}}\n"}});
  probes.push_back({"polygon", {body + "polygon: {zz9: 1}}}}\n"}});
  probes.push_back({"polyline", {body + "polyline: {zz9: 1}}}}\n"}});
  probes.push_back({"curve", {body + "polygon: {curve: {zz9: 1}}}}}\n"}});
  probes.push_back(
      {"joint-spring", {plane + "joints: {j: {pin: [a.p, f.p], spring: {zz9: 1}}}\n"}});
  Probe joints{"joint", {}};
  for (const char* kind : {"pin", "slider", "weld", "distance", "rolling", "gear", "rack", "drive"})
    joints.texts.push_back(joint(plane, kind));
  probes.push_back(joints);
  expect_same_keys(probes, 2);
}

TEST(Schema, HasTheKeysThatTheReadersTakeInSpace) {
  std::vector<Probe> probes = both(space, "clack: 1\ndimension: 3\ngravity: [0, 0, 0]\n");
  probes.push_back({"surface", {space + "surfaces: {k: {zz9: 1}}\n"}});
  for (const char* solid : {"hull", "prism"})
    probes.push_back(
        {solid,
         {"clack: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies: {b: {fixed: true, shape: {" +
          std::string(solid) + ": {zz9: 1}}}}\n"}});
  for (const SmoothShapeKind& kind : smooth_shapes())
    probes.push_back(
        {std::string(kind.name),
         {"clack: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies: {b: {fixed: true, shape: {" +
          std::string(kind.name) + ": {zz9: 1}}}}\n"}});
  Probe joints{"joint", {}};
  for (const char* kind : {"pin", "slider", "weld", "ball", "universal", "cylinder", "distance",
                           "rolling", "gear", "rack", "drive"})
    joints.texts.push_back(joint(space, kind));
  probes.push_back(joints);
  expect_same_keys(probes, 3);
}

TEST(Schema, PointsToSectionsThatExist) {
  const auto sections = schema_sections({}, smooth_shapes());
  const nlohmann::ordered_json schema = json_schema(sections);
  const std::string page = schema_page(sections), text = schema.dump(), pointer = "#/definitions/";
  int found = 0;
  for (std::size_t at = 0; (at = text.find(pointer, at)) != std::string::npos; ++at, ++found) {
    const std::size_t begin = at + pointer.size();
    const std::string name = text.substr(begin, text.find('"', begin) - begin);
    EXPECT_TRUE(schema.at("definitions").contains(name)) << name;
    EXPECT_NE(page.find("\n## " + name + "\n"), std::string::npos) << name;
  }
  EXPECT_GT(found, 20);
  for (const SchemaSection& section : sections)
    for (const SchemaKey& key : section.keys)
      EXPECT_NE(page.find("| `" + key.name + "` |"), std::string::npos) << key.name;
}

}  // namespace
}  // namespace clack
