// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/validate.hpp"

#include <Eigen/Eigenvalues>
#include <set>

#include "clack/contact/tolerances.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

using Limits = ValidationLimits;

void require_limit(std::string_view what, Eigen::Index count, int limit, const std::string& where) {
  if (count <= limit) return;
  throw InputError(fmt::format("{} {} are too many, at most {} are treated", count, what, limit),
                   where, "split the problem, or use clack solve friction for large ones");
}

void require_shape(std::string_view name, const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                   Eigen::Index rows, Eigen::Index columns, const std::string& where) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw InputError(fmt::format("{} is {} x {}, must be {} x {}", name, matrix.rows(), matrix.cols(),
                               rows, columns),
                   where, "rows belong to contacts (or constraints), columns to speeds");
}

void require_size(std::string_view name, const Eigen::VectorXd& vector, Eigen::Index size,
                  const std::string& where, bool may_be_empty) {
  if (vector.size() == size || (may_be_empty && vector.size() == 0)) return;
  throw InputError(fmt::format("{} has {} numbers, must have {}", name, vector.size(), size), where,
                   fmt::format("give exactly {} numbers", size));
}

void require_finite(std::string_view name, const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                    const std::string& where) {
  if (matrix.allFinite()) return;
  throw InputError(fmt::format("{} holds a number that is not finite", name), where,
                   "write finite numbers only");
}

void require_mass_matrix(const ContactSystem& system, const std::string& where) {
  const Eigen::MatrixXd& m = system.mass_matrix;
  const Eigen::Index n = m.rows();
  const auto place = [](Eigen::Index i, Eigen::Index j) {
    return fmt::format("({}, {})", i + 1, j + 1);
  };
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i + 1; j < n; ++j) {
      const double size =
          std::max({std::abs(m(i, j)), std::abs(m(j, i)), std::sqrt(std::abs(m(i, i) * m(j, j)))});
      if (std::abs(m(i, j) - m(j, i)) > contact_tolerances.symmetry * size)
        throw InputError(fmt::format("mass_matrix is not symmetric: {} is {:.17g}, {} is {:.17g}",
                                     place(i, j), m(i, j), place(j, i), m(j, i)),
                         where, "give both halves of the matrix the same numbers");
    }
  // Positive definite means: also after scaling to a unit diagonal, so units do not matter.
  const Eigen::VectorXd diagonal = m.diagonal();
  bool is_definite = n == 0 || diagonal.minCoeff() > 0.0;
  if (is_definite && n > 0) {
    const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
    const Eigen::LLT<Eigen::MatrixXd> factor(scale.asDiagonal() * m * scale.asDiagonal());
    is_definite = factor.info() == Eigen::Success &&
                  Eigen::MatrixXd(factor.matrixL()).diagonal().minCoeff() > 1e-8;
  }
  if (is_definite) return;
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
  throw InputError(
      fmt::format("mass_matrix is not positive definite: its smallest eigenvalue is {:.6g}",
                  smallest),
      where, "every speed needs inertia; remove massless speeds by constraints");
}

void require_range(const std::string& contact, std::string_view name, double value, double low,
                   double high, const std::string& where, std::string_view remedy) {
  if (value >= low && value <= high) return;
  throw InputError(fmt::format("contact {}: {} is {:.6g}, must be in [{:g}, {:g}]", contact, name,
                               value, low, high),
                   where, std::string(remedy));
}

void require_material(const std::string& contact, const ContactMaterial& material,
                      const std::string& where, const Limits& limits) {
  constexpr double huge = 1e100;
  require_range(contact, "dynamic_friction", material.dynamic_friction, 0.0, huge, where,
                "friction coefficients are not negative");
  require_range(contact, "static_friction", material.static_friction, 0.0, huge, where,
                "friction coefficients are not negative");
  if (material.static_friction < material.dynamic_friction)
    throw InputError(
        fmt::format("contact {}: static_friction is {:.6g}, below dynamic_friction {:.6g}", contact,
                    material.static_friction, material.dynamic_friction),
        where, "static friction is at least the dynamic one");
  require_range(contact, "restitution", material.restitution, limits.lowest_restitution, 1.0, where,
                "use 0 for no rebound, 1 for a full one");
  require_range(contact, "tangential_restitution", material.tangential_restitution, -1.0, 1.0,
                where, "use 0 for none");
  require_range(contact, "reversibility", material.reversibility, 0.0, 1.0, where,
                "use 0 for none, 1 for full");
  if (!(material.stiffness > 0.0) || !std::isfinite(material.stiffness))
    throw InputError(fmt::format("contact {}: stiffness is {:.6g}, must be above 0", contact,
                                 material.stiffness),
                     where, "only the ratio to the other contacts counts; 1 is the default");
}

void require_unit(const std::string& contact, std::string_view name,
                  const Eigen::Vector3d& direction, const std::string& where) {
  const double length = direction.norm();
  if (std::abs(length - 1.0) <= contact_tolerances.unit_length) return;
  throw InputError(
      fmt::format("contact {}: {} ({:.6g}, {:.6g}, {:.6g}) has length {:.9g}, must be 1", contact,
                  name, direction.x(), direction.y(), direction.z(), length),
      where, length > 0.0 ? "divide it by its length" : "give a direction of length 1");
}

