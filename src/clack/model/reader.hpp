// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "clack/model/model.hpp"

namespace clack {

/// `--set NAME=FORMULA`: parameters, start values NAME_0 and NAME_dot_0, run.KEY, policies.KEY,
/// tolerances.KEY. A theory named here brings its own parts; those of the file give way.
struct Override {
  std::string name, formula;
};

/// Reads, expands (repeat), resolves (parameters become numbers) and validates a model file.
/// Throws ModelError with FILE:LINE:COLUMN and a remedy. The graph of the model is sealed: a model is
/// constant, whoever derives from it does so in a copy (own_formulas.hpp).
///
/// `catalogue` says which theories, parts and options exist (hybrid/theory.hpp has the one of this
/// program, and load_model); their names are checked and the options of the chosen parts read. A key
/// that no chosen part reads is refused by naming the parts that would. Without a catalogue names
/// are taken as they are, and parts have no options. `shapes`: the smooth shapes that bodies may have.
Model read_model(const std::string& path, const std::vector<Override>& overrides = {},
                 const PartCatalogue& catalogue = {}, const SmoothShapes& shapes = smooth_shapes());

/// The same from text; `file` is only used in messages.
Model read_model_text(const std::string& yaml, const std::string& file,
                      const std::vector<Override>& overrides = {},
                      const PartCatalogue& catalogue = {},
                      const SmoothShapes& shapes = smooth_shapes());

}  // namespace clack
