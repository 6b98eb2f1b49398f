// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/study/study.hpp"

namespace clack::study {

enum class Direction { none, up, down };

/// One case of a study: its number and where it stands on every axis.
struct Case {
  long number = 0;
  std::vector<std::string> values;  // per axis, as `--set` takes them
  Direction direction = Direction::none;
};

/// The cases of a study. Without `follow` they are numbered through the grid of the axes, the last axis fastest (or in
/// the order of the samples; paired samples: all of A, all of B, A with the first column of B, ...); with it first all cases followed upwards, in this order, then all followed downwards.
class Cases {
 public:
  explicit Cases(const Study& study);
  long count() const { return count_; }
  Case at(long number) const;
  /// Cases that follow one another, each starting where the one before ended; without `follow` a case each.
  long lane_count() const { return lanes_; }
  std::vector<long> lane(long index) const;

 private:
  std::vector<std::string> sampled(long number) const;
  const Study& study_;
  long grid_ = 1, count_ = 1, lanes_ = 1;
  std::vector<std::vector<double>> samples_;  // per sample, in [0, 1); paired ones: A beside B
};

/// The command that runs a case alone, for people: clack run MODEL --set ...
std::string rerun_command(const Study& study, const Case& one);

}  // namespace clack::study
