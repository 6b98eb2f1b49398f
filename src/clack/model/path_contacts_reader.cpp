// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/path_patch.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"

// Contacts that follow the closest point of a path or surface (model/path.hpp). In the frame of the path, where S(s) keeps its
// shape, with c the centre of the disk or sphere there, w its spin relative to that frame and r its radius:
//
//   curve in the plane:  n = (S', turned by -90 degrees)/|S'|,      t = n turned by -90 degrees
//   curve in space:      n = (c - S)/|c - S|,                       t1 = S'/|S'|,  t2 = n x t1
//   surface:             n = S_1 x S_2/|S_1 x S_2|,                 t1 = S_1/|S_1|, t2 = n x t1
//
//   gap = (c - S) . n - r,      slip = t . (c' + w x (-r n))

namespace clack {
namespace {

SpatialVector scaled(Expression factor, const SpatialVector& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

SpatialVector unit(const SpatialVector& a) { return scaled(1.0 / sqrt(dot(a, a)), a); }

/// What touches: its centre and how it turns, in the frame of the path.
struct Toucher {
  double radius = 0.0;
  SpatialVector centre, rate, spin;
};

double radius_at(Reading& reading, const Attachment& end, const yaml::Node& node,
                 const std::string& thing) {
  if (end.point()) return 0.0;
  const Body& body = reading.model.bodies[end.body];
  const Ball* ball = body.shape && !end.shape() ? std::get_if<Ball>(&*body.shape) : nullptr;
  if (!ball)
    reading.fail(
        node, fmt::format("{}: {} is no disk, sphere or point", thing, node.text),
        "paths and surfaces touch disks and spheres about the body's origin, and named points");
  return ball->radius;
}

Toucher toucher_of(Reading& reading, const Attachment& end, const Path& path) {
  Model& model = reading.model;
  symbolic::Graph& graph = *model.graph;
  const auto rate = [&](Expression e) { return rate_along_motion(reading, e); };
  const Body& body = model.bodies[end.body];
  const BodyMotionFormulas motion = motion_of(reading, body);
  const std::vector<RotationStep> frame =
      model.dimension == 2 ? std::vector<RotationStep>{Turn{2, path.angle}} : path.rotation;
  const SpatialMatrix into = transposed(rotation_matrix(graph, frame));
  SpatialVector place = body.position;
  if (model.dimension == 2) place[2] = reading.zero();
  if (const auto point = end.point()) {
    const Eigen::Vector3d& local = body.points[*point].position;
    place = place + motion.rotation * SpatialVector{graph.number(local[0]), graph.number(local[1]),
                                                    graph.number(local[2])};
  }
  Toucher toucher;
  toucher.centre = into * (place - path.position);
  for (std::size_t k = 0; k < 3; ++k) toucher.rate[k] = rate(toucher.centre[k]);
  toucher.spin = into * motion.spin - frame_spin(graph, frame, rate);
  return toucher;
}

/// A curve or surface at the foot, in formulas of its parameters.
struct PathFormulas {
  SpatialVector at;
  std::array<SpatialVector, 2> first;   // S_1, S_2
  std::array<SpatialVector, 3> second;  // S_11, S_12, S_22
};

PathFormulas path_at(const Path& path, std::span<const Expression> s) {
  const int n = path.parameters;
  const std::vector<Expression> own(path.symbols.begin(), path.symbols.begin() + n);
  const std::vector<Expression> values(s.begin(), s.end());
  const auto each = [&](const SpatialVector& a, auto change) {
    SpatialVector result;
    for (std::size_t k = 0; k < 3; ++k) result[k] = change(a[k]);
    return result;
  };
  const auto along = [&](const SpatialVector& a, int i) {
    return each(a, [&](Expression e) { return symbolic::derivative(e, own[i]); });
  };
  const auto here = [&](const SpatialVector& a) {
    return each(a, [&](Expression e) { return symbolic::substitute(e, own, values); });
  };
  PathFormulas f;
  f.at = here(path.point);
  for (int i = 0; i < n; ++i) {
    f.first[i] = here(along(path.point, i));
    for (int j = i; j < n; ++j) f.second[i + j] = here(along(along(path.point, i), j));
  }
  return f;
}

/// s' = H^-1 (S_i . c' + k F_i)
std::vector<Expression> foot_rates(const PathFormulas& f, const Toucher& c, int parameters) {
  const SpatialVector d = c.centre - f.at;
  std::vector<Expression> right;
  for (int i = 0; i < parameters; ++i)
    right.push_back(dot(f.first[i], c.rate) + reader_tolerances.follow * dot(d, f.first[i]));
  const auto H = [&](int i, int j) {
    return dot(f.first[i], f.first[j]) - dot(d, f.second[i + j]);
  };
  if (parameters == 1) return {right[0] / H(0, 0)};
  const Expression h11 = H(0, 0), h12 = H(0, 1), h22 = H(1, 1);
  const Expression inverse = 1.0 / (h11 * h22 - h12 * h12);
  return {inverse * (h22 * right[0] - h12 * right[1]), inverse * (h11 * right[1] - h12 * right[0])};
}

GapFormulas contact_of(const PathFormulas& f, const Toucher& c, int parameters, int dimension) {
  const SpatialVector d = c.centre - f.at, tangent = unit(f.first[0]);
  GapFormulas contact;
  SpatialVector normal;
  if (dimension == 2)
    normal = {tangent[1], -tangent[0], tangent[2]};
  else
    normal = parameters == 1 ? unit(d) : unit(cross(f.first[0], f.first[1]));
  contact.gap = dot(d, normal) - c.radius;
  const SpatialVector velocity =
      c.rate - cross(c.spin, scaled(normal[0].graph()->number(c.radius), normal));
  if (dimension == 2) {
    contact.slip = {dot(SpatialVector{normal[1], -normal[0], normal[2]}, velocity)};
  } else {
    contact.slip = {dot(tangent, velocity), dot(cross(normal, tangent), velocity)};
  }
  return contact;
}

/// Names of the coordinates of a foot: those of `parameter`, else CONTACT.PARAMETER.
std::vector<std::string> names_of(Reading& reading, const Path& path, const std::string& contact,
                                  const yaml::Node* given, const std::string& thing) {
  std::vector<std::string> names;
  if (!given) {
    for (int k = 0; k < path.parameters; ++k)
      names.push_back(contact + "." + path.parameter_names[k]);
    return names;
  }
  if (path.parameters == 1) return {reading.text(*given, thing + ": parameter")};
  for (const yaml::Node& name : reading.list(*given, thing + ": parameter", 2))
    names.push_back(reading.text(name, thing + ": parameter"));
  return names;
}

/// A coordinate of a foot; the same name as that of a foot before is the same coordinate.
int foot_coordinate(Reading& reading, const std::string& name, const yaml::Node& node,
                    bool has_speed) {
  Model& model = reading.model;
  const auto known = reading.coordinates.find(name);
  if (known != reading.coordinates.end()) {
    const bool is_foot =
        has_speed && std::ranges::any_of(model.feet, [&](const Foot& foot) {
          return foot.has_speed && std::ranges::count(foot.coordinates, known->second) > 0;
        });
    if (!is_foot)
      reading.fail(node, fmt::format("coordinate {}: this name is taken", name),
                   "choose another name");
    return known->second;
  }
  const bool is_word =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") ==
      std::string::npos;
  if (has_speed) reading.formulas.check_name(name, "coordinate", node, true);
  const Expression symbol = model.graph->symbol(name);
  const int index = number_of(model.coordinates);
  reading.coordinates[name] = index;
  model.coordinates.push_back({name, symbol, 0.0});
  if (is_word) reading.formulas.add_symbol(name, symbol, allow_coordinates);
  model.rates.push_back(reading.zero());
  if (!has_speed) return index;
  const std::string rate = name + "_dot";
  reading.formulas.check_name(rate, "speed", node, true);
  const Expression speed = model.graph->symbol(rate);
  reading.speeds[rate] = number_of(model.speeds);
  model.speeds.push_back({rate, speed, 0.0});
  reading.formulas.add_symbol(rate, speed, allow_speeds);
  model.rates.back() = speed;
  return index;
}

}  // namespace

int path_named(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.paths, name, &Path::name);
  return found == model.paths.end() ? -1 : static_cast<int>(found - model.paths.begin());
}

bool names_path(const Reading& reading, const yaml::Node& node) {
  const yaml::Node* between = node.find("between");
  if (!between || between->kind != yaml::Kind::list) return false;
  return std::ranges::any_of(between->items, [&](const yaml::Node& end) {
    return path_named(reading.model, end.text) >= 0;
  });
}

const yaml::Node& toucher_in(const Reading& reading, const yaml::Node& between) {
  return between.items[path_named(reading.model, between.items[0].text) >= 0 ? 1 : 0];
}

bool touches_path(const Reading& reading, const yaml::Node& contacts, const std::string& toucher,
                  int path) {
  const Model& model = reading.model;
  const auto is_given = [&](const yaml::Entry& entry) {
    const yaml::Node* between = entry.value.find("between");
    return names_path(reading, entry.value) && between->items.size() == 2 &&
           toucher_in(reading, *between).text == toucher &&
           std::ranges::any_of(between->items, [&](const yaml::Node& end) {
             return path_named(model, end.text) == path;
           });
  };
  return std::ranges::any_of(contacts.entries, is_given) ||
         std::ranges::any_of(model.feet, [&](const Foot& foot) {
           return foot.path == path && foot.body == toucher;
         });
}

GapFormulas read_path_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                              const std::string& thing) {
  Model& model = reading.model;
  const auto& ends = reading.list(*node.find("between"), thing + ": between", 2);
  int at = path_named(model, ends[1].text);
  const yaml::Node& other = at >= 0 ? ends[0] : ends[1];
  if (at < 0) at = path_named(model, ends[0].text);
  if (path_named(model, other.text) >= 0)
    reading.fail(other, thing + ": between names two paths",
                 "a path touches a disk, a sphere or a point of a body");
  const Path& path = model.paths[at];
  const Attachment end = contact_end(reading, other, thing);
  const BodyKind kind = model.bodies[end.body].kind;
  if (kind != BodyKind::free && kind != BodyKind::placed)
    reading.fail(other, fmt::format("{}: {} does not move freely", thing, other.text),
                 "let the coordinates move it, or put the path into a frame that moves");
  const double radius = radius_at(reading, end, other, thing);
  if (node.find("parameter") && path.known_from > 0.0)
    reading.fail(*node.find("parameter"),
                 fmt::format("{}: {} becomes known later and cannot determine a coordinate before",
                             thing, path.name),
                 "leave parameter out: the contact follows the path by itself");
  if (model.dimension == 3 && path.parameters == 1 && radius == 0.0)
    reading.fail(other, fmt::format("{}: a point and a curve in space have no side", thing),
                 "give a sphere, or make the curve a surface");
  Toucher toucher = toucher_of(reading, end, path);
  toucher.radius = radius;
  const yaml::Node* given = node.find("parameter");
  Foot foot{.source = SourceIndex(number_of(model.contacts)),
            .path = at,
            .has_speed = given != nullptr,
            .radius = radius,
            .body = other.text,
            .centre = toucher.centre};
  std::vector<Expression> s;
  const std::vector<std::string> names = names_of(reading, path, name, given, thing);
  for (int k = 0; k < path.parameters; ++k) {
    foot.coordinates[k] = foot_coordinate(reading, names[k], given ? *given : node, foot.has_speed);
    s.push_back(model.coordinates[foot.coordinates[k]].symbol);
  }
  const PathFormulas formulas = path_at(path, s);
  if (!foot.has_speed) {
    const std::vector<Expression> rates = foot_rates(formulas, toucher, path.parameters);
    for (int k = 0; k < path.parameters; ++k) model.rates[foot.coordinates[k]] = rates[k];
  }
  model.feet.push_back(foot);
  return contact_of(formulas, toucher, path.parameters, model.dimension);
}

