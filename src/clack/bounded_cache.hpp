// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace clack {

/// Things that are dear to make and few of which are in use at a time: at most `bound` are kept, the one asked for
/// longest ago goes first. Whoever still holds one keeps it alive.
template <class Key, class Value>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t bound) : bound_(bound) {}

  /// The value of a key, made by `make()` (a std::shared_ptr<Value>) when it is not there.
  template <class Make>
  const std::shared_ptr<Value>& get(const Key& key, Make make) {
    const auto found = entries_.find(key);
    if (found != entries_.end()) {
      found->second.asked = ++asked_;
      return found->second.value;
    }
    std::shared_ptr<Value> value = make();
    if (entries_.size() >= bound_) forget_oldest();
    return entries_.emplace(key, Entry{std::move(value), ++asked_}).first->second.value;
  }
  /// One that was made elsewhere; one that is there already stays.
  void put(const Key& key, std::shared_ptr<Value> value) {
    get(key, [&] { return std::move(value); });
  }
  bool contains(const Key& key) const { return entries_.contains(key); }
  std::size_t size() const { return entries_.size(); }
  std::size_t bound() const { return bound_; }
  void raise_bound(std::size_t bound) { bound_ = bound > bound_ ? bound : bound_; }

 private:
  struct Entry {
    std::shared_ptr<Value> value;
    long asked = 0;
  };
  void forget_oldest() {
    auto oldest = entries_.begin();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if (entry->second.asked < oldest->second.asked) oldest = entry;
    entries_.erase(oldest);
  }
  std::size_t bound_;
  long asked_ = 0;
  std::map<Key, Entry> entries_;
};

}  // namespace clack
