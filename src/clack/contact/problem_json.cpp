// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/problem_json.hpp"

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/json_input.hpp"
#include "clack/json_output.hpp"
#include "clack/parts/option_json.hpp"

namespace clack {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 12> document_keys = {"dimension",
                                                            "mass_matrix",
                                                            "velocity",
                                                            "bilateral",
                                                            "bilateral_velocity",
                                                            "external_impulse",
                                                            "contacts",
                                                            "options",
                                                            "force",
                                                            "bilateral_bias",
                                                            "name",
                                                            "about"};
constexpr std::array<std::string_view, 18> contact_keys = {"name",
                                                           "normal_row",
                                                           "tangent_rows",
                                                           "surface_velocity",
                                                           "static_friction",
                                                           "dynamic_friction",
                                                           "restitution",
                                                           "tangential_restitution",
                                                           "reversibility",
                                                           "stiffness",
                                                           "bodies",
                                                           "point",
                                                           "normal",
                                                           "tangents",
                                                           "center_a",
                                                           "center_b",
                                                           "gap_bias",
                                                           "slip_bias"};
bool has(const json& object, std::string_view key) { return object.contains(std::string(key)); }

/// Largest list that is looked at: a longer one is refused before anything is allocated for it.
void refuse_long_list(const json& list, std::string_view place, std::size_t longest,
                      const std::string& file) {
  if (!list.is_array() || list.size() <= longest) return;
  throw InputError(
      fmt::format("{} has {} entries, at most {} are treated", place, list.size(), longest), file,
      "split the problem, or use clack solve friction for large ones");
}

Eigen::Vector3d read_point(const json& contact, std::string_view key, int dimension,
                           const std::string& place, const std::string& file) {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  point.head(dimension) = get_vector(contact, key, dimension, place, file);
  return point;
}

ContactGeometry read_geometry(const json& contact, int dimension, const std::string& place,
                              const std::string& file) {
  ContactGeometry geometry;
  if (has(contact, "bodies")) {
    const json& bodies = contact.at("bodies");
    if (!bodies.is_array() || bodies.size() != 2 || !bodies[0].is_string() ||
        !bodies[1].is_string())
      throw InputError(place + ".bodies must be two names", file, "write [\"ground\", \"b\"]");
    geometry.body_a = bodies[0].get<std::string>();
    geometry.body_b = bodies[1].get<std::string>();
  }
  if (has(contact, "point")) geometry.point = read_point(contact, "point", dimension, place, file);
  if (has(contact, "normal"))
    geometry.normal = read_point(contact, "normal", dimension, place, file);
  if (has(contact, "tangents")) {
    const Eigen::MatrixXd rows =
        get_matrix(contact, "tangents", dimension - 1, dimension, place, file);
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      Eigen::Vector3d tangent = Eigen::Vector3d::Zero();
      tangent.head(dimension) = rows.row(k).transpose();
      geometry.tangents.push_back(tangent);
    }
  }
  if (has(contact, "center_a"))
    geometry.center_a = read_point(contact, "center_a", dimension, place, file);
  if (has(contact, "center_b"))
    geometry.center_b = read_point(contact, "center_b", dimension, place, file);
  return geometry;
}

ContactMaterial read_material(const json& contact, const std::string& place,
                              const std::string& file) {
  ContactMaterial material;
  material.dynamic_friction = get_number_or(contact, "dynamic_friction", 0.0, place, file);
  material.static_friction =
      get_number_or(contact, "static_friction", material.dynamic_friction, place, file);
  material.restitution = get_number_or(contact, "restitution", 0.0, place, file);
  material.tangential_restitution =
      get_number_or(contact, "tangential_restitution", 0.0, place, file);
  material.reversibility = get_number_or(contact, "reversibility", 0.0, place, file);
  material.stiffness = get_number_or(contact, "stiffness", 1.0, place, file);
  return material;
}

