// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/index.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// The joint that a constraint stands for, or -1. Constraints of joints stand together, behind the entries of `constraints:` of
/// the model file and before those that came to it from outside.
inline int joint_of(const Model& model, int constraint) {
  if (model.joints.empty()) return -1;
  const int joint = constraint - model.joints.front().constraint;
  return joint >= 0 && joint < number_of(model.joints) ? joint : -1;
}

}  // namespace clack
