// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/semidefinite_program.hpp"

#include <array>
#include <cstdlib>

#include "clack/index.hpp"
#include "clack/linalg/tolerances.hpp"

extern "C" {
#include <csdp/declarations.h>
}

namespace clack {

namespace {

// CSDP counts from 1 everywhere; element 0 of each array below is unused.

class BlockMatrix {  // storage shaped like another block matrix
 public:
  enum class Shape { full, packed };
  BlockMatrix(const ::blockmatrix& like, Shape shape) : shape_(shape) {
    shape == Shape::full ? alloc_mat(like, &matrix_) : alloc_mat_packed(like, &matrix_);
  }
  ~BlockMatrix() { shape_ == Shape::full ? free_mat(matrix_) : free_mat_packed(matrix_); }
  BlockMatrix(const BlockMatrix&) = delete;
  BlockMatrix& operator=(const BlockMatrix&) = delete;
  ::blockmatrix& get() { return matrix_; }

 private:
  Shape shape_;
  ::blockmatrix matrix_{};
};

struct TermBlock {  // one block of one F_i
  std::vector<double> entries{0.0};
  std::vector<int> rows{0}, columns{0};
  ::sparseblock link{};
};

class CsdpProblem {
 public:
  explicit CsdpProblem(const SemidefiniteProgram& program)
      : terms_(number_of(program.cost)), cost_(program.cost.size() + 1, 0.0) {
    make_constant(program);
    for (int i = 0; i < terms_; ++i) cost_[i + 1] = program.cost[i];
    make_terms(program);
    link_terms();
  }

  int size() const { return size_; }
  int terms() const { return terms_; }
  double* cost() { return cost_.data(); }
  ::blockmatrix& constant() { return constant_; }
  ::constraintmatrix* constraints() { return constraints_.data(); }
  ::sparseblock** first_by_block() { return first_by_block_.data(); }

 private:
  // F_0, dense by block.
  void make_constant(const SemidefiniteProgram& program) {
    const int count = number_of(program.blocks);
    values_.resize(count + 1);
    records_.resize(count + 1);
    for (int b = 1; b <= count; ++b) {
      const auto& block = program.blocks[b - 1];
      size_ += block.size;
      values_[b].assign(block.is_diagonal ? block.size + 1 : block.size * block.size, 0.0);
      records_[b].blockcategory = block.is_diagonal ? DIAG : MATRIX;
      records_[b].blocksize = block.size;
      records_[b].data.mat = values_[b].data();
    }
    for (const auto& e : program.terms[0]) {
      const auto& block = program.blocks[e.block];
      auto& values = values_[e.block + 1];
      if (block.is_diagonal) {
        values[e.row + 1] += e.value;
      } else {
        values[e.row + e.column * block.size] += e.value;
        if (e.row != e.column) values[e.column + e.row * block.size] += e.value;
      }
    }
    constant_.nblocks = count;
    constant_.blocks = records_.data();
  }

  void make_terms(const SemidefiniteProgram& program) {
    const int count = number_of(program.blocks);
    parts_.resize(terms_ + 1);
    constraints_.resize(terms_ + 1);
    for (int i = 1; i <= terms_; ++i) {
      parts_[i].resize(count + 1);
      for (const auto& e : program.terms[i]) {
        auto& part = parts_[i][e.block + 1];
        part.entries.push_back(e.value);
        part.rows.push_back(e.row + 1);
        part.columns.push_back(e.column + 1);
      }
      ::sparseblock** tail = &constraints_[i].blocks;
      *tail = nullptr;
      for (int b = 1; b <= count; ++b) {
        auto& part = parts_[i][b];
        if (part.entries.size() == 1) continue;
        part.link.entries = part.entries.data();
        part.link.iindices = part.rows.data();
        part.link.jindices = part.columns.data();
        part.link.numentries = number_of(part.entries) - 1;
        part.link.blocknum = b;
        part.link.blocksize = program.blocks[b - 1].size;
        part.link.constraintnum = i;
        part.link.issparse = 1;
        *tail = &part.link;
        tail = &part.link.next;
      }
    }
  }

  // For each block the chain of terms that reach into it.
  void link_terms() {
    first_by_block_.assign(records_.size(), nullptr);
    for (std::size_t b = 1; b < records_.size(); ++b) {
      ::sparseblock** tail = &first_by_block_[b];
      for (int i = 1; i <= terms_; ++i) {
        if (parts_[i][b].entries.size() == 1) continue;
        *tail = &parts_[i][b].link;
        tail = &parts_[i][b].link.nextbyblock;
      }
    }
  }

