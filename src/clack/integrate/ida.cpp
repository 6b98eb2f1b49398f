// SPDX-License-Identifier: Apache-2.0
#include <ida/ida.h>
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
struct IdaHandles {
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector state = nullptr, rate = nullptr, kind = nullptr, tolerance = nullptr, output = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;

  IdaHandles() = default;
  IdaHandles(const IdaHandles&) = delete;
  IdaHandles& operator=(const IdaHandles&) = delete;
  ~IdaHandles() { release(); }
  void release() {
    if (memory != nullptr) IDAFree(&memory);
    if (solver != nullptr) SUNLinSolFree(solver);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    for (N_Vector* vector : {&state, &rate, &kind, &tolerance, &output}) {
      if (*vector != nullptr) N_VDestroy(*vector);
      *vector = nullptr;
    }
    if (context != nullptr) SUNContext_Free(&context);
    solver = nullptr, matrix = nullptr;
  }
};

/// IDA of SUNDIALS: backward differentiation formulas of variable order up to 5 on the equations with what they keep,
/// stabilised and of index 2 (Gear, Gupta, Leimkuhler 1985; Gear 1986 for invariants):
///
///   dy/dt = f(t, y) + D(t, y) mu,      0 = g(t, y),      mu = 0 on the exact solution.
///
/// So the states of its steps satisfy g to the tolerance of its Newton iteration, whatever the length of the run, and
/// errors of mu are left out of the step control. Without invariants it is an ODE in implicit form.
class Ida final : public Integrator {
 public:
  explicit Ida(const IntegratorOptions& options) : options_(options) {}

  std::string_view name() const override { return "ida"; }
  bool has_history() const override { return true; }
  bool can_keep() const override { return true; }
  void keep(const Invariants& invariants) override { kept_ = invariants; }

  void reset(RightHandSide f, double t, std::span<const double> y, double first_step) override {
    f_ = f;
    counts_ = {};
    const std::size_t m = kept_.count;
    if (before_.size() != y.size() || mu_ != m || handles_.memory == nullptr) allocate(t, y.size(), m);
    std::copy(y.begin(), y.end(), data());
    std::fill_n(data() + y.size(), m, 0.0);
    std::copy(y.begin(), y.end(), before_.begin());
    evaluate(t, data(), rate_.data());
    rate_before_ = rate_;
    is_start_finite_ = std::ranges::all_of(y, is_finite) && std::ranges::all_of(rate_, is_finite);
    if (!begin(t)) is_start_finite_ = false;
    IDASetMaxStep(handles_.memory, bounded(first_step));
    IDASetInitStep(handles_.memory, first_guess(bounded(first_step)));
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
    IDASetStopTime(handles_.memory, t_end);
    double reached = time_;
    was_not_finite_ = false;
    const int flag =
        IDASolve(handles_.memory, t_end, &reached, handles_.state, handles_.rate, IDA_ONE_STEP);
    long failures = 0;
    IDAGetNumErrTestFails(handles_.memory, &failures);
    counts_.rejected = failures;
    if (flag == IDA_ILL_INPUT && t_end - time_ < smallest_step(time_)) return euler_step(t_end);
    if (flag < 0) return failed();
    if (reached < t_end && reached - time_ < smallest_step(time_)) return failed();
    ++counts_.accepted;
    time_ = reached;
    evaluate(time_, data(), rate_.data());
    IDAGetCurrentStep(handles_.memory, &next_step_);
    if (std::exchange(is_first_step_, false))
      IDASetMaxStep(handles_.memory, std::max(options_.largest_step, 0.0));
    return StepStatus::ok;
  }

  double time_before() const override { return time_before_; }
  double time() const override { return time_; }
  std::span<const double> state_before() const override { return before_; }
  std::span<const double> state() const override { return {data(), before_.size()}; }
  std::span<const double> rate_before() const override { return rate_before_; }
  std::span<const double> rate() const override { return rate_; }

