// A store that cannot be written for a while: somebody else holds its lock.
import { spawn } from "node:child_process";
import { join } from "node:path";

const HOLD = `
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
store.execute("ROLLBACK")
`;

/** Holds the lock until what it gives is called. */
export async function outage(home) {
  const child = spawn("python3", ["-c", HOLD, join(home, "perihelion.db")], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const held = new Promise((resolve) => child.stdout.once("data", resolve));
  await Promise.race([held, ended.then((code) => Promise.reject(new Error(`the lock was not taken: ${code}`)))]);
  return async () => {
    child.stdin.end();
    await ended;
  };
}
