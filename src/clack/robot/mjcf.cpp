// SPDX-License-Identifier: Apache-2.0
#include <tinyxml2.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "clack/error.hpp"
#include "clack/robot/robot.hpp"

namespace clack::robot {
namespace {

using Eigen::Vector3d;
using tinyxml2::XMLElement;
using Attributes = std::map<std::string, std::string>;

constexpr double water = 1000.0;  // kg/m3, density of geoms that do not say theirs

/// Reads the rigid-body part: bodies, joints, inertias, primitive geoms, planes; classes of defaults are applied.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Robot read(const std::string& text) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS)
      throw InputError(std::string("this is no XML: ") + document.ErrorStr(), file_,
                       "correct the text there");
    const XMLElement* root = document.RootElement();
    if (root == nullptr)
      throw InputError("this is no MJCF: it has no root", file_, "the root of MJCF is mujoco");
    if (std::string(root->Name()) != "mujoco")
      throw InputError(std::string("this is no MJCF: its root is ") + root->Name(), file_,
                       "the root of MJCF is mujoco");
    robot_.name = root->Attribute("model") != nullptr ? root->Attribute("model") : "robot";
    if (const XMLElement* compiler = root->FirstChildElement("compiler")) read_compiler(*compiler);
    if (const XMLElement* defaults = root->FirstChildElement("default"))
      read_defaults(*defaults, "main", {});
    if (const XMLElement* option = root->FirstChildElement("option"))
      if (option->Attribute("gravity") != nullptr)
        robot_.gravity = vector(option->Attribute("gravity"), "gravity");
    const std::set<std::string> known = {"compiler", "default", "option", "worldbody"};
    for (const XMLElement* e = root->FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      if (!known.contains(e->Name())) robot_.dropped.push_back(std::string("section ") + e->Name());
    const XMLElement* world = root->FirstChildElement("worldbody");
    if (world == nullptr)
      throw InputError("there is no worldbody", file_, "write <worldbody> with the bodies");
    Link ground;
    ground.name = "world";
    ground.is_ground = true;
    robot_.links.push_back(ground);
    read_parts(*world, 0, "main");
    return std::move(robot_);
  }

 private:
  void read_compiler(const XMLElement& compiler) {
    const Attributes a = own(compiler);
    if (a.contains("angle")) is_degree_ = a.at("angle") == "degree";
    for (const char* key : {"eulerseq", "coordinate", "inertiafromgeom"})
      if (a.contains(key)) robot_.dropped.push_back(std::string("compiler ") + key);
  }
  static Attributes own(const XMLElement& e) {
    Attributes found;
    for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
      found[a->Name()] = a->Value();
    return found;
  }
  void read_defaults(const XMLElement& e, const std::string& name,
                     std::map<std::string, Attributes> inherited) {
    for (const XMLElement* tag = e.FirstChildElement(); tag != nullptr;
         tag = tag->NextSiblingElement())
      if (std::string(tag->Name()) != "default")
        for (const auto& [key, value] : own(*tag)) inherited[tag->Name()][key] = value;
    defaults_[name] = inherited;
    for (const XMLElement* below = e.FirstChildElement("default"); below != nullptr;
         below = below->NextSiblingElement("default"))
      read_defaults(*below,
                    below->Attribute("class") != nullptr ? below->Attribute("class") : "main",
                    inherited);
  }
  Attributes attributes(const XMLElement& e, const std::string& childclass) const {
    const std::string name = e.Attribute("class") != nullptr ? e.Attribute("class") : childclass;
    Attributes all;
    if (const auto found = defaults_.find(name); found != defaults_.end())
      if (const auto tag = found->second.find(e.Name()); tag != found->second.end())
        all = tag->second;
    for (const auto& [key, value] : own(e)) all[key] = value;
    return all;
  }

