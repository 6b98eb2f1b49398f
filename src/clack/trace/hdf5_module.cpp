// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/hdf5.hpp"

#include <hdf5.h>

#include <limits>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

/// An HDF5 identifier that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
    if (id_ < 0) fail(what);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t outcome, const char* what) {
  if (outcome < 0) fail(what);
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "no data space"}; }

void add_text(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "no text type");
  check(H5Tset_size(type, text.size() + 1), "no text size");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "no character set");
  const Handle space = scalar_space();
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "an attribute cannot be made");
  check(H5Awrite(attribute, type, text.c_str()), "an attribute cannot be written");
}

void add_number(hid_t object, const char* name, double number) {
  const Handle space = scalar_space();
  const Handle attribute(H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "an attribute cannot be made");
  check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &number), "an attribute cannot be written");
}

/// A list of values; no time stamp, so that the bytes depend on the values only.
template <class Value>
void add_list(hid_t group, const std::string& name, const std::vector<Value>& values,
              hid_t file_type, hid_t memory_type) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "no data space");
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no properties");
  check(H5Pset_obj_track_times(properties, false), "no properties");
  const Handle set(
      H5Dcreate2(group, name.c_str(), file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose, "a dataset cannot be made");
  if (size > 0)
    check(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "a dataset cannot be written");
}

void add_header(hid_t file, const Trace& trace) {
  add_text(file, "model", trace.model);
  add_text(file, "theory", trace.theory);
  add_text(file, "formulation", trace.formulation);
  add_text(file, "decision", trace.decision);
  add_text(file, "impact", trace.impact);
  add_text(file, "integrator", trace.integrator);
  add_text(file, "status", std::string(to_string(trace.status)));
  add_text(file, "reason", trace.reason);
  add_number(file, "tolerance", trace.tolerance);
  add_number(file, "until", trace.until);
  add_number(file, "energy_initial", trace.energy.initial);
  add_number(file, "energy_final", trace.energy.final);
  add_number(file, "energy_dissipated", trace.energy.dissipated);
  add_number(file, "ledger_error", trace.energy.ledger_error);
  add_number(file, "check", trace.energy.check);
}

void add_rows(hid_t file, const Trace& trace) {
  const Handle group(H5Gcreate2(file, "trace", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     "a group cannot be made");
  std::vector<double> column(trace.row_count());
  for (std::size_t k = 0; k < trace.columns.size(); ++k) {
    for (std::size_t row = 0; row < column.size(); ++row)
      column[row] = trace.rows[row * trace.columns.size() + k];
    std::string name = trace.columns[k];
    std::replace(name.begin(), name.end(), '/', '|');
    add_list(group, name, column, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  }
}

void add_events(hid_t file, const Trace& trace) {
  const Handle group(H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     "a group cannot be made");
  std::vector<double> times;
  std::vector<int> kinds;
  for (const TraceEvent& event : trace.events) {
    times.push_back(event.t);
    kinds.push_back(static_cast<int>(event.kind));
  }
  add_list(group, "t", times, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  add_list(group, "kind", kinds, H5T_STD_I32LE, H5T_NATIVE_INT);
  std::string names;
  for (int kind = 0; kind <= static_cast<int>(EventKind::end); ++kind)
    names += (kind == 0 ? "" : " ") + std::string(to_string(static_cast<EventKind>(kind)));
  add_text(group, "kinds", names);
}

Handle make_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          "a group cannot be made"};
}

/// Impacts with a history: /impacts/N/COLUMN, with the attribute t.
void add_histories(hid_t file, const Trace& trace) {
  const Handle group = make_group(file, "impacts");
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    const ImpactHistory& history = trace.impacts[k].history;
    if (history.rows.empty()) continue;
    const Handle own = make_group(group, std::to_string(k));
    add_number(own, "t", trace.impacts[k].t);
    std::vector<double> column(history.rows.size());
    for (std::size_t j = 0; j < history.columns.size(); ++j) {
      for (std::size_t row = 0; row < column.size(); ++row) column[row] = history.rows[row][j];
      std::string name = history.columns[j];
      std::replace(name.begin(), name.end(), '/', '|');
      add_list(own, name, column, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
    }
  }
}

/// Names, none of which holds a line break.
std::string lines_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "\n") + name;
  return text;
}

