// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/siconos_impact.hpp"

#include <SiconosKernel.hpp>
#include <ctime>

namespace clack::peers {
namespace {

/// Free balls on a line, one coordinate each; the first is `gap` away from the others, which touch.
std::vector<SP::LagrangianDS> insert_balls(NonSmoothDynamicalSystem& system, double gap) {
  std::vector<SP::LagrangianDS> balls;
  for (int i = 0; i < 3; ++i) {
    auto q = std::make_shared<SiconosVector>(1), v = std::make_shared<SiconosVector>(1);
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    (*q)(0) = i == 0 ? -gap : 0.0;
    (*v)(0) = i == 0 ? 1.0 : 0.0;
    (*mass)(0, 0) = 1.0;
    balls.push_back(std::make_shared<LagrangianLinearTIDS>(q, v, mass));
    system.insertDynamicalSystem(balls.back());
  }
  return balls;
}

void link(NonSmoothDynamicalSystem& system, const SP::LagrangianDS& a, const SP::LagrangianDS& b) {
  auto row = std::make_shared<SimpleMatrix>(1, 2);
  (*row)(0, 0) = -1.0;
  (*row)(0, 1) = 1.0;
  auto offset = std::make_shared<SiconosVector>(1);
  (*offset)(0) = 0.0;
  constexpr double restitution = 1.0, stiffness = 1.0, exponent = 1.5;
  system.link(std::make_shared<Interaction>(
                  std::make_shared<MultipleImpactNSL>(restitution, stiffness, exponent, 1),
                  std::make_shared<LagrangianLinearTIR>(row, offset)),
              a, b);
}

}  // namespace

SiconosImpact siconos_three_balls(double step) {
  constexpr double end = 0.1, event_step = 1e-3, gap = 1e-3;
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
  const auto balls = insert_balls(*system, gap);
  for (int i = 0; i < 2; ++i) link(*system, balls[i], balls[i + 1]);
  auto law = std::make_shared<MultipleImpact>("BiStiffness", step);
  law->SetNstepMax(10'000'000);
  auto run =
      std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0.0, event_step));
  run->insertIntegrator(std::make_shared<LsodarOSI>());
  run->insertNonSmoothProblem(law, SICONOS_OSNSP_ED_IMPACT);
  run->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  run->initialize();
  SiconosImpact out;
  for (int events = 0; events < 20 && out.velocity[2] < 0.5; ++events) {
    run->advanceToEvent();
    const std::clock_t begin = std::clock();
    run->processEvents();
    out.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    for (int i = 0; i < 3; ++i) out.velocity[i] = (*balls[i]->velocity())(0);
  }
  return out;
}

}  // namespace clack::peers
