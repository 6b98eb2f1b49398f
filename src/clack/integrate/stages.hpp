#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace clack {

/// The vectors of a Runge-Kutta method in one block of memory, each padded to whole groups of four
/// numbers, so that the loops over components have no remainder and need no dimension at compile
/// time. Padded components of states are 1 and of rates 0: they stay so in every linear combination
/// and add nothing to an error norm.
class StageStore {
 public:
  static constexpr int group = 4;

  void resize(int dimension, int rows) {
    dimension_ = dimension;
    stride_ = (dimension + group - 1) / group * group;
    memory_.resize(static_cast<std::size_t>(stride_) * rows + group);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    base_ = memory_.data() + (-address / sizeof(double)) % group;
    for (std::size_t i = 0; i < static_cast<std::size_t>(stride_) * rows; ++i) base_[i] = 0.0;
  }
  void pad_as_state(int row_index) {
    for (int i = dimension_; i < stride_; ++i) row(row_index)[i] = 1.0;
  }
  int dimension() const { return dimension_; }
  int padded() const { return stride_; }
  double* row(int index) { return base_ + static_cast<std::ptrdiff_t>(index) * stride_; }
  const double* row(int index) const {
    return base_ + static_cast<std::ptrdiff_t>(index) * stride_;
  }

 private:
  std::vector<double> memory_;
  double* base_ = nullptr;
  int dimension_ = 0;
  int stride_ = 0;
};

/// Sum over the stages j with a nonzero weight of weights[j] * k_j[i], in the order of j, where k_j
/// is row j. The weights are known at compile time and weights[0] is never zero.
template <const auto& weights, int count, std::size_t... J>
inline double weighted(const double* k, std::ptrdiff_t stride, std::index_sequence<J...>) {
  static_assert(weights[0] != 0.0);
  double sum = weights[0] * k[0];
  (
      [&] {
        if constexpr (J > 0 && weights[J] != 0.0) sum += weights[J] * k[J * stride];
      }(),
      ...);
  return sum;
}
template <const auto& weights, int count>
inline double weighted(const double* k, std::ptrdiff_t stride) {
  return weighted<weights, count>(k, stride, std::make_index_sequence<count>{});
}

/// body(i) for all padded components, in groups that the compiler turns into vector instructions.
template <class Body>
inline void for_components(int padded, Body body) {
  for (int first = 0; first < padded; first += StageStore::group) {
#pragma GCC ivdep
    for (int i = first; i < first + StageStore::group; ++i) body(i);
  }
}

}  // namespace clack
