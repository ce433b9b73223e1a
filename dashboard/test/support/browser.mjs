// A page in a real browser that watches over itself: no failure in the console, no request to anywhere else, nothing
// that the content security policy had to stop.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // There may be no graphics card; WebGL is then computed.
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A folder with a built page, to be tested in place of the one that the server holds: a look at changes without a new server. */
const FILES = process.env["DASHBOARD_FILES"];

async function fromFolder(route) {
  const name = new URL(route.request().url()).pathname.split("/").pop() || "index.html";
  const response = await route.fetch({ url: new URL("/", route.request().url()).href });
  const kind = { js: "text/javascript", css: "text/css", svg: "image/svg+xml", html: "text/html" }[name.split(".").pop()];
  const headers = { ...response.headers(), "content-type": `${kind}; charset=utf-8` };
  for (const told of ["content-encoding", "content-length", "etag"]) delete headers[told];
  const path = `${FILES}/${name === "index.html" ? name : `assets/${name}`}`;
  await route.fulfill({ headers, body: readFileSync(path) });
}

/** `more` are further flags of the browser. */
export const launch = (more = []) => chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more] });

/** Opens a place of the dashboard, such as `#/search`. */
export async function open(browser, url, place = "", options = {}) {
  const { theme = "dark", language = "en", width = 1280, height = 860, touch = false, key } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language === "ko" ? "ko-KR" : "en-US",
    hasTouch: touch,
    reducedMotion: options.still ? "reduce" : "no-preference",
  });
  if (key) await context.addInitScript((secret) => sessionStorage.setItem("perihelion.key", secret), key);
  if (FILES) await context.route(/\/(dashboard\/[^/]+)?$/, (route) => fromFolder(route));
  const page = await context.newPage();
  const seen = { errors: [], elsewhere: [], dialogs: [] };
  page.on("console", (message) => {
    // The browser itself tells of answers that are refusals; the page has to bear those.
    const refusal = /Failed to load resource: the server responded with a status of (4\d\d|503)/.test(message.text());
    if (message.type() === "error" && !refusal) seen.errors.push(message.text());
  });
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith("data:")) seen.elsewhere.push(request.url());
  });
  await page.goto(`${url}/${place}`);
  return { page, seen, context };
}

/** Closes the page and says what it should not have done. */
export async function close({ page, seen, context }) {
  await page.close();
  await context.close();
  assert.deepEqual(seen.errors, [], "nothing failed in the page");
  assert.deepEqual(seen.elsewhere, [], "nothing was fetched from elsewhere");
  assert.deepEqual(seen.dialogs, [], "nothing in a memory was run");
}

/** Opens, does, closes. */
export async function within(browser, url, place, options, work) {
  const opened = await open(browser, url, place, options);
  try {
    await work(opened.page);
  } catch (error) {
    const file = process.env["DASHBOARD_SHOTS"] && `${process.env["DASHBOARD_SHOTS"]}/failed-${Date.now()}.png`;
    if (file) await opened.page.screenshot({ path: file });
    await opened.context.close();
    if (opened.seen.errors.length > 0) error.message += `\nin the page: ${opened.seen.errors.join("\n")}`;
    throw error;
  }
  await close(opened);
}

/** What axe finds against WCAG 2.2 A and AA, in a line each. */
export async function accessibility(page) {
  // Run by the debugger: the page's own policy would stop a script that is not its own.
  await page.evaluate(AXE);
  const found = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return found.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(" ")} (${node.failureSummary})`),
  );
}

/** Whether the page is wider than the window. */
export const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
