// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace clack {

/// A number that selects one of the things that `Tag` names, and nothing else: a body does not select
/// a contact, a place among the closed contacts (local) not one among all (global).
///
///   using ContactIndex = Index<struct ContactTag>;
///   Indexed<double, ContactIndex> gap(n);   gap[ContactIndex{3}]
///
/// It counts and compares, and can be walked; it does not calculate. `value` is what files, traces and
/// Eigen see. -1 is no selection.
template <class Tag>
struct Index {
  int value = -1;

  constexpr Index() = default;
  template <std::integral Number>
  constexpr explicit Index(Number number) : value(static_cast<int>(number)) {}

  constexpr bool is_valid() const { return value >= 0; }
  constexpr Index& operator++() {
    ++value;
    return *this;
  }
  friend constexpr auto operator<=>(const Index&, const Index&) = default;
};

/// How many things a list holds, as an int, which is what counts and indices are here.
template <class List>
constexpr int number_of(const List& list) {
  return static_cast<int>(list.size());
}

/// A list that is indexed by one kind of index only. Its size is an int, as indices are.
template <class T, class IndexType>
class Indexed {
 public:
  using value_type = T;

  Indexed() = default;
  explicit Indexed(int size, const T& value = T()) : items_(size, value) {}
  Indexed(std::initializer_list<T> items) : items_(items) {}
  explicit Indexed(std::vector<T> items) : items_(std::move(items)) {}

  decltype(auto) operator[](IndexType i) { return items_[i.value]; }
  decltype(auto) operator[](IndexType i) const { return items_[i.value]; }

  int size() const { return number_of(items_); }
  bool empty() const { return items_.empty(); }
  bool contains(IndexType i) const { return i.is_valid() && i.value < size(); }
  void resize(int size, const T& value = T()) { items_.resize(size, value); }
  void assign(int size, const T& value) { items_.assign(size, value); }
  void clear() { items_.clear(); }
  T& emplace_back() { return items_.emplace_back(); }
  T& back() { return items_.back(); }
  void reserve(int size) { items_.reserve(size); }
  /// Appends and returns where.
  IndexType push_back(T value) {
    items_.push_back(std::move(value));
    return IndexType(size() - 1);
  }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const std::vector<T>& items() const { return items_; }

  friend bool operator==(const Indexed&, const Indexed&) = default;

 private:
  std::vector<T> items_;
};

/// All indices of a list, for loops:  for (const ContactIndex i : indices<ContactIndex>(n))
template <class IndexType>
class IndexRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(IndexType at) : at_(at) {}
    constexpr IndexType operator*() const { return at_; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    IndexType at_;
  };
  constexpr IndexRange(IndexType first, IndexType last) : first_(first), last_(last) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }

 private:
  IndexType first_, last_;  // `last_` is not in it
};

template <class IndexType>
constexpr IndexRange<IndexType> indices(int size) {
  return {IndexType(0), IndexType(size)};
}
template <class T, class IndexType>
IndexRange<IndexType> indices(const Indexed<T, IndexType>& list) {
  return indices<IndexType>(list.size());
}

}  // namespace clack

template <class Tag>
struct std::hash<clack::Index<Tag>> {
  std::size_t operator()(clack::Index<Tag> i) const noexcept { return std::hash<int>()(i.value); }
};
