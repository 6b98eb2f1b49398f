// SPDX-License-Identifier: Apache-2.0
#include "clack/report/animation.hpp"

namespace clack::report {
namespace {

constexpr std::string_view script_of_animation = R"JS((() => {
  const source = document.getElementById("pictures");
  if (!source) return;
  const {parts, t: times, springs, links, contacts, events} = JSON.parse(source.textContent);
  const canvas = document.getElementById("stage"), pen = canvas.getContext("2d");
  const el = name => document.getElementById(name);
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
  const first = times[0], last = times[times.length - 1], span = Math.max(last - first, 1e-12);
  let now = first, isPlaying = false, camera = null, drawnAt = 0;

  const poseOf = (part, k) => part.poses.length === 1 ? part.poses[0] : part.poses[k];
  /// The frame at or before t and how far it is to the next one; at an instant with two frames the later one.
  const frameAt = t => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (times[mid] <= t) low = mid; else high = mid; }
    if (times[high] <= t) return [high, 0];
    return [low, times[high] > times[low] ? (t - times[low]) / (times[high] - times[low]) : 0];
  };
  const mix = (a, b, f) => a.map((x, i) => x + f * (b[i] - x));
  const poseAt = (part, k, f) => part.poses.length === 1 ? part.poses[0]
    : f > 0 ? mix(part.poses[k], part.poses[k + 1], f) : part.poses[k];
  const moved = ([x, y, a], p) => [x + Math.cos(a) * p[0] - Math.sin(a) * p[1], y + Math.sin(a) * p[0] + Math.cos(a) * p[1]];

  /// What the whole motion covers; half-planes reach to infinity and do not count.
  const extent = () => {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    const add = (x, y, r) => {
      if (!Number.isFinite(x + y)) return;
      box[0] = Math.min(box[0], x - r); box[1] = Math.min(box[1], y - r);
      box[2] = Math.max(box[2], x + r); box[3] = Math.max(box[3], y + r);
    };
    for (const part of parts) {
      if (part.kind === "half-plane") continue;
      const step = Math.max(1, Math.floor(part.poses.length / 300));
      for (let k = 0; k < part.poses.length; k += step) {
        add(part.poses[k][0], part.poses[k][1], part.radius);
        for (const p of part.points) add(...moved(part.poses[k], p), 0);
      }
    }
    for (let k = 0; k < links.length; k += Math.max(1, Math.floor(links.length / 300)))
      for (const [x0, y0, x1, y1] of links[k]) { add(x0, y0, 0); add(x1, y1, 0); }
    if (box[0] > box[2]) return [-1, -1, 1, 1];
    const size = Math.max(box[2] - box[0], box[3] - box[1], 1e-9);
    return [box[0] - 0.08 * size, box[1] - 0.08 * size, box[2] + 0.08 * size, box[3] + 0.08 * size];
  };
  const whole = extent();
  const fit = () => {
    const w = canvas.clientWidth || 800, h = canvas.clientHeight || 420;
    const scale = Math.min(w / (whole[2] - whole[0]), h / (whole[3] - whole[1]));
    camera = {x: (whole[0] + whole[2]) / 2, y: (whole[1] + whole[3]) / 2, scale};
  };
  const largestForce = () => {
    const all = [];
    for (const list of contacts) for (const c of list) { const f = Math.hypot(c[6], c[7]); if (f > 0) all.push(f); }
    all.sort((a, b) => a - b);
    return all.length ? all[Math.floor(0.95 * (all.length - 1))] : 1;
  };
  const forceScale = 60 / largestForce();
  const palette = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];

  const draw = () => {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
    }
    if (!camera) fit();
    const [k, f] = frameAt(now), followed = +el("follow").value;
    const centre = followed >= 0 ? poseAt(parts[followed], k, f) : [camera.x, camera.y];
    const sx = x => w / 2 + (x - centre[0]) * camera.scale, sy = y => h / 2 - (y - centre[1]) * camera.scale;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    pen.lineJoin = pen.lineCap = "round";
    if (el("trails").checked) drawTrails(k, sx, sy);
    parts.forEach((part, i) => drawPart(part, poseAt(part, k, f), colour(palette[i % palette.length]), sx, sy, w + h));
    if (links.length) {
      const next = f > 0 ? links[k + 1] : links[k];
      links[k].forEach((s, i) => (springs[i] ? drawSpring : drawRod)(mix(s, next[i], f), sx, sy));
    }
    for (const c of contacts[k]) drawContact(c, sx, sy);
    el("clock").textContent = "t = " + now.toPrecision(6) + " s";
    el("scrub").value = Math.round(1000 * (now - first) / span);
    if (typeof point === "function") point(now);
  };
  const drawTrails = (k, sx, sy) => {
    pen.lineWidth = 1; pen.strokeStyle = colour("--soft"); pen.globalAlpha = 0.5;
    for (const part of parts) {
      if (part.poses.length === 1) continue;
      pen.beginPath();
      for (let j = Math.max(0, k - 600); j <= k; ++j) pen.lineTo(sx(part.poses[j][0]), sy(part.poses[j][1]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  };
  const drawPart = (part, pose, ink, sx, sy, far) => {
    pen.strokeStyle = ink; pen.fillStyle = ink; pen.lineWidth = 1.6;
    pen.beginPath();
    if (part.kind === "disk") {
      const r = Math.max(part.radius * camera.scale, 2.5);
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
  const drawSpring = ([x0, y0, x1, y1], sx, sy) => {
    const a = [sx(x0), sy(y0)], b = [sx(x1), sy(y1)], length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const n = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length], turns = 8, wide = Math.min(7, length / 6);
    pen.strokeStyle = colour("--soft"); pen.lineWidth = 1.3; pen.beginPath(); pen.moveTo(...a);
    for (let j = 0; j <= 2 * turns; ++j) {
      const s = 0.12 + 0.76 * j / (2 * turns), side = j === 0 || j === 2 * turns ? 0 : (j % 2 ? wide : -wide);
      pen.lineTo(a[0] + s * (b[0] - a[0]) + side * n[0], a[1] + s * (b[1] - a[1]) + side * n[1]);
    }
    pen.lineTo(...b); pen.stroke();
  };
  const drawRod = ([x0, y0, x1, y1], sx, sy) => {
    pen.strokeStyle = colour("--ink"); pen.lineWidth = 2.2; pen.beginPath();
    pen.moveTo(sx(x0), sy(y0)); pen.lineTo(sx(x1), sy(y1)); pen.stroke();
  };
  const drawContact = (c, sx, sy) => {
    const x = sx(c[2]), y = sy(c[3]);
    pen.fillStyle = colour(c[1] ? "--stick" : "--slip");
    pen.beginPath(); pen.arc(x, y, 4, 0, 2 * Math.PI); pen.fill();
    if (!el("arrows").checked) return;
    const [nx, ny] = [c[4], c[5]], arrow = (fx, fy, ink) => {
      const dx = fx * forceScale, dy = -fy * forceScale, long = Math.hypot(dx, dy);
      if (!(long > 3)) return;
      const cut = Math.min(1, 220 / long), ex = x + dx * cut, ey = y + dy * cut, a = Math.atan2(dy, dx);
      pen.strokeStyle = ink; pen.lineWidth = 2; pen.beginPath(); pen.moveTo(x, y); pen.lineTo(ex, ey);
      for (const turn of [2.6, -2.6]) { pen.moveTo(ex, ey); pen.lineTo(ex + 7 * Math.cos(a + turn), ey + 7 * Math.sin(a + turn)); }
      pen.stroke();
    };
    arrow(c[6] * nx, c[6] * ny, colour("--ink"));
    arrow(c[7] * ny, -c[7] * nx, colour("--hit"));
  };

  const seek = t => { now = Math.min(last, Math.max(first, t)); draw(); };
  const play = on => {
    isPlaying = on;
    el("play").textContent = on ? "Pause" : "Play";
    if (on && now >= last) now = first;
    drawnAt = performance.now();
    if (on) requestAnimationFrame(step);
  };
  const step = clock => {
    if (!isPlaying) return;
    now += (clock - drawnAt) / 1000 * +el("speed").value;
    drawnAt = clock;
    if (now >= last) {
      if (el("loop").checked) now = first; else { now = last; play(false); }
    }
    draw();
    if (isPlaying) requestAnimationFrame(step);
  };
  const jump = direction => {
    const slack = 1e-9 * span;
    const later = direction > 0 ? events.find(e => e[0] > now + slack)
      : [...events].reverse().find(e => e[0] < now - slack);
    play(false);
    seek(later ? later[0] : direction > 0 ? last : first);
    if (later) el("clock").textContent += "  " + later[1];
  };
  const rates = [[1, "real time"], [0.1, "1/10"], [0.01, "1/100"], [0.001, "1/1000"]];
  const natural = span / 10;  // the whole run in ten seconds
  rates.push([natural, "all in 10 s"]);
  for (const [rate, name] of rates) el("speed").add(new Option(name, rate));
  el("speed").value = span > 30 || span < 2 ? natural : 1;
  parts.forEach((part, i) => { if (part.poses.length > 1) el("follow").add(new Option(part.name, i)); });
  el("play").addEventListener("click", () => play(!isPlaying));
  el("back").addEventListener("click", () => jump(-1));
  el("on").addEventListener("click", () => jump(1));
  el("scrub").addEventListener("input", event => { play(false); seek(first + span * event.target.value / 1000); });
  for (const name of ["follow", "arrows", "trails"]) el(name).addEventListener("change", draw);
  canvas.addEventListener("keydown", event => {
    const actions = {" ": () => play(!isPlaying), ArrowRight: () => jump(1), ArrowLeft: () => jump(-1)};
    if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
  });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const factor = Math.exp(-0.0015 * event.deltaY), box = canvas.getBoundingClientRect();
    if (!camera) fit();
    const dx = (event.clientX - box.left - box.width / 2) / camera.scale, dy = (box.height / 2 - event.clientY + box.top) / camera.scale;
    camera.x += dx * (1 - 1 / factor); camera.y += dy * (1 - 1 / factor); camera.scale *= factor;
    draw();
  }, {passive: false});
  let grip = null;
  canvas.addEventListener("pointerdown", event => { grip = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", event => {
    if (!grip) return;
    camera.x -= (event.clientX - grip[0]) / camera.scale; camera.y += (event.clientY - grip[1]) / camera.scale;
    grip = [event.clientX, event.clientY];
    draw();
  });
  canvas.addEventListener("pointerup", () => { grip = null; });
  canvas.addEventListener("dblclick", () => { fit(); draw(); });
  window.addEventListener("resize", draw);
  draw();
})();
)JS";

}  // namespace

std::string_view animation_script() { return script_of_animation; }

}  // namespace clack::report
