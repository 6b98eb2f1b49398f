// SPDX-License-Identifier: Apache-2.0
#include "clack/report/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace clack::report {
namespace {

/// Slopes of lines from an anchor that pass all points since within the error.
struct Cone {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  bool has(double slope) const { return low <= slope && slope <= high; }
  void narrow(double rise, double run, double error) {
    low = std::max(low, (rise - error) / run);
    high = std::min(high, (rise + error) / run);
  }
};

template <class Number>
void append_bytes(std::string& bytes, Number number) {
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), &number, sizeof(Number));
  bytes.append(raw.data(), raw.size());
}

struct Bounds {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};
Bounds bounds_of(std::span<const double> y) {
  Bounds bounds;
  for (const double value : y) {
    if (!std::isfinite(value)) continue;
    bounds.low = std::min(bounds.low, value);
    bounds.high = std::max(bounds.high, value);
  }
  return bounds;
}

}  // namespace

std::vector<std::size_t> points_within(std::span<const double> x, std::span<const double> y,
                                       double error, std::size_t most) {
  std::vector<std::size_t> kept;
  if (x.empty()) return kept;
  kept.push_back(0);
  Cone cone;
  for (std::size_t k = 1; k < x.size() && kept.size() <= most; ++k) {
    const std::size_t anchor = kept.back();
    const double run = x[k] - x[anchor], rise = y[k] - y[anchor];
    const bool is_gap = std::isfinite(y[k]) != std::isfinite(y[k - 1]);
    const bool is_same_time = x[k] == x[k - 1];
    const bool is_jump = is_same_time && !(std::abs(y[k] - y[k - 1]) <= error);
    const bool is_silent = !std::isfinite(y[k]) && !is_gap;  // inside a gap
    if (is_silent) continue;
    if (!is_gap && !is_jump && run == 0.0) continue;  // the anchor says it
    if (is_gap || is_jump || !cone.has(rise / run)) {
      const bool is_end = is_gap || is_jump || is_same_time;
      if (anchor != k - 1) kept.push_back(k - 1);
      if (is_end) kept.push_back(k);
      cone = {};
      if (!is_end) cone.narrow(y[k] - y[k - 1], x[k] - x[k - 1], error);
      continue;
    }
    if (run > 0.0) cone.narrow(rise, run, error);
  }
  if (kept.back() != x.size() - 1) kept.push_back(x.size() - 1);
  return kept;
}

int CurveStore::add(const std::string& name, std::span<const double> x, std::span<const double> y) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  if (known != names_.end()) return static_cast<int>(known - names_.begin());
  const Bounds bounds = bounds_of(y);
  const double range = bounds.high > bounds.low ? bounds.high - bounds.low : 0.0;
  const double middle = bounds.high >= bounds.low ? 0.5 * (bounds.low + bounds.high) : 0.0;
  const auto most = static_cast<std::size_t>(std::max(2.0, budget_ / curve_limits.bytes_per_point));
  std::vector<std::size_t> kept;
  double part = curve_limits.finest;
  for (;; part *= curve_limits.coarser) {
    const bool is_coarsest = part > 1.0;
    kept =
        is_coarsest ? points_within(x, y, part * range) : points_within(x, y, part * range, most);
    if (is_coarsest || kept.size() <= most) break;
  }
  error_ = std::max(error_, part);
  std::string times, values;
  times.reserve(8 * kept.size());
  values.reserve(4 * kept.size());
  for (const std::size_t k : kept) {
    append_bytes(times, x[k]);
    append_bytes(
        values, static_cast<float>(std::isfinite(y[k]) ? y[k] - middle
                                                       : std::numeric_limits<double>::quiet_NaN()));
  }
  names_.push_back(name);
  texts_.push_back(fmt::format("{{\"t\":\"{}\",\"y\":\"{}\",\"mid\":{:.17g}}}", base64(times),
                               base64(values), middle));
  return static_cast<int>(names_.size()) - 1;
}

std::string CurveStore::script() const {
  std::string html = "<script type=\"application/json\" id=\"curves\">[";
  for (std::size_t k = 0; k < texts_.size(); ++k) html += (k > 0 ? "," : "") + texts_[k];
  return html + "]</script>\n";
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* to = text.data();
  for (std::size_t k = 0; k < bytes.size(); k += 3, to += 4) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    unsigned group = 0;
    for (std::size_t i = 0; i < count; ++i)
      group |= static_cast<unsigned>(static_cast<unsigned char>(bytes[k + i])) << (16U - 8U * i);
    for (std::size_t i = 0; i <= count; ++i) to[i] = letters[group >> (18U - 6U * i) & 63U];
  }
  return text;
}

}  // namespace clack::report
