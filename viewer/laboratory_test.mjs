// SPDX-License-Identifier: Apache-2.0
// Serves a model as a person would use it: breaks it, repairs it, moves a slider, compares.
//   node --test laboratory_test.mjs     with PROGRAM = clack, MODEL = a model file
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {after, test} from "node:test";
import {chromium} from "playwright-core";

const server = spawn(process.env.PROGRAM, ["serve", process.env.MODEL, "--no-browser"], {stdio: ["ignore", "pipe", "ignore"]});
const address = await new Promise((resolve, reject) => {
  let text = "";
  server.stdout.on("data", data => { text += data; if (text.includes("\n")) resolve(text.split("\n")[0]); });
  server.on("exit", code => reject(new Error("clack serve ended with " + code)));
});
const axe = readFileSync(join(import.meta.dirname ?? ".", "node_modules/axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"]});
after(async () => { await browser.close(); server.kill("SIGINT"); });

const page = await browser.newPage({viewport: {width: 1300, height: 900}});
const faults = [];
page.on("console", message => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
page.on("pageerror", error => faults.push(String(error)));
page.on("request", request => { if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) faults.push("asks for " + request.url()); });
await page.goto(address);
const result = async pattern => { await page.waitForFunction(p => new RegExp(p).test(document.getElementById("result").textContent), pattern.source, {timeout: 60000}); return page.locator("#result").textContent(); };

test("listens on the loopback address only", () => assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/));
test("shows the model and runs it", async () => {
  assert.match(await result(/run 1: done/), /impacts/);
  const frame = page.frameLocator("#report");
  await frame.locator("#stage").waitFor();
  assert.match(await frame.locator("h1").textContent(), /done/);
});
test("says at its line what is wrong, and is content when it is repaired", async () => {
  const text = page.locator("#text"), whole = await text.inputValue();
  await text.fill(whole.replace("restitution", "restitutoin"));
  await page.locator("#lines .bad").waitFor();
  const line = whole.split("\n").findIndex(l => l.includes("restitution")) + 1;
  assert.equal((await page.locator("#lines .bad").textContent()).trim(), String(line));
  assert.match(await page.locator("#errors").textContent(), /restitution/);
  await text.fill(whole);
  await page.waitForFunction(() => !document.querySelector("#errors li"));
});
test("a slider makes a new run, which is compared with the one before", async () => {
  const slider = page.locator("#sliders input[type=range]").first();
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await result(/run 2: done/);
  await page.getByRole("button", {name: "compare with the run before"}).click();
  const frame = page.frameLocator("#report");
  await frame.locator("#stage-1").waitFor();
  assert.match(await frame.locator("main").textContent(), /run 1.*run 2/s);
});
test("every file of a run can be saved", async () => {
  for (const name of ["report.html", "trace.csv", "events.json", "model.yaml"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`#result a[download="${name}"]`).click()]);
    assert.equal(download.suggestedFilename(), name);
  }
});
test("pages of other origins are refused", async () => {
  const other = await fetch(address + "check", {method: "POST", headers: {Origin: "http://example.org"}, body: "{}"});
  assert.equal(other.status, 403);
});
test("a hundred bad requests change nothing", async () => {
  const before = await (await fetch(address + "runs/1/events.json")).text();
  for (let k = 0; k < 100; ++k) {
    const path = ["run", "check", "runs/7/x", "../../etc/passwd", "compare/1/9", "%00", "runs/-1/trace.csv"][k % 7];
    const response = await fetch(address + path, k % 2 ? {method: "POST", body: "x".repeat(k * 1000)} : {});
    assert.ok(response.status >= 400, path + " " + response.status);
  }
  assert.equal(await (await fetch(address + "runs/1/events.json")).text(), before);
});
test("nothing on the console, no serious fault of accessibility, narrow and dark", async () => {
  assert.deepEqual(faults, []);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({colorScheme});
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run({exclude: ["iframe"]}, {resultTypes: ["violations"], iframes: false}));
    assert.deepEqual(found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.target).join(", ")), []);
  }
  await page.setViewportSize({width: 380, height: 700});
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `${wide} px in a window of ${window} px`);
});