/// Contact i of the list, into row i of the system.
void read_contact(const json& contact, int i, const std::string& file, ProblemDocument& read) {
  ImpactProblem& system = read.impact;
  const int n = system.speeds(), k = system.tangents();
  const std::string place = json_path("contacts", i);
  check_keys(contact, place, contact_keys, file);
  system.names.push_back(has(contact, "name") ? get_text(contact, "name", place, file)
                                              : fmt::format("contact{}", i + 1));
  system.materials.push_back(read_material(contact, place, file));
  system.normal_jacobian.row(i) = get_vector(contact, "normal_row", n, place, file).transpose();
  const bool is_listed = has(contact, "tangent_rows") && !(contact.at("tangent_rows").is_array() &&
                                                           contact.at("tangent_rows").empty());
  if (is_listed) {
    system.tangent_jacobian.middleRows(i * k, k) =
        get_matrix(contact, "tangent_rows", k, n, place, file);
  } else if (system.materials.back().static_friction > 0.0) {
    throw InputError(
        fmt::format("contact {} has friction but no tangent_rows", system.names.back()), file,
        "give tangent_rows, one list per tangential direction");
  }
  if (has(contact, "surface_velocity")) {
    const Eigen::VectorXd surface = get_vector(contact, "surface_velocity", k + 1, place, file);
    system.tangent_surface_velocity.segment(i * k, k) = surface.head(k);
    system.normal_surface_velocity[i] = surface[k];
  }
  read.contact.gap_bias[i] = get_number_or(contact, "gap_bias", 0.0, place, file);
  if (has(contact, "slip_bias"))
    read.contact.slip_bias.segment(i * k, k) = get_vector(contact, "slip_bias", k, place, file);
  read.has_restitution = read.has_restitution || has(contact, "restitution");
  for (const char* key : {"gap_bias", "slip_bias"})
    if (has(contact, key)) read.contact_only.push_back(json_path(place, key));
  for (const char* key : {"restitution", "tangential_restitution", "reversibility", "stiffness"})
    if (has(contact, key)) read.impact_only.push_back(json_path(place, key));
  system.geometry.push_back(read_geometry(contact, system.dimension, place, file));
}

void read_contacts(const json& document, const std::string& file, const ValidationLimits& limits,
                   ProblemDocument& read) {
  const json list = document.value("contacts", json::array());
  if (!list.is_array())
    throw InputError(fmt::format("contacts is {}, must be a list", json_excerpt(list)), file,
                     "write [{...}, {...}]");
  refuse_long_list(list, "contacts", limits.contacts, file);
  const int c = number_of(list);
  ImpactProblem& system = read.impact;
  const int n = system.speeds(), k = system.tangents();
  system.normal_jacobian = Eigen::MatrixXd::Zero(c, n);
  system.tangent_jacobian = Eigen::MatrixXd::Zero(c * k, n);
  system.normal_surface_velocity = Eigen::VectorXd::Zero(c);
  system.tangent_surface_velocity = Eigen::VectorXd::Zero(c * k);
  read.contact.gap_bias = Eigen::VectorXd::Zero(c);
  read.contact.slip_bias = Eigen::VectorXd::Zero(c * k);
  for (int i = 0; i < c; ++i) read_contact(list[i], i, file, read);
  bool has_geometry = false;
  for (const json& contact : list)
    for (const char* key : {"bodies", "point", "normal", "tangents", "center_a", "center_b"})
      has_geometry = has_geometry || has(contact, key);
  if (!has_geometry) system.geometry.clear();
}

