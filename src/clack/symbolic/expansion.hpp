// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// Whether a formula is the number zero wherever it is defined, proved by multiplying it out: sums, products, quotients
/// and whole powers become a sum of monomials c a1^n1 a2^n2 ..., in which symbols and functions of anything (sin(x),
/// sqrt(y), sums in a denominator) are atoms. True when every coefficient cancels to rounding of its terms. False says
/// nothing: identities of the functions themselves (sin^2 + cos^2 = 1) are not known here, and a formula of more than
/// `most_terms` monomials is not multiplied out.
bool is_identically_zero(Expression e, std::size_t most_terms = 4096);

}  // namespace clack::symbolic
