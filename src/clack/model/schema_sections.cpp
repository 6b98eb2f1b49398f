// SPDX-License-Identifier: Apache-2.0
#include "clack/model/schema.hpp"
#include "clack/model/settings.hpp"

// Tables of keys, a key a line.
// clang-format off
namespace clack {
namespace {

using V = SchemaValue;
using Keys = std::vector<SchemaKey>;

Keys operator+(Keys a, const Keys& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

SchemaSection model_section() {
  return {"model", "The file itself.", {
    {"clack", V::formula, "", "1: the version of the format; required"},
    {"name", V::text, "", "of the model; default: that of the file"},
    {"about", V::text, "", "a sentence for readers"},
    {"source", V::text, "", "where it comes from"},
    {"dimension", V::formula, "", "2 (default) or 3"},
    {"parameters", V::named, "parameter", "names for numbers"},
    {"inputs", V::any, "", "NAME: value, or [value, rate, acceleration]: signals from outside"},
    {"gravity", V::formulas, "", "m/s2; formulas of parameters, inputs and t; there is no default planet"},
    {"frames", V::named, "frame", "moving frames that things are placed in"},
    {"bodies", V::named, "body", "rigid bodies"},
    {"coordinates", V::named, "coordinate", "coordinates of the model's own"},
    {"speeds", V::named, "speed", "starts of speeds, or speeds of one's own choice"},
    {"kinematics", V::any, "", "NAME: FORMULA per coordinate: its rate by the speeds"},
    {"starts", V::any, "", "NAME: value; wins over every other start value"},
    {"mass_matrix", V::any, "", "a row of formulas per coordinate, instead of bodies with mass"},
    {"force", V::formulas, "", "right-hand side of the motion, per coordinate"},
    {"potential", V::formula, "", "potential energy, J, for the ledger"},
    {"paths", V::named, "path", "curves that contacts can follow"},
    {"surfaces", V::named, "surface", "the same of two parameters", 3},
    {"springs", V::sections, "spring", "between points, or torsion springs"},
    {"dampers", V::sections, "spring", "the same without stiffness"},
    {"forces", V::sections, "force", "applied forces"},
    {"torques", V::sections, "torque", "applied torques"},
    {"joints", V::named, "joint", "by name: pin, slider, ..."},
    {"constraints", V::named, "constraint", "equations between coordinates or speeds"},
    {"contacts", V::named, "contact", "what can touch"},
    {"exclusive", V::any, "", "lists of contacts that can never be closed together"},
    {"events", V::sections, "event", "formulas that do something when they cross zero"},
    {"cycle", V::section, "cycle", "what marks a period"},
    {"draw", V::named, "draw", "shapes to look at"},
    {"run", V::section, "run", "how it is run"},
    {"policies", V::section, "policies", "what is done where mechanics leaves a choice"},
    {"tolerances", V::section, "tolerances", "thresholds of the run"}}};
}

Keys rotations() {
  return {{"orientation", V::formulas, "", "[qw, qx, qy, qz]", 3},
          {"rotation", V::any, "", "[[axis, angle], ...]: turns about x, y, z as already turned", 3}};
}

Keys repeated() { return {{"repeat", V::any, "", "{count: n, as: i}, or a list of loops: many entries from one"}}; }

std::vector<SchemaSection> state_sections() {
  return {
      {"parameter", "An entry of `parameters`: a formula of other parameters, or a map.",
       {{"value", V::formula, "", "the formula"}, {"unit", V::text, "", "for labels"}, repeated().front()}, {V::formula}},
      {"guess", "A start that is solved from the constraints.",
       {{"guess", V::formula, "", "where Newton's method begins"}}, {V::formula}},
      {"coordinate", "An entry of `coordinates`: its start, or a map.",
       Keys{{"start", V::section, "guess", "start value, or {guess: value}"},
            {"rate", V::section, "guess", "start of its speed"},
            {"speed", V::text, "", "name of the speed; default NAME_dot"},
            {"guess", V::formula, "", "a start that the constraints determine"},
            {"unit", V::text, "", "for labels"}} + repeated(),
       {V::formula}},
      {"speed", "An entry of `speeds`: a start value, or the definition of a speed.",
       {{"is", V::formula, "", "linear in the rates of the coordinates"},
        {"start", V::formula, "", "default: what the rates give"}}, {V::formula}},
      {"frame", "An entry of `frames`; formulas of coordinates and t.",
       Keys{{"in", V::text, "", "another frame"},
            {"position", V::formulas, "", "of its origin"},
            {"angle", V::formula, "", "rad", 2}} + rotations()},
      {"path", "An entry of `paths`: a curve.",
       Keys{{"parameter", V::text, "", "its name in `point`"}, {"point", V::formulas, "", "formulas of the parameter"},
            {"from", V::formula, "", "where it begins"}, {"to", V::formula, "", "where it ends"},
            {"in", V::text, "", "a frame"}, {"known_from", V::formula, "", "s; nothing knows of it before"}}},
      {"surface", "An entry of `surfaces`, in space.",
       Keys{{"parameters", V::names, "", "two names"}, {"point", V::formulas, "", "formulas of both"},
            {"from", V::formulas, "", "two"}, {"to", V::formulas, "", "two"},
            {"in", V::text, "", "a frame"}, {"known_from", V::formula, "", "s; nothing knows of it before"}}}};
}

SchemaSection body_section() {
  return {"body", "An entry of `bodies`: free, unless it says otherwise.",
          Keys{{"mass", V::formula, "", "kg"},
               {"inertia", V::any, "", "kg m2 about the mass centre; space: one, three or six numbers; `shape`: from the polygon"},
               {"density", V::formula, "", "kg/m2, in space kg/m3; mass and inertia follow from the shape"},
               {"position", V::formulas, "", "of the mass centre, m"},
               {"angle", V::formula, "", "rad", 2}} + rotations() +
              Keys{{"in", V::text, "", "position and orientation are those in this frame"},
                   {"velocity", V::formulas, "", "start of a free body, m/s"},
                   {"spin", V::any, "", "rad/s; space: three numbers"},
                   {"points", V::any, "", "NAME: [x, y] in the frame of the body"},
                   {"shape", V::section, "shape", "its outline or surface"},
                   {"shapes", V::named, "shape", "several, by name", 2},
                   {"fixed", V::flag, "", "does not move"},
                   {"motion", V::section, "motion", "prescribed"},
                   {"free", V::flag, "", "a free body in a model that has coordinates of its own"},
                   {"coordinates", V::names, "", "names of x, y and angle", 2}} + repeated()};
}

std::vector<SchemaSection> shape_sections(const SmoothShapes& smooth) {
  SchemaSection shape{"shape", "`shape` of a body: one of these.", {
      {"disk", V::section, "disk", "plane", 2},
      {"half-plane", V::section, "half-space", "material behind its border", 2},
      {"line", V::section, "half-space", "the same as half-plane", 2},
      {"box", V::section, "box", "with corners as points"},
      {"polygon", V::section, "polygon", "counter-clockwise; arcs and holes", 2},
      {"polyline", V::section, "polyline", "open and one-sided, material on the left", 2},
      {"sphere", V::section, "sphere", "space", 3},
      {"half-space", V::section, "half-space", "material behind its border", 3},
      {"hull", V::section, "hull", "the convex hull of points", 3},
      {"prism", V::section, "prism", "a convex polygon, drawn along z", 3},
      {"point", V::section, "point", "the mass centre"}}};
  std::vector<SchemaSection> sections;
  for (const SmoothShapeKind& kind : smooth) {
    shape.keys.push_back({std::string(kind.name), V::section, std::string(kind.name), std::string(kind.help), 3});
    SchemaSection own{std::string(kind.name), std::string(kind.help) + ".", {}};
    for (const ShapeSize& size : kind.sizes)
      own.keys.push_back({std::string(size.key), size.count == 1 ? V::formula : V::formulas, "", std::string(size.help)});
    sections.push_back(std::move(own));
  }
  Keys outline{{"vertices", V::any, "", "[[x, y], ...]; [x, y, bulge] begins an arc"},
               {"curve", V::section, "curve", "vertices by formulas"},
               {"file", V::text, "", "part.csv, part.dxf, part.svg"},
               {"unit", V::text, "", "of a drawing"},
               {"layer", V::text, "", "of a DXF"},
               {"id", V::text, "", "of an element of an SVG"},
               {"flatten", V::formula, "", "m: chords of other curves stay this near"},
               {"offset", V::formula, "", "m: moves the boundary out"}};
  const Keys closed{{"holes", V::any, "", "loops, clockwise"}, {"orient", V::flag, "", "turns a wrong direction round"}};
  sections.insert(sections.begin(), {
      shape,
      {"disk", "`disk`.", {{"radius", V::formula, "", "m"}, {"at", V::formulas, "", "in the frame of the body", 2}}},
      {"sphere", "`sphere`.", {{"radius", V::formula, "", "m"}}},
      {"half-space", "`half-plane`, `line`, `half-space`.",
       {{"normal", V::formulas, "", "out of the material; required"}, {"point", V::formulas, "", "of the border; default: the origin"}}},
      {"box", "`box`.", {{"width", V::formula, "", "m, along x"}, {"height", V::formula, "", "m, along y"}, {"depth", V::formula, "", "m, along z", 3}}},
      {"hull", "`hull`.", {{"points", V::any, "", "[[x, y, z], ...]"}}},
      {"prism", "`prism`.", {{"polygon", V::any, "", "[[x, y], ...], convex"}, {"depth", V::formula, "", "m, along z"}}},
      {"point", "`point`: {}.", {}},
      {"polygon", "`polygon`: a list of vertices, or a map.", outline + closed, {V::any}},
      {"polyline", "`polyline`: a list of vertices, or a map.", outline, {V::any}},
      {"curve", "Vertices by formulas.",
       {{"count", V::formula, "", "how many"}, {"as", V::text, "", "name of the index, 0 ... count - 1"}, {"points", V::any, "", "[[FORMULA, FORMULA]] of the index"}}}});
  return sections;
}

std::vector<SchemaSection> load_sections() {
  return {
      {"motion", "`motion` of a body: formulas of t.",
       Keys{{"position", V::formulas, "", "m"}, {"angle", V::formula, "", "rad", 2}} + rotations()},
      {"spring", "An entry of `springs` and `dampers`.",
       Keys{{"between", V::names, "", "two of BODY and BODY.POINT"},
            {"torsion", V::names, "", "instead: two bodies, or two coordinates"},
            {"stiffness", V::formula, "", "N/m or N m/rad"},
            {"damping", V::formula, "", "N s/m or N m s/rad"},
            {"rest", V::formula, "", "m or rad"}} + repeated()},
      {"force", "An entry of `forces`.",
       Keys{{"on", V::text, "", "BODY or BODY.POINT"},
            {"coordinate", V::text, "", "instead of `on`: a generalised force"},
            {"force", V::any, "", "N; a list, or one formula with `coordinate`"}} + repeated()},
      {"torque", "An entry of `torques`.",
       Keys{{"on", V::text, "", "a body"},
            {"torque", V::any, "", "N m; in space a list"},
            {"reaction", V::text, "", "the body that takes the opposite one"}} + repeated()},
      {"joint-spring", "`spring` of a joint.",
       {{"stiffness", V::formula, "", "N/m or N m/rad"}, {"rest", V::formula, "", "default: the start"}}},
      {"joint", "An entry of `joints`: one kind, and what goes with it.",
       Keys{{"pin", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground"}, {"slider", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground"},
            {"weld", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground"}, {"ball", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground", 3},
            {"universal", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground", 3}, {"cylinder", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground", 3},
            {"distance", V::any, "", "two ends: BODY.POINT, BODY or a place on the ground"}, {"rolling", V::names, "", "a body and what it rolls on"},
            {"gear", V::names, "", "two joints"}, {"rack", V::names, "", "two joints"},
            {"drive", V::text, "", "a joint"},
            {"axis", V::any, "", "of slider, cylinder, rolling, and of a pin in space"},
            {"axes", V::any, "", "of universal", 3},
            {"length", V::formula, "", "of distance"},
            {"radius", V::formula, "", "of rolling"},
            {"inside", V::any, "", "of rolling: in a bore"},
            {"ratio", V::formula, "", "of gear and rack"},
            {"angle", V::formula, "", "of drive, formula of t"},
            {"position", V::formula, "", "of drive, formula of t"},
            {"speed", V::formula, "", "of drive, formula of t"},
            {"limits", V::formulas, "", "of pin and slider: [low, high]"},
            {"restitution", V::formula, "", "at the limits"},
            {"spring", V::section, "joint-spring", "along its angle or position"},
            {"damping", V::formula, "", "N s/m or N m s/rad"},
            {"friction", V::formula, "", "of pin and slider: dry, N or N m"},
            {"active", V::any, "", "false, or a formula that is positive while it is on"},
            {"known_from", V::any, "", "s; written into resolved models of steered runs"}} + repeated()},
      {"constraint", "An entry of `constraints`: one of the first three.",
       Keys{{"configuration", V::any, "", "formulas of coordinates that are zero"},
            {"motion", V::any, "", "formulas, linear in the speeds, that are zero"},
            {"rolling", V::names, "", "[BODY, PLANE]"},
            {"radius", V::formula, "", "of rolling"},
            {"axis", V::any, "", "of rolling"},
            {"active", V::any, "", "false, or a formula that is positive while it is on"},
            {"known_from", V::any, "", "s; written into resolved models of steered runs"}} + repeated()}};
}

Keys coefficients() {
  return {{"friction", V::formula, "", "static and dynamic"},
          {"static_friction", V::formula, "", "default: the dynamic one"},
          {"dynamic_friction", V::formula, "", "of slipping"},
          {"restitution", V::formula, "", "each impact law reads it in its own sense"},
          {"tangential_restitution", V::formula, "", "of laws that have it"},
          {"reversibility", V::formula, "", "of laws that have it"},
          {"stiffness", V::formula, "", "ratios share an impact between its contacts"}};
}

std::vector<SchemaSection> law_sections() {
  return {
      {"contact", "An entry of `contacts`: `between`, `among`, `gap` or `pressed`.",
       Keys{{"between", V::names, "", "two of BODY, BODY.POINT, BODY.SHAPE"},
            {"among", V::any, "", "a list of bodies, or `all`: every pair of them"},
            {"gap", V::formula, "", "instead: a formula of coordinates, > 0 apart"},
            {"pressed", V::formula, "", "instead: a constant normal force, N; closed for good"},
            {"slip", V::any, "", "formula, linear in the speeds; in space two"},
            {"normal_row", V::formulas, "", "d gap_rate / d speeds, where it is not that of `gap`"},
            {"tangent_rows", V::any, "", "the same of the slip"},
            {"gap_bias", V::formula, "", "rest of the gap's acceleration"},
            {"slip_bias", V::any, "", "rest of the slip's acceleration"},
            {"surface_velocity", V::any, "", "m/s along the tangent: belts"},
            {"zones", V::sections, "zone", "other coefficients in places"},
            {"parameter", V::any, "", "makes the closest point on a path a coordinate of this name (two names on a surface)"}} + coefficients() + repeated()},
      {"zone", "An entry of `zones`.",
       Keys{{"where", V::formula, "", "positive inside"}, {"features", V::names, "", "[BODY.e3, ...] of polygons"}} + coefficients()},
      {"event", "An entry of `events`.",
       Keys{{"name", V::text, "", "shown in results"}, {"when", V::formula, "", "crosses zero"},
            {"direction", V::text, "", "rising, falling or both"},
            {"do", V::any, "", "record, stop, {constraint_on: NAME}, {constraint_off: NAME}, or a list"}} + repeated()},
      {"cycle", "What marks a period.",
       {{"at", V::text, "", "the contact whose impact does"}, {"after", V::text, "", "only after one of this contact"},
        {"along", V::text, "", "the coordinate that advances"}}}};
}

SchemaSection draw_section() {
  return {"draw", "An entry of `draw`: one shape to look at, and where it is.",
          Keys{{"disk", V::section, "sphere", "in space about its z axis"},
               {"sphere", V::section, "sphere", "", 3},
               {"box", V::section, "box", "", 3},
               {"polygon", V::any, "", "points, closed"},
               {"line", V::any, "", "points, open"},
               {"spring", V::any, "", "two ends, formulas"},
               {"rod", V::any, "", "two or more joints, formulas"},
               {"contact", V::text, "", "a contact that is given by formulas: shows gap, forces and impulses"},
               {"position", V::formulas, "", "formulas of coordinates and t"},
               {"angle", V::formula, "", "rad", 2},
               {"normal", V::formulas, "", "of a contact, into its first body"},
               {"tangent", V::formulas, "", "of a contact; default: the normal turned by -90 degrees", 2}} + rotations() + repeated()};
}

SchemaSection settings_section(const std::string& name, const std::string& about, const std::vector<Setting>& settings,
                               const PartCatalogue& catalogue) {
  SchemaSection section{name, about, {}};
  for (const Setting& setting : settings)
    section.keys.push_back({std::string(setting.key), V::any, "", std::string(setting.help) + " (default " + setting.standard + ")"});
  for (const std::string& key : section_keys(name, catalogue)) {
    bool is_known = false;
    for (const SchemaKey& known : section.keys) is_known = is_known || known.name == key;
    if (!is_known) section.keys.push_back({key, V::any, "", "of parts that read it: see clack parts"});
  }
  return section;
}

}  // namespace

std::vector<SchemaSection> schema_sections(const PartCatalogue& catalogue, const SmoothShapes& shapes) {
  std::vector<SchemaSection> all{model_section()};
  const auto add = [&](std::vector<SchemaSection> more) { all.insert(all.end(), more.begin(), more.end()); };
  add(state_sections());
  add({body_section()});
  add(shape_sections(shapes));
  add(load_sections());
  add(law_sections());
  add({draw_section(), settings_section("run", "How it is run.", run_settings(), catalogue),
       settings_section("policies", "What is done where mechanics leaves a choice.", policy_settings(), catalogue),
       settings_section("tolerances", "Thresholds, relative to the scale of the model unless they say otherwise.", tolerance_settings(), catalogue)});
  return all;
}

}  // namespace clack
