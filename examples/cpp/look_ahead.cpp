// SPDX-License-Identifier: Apache-2.0
// Saved, restored and cloned: a run that goes on has the bits of one that was never stopped.
#include <clack/clack.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 2) return std::printf("look_ahead MODEL\n"), 2;
  clack::Simulation simulation(clack::load_model(argv[1]));
  simulation.advance_until(0.05);
  const clack::Simulation::Saved saved = simulation.save();
  const auto ahead = simulation.clone();
  ahead->advance_until(0.2);
  std::printf("at %g s it will be at %.6g\n", ahead->time(), ahead->look().q[0]);

  simulation.advance_until(0.2);
  const double direct = simulation.look().q[0];
  simulation.restore(saved);
  simulation.advance_to_next_event();
  std::printf("next event after 0.05 s at %.9f s\n", simulation.time());
  simulation.advance_until(0.2);
  std::printf("%s\n", direct == ahead->look().q[0] && direct == simulation.look().q[0]
                          ? "equal bits"
                          : "different");
}
