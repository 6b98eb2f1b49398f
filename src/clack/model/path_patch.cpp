// SPDX-License-Identifier: Apache-2.0
#include "clack/model/path_patch.hpp"

#include "clack/symbolic/program.hpp"

namespace clack {

using symbolic::derivative;
using symbolic::Expression;

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