void require_geometry(const std::string& contact, const ContactGeometry& geometry,
                      const std::string& where) {
  if (geometry.normal) require_unit(contact, "normal", *geometry.normal, where);
  for (const Eigen::Vector3d& tangent : geometry.tangents) {
    require_unit(contact, "tangent", tangent, where);
    const double product = geometry.normal ? tangent.dot(*geometry.normal) : 0.0;
    if (!(std::abs(product) <= contact_tolerances.unit_length))
      throw InputError(fmt::format("contact {}: a tangent is not orthogonal to the normal (their "
                                   "product is {:.6g})",
                                   contact, product),
                       where,
                       "tangents are orthogonal to the normal; leave them out to take its own");
  }
  if (!geometry.body_b.empty() && geometry.body_a == geometry.body_b)
    throw InputError(fmt::format("contact {}: both bodies are {}", contact, geometry.body_a), where,
                     "a contact is between two bodies; one of them may be ground");
}

void require_contacts(const ContactSystem& system, const std::string& where, const Limits& limits) {
  const std::size_t c = system.contacts();
  if (system.materials.size() != c || system.names.size() != c)
    throw InputError(fmt::format("{} contacts have {} materials and {} names", c,
                                 system.materials.size(), system.names.size()),
                     where, "give every contact one of each");
  if (!system.geometry.empty() && system.geometry.size() != c)
    throw InputError(fmt::format("{} contacts have {} geometries", c, system.geometry.size()),
                     where, "give the geometry of all contacts or of none");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < c; ++i) {
    if (!names.insert(system.names[i]).second)
      throw InputError(fmt::format("two contacts are called {}", system.names[i]), where,
                       "give every contact its own name");
    require_material(system.names[i], system.materials[i], where, limits);
    if (!system.geometry.empty()) require_geometry(system.names[i], system.geometry[i], where);
  }
}

}  // namespace

void validate(const ContactSystem& system, const std::string& where, const Limits& limits) {
  if (system.dimension != 2 && system.dimension != 3)
    throw InputError(fmt::format("dimension is {}, must be 2 or 3", system.dimension), where,
                     "use 2 in the plane, 3 in space");
  const Eigen::Index n = system.velocity.size(), c = system.normal_jacobian.rows();
  const Eigen::Index k = c * system.tangents();
  require_limit("speeds", n, limits.speeds, where);
  require_limit("contacts", c, limits.contacts, where);
  require_limit("bilateral rows", system.bilateral.rows(), limits.bilateral_rows, where);
  if (n == 0) throw InputError("there are no speeds", where, "give velocity at least one number");
  require_shape("mass_matrix", system.mass_matrix, n, n, where);
  require_shape("normal rows", system.normal_jacobian, c, n, where);
  require_shape("tangent rows", system.tangent_jacobian, k, n, where);
  if (system.bilateral.rows() > 0)
    require_shape("bilateral", system.bilateral, system.bilateral.rows(), n, where);
  require_size("normal surface velocity", system.normal_surface_velocity, c, where, true);
  require_size("tangent surface velocity", system.tangent_surface_velocity, k, where, true);
  require_finite("mass_matrix", system.mass_matrix, where);
  require_finite("velocity", system.velocity, where);
  require_finite("bilateral", system.bilateral, where);
  require_finite("normal rows", system.normal_jacobian, where);
  require_finite("tangent rows", system.tangent_jacobian, where);
  require_finite("surface velocity", system.normal_surface_velocity, where);
  require_finite("surface velocity", system.tangent_surface_velocity, where);
  require_mass_matrix(system, where);
  require_contacts(system, where, limits);
}

void validate(const ImpactProblem& problem, const std::string& where, const Limits& limits) {
  validate(static_cast<const ContactSystem&>(problem), where, limits);
  require_size("external_impulse", problem.external_impulse, problem.speeds(), where, true);
  require_size("bilateral_velocity", problem.bilateral_velocity, problem.bilateral.rows(), where,
               true);
  require_finite("external_impulse", problem.external_impulse, where);
  require_finite("bilateral_velocity", problem.bilateral_velocity, where);
  if (problem.approach_limit && !(*problem.approach_limit >= 0.0))
    throw InputError(fmt::format("approach_limit is {:.6g}", *problem.approach_limit), where,
                     "give a speed that is not negative");
}

void validate(const ContactProblem& problem, const std::string& where, const Limits& limits) {
  validate(static_cast<const ContactSystem&>(problem), where, limits);
  require_size("force", problem.force, problem.speeds(), where, false);
  require_size("bilateral_bias", problem.bilateral_bias, problem.bilateral.rows(), where, true);
  require_size("gap_bias", problem.gap_bias, problem.contacts(), where, true);
  require_size("slip_bias", problem.slip_bias, problem.contacts() * problem.tangents(), where,
               true);
  require_finite("force", problem.force, where);
  require_finite("bilateral_bias", problem.bilateral_bias, where);
  require_finite("gap_bias", problem.gap_bias, where);
  require_finite("slip_bias", problem.slip_bias, where);
}

}  // namespace clack
