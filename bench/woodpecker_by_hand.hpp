// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>

#include "clack/integrate/dop853_tableau.hpp"

/// The yardstick: a program for the three-degree-of-freedom woodpecker and nothing else. Fixed
/// sizes, the inverse mass matrix and all mobilities computed beforehand, one contact at a time,
/// DOP853 unrolled over six components, roots by regula falsi on the native dense output. What a
/// specialist would write who never needs another mechanism.
namespace by_hand {

using Vector = std::array<double, 6>;  // y, phi_M, phi_S and their rates

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
    y_ = {0.0, -(r_M - r_0) / h_M, -0.2788, -0.3411, 0.0, -7.4583};
    closed_ = 1;
    sign_ = -1.0;
  }

  /// Simulates until `t_end`; returns the fall.
  double run(double t_end, double tolerance) {
    tolerance_ = tolerance;
    double h = 1e-4;
    rate(y_, k_[0]);
    while (t_ < t_end) {
      h = std::min(h, t_end - t_);
      const double error = attempt(h);
      ++counts.steps;
      if (error > 1.0) {
        h *= std::max(0.3, 0.8 * std::pow(error, -0.125));
        continue;
      }
      rate(next_, k_[12]);
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
      rate(y_, k_[0]);
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

  /// Accelerations in the current mode; leaves the forces in normal_, tangent_.
  void rate(const Vector& y, Vector& f) {
    ++counts.evaluations;
    const double torque = spring_ * (y[2] - y[1]);
    const Three h{weight_[0], weight_[1] + torque, weight_[2] - torque};
    Three a = times(h);
    if (closed_ >= 0) {
      const auto i = static_cast<std::size_t>(closed_);
      const double bn = dot(contacts_[i].normal, a);
      if (sticks_) {
        const double bt = dot(contacts_[i].tangent, a), det = nn_[i] * tt_[i] - nt_[i] * nt_[i];
        normal_ = (-tt_[i] * bn + nt_[i] * bt) / det;
        tangent_ = (nt_[i] * bn - nn_[i] * bt) / det;
      } else {
        normal_ = -bn / (nn_[i] - sign_ * mu_ * nt_[i]);
        tangent_ = -sign_ * mu_ * normal_;
      }
      for (std::size_t j = 0; j < 3; ++j)
        a[j] += to_normal_[i][j] * normal_ + to_tangent_[i][j] * tangent_;
    }
    f = {y[3], y[4], y[5], a[0], a[1], a[2]};
  }

  template <int S>
  void stage(double h) {
    Vector y;
    for (std::size_t c = 0; c < 6; ++c) {
      double sum = 0.0;
      for (std::size_t j = 0; j < S; ++j)
        if (T::a[S][j] != 0.0) sum += T::a[S][j] * k_[j][c];
      y[c] = y_[c] + h * sum;
    }
    rate(y, k_[S]);
  }

  double attempt(double h) {
    stage<1>(h), stage<2>(h), stage<3>(h), stage<4>(h), stage<5>(h), stage<6>(h), stage<7>(h),
        stage<8>(h);
    stage<9>(h), stage<10>(h), stage<11>(h);
    double fifth = 0.0, third = 0.0;
    for (std::size_t c = 0; c < 6; ++c) {
      double sum = 0.0, e5 = 0.0, e3 = 0.0;
      for (std::size_t j = 0; j < 12; ++j) {
        sum += T::b[j] * k_[j][c];
        e5 += T::error5[j] * k_[j][c];
        e3 += (T::b[j] - T::b3[j]) * k_[j][c];
      }
      next_[c] = y_[c] + h * sum;
      const double scale = tolerance_ * (1.0 + std::max(std::abs(y_[c]), std::abs(next_[c])));
      fifth += e5 * e5 / (scale * scale);
      third += e3 * e3 / (scale * scale);
    }
    const double both = fifth + 0.01 * third;
    return both > 0.0 ? h * fifth / std::sqrt(6.0 * both) : 0.0;
  }

  void prepare_dense(double h) {
    stage<13>(h), stage<14>(h), stage<15>(h);
    for (std::size_t c = 0; c < 6; ++c) {
      const double change = next_[c] - y_[c], start = h * k_[0][c] - change;
      dense_[0][c] = y_[c], dense_[1][c] = change, dense_[2][c] = start;
      dense_[3][c] = change - h * k_[12][c] - start;
      for (std::size_t r = 0; r < 4; ++r) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 16; ++j) sum += T::d[r][j] * k_[j][c];
        dense_[4 + r][c] = h * sum;
      }
    }
  }

  Vector dense(double theta) const {
    Vector y;
    const double rest = 1.0 - theta;
    for (std::size_t c = 0; c < 6; ++c) {
      const double high =
          dense_[4][c] + theta * (dense_[5][c] + rest * (dense_[6][c] + theta * dense_[7][c]));
      y[c] = dense_[0][c] +
             theta * (dense_[1][c] + rest * (dense_[2][c] + theta * (dense_[3][c] + rest * high)));
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
    Vector ignored;
    rate(y, ignored);
    return g == 3 ? normal_ : mu_ * normal_ - std::abs(tangent_);
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
      closed_ = -1;
      sticks_ = false;
    } else if (!sticks_) {
      const auto i = static_cast<std::size_t>(closed_);
      sticks_ = true;
      Vector ignored;
      rate(y_, ignored);
      if (std::abs(tangent_) > mu_ * normal_) sticks_ = false, sign_ = -sign_;
      (void)i;
    } else {
      Vector ignored;
      rate(y_, ignored);
      sign_ = tangent_ > 0.0 ? -1.0 : 1.0;
      sticks_ = false;
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
    for (std::size_t j = 0; j < 3; ++j) y_[3 + j] += to_normal_[i][j] * N + to_tangent_[i][j] * S;
    sliding_after = slip(i, y_);
    const double rate_after = gap_rate(i, y_);
    closed_ = -1;
    sticks_ = false;
    if (rate_after > 1e-9) return;
    closed_ = i;
    sign_ = sliding_after > 0.0 ? 1.0 : -1.0;
    Vector ignored;
    rate(y_, ignored);
    if (normal_ < 0.0) closed_ = -1;
  }

  double spring_ = 0.0, mu_ = 0.3, tolerance_ = 1e-9, t_ = 0.0, sign_ = 1.0, normal_ = 0.0,
         tangent_ = 0.0;
  Three weight_{};
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