/// F_i/|S_i| = 0; of feet that share their coordinate each where its own piece is, the first and the last also beyond.
void add_foot_constraints(Reading& reading) {
  Model& model = reading.model;
  for (const Foot& foot : model.feet) {
    if (!foot.has_speed) continue;
    const Path& path = model.paths[foot.path];
    const Contact& contact = model.contacts[foot.source];
    std::vector<Expression> s;
    for (int k = 0; k < path.parameters; ++k)
      s.push_back(model.coordinates[foot.coordinates[k]].symbol);
    const PathFormulas formulas = path_at(path, s);
    Constraint constraint;
    constraint.name = contact.name + ".foot";
    constraint.place = contact.place;
    for (int k = 0; k < path.parameters; ++k)
      constraint.rows.push_back(dot(foot.centre - formulas.at, unit(formulas.first[k])));
    const auto share = [&](auto is_neighbour) {
      return std::ranges::any_of(model.feet, [&](const Foot& other) {
        return other.has_speed && other.coordinates == foot.coordinates &&
               is_neighbour(model.paths[other.path]);
      });
    };
    if (share([&](const Path& other) { return other.from[0] >= path.to[0]; }))
      constraint.active = path.to[0] - s[0];
    if (share([&](const Path& other) { return other.to[0] <= path.from[0]; })) {
      const Expression after = s[0] - path.from[0];
      constraint.active = constraint.active.is_valid() ? min(after, constraint.active) : after;
    }
    reading.constraints[constraint.name] = number_of(model.constraints);
    model.constraints.push_back(std::move(constraint));
  }
}

