// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace clack {

enum class PainlevePolicy { stop, tangential_impact, continuous_force };
enum class ChainPolicy { complete, error };
enum class DriftPolicy { project, leave };

/// What the executor does where physics leaves a choice; options of single parts are in
/// Model::options.
struct Policies {
  PainlevePolicy painleve = PainlevePolicy::stop;
  ChainPolicy chain_limit = ChainPolicy::complete;
  bool simultaneous = true;
  DriftPolicy drift = DriftPolicy::project;
  double smooth_below =
      0.0;  // rad: convex corners that turn by less are slid over without a flight
};

/// Every threshold of a run, with unit, default and reason. Lengths and speeds are relative to the model's own scale
/// (largest length and speed seen at the start and during the run).
struct Tolerances {
  double gap =
      1e-9;  // a contact touches at the start when |gap| is below this part of the length scale
  double penetration = 1e-8;  // a start deeper than this part of the length scale is an error
  double gap_rate =
      1e-10;  // a touching contact approaches when its rate is below -this part of the speed scale
  double slip =
      1e-9;  // a contact sticks or may stick when its slip is below this part of the speed scale
  double slip_passed =
      1e-6;  // space: a slip that turned by 90 degrees has vanished below this part of the speed scale
  double force = 1e-12;  // forces below this part of the largest one are rounding
  double time = 1e-13;   // events closer than this part of the larger of 1 s and |t| are one event
  double rearm_gap = 1e-15;  // m: a released gap guards again once it exceeds this
  double unseen_flight =
      8.0;  // flights lower than this many rearm_gap land where their parabola does
  double zeno_speed =
      1e-6;  // accumulating impacts are completed below this part of the speed scale
  double zeno_ratio = 0.999;  // and only while impacts shrink at least by this factor
  int chatter =
      50;  // impacts in a row below zeno_speed that do not shrink: their contacts are closed
  double drift =
      1e-11;  // drift of closed gaps and joints beyond this part of the length scale is projected out
  double ledger =
      1e-6;  // errors and corrections of the energy ledger beyond this part of the energy exchanged leave it open
  double rank_cutoff =
      0.0;  // singular values below this part of the largest count as zero; 0: the default of each part
  int chain_cap = 0;  // impacts chained at one instant; 0: 2000 in the plane, 200 in space
  long event_limit = 1'000'000;  // events per run
  int instant_limit = 1000;      // node visits at one instant
  int tie_patience =
      3;  // visits that find the mode just left; then the guard that ended it decides
};

struct RunSettings {
  double until = 1.0;  // s
  std::string theory = "poisson";
  std::string formulation, decision, impact;  // empty: the theory's
  std::string integrator = "dop853";
  double tolerance = 1e-9;  // of the integrator
  double sample = 0.0;      // s; 0: until / 1000
  double max_step = 0.0;    // s, of the integrator; 0: none
};

}  // namespace clack
