// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "clack/hybrid/embed.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/mechanism/constraint_rows.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/equations.hpp"
#include "clack/mechanism/mode_formulas.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/nearest_name.hpp"
#include "clack/terminal_text.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

struct EquationsRequest {
  std::string model, mode, format = "text";
  std::vector<std::string> settings;
  bool embed = false;
};

/// A table of formulas with its name; a vector has one column.
struct Quantity {
  std::string name, about;
  std::vector<std::vector<Expression>> rows;
};

/// What `--mode` names; without it all contacts and all constraints are shown.
struct PrintedMode {
  std::vector<ModeContact> contacts;
  std::vector<int> constraints;
};

std::vector<std::vector<Expression>> column(const std::vector<Expression>& entries) {
  std::vector<std::vector<Expression>> rows;
  for (const Expression& entry : entries) rows.push_back({entry});
  return rows;
}

ContactKey known_contact(const Model& model, const std::string& name) {
  if (const auto key = contact_named(model, name)) return *key;
  std::vector<std::string> known;
  for (const ContactKey& key : possible_contacts(model)) known.push_back(contact_name(model, key));
  const std::string nearest = nearest_name(name, std::span<const std::string>(known));
  throw InputError("--mode: the model has no contact " + name, model.file,
                   !nearest.empty() ? "did you mean " + nearest + "?"
                   : known.empty()  ? "the model has no contacts; leave --mode out"
                                    : "its contacts: " + list_names(known));
}

/// "lower:slip,beak:stick,loop".
PrintedMode parse_mode(const Model& model, const std::string& text) {
  PrintedMode mode;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    begin = end + 1;
    const auto constraint =
        std::ranges::find_if(model.constraints, [&](const auto& c) { return c.name == entry; });
    if (constraint != model.constraints.end()) {
      mode.constraints.push_back(static_cast<int>(constraint - model.constraints.begin()));
      continue;
    }
    const std::size_t colon = entry.rfind(':');
    const std::string status = colon == std::string::npos ? "" : entry.substr(colon + 1);
    if (status != "stick" && status != "slip" && status != "open")
      throw InputError(
          "--mode: " + entry.substr(0, 60) + " is not CONTACT:STATUS or a constraint", "",
          "write for example --mode lower:slip,beak:stick,loop; statuses: open, stick, slip");
    const ContactKey contact = known_contact(model, entry.substr(0, colon));
    if (status == "open") continue;
    mode.contacts.push_back({contact, status == "stick"});
  }
  std::ranges::sort(mode.contacts, {}, &ModeContact::contact);
  std::ranges::sort(mode.constraints);
  return mode;
}

std::string tangent_suffix(const std::string& name, std::size_t tangents, std::size_t a) {
  return (tangents > 1 ? std::to_string(a + 1) : "") + "_" + name;
}

/// Gap, rows and biases of a contact.
void add_contact_quantities(const std::string& name, const ContactFormulas& f,
                            std::vector<Quantity>& out) {
  out.push_back({"gap_" + name, "signed distance, m", {{f.gap}}});
  out.push_back({"gap_rate_" + name, "m/s", {{f.gap_rate}}});
  out.push_back({"normal_row_" + name, "d gap_rate / dv", {f.normal_row}});
  out.push_back({"gap_bias_" + name, "gap acceleration at dv/dt = 0, m/s2", {{f.gap_bias}}});
  for (std::size_t a = 0; a < f.slip.size(); ++a) {
    const std::string suffix = tangent_suffix(name, f.slip.size(), a);
    out.push_back({"slip" + suffix, "tangential velocity, m/s", {{f.slip[a]}}});
    out.push_back({"tangent_row" + suffix, "d slip / dv", {f.tangent_rows[a]}});
    out.push_back(
        {"slip_bias" + suffix, "slip acceleration at dv/dt = 0, m/s2", {{f.slip_bias[a]}}});
  }
}

void add_constraint_quantities(const Constraint& constraint,
                               const std::vector<ConstraintRow>& derived,
                               std::vector<Quantity>& out) {
  std::vector<std::vector<Expression>> rows;
  std::vector<Expression> biases;
  for (const ConstraintRow& row : derived) {
    rows.push_back(row.row);
    biases.push_back(row.bias);
  }
  out.push_back({"constraint_" + constraint.name, "vanishes", column(constraint.rows)});
  out.push_back({"constraint_rows_" + constraint.name, "d constraint rate / dv", rows});
  out.push_back(
      {"constraint_bias_" + constraint.name, "its acceleration at dv/dt = 0", column(biases)});
}

