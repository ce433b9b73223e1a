// Builds the page into the server's folder, and writes the table of its files.
//
//     node tools/build.mjs           builds
//     node tools/build.mjs --check   builds elsewhere and says whether what is committed is the same
import { existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { execFileSync } from "node:child_process";
import { build } from "vite";

const here = fileURLToPath(new URL("..", import.meta.url));
const server = join(here, "../crates/peri-http");
/** What a browser fetches before it shows the first view may be so large, compressed. */
const FIRST_PAINT_MAX = 200_000;

/** Builds into a folder as the server has it: the page itself, and beside it everything else. */
async function make(into) {
  execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", here], { stdio: "inherit" });
  process.env["DASHBOARD_OUT"] = into;
  await build({ root: here, configFile: join(here, "vite.config.ts"), logLevel: "warn" });
  const assets = join(into, "assets");
  mkdirSync(assets);
  for (const name of readdirSync(into).filter((name) => name !== "index.html" && name !== "assets")) {
    renameSync(join(into, name), join(assets, name));
  }
}

/** Every file of a built page. */
function files(folder) {
  const assets = existsSync(join(folder, "assets")) ? readdirSync(join(folder, "assets")) : [];
  return ["index.html", ...assets.map((name) => `assets/${name}`)];
}

/** How much is fetched for the first view: the page, what it names, and the view itself. */
function firstPaint(folder) {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/\/dashboard\/([\w.-]+)/g)].map((match) => match[1]);
  const view = readdirSync(join(folder, "assets")).filter((name) => /^orbit\.(js|css)$/.test(name));
  // What the view shares with others is fetched with it.
  const shared = view.flatMap((name) => [...readFileSync(join(folder, "assets", name), "utf8").matchAll(/from\s*"\.\/([\w.-]+)"/g)]);
  const names = new Set([...named, ...view, ...shared.map((match) => match[1])]);
  const sizes = [...names].map((name) => gzipSync(readFileSync(join(folder, "assets", name))).length);
  return sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
}

function differences(made, kept) {
  const names = new Set([...files(made), ...files(kept)]);
  const read = (folder, path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined);
  return [...names].filter((path) => {
    const [a, b] = [read(made, path), read(kept, path)];
    return a === undefined || b === undefined || !a.equals(b);
  });
}

const checks = process.argv.includes("--check");
const committed = join(server, "dashboard");
const into = checks ? mkdtempSync(join(tmpdir(), "perihelion-dashboard-")) : committed;
try {
  await make(into);
  const size = firstPaint(into);
  console.log(`first paint: ${(size / 1000).toFixed(1)} kB compressed`);
  if (size > FIRST_PAINT_MAX) throw new Error(`the first paint may take ${FIRST_PAINT_MAX / 1000} kB`);
  if (checks) {
    const differ = differences(into, committed);
    if (differ.length > 0) throw new Error(`not what dashboard/build makes of the sources: ${differ.join(", ")}; run dashboard/build and commit it`);
    console.log("the committed page is what its sources make");
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (checks) rmSync(into, { recursive: true, force: true });
}