void read_system(const json& document, const std::string& file, const ValidationLimits& limits,
                 ProblemDocument& read) {
  ImpactProblem& system = read.impact;
  system.dimension = get_integer(document, "dimension", 2, 3, "", file);
  refuse_long_list(get_value(document, "mass_matrix", "", file), "mass_matrix", limits.speeds,
                   file);
  system.mass_matrix = get_matrix(document, "mass_matrix", -1, -1, "", file);
  const Eigen::Index n = system.mass_matrix.rows();
  if (n == 0 || system.mass_matrix.cols() != n)
    throw InputError(fmt::format("mass_matrix has {} rows and {} columns, must be square", n,
                                 system.mass_matrix.cols()),
                     file, "give one row and one column per speed");
  system.velocity = has(document, "velocity") ? get_vector(document, "velocity", n, "", file)
                                              : Eigen::VectorXd::Zero(n);
  system.bilateral.resize(0, n);
  if (has(document, "bilateral")) {
    refuse_long_list(document.at("bilateral"), "bilateral", limits.bilateral_rows, file);
    system.bilateral = get_matrix(document, "bilateral", -1, n, "", file);
  }
  const Eigen::Index b = system.bilateral.rows();
  if (has(document, "bilateral_velocity"))
    system.bilateral_velocity = get_vector(document, "bilateral_velocity", b, "", file);
  if (has(document, "external_impulse"))
    system.external_impulse = get_vector(document, "external_impulse", n, "", file);
  read.has_force = has(document, "force");
  read.contact.force =
      read.has_force ? get_vector(document, "force", n, "", file) : Eigen::VectorXd::Zero(n);
  if (has(document, "bilateral_bias"))
    read.contact.bilateral_bias = get_vector(document, "bilateral_bias", b, "", file);
  for (const char* key : {"force", "bilateral_bias"})
    if (has(document, key)) read.contact_only.emplace_back(key);
  for (const char* key : {"external_impulse", "bilateral_velocity"})
    if (has(document, key)) read.impact_only.emplace_back(key);
}

template <class List>
nlohmann::ordered_json text_list(const List& list) {
  nlohmann::ordered_json texts = nlohmann::ordered_json::array();
  for (const auto& text : list) texts.push_back(text);
  return texts;
}

nlohmann::ordered_json certificate_json(const Certificate& certificate) {
  return {{"penetration", certificate.penetration},
          {"adhesion", certificate.adhesion},
          {"complementarity", certificate.complementarity},
          {"cone", certificate.cone},
          {"bilateral", certificate.bilateral},
          {"residual", certificate.residual}};
}

}  // namespace

nlohmann::ordered_json to_json(const ImpactEvent& event, const std::vector<std::string>& names) {
  nlohmann::ordered_json entry;
  entry["contacts"] = nlohmann::ordered_json::array();
  for (const int i : event.contacts) entry["contacts"].push_back(names[i]);
  entry["restitution"] = event.restitution;
  entry["normal_work"] = event.normal_work;
  entry["compression_work"] = event.compression_work;
  entry["tangential_work"] = event.tangential_work;
  entry["terminal_impulse"] = event.terminal_impulse;
  entry["energy_after"] = event.energy_after;
  entry["velocity"] = to_json_list(event.velocity);
  return entry;
}

std::vector<Option> problem_options() {
  return {number_option("rank_cutoff", 0.0, {.low = 0.0, .high = 1.0, .is_high_excluded = true},
                        "singular values below this part of the largest count as zero; 0: size "
                        "times rounding")};
}

ProblemDocument read_problem(const json& document, const std::string& file, const Asked& asked,
                             const ValidationLimits& limits) {
  check_keys(document, "", document_keys, file);
  ProblemDocument read;
  read_system(document, file, limits, read);
  read_contacts(document, file, limits, read);
  if (has(document, "options")) {
    ReadOptions options =
        read_options(document.at("options"), problem_options(), asked.part, asked.catalogue, file);
    read.options = std::move(options.values);
    read.unread_options = std::move(options.unread);
  }
  if (read.options.has("rank_cutoff"))
    read.impact.options.rank_cutoff = read.contact.options.rank_cutoff =
        read.options.number("rank_cutoff");
  static_cast<ContactSystem&>(read.contact) = read.impact;
  validate(read.impact, file, limits);
  return read;
}

ProblemDocument read_problem_file(const std::string& path, const Asked& asked,
                                  const ValidationLimits& limits) {
  return read_problem(read_json_file(path), path, asked, limits);
}

