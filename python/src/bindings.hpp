// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "clack/clack.hpp"

/// The extension module clack._clack: the thin lower half of the Python package. What it hands out are NumPy views, plain values and
/// JSON texts; names, defaults and documents are given by the Python half (python/clack).
namespace clack::python {

namespace py = pybind11;

/// Where a model came from, so that it can be read again with other settings.
struct Recipe {
  std::optional<std::string> path;
  std::optional<std::string> text;
  std::optional<Data> data;
  std::string name;
  std::vector<Override> settings;
};
struct SharedModel {
  Recipe recipe;
  std::shared_ptr<const Model> model;
};
/// A trace that stays as it is; views into it keep it alive.
struct SharedTrace {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Trace> trace;
};

/// Ctrl-C and the caller's progress function, while a run goes on without the interpreter's lock.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  /// Asked at every step: why the run is to stop; looks at the interpreter a few times a second.
  std::string reason();
  void show(double t);
  /// Raises what happened meanwhile. With the lock.
  void raise();

 private:
  void call(const std::function<void()>& action);
  py::object progress_;
  std::optional<py::error_already_set> error_;  // with the lock only
  std::atomic<bool> has_error_ = false;
  std::atomic<std::chrono::steady_clock::time_point> last_ = std::chrono::steady_clock::now();
};
RunOptions options_with(const std::shared_ptr<Watch>& watch);

/// What the library refuses without knowing the model's file gets its name.
template <class Action>
auto in_model(const Model& model, const Action& action) {
  try {
    return action();
  } catch (const NoAnswer&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(error.what(), error.where().empty() ? model.file : error.where(),
                     error.remedy());
  }
}

Data data_from(const py::handle& value, const std::string& way, int depth = 0);
nlohmann::json json_from(const py::handle& value, const std::string& way, int depth = 0);
/// Numbers in somebody else's memory, read only; `owner` lives as long as the array.
py::array view(const double* first, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const py::handle& owner);
py::array copy_of(const std::vector<double>& values);
/// A matrix or a vector of finite or not finite numbers; throws InputError naming `what` and its shape.
Eigen::MatrixXd matrix_from(const py::handle& value, const std::string& what);
Eigen::VectorXd vector_from(const py::handle& value, const std::string& what);
py::array array_from(const Eigen::MatrixXd& matrix);
py::array array_from(const Eigen::VectorXd& vector);

void add_errors(py::module_& module);
void add_models(py::module_& module);
void add_traces(py::module_& module);
void add_simulations(py::module_& module);
void add_questions(py::module_& module);

}  // namespace clack::python
