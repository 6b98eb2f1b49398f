// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"

/// Problem files in JSON, read with messages that name the place: every function takes the path
/// inside the document (`where_path`, e.g. "contacts[2]"; "" at the top) and the file's name.
namespace clack {

/// "contacts[2]" and "name" give "contacts[2].name".
inline std::string json_path(std::string_view where_path, std::string_view key) {
  std::string path(where_path);
  if (!path.empty()) path += '.';
  return path + printable(key, 60);
}

inline std::string json_path(std::string_view where_path, std::size_t index) {
  return std::string(where_path) + "[" + std::to_string(index) + "]";
}

/// Parses JSON text; `file` is only named in messages. Malformed text gives FILE:LINE:COLUMN; a key
/// that stands twice in one object is an error.
inline nlohmann::json parse_json(const std::string& text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  const auto refuse_repeated_keys = [&](int, nlohmann::json::parse_event_t event,
                                        nlohmann::json& parsed) {
    if (event == nlohmann::json::parse_event_t::object_start) keys.emplace_back();
    if (event == nlohmann::json::parse_event_t::object_end) keys.pop_back();
    if (event == nlohmann::json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second)
      throw InputError("key " + printable(parsed.get<std::string>(), 60) + " appears twice", file,
                       "keep one of the two");
    return true;
  };
  try {
    return nlohmann::json::parse(text, refuse_repeated_keys);
  } catch (const nlohmann::json::parse_error& e) {
    const std::size_t offset = e.byte > 0 ? e.byte - 1 : 0;
    std::string reason = e.what();
    if (const auto colon = reason.find(": "); colon != std::string::npos)
      reason.erase(0, colon + 2);
    throw InputError("not valid JSON: " + printable(reason),
                     file + ":" + line_and_column(text, offset),
                     offset >= text.size() ? "the file ends too early: complete it"
                                           : "correct the text at this place");
  } catch (const nlohmann::json::out_of_range& e) {
    std::string reason = e.what();
    if (const auto bracket = reason.find("] "); bracket != std::string::npos)
      reason.erase(0, bracket + 2);
    throw InputError("not valid JSON: " + printable(reason), file, "write finite numbers");
  }
}

/// The document in a file; user mistakes (missing, folder, too large, malformed) throw InputError.
inline nlohmann::json read_json_file(const std::string& path) {
  return parse_json(read_input_file(path), path);
}

/// `value` must be an object whose keys are all known; the message names the nearest known key.
inline void check_keys(const nlohmann::json& object, std::string_view where_path,
                       std::span<const std::string_view> known, const std::string& file) {
  const std::string place = where_path.empty() ? "the document" : printable(where_path);
  if (!object.is_object())
    throw InputError(place + " is " + object.type_name() + ", must be an object {...}", file,
                     "known keys: " + list_names(known));
  for (const auto& item : object.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    const std::string nearest = nearest_name(item.key(), known);
    throw InputError(
        "unknown key " + json_path(where_path, item.key()), file,
        nearest.empty() ? "known keys: " + list_names(known) : "did you mean " + nearest + "?");
  }
}

inline const nlohmann::json& get_value(const nlohmann::json& object, std::string_view key,
                                       std::string_view where_path, const std::string& file) {
  const auto found = object.find(std::string(key));
  if (found == object.end())
    throw InputError("key " + json_path(where_path, key) + " is missing", file,
                     "add \"" + std::string(key) + "\"");
  return *found;
}

/// What a message shows of a wrong value.
inline std::string json_excerpt(const nlohmann::json& value) {
  if (value.is_structured())
    return std::string(value.is_array() ? "a list" : "an object") + " of " +
           std::to_string(value.size());
  return printable(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), 40);
}

inline double as_number(const nlohmann::json& value, std::string_view place,
                        const std::string& file) {
  if (!value.is_number())
    throw InputError(std::string(place) + " is " + json_excerpt(value) + ", must be a number", file,
                     "write a finite number (no text, no null)");
  const double number = value.get<double>();
  if (!std::isfinite(number))
    throw InputError(std::string(place) + " is not finite", file, "write a finite number");
  return number;
}

