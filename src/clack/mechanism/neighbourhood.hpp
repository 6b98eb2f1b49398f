// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "clack/mechanism/solid_sources.hpp"

namespace clack {

/// The two ends of a step; between them the motion is smooth.
struct StepEnds {
  double t_begin = 0.0, t_end = 0.0;
  const double *q_begin = nullptr, *v_begin = nullptr, *q_end = nullptr, *v_end = nullptr;
};

/// Size of what an attachment brings into a contact, m: of a shape, the radius of the ball around the origin of its body
/// that holds it; of a point, its distance from there. Half-spaces and mass centres have none (0).
double size_of(const Model& model, const Attachment& end);

/// Which contacts between bodies can touch during a step: a ball around every shape, swept over the step.
///
/// With the way D = c(t_end) - c(t_begin) of its centre and u = velocity - D/h at the two ends, the cubic through both
/// ends stays within 4/27 h (|u0| + |u1|) of the straight way; with the whole h (|u0| + |u1|) instead, seven times
/// that, a motion that bends more inside the step than its ends tell is covered too (the integrator would have refused
/// a step that bends ten times more). Balls are sorted along the axis of their widest spread (sweep and prune), so that bodies that are far
/// apart cost n log n, not the number of their pairs. Of two polyhedra that are near those contacts are listed whose
/// features are not farther apart at the begin than the bodies come nearer on the way (approach).
class Neighbourhood {
 public:
  /// `bodies`: as placed at the start (fixed bodies stay there).
  Neighbourhood(const Model& model, const BodyMotions& bodies);

  /// Models with few contacts are not worth the trouble, those whose contacts are all formulas do not tell: everything is
  /// near.
  bool is_trivial() const { return is_trivial_; }
  const ContactSet& all() const { return all_; }

  /// Bodies at the begin of the step, then at its end; then the contacts, ascending.
  void begin(const BodyMotions& bodies) {
    sample(bodies, begin_);
    if (!solids_.empty()) begin_bodies_ = bodies;
  }
  void end(const BodyMotions& bodies) {
    sample(bodies, end_);
    if (!solids_.empty()) end_bodies_ = bodies;
  }
  void find(double duration, ContactSet& contacts);

 private:
  static constexpr std::size_t few =
      24;  // contacts below which all are looked at: a sort costs as much
  static constexpr double slack =
      1e-6;  // of place and size: rounding never hides a contact that touches

  struct Ball {  // around a point or a shape
    BodyIndex body;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // body frame
    double radius = 0.0;
  };
  struct Place {
    Eigen::Vector3d centre, velocity;
  };
  struct PlaneSource {  // a ball against a half-space that does not move; world frame
    SourceIndex source;
    int ball = -1;
    Eigen::Vector3d normal;
    double offset = 0.0;
  };
  struct PairSource {
    int first = -1, second = -1;  // balls, first < second
    SourceIndex source;
    friend auto operator<=>(const PairSource&, const PairSource&) = default;
  };
  void add_source(const Model& model, SourceIndex source, const BodyMotions& bodies);
  int ball_of(const Model& model, const Attachment& end);
  void sample(const BodyMotions& bodies, std::vector<Place>& places) const;
  void sweep_pairs();
  /// The contacts of a pair of polyhedra; false: the source is none.
  bool add_solids(SourceIndex source, double duration, ContactSet& contacts);

  bool is_trivial_ = true;
  ContactSet all_;
  Indexed<std::pair<int, int>, SourceIndex> range_;  // its contacts in all_
  std::vector<SourceIndex> always_;                  // by formulas, half-spaces that move
  std::vector<Ball> balls_;
  std::vector<PlaneSource> planes_;
  std::vector<PairSource> pairs_;  // ascending
  std::vector<Place> begin_, end_;
  std::vector<Eigen::Vector3d> middle_;
  std::vector<double> reach_;
  std::vector<int> order_;
  std::vector<SourceIndex> near_;
  std::vector<SolidSource> solids_;
  BodyMotions begin_bodies_, end_bodies_;
  SolidWorkspace work_;
  std::vector<SolidContact> near_features_;
};

}  // namespace clack
