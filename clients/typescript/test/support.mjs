// A real server for the tests: on a free port, in a folder of its own, gone afterwards.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Client } from "perihelion-client";

const PERI = process.env.PERI ?? assert.fail("PERI must name the binary");

// So soon that no test waits, and so often that a server may start in between.
export const EAGER = { count: 4, firstWaitMs: 0, waitMaxMs: 0 };
export const PATIENT = { count: 50, firstWaitMs: 10, waitMaxMs: 200 };

/** `peri serve` on one folder, which may be stopped and started again at the same address. */
export class Server {
  static async start(settings = "") {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), "peri-client-"));
    server.home = join(server.folder, "memories");
    mkdirSync(server.home);
    writeFileSync(join(server.home, "perihelion.toml"), settings);
    server.log = join(server.folder, "log");
    server.listen = "127.0.0.1:0";
    const create = ["key", "create", "tests", "--role", "admin", "--quiet", "--home", server.home];
    server.admin = execFileSync(PERI, create, { env: server.environment() }).toString().trim();
    await server.start();
    return server;
  }

  /** Nothing of the user's is read or written, and no setting leaks in. */
  environment() {
    const names = ["PATH", "LANG", "LC_ALL", "TZ"].filter((name) => process.env[name] !== undefined);
    const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    return { ...kept, HOME: this.folder, NO_COLOR: "1" };
  }

  async start() {
    const log = openSync(this.log, "a");
    const serve = ["serve", "--home", this.home, "--listen", this.listen, "--json"];
    this.process = spawn(PERI, serve, { env: this.environment(), stdio: ["ignore", "pipe", log] });
    closeSync(log);
    // The server prints nothing before it can be reached.
    for await (const line of createInterface({ input: this.process.stdout })) {
      this.url = JSON.parse(line).url;
      this.listen = new URL(this.url).host;
      return;
    }
    assert.fail(`the server did not start: ${readFileSync(this.log).toString().slice(-4000)}`);
  }

  async stop() {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    const [code] = await ended;
    assert.equal(code, 0, readFileSync(this.log).toString().slice(-4000));
  }

  async end() {
    if (this.process.exitCode === null) await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  connect(options = {}) {
    return new Client(this.url, { key: this.admin, ...options });
  }

  /** A client with a key that opens less. */
  async restricted(role, scope) {
    const { secret } = await this.connect().createKey({ name: role, role, scope });
    return this.connect({ key: secret });
  }
}

// Node itself has no SQLite everywhere, and whoever runs these tests has Python for the other client's.
const HOLD = `
import sqlite3, sys
holder = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
holder.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
`;

/** Another program holds the database, so that the server's writes have to wait, until what is given is called. */
export async function outage(context, server) {
  const database = join(server.home, "perihelion.db");
  const holder = spawn("python3", ["-c", HOLD, database], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(holder, "exit");
  const release = async () => {
    holder.stdin.end();
    await ended;
  };
  context.after(release);
  for await (const line of createInterface({ input: holder.stdout })) {
    assert.equal(line, "held");
    return release;
  }
  return assert.fail("the database could not be held");
}

/** A namespace of a test's own. */
export const place = (context) => `tests/${context.name.replaceAll(" ", "_")}`;

export async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** A server that answers as a test says, one answer after the other; the last one again and again. */
export async function stub(context, ...script) {
  const requests = [];
  const url = await serve(context, async (request, response) => {
    const body = Buffer.concat(await all(request)).toString();
    requests.push({ method: request.method, path: request.url, headers: request.headers, body });
    const answer = script.length > 1 ? script.shift() : script[0];
    answer(request, response);
  });
  return { url, requests };
}

/** An answer in JSON. */
export const answers = (status, told, headers = {}) => (_, response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(told));
};

/** No answer: the connection is closed. */
export const hangsUp = (request) => request.socket.destroy();

/** A stream that stops before it has ended. */
export const breaksOff = (text) => (_, response) => {
  response.writeHead(200);
  response.write(text, () => response.socket.end());
};

/** A way to a server on which the answer to a request is lost when `loses(request)` says so. */
export async function forwarder(context, upstream, loses) {
  return serve(context, async (request, response) => {
    const body = Buffer.concat(await all(request));
    const { method, headers } = request;
    const [status, told] = await new Promise((resolve, reject) => {
      const onward = httpRequest(new URL(request.url, upstream()), { method, headers, agent: false });
      onward.on("response", async (answer) => resolve([answer.statusCode, Buffer.concat(await all(answer))]));
      onward.on("error", reject);
      onward.end(body);
    });
    if (await loses(request)) return hangsUp(request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(told);
  });
}

async function serve(context, handle) {
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${server.address().port}`;
}
