// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/contact/delassus.hpp"
#include "clack/impact/body_impacts.hpp"
#include "clack/impact/spatial_event.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::add_point;
using testing::material;
using testing::RandomSystem;
using testing::spatial_body;

/// The event of all contacts of one body, as the chain makes it.
SpatialEvent event_of_all(const ImpactProblem& p) {
  const int c = p.contacts();
  const Delassus delassus = make_delassus(p, 0.0);
  const VectorXd motion = free_velocity(delassus, p).contact;
  SpatialEvent event;
  event.beta.resize(3 * c, 3 * c);
  event.theta.resize(3 * c);
  event.static_friction.resize(c);
  event.dynamic_friction.resize(c);
  const auto row = [c](int r) { return r % 3 == 2 ? r / 3 : c + 2 * (r / 3) + r % 3; };
  for (int r = 0; r < 3 * c; ++r) {
    event.theta[r] = motion[row(r)];
    for (int s = 0; s < 3 * c; ++s) event.beta(r, s) = delassus.matrix(row(r), row(s));
  }
  for (int i = 0; i < c; ++i) {
    event.static_friction[i] = p.materials[i].static_friction;
    event.dynamic_friction[i] = p.materials[i].dynamic_friction;
    event.points.push_back(*p.geometry[i].point);
    event.names.push_back(p.names[i]);
    Eigen::Matrix3d& frame = event.frames.emplace_back();
    frame << p.geometry[i].tangents[0].transpose(), p.geometry[i].tangents[1].transpose(),
        p.geometry[i].normal->transpose();
  }
  event.restitution = p.materials[0].restitution;
  event.speed = motion.lpNorm<Eigen::Infinity>();
  return event;
}

/// |e.d| of all pairs, least: 0 is slip across the line of a pair, where the star's ratio is 0/0.
double least_along(const SpatialEvent& event, const VectorXd& theta) {
  double least = 1.0;
  for (int i = 0; i < event.members(); ++i)
    for (int j = 0; j < event.members(); ++j) {
      if (i == j) continue;
      const Vector3d slip =
          event.frames[i].topRows<2>().transpose() * theta.segment<2>(3 * i).normalized();
      least = std::min(least, std::abs(slip.dot((event.points[i] - event.points[j]).normalized())));
    }
  return least;
}

/// The regular form of the plane, and how near its slips come to the normals of the pairs' lines.
struct PlaneAnswer {
  SpatialAnswer answer;
  double least_along = 1.0;
};
PlaneAnswer plane_answer(const SpatialEvent& event) {
  PlaneAnswer out;
  out.least_along = least_along(event, event.theta);
  const SpatialRecord record = [&](const VectorXd& impulse, double, double, const auto&) {
    out.least_along =
        std::min(out.least_along, least_along(event, event.theta + event.beta * impulse));
  };
  SpatialMarch plane(event, record);
  march_coplanar(event, plane, out.answer);
  return out;
}

// Points of one plane tied by the star give the plane's closed form whatever the hub; friction may
// differ from point to point. Where a slip crosses the normal of a pair's line the ratio of the star
// is 0/0, which is why the plane has a form of its own: only impacts whose slips stay clear of these
// all the way are compared, and of these every star must end. 5e-13: both are integrated to 2e-13 per step.
TEST(SpatialEnergeticCoplanar, TheGeneralFormIsTheSameForEveryHub) {
  RandomSystem random(17);
  const SpatialRecord silent;
  double worst = 0.0;
  int compared = 0, three = 0, five = 0;
  for (int k = 0; k < 600; ++k) {
    ImpactProblem p =
        spatial_body(2.0, Vector3d(0.3, 0.4, 0.5).asDiagonal().toDenseMatrix(),
                     {random.uniform(0.5, 1), random.uniform(0.5, 1), -1}, 0.3 * random.vector(3));
    for (int i = 0; i < 3 + k % 3; ++i) {
      const double mu = random.uniform(0.1, 0.3);
      add_point(p, Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), -0.4), Vector3d(0, 0, 1),
                material(0.6, mu, 1.2 * mu), random.uniform(0, 6));
    }
    SpatialEvent event = event_of_all(p);
    const PlaneAnswer plane = plane_answer(event);
    if (plane.answer.end != EventEnd::ended || plane.least_along < 0.1) continue;
    const VectorXd& expected = plane.answer.impulse;
    for (event.hub = 0; event.hub < event.members(); ++event.hub) {
      SpatialMarch star(event, silent);
      SpatialAnswer answer;
      march_star(event, star, answer);
      ASSERT_EQ(answer.end, EventEnd::ended)
          << k << " hub " << event.hub << " " << plane.least_along
          << (answer.notes.empty() ? "" : answer.notes[0]);
      const double miss = (answer.impulse - expected).lpNorm<Eigen::Infinity>() /
                          expected.lpNorm<Eigen::Infinity>();
      if (!(miss <= worst)) worst = miss;
      ++compared;
      three += event.members() == 3 ? 1 : 0;
      five += event.members() == 5 ? 1 : 0;
    }
  }
  std::cout << compared << " stars against the plane's form, " << three << " of three points, "
            << five << " of five: worst difference " << worst << "\n";
  EXPECT_LE(worst, 5e-13);
  EXPECT_GT(three, 60);
  EXPECT_GT(five, 5);
}

}  // namespace
}  // namespace clack