/// What holds inside a mode, as sentences in formulas; inside a mode nothing is complementary.
std::vector<std::string> mode_laws(const Model& model, const PrintedMode& mode) {
  std::vector<std::string> laws;
  for (const ModeContact& m : mode.contacts) {
    const Contact& contact = model.contacts[m.contact.source];
    const std::string name = contact_name(model, m.contact);
    laws.push_back(fmt::format("normal_row_{0} . dv/dt + gap_bias_{0} = 0", name));
    if (m.is_stick)
      laws.push_back(fmt::format(
          "tangent_row_{0} . dv/dt + slip_bias_{0} = 0   while |friction_{0}| <= {1:g} normal_{0}",
          name, contact.coefficients.static_friction));
    else
      laws.push_back(fmt::format("friction_{0} = -{1:g} normal_{0} slip_{0}/|slip_{0}|", name,
                                 contact.coefficients.dynamic_friction));
  }
  for (const int c : mode.constraints)
    laws.push_back(fmt::format("constraint_rows_{0} dv/dt + constraint_bias_{0} = 0",
                               model.constraints[c].name));
  return laws;
}

std::string text_of(const std::vector<Quantity>& quantities, bool is_latex) {
  std::string text;
  for (const Quantity& quantity : quantities) {
    text += fmt::format("{}{}   ({})\n", is_latex ? "% " : "", quantity.name, quantity.about);
    if (is_latex) text += "\\begin{bmatrix}\n";
    for (const auto& row : quantity.rows) {
      std::string line;
      for (const Expression& entry : row)
        line += (line.empty() ? ""
                 : is_latex   ? " & "
                              : ",  ") +
                (is_latex ? symbolic::to_latex(entry) : symbolic::to_text(entry));
      text += "  " + line + (is_latex ? " \\\\" : "") + "\n";
    }
    text += is_latex ? "\\end{bmatrix}\n\n" : "\n";
  }
  return text;
}

