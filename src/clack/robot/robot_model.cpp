// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/model/yaml_document.hpp"
#include "clack/robot/robot.hpp"

namespace clack::robot {

void add_mass(Link& link, double mass, const Eigen::Vector3d& centre,
              const Eigen::Matrix3d& inertia) {
  const double total = link.mass + mass;
  if (!(total > 0.0)) return;
  const Eigen::Vector3d joint = (link.mass * link.centre + mass * centre) / total;
  const auto about = [&](double m, const Eigen::Vector3d& at) -> Eigen::Matrix3d {
    const Eigen::Vector3d d = at - joint;
    return m * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  };
  const Eigen::Matrix3d sum =
      link.inertia + about(link.mass, link.centre) + inertia + about(mass, centre);
  link.mass = total;
  link.centre = joint;
  link.inertia = sum;
}

namespace {

using Eigen::Vector3d;

// Pieces of a model file
yaml::Node map_node(std::vector<yaml::Entry> entries) {
  yaml::Node node;
  node.kind = yaml::Kind::map;
  node.entries = std::move(entries);
  return node;
}
yaml::Node list_node(std::vector<yaml::Node> items) {
  yaml::Node node;
  node.kind = yaml::Kind::list;
  node.items = std::move(items);
  return node;
}
yaml::Entry entry(const std::string& key, yaml::Node value) { return {key, {}, std::move(value)}; }
yaml::Node number(double x) { return yaml::number_node(x == 0.0 ? 0.0 : x); }  // no -0
yaml::Node vector_node(const Eigen::Ref<const Eigen::VectorXd>& v) {
  std::vector<yaml::Node> items;
  for (const double x : v) items.push_back(number(x));
  return list_node(std::move(items));
}
yaml::Node text(const std::string& words) { return yaml::text_node(words); }

/// Letters, digits and underscores: names of bodies stand in formulas.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain[0])) != 0) plain = "_" + plain;
  return plain;
}

void take_plain_names(Robot& robot) {
  const auto take = [&](std::string& name, const char* what) {
    const std::string plain = plain_name(name);
    if (plain != name) robot.notes.push_back(fmt::format("{} {} is called {}", what, name, plain));
    name = plain;
  };
  for (Link& link : robot.links) take(link.name, "link");
  for (Joint& joint : robot.joints) take(joint.name, "joint");
  for (Follower& f : robot.followers)
    f.joint = plain_name(f.joint), f.leader = plain_name(f.leader);
}

/// Fixed joints away: from the leaves on, the child becomes part of its parent.
void join_fixed(Robot& robot) {
  for (std::size_t k = robot.joints.size(); k-- > 0;) {
    const Joint joint = robot.joints[k];
    if (joint.kind != JointKind::fixed) continue;
    Link& parent = robot.links[static_cast<std::size_t>(joint.parent)];
    Link& child = robot.links[static_cast<std::size_t>(joint.child)];
    const Pose& at = joint.origin;
    if (!parent.is_ground)
      add_mass(parent, child.mass, at * child.centre,
               at.rotation * child.inertia * at.rotation.transpose());
    for (Geometry geometry : child.geometries) {
      geometry.at = at * geometry.at;
      geometry.name = child.name + "_" + geometry.name;
      parent.geometries.push_back(std::move(geometry));
    }
    for (Joint& other : robot.joints)
      if (other.parent == joint.child) {
        other.parent = joint.parent;
        other.origin = at * other.origin;
      }
    robot.notes.push_back(fmt::format("link {} is part of {} (fixed joint {})", child.name,
                                      parent.is_ground ? "the ground" : parent.name, joint.name));
    child.name.clear();
    robot.joints.erase(robot.joints.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

Eigen::Matrix3d turned(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Places of a link where all joints are at zero, and where the run starts.
struct Placed {
  Pose zero, start;
};

double start_of(const Joint& joint) {
  return joint.limits ? std::clamp(0.0, joint.limits->first, joint.limits->second) : 0.0;
}

std::vector<Placed> places(Robot& robot, const ModelOptions& options) {
  std::vector<Placed> placed(robot.links.size());
  for (Placed& p : placed) p.zero.position.z() = p.start.position.z() = options.height;
  for (const Joint& joint : robot.joints) {
    const double value = start_of(joint);
    Pose moved;
    if (joint.kind == JointKind::hinge) {
      moved.rotation = turned(joint.axis, value);
      moved.position = joint.anchor - moved.rotation * joint.anchor;
    } else if (joint.kind == JointKind::slide) {
      moved.position = value * joint.axis.normalized();
    }
    if (value != 0.0)
      robot.notes.push_back(
          fmt::format("joint {} starts at {:g}: zero is outside of its limits", joint.name, value));
    const Placed& parent = placed[static_cast<std::size_t>(joint.parent)];
    placed[static_cast<std::size_t>(joint.child)] = {parent.zero * joint.origin,
                                                     parent.start * joint.origin * moved};
  }
  return placed;
}

/// A vector that is fixed to a body, in the world: formulas of the body's unit quaternion.
std::array<std::string, 3> turned_formulas(const std::string& body, const Vector3d& r) {
  const auto q = [&](const char* part) { return body + "." + part; };
  const std::string w = q("qw"), x = q("qx"), y = q("qy"), z = q("qz");
  const auto row = [&](const std::string& a, const std::string& b, const std::string& c) {
    std::string sum;
    for (const auto& [number, formula] :
         {std::pair(r.x(), a), std::pair(r.y(), b), std::pair(r.z(), c)})
      if (number != 0.0) sum += fmt::format("{}({})*({})", sum.empty() ? "" : "+", number, formula);
    return sum.empty() ? std::string("0") : sum;
  };
  return {
      row(fmt::format("1-2*({0}^2+{1}^2)", y, z), fmt::format("2*({0}*{1}-{2}*{3})", x, y, w, z),
          fmt::format("2*({0}*{1}+{2}*{3})", x, z, w, y)),
      row(fmt::format("2*({0}*{1}+{2}*{3})", x, y, w, z), fmt::format("1-2*({0}^2+{1}^2)", x, z),
          fmt::format("2*({0}*{1}-{2}*{3})", y, z, w, x)),
      row(fmt::format("2*({0}*{1}-{2}*{3})", x, z, w, y),
          fmt::format("2*({0}*{1}+{2}*{3})", y, z, w, x), fmt::format("1-2*({0}^2+{1}^2)", x, y))};
}

/// The model while it is put together.
struct Draft {
  Robot& robot;
  const ModelOptions& options;
  std::vector<Placed> placed;
  std::vector<std::vector<yaml::Entry>> points;  // per link
  std::vector<yaml::Entry> bodies, joints, constraints, contacts;

  const Link& link(int k) const { return robot.links[static_cast<std::size_t>(k)]; }
  /// A place of a link's frame in the axes of its body, which are those of the world at zero.
  Vector3d in_body(int k, const Vector3d& at) const {
    return placed[static_cast<std::size_t>(k)].zero.rotation * (at - link(k).centre);
  }
  yaml::Node end(int k, const std::string& name, const Vector3d& at) {
    if (link(k).is_ground) return vector_node(placed[static_cast<std::size_t>(k)].start * at);
    points[static_cast<std::size_t>(k)].push_back(entry(name, vector_node(in_body(k, at))));
    return text(link(k).name + "." + name);
  }
};

/// Three rows: the point stays in the plane, the normal keeps its direction.
void add_planar(Draft& draft, const Joint& joint) {
  const Vector3d n =
      (draft.placed[static_cast<std::size_t>(joint.child)].zero.rotation * joint.axis).normalized();
  const Vector3d u = n.unitOrthogonal(), w = n.cross(u);
  const bool is_on_ground = draft.link(joint.parent).is_ground;
  const std::string child = draft.link(joint.child).name, parent = draft.link(joint.parent).name;
  const auto on_parent = [&](const Vector3d& d) {
    if (!is_on_ground) return turned_formulas(parent, d);
    return std::array<std::string, 3>{fmt::format("{}", d.x()), fmt::format("{}", d.y()),
                                      fmt::format("{}", d.z())};
  };
  const auto dot = [](const std::array<std::string, 3>& a, const std::array<std::string, 3>& b) {
    return fmt::format("({})*({})+({})*({})+({})*({})", a[0], b[0], a[1], b[1], a[2], b[2]);
  };
  const auto normal = turned_formulas(child, n),
             arm = turned_formulas(child, draft.in_body(joint.child, joint.anchor));
  const Vector3d foot = is_on_ground ? draft.placed[static_cast<std::size_t>(joint.parent)].zero *
                                           (joint.origin * joint.anchor)
                                     : draft.in_body(joint.parent, joint.origin * joint.anchor);
  const auto base = on_parent(foot);
  std::array<std::string, 3> way;
  constexpr std::array axes = {"x", "y", "z"};
  for (std::size_t k = 0; k < way.size(); ++k)
    way[k] = fmt::format("{}.{}+{}-({}){}", child, axes[k], arm[k], base[k],
                         is_on_ground ? "" : fmt::format("-{}.{}", parent, axes[k]));
  draft.constraints.push_back(entry(
      joint.name,
      map_node({entry("configuration",
                      list_node({text(dot(on_parent(n), way)), text(dot(on_parent(u), normal)),
                                 text(dot(on_parent(w), normal))}))})));
}

/// Such numbers have no meaning, and no key takes them.
void name_negative(Draft& draft, const Joint& joint) {
  const std::pair<const char*, double> given[] = {
      {"damping", joint.damping}, {"friction", joint.friction}, {"stiffness", joint.stiffness}};
  for (const auto& [what, value] : given)
    if (!(value >= 0.0))
      draft.robot.dropped.push_back(
          fmt::format("{} {:g} of joint {}, which is negative", what, value, joint.name));
}

void add_joint(Draft& draft, const Joint& joint) {
  name_negative(draft, joint);
  if (joint.kind == JointKind::floating) return;
  if (joint.kind == JointKind::planar) return add_planar(draft, joint);
  const Vector3d axis =
      draft.placed[static_cast<std::size_t>(joint.child)].zero.rotation * joint.axis.normalized();
  const yaml::Node ends =
      list_node({draft.end(joint.child, joint.name, joint.anchor),
                 draft.end(joint.parent, joint.name, joint.origin * joint.anchor)});
  const char* kind = joint.kind == JointKind::hinge   ? "pin"
                     : joint.kind == JointKind::slide ? "slider"
                                                      : "ball";
  std::vector<yaml::Entry> keys{entry(kind, ends)};
  if (joint.kind != JointKind::ball) {
    keys.push_back(entry("axis", vector_node(axis)));
    if (joint.limits)
      keys.push_back(
          entry("limits", vector_node(Eigen::Vector2d(joint.limits->first, joint.limits->second))));
    if (joint.stiffness > 0.0)
      keys.push_back(entry("spring", map_node({entry("stiffness", number(joint.stiffness)),
                                               entry("rest", number(joint.rest))})));
    if (joint.damping > 0.0) keys.push_back(entry("damping", number(joint.damping)));
    if (joint.friction > 0.0) keys.push_back(entry("friction", number(joint.friction)));
  } else if (joint.damping > 0.0 || joint.friction > 0.0 || joint.stiffness > 0.0 || joint.limits) {
    draft.robot.dropped.push_back("limits, damping, friction and spring of ball joint " +
                                  joint.name);
  }
  draft.joints.push_back(entry(joint.name, map_node(std::move(keys))));
}

void add_body(Draft& draft, std::size_t k, const std::string& file) {
  const Link& link = draft.robot.links[k];
  const Placed& placed = draft.placed[k];
  if (!(link.mass > 0.0) && !link.is_between)
    throw InputError(fmt::format("link {} moves and has no mass", link.name), file,
                     "give it an inertial, or a fixed joint");
  const Eigen::Matrix3d inertia =
      placed.zero.rotation * link.inertia * placed.zero.rotation.transpose();
  Eigen::VectorXd six(6);
  six << inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2);
  std::vector<yaml::Entry> keys{entry("mass", number(link.mass)),
                                entry("inertia", vector_node(six)),
                                entry("position", vector_node(placed.start * link.centre))};
  const Eigen::Quaterniond turn(placed.start.rotation * placed.zero.rotation.transpose());
  if (turn.vec().norm() > 1e-12)
    keys.push_back(
        entry("orientation", vector_node(Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z()))));
  if (!draft.points[k].empty()) keys.push_back(entry("points", map_node(draft.points[k])));
  draft.bodies.push_back(entry(link.name, map_node(std::move(keys))));
}

/// A ball of radius rho at r against the floor z = h: its lowest point touches, and slips with v + w x (R r - rho e_z).
void add_ball_contact(Draft& draft, const std::string& name, const std::string& body,
                      const Vector3d& r, double rho, double floor) {
  const auto a = turned_formulas(body, r);
  draft.contacts.push_back(entry(
      name,
      map_node({entry("gap", text(fmt::format("{}.z+{}-({})", body, a[2], rho + floor))),
                entry("slip", list_node({text(fmt::format("{0}.vx+{0}.wy*({1}-({2}))-{0}.wz*({3})",
                                                          body, a[2], rho, a[1])),
                                         text(fmt::format("{0}.vy+{0}.wz*({1})-{0}.wx*({2}-({3}))",
                                                          body, a[0], a[2], rho))})),
                entry("friction", number(draft.options.friction))})));
}

void add_contacts(Draft& draft, std::size_t k, double floor) {
  const Link& link = draft.robot.links[k];
  for (const Geometry& geometry : link.geometries) {
    const std::string name = plain_name(link.name + "_" + geometry.name);
    const auto at = [&](const Vector3d& local) {
      return draft.in_body(static_cast<int>(k), geometry.at * local);
    };
    if (geometry.kind == GeometryKind::sphere)
      add_ball_contact(draft, name, link.name, at(Vector3d::Zero()), geometry.size.x(), floor);
    if (geometry.kind == GeometryKind::capsule)
      for (const int side : {-1, 1})
        add_ball_contact(draft, fmt::format("{}_{}", name, side < 0 ? "a" : "b"), link.name,
                         at({0, 0, side * geometry.size.y()}), geometry.size.x(), floor);
    if (geometry.kind == GeometryKind::box)
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3d sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                            (corner & 4) != 0 ? 1 : -1);
        add_ball_contact(draft, fmt::format("{}_{}", name, corner + 1), link.name,
                         at(sign.cwiseProduct(geometry.size)), 0.0, floor);
      }
  }
}

/// The height of the floor; nothing: there is none. Planes of the ground make one, geometries without a floor are named.
std::optional<double> floor_of(Draft& draft) {
  std::optional<double> floor = draft.options.has_ground ? std::optional(0.0) : std::nullopt;
  for (const Link& link : draft.robot.links)
    for (const Geometry& geometry : link.geometries) {
      if (geometry.kind == GeometryKind::plane && geometry.at.rotation.col(2).z() > 1.0 - 1e-9)
        floor = geometry.at.position.z();
      else if (geometry.kind == GeometryKind::plane)
        draft.robot.dropped.push_back("plane " + geometry.name + ": it is not horizontal");
      else if (link.is_ground)
        draft.robot.dropped.push_back("geometry " + geometry.name +
                                      " of the ground: only planes are");
    }
  return floor;
}

}  // namespace

