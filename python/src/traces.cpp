// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack::python {

void Watch::call(const std::function<void()>& action) {
  const py::gil_scoped_acquire locked;
  try {
    action();
  } catch (py::error_already_set& error) {
    if (!error_) error_.emplace(std::move(error));
    has_error_ = true;
  }
}

std::string Watch::reason() {
  constexpr std::chrono::milliseconds patience(50);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_.load() > patience) {
    last_ = now;
    call([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
  }
  return has_error_ ? "interrupted" : "";
}

void Watch::show(double t) {
  if (has_error_ || progress_.is_none()) return;
  call([&] { progress_(t); });
}

void Watch::raise() {
  if (!error_) return;
  py::error_already_set error = std::move(*error_);
  error_.reset();
  has_error_ = false;
  throw error;
}

RunOptions options_with(const std::shared_ptr<Watch>& watch) {
  RunOptions options;
  options.progress = [watch](double t) { watch->show(t); };
  options.interruption = [watch] { return watch->reason(); };
  return options;
}

namespace {

SharedTrace run_model(const SharedModel& given, const py::object& progress, bool project,
                      int threads, int histories, bool node_trace) {
  const std::shared_ptr<const Model> model = given.model;
  if (threads < 1 || histories < 0)
    throw InputError("threads must be at least 1, histories not negative", "", "leave them out");
  auto watch = std::make_shared<Watch>(progress);
  auto trace = std::make_shared<Trace>();
  {
    RunOptions options = options_with(watch);
    options.project = project;
    options.threads = threads;
    options.histories = histories;
    options.node_trace = node_trace;
    const py::gil_scoped_release unlocked;
    const auto begin = std::chrono::steady_clock::now();
    *trace = in_model(*model, [&] { return run(*model, options); });
    trace->wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  watch->raise();
  return {model, std::move(trace)};
}

py::array rows(const py::object& self) {
  const Trace& trace = *self.cast<const SharedTrace&>().trace;
  const auto n = static_cast<py::ssize_t>(trace.row_count()),
             m = static_cast<py::ssize_t>(trace.columns.size());
  constexpr auto number = static_cast<py::ssize_t>(sizeof(double));
  return view(trace.rows.data(), {n, m}, {m * number, number}, self);
}

template <class Action>
auto unlocked(const Action& action) {
  const py::gil_scoped_release released;
  return action();
}

}  // namespace

void add_traces(py::module_& module) {
  module.def("run", &run_model, py::arg("model"), py::arg("progress"), py::arg("project"),
             py::arg("threads"), py::arg("histories"), py::arg("node_trace"));
  py::class_<SharedTrace>(module, "Trace")
      .def_property_readonly("rows", &rows)
      .def_property_readonly("columns", [](const SharedTrace& self) { return self.trace->columns; })
      .def("column_index", [](const SharedTrace& self,
                              const std::string& name) { return column_index(*self.trace, name); })
      .def_property_readonly("coordinates",
                             [](const SharedTrace& self) { return self.trace->coordinates; })
      .def_property_readonly("speeds", [](const SharedTrace& self) { return self.trace->speeds; })
      .def_property_readonly("contacts",
                             [](const SharedTrace& self) { return self.trace->contacts; })
      .def_property_readonly("pairs", [](const SharedTrace& self) { return self.trace->pairs; })
      .def_property_readonly("constraints",
                             [](const SharedTrace& self) { return self.trace->constraints; })
      .def_property_readonly("flags", [](const SharedTrace& self) { return self.trace->flags; })
      .def_property_readonly("notes", [](const SharedTrace& self) { return self.trace->notes; })
      .def_property_readonly(
          "status",
          [](const SharedTrace& self) { return std::string(to_string(self.trace->status)); })
      .def_property_readonly("reason", [](const SharedTrace& self) { return self.trace->reason; })
      .def_property_readonly("remedy", [](const SharedTrace& self) { return self.trace->remedy; })
      .def_property_readonly("theory", [](const SharedTrace& self) { return self.trace->theory; })
      .def_property_readonly("wall_seconds",
                             [](const SharedTrace& self) { return self.trace->wall_seconds; })
      .def("csv",
           [](const SharedTrace& self) {
             return py::bytes(unlocked([&] { return trace_csv(*self.trace); }));
           })
      .def("json",
           [](const SharedTrace& self) {
             return unlocked([&] { return events_json(*self.trace); });
           })
      .def("report",
           [](const SharedTrace& self) {
             return unlocked([&] { return report_page(*self.model, *self.trace); });
           })
      .def("save", [](const SharedTrace& self, const std::string& folder) {
        unlocked([&] { save_run(*self.model, *self.trace, folder); });
      });
}

}  // namespace clack::python
