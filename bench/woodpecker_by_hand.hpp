// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>
#include <utility>

#include "clack/integrate/dop853_tableau.hpp"

/// The yardstick: a program for the three-degree-of-freedom woodpecker and nothing else. Fixed
/// sizes, the inverse mass matrix and all mobilities computed beforehand (a mode is one product with a
/// constant matrix), one contact at a time, DOP853 unrolled over three pairs of components that stay in
/// registers, roots by regula falsi on the native dense output. What a specialist would write who
/// never needs another mechanism.
namespace by_hand {

using Pair = double __attribute__((vector_size(16)));

/// y, phi_M, phi_S and their rates.
struct Vector {
  std::array<Pair, 3> pairs{};
  double operator[](std::size_t i) const { return pairs[i / 2][i % 2]; }
  void add(std::size_t i, double x) { pairs[i / 2][i % 2] += x; }
  void add(double weight, const Vector& other) {
    for (std::size_t p = 0; p < 3; ++p) pairs[p] += weight * other.pairs[p];
  }
};

struct Contact {
  double offset, slope;  // gap = offset + slope * angle
  int angle;             // which coordinate
  std::array<double, 3> normal, tangent;
  double restitution;
};

class Woodpecker {
 public:
  struct Counts {
    long events = 0, steps = 0, evaluations = 0;
  };

  Woodpecker() {
    const double m_M = 0.0003, J_M = 5e-9, m_S = 0.0045, J_S = 7e-7, l_M = 0.010, l_G = 0.015,
                 r_0 = 0.0025, r_M = 0.0031, h_M = 0.0058, h_S = 0.020, l_S = 0.0201, c = 0.0056,
                 g = 9.81;
    spring_ = c;
    weight_ = {-(m_S + m_M) * g, -m_S * g * l_M, -m_S * g * l_G};
    contacts_ = {Contact{l_M + l_G - l_S - r_0, -h_S, 2, {0, 0, -h_S}, {1, l_M, l_G - l_S}, 0.5},
                 Contact{r_M - r_0, h_M, 1, {0, h_M, 0}, {1, r_M, 0}, 0.0},
                 Contact{r_M - r_0, -h_M, 1, {0, -h_M, 0}, {1, r_M, 0}, 0.0}};
    invert({{{m_S + m_M, m_S * l_M, m_S * l_G},
             {m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G},
             {m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G}}});
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& k = contacts_[i];
      to_normal_[i] = times(k.normal);
      to_tangent_[i] = times(k.tangent);
      nn_[i] = dot(k.normal, to_normal_[i]);
      nt_[i] = dot(k.normal, to_tangent_[i]);
      tt_[i] = dot(k.tangent, to_tangent_[i]);
    }
    y_ = {Pair{0.0, -(r_M - r_0) / h_M}, Pair{-0.2788, -0.3411}, Pair{0.0, -7.4583}};
    close(1, -1.0);
  }

  /// Simulates until `t_end`; returns the fall.
  double run(double t_end, double tolerance) {
    tolerance_ = tolerance;
    double h = 1e-4;
    k_[0] = rate(y_);
    while (t_ < t_end) {
      h = std::min(h, t_end - t_);
      const double error = attempt(h);
      ++counts.steps;
      if (error > 1.0) {
        h *= std::max(0.3, 0.8 * std::pow(error, -0.125));
        continue;
      }
      k_[12] = rate(next_);
      double next_h = h;
      if (error < 0.04 || error > 0.5)
        next_h = h * std::min(6.0, 0.8 * std::pow(std::max(error, 1e-8), -0.125));
      if (!crosses(h)) {
        t_ += h;
        y_ = next_;
        k_[0] = k_[12];
        h = next_h;
        armed_ = true;
        continue;
      }
      const double theta = locate(h);
      y_ = dense(theta);
      t_ += theta * h;
      h = std::min(next_h, std::max(theta * h, 1e-7));
      event();
      ++counts.events;
      armed_ = false;
      k_[0] = rate(y_);
    }
    return -y_[0];
  }

  Counts counts;

 private:
  using T = clack::Dop853Tableau;
  using Three = std::array<double, 3>;

  static double dot(const Three& a, const Three& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  Three times(const Three& v) const {
    return {dot(inverse_[0], v), dot(inverse_[1], v), dot(inverse_[2], v)};
  }

  void invert(const std::array<Three, 3>& m) {
    const auto minor = [&](int r, int c) {
      const auto at = [&](int i, int j) { return m[(r + i) % 3][(c + j) % 3]; };
      return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
    };
    const double det = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) inverse_[r][c] = minor(c, r) / det;
  }

  /// Enters a mode: its accelerations and forces are affine in the torque of the spring, the only
  /// force that changes.
  void close(int contact, double sign, bool sticks = false) {
    closed_ = contact;
    sign_ = sign;
    sticks_ = sticks;
    const Three none = respond(weight_, normal_at_rest_, tangent_at_rest_);
    const Three pulled = respond({weight_[0], weight_[1] + 1.0, weight_[2] - 1.0},
                                 normal_per_torque_, tangent_per_torque_);
    at_rest_ = none;
    for (std::size_t j = 0; j < 3; ++j) per_torque_[j] = pulled[j] - none[j];
    normal_per_torque_ -= normal_at_rest_;
    tangent_per_torque_ -= tangent_at_rest_;
  }

