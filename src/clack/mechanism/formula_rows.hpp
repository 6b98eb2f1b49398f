// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "clack/bounded_cache.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/constraint_rows.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/embedded_program.hpp"
#include "clack/mechanism/equations.hpp"
#include "clack/mechanism/gap_motion.hpp"
#include "clack/mechanism/snapshot.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// Contacts given by formulas (by source) and constraints whose rows are wanted, ascending.
struct FormulaSelection {
  std::vector<SourceIndex> sources;
  std::vector<int> constraints;
  friend auto operator<=>(const FormulaSelection&, const FormulaSelection&) = default;
};

/// A number that stands in the buffer of a snapshot for good, of one that has a mass matrix of its own.
struct SnapshotConstant {
  int at = 0;
  double value = 0.0;
};

/// What formulas give of a snapshot, in one program: equations of motion (where those are formulas), contacts given by
/// formulas, constraints. It writes the buffer of a snapshot that has these rows and no others, from `begin_in` on.
/// A mass matrix and rows that are numbers are not part of it; they are written once.
struct CompiledRows {
  symbolic::Program program;
  int contacts = 0, constraint_rows = 0;
  int begin =
      0;  // 0 (mass matrix), or where the forces begin, or where the contacts begin when no equations are formulas
  bool has_constant_mass = false, has_constant_rows = false;
  std::vector<SnapshotConstant> constant_rows;  // that differ from zero
  std::vector<Expression> formulas;  // of the program, where mass matrix and rows are constant

  /// Places in the buffer of a snapshot that shares its mass matrix come so much earlier.
  static int shift_in(const Snapshot& s) { return s.speeds() * s.speeds() - s.at_force(); }
  int begin_in(const Snapshot& s) const { return begin - shift_in(s); }
};

/// All rows of a model that are formulas. Programs are compiled per selection, the latest `program_bound` are kept.
class FormulaRows {
 public:
  static constexpr std::size_t cost_alone = 8;  // of one gap, in gaps computed together
  static constexpr std::size_t program_bound =
      64;  // modes that a mechanism changes between; each some kB of code

  /// `equations`: nothing where mass matrix and force are computed in numbers.
  FormulaRows(const Model& model, const MotionSymbols& motion,
              const std::optional<Equations>& equations);

  int constraint_rows(int constraint) const { return number_of(constraints_[constraint]); }
  bool has_contact(SourceIndex source) const { return contact_at_[source] >= 0; }
  /// A mass matrix that is constant, by rows; none: it varies.
  const std::shared_ptr<const std::vector<double>>& constant_mass() const { return constant_mass_; }
  std::shared_ptr<const CompiledRows> compiled(const FormulaSelection& selection);
  std::size_t kept_programs() const { return programs_.size(); }
  /// Made by the same formulas in another graph, where rows or masses vary: constant ones are computed on with their formulas.
  void take(const FormulaSelection& selection, std::shared_ptr<const CompiledRows> rows);
  void keep(std::size_t programs) { programs_.raise_bound(programs); }

  /// The embedded equations of rows that all are formulas; `is_stick` per contact of the selection. Nothing where mass matrix
  /// and force are not formulas.
  std::shared_ptr<EmbeddedProgram> embedded(const FormulaSelection& selection,
                                            const std::vector<bool>& is_stick,
                                            const Elimination& order) const;
  /// Its rows: which speeds stand in each of them.
  std::vector<std::vector<bool>> pattern(const FormulaSelection& selection,
                                         const std::vector<bool>& is_stick) const;

  /// Gaps of some contacts (sources, ascending). `inputs`: t, coordinates, speeds, accelerations. Each contact has a
  /// program of its own, made when it is first asked for alone; many are computed together.
  /// Asked twice for one state, they are computed once.
  void gap_motion(const double* inputs, GapOrder order, std::span<const SourceIndex> sources,
                  std::span<GapMotion> motion);
  /// Whether so many contacts are worth computing all that the model has, where those are formulas and nothing else: then
  /// a contact is where its source is.
  bool are_most(std::size_t contacts) const {
    return is_cheaper_together(contacts) && number_of(contacts_) == contact_at_.size();
  }
  void most_gap_motions(const double* inputs, GapOrder order, std::span<const ContactKey> contacts,
                        std::span<GapMotion> motion);

 private:
  std::vector<EmbeddedRow> rows_of(const FormulaSelection& selection,
                                   const std::vector<bool>& is_stick) const;
  std::shared_ptr<CompiledRows> compile(const FormulaSelection& selection) const;
  /// All contacts in one program, or some of them one by one: that costs a call and what they share each time.
  bool is_cheaper_together(std::size_t contacts) const {
    return (contacts > 1 ? cost_alone : 2) * contacts > contacts_.size();
  }
  void compute_all(const double* inputs, GapOrder order);
  void take(std::size_t contact, GapMotion& to) const;

  MotionSymbols motion_;
  int tangents_;
  std::optional<Equations> equations_;
  std::shared_ptr<const std::vector<double>> constant_mass_;
  Indexed<int, SourceIndex> contact_at_;  // index below, or -1
  std::vector<ContactFormulas> contacts_;
  std::vector<std::vector<ConstraintRow>> constraints_;
  BoundedCache<FormulaSelection, const CompiledRows> programs_{program_bound};
  std::vector<Expression> gap_inputs_, gap_outputs_;  // three outputs per contact
  symbolic::Program all_gaps_, all_rates_;            // with and without accelerations
  std::vector<double> state_;  // t, coordinates, speeds that values_ belong to
  bool has_state_ = false;
  std::vector<std::optional<symbolic::Program>> single_gaps_;
  std::vector<double> values_, rates_;  // of all_gaps_, and of all_rates_
  bool has_accelerations_ = false;      // values_ are those of the state, else rates_
};

}  // namespace clack
