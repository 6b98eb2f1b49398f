// SPDX-License-Identifier: Apache-2.0
// A page as a picture: node screenshot.mjs PAGE.html FILE.png [WIDTH HEIGHT [light|dark [HASH]]]
import {resolve} from "node:path";
import {chromium} from "playwright-core";

const [page_file, file, width, height, scheme, hash] = process.argv.slice(2);
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"]});
const page = await browser.newPage({viewport: {width: Number(width ?? 1200), height: Number(height ?? 900)}, colorScheme: scheme ?? "light"});
page.on("console", message => console.log(message.type(), message.text()));
page.on("pageerror", error => console.log("error", String(error)));
await page.goto("file://" + resolve(page_file) + (hash ? "#" + hash : ""));
await page.waitForFunction(() => !document.querySelector("canvas.stage") || document.getElementById("clock").textContent);
await page.screenshot({path: file, fullPage: Number(height ?? 900) === 0});
await browser.close();
