// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace clack {

/// Two numbers that one vector instruction of every x86-64 and ARM processor handles.
using Lanes = double __attribute__((vector_size(16), may_alias));
/// The same anywhere in memory.
using LooseLanes = double __attribute__((vector_size(16), may_alias, aligned(8)));

/// The vectors of a Runge-Kutta method in one block of memory, each padded to whole pairs of
/// numbers, so that the loops over components have no remainder and need no dimension at compile
/// time. A padded component of a state is 1 and of a rate 0: they stay so in every step and add
/// nothing to an error.
class StageStore {
 public:
  void resize(int dimension, int rows) {
    dimension_ = dimension;
    pairs_ = (dimension + 1) / 2;
    memory_.assign(static_cast<std::size_t>(2 * pairs_) * rows, 0.0);
  }
  void pad_as_state(int index) {
    if (dimension_ % 2 == 1) row(index)[dimension_] = 1.0;
  }
  const std::vector<double>& memory() const { return memory_; }
  void restore(int dimension, const std::vector<double>& memory) {
    dimension_ = dimension;
    pairs_ = (dimension + 1) / 2;
    memory_ = memory;
  }
  int dimension() const { return dimension_; }
  int pairs() const { return pairs_; }
  double* row(int index) { return memory_.data() + offset(index); }
  const double* row(int index) const { return memory_.data() + offset(index); }
  Lanes* lanes(int index) { return reinterpret_cast<Lanes*>(row(index)); }
  const Lanes* lanes(int index) const { return reinterpret_cast<const Lanes*>(row(index)); }

 private:
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof(Lanes));
  std::ptrdiff_t offset(int index) const { return static_cast<std::ptrdiff_t>(index) * 2 * pairs_; }

  std::vector<double> memory_;
  int dimension_ = 0;
  int pairs_ = 0;
};

/// A pair that somebody else has just written as two numbers: reading it as one vector would wait
/// until both have reached the cache (no store forwarding), which costs more than the whole sum.
inline Lanes load_just_written(const Lanes* p) {
  const volatile double* numbers = reinterpret_cast<const double*>(p);
  return Lanes{numbers[0], numbers[1]};
}

/// Σ weights[j] k_j over the first `count` stages with a nonzero weight, in the order of j, for the
/// pair of components that `k` points to in row 0; rows are `pairs` apart. weights[0] is never
/// zero; the last stage has just been evaluated.
template <const auto& weights, std::size_t count>
inline Lanes weighted(const Lanes* k, std::ptrdiff_t pairs) {
  static_assert(weights[0] != 0.0);
  return [&]<std::size_t... J>(std::index_sequence<J...>) {
    Lanes sum = weights[0] * (count == 1 ? load_just_written(k) : k[0]);
    auto add = [&]<std::size_t j>(std::integral_constant<std::size_t, j>) {
      if constexpr (j > 0 && weights[j] != 0.0)
        sum += weights[j] * (j + 1 == count ? load_just_written(k + j * pairs) : k[j * pairs]);
    };
    (add(std::integral_constant<std::size_t, J>{}), ...);
    return sum;
  }
  (std::make_index_sequence<count>{});
}

inline Lanes absolute(Lanes x) { return x < 0.0 ? -x : x; }
inline Lanes larger(Lanes x, Lanes y) { return x > y ? x : y; }

}  // namespace clack
