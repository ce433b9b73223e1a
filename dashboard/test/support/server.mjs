// A `peri serve` of its own for a test: on a free port, in a folder of its own, gone afterwards.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PERI = process.env["PERI"] ?? fileURLToPath(new URL("../../../target/debug/peri", import.meta.url));
const START_MS = 60_000;
const STOP_MS = 30_000;

/** Nothing of the user's is read or written, and no setting leaks in. */
function environment(folder) {
  const kept = ["PATH", "LANG", "TZ"].filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), HOME: folder, NO_COLOR: "1" };
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    const late = setTimeout(() => reject(new Error(`the server said nothing within ${START_MS} ms`)), START_MS);
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (!text.includes("\n")) return;
      clearTimeout(late);
      resolve(JSON.parse(text.split("\n")[0]));
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code} before it could be reached`)));
  });
}

/** Starts one. `settings` are added to its perihelion.toml. */
export async function serve({ settings = "", workers = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "peri-dashboard-"));
  const home = join(folder, "memories");
  mkdirSync(home);
  writeFileSync(join(home, "perihelion.toml"), `${settings}\n[server]\nrequests_per_minute = 0\n`);
  const flags = ["serve", "--home", home, "--listen", "127.0.0.1:0", "--json", ...(workers ? [] : ["--no-workers"])];
  const child = spawn(PERI, flags, { env: environment(folder), stdio: ["ignore", "pipe", "ignore"] });
  const { url } = await firstLine(child);
  return {
    url,
    home,
    /** What `peri` prints on the same folder. */
    run: (...args) => execFileSync(PERI, [...args, "--home", home], { env: environment(folder), encoding: "utf8" }),
    ask: (method, path, body, key) => ask(url, method, path, body, key),
    stop: () => stop(child, folder),
  };
}

async function stop(child, folder) {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null) {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(late);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The answer in JSON; anything but success is an error of the test. */
export async function ask(url, method, path, body, key) {
  const headers = { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const response = await fetch(url + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
