// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/trace/json.hpp"

namespace clack::python {
namespace {

/// One run that is steered, used by one thread at a time: a second one that calls into it meanwhile is refused.
class SteeredSimulation {
 public:
  SteeredSimulation(const SharedModel& model, const py::object& progress, bool project)
      : watch_(std::make_shared<Watch>(progress)) {
    RunOptions options = options_with(watch_);
    options.project = project;
    const py::gil_scoped_release unlocked;
    simulation_ = in_model(
        *model.model, [&] { return std::make_unique<Simulation>(Model(*model.model), options); });
  }

  /// With the lock given away; what happened meanwhile is raised.
  template <class Action>
  auto go(const Action& action) {
    const Turn turn(*this);
    if constexpr (std::is_void_v<decltype(action(*simulation_))>) {
      {
        const py::gil_scoped_release unlocked;
        action(*simulation_);
      }
      watch_->raise();
    } else {
      auto result = [&] {
        const py::gil_scoped_release unlocked;
        return action(*simulation_);
      }();
      watch_->raise();
      return result;
    }
  }
  /// Short questions keep the lock.
  template <class Action>
  auto ask(const Action& action) {
    const Turn turn(*this);
    return action(*simulation_);
  }

  std::unique_ptr<SteeredSimulation> clone() {
    auto other = std::unique_ptr<SteeredSimulation>(new SteeredSimulation(watch_));
    other->simulation_ = go([](Simulation& s) { return s.clone(); });
    return other;
  }

 private:
  explicit SteeredSimulation(std::shared_ptr<Watch> watch) : watch_(std::move(watch)) {}

  struct Turn {
    explicit Turn(SteeredSimulation& s) : simulation(s) {
      if (s.is_busy_)
        throw InputError("another thread is using this simulation", "",
                         "give every thread a clone() of its own");
      s.is_busy_ = true;
    }
    ~Turn() { simulation.is_busy_ = false; }
    SteeredSimulation& simulation;
  };