/// The closed contacts of pairs, a line each per row: /contacts/t, contact (number among the names of the attribute),
/// status, gap, normal, tangent, slip, x, y, nx, ny.
void add_contact_rows(hid_t file, const Trace& trace) {
  if (trace.pairs.empty()) return;
  const Handle group = make_group(file, "contacts");
  add_text(group, "names", lines_of(trace.contacts));
  add_text(group, "statuses", "open stick trans slip");
  const auto add = [&](const char* name, const auto& value) {
    std::vector<double> column;
    for (const ContactRow& row : trace.contact_rows) column.push_back(value(row));
    add_list(group, name, column, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  };
  std::vector<int> contacts, statuses;
  for (const ContactRow& row : trace.contact_rows) {
    contacts.push_back(row.contact);
    statuses.push_back(row.status == ContactStatus::open    ? 0
                       : row.status == ContactStatus::stick ? 1
                       : row.status == ContactStatus::trans ? 2
                                                            : 3);
  }
  add_list(group, "contact", contacts, H5T_STD_I32LE, H5T_NATIVE_INT);
  add_list(group, "status", statuses, H5T_STD_I32LE, H5T_NATIVE_INT);
  add("t", [](const ContactRow& row) { return row.t; });
  add("gap", [](const ContactRow& row) { return row.gap; });
  add("normal", [](const ContactRow& row) { return row.normal; });
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t a = 0; a + 1 < static_cast<std::size_t>(trace.dimension); ++a) {
    const std::string number = trace.dimension == 2 ? "" : std::to_string(a + 1);
    add(("tangent" + number).c_str(), [a](const ContactRow& row) { return row.tangent[a]; });
    add(("slip" + number).c_str(), [a](const ContactRow& row) { return row.slip[a]; });
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(trace.dimension); ++a) {
    add(axes[a], [a](const ContactRow& row) { return row.point[a]; });
    add(("n" + std::string(axes[a])).c_str(),
        [a](const ContactRow& row) { return row.direction[a]; });
  }
}

/// /jams/t and load_factor (not a number: no largest); attribute `causes`.
void add_jams(hid_t file, const Trace& trace) {
  if (trace.jams.empty()) return;
  const Handle group = make_group(file, "jams");
  std::vector<double> times, factors;
  std::vector<std::string> causes;
  for (const TraceJam& jam : trace.jams) {
    times.push_back(jam.t);
    factors.push_back(jam.load_factor.value_or(std::numeric_limits<double>::quiet_NaN()));
    causes.emplace_back(to_string(jam.by));
  }
  add_list(group, "t", times, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  add_list(group, "load_factor", factors, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  add_text(group, "causes", lines_of(causes));
}

/// Fills a file in memory (the library does not survive a disk that is full while it closes a file) and writes it.
template <class Fill>
void write_file(const std::string& path, const Fill& fill) {
  std::string image;
  try {
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "no error handling");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no properties");
    check(H5Pset_fapl_core(access, std::size_t{1} << 20, false), "no file in memory");
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                      "the file cannot be made");
    fill(file);
    check(H5Fflush(file, H5F_SCOPE_LOCAL), "the file cannot be written");
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    if (size <= 0) fail("the file cannot be written");
    image.resize(static_cast<std::size_t>(size));
    if (H5Fget_file_image(file, image.data(), image.size()) != size)
      fail("the file cannot be written");
  } catch (const std::runtime_error& e) {
    throw InputError(e.what(), path, "check that the folder exists, is writable and has room");
  }
  write_file_atomically(path, image);
}

/// The group of "/axes/mu" is made when it is first needed; '/' in what follows becomes '|'.
void add_column(hid_t file, const std::string& name, const auto& values, hid_t file_type,
                hid_t memory_type) {
  const std::size_t end = name.find('/', 1);
  if (end == std::string::npos)
    return add_list(file, name.substr(1), values, file_type, memory_type);
  const std::string group_name = name.substr(1, end - 1);
  std::string own = name.substr(end + 1);
  std::replace(own.begin(), own.end(), '/', '|');
  const bool is_there = H5Lexists(file, group_name.c_str(), H5P_DEFAULT) > 0;
  const Handle group(
      is_there ? H5Gopen2(file, group_name.c_str(), H5P_DEFAULT)
               : H5Gcreate2(file, group_name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose, "a group cannot be made");
  add_list(group, own, values, file_type, memory_type);
}

}  // namespace

/// The body of `write_hdf5`.
extern "C" void clack_write_hdf5(const Trace& trace, const std::string& path) {
  write_file(path, [&](hid_t file) {
    add_header(file, trace);
    add_rows(file, trace);
    add_events(file, trace);
    add_histories(file, trace);
    add_contact_rows(file, trace);
    add_jams(file, trace);
  });
}

/// The body of `write_hdf5_table`.
extern "C" void clack_write_hdf5_table(const Hdf5Table& table, const std::string& path) {
  write_file(path, [&](hid_t file) {
    for (const auto& [name, text] : table.texts) add_text(file, name.c_str(), text);
    for (const auto& [name, values] : table.counts)
      add_column(file, name, values, H5T_STD_I32LE, H5T_NATIVE_INT);
    for (const auto& [name, values] : table.numbers)
      add_column(file, name, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  });
}

}  // namespace clack
