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
  static constexpr StepControlNumbers control = {.error_exponent = 1.0 / 8.0};

  /// Stage S: k_S = f(t + c_S h, y + h Σ a_Sj k_j).
  template <int S>
  static void evaluate_stage(StageStore& store, RightHandSide f, double t, double h) {
    const double *k = store.row(0), *y = store.row(before);
    const std::ptrdiff_t stride = store.padded();
    double* out = store.row(stage);
    for_components(store.padded(),
                   [=](int i) { out[i] = y[i] + h * weighted<T::a[S], S>(k + i, stride); });
    f(t + T::c[S] * h, out, store.row(S));
  }

  static double attempt(StageStore& store, RightHandSide f, const IntegratorOptions& tolerance,
                        double t, double h, double t_new) {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      (evaluate_stage<S + 1>(store, f, t, h), ...);
    }
    (std::make_index_sequence<10>{});
    // The last stage is at the end of the step, whatever rounding t + h suffers.
    const double *k = store.row(0), *y = store.row(before);
    const std::ptrdiff_t stride = store.padded();
    double *out = store.row(stage), *y_new = store.row(after);
    for_components(store.padded(),
                   [=](int i) { out[i] = y[i] + h * weighted<T::a[11], 11>(k + i, stride); });
    f(t_new, out, store.row(11));
    for_components(store.padded(),
                   [=](int i) { y_new[i] = y[i] + h * weighted<T::b, 12>(k + i, stride); });
    return error(store, tolerance, h);
  }

  /// error = h |e5|² / sqrt(n (|e5|² + |e3|²/100)), in units of the tolerance (section II.10).
  static double error(const StageStore& store, const IntegratorOptions& tolerance, double h) {
    const double *k = store.row(0), *y = store.row(before), *y_new = store.row(after);
    const std::ptrdiff_t stride = store.padded();
    double fifth = 0.0, third = 0.0;
    for (int i = 0; i < store.dimension(); ++i) {
      const double inverse =
          1.0 / (tolerance.absolute_tolerance +
                 tolerance.relative_tolerance * std::max(std::abs(y[i]), std::abs(y_new[i])));
      const double e5 = weighted<T::error5, 12>(k + i, stride) * inverse;
      const double e3 = weighted<third_error, 12>(k + i, stride) * inverse;
      fifth += e5 * e5;
      third += e3 * e3;
    }
    const double both = fifth + 0.01 * third;
    if (both == 0.0) return 0.0;
    return h * fifth / std::sqrt(store.dimension() * both);
  }

  static int prepare_dense(StageStore& store, RightHandSide f, double t, double h) {
    evaluate_stage<13>(store, f, t, h);
    evaluate_stage<14>(store, f, t, h);
    evaluate_stage<15>(store, f, t, h);
    const double *k = store.row(0), *y = store.row(before), *y_new = store.row(after);
    const std::ptrdiff_t stride = store.padded();
    double* r = store.row(dense_row);
    for_components(store.padded(), [=](int i) {
      const double change = y_new[i] - y[i];
      const double start = h * k[i] - change;
      r[i] = y[i];
      r[i + stride] = change;
      r[i + 2 * stride] = start;
      r[i + 3 * stride] = change - h * k[i + end_rate * stride] - start;
      r[i + 4 * stride] = h * weighted<T::d[0], 16>(k + i, stride);
      r[i + 5 * stride] = h * weighted<T::d[1], 16>(k + i, stride);
      r[i + 6 * stride] = h * weighted<T::d[2], 16>(k + i, stride);
      r[i + 7 * stride] = h * weighted<T::d[3], 16>(k + i, stride);
    });
    return 3;
  }

  /// The polynomial of degree 7 in theta, nested in theta and 1 - theta.
  static void interpolate(const StageStore& store, double theta, double* y) {
    const double* r = store.row(dense_row);
    const std::ptrdiff_t n = store.padded();
    const double rest = 1.0 - theta;
    for (int i = 0; i < store.dimension(); ++i) {
      const double high =
          r[i + 4 * n] + theta * (r[i + 5 * n] + rest * (r[i + 6 * n] + theta * r[i + 7 * n]));
      y[i] =
          r[i] + theta * (r[i + n] + rest * (r[i + 2 * n] + theta * (r[i + 3 * n] + rest * high)));
    }
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
