// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

/// How much of the variance of a result an axis explains: alone (first order) and with all it takes part in (total).
///
///   S_i  = Var(E[f | x_i]) / Var(f)         = mean( f_B (f_ABi - f_A) ) / V       (Saltelli et al. 2010, table 2 b)
///   ST_i = E[ Var(f | all but x_i) ] / Var(f) = mean( (f_A - f_ABi)^2 ) / (2 V)   (Jansen 1999; table 2 f)
///
/// A and B are two independent sets of N samples, AB_i is A with the column i of B: N (d + 2) cases. f is centred by the mean
/// of A and B together, V is the variance of both. The errors are standard deviations over `bootstrap` resampled sets of
/// samples, drawn with a fixed seed. A sample of which one case has no value is left out with all its cases.
struct AxisSensitivity {
  std::string axis;
  double first = 0.0, first_error = 0.0;
  double total = 0.0, total_error = 0.0;
};

struct Sensitivity {
  std::string column;
  long used = 0, drawn = 0;  // samples
  double mean = 0.0, variance = 0.0;
  std::vector<AxisSensitivity> axes;  // nan where the result does not vary
};

inline constexpr int bootstrap = 200;

/// The indices of one column of a study whose samples are paired.
Sensitivity sensitivity_of(const Study& study, const std::string& name,
                           const std::vector<CaseResult>& results, int column);

nlohmann::ordered_json sensitivity_json(const Sensitivity& sensitivity);
Sensitivity sensitivity_from(const nlohmann::json& json);

/// A table for people.
std::string sensitivity_text(const std::vector<Sensitivity>& all);

/// sensitivity.csv: result, axis, first, first_error, total, total_error, samples.
std::string sensitivity_csv(const std::vector<Sensitivity>& all);

}  // namespace clack::study
