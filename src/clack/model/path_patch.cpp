// SPDX-License-Identifier: Apache-2.0
#include "clack/model/path_patch.hpp"

#include <algorithm>

#include "clack/index.hpp"
#include "clack/model/tolerances.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

using symbolic::derivative;
using symbolic::Expression;

namespace {

bool has_same_frame(const Path& a, const Path& b) {
  const auto is_same_step = [](const RotationStep& x, const RotationStep& y) {
    const Turn *first = std::get_if<Turn>(&x), *second = std::get_if<Turn>(&y);
    return first && second && first->axis == second->axis && first->angle == second->angle;
  };
  return a.position == b.position && a.angle == b.angle &&
         std::ranges::equal(a.rotation, b.rotation, is_same_step);
}

/// Three points of a border of a surface, or the point at an end of a curve, with the tangent or normal there.
struct Border {
  std::array<Eigen::Vector3d, 3> at;
  Eigen::Vector3d direction;
};

/// Of curves: the begin and the end.
std::vector<Border> borders_of(const Path& path, const Patch& patch) {
  std::vector<Border> borders;
  for (int fixed = 0; fixed < path.parameters; ++fixed)
    for (const double end : {path.from[fixed], path.to[fixed]}) {
      Border& border = borders.emplace_back();
      for (int k = 0; k < 3; ++k) {
        const int along = 1 - fixed;
        std::array<double, 2> s{};
        s[fixed] = end;
        if (path.parameters == 2)
          s[along] = path.from[along] + 0.5 * k * (path.to[along] - path.from[along]);
        const PatchPoint point = patch.point(s.data());
        border.at[k] = point.at;
        if (k == 1)
          border.direction =
              path.parameters == 1 ? point.first[0] : point.first[0].cross(point.first[1]);
      }
    }
  return borders;
}

bool meets(const Border& a, const Border& b, double close) {
  const auto is_close = [&](int i, int j) { return (a.at[i] - b.at[j]).norm() <= close; };
  return is_close(1, 1) &&
         ((is_close(0, 0) && is_close(2, 2)) || (is_close(0, 2) && is_close(2, 0)));
}

bool goes_on(const Path& path, const Path& other) {
  if (path.parameters != other.parameters || !has_same_frame(path, other)) return false;
  const Patch patch = patch_of(path), next = patch_of(other);
  const double close = reader_tolerances.same_distance * std::max(patch.size(), next.size());
  const std::vector<Border> mine = borders_of(path, patch), theirs = borders_of(other, next);
  if (path.parameters == 1)
    return meets(mine[1], theirs[0], close) || meets(mine[0], theirs[1], close);
  return std::ranges::any_of(mine, [&](const Border& a) {
    return std::ranges::any_of(theirs, [&](const Border& b) {
      return meets(a, b, close) && a.direction.dot(b.direction) > 0.0;
    });
  });
}

}  // namespace

std::vector<int> paths_beyond(const std::vector<Path>& paths, int path) {
  std::vector<int> pieces{path};
  for (std::size_t k = 0; k < pieces.size(); ++k)
    for (int p = 0; p < number_of(paths); ++p)
      if (std::ranges::count(pieces, p) == 0 && goes_on(paths[pieces[k]], paths[p]))
        pieces.push_back(p);
  pieces.erase(pieces.begin());
  return pieces;
}

Patch patch_of(const Path& path) {
  const int n = path.parameters;
  const std::vector<Expression> inputs(path.symbols.begin(), path.symbols.begin() + n);
  std::vector<Expression> outputs;  // S, S_1, (S_2,) S_11, (S_12, S_22)
  const auto add = [&](const auto& change) {
    for (const Expression& p : path.point) outputs.push_back(change(p));
  };
  add([](Expression p) { return p; });
  for (int i = 0; i < n; ++i) add([&](Expression p) { return derivative(p, inputs[i]); });
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      add([&](Expression p) { return derivative(derivative(p, inputs[i]), inputs[j]); });
  const symbolic::Program program(inputs, outputs);
  return Patch(n, path.from, path.to,
               [program, n, values = std::vector<double>(outputs.size())](
                   const double* s, PatchPoint& point) mutable {
                 program(s, values.data());
                 const double* from = values.data();
                 const auto next = [&](Eigen::Vector3d& v) {
                   v = Eigen::Vector3d(from[0], from[1], from[2]);
                   from += 3;
                 };
                 next(point.at);
                 for (int i = 0; i < n; ++i) next(point.first[i]);
                 for (int i = 0; i < 2 * n - 1; ++i) next(point.second[i]);
               });
}

}  // namespace clack
