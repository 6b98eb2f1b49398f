// SPDX-License-Identifier: Apache-2.0
// Opens reports as a person would, in a headless Chromium: nothing moves, jumps or zooms unless it is seen to do so.
//   node --test report_test.mjs     with REPORTS = a folder that holds NAME/report.html for the names below
import assert from "node:assert/strict";
import {readFileSync, statSync} from "node:fs";
import {join} from "node:path";
import {after, before, describe, test} from "node:test";
import {chromium} from "playwright-core";

const reports = process.env.REPORTS;
const axe = readFileSync(join(import.meta.dirname ?? ".", "node_modules/axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", 
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"]});  // draws in space without a graphics card
after(() => browser.close());

/// A page on which any message of the console, exception or request to the outside is a fault.
const open = async (name, settings = {}, hash = "") => {
  const page = await browser.newPage({viewport: {width: 1200, height: 900}, ...settings});
  page.faults = [];
  // Reading pixels of a canvas in space stalls a software renderer, which says so; nobody but these tests reads them.
  page.on("console", message => { if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall due to ReadPixels")) page.faults.push(message.text()); });
  page.on("pageerror", error => page.faults.push(String(error)));
  page.on("request", request => { if (!/^(file|data|blob):/.test(request.url())) page.faults.push("asks for " + request.url()); });
  await page.goto("file://" + join(reports, name.endsWith(".html") ? name : name + "/report.html") + hash);
  await page.waitForFunction(() => !document.querySelector("canvas.stage") || document.getElementById("clock").textContent);
  return page;
};
const pixels = (page, stage = "canvas.stage") => page.locator(stage).first().evaluate(stage => stage.toDataURL());
const clock = async page => Number((await page.locator("#clock").textContent()).match(/t = ([-+0-9.e]+) s/)[1]);
const serious = async page => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  return found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.target).join(", "));
};

for (const name of ["woodpecker", "ratchet", "space"]) {
  describe("the report of the " + name, () => {
    let page;
    before(async () => { page = await open(name); });
    after(() => page.close());

    test("plays: time goes on and the picture changes", async () => {
      const [t, picture] = [await clock(page), await pixels(page)];
      await page.click("#play");
      await page.waitForFunction(t => Number(document.getElementById("clock").textContent.match(/t = ([-+0-9.e]+)/)[1]) > t, t);
      await page.click("#play");
      assert.notEqual(await pixels(page), picture);
    });
    test("jumps to the events of its own table", async () => {
      const {events, times} = await page.evaluate(() => {
        const pictures = JSON.parse(document.getElementById("pictures").textContent);
        return {events: pictures.events, times: [pictures.t[0], pictures.t.at(-1)]};
      });
      await page.locator("#scrub").fill("0");
      const later = [...new Set(events.map(e => e[0]))].filter(t => t > times[0] + 1e-9 * (times[1] - times[0]));
      await page.click("#on");
      assert.ok(Math.abs(await clock(page) - later[0]) <= 1e-5 * Math.abs(later[0]));
      await page.click("#on");
      assert.ok(Math.abs(await clock(page) - later[1]) <= 1e-5 * Math.abs(later[1]));
      await page.click("#back");
      assert.ok(Math.abs(await clock(page) - later[0]) <= 1e-5 * Math.abs(later[0]));
    });
    test("goes by keyboard alone", async () => {
      await page.focus("#stage");
      const t = await clock(page);
      await page.keyboard.press("ArrowRight");
      assert.ok(await clock(page) > t);
      await page.keyboard.press("ArrowLeft");
      assert.ok(await clock(page) <= t);
      await page.keyboard.press("Space");
      assert.equal(await page.locator("#play").textContent(), "Pause");
      await page.keyboard.press("Space");
      assert.equal(await page.locator("#play").textContent(), "Play");
    });
    test("zooms by the wheel, moves by dragging and returns by a double click", async () => {
      const picture = await pixels(page), box = await page.locator("#stage").boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(100);
      const zoomed = await pixels(page);
      assert.notEqual(zoomed, picture);
      await page.mouse.down();
      await page.mouse.move(x + 60, y + 30);
      await page.mouse.up();
      assert.notEqual(await pixels(page), zoomed);
      await page.mouse.dblclick(x, y);
      assert.equal(await pixels(page), picture);
    });
    test("zooms all its plots together and shows one cursor in them", async () => {
      const plot = page.locator("svg.linked:not(.strip)").first();
      await plot.scrollIntoViewIfNeeded();
      const times = () => page.locator("svg.linked .xmarks").evaluateAll(all => all.map(marks => marks.textContent));
      const line = () => plot.locator("path[data-curve]").first().getAttribute("d");
      const own = () => plot.locator(".xmarks").textContent();
      const before = await times(), marks = await own(), drawn = await line(), box = await plot.boundingBox();
      await page.mouse.move(box.x + 0.4 * box.width, box.y + box.height / 2);
      const cursors = await page.locator("svg.linked .cursor").evaluateAll(all => all.map(c => c.getAttribute("visibility")));
      assert.ok(cursors.length > 0 && cursors.every(v => v === "visible"));
      await page.mouse.down();
      await page.mouse.move(box.x + 0.6 * box.width, box.y + box.height / 2);
      await page.mouse.up();
      assert.notEqual(await own(), marks);
      assert.notEqual(await line(), drawn);
      await page.waitForFunction(() => /from=/.test(location.hash));
      const wide = await line();
      await page.mouse.wheel(0, -300);  // the plot was clicked
      await page.waitForTimeout(50);
      assert.notEqual(await line(), wide);
      await page.keyboard.press("0");
      assert.deepEqual(await times(), before);
      assert.equal(await line(), drawn);
    });
    test("goes to the time that is clicked in a plot", async () => {
      const plot = page.locator("svg.linked:not(.strip)").first(), box = await plot.boundingBox(), t = await clock(page);
      await page.mouse.click(box.x + 0.7 * box.width, box.y + box.height / 2);
      assert.notEqual(await clock(page), t);
    });
    test("unfolds an event and goes there", async () => {
      const row = page.locator("#events tbody tr[data-t]").nth(1), button = row.locator("button");
      await button.focus();
      await page.keyboard.press("Enter");
      assert.ok(Math.abs(await clock(page) - Number(await row.getAttribute("data-t"))) <= 1e-5 * Math.abs(await clock(page)));
      assert.match(await page.locator("tr.unfolded").textContent(), /No contact penetrates/);
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("tr.unfolded").count(), 0);
    });
    test("leads from a law and a flag to what they mean, and keeps the address", async () => {
      await page.evaluate(() => new Promise(then => setTimeout(then, 300)));  // what was remembered last is in the address after 250 ms
      const links = page.locator('a[href^="#about-"]'), before = await page.evaluate(() => location.hash);
      assert.ok(await links.count() >= 7);
      assert.equal(await page.locator("#manual").getAttribute("open"), null);
      for (const k of [0, await links.count() - 1]) {
        const id = (await links.nth(k).getAttribute("href")).slice(1);
        await links.nth(k).focus();
        await page.keyboard.press("Enter");
        const row = page.locator("table.manual tr.here");
        assert.equal(await row.count(), 1);
        assert.equal(await row.locator(`[id="${id}"]`).count(), 1);
        assert.ok(await row.isVisible());
      }
      assert.equal(await page.evaluate(() => location.hash), before);
      await page.evaluate(() => { document.getElementById("manual").open = false; window.scrollTo(0, 0); });
    });
    test("filters its table of events", async () => {
      const search = page.locator("input[type=search]").first(), table = await search.getAttribute("data-table");
      const shown = () => page.locator(`#${table} tbody tr`).evaluateAll(rows => rows.filter(r => !r.hidden).map(r => r.textContent));
      const all = await shown();
      const word = name === "space" ? "end" : "impact";
      await search.fill(word);
      const some = await shown();
      assert.ok(some.length > 0 && some.length < all.length);
      assert.ok(some.every(row => row.toLowerCase().includes(word)));
      await search.fill("");
      assert.equal((await shown()).length, all.length);
    });
    test("says nothing on the console and asks for nothing from outside", () => assert.deepEqual(page.faults, []));
    test("has no serious fault of accessibility", async () => assert.deepEqual(await serious(page), []));
  });
}

