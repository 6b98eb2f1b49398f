// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>
#include <cstdio>

#include "clack/complementarity/contact_status.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/mechanism/constraint_rows.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/equations.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/nearest_name.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

struct EquationsRequest {
  std::string model, mode, format = "text";
  std::vector<std::string> settings;
};

/// A table of formulas with its name; a vector has one column.
struct Quantity {
  std::string name, about;
  std::vector<std::vector<Expression>> rows;
};

struct ModeContact {
  ContactKey contact;
  ContactStatus status = ContactStatus::slip;
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

/// "lower:slip,beak:stick", or nothing: all contacts (an empty status).
std::vector<ModeContact> parse_mode(const Model& model, const std::string& text) {
  std::vector<ModeContact> mode;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = entry.rfind(':');
    const std::string status = colon == std::string::npos ? "" : entry.substr(colon + 1);
    if (status != "stick" && status != "slip" && status != "open")
      throw InputError(
          "--mode: " + entry.substr(0, 60) + " is not CONTACT:STATUS", "",
          "write for example --mode lower:slip,beak:stick; statuses: open, stick, slip");
    const ContactKey contact = known_contact(model, entry.substr(0, colon));
    if (status == "open") continue;
    mode.push_back({contact, status == "stick" ? ContactStatus::stick : ContactStatus::slip});
  }
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
std::vector<std::string> mode_laws(const Model& model, const std::vector<ModeContact>& mode) {
  std::vector<std::string> laws;
  for (const ModeContact& m : mode) {
    const Contact& contact = model.contacts[m.contact.source];
    const std::string name = contact_name(model, m.contact);
    laws.push_back(fmt::format("normal_row_{0} . dv/dt + gap_bias_{0} = 0", name));
    if (m.status == ContactStatus::stick)
      laws.push_back(fmt::format(
          "tangent_row_{0} . dv/dt + slip_bias_{0} = 0   while |friction_{0}| <= {1:g} normal_{0}",
          name, contact.coefficients.static_friction));
    else
      laws.push_back(fmt::format("friction_{0} = -{1:g} normal_{0} slip_{0}/|slip_{0}|", name,
                                 contact.coefficients.dynamic_friction));
  }
  for (const Constraint& constraint : model.constraints)
    laws.push_back(fmt::format(
        "constraint_rows_{0} dv/dt + constraint_bias_{0} = 0   while it is on", constraint.name));
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
  text += "; matrices are written row by row. */\n\n";
  for (const Quantity& quantity : quantities) {
    std::vector<Expression> outputs;
    for (const auto& row : quantity.rows) outputs.insert(outputs.end(), row.begin(), row.end());
    text += fmt::format("/* {} x {}, {} */\n", quantity.rows.size(), quantity.rows.front().size(),
                        quantity.about);
    text += symbolic::to_c_function(identifier(quantity.name), motion.inputs(), outputs) + "\n";
  }
  return text;
}

std::string heading(const Model& model, const std::vector<std::string>& laws,
                    const std::string& prefix) {
  std::string text = prefix + model.name + "\n" + prefix + "mass_matrix dv/dt = smooth_force";
  if (!model.contacts.empty())
    text += " + sum over closed contacts (normal_row normal + tangent_row friction)";
  if (!model.constraints.empty()) text += " + constraint_rows^T forces";
  text += "\n";
  for (const std::string& law : laws) text += prefix + law + "\n";
  return text;
}

void print_equations(const EquationsRequest& request) {
  if (request.format != "text" && request.format != "latex" && request.format != "c")
    throw InputError("--format " + request.format.substr(0, 40) + " is not known", "",
                     "use text, latex or c");
  const Model model =
      with_own_formulas(load_model(request.model, parse_settings(request.settings)));
  for (const Body& body : model.bodies)
    if (model.dimension == 3 && body.kind == BodyKind::free)
      throw InputError(
          "body " + body.name +
              " is free in space: its equations are Newton's and Euler's and are computed in "
              "numbers",
          model.where(body.place),
          "equations are printed for planar models and for models with coordinates of their own");
  const MotionSymbols motion(model);
  const Equations equations = derive_equations(model, motion);
  std::vector<ModeContact> mode = parse_mode(model, request.mode);
  for (const ModeContact& m : mode)
    if (outlines_of(model, model.contacts[m.contact.source]))
      throw InputError("the rows of " + contact_name(model, m.contact) + " are made at run time",
                       model.file, "leave contacts of polygons out of --mode");
  std::vector<std::string> laws =
      request.mode.empty() ? std::vector<std::string>{} : mode_laws(model, mode);
  if (has_outline_pairs(model))
    laws.push_back("contacts of polygons: gaps, rows and biases are made at run time");
  if (request.mode.empty())
    for (const ContactKey& key : possible_contacts(model)) mode.push_back({key});
  std::vector<Quantity> quantities = {
      {"mass_matrix", "one row per speed", equations.mass_matrix},
      {"smooth_force", "all forces but those of contacts and constraints, with velocity terms",
       column(equations.force)},
      {"kinetic", "energy, J", {{equations.kinetic}}},
      {"potential", "energy, J", {{equations.potential}}}};
  for (const ModeContact& m : mode)
    add_contact_quantities(contact_name(model, m.contact),
                           contact_formulas(model, m.contact, motion), quantities);
  const auto constraints = derive_constraints(model, motion);
  for (std::size_t i = 0; i < constraints.size(); ++i)
    add_constraint_quantities(model.constraints[i], constraints[i], quantities);
  std::string text;
  if (request.format == "c")
    text = "/*\n" + heading(model, laws, " * ") + " */\n" + c_of(model, motion, quantities);
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
  command->add_option("--mode", request->mode,
                      "closed contacts, e.g. lower:slip,beak:stick; others are open");
  command->add_option("--format", request->format, "text (default), latex or c");
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  clack equations models/pendulum-wall/pendulum-wall.yaml\n"
      "  clack equations models/woodpecker/three-dof.yaml --mode lower:slip --format c");
  command->callback([request, &exit_code] {
    print_equations(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
