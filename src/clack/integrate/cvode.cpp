// SPDX-License-Identifier: Apache-2.0
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/integrate/methods.hpp"
#include "clack/integrate/step_control.hpp"

namespace clack {
namespace {

/// What SUNDIALS hands out, freed in the order it wants.
struct CvodeHandles {
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector state = nullptr, output = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;

  CvodeHandles() = default;
  CvodeHandles(const CvodeHandles&) = delete;
  CvodeHandles& operator=(const CvodeHandles&) = delete;
  ~CvodeHandles() { release(); }
  void release() {
    if (memory != nullptr) CVodeFree(&memory);
    if (solver != nullptr) SUNLinSolFree(solver);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    if (state != nullptr) N_VDestroy(state);
    if (output != nullptr) N_VDestroy(output);
    if (context != nullptr) SUNContext_Free(&context);
    solver = nullptr, matrix = nullptr, state = output = nullptr;
  }
};

/// CVODE of SUNDIALS: backward differentiation formulas of variable order up to 5 with a Newton
/// iteration and a dense difference Jacobian, one internal step at a time. A second opinion for
/// every result, and the choice for stiff forces. Its dense output is the polynomial of its own
/// history (CVodeGetDky).
class Cvode final : public Integrator {
 public:
  explicit Cvode(const IntegratorOptions& options) : options_(options) {}

  std::string_view name() const override { return "cvode"; }
  bool has_history() const override { return true; }

  void reset(RightHandSide f, double t, std::span<const double> y, double first_step) override {
    f_ = f;
    counts_ = {};
    if (before_.size() != y.size() || handles_.memory == nullptr) allocate(t, y.size());
    std::copy(y.begin(), y.end(), data());
    std::copy(y.begin(), y.end(), before_.begin());
    evaluate(t, data(), rate_.data());
    rate_before_ = rate_;
    is_start_finite_ = std::ranges::all_of(y, is_finite) && std::ranges::all_of(rate_, is_finite);
    if (CVodeReInit(handles_.memory, t, handles_.state) != CV_SUCCESS) is_start_finite_ = false;
    CVodeSetMaxStep(handles_.memory, bounded(first_step));
    is_first_step_ = true;
    time_ = time_before_ = t;
    next_step_ = bounded(first_step);
  }

  StepStatus step(double t_end) override {
    std::copy_n(data(), before_.size(), before_.begin());
    rate_before_ = rate_;
    time_before_ = time_;
    if (!is_start_finite_) return StepStatus::not_finite;
    if (!(t_end > time_)) return StepStatus::ok;
    if (counts_.accepted >= options_.step_limit) return StepStatus::limit;
    CVodeSetStopTime(handles_.memory, t_end);
    double reached = time_;
    was_not_finite_ = false;
    const int flag = CVode(handles_.memory, t_end, handles_.state, &reached, CV_ONE_STEP);
    long failures = 0;
    CVodeGetNumErrTestFails(handles_.memory, &failures);
    counts_.rejected = failures;
    if (flag == CV_TOO_CLOSE) return euler_step(t_end);
    if (flag < 0) return failed(flag);
    if (reached < t_end &&
        reached - time_ < smallest_step(time_))  // CVODE itself would go on forever
      return failed(was_not_finite_ ? CV_REPTD_RHSFUNC_ERR : CV_ERR_FAILURE);
    ++counts_.accepted;
    time_ = reached;
    evaluate(time_, data(), rate_.data());
    CVodeGetCurrentStep(handles_.memory, &next_step_);
    if (std::exchange(is_first_step_, false))
      CVodeSetMaxStep(handles_.memory, std::max(options_.largest_step, 0.0));
    return StepStatus::ok;
  }

  double time_before() const override { return time_before_; }
  double time() const override { return time_; }
  std::span<const double> state_before() const override { return before_; }
  std::span<const double> state() const override { return {data(), before_.size()}; }
  std::span<const double> rate_before() const override { return rate_before_; }
  std::span<const double> rate() const override { return rate_; }

