// SPDX-License-Identifier: Apache-2.0
// Tables that can be filtered; events that are jumped to and unfolded.
(() => {
  const made = (tag, text, name) => { const element = document.createElement(tag); if (text !== undefined) element.textContent = text; if (name) element.className = name; return element; };
  for (const box of document.querySelectorAll("input[type=search]")) {
    const rows = [...document.getElementById(box.dataset.table).tBodies[0].rows], count = document.getElementById(box.dataset.table + "-count");
    const filter = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        shown += row.hidden ? 0 : 1;
        if (row.unfolded) row.unfolded.hidden = row.hidden;
      }
      count.textContent = words.length ? shown + " of " + rows.length + " rows" : "";
    };
    box.addEventListener("input", () => { filter(); clack.remember(box.dataset.table, box.value || null); });
    const kept = clack.recall(box.dataset.table);
    if (kept) { box.value = kept; filter(); }
  }
  const laws = clack.data("laws") ?? [];
  const impacts = new Map([...document.querySelectorAll("#impacts tbody tr[data-impact]")].map(row => [row.dataset.impact, row]));
  const heads = [...document.querySelectorAll("#impacts thead th")].map(th => th.textContent);
  /// What is known about an event beyond its row: every impact of its instant, and how well each law was kept.
  const unfold = row => {
    const line = made("tr", undefined, "unfolded"), cell = line.appendChild(made("td")), data = row.dataset;
    cell.colSpan = row.cells.length;
    for (let k = +data.first; k < +data.first + +data.count; ++k) {
      const impact = impacts.get(String(k));
      if (!impact) { cell.append(made("p", "Impact " + k + " is in events.json.")); continue; }
      const list = cell.appendChild(made("dl", undefined, "impact"));
      heads.forEach((head, i) => {
        if (!impact.cells[i] || !impact.cells[i].textContent) return;
        const pair = list.appendChild(made("div"));
        pair.append(made("dt", head));
        const value = pair.appendChild(made("dd"));
        value.append(...[...impact.cells[i].childNodes].map(node => node.cloneNode(true)));
      });
    }
    const numbers = (data.certificate ?? "").split(" ").filter(Boolean);
    const list = cell.appendChild(made("ul", undefined, "laws"));
    laws.forEach(([law, name], i) => {
      const item = list.appendChild(made("li"));
      item.appendChild(made("a", law)).href = "#about-" + name;
      item.append(": " + (numbers[i] && numbers[i] !== "0" ? "violated by at most " + numbers[i] : "holds exactly"));
    });
    return line;
  };
  for (const row of document.querySelectorAll("#events tbody tr[data-t]")) {
    const button = row.querySelector("button");
    button.addEventListener("click", () => {
      clack.seek(+row.dataset.t);
      if (row.unfolded) { row.unfolded.remove(); row.unfolded = null; } else { row.unfolded = unfold(row); row.after(row.unfolded); }
      button.setAttribute("aria-expanded", String(!!row.unfolded));
      clack.remember("event", row.unfolded ? button.textContent : null);
    });
  }
  const kept = clack.recall("event");
  if (kept !== null) {
    const row = [...document.querySelectorAll("#events tbody tr[data-t]")].find(r => r.querySelector("button").textContent === kept);
    if (row) { row.querySelector("button").click(); row.scrollIntoView({block: "nearest"}); }
  }
  for (const link of document.querySelectorAll("button[data-event]"))
    link.addEventListener("click", () => {
      const row = [...document.querySelectorAll("#events tbody tr[data-t]")].find(r => r.querySelector("button").textContent === link.dataset.event);
      if (!row) return;
      if (!row.unfolded) row.querySelector("button").click();
      row.scrollIntoView({block: "center"});
      row.querySelector("button").focus({preventScroll: true});
    });
})();
