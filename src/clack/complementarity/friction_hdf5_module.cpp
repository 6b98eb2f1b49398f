// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "clack/complementarity/friction_file.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

constexpr hsize_t largest_dataset = hsize_t{1} << 27;  // numbers

// An open HDF5 object, closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool is_open() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// HDF5 prints its own errors unless told otherwise; ours say what is missing.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class FclibReader {
 public:
  FclibReader(hid_t file, std::string path) : file_(file), path_(std::move(path)) {}

  bool has(const std::string& name) const {
    std::size_t slash = name.find('/', 1);
    while (slash != std::string::npos) {
      if (H5Lexists(file_, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
      slash = name.find('/', slash + 1);
    }
    return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0;
  }

  std::vector<double> numbers(const std::string& name) const {
    std::vector<double> out = read<double>(name, H5T_NATIVE_DOUBLE);
    for (std::size_t k = 0; k < out.size(); ++k)
      if (!std::isfinite(out[k]))
        throw InputError(fmt::format("dataset {}, entry {} is {}, must be finite", name, k, out[k]),
                         path_, "correct the number");
    return out;
  }
  std::vector<int> integers(const std::string& name) const {
    return read<int>(name, H5T_NATIVE_INT);
  }
  int integer(const std::string& name) const {
    const std::vector<int> all = integers(name);
    if (all.size() != 1)
      throw InputError(fmt::format("dataset {} has {} numbers, must have one", name, all.size()),
                       path_, "write the file with fclib");
    return all[0];
  }
  Eigen::VectorXd vector(const std::string& name) const {
    const std::vector<double> all = numbers(name);
    return Eigen::Map<const Eigen::VectorXd>(all.data(), number_of(all));
  }
  SparseEntries matrix(const std::string& name) const;

 private:
  template <class T>
  std::vector<T> read(const std::string& name, hid_t type) const {
    const Handle dataset(has(name) ? H5Dopen2(file_, name.c_str(), H5P_DEFAULT) : -1, H5Dclose);
    if (!dataset.is_open())
      throw InputError("dataset " + name + " is missing", path_, "write the file with fclib");
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0 || hsize_t(count) > largest_dataset)
      throw InputError(fmt::format("dataset {} claims {} numbers", name, count), path_,
                       "the file is damaged or too large");
    std::vector<T> out(count);
    if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
      throw InputError("dataset " + name + " cannot be read", path_,
                       "the file is damaged: write it again");
    return out;
  }

  hid_t file_;
  std::string path_;
};

SparseEntries FclibReader::matrix(const std::string& name) const {
  if (!has(name))
    throw InputError("matrix " + name + " is missing", path_, "write the file with fclib");
  SparseEntries out;
  out.rows = integer(name + "/m");
  out.cols = integer(name + "/n");
  const int nz = integer(name + "/nz");
  const std::vector<int> i = integers(name + "/i"), p = integers(name + "/p");
  const std::vector<double> x = numbers(name + "/x");
  const auto refuse = [&](const std::string& what) {
    throw InputError("matrix " + name + ": " + what, path_, "the file is damaged: write it again");
  };
  if (out.rows < 0 || out.cols < 0 || nz < -2)
    refuse(fmt::format("m = {}, n = {}, nz = {} make no sense", out.rows, out.cols, nz));
  const auto add = [&](int row, int column, double value) {
    if (row < 0 || row >= out.rows || column < 0 || column >= out.cols)
      refuse(fmt::format("entry ({}, {}) is outside {} x {}", row, column, out.rows, out.cols));
    out.i.push_back(row);
    out.j.push_back(column);
    out.v.push_back(value);
  };
  if (nz >= 0) {
    if (i.size() < std::size_t(nz) || p.size() < std::size_t(nz) || x.size() < std::size_t(nz))
      refuse(fmt::format("{} triplets announced, i, p, x have {}, {}, {}", nz, i.size(), p.size(),
                         x.size()));
    for (int k = 0; k < nz; ++k) add(i[k], p[k], x[k]);
    return out;
  }
  const int lines = nz == -1 ? out.cols : out.rows;
  if (p.size() != std::size_t(lines) + 1)
    refuse(fmt::format("p has {} entries, must have {}", p.size(), lines + 1));
  for (int line = 0; line < lines; ++line) {
    if (p[line] < 0 || p[line + 1] < p[line] ||
        std::size_t(p[line + 1]) > std::min(i.size(), x.size()))
      refuse(fmt::format("p[{}] = {} ... {} does not fit i and x of {} and {} entries", line,
                         p[line], p[line + 1], i.size(), x.size()));
    for (int k = p[line]; k < p[line + 1]; ++k)
      nz == -1 ? add(i[k], line, x[k]) : add(line, i[k], x[k]);
  }
  return out;
}

int space_dimension(const FclibReader& reader, const std::string& group, const std::string& path) {
  const int d = reader.integer(group + "/spacedim");
  if (d != 2 && d != 3)
    throw InputError(fmt::format("spacedim is {}: not a Coulomb problem of dimension 2 or 3", d),
                     path, "use 2 (plane) or 3 (space); rolling friction is not covered");
  return d;
}

void refuse_bilateral(const FclibReader& reader, const std::string& group,
                      std::initializer_list<const char*> names, const std::string& path) {
  for (const char* name : names)
    if (reader.has(group + "/" + name))
      throw InputError(
          fmt::format(
              "matrix {} of {} means bilateral constraints: not a Coulomb problem of dimension 2 "
              "or 3 alone",
              name, group),
          path, "eliminate the bilateral constraints before writing the file");
}

FrictionProblem read_problem(const std::string& path) {
  const QuietHdf5 quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.is_open())
    throw InputError("the HDF5 file cannot be opened", path,
                     "the file is damaged or cut off: write it again");
  const FclibReader reader(file, path);
  if (reader.has("/fclib_local")) {
    const std::string group = "/fclib_local";
    refuse_bilateral(reader, group, {"V", "R"}, path);
    const int d = space_dimension(reader, group, path);
    const SparseEntries W = reader.matrix(group + "/W");
    const Eigen::VectorXd q = reader.vector(group + "/vectors/q"),
                          mu = reader.vector(group + "/vectors/mu");
    if (W.rows != W.cols || W.rows != d * mu.size() || q.size() != W.rows)
      throw InputError(fmt::format("sizes disagree: W {} x {}, q {}, {} contacts of dimension {}",
                                   W.rows, W.cols, q.size(), mu.size(), d),
                       path, "W is d nc x d nc, q has d nc numbers");
    std::vector<MatrixEntry> entries(W.v.size());
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = {W.i[k], W.j[k], W.v[k]};
    return make_friction_problem(d, entries, q, mu);
  }
  if (!reader.has("/fclib_global"))
    throw InputError("neither fclib_local nor fclib_global is in the HDF5 file", path,
                     "give a friction problem written by fclib");
  const std::string group = "/fclib_global";
  refuse_bilateral(reader, group, {"G"}, path);
  GlobalFriction global;
  global.dimension = space_dimension(reader, group, path);
  global.M = reader.matrix(group + "/M");
  global.H = reader.matrix(group + "/H");
  global.f = reader.vector(group + "/vectors/f");
  global.b = reader.vector(group + "/vectors/w");
  global.mu = reader.vector(group + "/vectors/mu");
  return condense(global, path);
}

}  // namespace

/// The body of `read_friction_hdf5`.
extern "C" void clack_read_friction_hdf5(const std::string& path, FrictionProblem& problem) {
  problem = read_problem(path);
}

}  // namespace clack