std::string identifier(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

std::string c_of(const Model& model, const MotionSymbols& motion,
                 const std::vector<Quantity>& quantities) {
  std::string text = "#include <math.h>\n\n/* in: t";
  for (const Coordinate& c : model.coordinates) text += ", " + c.name;
  for (const Speed& s : model.speeds) text += ", " + s.name;
  for (const Input& input : model.inputs)
    text += ", " + fmt::format("{0}, {0}.rate, {0}.acceleration, {0}.since", input.name);
  text += "; matrices are written row by row. */\n\n";
  for (const Quantity& quantity : quantities) {
    std::vector<Expression> outputs;
    for (const auto& row : quantity.rows) outputs.insert(outputs.end(), row.begin(), row.end());
    text += fmt::format("/* {} x {}, {} */\n", quantity.rows.size(), quantity.rows.front().size(),
                        quantity.about);
    const std::string name = quantity.name == "gamma" ? "gamma_" : identifier(quantity.name);
    text += symbolic::to_c_function(name, motion.inputs(), outputs) + "\n";  // math.h has a gamma
  }
  return text;
}

std::string python_of(const Model& model, const MotionSymbols& motion,
                      const std::vector<Quantity>& quantities) {
  std::string text = "# x: t";
  for (const Coordinate& c : model.coordinates) text += ", " + c.name;
  for (const Speed& s : model.speeds) text += ", " + s.name;
  for (const Input& input : model.inputs)
    text += ", " + fmt::format("{0}, {0}.rate, {0}.acceleration, {0}.since", input.name);
  text += "; a column is a list of numbers, a matrix a list of rows.\nimport math\n\n";
  for (const Quantity& quantity : quantities) {
    std::vector<Expression> outputs;
    for (const auto& row : quantity.rows) outputs.insert(outputs.end(), row.begin(), row.end());
    const std::size_t columns = quantity.rows.empty() ? 1 : quantity.rows.front().size();
    text += fmt::format("\n# {} x {}, {}\n", quantity.rows.size(), columns, quantity.about);
    text +=
        symbolic::to_python_function(identifier(quantity.name), motion.inputs(), outputs, columns) +
        "\n";
  }
  return text;
}

/// Constraints that are on at the start; no contact.
PrintedMode mode_at_start(const Model& model) {
  PrintedMode mode;
  for (int c = 0; c < number_of(model.constraints); ++c)
    if (model.constraints[c].is_active && model.constraints[c].known_from == 0.0)
      mode.constraints.push_back(c);
  return mode;
}

/// Which speeds are independent is decided at the start of the model, moved onto the rows.
EmbedAnswer embedded_at_start(const Model& model, const PrintedMode& mode) {
  EmbedRequest request;
  for (const ModeContact& m : mode.contacts)
    request.names.push_back(contact_name(model, m.contact) + (m.is_stick ? ":stick" : ":slip"));
  for (const int c : mode.constraints) request.names.push_back(model.constraints[c].name);
  return embed(model, request);
}

void add_embedded_quantities(const Model& model, const MotionSymbols& motion,
                             const Equations& equations, const PrintedMode& mode,
                             const std::string& format, std::vector<std::string>& laws,
                             std::vector<Quantity>& out) {
  const EmbedAnswer at_start = embedded_at_start(model, mode);
  const std::vector<ModeRow> rows = mode_rows(model, motion, mode.contacts, mode.constraints);
  std::vector<EmbeddedRow> given;
  std::string names;
  for (const ModeRow& row : rows) {
    given.push_back(row.equation);
    names += (names.empty() ? "" : ", ") + row.name;
  }
  const EmbeddedEquations e = embed_equations(motion, equations, given, at_start.order);
  const EmbeddedSolution solution = solve_embedded(motion, rows, at_start.order, e);
  laws.push_back(fmt::format("independent speeds w: {}", fmt::join(at_start.independent, ", ")));
  laws.push_back("v = T w + (0, dependent part),  dv/dt = T dw/dt + gamma");
  laws.push_back("embedded_mass dw/dt = embedded_force   (friction that slides: plus its share)");
  if (!rows.empty()) laws.push_back("forces of the rows: " + names);
  const auto add = [&](const char* name, const char* about,
                       std::vector<std::vector<Expression>> q) {
    if (!q.empty() && !q.front().empty()) out.push_back({name, about, std::move(q)});
  };
  add("dependent_speeds", "from the independent ones", column(e.dependent_speeds));
  add("T", "one column per independent speed", solution.transform);
  add("gamma", "accelerations that the rows demand", column(solution.gamma));
  add("embedded_mass", "T^T mass_matrix T", e.mass);
  add("embedded_force", "T^T (smooth_force - mass_matrix gamma)", column(e.force));
  add("reaction_inertia", "forces = reaction_inertia dw/dt - reaction_force", e.reaction_inertia);
  add("reaction_force", "forces = reaction_inertia dw/dt - reaction_force",
      column(e.reaction_force));
  if (format != "c" && format != "python") return;  // written out they are long
  add("acceleration", "dv/dt of all speeds", column(solution.acceleration));
  add("constraint_forces", "one per row", column(solution.forces));
}

std::string heading(const Model& model, const std::vector<std::string>& laws,
                    const std::string& prefix) {
  std::string name = for_terminal(model.name);
  std::ranges::replace(name, '\n', ' ');  // a comment of one line in generated code
  std::string text = prefix + name + "\n" + prefix + "mass_matrix dv/dt = smooth_force";
  if (!model.contacts.empty())
    text += " + sum over closed contacts (normal_row normal + tangent_row friction)";
  if (!model.constraints.empty()) text += " + constraint_rows^T forces";
  text += "\n";
  for (const std::string& law : laws) text += prefix + law + "\n";
  return text;
}

/// Rows of drawn bodies are made where they touch, in numbers.
void refuse_outlines(const Model& model, const PrintedMode& mode) {
  for (const ModeContact& m : mode.contacts)
    if (outlines_of(model, model.contacts[m.contact.source]))
      throw InputError("the rows of " + contact_name(model, m.contact) + " are made at run time",
                       model.file, "leave contacts of polygons out of --mode");
}

/// Where the bodies of pairs of polygons are, and how that changes with the speeds: what their rows are made of.
void add_pose_quantities(const Model& model, const MotionSymbols& motion,
                         std::vector<Quantity>& quantities) {
  Indexed<bool, BodyIndex> is_needed(model.bodies.size(), false);
  for (const Contact& contact : model.contacts)
    if (outlines_of(model, contact))
      for (const Attachment& end : {contact.between()->first, contact.between()->second})
        is_needed[end.body] = true;
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    if (!is_needed[b] || body.kind == BodyKind::fixed) continue;
    const std::vector<Expression> pose{body.position[0], body.position[1],
                                       body.angle.is_valid() ? body.angle : motion.zero()};
    std::vector<std::vector<Expression>> rows;
    for (const Expression& e : pose) {
      std::vector<Expression>& row = rows.emplace_back();
      for (int j = 0; j < motion.speeds(); ++j)
        row.push_back(motion.speed_derivative(motion.rate(e), j));
    }
    quantities.push_back({"pose_" + body.name, "x, y and angle of the body", column(pose)});
    quantities.push_back({"pose_jacobian_" + body.name, "d (x, y, angle)_dot / dv", rows});
  }
}

