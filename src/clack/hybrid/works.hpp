// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Works that are integrated beside the motion, J:
///   forces    sum F . dp/dt                                   of applied forces that have no potential
///   drives    N (J_N v - gap rate) + T . (J_T v - slip) + L . (J_C v - rate)  and prescribed motion (Equations):
///             what moving surfaces, driven joints and bodies of prescribed motion put in
///   friction  T . slip  of sliding contacts, never positive
struct Works {
  double forces = 0.0, drives = 0.0, friction = 0.0;
};

}  // namespace clack
