// SPDX-License-Identifier: Apache-2.0
// A sampled controller: a pendulum that is held upside down by a torque which changes every 10 ms.
#include <clack/clack.hpp>
#include <cstdio>

int main() {
  const char* text =
      "clack: 1\n"
      "parameters: {m: 1, l: 1, g: 9.81}\n"
      "inputs: {torque: 0}\n"
      "coordinates: {phi: 0.2}\n"
      "mass_matrix: [[m*l^2]]\n"
      "force: [m*g*l*sin(phi) + torque]\n"
      "run: {until: 10}\n";
  clack::Simulation simulation(clack::load_model_text(text, "pendulum"));
  for (int k = 1; k <= 300; ++k) {
    const clack::RunView view = simulation.look();
    simulation.set_input("torque", -30.0 * view.q[0] - 6.0 * view.v[0]);
    simulation.advance_until(0.01 * k);
  }
  std::printf("after %g s: angle %.3e\n", simulation.time(), simulation.look().q[0]);
}
