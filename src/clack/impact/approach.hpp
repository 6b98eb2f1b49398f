// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/problem.hpp"

namespace clack {

using ContactRows = std::vector<int>;  // contacts of a problem, rising

/// Largest speed and gap rate at the speeds v, m/s: what rates are compared with.
double largest_rate(const ImpactProblem& problem, const Eigen::VectorXd& v);
/// m/s: contacts whose gap rate is below minus this approach. What the problem says, else `part` of
/// the largest relative speed (gap rate or slip component) in `motion` (rows as in Delassus).
double approach_limit_of(const ImpactProblem& problem, const Eigen::VectorXd& motion, double part);
/// v + M^-1 i: the speeds after the external impulse alone.
Eigen::VectorXd free_velocity_of(const ImpactProblem& problem, const Eigen::VectorXd& v);
/// Contacts that do not separate (gap rates up to `zero`), or that the external impulse drives
/// together.
ContactRows taking_part(const ImpactProblem& problem, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& v_free, double zero);
/// Contacts whose gap rate is below -zero.
ContactRows approaching(const ImpactProblem& problem, const Eigen::VectorXd& v, double zero);
/// Of `rows` (not empty) the one that approaches fastest, the first of equals.
int fastest(const ImpactProblem& problem, const Eigen::VectorXd& v, const ContactRows& rows);

}  // namespace clack
