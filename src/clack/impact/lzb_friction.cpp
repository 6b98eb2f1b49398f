// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_friction.hpp"

#include "clack/impact/lzb_tolerances.hpp"

namespace clack {

using Eigen::VectorXd;

bool LzbGrips::decide(const GripQuestion& question, std::vector<LzbContactState>& states) {
  const Eigen::Index tangential = system_->rows() - system_->contacts;
  force_.resize(system_->rows());
  for (VectorXd* vector : {&drive_, &held_drive_, &answer_, &acceleration_, &held_force_, &trial_})
    vector->resize(tangential);
  radius_.resize(system_->contacts);
  equal_.setOnes(system_->contacts);
  slide_or_ask(question, states);
  is_answered_ = true;
  while (!resting_.empty()) {
    hold(question);
    if (released_.empty()) break;
    release(question, states);
    resting_.swap(held_);
  }
  for (const int i : resting_) states[i].grip = Grip::sticking;
  return is_answered_;
}

/// Contacts that slip go on; the others are left in `resting_`.
void LzbGrips::slide_or_ask(const GripQuestion& question, std::vector<LzbContactState>& states) {
  const int k = system_->tangents;
  force_.setZero();
  resting_.clear();
  for (int i = 0; i < system_->contacts; ++i) {
    LzbContactState& state = states[i];
    state.grip = Grip::none;
    state.direction.setZero();
    if (state.load == Load::idle) continue;
    force_[i] = question.normal_force[i];
    if (!system_->has_friction(i)) continue;
    if (question.at_rest[i]) {
      resting_.push_back(i);
      continue;
    }
    const int row = system_->tangent_row[i];
    state.grip = Grip::sliding;
    state.direction.head(k) = question.motion.segment(row, k);
    state.direction.head(k).normalize();
    force_.segment(row, k) = -system_->dynamic_friction[i] * force_[i] * state.direction.head(k);
  }
}

void LzbGrips::fill_drive(const std::vector<int>& contacts) {
  const int k = system_->tangents;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    drive_.segment(i * k, k).noalias() =
        system_->G.middleRows(system_->tangent_row[contacts[i]], k) * force_;
}

void LzbGrips::fill_radii(const std::vector<int>& contacts, const VectorXd& friction) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    radius_[i] = friction[contacts[i]] * force_[contacts[i]];
}

/// What counts as no slip acceleration at a contact: a part of the terms that add up to it.
double LzbGrips::vanishing(int contact) const {
  double terms = 0.0;
  for (int a = 0; a < system_->tangents; ++a)
    terms = std::max(terms, system_->G.row(system_->tangent_row[contact] + a)
                                .cwiseAbs()
                                .dot(force_.cwiseAbs().transpose()));
  return lzb_tolerances.slip_acceleration * terms;
}

/// Step 1: those at rest are held by static friction, or released with their slip acceleration.
void LzbGrips::hold(const GripQuestion& question) {
  const int k = system_->tangents;
  const auto contacts = static_cast<Eigen::Index>(resting_.size()), rows = contacts * k;
  gather_tangents(*system_, resting_, resting_, own_);
  fill_drive(resting_);
  fill_radii(resting_, system_->static_friction);
  const bool is_answered =
      friction_.solve(own_.topLeftCorner(rows, rows), drive_.head(rows), radius_.head(contacts), k,
                      answer_.head(rows), acceleration_.head(rows));
  is_answered_ = is_answered_ && is_answered;
  released_.clear();
  held_.clear();
  for (Eigen::Index i = 0; i < contacts; ++i) {
    const auto a = acceleration_.segment(i * k, k);
    const int contact = resting_[i];
    if (question.must_slip[contact] || a.norm() > vanishing(contact)) {
      trial_.segment(released_.size() * k, k) = a;
      released_.push_back(contact);
    } else {
      held_.push_back(contact);
    }
  }
}

/// G and the drive of the released ones while the held ones do not move: these are eliminated.
void LzbGrips::hold_while_released(Eigen::Index rows) {
  const auto held_rows = static_cast<Eigen::Index>(held_.size()) * system_->tangents;
  gather_tangents(*system_, held_, held_, held_own_);
  gather_tangents(*system_, held_, released_, crossing_);
  stick_.factor(held_own_.topLeftCorner(held_rows, held_rows), system_->tangents);
  const auto equal = equal_.head(static_cast<Eigen::Index>(held_.size()));
  const auto crossing = crossing_.topLeftCorner(held_rows, rows);
  auto f = held_force_.head(held_rows);
  held_drive_.head(rows) = drive_.head(rows);
  fill_drive(held_);  // over that of the released ones
  stick_.forces(drive_.head(held_rows), equal, f);
  drive_.head(rows) = held_drive_.head(rows);
  drive_.head(rows).noalias() += crossing.transpose() * f;
  for (Eigen::Index column = 0; column < rows; ++column) {
    stick_.forces(crossing.col(column), equal, f);
    own_.col(column).head(rows).noalias() += crossing.transpose() * f;
  }
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < i; ++j) own_(i, j) = own_(j, i) = 0.5 * (own_(i, j) + own_(j, i));
}

/// Step 2: dynamic friction for the released ones, the held ones as equalities.
void LzbGrips::release(const GripQuestion& question, std::vector<LzbContactState>& states) {
  const int k = system_->tangents;
  const auto contacts = static_cast<Eigen::Index>(released_.size()), rows = contacts * k;
  gather_tangents(*system_, released_, released_, own_);
  fill_drive(released_);
  if (!held_.empty()) hold_while_released(rows);
  fill_radii(released_, system_->dynamic_friction);
  const bool is_answered =
      friction_.solve(own_.topLeftCorner(rows, rows), drive_.head(rows), radius_.head(contacts), k,
                      answer_.head(rows), acceleration_.head(rows));
  is_answered_ = is_answered_ && is_answered;
  for (Eigen::Index i = 0; i < contacts; ++i) {
    const int contact = released_[i], row = system_->tangent_row[contact];
    auto way = acceleration_.segment(i * k, k);
    const double none = vanishing(contact);
    if (way.norm() <= none) way = trial_.segment(i * k, k);
    if (way.norm() <= none && question.must_slip[contact])
      way = -question.stick_force.segment(row, k);
    LzbContactState& state = states[contact];
    state.grip = Grip::sliding;
    state.direction.head(k) = way;
    if (way.norm() > 0.0) state.direction.head(k).normalize();
    force_.segment(row, k) =
        -system_->dynamic_friction[contact] * force_[contact] * state.direction.head(k);
  }
}

}  // namespace clack
