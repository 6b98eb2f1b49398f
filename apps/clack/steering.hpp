// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "clack/hybrid/checkpoint.hpp"
#include "clack/hybrid/tick_loop.hpp"
#include "interruption.hpp"

namespace clack::command {

/// `--realtime RATE`: ticks against the clock (1kHz, 500Hz), or a plain number that paces an ordinary run.
struct Rate {
  double ticks = 0.0;  // Hz; 0: no ticks
  double pace = 0.0;   // simulated seconds per second; 0: as fast as it goes
};
/// Throws InputError.
Rate parse_rate(const std::string& text);

/// How a run is driven from the command line.
struct Steering {
  Rate rate;
  std::string inputs;  // file of lines, "-": stdin; empty: none
  bool is_streaming = false;
  std::string checkpoint;          // file; empty: none
  double checkpoint_every = 60.0;  // s of the clock
};

/// What the checkpoints of a run say beside its state.
using CheckpointFrame = Checkpoint;

/// Drives a run to its end.
void drive(SteeredRun& run, const Steering& steering, const CheckpointFrame& frame,
           const Interruption& interruption);

}  // namespace clack::command
