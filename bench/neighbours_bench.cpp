// SPDX-License-Identifier: Apache-2.0
// What is far away costs nothing: time per step of spheres that fly far apart from each other, every pair of them a
// contact (n (n-1)/2 of them), of a body with many contacts by formulas, and of disks that bounce beside each other.
// Ratios are from one run; a time that grows with the number of bodies doubles from line to line, one that grows with the
// pairs has a factor four.
#include <fmt/format.h>

#include "clack/complementarity/settling.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/theory.hpp"

namespace {

using clack::bench::processor_seconds;

/// Spheres three radii apart in a row, each with a speed and a spin of its own; nothing touches.
std::string spheres(int count) {
  return fmt::format(R"yaml(clack: 1
dimension: 3
parameters: {{n: {}}}
gravity: [0, 0, -9.81]
bodies:
  "s{{i}}": {{mass: 1, inertia: [0.4, 0.3, 0.2], position: ["3*{{i}}", 0, 5], velocity: [0, "0.1*{{i}}", 2], spin: [1, "0.2*{{i}}", 3], shape: {{sphere: {{radius: 1}}}}, repeat: {{count: n, as: i}}}}
contacts:
  "s{{i}}-s{{j}}": {{between: ["s{{i}}", "s{{j}}"], repeat: [{{from: 1, to: n - 1, as: i}}, {{from: i + 1, to: n, as: j}}]}}
run: {{until: 0.5, theory: newton, sample: 1}}
)yaml",
                     count);
}

/// A regular polygon that is thrown onto the floor, one contact per corner, by formulas.
std::string polygon(int corners) {
  return fmt::format(R"yaml(clack: 1
parameters: {{n: {}, r: 0.5}}
gravity: [0, -9.81]
bodies: {{gon: {{mass: 1, inertia: 0.125, position: [0, 0.6], velocity: [1, 0], spin: -1}}}}
contacts:
  "c{{i}}": {{gap: "gon.y + r*sin(gon.angle + 2*pi*{{i}}/n)", slip: "gon.x_dot - r*gon.angle_dot*sin(gon.angle + 2*pi*{{i}}/n)", friction: 0.3, restitution: 0.5, repeat: {{count: n, as: i}}}}
run: {{until: 1, theory: poisson, sample: 1}}
)yaml",
                     corners);
}

/// Disks that bounce beside each other for a second, each at a time of its own: one event per disk, and every event is an
/// end of the step of all of them.
std::string disks(int count) {
  return fmt::format(R"yaml(clack: 1
parameters: {{n: {}}}
gravity: [0, -9.81]
bodies:
  "d{{i}}": {{mass: 1, inertia: 0.02, position: ["3*{{i}}", "1 + 0.01*{{i}}"], shape: {{disk: {{radius: 0.2}}}}, repeat: {{count: n, as: i}}}}
  floor: {{fixed: true, shape: {{half-plane: {{normal: [0, 1]}}}}}}
contacts:
  "c{{i}}": {{between: ["d{{i}}", floor], friction: 0.3, restitution: 0.8, repeat: {{count: n, as: i}}}}
run: {{until: 1, theory: poisson, sample: 0.1, tolerance: 1e-9}}
)yaml",
                     count);
}

struct Timing {
  double seconds = 0.0;
  long steps = 0;
};

/// The run alone, without reading the model.
Timing time_of(const std::string& yaml) {
  const clack::Model model = clack::load_model_text(yaml, "bench.yaml");
  Timing best{1e300, 0};
  for (int batch = 0; batch < 3; ++batch) {
    clack::Run run(model);
    const double begin = processor_seconds();
    run.advance_to_end();
    best = {std::min(best.seconds, processor_seconds() - begin), run.trace().counts.steps};
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("spheres far apart    pairs   us per step   against half as many\n");
  double before = 0.0;
  for (const int count : {5, 10, 20, 40, 80}) {
    const Timing timing = time_of(spheres(count));
    const double step = 1e6 * timing.seconds / static_cast<double>(timing.steps);
    fmt::print("{:17}  {:7}  {:12.1f}   {}\n", count, count * (count - 1) / 2, step,
               before > 0.0 ? fmt::format("{:.2f}", step / before) : "");
    before = step;
  }
  fmt::print("\npolygon by formulas   corners    ms per run   against half as many\n");
  before = 0.0;
  for (const int corners : {125, 250, 500, 1000}) {
    const double run = 1e3 * time_of(polygon(corners)).seconds;
    fmt::print("{:29}  {:12.1f}   {}\n", corners, run,
               before > 0.0 ? fmt::format("{:.2f}", run / before) : "");
    before = run;
  }
  fmt::print("\nbouncing disks                   ms per run   against half as many\n");
  before = 0.0;
  for (const int count : {25, 50, 100, 200}) {
    const double run = 1e3 * time_of(disks(count)).seconds;
    fmt::print("{:29}  {:12.1f}   {}\n", count, run,
               before > 0.0 ? fmt::format("{:.2f}", run / before) : "");
    before = run;
  }
}
