// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clack/impact/history.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// Numbers of law energetic in space; without unit, or relative to the largest contact speed v_ref at
/// the start of the impact.
struct SpatialTolerances {
  double integration = 2e-13;        // relative, of the integrator
  double integration_floor = 2e-15;  // of the impulse that changes the motion: less is noise
  double first_step = 0.02;  // of the impulse that changes the motion: tried in curved stretches
  double stop = 1e-10;      // v_ref: a slower slip has stopped; both continuations leave on one ray
  double kick = 1e-8;       // v_ref: slip given to points released from rest, on their ray
  double straight = 1e-13;  // turning of a slip, relative to its change, that is none
  double slip_rounding = 2e-15;  // v_ref: what is not known of a slip
  double approach = 1e-9;        // v_ref: slower approach is none
  double plane = 1e-9;           // normals and distances of points in one plane agree to this
  double together = 1e-9;        // relative: stick demands that are equal are released together
  double rounding = 1e-12;       // relative excess of a stick force that is rounding
  double motionless = 1e-10;     // v_ref, and of the terms of a rate: no motion, no change
  double workless = 1e-8;        // v_ref: rate of work of impulses that balance each other
  double balance = 1e-9;  // of the kinetic energy: works that miss it by more are not believed
  int changes = 400;      // of stick and slip in one event
  long steps = 20000;     // of the integrator in one stretch
  int events = 200;       // of one impact
};
inline constexpr SpatialTolerances spatial_tolerances{};

/// One event of law energetic in space: m points, three rows each (t1, t2, n).
struct SpatialEvent {
  Eigen::MatrixXd beta;                               // 3m x 3m: d theta = beta dp
  Eigen::VectorXd theta;                              // 3m: (v_t1, v_t2, v_n) before
  Eigen::VectorXd static_friction, dynamic_friction;  // m
  std::vector<Eigen::Vector3d> points;                // m, world; one point: not needed
  std::vector<Eigen::Matrix3d> frames;                // m, rows t1, t2, n
  std::vector<std::string> names;                     // m
  int hub = 0;                                        // member that the others are tied to
  double restitution = 0.0;                           // [-1, 1]
  double speed = 1.0;                                 // v_ref, m/s

  int members() const { return static_cast<int>(static_friction.size()); }
};

enum class EventEnd {
  ended,       // W = (1 - e^2) W_c
  not_begun,   // the normal impulses would give work from the start
  locked,      // all points stuck: no motion can give energy back
  infeasible,  // a closure asks a point to pull
  endless      // compression does not end, or the integrator gave up
};

struct [[nodiscard]] SpatialAnswer {
  EventEnd end = EventEnd::ended;
  Eigen::VectorXd impulse;  // 3m
  double normal_work = 0.0, compression_work = 0.0, tangential_work = 0.0;
  bool is_recompressed = false;
  std::vector<std::string> flags, notes;
};

/// What is told about the inside of an event, for plots.
using SpatialRecord =
    std::function<void(const Eigen::VectorXd& impulse, double work, double tangential_work,
                       const std::vector<InnerStatus>& status)>;

/// Follows impulses and works of an event through stretches of two kinds and knows where it ends:
///
///   dp = f dx,   theta = theta_0 + beta p,   dW/dx = V = sum_i f_n,i v_n,i
///   compression ends where V rises through 0: W_c := W (the latest one counts; flag `recompressed`)
///   e >= 0: the event ends where W rises to (1 - e^2) W_c;  e < 0: where W falls to it, before the
///   end of compression
class SpatialMarch {
 public:
  SpatialMarch(const SpatialEvent& event, const SpatialRecord& record);

  /// For e < 0: the work at which the compression is cut, found by a march of its own.
  void cut_at(double work) { cut_ = work; }
  /// Ends at the first end of compression, to learn its work.
  void end_with_compression() { ends_with_compression_ = true; }

  const Eigen::VectorXd& motion() const { return motion_; }  // theta now
  Eigen::Vector2d slip(int i) const { return motion_.segment<2>(3 * i); }
  bool has_ended() const { return has_ended_; }
  bool is_compressing() const { return !is_restituting_; }

  /// dp = f dx with constant f, up to x = limit or the end of the event. False: f constant for ever
  /// and no end (neither V nor its change lead to one).
  bool straight(const Eigen::VectorXd& f, double limit, const std::vector<InnerStatus>& status);

  /// A stretch whose f depends on the motion: `direction(motion, f)` gives it, false when it has no
  /// answer. Up to the end of the event or until one of the functions of the motion falls to zero.
  struct Curve {
    std::function<bool(const Eigen::VectorXd& motion, Eigen::VectorXd& f)> direction;
    std::vector<std::function<double(const Eigen::VectorXd& motion, const Eigen::VectorXd& f)>>
        guards;
    std::vector<double> near;  // per guard: values above are clear of zero over a step
  };
  enum class CurveEnd { event, guard, failed, no_direction };
  CurveEnd curved(const Curve& curve, const std::vector<InnerStatus>& status);

  SpatialAnswer answer() const;
  /// Without an end: how.
  SpatialAnswer answer(EventEnd end) const;

 private:
  double rate(const Eigen::VectorXd& f) const;  // V
  void move(const Eigen::VectorXd& f, double x, const std::vector<InnerStatus>& status);
  void meet(double goal, const Eigen::VectorXd& f);
  void begin_restitution();
  /// The rate V at the start of a stretch says whether compression goes on, ends or begins again.
  void turn_by(double rate, double rounding);
  /// The next end of compression, new beginning of it, or end of the event in a curved stretch.
  std::optional<double> next_change(class CurvedStretch& at, double from, double until,
                                    double work);
  void tell(const std::vector<InnerStatus>& status) const;
  double target() const;

  const SpatialEvent& event_;
  const SpatialRecord& record_;
  Eigen::VectorXd impulse_, motion_;
  double work_ = 0.0, tangential_work_ = 0.0, compression_work_ = 0.0;
  std::optional<double> cut_;
  bool is_restituting_ = false, has_ended_ = false, is_recompressed_ = false;
  bool ends_with_compression_ = false;
};

/// Points of one plane with one normal (P4, section 7.3, corrected: docs/errata.md): with d lambda as
/// parameter the closure d_ij.(f_i - f_j) = 0 of all pairs is
///
///   dp_n,i = (s_i/mu_i) d lambda,   dp_t,i = -v_t,i d lambda        (s_i = |v_t,i|)
///
/// regular everywhere; all points stop together. Then stick, or the outgoing field
/// kappa w = -A N w + sum_i k_i |T_i w|/mu_i, kappa > 0.
void march_coplanar(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer);

/// One point (no closure: Darboux and Keller's equations with Stronge's restitution), or points with
/// different normals tied to a hub by the compressive rule
///
///   d.f_i = sigma d.f_hub,   sigma = -1 if (d.n_i)(d.n_hub) < 0, else +1
///
/// with stuck subsets, release of the points that need more friction than they have, and several
/// points that stop at once.
void march_star(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer);

/// One event; which of the two depends on its own points.
SpatialAnswer resolve_spatial_event(const SpatialEvent& event, const SpatialRecord& record);

/// Two or more points, normals equal and distances from their plane small.
bool is_coplanar(const SpatialEvent& event);

}  // namespace clack
