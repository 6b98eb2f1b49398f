// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/nearest_name.hpp"

// Moving frames: poses as formulas, frames in frames; bodies say `in: FRAME`.

namespace clack {
namespace {

SpatialVector planar_turned(Expression angle, const SpatialVector& a) {
  const Expression c = cos(angle), s = sin(angle);
  return {c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]};
}

/// Reads a frame, and first those that it stands in.
class FrameReader {
 public:
  FrameReader(Reading& reading, const yaml::Node& frames) : reading_(reading), frames_(frames) {}

  const FramePose& read(const std::string& name, const yaml::Node& asked) {
    if (const auto known = reading_.frames.find(name); known != reading_.frames.end())
      return known->second;
    const yaml::Node* node = frames_.find(name);
    if (!node) refuse_unknown(name, asked);
    if (std::ranges::find(open_, name) != open_.end())
      reading_.fail(*node,
                    "frames: " + printable(name, 60) + " stands in itself (" + chain(name) + ")",
                    "let one of them stand in the world");
    open_.push_back(name);
    const std::string thing = "frame " + name;
    const bool is_planar = reading_.model.dimension == 2;
    reading_.check_keys(
        *node, thing,
        is_planar ? std::vector<std::string>{"in", "position", "angle"}
                  : std::vector<std::string>{"in", "position", "orientation", "rotation"});
    FramePose pose{{reading_.zero(), reading_.zero(), reading_.zero()}, reading_.zero(), {}};
    if (const yaml::Node* position = node->find("position"))
      pose.position = reading_.vector_formula(*position, thing + ": position", allow_position);
    if (const yaml::Node* angle = node->find("angle"))
      pose.angle = reading_.formulas.formula(*angle, thing + ": angle", allow_position);
    if (!is_planar) pose.rotation = read_rotation(reading_, *node, thing, allow_position);
    if (const yaml::Node* in = node->find("in")) {
      const FramePose outer = read(reading_.text(*in, thing + ": in"), *in);
      pose = in_frame(reading_, outer, pose);
    }
    open_.pop_back();
    return reading_.frames.emplace(name, std::move(pose)).first->second;
  }

 private:
  std::string chain(const std::string& name) const {
    std::string text;
    for (const std::string& frame : open_) text += frame + " in ";
    return text + name;
  }
  [[noreturn]] void refuse_unknown(const std::string& name, const yaml::Node& asked) const {
    std::vector<std::string> names;
    for (const yaml::Entry& entry : frames_.entries) names.push_back(entry.key);
    const std::string nearest = nearest_name(name, std::span<const std::string>(names));
    reading_.fail(asked, "there is no frame " + printable(name, 60),
                  nearest.empty() ? "define it under frames" : "did you mean " + nearest + "?");
  }

  Reading& reading_;
  const yaml::Node& frames_;
  std::vector<std::string> open_;
};

}  // namespace

FramePose in_frame(Reading& reading, const FramePose& outer, const FramePose& inner) {
  FramePose pose = inner;
  if (reading.model.dimension == 2) {
    pose.position = outer.position + planar_turned(outer.angle, inner.position);
    pose.angle = outer.angle + inner.angle;
    return pose;
  }
  pose.position =
      outer.position + rotation_matrix(*reading.model.graph, outer.rotation) * inner.position;
  pose.rotation = outer.rotation;
  pose.rotation.insert(pose.rotation.end(), inner.rotation.begin(), inner.rotation.end());
  return pose;
}

void read_frames(Reading& reading, const yaml::Node& frames) {
  if (frames.kind != yaml::Kind::map)
    reading.fail(frames, "frames: a map of names and poses is expected here",
                 "write frames: {arm: {position: [cos(q), sin(q)], angle: q}}");
  FrameReader reader(reading, frames);
  for (const yaml::Entry& entry : frames.entries) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.formulas.check_word(entry.key, "frame", at);
    reader.read(entry.key, entry.value);
  }
}

const FramePose& frame_named(const Reading& reading, const yaml::Node& node,
                             const std::string& what) {
  const std::string& name = reading.text(node, what);
  if (const auto found = reading.frames.find(name); found != reading.frames.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto& [known, pose] : reading.frames) names.push_back(known);
  std::ranges::sort(names);
  const std::string nearest = nearest_name(name, std::span<const std::string>(names));
  reading.fail(node, what + ": there is no frame " + printable(name, 60),
               nearest.empty() ? "define it under frames" : "did you mean " + nearest + "?");
}

}  // namespace clack
