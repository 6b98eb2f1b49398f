// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/planar_lcp.hpp"
#include "clack/parts/option.hpp"

namespace clack {

/// Read by decision `lcp` and law `poisson`.
inline Option lcp_size_option() {
  return in_model(choice_option("lcp_size", {"compact", "full"},
                                "unknowns of the linear complementarity problem: c + 2 h or c + 4 "
                                "h for c contacts of which h may stick"),
                  OptionSection::run);
}

}  // namespace clack
