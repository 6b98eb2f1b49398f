// SPDX-License-Identifier: Apache-2.0
// The page of the laboratory: what is typed is checked, what is run is watched.
"use strict";
(() => {
  const el = name => document.getElementById(name), text = el("text"), lines = el("lines");
  const made = (tag, words) => { const element = document.createElement(tag); if (words !== undefined) element.textContent = words; return element; };
  let checked = 0, asked = 0, runs = [], moved = {}, bad = new Set();
  const post = async (path, body) => {
    const response = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
    return {status: response.status, ...(await response.json())};
  };
  const number = () => {
    lines.replaceChildren(...text.value.split("\n").map((_, k) => {
      const line = made("span", String(k + 1) + "\n");
      if (bad.has(k + 1)) line.className = "bad";
      return line;
    }));
    lines.scrollTop = text.scrollTop;
  };
  const complain = errors => {
    bad = new Set(errors.map(e => e.line));
    el("errors").replaceChildren(...errors.map(e => made("li", (e.line ? "line " + e.line + ": " : "") + e.what + "; " + e.help)));
    number();
  };
  /// A slider per parameter, from nothing to twice its value, and a field for any number.
  const slide = parameters => {
    const known = new Set(parameters.map(p => p.name));
    for (const name of Object.keys(moved)) if (!known.has(name)) delete moved[name];
    el("sliders").replaceChildren(...parameters.map(p => {
      const label = made("label"), range = made("input"), field = made("input"), size = Math.abs(p.value) || 1;
      label.append(made("span", p.name));
      Object.assign(range, {type: "range", min: Math.min(0, 2 * p.value), max: Math.max(2 * p.value, size), step: size / 200, value: moved[p.name] ?? p.value});
      range.setAttribute("aria-label", p.name);
      field.value = moved[p.name] ?? p.value;
      field.setAttribute("aria-label", p.name + " as a number");
      const set = (value, isLast) => { if (Number.isFinite(value)) { moved[p.name] = value; if (isLast) run(); } };
      range.addEventListener("input", () => { field.value = range.value; set(+range.value, false); });
      range.addEventListener("change", () => set(+range.value, true));
      field.addEventListener("change", () => { range.value = field.value; set(Number(field.value), true); });
      label.append(range, field);
      return label;
    }));
  };
  const check = async () => {
    const mine = ++checked;
    const answer = await post("/check", {text: text.value});
    if (mine !== checked) return false;
    complain(answer.errors ?? [{line: 0, what: answer.error, help: ""}]);
    if (answer.errors && !answer.errors.length) {
      slide(answer.parameters);
      el("tolerance").placeholder = answer.tolerance;
      el("until").placeholder = answer.until;
    }
    return true;
  };
  const given = name => el(name).value.trim() === "" ? null : Number(el(name).value);
  const run = async () => {
    const mine = ++asked;
    el("result").textContent = "running ...";
    const answer = await post("/run", {text: text.value, set: moved, theory: el("theory").value || null, tolerance: given("tolerance"), until: given("until")});
    if (mine !== asked) return;
    if (answer.errors) { complain(answer.errors); el("result").textContent = "the model is not valid"; return; }
    if (answer.error) { el("result").textContent = answer.error; return; }
    runs.push(answer.run);
    const words = `run ${answer.run}: ${answer.status}${answer.reason ? " (" + answer.reason + ")" : ""}, ${answer.events} events, ${answer.impacts} impacts, lost ${Number(answer.dissipated.toPrecision(4))} J, ledger ${answer.ledger_error.toExponential(1)}`;
    const links = ["report.html", "trace.csv", "events.json", "model.yaml"].map(name => {
      const link = made("a", name);
      link.href = `/runs/${answer.run}/${name}`;
      link.download = name;
      return link;
    });
    el("result").replaceChildren(made("span", words), ...links);
    if (runs.length > 1) {
      const link = made("button", "compare with the run before"), pair = `/compare/${runs.at(-2)}/${answer.run}`;
      link.type = "button";
      link.addEventListener("click", () => { el("report").src = pair; });
      el("result").append(link);
    }
    el("report").src = `/runs/${answer.run}/report.html`;
  };
  let timer = 0;
  text.addEventListener("input", () => { number(); clearTimeout(timer); timer = setTimeout(check, 250); });
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  text.addEventListener("keydown", event => { if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); run(); } });
  el("run").addEventListener("click", run);
  el("theory").addEventListener("change", run);
  number();
  check().then(run);
})();