  /// Accelerations under the force h in the current mode, with its contact forces.
  Three respond(const Three& h, double& normal, double& tangent) const {
    Three a = times(h);
    normal = tangent = 0.0;
    if (closed_ < 0) return a;
    const auto i = static_cast<std::size_t>(closed_);
    const double bn = dot(contacts_[i].normal, a);
    if (sticks_) {
      const double bt = dot(contacts_[i].tangent, a), det = nn_[i] * tt_[i] - nt_[i] * nt_[i];
      normal = (-tt_[i] * bn + nt_[i] * bt) / det;
      tangent = (nt_[i] * bn - nn_[i] * bt) / det;
    } else {
      normal = -bn / (nn_[i] - sign_ * mu_ * nt_[i]);
      tangent = -sign_ * mu_ * normal;
    }
    for (std::size_t j = 0; j < 3; ++j)
      a[j] += to_normal_[i][j] * normal + to_tangent_[i][j] * tangent;
    return a;
  }

  double torque(const Vector& y) const { return spring_ * (y[2] - y[1]); }
  double normal(const Vector& y) const { return normal_at_rest_ + normal_per_torque_ * torque(y); }
  double tangent(const Vector& y) const {
    return tangent_at_rest_ + tangent_per_torque_ * torque(y);
  }

  Vector rate(const Vector& y) {
    ++counts.evaluations;
    const double pull = torque(y);
    return {Pair{y[3], y[4]}, Pair{y[5], at_rest_[0] + per_torque_[0] * pull},
            Pair{at_rest_[1] + per_torque_[1] * pull, at_rest_[2] + per_torque_[2] * pull}};
  }

