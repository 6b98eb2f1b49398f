// SPDX-License-Identifier: Apache-2.0
// One time for everything on the page: pictures, plots, strips, the automaton and the address.
"use strict";
const clack = (() => {
  const listeners = [], remembered = {};
  let now = null, timer = 0;
  /// What the address says after #: a=1&b=2. Anything that does not fit is passed over.
  for (const part of location.hash.slice(1).split("&")) {
    const [key, value] = part.split("=");
    if (/^[a-z]+$/.test(key) && value !== undefined) {
      try { remembered[key] = decodeURIComponent(value); } catch { /* not ours */ }
    }
  }
  const write = () => {
    const text = Object.keys(remembered).sort().map(key => key + "=" + encodeURIComponent(remembered[key])).join("&");
    try { history.replaceState(null, "", text ? "#" + text : location.pathname + location.search); } catch { /* too often */ }
  };
  return {
    get now() { return now; },
    /// `by`: who moves the time, so that it does not hear of it again.
    seek(t, by) { now = t; for (const [who, hear] of listeners) if (who !== by) hear(t); },
    listen(who, hear) { listeners.push([who, hear]); },
    /// A value of the view, kept in the address; null forgets it.
    remember(key, value) {
      if (value === null) delete remembered[key]; else remembered[key] = String(value);
      clearTimeout(timer);
      timer = setTimeout(write, 250);
    },
    recall(key) { return remembered[key] ?? null; },
    number(key) { const value = Number(remembered[key]); return key in remembered && Number.isFinite(value) ? value : null; },
    colour: name => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888",
    data(id) { const source = document.getElementById(id); return source ? JSON.parse(source.textContent) : null; },
  };
})();
