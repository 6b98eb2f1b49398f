// SPDX-License-Identifier: Apache-2.0
#include "clack/report/markup.hpp"

namespace clack::report {
namespace {

constexpr std::string_view script_text = R"JS("use strict";
for (const box of document.querySelectorAll("input[type=search]")) {
  const rows = [...document.getElementById(box.dataset.table).tBodies[0].rows];
  const count = document.getElementById(box.dataset.table + "-count");
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? shown + " of " + rows.length + " rows" : "";
  });
}
const svgName = "http://www.w3.org/2000/svg";
const make = (parent, tag, attributes) => {
  const element = document.createElementNS(svgName, tag);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return parent.appendChild(element);
};
const plots = [...document.querySelectorAll("svg.linked")].map(svg => {
  const field = svg.querySelector(".field"), data = field.dataset;
  const plot = {svg, field, marks: svg.querySelector(".xmarks"), read: svg.querySelector(".read"),
    t0: +data.x0, t1: +data.x1, y0: +data.y0, y1: +data.y1,
    w: field.viewBox.baseVal.width, h: field.viewBox.baseVal.height,
    left: +field.getAttribute("x"), width: +field.getAttribute("width"), scale: +data.scale};
  plot.cursor = make(field, "line", {class: "cursor", y1: 0, y2: plot.h, visibility: "hidden"});
  plot.zoom = make(field, "rect", {class: "zoom", y: 0, height: plot.h, visibility: "hidden"});
  return plot;
});
const view = {t0: 0, t1: 1};
if (plots.length) { view.t0 = plots[0].t0; view.t1 = plots[0].t1; }
const points = path => {
  if (path.points) return path.points;
  const xs = [], ys = [];
  for (const part of path.getAttribute("d").split("M").slice(1)) {
    let x = 0, y = 0, isFirst = true;
    const numbers = part.match(/-?\d+/g).map(Number);
    for (let k = 0; k + 1 < numbers.length; k += 2) {
      x = isFirst ? numbers[k] : x + numbers[k];
      y = isFirst ? numbers[k + 1] : y + numbers[k + 1];
      isFirst = false;
      xs.push(x); ys.push(y);
    }
  }
  return path.points = {xs, ys};
};
const valueAt = (plot, path, at) => {
  const {xs, ys} = points(path);
  let low = 0, high = xs.length - 1;
  if (high < 0 || at < xs[0] || at > xs[high]) return null;
  while (high - low > 1) { const mid = (low + high) >> 1; if (xs[mid] <= at) low = mid; else high = mid; }
  const part = xs[high] > xs[low] ? (at - xs[low]) / (xs[high] - xs[low]) : 0;
  const y = ys[low] + part * (ys[high] - ys[low]);
  return plot.y1 + (plot.y0 - plot.y1) * y / plot.h;
};
const digits = value => value === null ? "–" : Number(value.toPrecision(4)).toString().replace("-", "−");
const timeAt = (plot, event) => {
  const box = plot.svg.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * plot.svg.viewBox.baseVal.width;
  const part = Math.min(1, Math.max(0, (x - plot.left) / plot.width));
  return view.t0 + part * (view.t1 - view.t0);
};
const inField = (plot, t) => (t - plot.t0) / (plot.t1 - plot.t0) * plot.w;
const point = t => {
  for (const plot of plots) {
    plot.cursor.setAttribute("visibility", t === null ? "hidden" : "visible");
    if (plot.read) plot.read.textContent = "";
    if (t === null) continue;
    const x = inField(plot, t);
    plot.cursor.setAttribute("x1", x); plot.cursor.setAttribute("x2", x);
    if (!plot.read) continue;
    const values = [...plot.field.querySelectorAll("path[data-name]")].map(path => digits(valueAt(plot, path, x)));
    plot.read.textContent = "t " + Number(t.toPrecision(6)) + (values.length ? "   " + values.join("   ") : "");
  }
};
const remark = plot => {
  const range = view.t1 - view.t0, rough = range / Math.max(2, Math.round(plot.width / 80));
  let step = Math.pow(10, Math.floor(Math.log10(rough)));
  step *= [1, 2, 5, 10].find(factor => factor * step >= rough * (1 - 1e-9));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  plot.marks.replaceChildren();
  const y = +plot.marks.dataset.y;
  for (let k = Math.ceil(view.t0 / step - 1e-9); k * step <= view.t1 + 1e-9 * range; ++k) {
    const x = plot.left + plot.width * (k * step - view.t0) / range;
    make(plot.marks, "text", {x, y, "text-anchor": "middle"}).textContent = (k * step).toFixed(decimals).replace("-", "−");
  }
};
const zoomTo = (t0, t1) => {
  view.t0 = t0; view.t1 = t1;
  for (const plot of plots) {
    const x = inField(plot, t0);
    plot.field.setAttribute("viewBox", [x, 0, inField(plot, t1) - x, plot.h].join(" "));
    remark(plot);
  }
};
for (const plot of plots) {
  let from = null;
  plot.svg.addEventListener("mousedown", event => { from = timeAt(plot, event); event.preventDefault(); });
  plot.svg.addEventListener("mousemove", event => {
    const t = timeAt(plot, event);
    point(t);
    if (from === null) return;
    for (const other of plots) {
      const a = inField(other, Math.min(from, t)), b = inField(other, Math.max(from, t));
      other.zoom.setAttribute("x", a); other.zoom.setAttribute("width", b - a);
      other.zoom.setAttribute("visibility", "visible");
    }
  });
  plot.svg.addEventListener("mouseleave", () => { if (from === null) point(null); });
  plot.svg.addEventListener("dblclick", () => zoomTo(plot.t0, plot.t1));
  window.addEventListener("mouseup", event => {
    if (from === null) return;
    const t = timeAt(plot, event), low = Math.min(from, t), high = Math.max(from, t);
    from = null;
    for (const other of plots) other.zoom.setAttribute("visibility", "hidden");
    if (high - low > 0.005 * (view.t1 - view.t0)) zoomTo(low, high);
  });
}
)JS";

}  // namespace

std::string_view page_script() { return script_text; }

}  // namespace clack::report
