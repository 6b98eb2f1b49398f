// SPDX-License-Identifier: Apache-2.0
// A report's animation as an APNG: node moving_picture.mjs REPORT.html FILE.png FRAMES SECONDS [cycle]
// The whole run, or one period of its limit cycle. Made anew by scripts/pictures.
import {writeFileSync} from "node:fs";
import {resolve} from "node:path";
import {chromium} from "playwright-core";

const [report, file, count, seconds] = [process.argv[2], process.argv[3], Number(process.argv[4] ?? 40), Number(process.argv[5] ?? 3)];
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"]});
const page = await browser.newPage({viewport: {width: 760, height: 700}, colorScheme: "light"});
await page.goto("file://" + resolve(report));
await page.waitForFunction(() => document.getElementById("clock").textContent);
const [begin, end] = await page.evaluate(isCycle => { const p = JSON.parse(document.getElementById("pictures").textContent); return isCycle && p.cycle ? p.cycle : [p.t[0], p.t.at(-1)]; }, process.argv[6] === "cycle");
const frames = [];
for (let k = 0; k < count; ++k) {
  await page.evaluate(t => clack.seek(t), begin + (end - begin) * k / count);
  frames.push(await page.locator("#stage").screenshot());
}
await browser.close();

const table = Int32Array.from({length: 256}, (_, n) => { for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1; return n; });
const crc = bytes => { let c = -1; for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8); return (c ^ -1) >>> 0; };
const chunks = png => {
  const list = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    list.push({name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length)});
    at += 12 + length;
  }
  return list;
};
const chunk = (name, data) => {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]), length = Buffer.alloc(4), check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, check]);
};
const numbers = (...list) => { const buffer = Buffer.alloc(4 * list.length); list.forEach((n, k) => buffer.writeUInt32BE(n, 4 * k)); return buffer; };
const first = chunks(frames[0]), header = first.find(c => c.name === "IHDR").data;
const parts = [frames[0].subarray(0, 8), chunk("IHDR", header), chunk("acTL", numbers(frames.length, 0))];
let order = 0;
frames.forEach((frame, k) => {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(Math.round(1000 * seconds / count), 0);
  delay.writeUInt16BE(1000, 2);
  parts.push(chunk("fcTL", Buffer.concat([numbers(order++, header.readUInt32BE(0), header.readUInt32BE(4), 0, 0), delay])));
  for (const {name, data} of chunks(frame)) {
    if (name !== "IDAT") continue;
    parts.push(k === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(order++), data])));
  }
});
parts.push(chunk("IEND", Buffer.alloc(0)));
writeFileSync(file, Buffer.concat(parts));