  void dense(double t, std::span<double> y) override {
    if (t <= time_before_ || t >= time_) {  // the polynomial meets the start only up to the tolerance
      const std::span<const double> end = t >= time_ ? state() : state_before();
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    IDAGetDky(handles_.memory, t, 0, handles_.output);
    std::copy_n(N_VGetArrayPointer(handles_.output), before_.size(), y.begin());
  }

  double next_step() const override { return next_step_; }
  const IntegratorCounts& counts() const override { return counts_; }

  IntegratorMemory save() const override { refuse_saving(); }
  void restore(RightHandSide, const IntegratorMemory&) override { refuse_saving(); }

 private:
  [[noreturn]] static void refuse_saving() {
    throw InputError("integrator ida: its history cannot be saved and restored", "",
                     "choose --integrator dop853, dopri5 or rk4");
  }
  static bool is_finite(double x) { return std::isfinite(x); }
  double* data() { return N_VGetArrayPointer(handles_.state); }
  const double* data() const { return N_VGetArrayPointer(handles_.state); }

  double bounded(double first_step) const {  // 0 means no bound, here and for IDA
    if (!(first_step > 0.0)) return std::max(options_.largest_step, 0.0);
    return options_.largest_step > 0.0 ? std::min(first_step, options_.largest_step) : first_step;
  }

  /// The first step is one of order 1, with an error of h^2 y''/2: IDA's own guess, tolerance/|y'|, is so short at
  /// tight tolerances that mu, which rounds like y/h, drowns in its rounding.
  double first_guess(double largest) const {
    double fastest = 0.0;
    for (std::size_t i = 0; i < rate_.size(); ++i)
      fastest = std::max(fastest, std::abs(rate_[i]) / (1.0 + std::abs(before_[i])));
    const double tolerance = std::max(options_.relative_tolerance, options_.absolute_tolerance);
    if (!(fastest > 0.0) || !std::isfinite(fastest)) return largest;
    const double guess = std::sqrt(tolerance) / fastest;
    return largest > 0.0 ? std::min(guess, largest) : guess;
  }

  void evaluate(double t, const double* y, double* rate) {
    f_(t, y, rate);
    ++counts_.evaluations;
  }

  /// From the state with its own rates; mu and its rate are zero.
  bool begin(double t) {
    double* rate = N_VGetArrayPointer(handles_.rate);
    std::copy(rate_.begin(), rate_.end(), rate);
    std::fill_n(rate + rate_.size(), mu_, 0.0);
    return IDAReInit(handles_.memory, t, handles_.state, handles_.rate) == IDA_SUCCESS;
  }

  /// IDA calls this; a positive return value asks it for a smaller step.
  static int residual(double t, N_Vector state, N_Vector rate, N_Vector out, void* self) {
    auto& ida = *static_cast<Ida*>(self);
    const std::size_t n = ida.before_.size(), m = ida.mu_;
    const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
    double* r = N_VGetArrayPointer(out);
    ida.evaluate(t, y, r);
    if (m > 0) {
      ida.kept_.directions(ida.kept_.context, t, y, y + n, ida.moved_.data());
      for (std::size_t i = 0; i < n; ++i) r[i] += ida.moved_[i];
      ida.kept_.values(ida.kept_.context, t, y, r + n);
    }
    for (std::size_t i = 0; i < n; ++i) r[i] = dy[i] - r[i];
    if (std::all_of(r, r + n + m, is_finite)) return 0;
    ida.was_not_finite_ = true;
    return 1;
  }

  void allocate(double t, std::size_t n, std::size_t m) {
    handles_.release();
    mu_ = m;
    before_.resize(n), rate_before_.resize(n), rate_.resize(n), moved_.resize(n);
    IdaHandles& h = handles_;
    const auto size = static_cast<sunindextype>(n + m);
    SUNContext_Create(nullptr, &h.context);
    for (N_Vector* vector : {&h.state, &h.rate, &h.kind, &h.tolerance, &h.output})
      *vector = N_VNew_Serial(size, h.context);
    N_VConst(0.0, h.state);
    N_VConst(0.0, h.rate);
    // mu vanishes on the exact solution and rounds like y/h: its size tells nothing about errors of y.
    constexpr double any_size = 1.0;
    double *kind = N_VGetArrayPointer(h.kind), *tolerance = N_VGetArrayPointer(h.tolerance);
    for (std::size_t i = 0; i < n + m; ++i) {
      kind[i] = i < n ? 1.0 : 0.0;
      tolerance[i] = i < n ? options_.absolute_tolerance : any_size;
    }
    h.memory = IDACreate(h.context);
    IDASetErrHandlerFn(
        h.memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDAInit(h.memory, residual, t, h.state, h.rate);
    IDASetUserData(h.memory, this);
    IDASVtolerances(h.memory, options_.relative_tolerance, h.tolerance);
    IDASetId(h.memory, h.kind);
    IDASetSuppressAlg(h.memory, SUNTRUE);
    h.matrix = SUNDenseMatrix(size, size, h.context);
    h.solver = SUNLinSol_Dense(h.state, h.matrix, h.context);
    IDASetLinearSolver(h.memory, h.solver, h.matrix);
  }

  /// The end is a few units in the last place away: an Euler step is exact to rounding.
  StepStatus euler_step(double t_end) {
    for (std::size_t i = 0; i < before_.size(); ++i) data()[i] += (t_end - time_) * rate_before_[i];
    time_ = t_end;
    ++counts_.accepted;
    evaluate(time_, data(), rate_.data());
    begin(time_);
    return StepStatus::ok;
  }

  StepStatus failed() {
    std::copy(before_.begin(), before_.end(), data());
    return was_not_finite_ ? StepStatus::not_finite : StepStatus::step_too_small;
  }

  IntegratorOptions options_;
  IdaHandles handles_;
  RightHandSide f_;
  Invariants kept_;
  std::size_t mu_ = 0;  // how many invariants the memory is made for
  std::vector<double> before_, rate_before_, rate_, moved_;
  IntegratorCounts counts_;
  double time_ = 0.0, time_before_ = 0.0, next_step_ = 0.0;
  bool is_start_finite_ = false, is_first_step_ = true, was_not_finite_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_ida(const IntegratorOptions& options) {
  return std::make_unique<Ida>(options);
}

}  // namespace clack
