// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {

/// Plain data as bytes and back, to the last bit. A struct says once which members it has, `fields(archive, x)`, for both
/// directions; structured bindings there make a member that is forgotten an error of the compiler. Numbers are written as 8
/// bytes in the order of this machine: what is written here is read here.
template <class T, class Struct>
concept Like = std::same_as<std::remove_const_t<T>, Struct>;

class ArchiveWriter {
 public:
  template <class... Parts>
  void operator()(const Parts&... parts) {
    (put(parts), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  void count(std::size_t n) {
    const std::uint64_t wide = n;
    raw(&wide, sizeof wide);
  }
  void put(double x) { raw(&x, sizeof x); }
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) void put(T x) {
    const auto wide = static_cast<std::int64_t>(x);
    raw(&wide, sizeof wide);
  }
  void put(const std::string& text) {
    count(text.size());
    raw(text.data(), text.size());
  }
  template <class Tag>
  void put(const Index<Tag>& index) {
    put(index.value);
  }
  void put(const std::vector<double>& numbers) {
    count(numbers.size());
    raw(numbers.data(), numbers.size() * sizeof(double));
  }
  void put(const Eigen::VectorXd& numbers) {
    put(std::vector<double>(numbers.begin(), numbers.end()));
  }
  void put(const std::vector<bool>& flags) {
    count(flags.size());
    for (const bool flag : flags) put(flag);
  }
  template <class T>
  void put(const std::vector<T>& items) {
    count(items.size());
    for (const T& item : items) put(item);
  }
  template <class T>
  void put(const std::deque<T>& items) {
    count(items.size());
    for (const T& item : items) put(item);
  }
  template <class T, class I>
  void put(const Indexed<T, I>& items) {
    count(items.size());
    for (const T& item : items) put(item);
  }
  template <class T, std::size_t n>
  void put(const std::array<T, n>& items) {
    for (const T& item : items) put(item);
  }
  template <class T>
  void put(const std::optional<T>& maybe) {
    put(maybe.has_value());
    if (maybe) put(*maybe);
  }
  template <class T>
  requires std::is_class_v<T>
  void put(const T& x) { fields(*this, x); }

  std::string bytes_;
};

/// Throws InputError where the bytes end too early or say what cannot be.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, std::string where)
      : bytes_(bytes), where_(std::move(where)) {}
  template <class... Parts>
  void operator()(Parts&... parts) {
    (get(parts), ...);
  }
  bool is_at_end() const { return bytes_.empty(); }
  [[noreturn]] void refuse() const {
    throw InputError("the checkpoint is damaged", where_,
                     "use an earlier one, or run from the start");
  }

 private:
  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) refuse();
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  /// How many items follow; each takes at least one byte.
  std::size_t count() {
    std::uint64_t n = 0;
    raw(&n, sizeof n);
    if (n > bytes_.size()) refuse();
    return n;
  }
  void get(double& x) { raw(&x, sizeof x); }
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) void get(T& x) {
    std::int64_t wide = 0;
    raw(&wide, sizeof wide);
    x = static_cast<T>(wide);
  }
  void get(std::string& text) {
    text.resize(count());
    raw(text.data(), text.size());
  }
  template <class Tag>
  void get(Index<Tag>& index) {
    get(index.value);
  }
  void get(std::vector<double>& numbers) {
    numbers.resize(count());
    raw(numbers.data(), numbers.size() * sizeof(double));
  }
  void get(Eigen::VectorXd& numbers) {
    std::vector<double> list;
    get(list);
    numbers =
        Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
  }
  void get(std::vector<bool>& flags) {
    flags.resize(count());
    for (std::size_t i = 0; i < flags.size(); ++i) {
      bool flag = false;
      get(flag);
      flags[i] = flag;
    }
  }
  template <class List>
  void get_items(List& items) {
    items = {};
    const std::size_t n = count();
    for (std::size_t i = 0; i < n; ++i) {
      typename List::value_type item{};
      get(item);
      items.push_back(std::move(item));
    }
  }
  template <class T>
  void get(std::vector<T>& items) {
    get_items(items);
  }
  template <class T>
  void get(std::deque<T>& items) {
    get_items(items);
  }
  template <class T, class I>
  void get(Indexed<T, I>& items) {
    get_items(items);
  }
  template <class T, std::size_t n>
  void get(std::array<T, n>& items) {
    for (T& item : items) get(item);
  }
  template <class T>
  void get(std::optional<T>& maybe) {
    bool is_there = false;
    get(is_there);
    maybe.reset();
    if (is_there) get(maybe.emplace());
  }
  template <class T>
  requires std::is_class_v<T>
  void get(T& x) { fields(*this, x); }

  std::string_view bytes_;
  std::string where_;
};

}  // namespace clack
