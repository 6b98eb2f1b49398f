// SPDX-License-Identifier: Apache-2.0
#include "clack/study/case_run.hpp"

#include <array>
#include <chrono>
#include <limits>

#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/number_text.hpp"
#include "clack/study/observe.hpp"

namespace clack::study {
namespace {

constexpr std::array<std::string_view, 4> status_names = {"done", "stopped", "refused",
                                                          "time-limit"};

std::vector<Override> overrides_of(const Study& study, const Case& one,
                                   const std::vector<NamedValue>& start) {
  std::vector<Override> overrides = study.settings;
  for (std::size_t k = 0; k < study.axes.size(); ++k)
    overrides.push_back({study.axes[k].name, one.values[k]});
  for (const NamedValue& value : start)
    overrides.push_back(
        {value.name + "_0", std::string(std::string_view(NumberText(value.value)))});
  return overrides;
}

std::size_t column_count(const Study& study) {
  std::size_t count = 0;
  for (const Kept& kept : study.keep) count += kept.columns().size();
  return count;
}

/// Ends a case when the study or its own limit of time asks for it.
class CaseClock {
 public:
  CaseClock(double limit, const std::function<std::string()>& interruption)
      : limit_(limit), interruption_(interruption) {}
  std::string reason() {
    if (interruption_) {
      std::string reason = interruption_();
      is_interrupted_ = is_interrupted_ || !reason.empty();
      if (is_interrupted_) return reason.empty() ? "interrupted" : reason;
    }
    is_late_ = is_late_ || (limit_ > 0.0 &&
                            std::chrono::duration<double>(Clock::now() - begin_).count() > limit_);
    return is_late_ ? "the time limit of a case is over" : "";
  }
  bool is_interrupted() const { return is_interrupted_; }
  bool is_late() const { return is_late_; }

 private:
  using Clock = std::chrono::steady_clock;
  double limit_;
  const std::function<std::string()>& interruption_;
  Clock::time_point begin_ = Clock::now();
  bool is_interrupted_ = false, is_late_ = false;
};

CaseResult result_of(const Study& study, const Model& model, const Trace& trace,
                     const CaseClock& clock) {
  CaseResult result;
  result.status = clock.is_late()                   ? CaseStatus::time_limit
                  : trace.status == RunStatus::done ? CaseStatus::done
                                                    : CaseStatus::stopped;
  result.reason = trace.status == RunStatus::done ? "" : trace.reason;
  result.values = observe(study, model, trace);
  result.class_name = classify(study, model, trace, result.values);
  if (!study.follow || result.status != CaseStatus::done) return result;
  for (std::size_t i = 0; i < trace.coordinates.size(); ++i)
    result.end.push_back({trace.coordinates[i], trace.final_q[i]});
  for (std::size_t i = 0; i < trace.speeds.size(); ++i)
    result.end.push_back({trace.speeds[i], trace.final_v[i]});
  return result;
}

}  // namespace

std::string_view to_string(CaseStatus status) { return status_names[static_cast<int>(status)]; }

std::optional<CaseStatus> case_status(std::string_view name) {
  for (std::size_t k = 0; k < status_names.size(); ++k)
    if (status_names[k] == name) return static_cast<CaseStatus>(k);
  return std::nullopt;
}

std::optional<CaseResult> run_case(const Study& study, const Case& one,
                                   const std::vector<NamedValue>& start,
                                   const std::function<std::string()>& interruption) {
  CaseResult result;
  CaseClock clock(study.time_limit, interruption);
  try {
    const Model model =
        load_model_text(study.model_text, study.model_file, overrides_of(study, one, start));
    RunOptions options;
    options.interruption = [&] { return clock.reason(); };
    options.fine_rows = false;  // nobody draws a case
    result = result_of(study, model, run(model, options), clock);
    result.is_followed = !start.empty();
  } catch (const InputError& error) {
    if (!start.empty()) return run_case(study, one, {}, interruption);
    result.status = CaseStatus::refused;
    result.reason = std::string(error.what()) + "; " + error.remedy();
    result.values.assign(column_count(study), std::numeric_limits<double>::quiet_NaN());
  }
  if (clock.is_interrupted()) return std::nullopt;
  result.number = one.number;
  return result;
}

}  // namespace clack::study
