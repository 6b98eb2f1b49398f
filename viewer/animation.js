// SPDX-License-Identifier: Apache-2.0
// Plays the pictures of a run (or of several runs, at the same time).
(() => {
  const el = name => document.getElementById(name);
  const canvases = [...document.querySelectorAll("canvas.stage")];
  if (!canvases.length) return;
  const colour = clack.colour;
  const runs = canvases.map(canvas => ({canvas, ...clack.data(canvas.dataset.pictures)}));
  const first = Math.min(...runs.map(r => r.t[0])), last = Math.max(...runs.map(r => r.t.at(-1))), span = Math.max(last - first, 1e-12);
  const events = [...new Map(runs.flatMap(r => r.events).map(e => [e[0], e])).values()].sort((a, b) => a[0] - b[0]);
  const cycle = runs.length === 1 ? runs[0].cycle : null;
  let now = first, isPlaying = false, drawnAt = 0;

  const mix = (a, b, f) => a.map((x, i) => x + f * (b[i] - x));
  /// The frame at or before t and how far it is to the next one; at an instant with two frames the later one.
  const frameAt = (times, t) => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= t) low = mid; else high = mid; }
    if (times[high] <= t) return [high, 0];
    return [low, times[high] > times[low] ? (t - times[low]) / (times[high] - times[low]) : 0];
  };
  /// The length that is drawn 60 pixels long: nearly the largest.
  const nearlyLargest = vectors => {
    const all = vectors.map(v => Math.hypot(...v)).filter(length => length > 0).sort((a, b) => a - b);
    return all.length ? all[Math.floor(0.95 * (all.length - 1))] : 0;
  };
  const n = runs[0].dimension;
  const hit = Math.max(...runs.map(r => nearlyLargest(r.impulses.map(i => i.slice(2 + n))))), impulse = hit || 1;
  const pushed = Math.max(...runs.map(r => nearlyLargest(r.contacts.flat().map(c => c.slice(2 + n)))));
  const force = pushed > 1e-9 * hit / span ? pushed : Infinity;  // beside its impacts a run may have nothing but rounding: not drawn
  /// Impulses of the last impacts before t and how strongly they are still drawn: fully at the instant, then fading.
  const impulsesAt = (run, t) => {
    const fade = isPlaying ? 0.25 * +el("speed").value : 1e-9 * Math.max(span, Math.abs(t)), shown = [];
    let low = 0, high = run.impulses.length;
    while (low < high) { const mid = (low + high) >> 1; if (run.impulses[mid][0] <= t + 1e-9 * span) low = mid + 1; else high = mid; }
    for (let k = low - 1; k >= 0 && t - run.impulses[k][0] <= fade && shown.length < 200; --k)
      shown.push([run.impulses[k], isPlaying ? 1 - Math.max(0, t - run.impulses[k][0]) / fade : 1]);
    return shown;
  };
  const digits = x => Number(x.toPrecision(2)).toString();

  // ---- in the plane -------------------------------------------------------------------------------------------------
  const planarPainter = run => {
    const {canvas, parts, links, springs, contacts} = run, pen = canvas.getContext("2d");
    let camera = null, scale = 1, paint = {}, isWhole = true;
    const poseAt = (part, k, f) => part.poses.length === 1 ? part.poses[0]
      : f > 0 ? mix(part.poses[k], part.poses[k + 1], f) : part.poses[k];
    const moved = ([x, y, a], p) => [x + Math.cos(a) * p[0] - Math.sin(a) * p[1], y + Math.sin(a) * p[0] + Math.cos(a) * p[1]];
    /// What parts and links cover at frames with a stride of `every`; half-planes reach to infinity and do not count.
    const covered = (some, ends, every) => {
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      const add = (x, y, r) => {
        if (!Number.isFinite(x + y) || x === null || y === null) return;
        box[0] = Math.min(box[0], x - r); box[1] = Math.min(box[1], y - r);
        box[2] = Math.max(box[2], x + r); box[3] = Math.max(box[3], y + r);
      };
      for (const part of some) {
        if (part.kind === "half-plane") continue;
        for (let k = 0; k < part.poses.length; k += every) {
          add(part.poses[k][0], part.poses[k][1], part.radius);
          for (const p of part.points) add(...moved(part.poses[k], p), 0);
        }
      }
      for (let k = 0; k < ends.length; k += every)
        for (const [x0, y0, x1, y1] of ends[k]) { add(x0, y0, 0); add(x1, y1, 0); }
      if (box[0] > box[2]) return [-1, -1, 1, 1];
      const size = Math.max(box[2] - box[0], box[3] - box[1], 1e-9);
      return [box[0] - 0.08 * size, box[1] - 0.08 * size, box[2] + 0.08 * size, box[3] + 0.08 * size];
    };
    const largest = box => Math.max(box[2] - box[0], box[3] - box[1]);
    const whole = covered(parts, links, Math.max(1, Math.floor(run.t.length / 300)));
    /// The things that move (dots apart). Several that stay together and go far beyond their size wander.
    const movers = parts.filter(part => part.poses.length > 1 && (part.radius > 0 || part.points.length));
    const together = k => covered(movers.map(part => ({...part, poses: [part.poses[k]]})), [], Infinity);
    const crowd = together(0), samples = Array.from({length: 24}, (_, i) => Math.floor(i * (run.t.length - 1) / 23));
    const isWandering = movers.length > 1 && largest(whole) > 4 * largest(crowd) && samples.every(k => largest(together(k)) < 2 * largest(crowd));
    const palette = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];
    /// What the camera is relative to.
    const origin = (k, f) => +el("follow").value >= 0 ? poseAt(parts[+el("follow").value], k, f) : [0, 0];
    const fit = () => {
      const w = canvas.clientWidth || 800, h = canvas.clientHeight || 420, isFollowing = +el("follow").value >= 0;
      const box = isFollowing && isWandering ? crowd : whole, from = isFollowing && isWandering ? origin(0, 0) : isFollowing ? [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] : [0, 0];
      const room = isFollowing && isWandering ? 1.6 : 1;
      camera = {x: (box[0] + box[2]) / 2 - from[0], y: (box[1] + box[3]) / 2 - from[1],
        scale: Math.min(w / (box[2] - box[0]), h / (box[3] - box[1])) / room};
    };
    const drawPart = (part, pose, ink, sx, sy, far) => {
      pen.strokeStyle = ink; pen.fillStyle = ink; pen.lineWidth = 1.6;
      pen.beginPath();
      if (part.kind === "disk") {
        const r = Math.max(part.radius * scale, 2.5);
        pen.arc(sx(pose[0]), sy(pose[1]), r, 0, 2 * Math.PI);
        pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1; pen.stroke();
        pen.beginPath(); pen.moveTo(sx(pose[0]), sy(pose[1]));
        pen.lineTo(sx(pose[0]) + r * Math.cos(pose[2]), sy(pose[1]) - r * Math.sin(pose[2]));
      } else if (part.kind === "half-plane") {
        const p = moved(pose, part.points[0]), n = moved([0, 0, pose[2]], part.points[1]);
        const x = sx(p[0]), y = sy(p[1]), tx = -n[1] * far, ty = -n[0] * far;
        pen.moveTo(x + tx, y + ty); pen.lineTo(x - tx, y - ty);
        pen.lineTo(x - tx - n[0] * far, y - ty + n[1] * far); pen.lineTo(x + tx - n[0] * far, y + ty + n[1] * far);
        pen.closePath(); pen.globalAlpha = 0.1; pen.fill(); pen.globalAlpha = 1;
        pen.beginPath(); pen.moveTo(x + tx, y + ty); pen.lineTo(x - tx, y - ty);
      } else {
        for (const p of part.points) { const q = moved(pose, p); pen.lineTo(sx(q[0]), sy(q[1])); }
        if (part.kind === "polygon") { pen.closePath(); pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1; }
      }
      pen.stroke();
    };
    const drawTrails = (k, sx, sy) => {
      pen.lineWidth = 1; pen.strokeStyle = paint["--soft"]; pen.globalAlpha = 0.5;
      for (const part of parts) {
        if (part.poses.length === 1) continue;
        pen.beginPath();
        for (let j = Math.max(0, k - 600); j <= k; ++j) pen.lineTo(sx(part.poses[j][0]), sy(part.poses[j][1]));
        pen.stroke();
      }
      pen.globalAlpha = 1;
    };
    const drawSpring = ([x0, y0, x1, y1], sx, sy) => {
      const a = [sx(x0), sy(y0)], b = [sx(x1), sy(y1)], length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const n = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length], turns = 8, wide = Math.min(7, length / 6);
      pen.strokeStyle = paint["--soft"]; pen.lineWidth = 1.3; pen.beginPath(); pen.moveTo(...a);
      for (let j = 0; j <= 2 * turns; ++j) {
        const s = 0.12 + 0.76 * j / (2 * turns), side = j === 0 || j === 2 * turns ? 0 : (j % 2 ? wide : -wide);
        pen.lineTo(a[0] + s * (b[0] - a[0]) + side * n[0], a[1] + s * (b[1] - a[1]) + side * n[1]);
      }
      pen.lineTo(...b); pen.stroke();
    };
    /// How far a contact that is given by a formula is from what it would touch.
    const drawGap = ([x0, y0, x1, y1], sx, sy) => {
      pen.strokeStyle = paint["--soft"]; pen.lineWidth = 1; pen.setLineDash([3, 3]); pen.beginPath();
      pen.moveTo(sx(x0), sy(y0)); pen.lineTo(sx(x1), sy(y1)); pen.stroke(); pen.setLineDash([]);
    };
    const drawRod = ([x0, y0, x1, y1], sx, sy) => {
      pen.strokeStyle = paint["--ink"]; pen.lineWidth = 2.2; pen.beginPath();
      pen.moveTo(sx(x0), sy(y0)); pen.lineTo(sx(x1), sy(y1)); pen.stroke();
    };
    const drawArrow = (x, y, dx, dy, ink, heads) => {
      const long = Math.hypot(dx, dy);
      if (!(long > 3)) return;
      const cut = Math.min(1, 220 / long), ex = x + dx * cut, ey = y + dy * cut, a = Math.atan2(dy, dx);
      pen.strokeStyle = ink; pen.lineWidth = heads > 1 ? 3 : 2; pen.beginPath(); pen.moveTo(x, y); pen.lineTo(ex, ey);
      for (let k = 0; k < heads; ++k) {
        const tx = ex - 6 * k * Math.cos(a), ty = ey - 6 * k * Math.sin(a);
        for (const turn of [2.6, -2.6]) { pen.moveTo(tx, ty); pen.lineTo(tx + 7 * Math.cos(a + turn), ty + 7 * Math.sin(a + turn)); }
      }
      pen.stroke();
    };
    const drawImpulse = ([i, strength], sx, sy) => {
      const x = sx(i[2]), y = sy(i[3]);
      pen.globalAlpha = strength;
      drawArrow(x, y, 60 * i[4] / impulse, -60 * i[5] / impulse, paint["--impulse"], 2);
      drawArrow(x, y, 60 * i[6] / impulse, -60 * i[7] / impulse, paint["--hit"], 2);
      pen.globalAlpha = 1;
    };
    const drawContact = (c, sx, sy, hasArrows) => {
      const x = sx(c[2]), y = sy(c[3]);
      pen.fillStyle = pen.strokeStyle = paint[c[1] ? "--stick" : "--slip"];
      pen.beginPath(); pen.arc(x, y, 4, 0, 2 * Math.PI);
      if (c[1]) pen.fill(); else { pen.lineWidth = 2; pen.stroke(); }  // also told apart without colours
      if (!hasArrows) return;
      const arrow = (fx, fy, ink) => drawArrow(x, y, 60 * fx / force, -60 * fy / force, ink, 1);
      arrow(c[4], c[5], paint["--ink"]);
      arrow(c[6], c[7], paint["--hit"]);
    };
    const drawScale = (w, h) => {
      const lengths = [[Number.isFinite(force), force, " N", "--ink"], [run.impulses.length > 0, impulse, " N s", "--impulse"]].filter(([is]) => is);
      pen.font = "11px system-ui, sans-serif"; pen.textAlign = "right"; pen.lineWidth = 2;
      lengths.forEach(([, length, unit, ink], row) => {
        const y = h - 12 - 24 * row;
        pen.strokeStyle = paint[ink]; pen.beginPath(); pen.moveTo(w - 74, y); pen.lineTo(w - 14, y); pen.stroke();
        pen.fillStyle = paint["--soft"]; pen.fillText(digits(length) + unit, w - 14, y - 6);
      });
    };
    const draw = (k, f, {hasArrows, hasTrails}) => {
      const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
      if (!w || !h) return;
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
      }
      if (!camera) fit();
      scale = camera.scale;
      paint = Object.fromEntries(["--soft", "--ink", "--stick", "--slip", "--hit", "--impulse", ...palette].map(name => [name, colour(name)]));
      const from = origin(k, f), centre = [from[0] + camera.x, from[1] + camera.y];
      const sx = x => w / 2 + (x - centre[0]) * scale, sy = y => h / 2 - (y - centre[1]) * scale;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, w, h);
      pen.lineJoin = pen.lineCap = "round";
      if (hasTrails) drawTrails(k, sx, sy);
      parts.forEach((part, i) => drawPart(part, poseAt(part, k, f), paint[palette[i % palette.length]], sx, sy, w + h));
      if (links.length) {
        const next = f > 0 ? links[k + 1] : links[k];
        links[k].forEach((s, i) => [drawRod, drawSpring, drawGap][springs[i]](mix(s, next[i], f), sx, sy));
      }
      for (const c of contacts[k]) drawContact(c, sx, sy, hasArrows);
      if (!hasArrows) return;
      for (const one of impulsesAt(run, now)) drawImpulse(one, sx, sy);
      drawScale(w, h);
    };
    const zoomAt = (factor, dx, dy) => {
      if (!camera) fit();
      isWhole = false;
      camera.x += dx / camera.scale * (1 - 1 / factor); camera.y += dy / camera.scale * (1 - 1 / factor); camera.scale *= factor;
      redraw();
      keepCameras();
    };
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoomAt(Math.exp(-0.0015 * event.deltaY), event.clientX - box.left - box.width / 2, box.height / 2 - event.clientY + box.top);
    }, {passive: false});
    let grip = null;
    canvas.addEventListener("pointerdown", event => { grip = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", event => {
      if (!grip) return;
      isWhole = false;
      camera.x -= (event.clientX - grip[0]) / camera.scale; camera.y += (event.clientY - grip[1]) / camera.scale;
      grip = [event.clientX, event.clientY];
      redraw();
    });
    canvas.addEventListener("pointerup", () => { grip = null; keepCameras(); });
    // In the address: the middle, and how many metres are as wide as the picture.
    // What wanders far is followed, by its largest part.
    const favourite = () => isWandering ? parts.indexOf(movers.reduce((a, b) => largest(covered([a], [], Infinity)) < largest(covered([b], [], Infinity)) ? b : a)) : -1;
    return {draw, favourite, refit: () => { fit(); isWhole = true; }, fit: () => { fit(); isWhole = true; }, camera: () => isWhole || !camera ? null : [camera.x, camera.y, canvas.clientWidth / camera.scale],
      look: ([x, y, wide]) => { if (!(wide > 0)) return; camera = {x, y, scale: (canvas.clientWidth || 800) / wide}; isWhole = false; }, zoom: factor => zoomAt(factor, 0, 0),
      turn: (right, upward) => { camera.x += 60 * right / camera.scale; camera.y += 60 * upward / camera.scale; isWhole = false; redraw(); keepCameras(); }};
  };

  // ---- in space -----------------------------------------------------------------------------------------------------
  /// A ball around everything that moves or has a size; half-spaces reach to infinity and do not count.
  const ballAround = ({parts, links}) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const add = (p, r) => { for (let i = 0; i < 3; ++i) if (Number.isFinite(p[i])) { low[i] = Math.min(low[i], p[i] - r); high[i] = Math.max(high[i], p[i] + r); } };
    for (const part of parts) {
      if (part.kind === "half-plane") continue;
      const r = Math.max(part.radius, ...part.points.map(p => Math.hypot(...p)));
      for (let k = 0; k < part.poses.length; k += Math.max(1, Math.floor(part.poses.length / 300))) add(part.poses[k], r);
    }
    for (let k = 0; k < links.length; k += Math.max(1, Math.floor(links.length / 100)))
      for (const link of links[k]) { add(link.slice(0, 3), 0); add(link.slice(3), 0); }
    if (!(low[0] <= high[0])) return {centre: [0, 0, 0], radius: 1};
    return {centre: low.map((x, i) => (x + high[i]) / 2), radius: Math.max(Math.hypot(...high.map((x, i) => x - low[i])) / 2, 1e-9)};
  };
  /// The same of the first picture: how large the things themselves are.
  const crowdOf = ({parts, links}) => ballAround({parts: parts.map(part => ({...part, poses: part.poses.slice(0, 1)})), links: links.slice(0, 1)}).radius;
  const spacePainter = run => {
    const refuse = text => { const note = document.createElement("p"); note.className = "soft"; note.textContent = text; run.canvas.replaceWith(note); return null; };
    if (typeof window.clackSpace !== "function") return refuse("The part that draws in space is not in this page; the plots follow.");
    if (!document.createElement("canvas").getContext("webgl2")) return refuse("This browser draws nothing in space (no WebGL 2); the plots follow.");
    return window.clackSpace(run.canvas, run, {colour, extent: () => ballAround(run), crowd: crowdOf(run), redraw: () => redraw(), keep: () => keepCameras(),
      impulses: () => impulsesAt(run, now), forceScale: size => 0.3 * size / force, impulseScale: size => 0.3 * size / impulse,
      /// What arrows of a length in m stand for.
      scaleWords: length => {
        const words = [Number.isFinite(force) && digits(force) + " N", run.impulses.length > 0 && "(double) " + digits(impulse) + " N s"].filter(Boolean);
        return words.length ? "Arrows of " + digits(length) + " m are " + words.join(" or ") + "." : "";
      }});
  };

  // ---- controls -----------------------------------------------------------------------------------------------------
  let painters = [], isDrawing = false;
  /// Where each picture is looked at from, in the address: numbers of one after the other, "-" where everything is seen.
  const keepCameras = () => {
    const views = painters.map(painter => { const view = painter && painter.camera(); return view ? view.map(x => Number(x.toPrecision(9))).join(",") : "-"; });
    clack.remember("camera", views.some(view => view !== "-") ? views.join(";") : null);
  };
  const recallCameras = () => (clack.recall("camera") ?? "").split(";").forEach((view, i) => {
    const numbers = view.split(",").map(Number);
    if (painters[i] && numbers.length === (n === 3 ? 6 : 3) && numbers.every(Number.isFinite)) painters[i].look(numbers);
  });
  const redraw = () => {
    if (isDrawing) return;  // a camera that follows a body moves while it draws
    isDrawing = true;
    const options = {followed: +el("follow").value, hasArrows: el("arrows").checked, hasTrails: el("trails").checked};
    runs.forEach((run, i) => { if (painters[i]) painters[i].draw(...frameAt(run.t, now), options); });
    isDrawing = false;
  };
  const draw = (isQuiet = false) => {
    redraw();
    el("clock").textContent = "t = " + now.toPrecision(6) + " s";
    el("scrub").value = Math.round(1000 * (now - first) / span);
    if (!isQuiet) clack.seek(now, "animation");
    if (!isPlaying) clack.remember("t", now === first ? null : now);
  };
  const seek = (t, isQuiet) => { now = Math.min(last, Math.max(first, t)); draw(isQuiet); };
  clack.listen("animation", t => { play(false); seek(t, true); });
  const range = () => el("loop").value === "cycle" ? [cycle[0], cycle[1]] : [first, last];
  const play = on => {
    if (isPlaying === on) return;
    isPlaying = on;
    el("play").textContent = on ? "Pause" : "Play";
    const [begin, end] = range();
    if (on && (now >= end || now < begin)) now = begin;
    drawnAt = performance.now();
    if (on) requestAnimationFrame(step); else draw();
  };
  const step = clock => {
    if (!isPlaying) return;
    now += Math.max(0, clock - drawnAt) / 1000 * +el("speed").value;
    drawnAt = clock;
    const [begin, end] = range();
    if (now >= end) {
      if (el("loop").value !== "once") now = begin; else { now = end; play(false); return; }
    }
    draw();
    if (isPlaying) requestAnimationFrame(step);
  };
  const jump = direction => {
    play(false);
    const slack = 1e-9 * span;
    const later = direction > 0 ? events.find(e => e[0] > now + slack) : events.findLast(e => e[0] < now - slack);
    seek(later ? later[0] : direction > 0 ? last : first);
    if (later) el("clock").textContent += "  " + later[1];
  };
  const start = () => {
    painters = runs.map(run => run.dimension === 3 ? spacePainter(run) : planarPainter(run));
    const natural = span / 10;  // the whole run in ten seconds
    painters.forEach((painter, i) => {
      const words = painter && painter.scale && painter.scale();
      if (words) { const note = document.createElement("p"); note.className = "soft scale"; note.textContent = words; runs[i].canvas.after(note); }
    });
    for (const [rate, name] of [[1, "real time"], [0.1, "1/10"], [0.01, "1/100"], [0.001, "1/1000"], [natural, "all in 10 s"]])
      el("speed").add(new Option(name, rate));
    el("speed").value = span > 30 || span < 2 ? natural : 1;
    runs[0].parts.forEach((part, i) => { if (part.poses.length > 1) el("follow").add(new Option(part.name, i)); });
    const isFarWandering = runs[0].dimension === 3 && ballAround(runs[0]).radius > 4 * crowdOf(runs[0]);
    if (isFarWandering && el("follow").options.length > 1) el("follow").selectedIndex = 1;  // else it is a dot in a desert
    const favourite = painters[0] && painters[0].favourite ? painters[0].favourite() : -1;
    if (favourite >= 0) el("follow").value = favourite;
    if (cycle) el("loop").add(new Option("one period", "cycle"));
    for (const name of ["speed", "follow", "loop"]) {
      const value = clack.recall(name);
      if (value !== null && [...el(name).options].some(option => option.value === value)) el(name).value = value;
    }
    for (const name of ["arrows", "trails"]) if (clack.recall(name) !== null) el(name).checked = clack.recall(name) === "1";
    el("play").addEventListener("click", () => play(!isPlaying));
    el("back").addEventListener("click", () => jump(-1));
    el("on").addEventListener("click", () => jump(1));
    el("scrub").addEventListener("input", event => { play(false); seek(first + span * event.target.value / 1000); });
    for (const name of ["speed", "follow", "loop", "arrows", "trails"]) el(name).addEventListener("change", event => {
      clack.remember(name, event.target.type === "checkbox" ? +event.target.checked : event.target.value);
      if (name === "follow") { for (const painter of painters) if (painter && painter.refit) painter.refit(); keepCameras(); }
      draw();
    });
    runs.forEach(({canvas}, i) => {
      canvas.addEventListener("dblclick", () => { if (painters[i]) { painters[i].fit(); redraw(); keepCameras(); } });
      canvas.addEventListener("keydown", event => {
        const painter = painters[i], turn = (right, upward) => painter && painter.turn(right, upward);
        const actions = {" ": () => play(!isPlaying), ArrowRight: () => event.shiftKey ? turn(0.2, 0) : jump(1),
          ArrowLeft: () => event.shiftKey ? turn(-0.2, 0) : jump(-1), ArrowUp: () => turn(0, 0.2), ArrowDown: () => turn(0, -0.2),
          "+": () => painter && painter.zoom(1.25), "-": () => painter && painter.zoom(0.8),
          "0": () => { if (painter) { painter.fit(); redraw(); keepCameras(); } }, Home: () => seek(first), End: () => seek(last)};
        if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
      });
    });
    window.addEventListener("resize", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    recallCameras();
    seek(clack.number("t") ?? first, clack.number("t") === null);
  };
  /// The part that draws in space is stored compressed.
  const packed = document.getElementById("space-code");
  if (!packed) { start(); return; }
  const bytes = Uint8Array.from(atob(packed.textContent), c => c.charCodeAt(0));
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text().then(text => {
    const script = document.createElement("script");
    script.textContent = text;
    document.head.append(script);
    start();
  });
})();