nlohmann::ordered_json to_json(const ImpactProblem& problem, std::string_view law,
                               const ImpactResult& result) {
  const int k = problem.tangents();
  nlohmann::ordered_json answer;
  answer["law"] = law;
  answer["velocity"] = to_json_list(result.velocity);
  answer["contacts"] = nlohmann::ordered_json::array();
  const Eigen::VectorXd rate_before = problem.gap_rates(problem.velocity);
  const Eigen::VectorXd rate_after = problem.gap_rates(result.velocity);
  const Eigen::VectorXd slip_before = problem.slips(problem.velocity);
  const Eigen::VectorXd slip_after = problem.slips(result.velocity);
  for (int i = 0; i < problem.contacts(); ++i) {
    nlohmann::ordered_json entry;
    entry["name"] = problem.names[i];
    entry["normal_impulse"] = result.normal_impulse[i];
    entry["tangent_impulse"] = to_json_list(result.tangent_impulse.segment(i * k, k));
    entry["gap_rate_before"] = rate_before[i];
    entry["gap_rate_after"] = rate_after[i];
    entry["slip_before"] = to_json_list(slip_before.segment(i * k, k));
    entry["slip_after"] = to_json_list(slip_after.segment(i * k, k));
    entry["status"] = to_string(result.statuses[i]);
    answer["contacts"].push_back(std::move(entry));
  }
  if (result.bilateral_impulse.size() > 0)
    answer["bilateral_impulse"] = to_json_list(result.bilateral_impulse);
  answer["energy_before"] = result.energy_before;
  answer["energy_after"] = result.energy_after;
  answer["normal_work"] = result.normal_work;
  answer["tangential_work"] = result.tangential_work;
  answer["joint_work"] = result.joint_work;
  answer["events"] = nlohmann::ordered_json::array();
  for (const ImpactEvent& event : result.events)
    answer["events"].push_back(to_json(event, problem.names));
  answer["consistent"] = result.is_consistent;
  answer["residual"] = result.certificate.residual;
  answer["iterations"] = result.iterations;
  answer["certificate"] = certificate_json(result.certificate);
  answer["flags"] = text_list(result.flags);
  answer["notes"] = text_list(result.notes);
  answer["history"] = nlohmann::ordered_json::object();
  if (!result.history.columns.empty()) {
    answer["history"]["columns"] = text_list(result.history.columns);
    answer["history"]["rows"] = nlohmann::ordered_json::array();
    for (const auto& row : result.history.rows)
      answer["history"]["rows"].push_back(std::vector<double>(row.begin(), row.end()));
  }
  return answer;
}

nlohmann::ordered_json to_json(const ContactProblem& problem, std::string_view decision,
                               const ContactResult& result) {
  const int k = problem.tangents();
  nlohmann::ordered_json answer;
  answer["decision"] = decision;
  answer["acceleration"] = to_json_list(result.acceleration);
  answer["contacts"] = nlohmann::ordered_json::array();
  for (int i = 0; i < problem.contacts(); ++i) {
    nlohmann::ordered_json entry;
    entry["name"] = problem.names[i];
    entry["normal_force"] = result.normal_force[i];
    entry["friction_force"] = to_json_list(result.friction_force.segment(i * k, k));
    entry["gap_acceleration"] = result.gap_acceleration[i];
    entry["slip_acceleration"] = to_json_list(result.slip_acceleration.segment(i * k, k));
    entry["status"] = to_string(result.statuses[i]);
    answer["contacts"].push_back(std::move(entry));
  }
  if (result.bilateral_force.size() > 0)
    answer["bilateral_force"] = to_json_list(result.bilateral_force);
  answer["residual"] = result.certificate.residual;
  answer["iterations"] = result.iterations;
  if (result.solutions) answer["solutions"] = *result.solutions;
  answer["certificate"] = certificate_json(result.certificate);
  answer["flags"] = text_list(result.flags);
  answer["notes"] = text_list(result.notes);
  return answer;
}

}  // namespace clack
