#pragma once
#include <vector>

#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/mechanism/spatial_contacts.hpp"
#include "clack/mechanism/watched_formulas.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// Free rigid bodies in space: seven coordinates (centre, unit quaternion) and six speeds (velocity
/// of the centre, angular velocity; world frame) per body.
///
///   M = blockdiag(m 1, J),  J = R J_body R^T,   h = (forces + m g, torques - w x J w)
///   (qw, qv)' = ((-w . qv), qw w + w x qv)/2
///
/// Contacts between shapes are computed as in spatial_contacts.hpp; constraints and contacts given
/// by formulas are differentiated and compiled as everywhere else. After the formulas of the model
/// the borders of features on boxes are watched, for the contacts of the rows evaluated last, so
/// that a mode ends where one of its contacts comes to a border.
class SpatialMechanism final : public Mechanism {
 public:
  explicit SpatialMechanism(const Model& shared);

  int coordinates() const override { return coordinates_; }
  int speeds() const override { return speeds_; }
  int tangents() const override { return 2; }
  int constraint_rows(int constraint) const override;
  bool rates_are_speeds() const override { return false; }
  std::unique_ptr<SnapshotEvaluator> evaluator(const RowSelection& rows) override;
  void gap_motion(double t, const double* q, const double* v, const double* a, double* gap,
                  double* gap_rate, double* gap_acceleration) override;
  void coordinate_rates(const double* q, const double* v, double* dqdt) const override;
  void displace(double* q, const double* speeds_displacement) const override;
  void normalise(double* q) const override;
  Energies energies(double t, const double* q, const double* v) override;
  bool has_applied_power() const override { return has_applied_power_; }
  int formulas() const override { return watched_.count() + static_cast<int>(bordered_.size()); }
  void formula_motion(double t, const double* q, const double* v, FormulaValue* values) override;

  /// Poses and velocities of all bodies at a state, by model index.
  const std::vector<BodyMotion>& place(double t, const double* q, const double* v);
  /// A contact between shapes at the state placed last, see touch_motion.
  TouchMotion touch(int contact, bool may_be_closed = false) const;

 private:
  friend class SpatialEvaluator;
  struct SpatialBody {
    BodyKind kind = BodyKind::free;
    double mass = 0.0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // body frame
    int q = -1, v = -1;                                 // free: first coordinate and speed
    int value = -1;                                     // moving: where its formulas are
  };
  struct SpatialSpring {
    Attachment first, second;
    int value = -1;  // stiffness, damping, rest
    bool is_conservative = false;
  };
  struct ConstraintRow {
    Expression value, rate, bias;
    std::vector<Expression> row;
  };

  void gather_formulas(const Model& model);
  void derive_constraints(const Model& model);
  void place_resting(const Model& model);
  void gather_contacts(const Model& model);
  void refuse_deep_boxes(const Model& model) const;
  void load(double t, const double* q, const double* v);
  Eigen::Vector3d point_of(const Attachment& end) const;
  /// Adds a force at a world point; does nothing for bodies without speeds.
  void push(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force, double* h) const;
  /// Smooth force (n numbers) and the power of what has no potential, at the state placed last.
  double add_forces(const double* v, double* h) const;
  Eigen::Matrix3d world_inertia(std::size_t body) const;

  const Model model_;  // with formulas of its own
  int coordinates_ = 0, speeds_ = 0;
  bool has_applied_power_ = false, is_gravity_constant_ = true;
  MotionSymbols motion_;
  std::vector<SpatialBody> bodies_;
  std::vector<std::vector<Eigen::Vector3d>> points_;  // by body, body frame
  std::vector<SpatialSpring> springs_;
  std::vector<std::pair<Attachment, int>> point_forces_;  // where, first value
  std::vector<std::pair<int, int>> generalised_;          // speed, value
  std::vector<SpatialContact> contacts_;                  // formula contacts: empty
  std::vector<int> surface_value_;                        // per contact: first value, or -1
  std::vector<int> formula_contact_;                      // per contact: index below, or -1
  std::vector<ContactFormulas> contact_formulas_;
  std::vector<std::vector<ConstraintRow>> constraints_;
  symbolic::Program applied_, formula_gaps_;
  WatchedFormulas watched_;
  std::vector<int> bordered_;  // contacts with boxes: their borders are watched after the formulas
  std::vector<int>
      evaluated_;  // contacts whose rows were evaluated last: in a mode the closed ones
  std::vector<BodyMotion> motions_;
  std::vector<double> inputs_, values_, outputs_;
};

}  // namespace clack