  int size_ = 0, terms_ = 0;
  std::vector<double> cost_;
  std::vector<std::vector<double>> values_;
  std::vector<::blockrec> records_;
  ::blockmatrix constant_{};
  std::vector<std::vector<TermBlock>> parts_;
  std::vector<::constraintmatrix> constraints_;
  std::vector<::sparseblock*> first_by_block_;
};

// Without perturbing the objective.
::paramstruc parameters() {
  ::paramstruc p{};
  p.axtol = sdp_tolerances.feasibility;
  p.atytol = sdp_tolerances.feasibility;
  p.objtol = sdp_tolerances.gap;
  p.pinftol = sdp_tolerances.infeasibility;
  p.dinftol = sdp_tolerances.infeasibility;
  p.maxiter = sdp_tolerances.iterations;
  p.minstepfrac = sdp_tolerances.smallest_fraction;
  p.maxstepfrac = sdp_tolerances.largest_fraction;
  p.minstepp = sdp_tolerances.smallest_step;
  p.minstepd = sdp_tolerances.smallest_step;
  p.usexzgap = 1;
  p.tweakgap = 0;
  p.affine = 0;
  p.perturbobj = 0;
  p.fastmode = 0;
  return p;
}

void free_fill(::constraintmatrix& fill) {
  for (::sparseblock* p = fill.blocks; p != nullptr;) {
    ::sparseblock* next = p->next;
    std::free(p->entries);
    std::free(p->iindices);
    std::free(p->jindices);
    std::free(p);
    p = next;
  }
}

int run(CsdpProblem& problem, std::vector<double>& y, double& primal, double& dual) {
  constexpr int silent = 0;
  const int n = problem.size(), k = problem.terms();
  ::blockmatrix& C = problem.constant();
  using enum BlockMatrix::Shape;
  BlockMatrix work1(C, full), work2(C, full), work3(C, full), Zi(C, full), dZ(C, full), dX(C, full);
  BlockMatrix best_x(C, packed), best_z(C, packed), chol_x(C, packed), chol_z(C, packed);
  std::array<std::vector<double>, 9> vectors;
  for (auto& v : vectors) v.assign(std::max(n, k) + 1, 0.0);
  std::array<std::vector<double>, 5> small;  // besty, rhs, dy, dy1, Fp
  for (auto& v : small) v.assign(k + 1, 0.0);
  std::vector<double> O(static_cast<std::size_t>(k + 1) * (k + 1), 0.0);

  ::constraintmatrix fill{};
  makefill(k, C, problem.constraints(), &fill, work1.get(), silent);
  sort_entries(k, C, problem.constraints());
  ::blockmatrix X{}, Z{};
  double* start = nullptr;
  initsoln(n, k, C, problem.cost(), problem.constraints(), &X, &start, &Z);
  const int code = sdp(
      n, k, C, problem.cost(), 0.0, problem.constraints(), problem.first_by_block(), fill, X, start,
      Z, chol_x.get(), chol_z.get(), &primal, &dual, work1.get(), work2.get(), work3.get(),
      vectors[0].data(), vectors[1].data(), vectors[2].data(), vectors[3].data(), vectors[4].data(),
      vectors[5].data(), vectors[6].data(), vectors[7].data(), vectors[8].data(), best_x.get(),
      small[0].data(), best_z.get(), Zi.get(), O.data(), small[1].data(), dZ.get(), dX.get(),
      small[2].data(), small[3].data(), small[4].data(), silent, parameters());
  y.assign(start, start + k + 1);
  std::free(start);
  free_mat(X);
  free_mat(Z);
  free_fill(fill);
  return code;
}

}  // namespace

/// The body of `solve`.
extern "C" void clack_solve_semidefinite_program(const SemidefiniteProgram& program,
                                                 SdpResult& out) {
  CsdpProblem problem(program);
  std::vector<double> y;
  double primal = 0.0, dual = 0.0;
  out.solver_code = run(problem, y, primal, dual);
  // CSDP's dual is our program: code 1 (its primal has no point) means ours is unbounded, code 2
  // that ours has no point. Codes 5 to 7 (stuck at an edge, no progress) still carry the best
  // point; the caller judges it.
  switch (out.solver_code) {
    case 0:
      out.status = SdpStatus::solved;
      break;
    case 1:
      out.status = SdpStatus::unbounded;
      break;
    case 2:
      out.status = SdpStatus::infeasible;
      break;
    case 3:
    case 5:
    case 6:
    case 7:
      out.status = SdpStatus::reduced_accuracy;
      break;
    default:
      out.status = SdpStatus::failed;
      break;
  }
  out.x = Eigen::Map<const Eigen::VectorXd>(y.data() + 1, program.cost.size());
  out.objective = program.cost.dot(out.x);
}

}  // namespace clack
