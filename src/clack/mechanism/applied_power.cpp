// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/applied_power.hpp"

#include <cmath>
#include <random>

#include "clack/mechanism/tolerances.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

bool power_vanishes(const Model& model, const MotionSymbols& motion, const Equations& equations) {
  const std::size_t n = model.speeds.size();
  const Expression potential_rate = motion.rate(equations.potential);
  std::vector<Expression> outputs{equations.applied_power, potential_rate};
  for (std::size_t j = 0; j < n; ++j) outputs.push_back(motion.speed(j) * equations.force[j]);
  const symbolic::Program program(motion.inputs(), outputs, symbolic::Backend::tape);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  std::vector<double> in(motion.inputs().size()), out(outputs.size());
  for (int trial = 0; trial < 8; ++trial) {
    in[0] = trial == 0 ? 0.0 : part(random);
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const double start = model.coordinates[i].start;
      in[1 + i] = start + 0.3 * part(random) * std::max(std::abs(start), 0.1);
    }
    for (std::size_t j = 0; j < n; ++j) in[1 + model.coordinates.size() + j] = part(random);
    program(in.data(), out.data());
    double scale = 0.0;
    for (std::size_t k = 1; k < out.size(); ++k) scale += std::abs(out[k]);
    if (!(std::abs(out[0]) <= mechanism_tolerances.no_power * scale)) return false;
  }
  return true;
}

}  // namespace clack
