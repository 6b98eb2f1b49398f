// SPDX-License-Identifier: Apache-2.0
// Hot loops: worth the compiler's effort.
#pragma GCC optimize("O3")
#include "clack/integrate/dop853_tableau.hpp"
#include "clack/integrate/embedded_pair.hpp"
#include "clack/integrate/methods.hpp"

namespace clack {
namespace {

/// DOP853 (Hairer, Nørsett, Wanner I, section II.10): 12 evaluations per accepted step, 3 more for
/// the dense output when it is used.
struct Dop853 {
  using T = Dop853Tableau;
  static constexpr std::string_view name = "dop853";
  static constexpr int end_rate = 12;
  static constexpr int before = T::all_stages, after = before + 1, stage = before + 2;
  static constexpr int dense_row = before + 3, dense_rows = 8;
  static constexpr int attempt_evaluations = 11;
  static constexpr bool attempt_ends_with_rate = false;
  static constexpr StepControlNumbers control = {.order = 8.0};

  /// Stage S: k_S = f(t + c_S h, y + h Σ a_Sj k_j).
  template <int S>
  static void evaluate_stage(StageStore& store, RightHandSide f, double t_stage, double h) {
    const Lanes *k = store.lanes(0), *y = store.lanes(before);
    Lanes* out = store.lanes(stage);
    const int pairs = store.pairs();
    for (int i = 0; i < pairs; ++i) out[i] = y[i] + h * weighted<T::a[S], S>(k + i, pairs);
    f(t_stage, store.row(stage), store.row(S));
  }

  static double attempt(StageStore& store, RightHandSide f, const IntegratorOptions& tolerance,
                        double t, double h, double t_new) {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      (evaluate_stage<S + 1>(store, f, t + T::c[S + 1] * h, h), ...);
    }
    (std::make_index_sequence<10>{});
    evaluate_stage<11>(store, f, t_new, h);
    return finish(store, tolerance, h);
  }

  /// New state and its error, in units of the tolerance,
  ///
  ///   error = h |e5|² / sqrt(n (|e5|² + |e3|²/100))                               (section II.10),
  ///
  /// where e5 and e3 are the differences to the embedded methods of order 5 and 3 over the scale.
  static double finish(StageStore& store, const IntegratorOptions& tolerance, double h) {
    const Lanes *k = store.lanes(0), *y = store.lanes(before);
    Lanes* y_new = store.lanes(after);
    const int pairs = store.pairs();
    Lanes fifth = {0.0, 0.0}, third = {0.0, 0.0};
    for (int i = 0; i < pairs; ++i) {
      const Lanes state = y[i] + h * weighted<T::b, 12>(k + i, pairs);
      y_new[i] = state;
      const Lanes inverse =
          1.0 / (tolerance.absolute_tolerance +
                 tolerance.relative_tolerance * larger(absolute(y[i]), absolute(state)));
      const Lanes e5 = inverse * weighted<T::error5, 12>(k + i, pairs);
      const Lanes e3 = inverse * weighted<third_error, 12>(k + i, pairs);
      fifth += e5 * e5;
      third += e3 * e3;
    }
    const double both = fifth[0] + fifth[1] + 0.01 * (third[0] + third[1]);
    if (both == 0.0) return 0.0;
    return h * (fifth[0] + fifth[1]) / std::sqrt(store.dimension() * both);
  }

  static int prepare_dense(StageStore& store, RightHandSide f, double t, double h) {
    evaluate_stage<13>(store, f, t + T::c[13] * h, h);
    evaluate_stage<14>(store, f, t + T::c[14] * h, h);
    evaluate_stage<15>(store, f, t + T::c[15] * h, h);
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
      r[i + 4 * pairs] = h * weighted<T::d[0], 16>(k + i, pairs);
      r[i + 5 * pairs] = h * weighted<T::d[1], 16>(k + i, pairs);
      r[i + 6 * pairs] = h * weighted<T::d[2], 16>(k + i, pairs);
      r[i + 7 * pairs] = h * weighted<T::d[3], 16>(k + i, pairs);
    }
    return 3;
  }

  /// The polynomial of degree 7 in theta, nested in theta and 1 - theta.
  static void interpolate(const StageStore& store, double theta, double* y) {
    const Lanes* r = store.lanes(dense_row);
    const std::ptrdiff_t n = store.pairs();
    const double rest = 1.0 - theta;
    const auto at = [&](std::ptrdiff_t i) {
      const Lanes high =
          r[i + 4 * n] + theta * (r[i + 5 * n] + rest * (r[i + 6 * n] + theta * r[i + 7 * n]));
      return r[i] +
             theta * (r[i + n] + rest * (r[i + 2 * n] + theta * (r[i + 3 * n] + rest * high)));
    };
    const std::ptrdiff_t whole = store.dimension() / 2;
    for (std::ptrdiff_t i = 0; i < whole; ++i) *reinterpret_cast<LooseLanes*>(y + 2 * i) = at(i);
    if (store.dimension() % 2 == 1) y[2 * whole] = at(whole)[0];
  }

 private:
  static constexpr std::array<double, 12> third_error = [] {
    std::array<double, 12> e{};
    for (int j = 0; j < 12; ++j) e[j] = T::b[j] - T::b3[j];
    return e;
  }();
};

}  // namespace

std::unique_ptr<Integrator> make_dop853(const IntegratorOptions& options) {
  return std::make_unique<EmbeddedPair<Dop853>>(options);
}

}  // namespace clack