std::string model_text(Robot& robot, const ModelOptions& options, const std::string& file) {
  take_plain_names(robot);
  if (options.is_fixed) robot.links.front().is_ground = true;
  join_fixed(robot);
  Draft draft{robot, options, places(robot, options), {}, {}, {}, {}, {}};
  draft.points.resize(robot.links.size());
  for (const Joint& joint : robot.joints) add_joint(draft, joint);
  for (const Follower& follower : robot.followers)
    draft.joints.push_back(
        entry(follower.joint + "_follows",
              map_node({entry("gear", list_node({text(follower.joint), text(follower.leader)})),
                        entry("ratio", number(follower.ratio))})));
  const std::optional<double> floor = floor_of(draft);
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    const Link& link = robot.links[k];
    if (link.is_ground || link.name.empty()) continue;
    add_body(draft, k, file);
    if (floor)
      add_contacts(draft, k, *floor);
    else if (!link.geometries.empty())
      robot.dropped.push_back("collisions of link " + link.name + ": there is no floor (--ground)");
  }
  if (floor) robot.notes.push_back("geometries touch the floor, not each other");
  std::vector<yaml::Entry> root{
      entry("clack", text("1")), entry("name", text(robot.name.empty() ? "robot" : robot.name)),
      entry("dimension", text("3")), entry("gravity", vector_node(robot.gravity)),
      entry("bodies", map_node(draft.bodies))};
  const bool has_massless = std::ranges::any_of(robot.links, &Link::is_between);
  if (!draft.joints.empty()) root.push_back(entry("joints", map_node(draft.joints)));
  if (!draft.constraints.empty()) root.push_back(entry("constraints", map_node(draft.constraints)));
  if (!draft.contacts.empty()) root.push_back(entry("contacts", map_node(draft.contacts)));
  std::vector<yaml::Entry> run{entry("until", text("1"))};
  if (has_massless) run.push_back(entry("formulation", text("multipliers")));
  root.push_back(entry("run", map_node(std::move(run))));
  return yaml::to_yaml(map_node(std::move(root)));
}

}  // namespace clack::robot