  std::shared_ptr<Watch> watch_;
  std::unique_ptr<Simulation> simulation_;
  bool is_busy_ = false;  // changes with the lock only
};

double finite_time(double t, const char* what) {
  if (!std::isfinite(t)) throw InputError(std::string(what) + " is not finite", "", "give seconds");
  return t;
}

py::dict look(SteeredSimulation& self) {
  return self.ask([](Simulation& s) {
    const RunView view = s.look();
    const Trace& trace = s.trace();
    py::dict contacts, constraints, result;
    for (const ContactView& c : view.contacts) {
      py::dict entry;
      entry["status"] = std::string(to_string(c.status));
      entry["gap"] = c.gap;
      entry["gap_rate"] = c.gap_rate;
      entry["normal_force"] = c.normal_force;
      entry["friction_force"] =
          s.model().dimension == 2
              ? py::object(py::float_(c.friction_force[0]))
              : py::object(py::make_tuple(c.friction_force[0], c.friction_force[1]));
      contacts[py::str(contact_name(s.model(), c.contact))] = entry;
    }
    for (const ConstraintView& c : view.constraints)
      constraints[py::str(trace.constraints[static_cast<std::size_t>(c.constraint)])] =
          copy_of(c.force);
    result["t"] = view.t;
    result["q"] = copy_of(view.q);
    result["v"] = copy_of(view.v);
    result["contacts"] = contacts;
    result["constraints"] = constraints;
    return result;
  });
}

py::dict ledger(SteeredSimulation& self) {
  const EnergyLedger e = self.ask([](Simulation& s) { return s.ledger(); });
  py::dict d;
  d["initial"] = e.initial;
  d["total"] = e.final;
  d["work_of_forces"] = e.work_of_forces;
  d["work_of_drives"] = e.work_of_drives;
  d["work_of_friction"] = e.work_of_friction;
  d["work_of_impacts"] = e.work_of_impacts;
  d["work_of_corners"] = e.work_of_corners;
  d["corrections"] = e.corrections;
  d["dissipated"] = e.dissipated;
  d["check"] = e.check;
  return d;
}

py::object stop_reason(SteeredSimulation& self) {
  return self.ask([](Simulation& s) -> py::object {
    if (!s.stop_reason()) return py::none();
    return py::make_tuple(s.stop_reason()->reason, s.stop_reason()->remedy);
  });
}

void add_steering(py::class_<SteeredSimulation>& type) {
  using S = SteeredSimulation;
  type.def("set_input",
           [](S& self, const std::string& name, double value, double rate, double acceleration) {
             self.go([&](Simulation& s) {
               s.set_input(name,
                           Signal{.value = value, .rate = rate, .acceleration = acceleration});
             });
           })
      .def("set_inputs",
           [](S& self, const std::map<std::string, double>& values) {
             std::vector<std::pair<std::string, Signal>> signals;
             for (const auto& [name, value] : values)
               signals.push_back({name, Signal{.value = value}});
             self.go([&](Simulation& s) { s.set_inputs(signals); });
           })
      .def("input",
           [](S& self, const std::string& name) {
             return self.ask([&](Simulation& s) { return s.input(name).value; });
           })
      .def("switch_constraint",
           [](S& self, const std::string& name, bool is_on) {
             self.go([&](Simulation& s) { s.switch_constraint(name, is_on); });
           })
      .def("set_force",
           [](S& self, const std::string& name, double force) {
             self.go([&](Simulation& s) { s.set_force(name, force); });
           })
      .def("set_body_force",
           [](S& self, const std::string& name, const std::array<double, 3>& force) {
             self.go([&](Simulation& s) { s.set_body_force(name, force); });
           })
      .def("set_body_torque",
           [](S& self, const std::string& name, const std::array<double, 3>& torque) {
             self.go([&](Simulation& s) { s.set_body_torque(name, torque); });
           })
      .def("add_constraint",
           [](S& self, const std::string& name, const std::string& entry) {
             self.go([&](Simulation& s) { s.add_constraint(name, entry); });
           })
      .def("add_contact",
           [](S& self, const std::string& name, const std::string& entry) {
             self.go([&](Simulation& s) { s.add_contact(name, entry); });
           })
      .def("stop", [](S& self) { self.go([](Simulation& s) { s.stop(); }); });
}

}  // namespace

void add_simulations(py::module_& module) {
  using S = SteeredSimulation;
  py::class_<Simulation::Saved, std::shared_ptr<Simulation::Saved>>(module, "Saved")
      .def_property_readonly("model",
                             [](const Simulation::Saved& saved) { return saved.model->name; })
      .def_property_readonly("time", [](const Simulation::Saved& saved) { return saved.run.view; });
  py::class_<S> type(module, "Simulation");
  type.def(py::init<const SharedModel&, const py::object&, bool>(), py::arg("model"),
           py::arg("progress"), py::arg("project"))
      .def("advance_until",
           [](S& self, double t) {
             finite_time(t, "the time");
             self.go([&](Simulation& s) { s.advance_until(t); });
           })
      .def("step",
           [](S& self, double dt) {
             finite_time(dt, "the step");
             self.go([&](Simulation& s) { s.step(dt); });
           })
      .def("advance_to_next_event",
           [](S& self) { return self.go([](Simulation& s) { return s.advance_to_next_event(); }); })
      .def("advance_to_end", [](S& self) { self.go([](Simulation& s) { s.advance_to_end(); }); })
      .def_property_readonly(
          "time", [](S& self) { return self.ask([](Simulation& s) { return s.time(); }); })
      .def_property_readonly(
          "is_over", [](S& self) { return self.ask([](Simulation& s) { return s.is_over(); }); })
      .def_property_readonly("stop_reason", &stop_reason)
      .def("state",
           [](S& self) {
             return self.ask([](Simulation& s) {
               const RunView view = s.look();
               return py::make_tuple(copy_of(view.q), copy_of(view.v));
             });
           })
      .def("look", &look)
      .def("ledger", &ledger)
      .def("trace",
           [](S& self) {
             return self.go([](Simulation& s) {
               return SharedTrace{s.shared_model(), std::make_shared<const Trace>(s.trace())};
             });
           })
      .def("event_count",
           [](S& self) { return self.ask([](Simulation& s) { return s.trace().events.size(); }); })
      .def("json",
           [](S& self) { return self.ask([](Simulation& s) { return events_json(s.trace()); }); })
      .def("save",
           [](S& self) {
             return self.go(
                 [](Simulation& s) { return std::make_shared<Simulation::Saved>(s.save()); });
           })
      .def("restore",
           [](S& self, const Simulation::Saved& saved) {
             self.go([&](Simulation& s) { s.restore(saved); });
           })
      .def("clone", &S::clone);
  add_steering(type);
}

}  // namespace clack::python
