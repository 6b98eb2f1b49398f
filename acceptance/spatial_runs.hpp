// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs of models in space, asked by names of bodies and contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack::acceptance::spatial {

using Eigen::Vector3d;

inline const std::string models = CLACK_SOURCE_DIR "/models/";

struct Ran {
  Model model;
  Trace trace;
  explicit Ran(Model read) : model(std::move(read)), trace(clack::run(model)) {}
  Ran(const std::string& file, const std::vector<Override>& set = {})
      : Ran(read_model(models + file, set)) {}

  std::size_t speed(const std::string& name) const {
    for (std::size_t i = 0; i < model.speeds.size(); ++i)
      if (model.speeds[i].name == name) return i;
    throw std::out_of_range(name);
  }
  double q(const std::string& name) const {
    for (std::size_t i = 0; i < model.coordinates.size(); ++i)
      if (model.coordinates[i].name == name) return trace.final_q[i];
    throw std::out_of_range(name);
  }
  double v(const std::string& name) const { return trace.final_v[speed(name)]; }
  Vector3d after(const TraceImpact& impact, const std::string& body,
                 const std::string& kind) const {
    const std::size_t at = speed(body + "." + kind + "x");
    return {impact.v_after[at], impact.v_after[at + 1], impact.v_after[at + 2]};
  }
  std::vector<double> times(EventKind kind) const {
    std::vector<double> result;
    for (const TraceEvent& event : trace.events)
      if (event.kind == kind) result.push_back(event.t);
    return result;
  }
  int contact(const std::string& name) const {
    for (const SourceIndex i : indices(model.contacts))
      if (model.contacts[i].name == name) return i.value;
    throw std::out_of_range(name);
  }
  double normal_impulse(const TraceImpact& impact, const std::string& name) const {
    for (std::size_t k = 0; k < impact.contacts.size(); ++k)
      if (impact.contacts[k] == contact(name)) return impact.normal_impulse[k];
    return 0.0;
  }
  double tangent_impulse(const TraceImpact& impact, const std::string& name) const {
    for (std::size_t k = 0; k < impact.contacts.size(); ++k)
      if (impact.contacts[k] == contact(name))
        return std::hypot(impact.tangent_impulse[k][0], impact.tangent_impulse[k][1]);
    return 0.0;
  }
};

inline void expect_vector(const Vector3d& value, const Vector3d& expected, double tolerance) {
  EXPECT_LE((value - expected).cwiseAbs().maxCoeff(), tolerance)
      << value.transpose() << " instead of " << expected.transpose();
}

}  // namespace clack::acceptance::spatial
