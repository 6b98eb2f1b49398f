// SPDX-License-Identifier: Apache-2.0
// A model built in code: a ball that falls on a floor, and one with a mistake in it.
#include <clack/clack.hpp>
#include <cstdio>

using clack::List;
using clack::Map;

int main() {
  Map ball{{"mass", 1.0},
           {"inertia", 0.1},
           {"position", List{0.0, "height"}},
           {"shape", Map{{"disk", Map{{"radius", 0.1}}}}}};
  Map floor{{"fixed", true}, {"shape", Map{{"half-plane", Map{{"normal", List{0, 1}}}}}}};
  Map contact{{"between", List{"ball", "floor"}}, {"restitution", 0.5}};
  Map model{{"clack", 1},
            {"parameters", Map{{"height", 1.1}}},
            {"gravity", List{0, -9.81}},
            {"bodies", Map{{"ball", ball}, {"floor", floor}}},
            {"contacts", Map{{"floor", contact}}},
            {"run", Map{{"until", 1.0}}}};
  const clack::Trace trace = clack::run(clack::build_model(model, "bouncing ball"));
  std::printf("first impact at %.9f s, up again with %.6f m/s\n", trace.impacts[0].t,
              trace.impacts[0].v_after[1]);

  contact["restitution"] = 1.4;
  model["contacts"] = Map{{"floor", contact}};
  try {
    clack::build_model(model);
  } catch (const clack::ModelError& error) {
    std::printf("error: %s (%s)\nhelp: %s\n", error.what(), error.where().c_str(),
                error.remedy().c_str());
  }
}
