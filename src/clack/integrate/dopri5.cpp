// SPDX-License-Identifier: Apache-2.0
// Hot loops: worth the compiler's effort.
#pragma GCC optimize("O3")
#include "clack/integrate/dopri5_tableau.hpp"
#include "clack/integrate/embedded_pair.hpp"
#include "clack/integrate/methods.hpp"

namespace clack {
namespace {

/// Dormand-Prince 5(4) (Hairer, Nørsett, Wanner I, sections II.5 and II.6): 6 evaluations per step,
/// the last of which is the first of the next step; dense output without further evaluations.
struct Dopri5 {
  using T = Dopri5Tableau;
  static constexpr std::string_view name = "dopri5";
  static constexpr int end_rate = 6;
  static constexpr int before = T::stages, after = before + 1, stage = before + 2;
  static constexpr int dense_row = before + 3, dense_rows = 5;
  static constexpr int attempt_evaluations = 6;
  static constexpr bool attempt_ends_with_rate = true;
  static constexpr StepControlNumbers control = {.order = 5.0, .memory = 0.04};

  /// State at stage S: y + h Σ a_Sj k_j.
  template <int S>
  static void stage_state(const StageStore& store, double h, Lanes* out) {
    const Lanes *k = store.lanes(0), *y = store.lanes(before);
    const int pairs = store.pairs();
    for (int i = 0; i < pairs; ++i) out[i] = y[i] + h * weighted<T::a[S], S>(k + i, pairs);
  }

  static double attempt(StageStore& store, RightHandSide f, const IntegratorOptions& tolerance,
                        double t, double h, double t_new) {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      ((stage_state<S + 1>(store, h, store.lanes(stage)),
        f(S + 1 == 5 ? t_new : t + T::c[S + 1] * h, store.row(stage), store.row(S + 1))),
       ...);
    }
    (std::make_index_sequence<5>{});
    stage_state<6>(store, h, store.lanes(after));
    f(t_new, store.row(after), store.row(end_rate));
    return error(store, tolerance, h);
  }

  /// Root mean square of the difference to the embedded method of order 4 over the scale.
  static double error(const StageStore& store, const IntegratorOptions& tolerance, double h) {
    const Lanes *k = store.lanes(0), *y = store.lanes(before), *y_new = store.lanes(after);
    const int pairs = store.pairs();
    Lanes sum = {0.0, 0.0};
    for (int i = 0; i < pairs; ++i) {
      const Lanes scale = tolerance.absolute_tolerance +
                          tolerance.relative_tolerance * larger(absolute(y[i]), absolute(y_new[i]));
      const Lanes e = h * weighted<T::error, 7>(k + i, pairs) / scale;
      sum += e * e;
    }
    return std::sqrt((sum[0] + sum[1]) / store.dimension());
  }

  static int prepare_dense(StageStore& store, RightHandSide, double, double h) {
    const Lanes *k = store.lanes(0), *y = store.lanes(before), *y_new = store.lanes(after);
    const int pairs = store.pairs();
    Lanes* r = store.lanes(dense_row);
    for (int i = 0; i < pairs; ++i) {
      const Lanes change = y_new[i] - y[i];
      const Lanes start = h * k[i] - change;
      r[i] = y[i];
      r[i + pairs] = change;
      r[i + 2 * pairs] = start;
      r[i + 3 * pairs] = change - h * k[i + end_rate * pairs] - start;
      r[i + 4 * pairs] = h * weighted<T::d, 7>(k + i, pairs);
    }
    return 0;
  }

  /// The polynomial of degree 4 in theta, nested in theta and 1 - theta.
  static void interpolate(const StageStore& store, double theta, double* y) {
    const double* r = store.row(dense_row);
    const std::ptrdiff_t n = 2 * store.pairs();
    const double rest = 1.0 - theta;
    for (int i = 0; i < store.dimension(); ++i)
      y[i] = r[i] + theta * (r[i + n] +
                             rest * (r[i + 2 * n] + theta * (r[i + 3 * n] + rest * r[i + 4 * n])));
  }
};

}  // namespace

std::unique_ptr<Integrator> make_dopri5(const IntegratorOptions& options) {
  return std::make_unique<EmbeddedPair<Dopri5>>(options);
}

}  // namespace clack
