// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

namespace clack {

/// Rows of equal width in one piece of memory: a row costs no allocation of its own.
struct HistoryRows {
  std::size_t width = 0;
  std::vector<double> values;

  std::size_t size() const { return width == 0 ? 0 : values.size() / width; }
  bool empty() const { return values.empty(); }
  std::span<const double> operator[](std::size_t k) const {
    return {values.data() + k * width, width};
  }
  std::span<const double> front() const { return (*this)[0]; }
  std::span<const double> back() const { return (*this)[size() - 1]; }

  void clear() { values.clear(); }
  void reserve(std::size_t rows, std::size_t columns) { values.reserve(rows * columns); }
  /// A new row, to be filled.
  double* add(std::size_t columns) {
    width = columns;
    values.resize(values.size() + columns);
    return values.data() + values.size() - columns;
  }
  void push_back(std::span<const double> row) {
    std::copy(row.begin(), row.end(), add(row.size()));
  }
  void push_back(std::initializer_list<double> row) {
    push_back(std::span(row.begin(), row.size()));
  }

  struct Iterator {
    const HistoryRows* rows = nullptr;
    std::size_t k = 0;
    std::span<const double> operator*() const { return (*rows)[k]; }
    Iterator& operator++() {
      ++k;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

  bool operator==(const HistoryRows&) const = default;
};

}  // namespace clack
