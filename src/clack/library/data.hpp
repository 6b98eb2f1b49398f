// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "clack/model/reader.hpp"

namespace clack {

struct Data;
struct DataEntry;

/// A list of values, in order.
struct List {
  List() = default;
  List(std::initializer_list<Data> values);
  std::vector<Data> items;
};

/// Keys with their values, in order.
struct Map {
  Map() = default;
  Map(std::initializer_list<DataEntry> values);
  /// The value of a key, made when it is not there.
  Data& operator[](const std::string& key);
  std::vector<DataEntry> entries;
};

/// A model as plain data, in the keys of model files (docs/model-files.md): a number, a text (names and formulas), a truth value, a
/// list or a map. Numbers keep every bit.
///
///   Map rod{{"mass", 1.0}, {"inertia", "m*l^2/12"}, {"position", List{0.0, 0.6}}};
struct Data {
  Data() = default;
  Data(double number) : value(number) {}
  Data(int number) : value(static_cast<double>(number)) {}
  Data(bool truth) : value(truth) {}
  Data(const char* text) : value(std::string(text)) {}
  Data(std::string text) : value(std::move(text)) {}
  Data(List list) : value(std::move(list)) {}
  Data(Map map) : value(std::move(map)) {}

  std::variant<std::monostate, bool, double, std::string, List, Map> value;
};

struct DataEntry {
  std::string key;
  Data value;
};

inline List::List(std::initializer_list<Data> values) : items(values) {}
inline Map::Map(std::initializer_list<DataEntry> values) : entries(values) {}

/// The model that these data describe. They go through the same reader as a file, without being text in between: the same checks,
/// the same sentences; places are the way to the value, "contacts.beak.restitution". `name` stands where messages and results
/// would name the file. Throws ModelError.
Model build_model(const Data& data, const std::string& name = "model",
                  const std::vector<Override>& overrides = {});

/// The same numbers as an override: a shortest text that reads back to this double.
Override setting(const std::string& name, double value);

}  // namespace clack
