// SPDX-License-Identifier: Apache-2.0
// Plots over time that zoom together and share one cursor; strips of modes, portraits and the automaton follow it.
(() => {
  const svgName = "http://www.w3.org/2000/svg";
  const make = (parent, tag, attributes) => {
    const element = document.createElementNS(svgName, tag);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return parent.appendChild(element);
  };
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
  const stored = clack.data("curves") ?? [], modes = clack.data("modes");
  const opened = [];
  /// A line as it was recorded: times and values, both ascending in time; NaN interrupts it.
  const curve = k => opened[k] ??= {t: new Float64Array(bytes(stored[k].t)), y: Float64Array.from(new Float32Array(bytes(stored[k].y)), y => y + stored[k].mid)};
  /// The last point at or before t.
  const before = (times, t) => {
    let low = -1, high = times.length;
    while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= t) low = mid; else high = mid; }
    return low;
  };
  const valueAt = ({t, y}, at) => {
    const k = before(t, at);
    if (k < 0 || (k === t.length - 1 && at > t[k])) return NaN;
    if (t[k] === at || k === t.length - 1) return y[k];
    return y[k] + (at - t[k]) / (t[k + 1] - t[k]) * (y[k + 1] - y[k]);
  };
  const digits = (value, n = 4) => Number.isFinite(value) ? Number(value.toPrecision(n)).toString().replace("-", "−") : "–";

  const plots = [...document.querySelectorAll("svg.linked")].map(svg => {
    const field = svg.querySelector(".field"), data = field.dataset;
    const plot = {svg, field, marks: svg.querySelector(".xmarks"), rungs: svg.querySelector(".ymarks"), read: svg.querySelector(".read"),
      t0: +data.x0, t1: +data.x1, y0: +data.y0, y1: +data.y1, w: field.viewBox.baseVal.width, h: field.viewBox.baseVal.height,
      left: +field.getAttribute("x"), width: +field.getAttribute("width"), top: +field.getAttribute("y"), height: +field.getAttribute("height"),
      isStrip: svg.classList.contains("strip"), isSeen: true};
    plot.lines = [...field.querySelectorAll("path[data-curve]")].map(path => ({path, curve: +path.dataset.curve, whole: path.getAttribute("d")}));
    plot.wholeStrip = plot.isStrip ? field.innerHTML : null;
    plot.wholeRungs = plot.rungs ? plot.rungs.innerHTML : null;
    plot.wholeMarks = plot.marks.innerHTML;
    plot.dots = plot.isStrip ? null : make(field, "path", {class: "dots"});
    svg.setAttribute("tabindex", "0");
    return plot;
  });
  for (const plot of plots) {
    plot.cursor = make(plot.svg, "line", {class: "cursor", y1: plot.top, y2: plot.top + plot.height, visibility: "hidden"});
    plot.zoom = make(plot.svg, "rect", {class: "zoom", y: plot.top, height: plot.height, visibility: "hidden"});
  }
  if ("IntersectionObserver" in window) {
    const watcher = new IntersectionObserver(seen => {
      for (const one of seen) { const plot = plots.find(p => p.svg === one.target); plot.isSeen = one.isIntersecting; if (plot.isSeen) { if (plot.isStale) render(plot); point(shown); } }
    }, {rootMargin: "200px"});
    for (const plot of plots) watcher.observe(plot.svg);
  }
  const all = plots.length ? {t0: Math.min(...plots.map(p => p.t0)), t1: Math.max(...plots.map(p => p.t1))} : {t0: 0, t1: 1};
  const view = {...all};
  const isWhole = () => view.t0 <= all.t0 && view.t1 >= all.t1;
  const inPlot = (plot, t) => plot.left + (t - view.t0) / (view.t1 - view.t0) * plot.width;

  // ---- lines at this zoom: every pixel column keeps its first, lowest, highest and last point --------------------------
  const extremes = ({t, y}) => {
    let low = Infinity, high = -Infinity;
    for (let k = Math.max(0, before(t, view.t0)); k < t.length && (t[k] <= view.t1 || t[k - 1] < view.t1); ++k) {
      let value = y[k];  // at the border of the view the line is cut
      if (t[k] < view.t0) value = valueAt({t, y}, view.t0); else if (t[k] > view.t1) value = valueAt({t, y}, view.t1);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  };
  const draw = (plot, {t, y}, low, high) => {
    const columns = 2 * plot.width, path = [], dots = [];
    const px = time => Math.round((time - view.t0) / (view.t1 - view.t0) * plot.w), py = value => Math.round((high - value) / (high - low) * plot.h);
    let isOn = false, visible = 0;
    const put = k => { path.push((isOn ? "L" : "M") + px(t[k]) + " " + py(y[k])); isOn = true; };
    let k = Math.max(0, before(t, view.t0));
    while (k < t.length) {
      if (Number.isNaN(y[k])) { isOn = false; ++k; continue; }
      const column = Math.floor((t[k] - view.t0) / (view.t1 - view.t0) * columns);
      let end = k, lowest = k, highest = k;
      while (end < t.length && !Number.isNaN(y[end]) && Math.floor((t[end] - view.t0) / (view.t1 - view.t0) * columns) === column) {
        if (y[end] < y[lowest]) lowest = end;
        if (y[end] > y[highest]) highest = end;
        if (++visible < 120 && t[end] >= view.t0 && t[end] <= view.t1) dots.push("M" + px(t[end]) + " " + py(y[end]) + "h0");
        ++end;
      }
      for (const j of [...new Set([k, lowest, highest, end - 1])].sort((a, b) => a - b)) put(j);
      if (t[end - 1] > view.t1) break;
      k = end;
    }
    return {d: path.join(""), dots: visible < 100 ? dots.join("") : ""};
  };
  const steps = (low, high, about) => {
    const rough = (high - low) / about;
    let step = Math.pow(10, Math.floor(Math.log10(rough)));
    step *= [1, 2, 5, 10].find(factor => factor * step >= rough * (1 - 1e-9));
    const list = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low) && list.length < 100; ++k) list.push(k * step);
    return {list, text: value => {
      const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
      return (decimals > 6 || Math.abs(value) >= 1e6 ? value.toExponential(Math.max(0, Math.min(9, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / step))))) : value.toFixed(decimals)).replace("-", "−");
    }};
  };
  const markTimes = plot => {
    if (isWhole()) { plot.marks.innerHTML = plot.wholeMarks; return; }
    const {list, text} = steps(view.t0, view.t1, Math.max(2, Math.round(plot.width / 90)));
    plot.marks.replaceChildren();
    for (const t of list) make(plot.marks, "text", {x: inPlot(plot, t), y: plot.marks.dataset.y, "text-anchor": "middle"}).textContent = text(t);
  };
  const markValues = (plot, low, high) => {
    const {list, text} = steps(low, high, Math.max(2, Math.round(plot.height / 34)));
    plot.rungs.replaceChildren();
    for (const value of list) {
      const y = plot.top + (high - value) / (high - low) * plot.height;
      make(plot.rungs, "line", {class: Math.abs(value) < 1e-12 * (high - low) ? "zero" : "grid", x1: plot.left, x2: plot.left + plot.width, y1: y, y2: y});
      const label = make(plot.rungs, "text", {x: plot.left - 7, y: y + 3.8, "text-anchor": "end"});
      label.textContent = text(value);
      if (label.textContent.length > 7) label.setAttribute("textLength", plot.left - 8), label.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  };
  const renderStrip = plot => {
    if (!modes) { const x = (t => (t - plot.t0) / (plot.t1 - plot.t0) * plot.w); plot.field.setAttribute("viewBox", [x(view.t0), 0, x(view.t1) - x(view.t0), plot.h].join(" ")); return; }
    plot.field.replaceChildren();
    const x = t => Math.min(1, Math.max(0, (t - view.t0) / (view.t1 - view.t0))) * plot.w, names = {s: "stick", l: "slip", n: "on"};
    const begin = Math.max(0, before(modes.t, view.t0)), end = Math.min(modes.t.length - 1, before(modes.t, view.t1) + 1);
    const pixel = 0.5 * plot.w / plot.width;
    for (let row = 0; row < modes.rows; ++row) {
      const top = 100 * (26 * row + 10);
      make(plot.field, "rect", {class: "open", x: 0, y: top, width: plot.w, height: 1200});
      for (let k = begin; k < end;) {
        const letter = modes.names[modes.of[k]][row];
        let next = k + 1;
        while (next < end && modes.names[modes.of[next]][row] === letter) ++next;
        if (letter !== "o") make(plot.field, "rect", {class: names[letter], x: x(modes.t[k]), y: top, width: Math.max(pixel, x(modes.t[next]) - x(modes.t[k])), height: 1200});
        k = next;
      }
      let last = -1;
      for (const t of modes.impacts[row] ?? []) {
        if (t < view.t0 || t > view.t1) continue;
        const at = Math.round(x(t) / 100);
        if (at !== last) make(plot.field, "rect", {class: "hit", x: x(t) - 75, y: top - 600, width: 150, height: 500});
        last = at;
      }
    }
  };
  const render = plot => {
    plot.isStale = false;
    markTimes(plot);
    if (isWhole()) {
      if (plot.isStrip) { plot.field.innerHTML = plot.wholeStrip; plot.field.setAttribute("viewBox", [0, 0, plot.w, plot.h].join(" ")); return; }
      for (const line of plot.lines) line.path.setAttribute("d", line.whole);
      plot.rungs.innerHTML = plot.wholeRungs;
      plot.dots.setAttribute("d", "");
      return;
    }
    if (plot.isStrip) { renderStrip(plot); return; }
    let low = Infinity, high = -Infinity;
    for (const line of plot.lines) { const [a, b] = extremes(curve(line.curve)); low = Math.min(low, a); high = Math.max(high, b); }
    if (!(low <= high)) { low = plot.y0; high = plot.y1; }
    const least = Math.max(1e-12 * Math.max(Math.abs(low), Math.abs(high)), 1e-300);
    if (high - low < least) { low -= Math.max(least, 5e-4 * Math.abs(low)); high += Math.max(least, 5e-4 * Math.abs(high)); }
    const room = 0.05 * (high - low);
    low -= room; high += room;
    let dots = "";
    for (const line of plot.lines) { const drawn = draw(plot, curve(line.curve), low, high); line.path.setAttribute("d", drawn.d || "M0 0"); dots += drawn.dots; }
    plot.dots.setAttribute("d", dots);
    markValues(plot, low, high);
  };
  const renderAll = () => { for (const plot of plots) if (plot.isSeen) render(plot); else plot.isStale = true; };
  const zoomTo = (t0, t1) => {
    const least = Math.max(1e-12, 1e-13 * Math.max(Math.abs(all.t0), Math.abs(all.t1)));
    const span = Math.min(Math.max(t1 - t0, least), all.t1 - all.t0);
    const middle = (t0 + t1) / 2;
    view.t0 = Math.min(Math.max(middle - span / 2, all.t0), all.t1 - span);
    view.t1 = view.t0 + span;
    renderAll();
    point(shown);
    clack.remember("from", isWhole() ? null : view.t0);
    clack.remember("to", isWhole() ? null : view.t1);
  };

  // ---- the cursor, and what follows it ----------------------------------------------------------------------------
  let shown = null;
  const portraits = [...document.querySelectorAll("svg.portrait")].map(svg => {
    const field = svg.querySelector(".field"), data = field.dataset, path = svg.querySelector("path[data-curve-x]");
    if (!path) return null;
    return {svg, x: +path.dataset.curveX, y: +path.dataset.curveY, x0: +data.x0, x1: +data.x1, y0: +data.y0, y1: +data.y1,
      left: +field.getAttribute("x"), top: +field.getAttribute("y"), width: +field.getAttribute("width"), height: +field.getAttribute("height"),
      dot: make(svg, "circle", {class: "here", r: 4, visibility: "hidden"})};
  }).filter(Boolean);
  const places = [...document.querySelectorAll(".location[data-location]")], arrows = [...document.querySelectorAll(".way[data-way]")];
  const rows = [...document.querySelectorAll("#events tbody tr[data-t]")], rowTimes = rows.map(row => +row.dataset.t);
  let litRow = null, litPlace = null;
  const light = t => {
    const k = t === null ? -1 : before(rowTimes, t + 1e-12 * Math.abs(t));
    if (litRow) litRow.classList.remove("now");
    litRow = k >= 0 ? rows[k] : null;
    if (litRow) litRow.classList.add("now");
    if (!modes || !places.length) return;
    const mode = t === null ? -1 : Math.min(before(modes.t, t), modes.of.length - 1), id = mode >= 0 ? String(modes.location[mode]) : null;
    if (id === litPlace) return;
    const way = litPlace + "-" + id;
    for (const arrow of arrows) arrow.classList.toggle("lit", arrow.dataset.way === way);
    litPlace = id;
    for (const place of places) place.classList.toggle("lit", place.dataset.location === id);
  };
  const point = t => {
    shown = t;
    for (const plot of plots) {
      const isIn = t !== null && t >= view.t0 && t <= view.t1;
      plot.cursor.setAttribute("visibility", isIn ? "visible" : "hidden");
      if (!plot.isSeen) continue;
      if (plot.read) plot.read.textContent = "";
      if (!isIn) continue;
      const x = inPlot(plot, t);
      plot.cursor.setAttribute("x1", x); plot.cursor.setAttribute("x2", x);
      if (!plot.read) continue;
      const values = plot.lines.map(line => digits(valueAt(curve(line.curve), t)));
      plot.read.textContent = "t " + Number(t.toPrecision(7)) + (values.length ? "   " + values.join("   ") : "");
    }
    for (const p of portraits) {
      const x = t === null ? NaN : valueAt(curve(p.x), t), y = t === null ? NaN : valueAt(curve(p.y), t);
      p.dot.setAttribute("visibility", Number.isFinite(x + y) ? "visible" : "hidden");
      if (!Number.isFinite(x + y)) continue;
      p.dot.setAttribute("cx", p.left + (x - p.x0) / (p.x1 - p.x0) * p.width);
      p.dot.setAttribute("cy", p.top + (p.y1 - y) / (p.y1 - p.y0) * p.height);
    }
    light(t);
  };
  clack.listen("plots", point);

  // ---- pointer, wheel, keyboard -------------------------------------------------------------------------------------
  const timeAt = (plot, event) => {
    const box = plot.svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * plot.svg.viewBox.baseVal.width;
    return view.t0 + Math.min(1, Math.max(0, (x - plot.left) / plot.width)) * (view.t1 - view.t0);
  };
  const band = (from, to) => {
    for (const plot of plots) {
      plot.zoom.setAttribute("visibility", from === null ? "hidden" : "visible");
      if (from === null) continue;
      const a = inPlot(plot, Math.min(from, to)), b = inPlot(plot, Math.max(from, to));
      plot.zoom.setAttribute("x", a); plot.zoom.setAttribute("width", b - a);
    }
  };
  let drag = null;
  for (const plot of plots) {
    plot.svg.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      drag = {plot, from: timeAt(plot, event), isPan: event.shiftKey, view: {...view}, x: event.clientX};
      plot.svg.focus({preventScroll: true});
      event.preventDefault();
    });
    plot.svg.addEventListener("pointermove", event => {
      if (drag && drag.isPan) {
        const box = plot.svg.getBoundingClientRect(), scale = plot.svg.viewBox.baseVal.width / box.width / plot.width * (drag.view.t1 - drag.view.t0);
        zoomTo(drag.view.t0 - (event.clientX - drag.x) * scale, drag.view.t1 - (event.clientX - drag.x) * scale);
        return;
      }
      const t = timeAt(plot, event);
      point(t);
      if (drag) band(drag.from, t);
    });
    plot.svg.addEventListener("pointerleave", () => { if (!drag) point(clack.now); });
    plot.svg.addEventListener("dblclick", () => zoomTo(all.t0, all.t1));
    plot.svg.addEventListener("wheel", event => {
      if (!(event.ctrlKey || event.altKey || event.shiftKey || document.activeElement === plot.svg)) return;
      event.preventDefault();
      const span = view.t1 - view.t0, turned = event.deltaY || event.deltaX;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey) { zoomTo(view.t0 + 0.001 * event.deltaX * span, view.t1 + 0.001 * event.deltaX * span); return; }
      const factor = Math.exp(0.0015 * turned), t = timeAt(plot, event);
      zoomTo(t - (t - view.t0) * factor, t + (view.t1 - t) * factor);
    }, {passive: false});
    plot.svg.addEventListener("keydown", event => {
      const span = view.t1 - view.t0, middle = (view.t0 + view.t1) / 2;
      const actions = {ArrowLeft: () => zoomTo(view.t0 - 0.2 * span, view.t1 - 0.2 * span), ArrowRight: () => zoomTo(view.t0 + 0.2 * span, view.t1 + 0.2 * span),
        "+": () => zoomTo(middle - 0.35 * span, middle + 0.35 * span), "-": () => zoomTo(middle - 0.7 * span, middle + 0.7 * span),
        "0": () => zoomTo(all.t0, all.t1), Escape: () => zoomTo(all.t0, all.t1)};
      if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
    });
  }
  window.addEventListener("pointerup", event => {
    if (!drag) return;
    const {plot, from, isPan} = drag, t = timeAt(plot, event), low = Math.min(from, t), high = Math.max(from, t);
    drag = null;
    band(null);
    if (isPan) return;
    if (high - low > 0.005 * (view.t1 - view.t0)) zoomTo(low, high); else { clack.seek(t); point(t); }
  });
  const [from, to] = [clack.number("from"), clack.number("to")];
  if (from !== null && to !== null && to > from) zoomTo(from, to);
})();
