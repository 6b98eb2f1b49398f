#pragma once
#include <string>
#include <utility>
#include <vector>

#include "clack/model/model.hpp"

namespace clack {

/// `--set NAME=FORMULA`: parameters, start values NAME_0 and NAME_dot_0.
struct Override {
  std::string name, formula;
};

/// Reads, expands (repeat), resolves (parameters become numbers) and validates a model file.
/// Throws ModelError with FILE:LINE:COLUMN and a remedy. The graph of the model is sealed: a model is
/// constant, whoever derives from it does so in a copy (own_formulas.hpp).
Model read_model(const std::string& path, const std::vector<Override>& overrides = {});

/// The same from text; `file` is only used in messages.
Model read_model_text(const std::string& yaml, const std::string& file,
                      const std::vector<Override>& overrides = {});

}  // namespace clack