  std::vector<double> numbers(const std::string& text, const std::string& what) const {
    std::istringstream stream(text);
    std::vector<double> found;
    for (std::string word; stream >> word;) {
      char* end = nullptr;
      found.push_back(std::strtod(word.c_str(), &end));
      if (end == word.c_str() || *end != '\0' || !std::isfinite(found.back()))
        throw InputError(what + " is no list of finite numbers: " + text.substr(0, 40), file_,
                         "write numbers with blanks in between");
    }
    return found;
  }
  Vector3d vector(const std::string& text, const std::string& what) const {
    const std::vector<double> n = numbers(text, what);
    if (n.size() != 3) throw InputError(what + " must have three numbers", file_, "write x y z");
    return {n[0], n[1], n[2]};
  }
  double number(const Attributes& a, const char* key, double otherwise) const {
    if (!a.contains(key)) return otherwise;
    const std::vector<double> n = numbers(a.at(key), key);
    return n.empty() ? otherwise : n[0];
  }
  double angle(double value) const { return is_degree_ ? value * std::acos(-1.0) / 180.0 : value; }

  Pose pose(const Attributes& a, const std::string& what) const {
    Pose p;
    if (a.contains("pos")) p.position = vector(a.at("pos"), what + " pos");
    if (a.contains("quat")) {
      const std::vector<double> q = numbers(a.at("quat"), what + " quat");
      if (q.size() != 4)
        throw InputError(what + " quat must have four numbers", file_, "write w x y z");
      p.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    } else if (a.contains("euler")) {
      const Vector3d e = vector(a.at("euler"), what + " euler");
      p.rotation = (Eigen::AngleAxisd(angle(e.x()), Vector3d::UnitX()) *
                    Eigen::AngleAxisd(angle(e.y()), Vector3d::UnitY()) *
                    Eigen::AngleAxisd(angle(e.z()), Vector3d::UnitZ()))
                       .toRotationMatrix();
    } else if (a.contains("axisangle")) {
      const std::vector<double> n = numbers(a.at("axisangle"), what + " axisangle");
      if (n.size() != 4)
        throw InputError(what + " axisangle must have four numbers", file_, "write x y z angle");
      p.rotation = Eigen::AngleAxisd(angle(n[3]), Vector3d(n[0], n[1], n[2]).normalized())
                       .toRotationMatrix();
    } else if (a.contains("zaxis")) {
      p.rotation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(),
                                                      vector(a.at("zaxis"), what + " zaxis"))
                       .toRotationMatrix();
    }
    return p;
  }

  /// What stands in a body: geoms, joints, bodies; everything else is named.
  void read_parts(const XMLElement& e, int index, const std::string& childclass) {
    for (const XMLElement* part = e.FirstChildElement(); part != nullptr;
         part = part->NextSiblingElement()) {
      const std::string tag = part->Name();
      if (tag == "geom") read_geom(*part, index, childclass);
      if (tag == "body") read_body(*part, index, childclass);
      const std::set<std::string> known = {"geom", "body", "joint", "freejoint", "inertial"};
      if (!known.contains(tag))
        robot_.dropped.push_back(
            tag +
            (part->Attribute("name") != nullptr ? std::string(" ") + part->Attribute("name") : "") +
            " of body " + link(index).name);
    }
  }
  Link& link(int index) { return robot_.links[static_cast<std::size_t>(index)]; }

