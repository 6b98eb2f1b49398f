// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clack/model/model.hpp"
#include "clack/model/reader.hpp"
#include "clack/trace/trace.hpp"

namespace clack::study {

/// What varies: anything that `--set` of `clack run` takes (a parameter, NAME_0, run.KEY, policies.KEY, tolerances.KEY).
struct Axis {
  std::string name;
  std::vector<std::string>
      values;  // as `--set` takes them; empty where samples are drawn from a range
  double low = 0.0, high = 0.0;  // of a range
  bool is_range = false, is_log = false;
  Place place;
};

/// Cases are drawn instead of taken from the grid of the axes, which are then ranges.
enum class SampleMethod { random, sobol };
struct Sample {
  SampleMethod method = SampleMethod::sobol;
  long count = 0;
  std::uint64_t seed = 1;
  bool is_paired =
      false;  // for sensitivities: two sets A, B of `count` samples, and A with each column of B
};

/// One result of a case, by name.
enum class KeepKind {
  final,  // value of a formula at the end
  maximum,  // over the rows in [from, to]; rows are at multiples of the sample interval and at every event
  minimum,
  mean,     // over time in [from, to], trapezoidal rule on the rows
  count,    // of events of a kind in [from, to]
  section,  // values of a formula at the last K events of a kind, or crossings of a formula
  cycle,    // period, drop or multiplier
  energy,   // a line of the energy ledger
  flag,     // 1 when the run carries it
  derived   // a formula of columns kept before it and parameters
};
enum class Side { before, after };

struct Kept {
  std::string name;
  KeepKind kind = KeepKind::final;
  std::string formula;               // of columns of the trace and parameters
  std::string word;                  // cycle, energy, flag: which
  std::optional<EventKind> event;    // count, section
  std::string contact;               // of the event; empty: any
  std::string crossing;              // section: a formula whose zeros are the events
  std::string direction = "rising";  // of the crossing
  Side side = Side::after;           // of the event
  double from = 0.0, to = std::numeric_limits<double>::infinity();  // s
  int last = 1;      // section: how many values; the latest comes last
  std::string unit;  // for labels
  Place place;

  /// The columns of the table: NAME, or NAME_1 ... NAME_K.
  std::vector<std::string> columns() const;
};

/// A case has the first class whose formula is above zero; an empty formula takes every case.
struct Rule {
  std::string name, formula;
  Place place;
};

/// One threshold: where the class changes between `from` and `to` of one axis.
struct Search {
  std::string axis;
  double from = 0.0, to = 0.0;
  double tolerance = 1e-6;  // of the larger of the two
  Place place;
};

/// Many runs of one model, as plain validated data.
struct Study {
  std::string file, name, about;
  std::string model_file;          // as a path that can be opened
  std::string model_text;          // YAML, with the events that sections and `stop` ask for
  std::vector<Override> settings;  // for all cases
  std::vector<Axis> axes;
  std::optional<Sample> sample;
  std::optional<int> follow;  // axis along which a case starts where its neighbour ended
  std::vector<Kept> keep;
  std::vector<Rule> classify;
  std::string stop;  // formula; a case ends where it becomes positive
  std::optional<Search> search;
  double time_limit = 0.0;  // s of the clock per case; 0: none
  std::map<std::string, std::string>
      units;  // of parameters, coordinates and columns, as far as they are known
  std::uint64_t study_hash = 0, model_hash = 0;  // of the texts of the two files

  std::string where(Place place) const;
};

/// Bounds that stop mistakes; far beyond what is sensible.
struct StudyLimits {
  long cases = 10'000'000;
  int section_values = 10'000;
};

/// Ends of `find` that replace those of the file.
struct Interval {
  std::optional<double> from, to;
};

/// What a study is read for.
enum class Purpose {
  cases,        // the cases of its axes
  sensitivity,  // paired samples of its ranges
  threshold     // its section find
};

/// Reads and checks a study file. Formulas, names of axes and of contacts are tried on the first case before anything
/// runs. Throws ModelError at FILE:LINE:COLUMN with a remedy.
Study read_study(const std::string& path, const std::vector<Override>& settings = {},
                 Purpose purpose = Purpose::cases, const Interval& interval = {});

}  // namespace clack::study