  /// Sum of the first `count` stages with the weights that differ from zero.
  template <const auto& weights, std::size_t count>
  Vector combine() const {
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      Vector sum;
      const auto add = [&]<std::size_t j>(std::integral_constant<std::size_t, j>) {
        if constexpr (weights[j] != 0.0) sum.add(weights[j], k_[j]);
      };
      (add(std::integral_constant<std::size_t, J>{}), ...);
      return sum;
    }
    (std::make_index_sequence<count>{});
  }

  template <int S>
  void stage(double h) {
    Vector y = y_;
    y.add(h, combine<T::a[S], S>());
    k_[S] = rate(y);
  }

  double attempt(double h) {
    stage<1>(h), stage<2>(h), stage<3>(h), stage<4>(h), stage<5>(h), stage<6>(h), stage<7>(h),
        stage<8>(h);
    stage<9>(h), stage<10>(h), stage<11>(h);
    const Vector step = combine<T::b, 12>(), e5 = combine<T::error5, 12>();
    Vector e3 = step;
    e3.add(-1.0, combine<T::b3, 12>());
    next_ = y_;
    next_.add(h, step);
    Pair fifth{}, third{};
    for (std::size_t p = 0; p < 3; ++p) {
      const Pair now = y_.pairs[p], then = next_.pairs[p], a = now < 0.0 ? -now : now,
                 b = then < 0.0 ? -then : then;
      const Pair scale = tolerance_ * (1.0 + (a > b ? a : b)), weight = 1.0 / (scale * scale);
      fifth += e5.pairs[p] * e5.pairs[p] * weight;
      third += e3.pairs[p] * e3.pairs[p] * weight;
    }
    const double five = fifth[0] + fifth[1], both = five + 0.01 * (third[0] + third[1]);
    return both > 0.0 ? h * five / std::sqrt(6.0 * both) : 0.0;
  }

  void prepare_dense(double h) {
    stage<13>(h), stage<14>(h), stage<15>(h);
    const std::array<Vector, 4> high{combine<T::d[0], 16>(), combine<T::d[1], 16>(),
                                     combine<T::d[2], 16>(), combine<T::d[3], 16>()};
    for (std::size_t p = 0; p < 3; ++p) {
      const Pair change = next_.pairs[p] - y_.pairs[p], start = h * k_[0].pairs[p] - change;
      dense_[0].pairs[p] = y_.pairs[p];
      dense_[1].pairs[p] = change;
      dense_[2].pairs[p] = start;
      dense_[3].pairs[p] = change - h * k_[12].pairs[p] - start;
      for (std::size_t r = 0; r < 4; ++r) dense_[4 + r].pairs[p] = h * high[r].pairs[p];
    }
  }

  Vector dense(double theta) const {
    Vector y;
    const double rest = 1.0 - theta;
    for (std::size_t p = 0; p < 3; ++p) {
      const auto d = [&](int r) { return dense_[r].pairs[p]; };
      const Pair high = d(4) + theta * (d(5) + rest * (d(6) + theta * d(7)));
      y.pairs[p] = d(0) + theta * (d(1) + rest * (d(2) + theta * (d(3) + rest * high)));
    }
    return y;
  }

  double gap(std::size_t i, const Vector& y) const {
    return contacts_[i].offset + contacts_[i].slope * y[contacts_[i].angle];
  }
  double slip(std::size_t i, const Vector& y) const {
    const auto& t = contacts_[i].tangent;
    return t[0] * y[3] + t[1] * y[4] + t[2] * y[5];
  }

  /// Guard `g` of the mode: 0..2 gaps, 3 normal force, 4 slip or stick reserve.
  double guard(int g, const Vector& y) {
    if (g < 3) return g == closed_ ? 1.0 : gap(static_cast<std::size_t>(g), y);
    if (closed_ < 0) return 1.0;
    if (g == 4 && !sticks_) return sign_ * slip(static_cast<std::size_t>(closed_), y);
    return g == 3 ? normal(y) : mu_ * normal(y) - std::abs(tangent(y));
  }

  bool crosses(double h) {
    for (int g = 0; g < 5; ++g) {
      if (guard(g, next_) > 0.0) continue;
      if (!armed_ && g < 3 && gap_rate(g, next_) > 0.0) continue;
      prepare_dense(h);
      return true;
    }
    return false;
  }
  double gap_rate(int g, const Vector& y) const {
    const auto& k = contacts_[g];
    return k.slope * y[k.angle + 3];
  }

  /// First root in the step, as a fraction of it; remembers which guard.
  double locate(double) {
    double first = 2.0;
    for (int g = 0; g < 5; ++g) {
      if (guard(g, next_) > 0.0) continue;
      double low = armed_ ? 0.0 : 1e-3, high = 1.0, f_low = guard(g, dense(low)),
             f_high = guard(g, next_);
      if (f_low <= 0.0) {  // just released: halve until it has left zero
        while (low > 1e-12 && (f_low = guard(g, dense(low))) <= 0.0) low *= 0.5;
      }
      for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
        double x = low + (high - low) * f_low / (f_low - f_high);
        if (i % 3 == 2) x = 0.5 * (low + high);
        const double f = guard(g, dense(x));
        if (f > 0.0)
          low = x, f_low = f;
        else
          high = x, f_high = f;
        if (f == 0.0) break;
      }
      if (high < first) first = high, fired_ = g;
    }
    return first;
  }

  void event() {
    if (fired_ < 3) {
      impact(static_cast<std::size_t>(fired_));
    } else if (fired_ == 3) {
      close(-1, sign_);
    } else if (!sticks_) {
      const double before = sign_;
      close(closed_, sign_, true);
      if (std::abs(tangent(y_)) > mu_ * normal(y_)) close(closed_, -before);
    } else {
      close(closed_, tangent(y_) > 0.0 ? -1.0 : 1.0);
    }
  }

  /// Poisson impact at one contact with friction, then the next mode.
  void impact(std::size_t i) {
    const double approach = gap_rate(i, y_), sliding = slip(i, y_);
    const double det = nn_[i] * tt_[i] - nt_[i] * nt_[i];
    double N = (-tt_[i] * approach + nt_[i] * sliding) / det,
           S = (nt_[i] * approach - nn_[i] * sliding) / det;
    if (N < 0.0 || std::abs(S) > mu_ * N) {
      const double s = S < 0.0 ? 1.0 : -1.0;
      N = -approach / (nn_[i] - s * mu_ * nt_[i]);
      S = -s * mu_ * N;
    }
    const double e = contacts_[i].restitution, extra = e * N;
    double sliding_after = sliding + nt_[i] * (N + extra) + tt_[i] * S, D = -sliding_after / tt_[i];
    if (std::abs(D) > mu_ * extra) D = D > 0.0 ? mu_ * extra : -mu_ * extra;
    N += extra;
    S += D;
    for (std::size_t j = 0; j < 3; ++j) y_.add(3 + j, to_normal_[i][j] * N + to_tangent_[i][j] * S);
    sliding_after = slip(i, y_);
    const double rate_after = gap_rate(i, y_);
    if (rate_after > 1e-9) return close(-1, sign_);
    close(static_cast<int>(i), sliding_after > 0.0 ? 1.0 : -1.0);
    if (normal(y_) < 0.0) close(-1, sign_);
  }

  double spring_ = 0.0, mu_ = 0.3, tolerance_ = 1e-9, t_ = 0.0, sign_ = 1.0;
  double normal_at_rest_ = 0.0, tangent_at_rest_ = 0.0, normal_per_torque_ = 0.0,
         tangent_per_torque_ = 0.0;
  Three weight_{}, at_rest_{}, per_torque_{};  // of the mode: without and per torque of the spring
  std::array<Three, 3> inverse_{}, to_normal_{}, to_tangent_{};
  Three nn_{}, nt_{}, tt_{};
  std::array<Contact, 3> contacts_{};
  int closed_ = -1, fired_ = 0;
  bool sticks_ = false, armed_ = true;
  Vector y_{}, next_{};
  std::array<Vector, 16> k_{};
  std::array<Vector, 8> dense_{};
};

}  // namespace by_hand