  void read_body(const XMLElement& e, int parent, const std::string& outer) {
    const std::string childclass =
        e.Attribute("childclass") != nullptr ? e.Attribute("childclass") : outer;
    Link body;
    body.name = e.Attribute("name") != nullptr ? e.Attribute("name")
                                               : fmt::format("body{}", robot_.links.size());
    std::vector<Joint> joints = joints_of(e, body, childclass);
    joints.front().origin = pose(own(e), "body " + body.name);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      joints[k].parent = k == 0 ? parent : static_cast<int>(robot_.links.size()) - 1;
      const bool is_last = k + 1 == joints.size();
      if (!is_last) add_between(body, joints[k]);
      joints[k].child = static_cast<int>(robot_.links.size()) - (is_last ? 0 : 1);
    }
    const int index = static_cast<int>(robot_.links.size());
    const bool has_inertial = e.FirstChildElement("inertial") != nullptr;
    if (has_inertial) read_inertial(*e.FirstChildElement("inertial"), body);
    weighs_geoms_.push_back(!has_inertial);
    robot_.links.push_back(std::move(body));
    robot_.joints.insert(robot_.joints.end(), joints.begin(), joints.end());
    read_parts(e, index, childclass);
  }

  /// Several joints of a body turn and move it one after the other: between them stand frames without mass.
  void add_between(const Link& body, const Joint& joint) {
    Link between;
    between.name = body.name + "_" + joint.name;
    between.is_between = true;
    robot_.notes.push_back(
        fmt::format("body {} has several joints: {} stands between them", body.name, between.name));
    robot_.links.push_back(std::move(between));
    weighs_geoms_.push_back(false);
  }

  /// From the parent to the body; one that is fixed where there is none.
  std::vector<Joint> joints_of(const XMLElement& e, const Link& body,
                               const std::string& childclass) {
    std::vector<Joint> joints;
    for (const XMLElement* j = e.FirstChildElement(); j != nullptr; j = j->NextSiblingElement()) {
      const std::string tag = j->Name();
      if (tag != "joint" && tag != "freejoint") continue;
      Joint& joint = joints.emplace_back();
      const Attributes a = attributes(*j, childclass);
      const std::string type = tag == "freejoint"   ? "free"
                               : a.contains("type") ? a.at("type")
                                                    : "hinge";
      const std::map<std::string, JointKind> kinds = {{"hinge", JointKind::hinge},
                                                      {"slide", JointKind::slide},
                                                      {"ball", JointKind::ball},
                                                      {"free", JointKind::floating}};
      if (!kinds.contains(type))
        throw InputError("a joint of body " + body.name + " has the unknown type " + type, file_,
                         "known are hinge, slide, ball, free");
      joint.kind = kinds.at(type);
      joint.name = a.contains("name") ? a.at("name") : body.name + "_" + type;
      take_joint(a, joint);
    }
    for (const Joint& joint : joints)
      if (joints.size() > 1 && joint.kind != JointKind::hinge && joint.kind != JointKind::slide)
        throw InputError(fmt::format("body {} has several joints, and {} is no hinge or slide",
                                     body.name, joint.name),
                         file_, "put a body with a mass in between");
    if (joints.empty()) joints.emplace_back().name = body.name + "_fixed";
    return joints;
  }
  void take_joint(const Attributes& a, Joint& joint) {
    const bool is_angle = joint.kind == JointKind::hinge;
    const auto value = [&](double x) { return is_angle ? angle(x) : x; };
    joint.axis =
        a.contains("axis") ? vector(a.at("axis"), "axis of " + joint.name) : Vector3d::UnitZ();
    if (!(joint.axis.norm() > 0.0))
      throw InputError("the axis of joint " + joint.name + " is zero", file_, "give a direction");
    if (a.contains("pos")) joint.anchor = vector(a.at("pos"), "pos of " + joint.name);
    const bool is_limited = !a.contains("limited") || a.at("limited") != "false";
    if (a.contains("range") && is_limited) {
      const std::vector<double> range = numbers(a.at("range"), "range of " + joint.name);
      if (range.size() == 2 && range[0] < range[1])
        joint.limits = {value(range[0]), value(range[1])};
      else if (range != std::vector<double>{0.0, 0.0})  // which means none
        robot_.dropped.push_back(fmt::format("range {} of joint {}", a.at("range"), joint.name));
    }
    joint.damping = number(a, "damping", 0.0);
    joint.stiffness = number(a, "stiffness", 0.0);
    joint.rest = value(number(a, "springref", 0.0));
    joint.friction = number(a, "frictionloss", 0.0);
    for (const char* key : {"armature", "ref", "margin"})
      if (a.contains(key) && number(a, key, 0.0) != 0.0)
        robot_.dropped.push_back(fmt::format("{} {} of joint {}", key, a.at(key), joint.name));
  }

  void read_inertial(const XMLElement& e, Link& body) {
    const Attributes a = own(e);
    const Pose at = pose(a, "inertial of " + body.name);
    body.mass = number(a, "mass", 0.0);
    body.centre = at.position;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    if (a.contains("diaginertia")) {
      inertia.diagonal() = vector(a.at("diaginertia"), "diaginertia of " + body.name);
    } else if (a.contains("fullinertia")) {
      const std::vector<double> n = numbers(a.at("fullinertia"), "fullinertia of " + body.name);
      if (n.size() != 6)
        throw InputError("fullinertia of " + body.name + " must have six numbers", file_,
                         "write xx yy zz xy xz yz");
      inertia << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
    }
    body.inertia = at.rotation * inertia * at.rotation.transpose();
  }

  void read_geom(const XMLElement& e, int index, const std::string& childclass) {
    const Attributes a = attributes(e, childclass);
    const std::string type = a.contains("type") ? a.at("type") : "sphere";
    const std::string name = a.contains("name") ? a.at("name") : fmt::format("geom{}", ++geoms_);
    std::vector<double> size =
        a.contains("size") ? numbers(a.at("size"), "size of " + name) : std::vector<double>{};
    size.resize(3, 0.0);
    Pose at = pose(a, "geom " + name);
    if (a.contains("fromto")) {
      const std::vector<double> n = numbers(a.at("fromto"), "fromto of " + name);
      if (n.size() != 6)
        throw InputError("fromto of " + name + " must have six numbers", file_,
                         "write x y z x y z");
      const Vector3d from(n[0], n[1], n[2]), to(n[3], n[4], n[5]);
      at = {Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), to - from).toRotationMatrix(),
            0.5 * (from + to)};
      size[1] = 0.5 * (to - from).norm();
    }
    const bool touches = number(a, "contype", 1.0) != 0.0 || number(a, "conaffinity", 1.0) != 0.0;
    const std::map<std::string, GeometryKind> kinds = {{"sphere", GeometryKind::sphere},
                                                       {"box", GeometryKind::box},
                                                       {"capsule", GeometryKind::capsule},
                                                       {"plane", GeometryKind::plane}};
    if (kinds.contains(type) && touches)
      link(index).geometries.push_back({name, kinds.at(type), {size[0], size[1], size[2]}, at});
    else if (touches)
      robot_.dropped.push_back(
          fmt::format("contacts of geom {} of body {}: a {}", name, link(index).name, type));
    if (index > 0 && weighs_geoms_[static_cast<std::size_t>(index) - 1])
      weigh(a, type, name, size, at, link(index));
  }

  /// A body without an inertial weighs what its geoms weigh.
  void weigh(const Attributes& a, const std::string& type, const std::string& name,
             const std::vector<double>& size, const Pose& at, Link& body) {
    const double pi = std::acos(-1.0), r = size[0], h = 2.0 * size[1];
    double volume = 0.0;
    Vector3d unit = Vector3d::Zero();  // inertia per mass
    if (type == "sphere") {
      volume = 4.0 / 3.0 * pi * r * r * r;
      unit.setConstant(0.4 * r * r);
    } else if (type == "box" || type == "ellipsoid") {
      const Vector3d s(size[0], size[1], size[2]), square = s.cwiseProduct(s);
      volume = type == "box" ? 8.0 * s.prod() : 4.0 / 3.0 * pi * s.prod();
      unit = Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()) /
             (type == "box" ? 3.0 : 5.0);
    } else if (type == "cylinder" || type == "capsule") {
      const double barrel = pi * r * r * h,
                   caps = type == "capsule" ? 4.0 / 3.0 * pi * r * r * r : 0.0;
      volume = barrel + caps;
      const double across = barrel * (r * r / 4.0 + h * h / 12.0) +
                            caps * (0.4 * r * r + h * h / 4.0 + 0.375 * r * h);
      unit = Vector3d(across, across, barrel * r * r / 2.0 + caps * 0.4 * r * r) / volume;
    } else {
      robot_.dropped.push_back("the mass of geom " + name + " of body " + body.name + ": a " +
                               type);
      return;
    }
    const double mass = number(a, "mass", number(a, "density", water) * volume);
    const Eigen::Matrix3d own = mass * (at.rotation * unit.asDiagonal() * at.rotation.transpose());
    add_mass(body, mass, at.position, own);
  }

  std::string file_;
  Robot robot_;
  std::map<std::string, std::map<std::string, Attributes>> defaults_;
  std::vector<bool> weighs_geoms_;  // per body, the world left out
  bool is_degree_ = true;
  int geoms_ = 0;
};

}  // namespace

Robot read_mjcf(const std::string& text, const std::string& file) {
  return Reader(file).read(text);
}

}  // namespace clack::robot