/// A list of finite numbers; `size` < 0 accepts any length.
inline Eigen::VectorXd as_vector(const nlohmann::json& value, Eigen::Index size,
                                 std::string_view place, const std::string& file) {
  if (!value.is_array())
    throw InputError(
        std::string(place) + " is " + json_excerpt(value) + ", must be a list of numbers", file,
        "write [a, b, ...]");
  const int count = number_of(value);
  if (size >= 0 && count != size)
    throw InputError(std::string(place) + " has " + std::to_string(count) + " numbers, must have " +
                         std::to_string(size),
                     file, "give exactly " + std::to_string(size) + " numbers");
  Eigen::VectorXd vector(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const nlohmann::json& entry = value[k];
    vector[k] = entry.is_number() && std::isfinite(entry.get<double>())
                    ? entry.get<double>()
                    : as_number(entry, json_path(place, k), file);
  }
  return vector;
}

/// A list of rows of equal length; `rows`, `columns` < 0 accept any number (no rows: no columns
/// either).
inline Eigen::MatrixXd as_matrix(const nlohmann::json& value, Eigen::Index rows,
                                 Eigen::Index columns, std::string_view place,
                                 const std::string& file) {
  if (!value.is_array())
    throw InputError(std::string(place) + " is " + json_excerpt(value) + ", must be a list of rows",
                     file, "write [[a, b], [c, d]]");
  const int count = number_of(value);
  if (rows >= 0 && count != rows)
    throw InputError(std::string(place) + " has " + std::to_string(count) + " rows, must have " +
                         std::to_string(rows),
                     file, "give exactly " + std::to_string(rows) + " rows");
  if (columns < 0) columns = count > 0 ? number_of(value[0]) : 0;
  std::vector<Eigen::VectorXd> checked(count);
  for (std::size_t k = 0; k < checked.size(); ++k)
    checked[k] = as_vector(value[k], columns, json_path(place, k), file);
  Eigen::MatrixXd matrix(count, columns);
  for (Eigen::Index k = 0; k < count; ++k) matrix.row(k) = checked[k].transpose();
  return matrix;
}

/// The same for a key of an object: the key must be there.
inline double get_number(const nlohmann::json& object, std::string_view key,
                         std::string_view where_path, const std::string& file) {
  return as_number(get_value(object, key, where_path, file), json_path(where_path, key), file);
}

inline Eigen::VectorXd get_vector(const nlohmann::json& object, std::string_view key,
                                  Eigen::Index size, std::string_view where_path,
                                  const std::string& file) {
  return as_vector(get_value(object, key, where_path, file), size, json_path(where_path, key),
                   file);
}

inline Eigen::MatrixXd get_matrix(const nlohmann::json& object, std::string_view key,
                                  Eigen::Index rows, Eigen::Index columns,
                                  std::string_view where_path, const std::string& file) {
  return as_matrix(get_value(object, key, where_path, file), rows, columns,
                   json_path(where_path, key), file);
}

/// A key that may be missing: then `otherwise`.
inline double get_number_or(const nlohmann::json& object, std::string_view key, double otherwise,
                            std::string_view where_path, const std::string& file) {
  return object.contains(std::string(key)) ? get_number(object, key, where_path, file) : otherwise;
}

inline std::string get_text(const nlohmann::json& object, std::string_view key,
                            std::string_view where_path, const std::string& file) {
  const nlohmann::json& value = get_value(object, key, where_path, file);
  if (!value.is_string())
    throw InputError(json_path(where_path, key) + " is " + json_excerpt(value) + ", must be text",
                     file, "put it in quotes");
  return value.get<std::string>();
}

inline bool get_flag_or(const nlohmann::json& object, std::string_view key, bool otherwise,
                        std::string_view where_path, const std::string& file) {
  if (!object.contains(std::string(key))) return otherwise;
  const nlohmann::json& value = get_value(object, key, where_path, file);
  if (!value.is_boolean())
    throw InputError(
        json_path(where_path, key) + " is " + json_excerpt(value) + ", must be true or false", file,
        "write true or false without quotes");
  return value.get<bool>();
}

/// An integer in [lowest, highest].
inline long get_integer(const nlohmann::json& object, std::string_view key, long lowest,
                        long highest, std::string_view where_path, const std::string& file) {
  const double number = get_number(object, key, where_path, file);
  if (number != std::floor(number) || number < static_cast<double>(lowest) ||
      number > static_cast<double>(highest))
    throw InputError(json_path(where_path, key) + " is " +
                         json_excerpt(get_value(object, key, where_path, file)) +
                         ", must be an integer in [" + std::to_string(lowest) + ", " +
                         std::to_string(highest) + "]",
                     file, "choose a value in this range");
  return static_cast<long>(number);
}

}  // namespace clack