namespace {

/// Two places as near as each other, or a centre of curvature: which point is closest is not told by the start.
void check_unique(const Reading& reading, const Foot& foot, const Patch& patch,
                  const std::vector<PatchFoot>& minima, const Eigen::Vector3d& centre) {
  const Model& model = reading.model;
  const Path& path = model.paths[foot.path];
  const Contact& contact = model.contacts[foot.source];
  const PatchPoint point = patch.point(minima[0].s.data());
  const double regularity = foot_form(path.parameters, point, centre).regularity;
  const double same = reader_tolerances.same_distance * patch.size();
  const bool has_second = minima.size() > 1 && minima[1].distance - minima[0].distance <= same;
  const bool is_regular = minima[0].is_at_end || regularity > reader_tolerances.same_distance;
  if (is_regular && !has_second) return;
  throw ModelError(
      fmt::format("contact {}: the point of {} closest to {} is not unique at the start ({}, "
                  "{:.6g} m away)",
                  contact.name, path.name, foot.body,
                  has_second ? fmt::format("{} = {:.6g} and {:.6g}", path.parameter_names[0],
                                           minima[0].s[0], minima[1].s[0])
                             : fmt::format("a centre of curvature, {} = {:.6g}",
                                           path.parameter_names[0], minima[0].s[0]),
                  minima[0].distance),
      model.where(contact.place), "start a little to one side");
}

/// A disk that touches at the foot must be less curved than the path there.
void check_fits(const Reading& reading, const Foot& foot, const Patch& patch,
                const PatchFoot& nearest, const Eigen::Vector3d& centre) {
  const Model& model = reading.model;
  const Path& path = model.paths[foot.path];
  const PatchPoint point = patch.point(nearest.s.data());
  const Eigen::Vector3d away = centre - point.at;
  if (nearest.is_at_end || foot.radius == 0.0 || !(away.norm() > 0.0)) return;
  const double fit =
      foot_form(path.parameters, point, point.at + foot.radius * away.normalized()).regularity;
  if (fit > 0.0) return;
  throw ModelError(
      fmt::format("contact {}: {} has a radius of {:.6g} m and does not fit into {} at {} = {:.6g}",
                  model.contacts[foot.source].name, foot.body, foot.radius, path.name,
                  path.parameter_names[0], nearest.s[0]),
      model.where(model.contacts[foot.source].place),
      "its radius must be less than the radius of curvature there");
}

}  // namespace

void place_feet(Reading& reading) {
  Model& model = reading.model;
  std::vector<bool> is_placed(model.coordinates.size(), false);
  for (const Foot& foot : model.feet) {
    const Path& path = model.paths[foot.path];
    const Patch patch = patch_of(path);
    Eigen::Vector3d centre;
    for (int k = 0; k < 3; ++k) centre[k] = reading.at_start(foot.centre[k]);
    if (!centre.allFinite()) continue;  // the formulas themselves are reported
    const std::vector<PatchFoot> minima = FootSearch(patch).minima(centre);
    const bool is_known = path.known_from <= 0.0;
    if (is_known) {
      check_unique(reading, foot, patch, minima, centre);
      check_fits(reading, foot, patch, minima[0], centre);
    }
    for (int k = 0; k < path.parameters; ++k) {
      Coordinate& s = model.coordinates[foot.coordinates[k]];
      const bool is_taken = is_placed[foot.coordinates[k]] && minima[0].is_at_end;
      if (!is_taken) s.start = is_known || foot.has_speed ? minima[0].s[k] : path.from[k];
      is_placed[foot.coordinates[k]] = true;
    }
  }
}

}  // namespace clack
