// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "clack/terminal_text.hpp"

namespace clack::python {
namespace {

constexpr int deepest = 100;  // nested lists and maps; models allow fewer

std::string type_of(const py::handle& value) { return Py_TYPE(value.ptr())->tp_name; }

void refuse_depth(const std::string& way, int depth) {
  if (depth > deepest)
    throw InputError("lists and maps are nested too deep", way.substr(0, 60),
                     "does one contain itself?");
}

[[noreturn]] void refuse_type(const py::handle& value, const std::string& way) {
  throw InputError(
      (way.empty() ? std::string("the value") : way) + " is of type " + type_of(value), way,
      "give a number, a text, True or False, a list, an array or a dict with texts as keys");
}

std::string key_of(const py::handle& key, const std::string& way) {
  if (!py::isinstance<py::str>(key)) refuse_type(key, way.empty() ? "a key" : "a key of " + way);
  return key.cast<std::string>();
}

std::string below(const std::string& way, const std::string& key) {
  return way.empty() ? key : way + "." + key;
}
std::string below(const std::string& way, std::size_t index) {
  return way + "[" + std::to_string(index) + "]";
}

bool is_list(const py::handle& value) {
  return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
}

/// Arrays and NumPy numbers as Python's own.
py::object plain(const py::handle& value) {
  if (py::hasattr(value, "tolist")) return value.attr("tolist")();
  return py::reinterpret_borrow<py::object>(value);
}

py::array_t<double> numbers(const py::handle& value, const std::string& what, int dimensions) {
  py::array_t<double> array;
  try {
    array = py::array_t<double, py::array::c_style | py::array::forcecast>(
        py::reinterpret_borrow<py::object>(value));
  } catch (const py::error_already_set& error) {
    throw InputError(what + " is no array of numbers", "", "give numbers in rows of equal length");
  }
  if (array.ndim() != dimensions)
    throw InputError(
        what + " has " + std::to_string(array.ndim()) + " dimensions, must have " +
            std::to_string(dimensions),
        "", dimensions == 2 ? "give a matrix: [[a, b], [c, d]]" : "give a vector: [a, b, ...]");
  return array;
}

}  // namespace

Data data_from(const py::handle& given, const std::string& way, int depth) {
  refuse_depth(way, depth);
  const py::object value = plain(given);
  if (value.is_none()) return {};
  if (py::isinstance<py::bool_>(value)) return Data(value.cast<bool>());
  if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value))
    return Data(value.cast<double>());
  if (py::isinstance<py::str>(value)) return Data(value.cast<std::string>());
  if (is_list(value)) {
    List list;
    for (const py::handle item : value)
      list.items.push_back(data_from(item, below(way, list.items.size()), depth + 1));
    return Data(std::move(list));
  }
  if (!py::isinstance<py::dict>(value)) refuse_type(value, way);
  Map map;
  for (const auto& [key, item] : value.cast<py::dict>()) {
    const std::string name = key_of(key, way);
    map.entries.push_back({name, data_from(item, below(way, name), depth + 1)});
  }
  return Data(std::move(map));
}

nlohmann::json json_from(const py::handle& given, const std::string& way, int depth) {
  refuse_depth(way, depth);
  const py::object value = plain(given);
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow == 0 ? nlohmann::json(number) : nlohmann::json(value.cast<double>());
  }
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (is_list(value)) {
    nlohmann::json list = nlohmann::json::array();
    for (const py::handle item : value)
      list.push_back(json_from(item, below(way, list.size()), depth + 1));
    return list;
  }
  if (!py::isinstance<py::dict>(value)) refuse_type(value, way);
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, item] : value.cast<py::dict>()) {
    const std::string name = key_of(key, way);
    object[name] = json_from(item, below(way, name), depth + 1);
  }
  return object;
}

py::array view(const double* first, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const py::handle& owner) {
  static const double nothing = 0.0;
  py::array array(py::dtype::of<double>(), std::move(shape), std::move(strides),
                  first != nullptr ? first : &nothing, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array copy_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

Eigen::MatrixXd matrix_from(const py::handle& value, const std::string& what) {
  const auto array = numbers(value, what, 2);
  Eigen::MatrixXd matrix(array.shape(0), array.shape(1));
  for (py::ssize_t i = 0; i < array.shape(0); ++i)
    for (py::ssize_t j = 0; j < array.shape(1); ++j) matrix(i, j) = array.at(i, j);
  return matrix;
}

Eigen::VectorXd vector_from(const py::handle& value, const std::string& what) {
  const auto array = numbers(value, what, 1);
  Eigen::VectorXd vector(array.shape(0));
  for (py::ssize_t i = 0; i < array.shape(0); ++i) vector[i] = array.at(i);
  return vector;
}

py::array array_from(const Eigen::MatrixXd& matrix) {
  py::array_t<double> array({matrix.rows(), matrix.cols()});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) array.mutable_at(i, j) = matrix(i, j);
  return array;
}

py::array array_from(const Eigen::VectorXd& vector) {
  return py::array_t<double>(vector.size(), vector.data());
}

/// InputError, ModelError and NoAnswer become the classes of clack._errors, with the two lines of the command line.
void add_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto raise = [](const char* name, const InputError& error) {
      const std::string place = error.where().empty() ? "" : " (" + error.where() + ")";
      const std::string lines = "error: " + for_terminal(error.what()) + for_terminal(place) +
                                "\nhelp: " + for_terminal(error.remedy());
      const py::object type = py::module_::import("clack._errors").attr(name);
      const py::object instance = type(error.what(), error.where(), error.remedy(), lines);
      PyErr_SetObject(type.ptr(), instance.ptr());
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const ModelError& error) {
      raise("ModelError", error);
    } catch (const NoAnswer& error) {
      raise("NoAnswer", error);
    } catch (const InputError& error) {
      raise("InputError", error);
    }
  });
}

}  // namespace clack::python