test("the line of a deep zoom is the recorded one, and not the chord of the first view", async () => {
  const page = await open("woodpecker");
  const found = await page.evaluate(() => {  // the middle millisecond of the run
    const path = document.querySelector("svg.linked:not(.strip) path[data-curve]"), field = path.closest(".field");
    const {x0, x1} = field.dataset, stored = JSON.parse(document.getElementById("curves").textContent)[+path.dataset.curve];
    const times = new Float64Array(Uint8Array.from(atob(stored.t), c => c.charCodeAt(0)).buffer);
    const middle = (Number(x0) + Number(x1)) / 2;
    return {rows: times.length, near: times.filter(t => Math.abs(t - middle) < 0.02).length, middle};
  });
  assert.ok(found.near >= 3, JSON.stringify(found));
  await page.close();
  const zoomed = await open("woodpecker", {}, `#from=${found.middle - 0.02}&to=${found.middle + 0.02}`);
  const d = await zoomed.locator("svg.linked:not(.strip) path[data-curve]").first().getAttribute("d");
  assert.ok(d.split(/[ML]/).length > 4, d);
  assert.ok((await zoomed.locator("svg.linked .dots").first().getAttribute("d")).length > 0);
  assert.deepEqual(zoomed.faults, []);
  await zoomed.close();
});
test("the address remembers the view", async () => {
  const page = await open("woodpecker", {}, "#t=0.5&trails=1&events=impact&nonsense=%zz");
  assert.ok(Math.abs(await clock(page) - 0.5) < 1e-9);
  assert.ok(await page.locator("#trails").isChecked());
  assert.equal(await page.locator("input[data-table=events]").inputValue(), "impact");
  assert.deepEqual(page.faults, []);
  await page.close();
});
test("the address remembers where a motion is looked at from, in the plane and in space", async () => {
  for (const name of ["woodpecker", "space"]) {
    const page = await open(name), whole = await pixels(page);
    await page.focus("#stage");
    for (const key of ["+", "+", "ArrowUp"]) await page.keyboard.press(key);
    const seen = await pixels(page);
    assert.notEqual(seen, whole);
    await page.waitForFunction(() => /camera=/.test(location.hash));
    const hash = await page.evaluate(() => location.hash);
    const again = await open(name, {}, hash);
    assert.ok(await pixels(again) === seen, name + " " + hash);
    await page.focus("#stage");
    await page.keyboard.press("0");
    await page.waitForFunction(() => !/camera=/.test(location.hash));
    assert.ok(await pixels(page) === whole);
    assert.deepEqual([...page.faults, ...again.faults], []);
    await page.close();
    await again.close();
  }
  const page = await open("woodpecker", {}, "#camera=1,nonsense,3;9");
  assert.deepEqual(page.faults, []);
  await page.close();
});
test("impulses are drawn at the instant of an impact, also of contacts that are formulas", async () => {
  for (const name of ["woodpecker", "ratchet"]) {
    const page = await open(name);
    const t = await page.evaluate(() => JSON.parse(document.getElementById("pictures").textContent).impulses.filter(i => i[0] > 0).sort((a, b) => Math.hypot(b[4], b[5]) - Math.hypot(a[4], a[5]))[0][0]);
    assert.ok(t > 0, name);
    await page.close();
    const [at, after] = [await open(name, {}, "#t=" + t), await open(name, {}, "#t=" + t * (1 + 1e-6))];
    const purple = page => page.locator("#stage").evaluate(stage => {  // pixels of the colour of impulses, the key apart
      const {width, height} = stage, data = stage.getContext("2d").getImageData(0, 0, width - 90, height).data;
      let count = 0;
      for (let k = 0; k < data.length; k += 4) if (Math.abs(data[k] - 0x6a) < 12 && Math.abs(data[k + 1] - 0x3f) < 12 && Math.abs(data[k + 2] - 0xb5) < 12 && data[k + 3] > 200) ++count;
      return count;
    });
    assert.ok(await purple(at) > 5, name);
    assert.equal(await purple(after), 0, name);
    await at.close();
    await after.close();
  }
});
test("gaps and hodographs have their plots", async () => {
  const page = await open("ratchet"), heads = await page.locator("h2").allTextContents();
  assert.ok(heads.includes("Gaps") && heads.includes("Hodographs"), heads.join());
  await page.close();
});
test("methods and steps side by side", async () => {
  const page = await open("methods.html");
  assert.match(await page.locator("main").textContent(), /integrator, tolerancedop853, .*rk4, /);
  assert.equal(await page.locator("canvas.stage").count(), 2);
  assert.deepEqual(page.faults, []);
  assert.deepEqual(await serious(page), []);
  await page.close();
});
/// How long a page takes until it can be played, its bytes, and pictures per second while it plays.
const measure = async name => {
  const began = performance.now(), page = await open(name), opened = performance.now() - began;
  await page.click("#play");
  const rate = await page.evaluate(() => new Promise(done => {
    let frames = 0;
    const start = performance.now(), tick = now => { ++frames; if (now - start < 2000) requestAnimationFrame(tick); else done(1000 * frames / (now - start)); };
    requestAnimationFrame(tick);
  }));
  assert.deepEqual(page.faults, []);
  await page.close();
  return {opened: Math.round(opened) + " ms", size: (statSync(join(reports, name, "report.html")).size / 1e6).toFixed(2) + " MB", rate: rate.toFixed(0) + " pictures per second"};
};
test("large runs open and play", async t => {
  for (const name of ["hundred", "million"]) t.diagnostic(name + ": " + JSON.stringify(await measure(name)));
});
test("the site of the documents: no lost link, no serious fault, narrow and dark", async () => {
  for (const settings of [{colorScheme: "light"}, {colorScheme: "dark", viewport: {width: 380, height: 700}}])
    for (const name of ["index.html", "six-stories.html", "model-reference.html", "tasks/report.html"]) {
      const page = await open("site/" + name, settings);
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= window, `${name}: ${wide} px in a window of ${window} px`);
      assert.deepEqual(await serious(page), []);
      assert.deepEqual(page.faults, []);
      await page.close();
    }
});
test("the automaton is lit where the run is", async () => {
  const page = await open("woodpecker");
  const lit = () => page.locator(".location.lit").evaluateAll(all => all.map(l => l.dataset.location));
  const seen = new Set();
  await page.focus("#stage");
  for (let k = 0; k < 12; ++k) {
    await page.keyboard.press("ArrowRight");
    const now = await lit();
    assert.equal(now.length, 1);
    seen.add(now[0]);
  }
  assert.ok(seen.size > 1);
  await page.close();
});
test("theories side by side: motions in step, plots overlaid, where they part", async () => {
  const page = await open("compare.html");
  assert.equal(await page.locator("canvas.stage").count(), 3);
  const before = [await pixels(page, "#stage-0"), await pixels(page, "#stage-2")];
  await page.focus("#stage-0");
  await page.keyboard.press("End");
  assert.notEqual(await pixels(page, "#stage-0"), before[0]);
  assert.notEqual(await pixels(page, "#stage-2"), before[1]);
  assert.match(await page.locator("main").textContent(), /part at event \d+, in: /);
  assert.ok(await page.locator("svg.linked path[data-curve]").count() >= 6);
  assert.deepEqual(page.faults, []);
  assert.deepEqual(await serious(page), []);
  await page.close();
});
test("the gallery shows a picture of every model and leads to their reports", async () => {
  const page = await open("gallery/index.html");
  assert.ok(await page.locator("article.model").count() >= 2);
  assert.equal(await page.locator("article.model .still svg").count(), await page.locator("article.model").count());
  assert.deepEqual(await serious(page), []);
  await page.locator("article.model h3 a").first().click();
  await page.waitForSelector("#stage");
  assert.deepEqual(page.faults, []);
  await page.close();
});
test("names cannot become markup", async () => {
  const page = await open("names");
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.match(await page.locator("h1").textContent(), /<script>/);
  assert.deepEqual(page.faults, []);
  await page.close();
});
test("dark mode turns the page dark, and its picture as well", async () => {
  const light = await open("woodpecker", {colorScheme: "light"}), dark = await open("woodpecker", {colorScheme: "dark"});
  const brightness = page => page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
    return (r + g + b) / 765;
  });
  assert.ok(await brightness(light) > 0.8);
  assert.ok(await brightness(dark) < 0.3);
  assert.notEqual(await pixels(light), await pixels(dark));
  assert.deepEqual(await serious(dark), []);
  await light.close();
  await dark.close();
});
test("a narrow window needs no scrolling sideways", async () => {
  for (const name of ["woodpecker", "ratchet", "space", "compare.html", "gallery/index.html"]) {
    const page = await open(name, {viewport: {width: 380, height: 700}});
    const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= window, `${name}: ${wide} px in a window of ${window} px`);
    await page.close();
  }
});
test("printed it has its plots and tables, and no controls", async () => {
  const page = await open("woodpecker");
  await page.emulateMedia({media: "print"});
  assert.equal(await page.locator(".controls").isVisible(), false);
  assert.ok(await page.locator("svg.linked").first().isVisible());
  assert.ok(await page.locator("table").first().isVisible());
  await page.close();
});