  void dense(double t, std::span<double> y) override {
    if (t <= time_before_ ||
        t >= time_) {  // the polynomial meets the start only up to the tolerance
      const std::span<const double> end = t >= time_ ? state() : state_before();
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    CVodeGetDky(handles_.memory, t, 0, handles_.output);
    std::copy_n(N_VGetArrayPointer(handles_.output), before_.size(), y.begin());
  }

  double next_step() const override { return next_step_; }
  const IntegratorCounts& counts() const override { return counts_; }

  IntegratorMemory save() const override { refuse_saving(); }
  void restore(RightHandSide, const IntegratorMemory&) override { refuse_saving(); }

 private:
  [[noreturn]] static void refuse_saving() {
    throw InputError("integrator cvode: its history cannot be saved and restored", "",
                     "choose --integrator dop853, dopri5 or rk4");
  }
  static bool is_finite(double x) { return std::isfinite(x); }
  double* data() { return N_VGetArrayPointer(handles_.state); }
  const double* data() const { return N_VGetArrayPointer(handles_.state); }

  double bounded(double first_step) const {  // 0 means no bound, here and for CVODE
    if (!(first_step > 0.0)) return std::max(options_.largest_step, 0.0);
    return options_.largest_step > 0.0 ? std::min(first_step, options_.largest_step) : first_step;
  }

  void evaluate(double t, const double* y, double* rate) {
    f_(t, y, rate);
    ++counts_.evaluations;
  }

  /// CVODE calls this; a positive return value asks it for a smaller step.
  static int right_hand_side(double t, N_Vector y, N_Vector rate, void* self) {
    double* out = N_VGetArrayPointer(rate);
    auto& cvode = *static_cast<Cvode*>(self);
    cvode.evaluate(t, N_VGetArrayPointer(y), out);
    if (std::all_of(out, out + cvode.before_.size(), is_finite)) return 0;
    cvode.was_not_finite_ = true;
    return 1;
  }

  void allocate(double t, std::size_t n) {
    handles_.release();
    before_.resize(n), rate_before_.resize(n), rate_.resize(n);
    CvodeHandles& h = handles_;
    const auto size = static_cast<sunindextype>(n);
    SUNContext_Create(nullptr, &h.context);
    h.state = N_VNew_Serial(size, h.context);
    h.output = N_VNew_Serial(size, h.context);
    h.memory = CVodeCreate(CV_BDF, h.context);
    CVodeSetErrHandlerFn(
        h.memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
    CVodeInit(h.memory, right_hand_side, t, h.state);
    CVodeSetUserData(h.memory, this);
    CVodeSStolerances(h.memory, options_.relative_tolerance, options_.absolute_tolerance);
    h.matrix = SUNDenseMatrix(size, size, h.context);
    h.solver = SUNLinSol_Dense(h.state, h.matrix, h.context);
    CVodeSetLinearSolver(h.memory, h.solver, h.matrix);
  }

  /// The end is a few units in the last place away: an Euler step is exact to rounding.
  StepStatus euler_step(double t_end) {
    for (std::size_t i = 0; i < before_.size(); ++i) data()[i] += (t_end - time_) * rate_before_[i];
    time_ = t_end;
    ++counts_.accepted;
    evaluate(time_, data(), rate_.data());
    CVodeReInit(handles_.memory, time_, handles_.state);
    return StepStatus::ok;
  }

  StepStatus failed(int flag) {
    std::copy(before_.begin(), before_.end(), data());
    const bool is_not_finite = flag == CV_RHSFUNC_FAIL || flag == CV_FIRST_RHSFUNC_ERR ||
                               flag == CV_REPTD_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR;
    return is_not_finite ? StepStatus::not_finite : StepStatus::step_too_small;
  }

  IntegratorOptions options_;
  CvodeHandles handles_;
  RightHandSide f_;
  std::vector<double> before_, rate_before_, rate_;
  IntegratorCounts counts_;
  double time_ = 0.0, time_before_ = 0.0, next_step_ = 0.0;
  bool is_start_finite_ = false, is_first_step_ = true, was_not_finite_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(const IntegratorOptions& options) {
  return std::make_unique<Cvode>(options);
}

}  // namespace clack
