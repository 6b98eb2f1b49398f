// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/touch.hpp"
#include "clack/model/contact_source.hpp"

namespace clack {

/// The sides of all contacts between bodies. Features of a shape are made once per body, so that a pair costs nothing
/// until its contacts are asked for.
class SidesTable {
 public:
  /// Throws ModelError when two bodies of a contact have no distance.
  explicit SidesTable(const Model& model);

  ContactSides of(const ContactKey& contact) const;

 private:
  struct BodyFeatures {
    std::vector<Side> points;   // round, without a radius
    std::vector<Side> corners;  // the same points against a box or polyhedron in space
    std::vector<Side> solid,
        solid_edges;          // the box or polyhedron against another one: itself, its edges
    std::vector<Side> shape;  // none or one
    std::vector<Side> vertices, outline_edges;  // of an outline: points; lines, rounds and hollows
  };
  struct Source {
    SourceKind kind = SourceKind::formula;
    bool is_outlines = false, is_solids = false;
    BodyIndex first_body, second_body;
    int first_point = -1, second_point = -1;  // of fixed ends; -1: the shape
    struct Features {
      int first_vertex = 0, vertices = 0, first_edge = 0;  // in the outline of the body
    } first_features, second_features;
  };
  const Side* end(BodyIndex body, int point, bool meets_box) const;
  ContactSides solid_sides(const Source& source, const ContactKey& contact) const;
  ContactSides outline_sides(const Source& source, const ContactKey& contact) const;
  void add_outlines(const Model& model, const Contact& contact, const OutlinePair& pair,
                    Source& source);
  bool is_box(BodyIndex body) const;
  void refuse_unknown(const Model& model, const Contact& contact, const ContactSides& sides) const;

  int dimension_;
  Indexed<BodyFeatures, BodyIndex> bodies_;
  Indexed<Source, SourceIndex> sources_;
};

}  // namespace clack
