// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "clack/impact/lzb_phase.hpp"

namespace clack {

/// One engagement of a contact, from its first force to its end, in the units of the system.
struct LzbEngagement {
  int contact = 0;
  double impulse = 0.0;           // normal
  double compression_work = 0.0;  // while approaching, <= 0
  double normal_work = 0.0;       // in all, <= 0
  double tangential_work = 0.0;   // of all contacts from its start to its end
};

/// One instant inside the impact, for plots.
struct LzbSample {
  double time = 0.0;
  double tangential_work = 0.0;
  Eigen::VectorXd impulse = {};      // rows
  Eigen::VectorXd compression = {};  // contacts
  std::vector<Grip> grips = {};
  std::vector<Load> loads = {};
  int phase = 0, ended = 0;  // engagements that have ended
};

enum class LzbEnd {
  finished,    // no contact stores energy, none approaches
  locked,      // sticking contacts hold each other under load: no motion can give the energy back
  unfinished,  // the cap on phases; some contact still approaches
  failed       // the integrator or the convex question gave up
};

struct LzbOutcome {
  LzbEnd end = LzbEnd::finished;
  LzbState state;
  std::vector<LzbEngagement> engagements;  // in the order of their ends
  std::vector<Eigen::VectorXd> impulses;   // rows, of the whole impact up to each of these ends
  std::vector<LzbSample> samples;          // where asked for
  double normal_work = 0.0;                // of all contacts, also of those that have not ended
  int phases = 0;
  long evaluations = 0;
};

/// Follows an impact through its phases (docs/theories/lzb.md):
///  1. decide which contacts are active, compressing or expanding, sticking or sliding;
///  2. integrate (DOP853) up to the first of: v_i = 0 of an active contact, the end of an expansion,
///     v_i of an idle contact falls to 0, a slip falls to 0, a stick reserve is used up. The instant
///     is located on the dense output; all contacts whose condition holds there (to 1e-9 of impact
///     time) change together;
///  3. again, until every contact has given back its energy and none approaches.
/// Keeps its memory: a further impact with as many speeds and contacts in the plane takes none (no
/// samples; `LzbOutcome` is written over).
class LzbMarch {
 public:
  LzbMarch();
  ~LzbMarch();
  /// To be made (make_lzb_system) before each march.
  LzbSystem& system();
  /// `kinetic_energy` is in the units of the system.
  const LzbOutcome& march(double kinetic_energy, bool records);

 private:
  class Phases;
  std::unique_ptr<Phases> phases_;
};

}  // namespace clack
