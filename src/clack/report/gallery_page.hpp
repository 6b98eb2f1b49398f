// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// One model of a gallery, as its card shows it.
struct GalleryCard {
  std::string name = {}, file = {}, about = {};  // as the model says
  std::string theory = {}, status = {};          // "done", "stopped", "failed"
  std::string reason = {};                       // why it stopped or failed
  std::string report = {};   // address of its report, relative to the page; empty: none
  std::string picture = {};  // <svg>, or empty
  std::vector<std::string> figures = {};    // "12 impacts"
  std::vector<std::string> phenomena = {};  // what there is to see in it (phenomena_of)
};

/// What a run shows, in a few fixed words: "limit cycle", "accumulating impacts", ...
std::vector<std::string> phenomena_of(const Trace& trace);

/// The card of a run.
GalleryCard gallery_card(const Trace& trace, const Drawing& drawing, const std::string& about);

/// A page with a card for every model, by theory, and a list of phenomena that leads to the cards.
std::string gallery_html(const std::vector<GalleryCard>& cards);

}  // namespace clack