void print_equations(const EquationsRequest& request) {
  const std::vector<std::string> formats = {"text", "latex", "c", "python"};
  if (std::ranges::find(formats, request.format) == formats.end())
    throw InputError("--format " + request.format.substr(0, 40) + " is not known", "",
                     "use text, latex, c or python");
  const Model model =
      with_own_formulas(load_model(request.model, parse_settings(request.settings)));
  const MotionSymbols motion(model);
  const Equations equations = derive_equations(model, motion);
  const PrintedMode asked = parse_mode(model, request.mode);
  refuse_outlines(model, asked);
  std::vector<std::string> laws =
      request.mode.empty() ? std::vector<std::string>{} : mode_laws(model, asked);
  if (has_unlisted_pairs(model))
    laws.push_back(
        "contacts of polygons and polyhedra: gaps, rows and biases are made at run time");
  PrintedMode shown = asked;
  if (request.mode.empty()) {
    for (const ContactKey& key : possible_contacts(model))
      if (model.dimension == 2 || model.contacts[key.source].formulas())
        shown.contacts.push_back({key});
    for (int c = 0; c < number_of(model.constraints); ++c) shown.constraints.push_back(c);
  }
  std::vector<Quantity> quantities = {
      {"mass_matrix", "one row per speed", equations.mass_matrix},
      {"smooth_force", "all forces but those of contacts and constraints, with velocity terms",
       column(equations.force)},
      {"kinetic", "energy, J", {{equations.kinetic}}},
      {"potential", "energy, J", {{equations.potential}}}};
  for (const ModeContact& m : shown.contacts)
    add_contact_quantities(contact_name(model, m.contact),
                           contact_formulas(model, m.contact, motion), quantities);
  add_pose_quantities(model, motion, quantities);
  const auto constraints = derive_constraints(model, motion);
  for (const int i : shown.constraints)
    add_constraint_quantities(model.constraints[i], constraints[i], quantities);
  if (request.embed) {
    const PrintedMode& mode = request.mode.empty() ? mode_at_start(model) : asked;
    add_embedded_quantities(model, motion, equations, mode, request.format, laws, quantities);
  }
  std::string text;
  if (request.format == "c")
    text = "/*\n" + heading(model, laws, " * ") + " */\n" + c_of(model, motion, quantities);
  else if (request.format == "python")
    text = heading(model, laws, "# ") + python_of(model, motion, quantities);
  else
    text = heading(model, laws, request.format == "latex" ? "% " : "") + "\n" +
           text_of(quantities, request.format == "latex");
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_equations(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<EquationsRequest>();
  CLI::App* command =
      program.add_subcommand("equations", "print a model's equations of motion, gaps and rows");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  command->add_option(
      "--mode", request->mode,
      "closed contacts and constraints, e.g. lower:slip,beak:stick,loop; others are "
      "open and off");
  command->add_flag("--embed", request->embed,
                    "add the embedded equations of the mode (without --mode: of the constraints "
                    "that are on at the start) and its forces");
  command->add_option("--format", request->format, "text (default), latex, c or python");
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  clack equations models/pendulum-wall/pendulum-wall.yaml\n"
      "  clack equations models/woodpecker/three-dof.yaml --mode lower:slip --format c\n"
      "  clack equations models/four-bar/four-bar.yaml --mode loop --embed --format python");
  command->callback([request, &exit_code] {
    print_equations(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
