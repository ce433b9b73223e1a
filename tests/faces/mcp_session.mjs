// Drives whole sessions against our MCP server with the official TypeScript SDKs.
//
//     node mcp_session.mjs PERI
//
// Each session is held over standard input and output and over HTTP: with the SDK's first generation, which many
// clients are still built with, and with its second in both generations of the protocol. The first thing that
// does not hold ends it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

// The packages lie in the build folder, where imports from here do not look.
const require = createRequire(new URL("../../target/faces/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020.js").default;

const HANDSHAKE = "2025-11-25";
const MODERN = "2026-07-28";
const CALL = { timeout: 30_000 };
const START_MS = 60_000;
const STOP_MS = 30_000;
const SESSIONS_MS = 300_000;
const PAGES_MAX = 50;
const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;

const READS = ["memory_recall", "memory_get", "memory_stats", "memory_export", "memory_health"];
const WRITES = ["memory_store", "memory_import", "session_start", "session_end"];
const DESTROYS = ["memory_forget"];

const FACTS = {
  english: ["Ana keeps the staging deploy key in the blue safe", "where is the deploy key kept?"],
  korean: ["민지는 매주 화요일에 한강에서 자전거를 탄다", "민지는 자전거를 언제 타나요?"],
  chinese: ["王伟负责上海仓库的库存盘点", "谁负责上海仓库的盘点？"],
};

class Failure extends Error {}

function check(condition, message) {
  if (!condition) throw new Failure(message);
}

/** Waits for no longer than given. */
async function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Failure(`${what} took more than ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// The SDKs, with what differs between them taken out of the way.

const second = {
  ...require("@modelcontextprotocol/client"),
  ...require("@modelcontextprotocol/client/stdio"),
  onRoots: (client, handler) => client.setRequestHandler("roots/list", handler),
  callTool: (client, request, options) => client.callTool(request, options),
};

const { ListRootsRequestSchema } = require("@modelcontextprotocol/sdk/types.js");
const first = {
  ...require("@modelcontextprotocol/sdk/client/index.js"),
  ...require("@modelcontextprotocol/sdk/client/stdio.js"),
  ...require("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  onRoots: (client, handler) => client.setRequestHandler(ListRootsRequestSchema, handler),
  callTool: (client, request, options) => client.callTool(request, undefined, options),
};

const WAYS = [
  { name: "first SDK", sdk: first, revision: HANDSHAKE, options: {} },
  { name: "second SDK", sdk: second, revision: HANDSHAKE, options: {} },
  { name: "second SDK", sdk: second, revision: MODERN, options: { versionNegotiation: { mode: { pin: MODERN } } } },
];

/** A connected client, and what every answer is held to. */
class Desk {
  constructor(way, client) {
    this.way = way;
    this.client = client;
    this.tools = new Map();
    this.validators = new Map();
  }

  raw(name, given, options = {}) {
    return this.way.sdk.callTool(this.client, { name, arguments: given }, { ...CALL, ...options });
  }

  /** A call that must succeed: its data obeys the tool's schema and names the namespace. */
  async call(name, given = {}) {
    const result = await this.raw(name, given);
    check(!result.isError, `${name} ${JSON.stringify(given)} was refused: ${textOf(result)}`);
    const answer = result.structuredContent;
    check(answer !== undefined, `${name} answered without structured content`);
    const obeys = this.validators.get(name);
    check(obeys(answer), `${name}'s answer does not obey its schema: ${JSON.stringify([obeys.errors, answer])}`);
    check(typeof answer.namespace === "string", `${name}'s answer names no namespace`);
    check(textOf(result), `${name} answered without text for clients that read only that`);
    return answer;
  }

  /** A call that must be refused with a message that holds the words. */
  async refused(name, given, ...words) {
    const result = await this.raw(name, given);
    const asked = `${name} ${JSON.stringify(given)}`;
    check(result.isError, `${asked} should have been refused, but answered ${textOf(result)}`);
    for (const word of words) {
      check(textOf(result).includes(word), `the refusal of ${asked} does not say ${word}: ${textOf(result)}`);
    }
  }

  async recall(query, more = {}) {
    return (await this.call("memory_recall", { query, ...more })).memories;
  }

  /** All items of an answer that comes in pages. */
  async pages(name, given) {
    const items = [];
    let cursor = {};
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer = await this.call(name, { ...given, ...cursor });
      check(answer.memories.length <= given.limit, `a page of ${name} has ${answer.memories.length} items`);
      items.push(...answer.memories);
      if (answer.next_cursor === undefined) return items;
      cursor = { cursor: answer.next_cursor };
    }
    throw new Failure(`${name} does not end within ${PAGES_MAX} pages`);
  }
}

function textOf(result) {
  return result.content.map((block) => block.text ?? "").join("\n");
}

/** The protocol error that a request must end with. */
async function fails(what, promise, ...codes) {
  try {
    const answer = await promise;
    throw new Failure(`${what} should have failed, but answered ${JSON.stringify(answer)}`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    check(codes.includes(error.code), `${what} failed with ${error.code} (${error.message}), not with ${codes}`);
    return error;
  }
}

// The steps of a session, in order.

function greeting({ client, way }) {
  const version = client.getServerVersion();
  check(version?.name === "perihelion", `the server calls itself ${JSON.stringify(version)}`);
  check(client.getInstructions(), "the server gives no instructions");
  for (const name of ["tools", "resources", "prompts"]) {
    check(client.getServerCapabilities()[name], `the server does not declare ${name}`);
  }
  const spoken = client.getNegotiatedProtocolVersion?.() ?? client.transport.protocolVersion ?? way.revision;
  check(spoken === way.revision, `the session speaks ${spoken}, not ${way.revision}`);
}

async function listingTools(desk) {
  // One page at a time with the first SDK, all at once with the second.
  let cursor;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await desk.client.listTools(cursor === undefined ? undefined : { cursor }, CALL);
    for (const tool of answer.tools) {
      check(!desk.tools.has(tool.name), `${tool.name} is listed twice`);
      desk.tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  check(cursor === undefined, `tools/list does not end within ${PAGES_MAX} pages`);
  for (const name of [...READS, ...WRITES, ...DESTROYS]) check(desk.tools.has(name), `${name} is not listed`);
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const tool of desk.tools.values()) {
    check(tool.description, `${tool.name} has no description`);
    check(tool.outputSchema, `${tool.name} has no output schema`);
    ajv.compile(tool.inputSchema);
    desk.validators.set(tool.name, ajv.compile(tool.outputSchema));
  }
}

function hints({ tools }) {
  const hint = (name) => tools.get(name).annotations ?? {};
  for (const name of READS) check(hint(name).readOnlyHint === true, `${name} does not say that it only reads`);
  for (const name of WRITES) {
    check(hint(name).readOnlyHint === false, `${name} says that it only reads`);
    check(hint(name).destructiveHint === false, `${name} says that it destroys`);
  }
  for (const name of DESTROYS) check(hint(name).destructiveHint === true, `${name} does not say that it takes away`);
}

async function storingAndRecalling(desk) {
  const ids = {};
  for (const [language, [content]] of Object.entries(FACTS)) {
    ids[language] = (await desk.call("memory_store", { content, tags: [language], importance: 0.7 })).id;
  }
  for (const [language, [fact, question]] of Object.entries(FACTS)) {
    const [best] = await desk.recall(question);
    check(best?.content === fact, `${question} finds ${best?.content} first`);
    check(best.id === ids[language], `the hit for ${question} has another id than the receipt`);
    const got = await desk.call("memory_get", { id: ids[language] });
    check(got.content === fact, `memory_get shows ${got.content} instead of ${fact}`);
  }
  return ids;
}

async function budgetsAndPages(desk) {
  const query = "what does Bo collect?";
  for (const thing of ["stamps from Iceland", "old maps of Lisbon", "brass compasses", "pressed alpine flowers"]) {
    await desk.call("memory_store", { content: `Bo collects ${thing} and shows them to visitors on Sundays` });
  }
  const everything = (await desk.recall(query, { limit: 50 })).map(({ id }) => id);
  check(everything.length >= 4, `${query} finds only ${everything.length}`);
  const tight = await desk.call("memory_recall", { query, limit: 50, max_tokens: 30 });
  const fit = tight.memories.length;
  check(fit > 0 && fit < everything.length, `30 tokens let ${fit} of ${everything.length} through`);
  check(tight.over_budget === everything.length - fit, `the rest is counted as ${tight.over_budget}`);
  const paged = (await desk.pages("memory_recall", { query, limit: 2 })).map(({ id }) => id);
  check(isDeepStrictEqual(paged, everything), `pages of two give ${paged} instead of ${everything}`);
}

async function badArguments(desk) {
  await desk.refused("memory_store", {}, "content");
  await desk.refused("memory_store", { content: 5 }, "content");
  await desk.refused("memory_store", { content: "x", importance: 7 }, "importance");
  await desk.refused("memory_store", { content: "x", namespace: "A//b" }, "namespace");
  await desk.refused("memory_recall", { query: "x", limit: -1 }, "limit");
  await desk.refused("memory_recall", { query: "x", invented: true }, "invented");
  await desk.refused("memory_get", { id: "nonsense" }, "id", "nonsense");
  const unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
  for (const name of ["memory_get", "memory_forget"]) await desk.refused(name, { id: unknown }, unknown);
  await fails("an unknown tool", desk.raw("no_such_tool", {}), INVALID_PARAMS);
}

async function forgetting(desk, ids) {
  const [fact, question] = FACTS.english;
  await desk.call("memory_forget", { id: ids.english });
  const found = await desk.recall(question);
  check(!found.some(({ content }) => content === fact), "a forgotten memory is recalled");
}

async function conversations(desk) {
  const { session } = await desk.call("session_start");
  await desk.call("memory_store", { content: "We settled on Tuesday for the tasting", session });
  const found = await desk.recall("when is the tasting?", { session });
  check(found.some(({ content }) => content.includes("Tuesday")), "what was said in a session is not found in it");
  await desk.call("session_end", { session });
}

async function transfer(desk) {
  const exported = await desk.pages("memory_export", { limit: 3 });
  const back = await desk.call("memory_import", { memories: exported });
  check(back.stored === 0, `importing what is there already makes ${back.stored} copies`);
  let told = -1;
  const onprogress = ({ progress }) => {
    check(progress > told, "progress goes backwards");
    told = progress;
  };
  const carried = await desk.raw("memory_import", { memories: exported, namespace: "copy" }, { onprogress });
  check(!carried.isError, `what was exported is not imported: ${textOf(carried)}`);
  const [fact, question] = FACTS.korean;
  const found = await desk.recall(question, { namespace: "copy" });
  check(found.some(({ content }) => content === fact), `${fact} is not found where it was imported`);
  const { memories } = await desk.call("memory_stats");
  check(memories === exported.length, `memory_stats counts ${memories}, memory_export gave ${exported.length}`);
  const { healthy, problems } = await desk.call("memory_health");
  check(healthy, `memory_health reports ${problems}`);
}

async function resources({ client, way }) {
  const listed = (await client.listResources(undefined, CALL)).resources.map(({ uri }) => uri);
  for (const uri of ["memory://stats", "memory://zones", "memory://context"]) {
    check(listed.includes(uri), `${uri} is not listed`);
  }
  for (const uri of listed) {
    const { contents } = await client.readResource({ uri }, CALL);
    check(contents.length > 0 && contents.every(({ text }) => text), `${uri} is empty`);
    for (const { mimeType, text } of contents) if (mimeType === "application/json") JSON.parse(text);
  }
  await client.listResourceTemplates(undefined, CALL);
  const uri = "memory://no-such-thing";
  const codes = way.revision === MODERN ? [INVALID_PARAMS] : [INVALID_PARAMS, RESOURCE_NOT_FOUND];
  await fails("an unknown resource", client.readResource({ uri }, CALL), ...codes);
}

async function prompts({ client }) {
  const listed = (await client.listPrompts(undefined, CALL)).prompts;
  check(listed.length > 0, "there are no prompts");
  for (const prompt of listed) {
    const filled = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, "tea"]));
    const { messages } = await client.getPrompt({ name: prompt.name, arguments: filled }, CALL);
    check(messages.length > 0, `the prompt ${prompt.name} is empty`);
  }
  await fails("an unknown prompt", client.getPrompt({ name: "no_such_prompt" }, CALL), INVALID_PARAMS);
}

/** A client that gives up a call leaves the server as it was. */
async function givingUp(desk) {
  const controller = new AbortController();
  const query = "a question whose answer nobody waits for";
  const given = desk.raw("memory_recall", { query }, { signal: controller.signal }).catch(() => undefined);
  controller.abort();
  await within(CALL.timeout, "giving up", given);
  check((await desk.recall(FACTS.chinese[1])).length > 0, "after a call was given up, nothing is found");
  if (desk.way.revision === HANDSHAKE) await desk.client.ping(CALL);
}

async function wholeSession(desk) {
  greeting(desk);
  await listingTools(desk);
  hints(desk);
  const ids = await storingAndRecalling(desk);
  await budgetsAndPages(desk);
  await badArguments(desk);
  await forgetting(desk, ids);
  await conversations(desk);
  await transfer(desk);
  await resources(desk);
  await prompts(desk);
  await givingUp(desk);
}

/** Two clients in two folders of one name do not see each other's memories. */
async function twoWorkspaces(connect, revision) {
  const folders = { ana: "/home/ana/shop", bo: "/home/bo/shop" };
  const one = await connect(() => folders.ana);
  const other = await connect(() => folders.bo);
  await listingTools(one);
  await listingTools(other);
  const kept = await one.call("memory_store", { content: "The shop closes at six on Saturdays" });
  check(/^workspace\/shop-[0-9a-f]+$/.test(kept.namespace), `the namespace is ${kept.namespace}`);
  const query = "when does the shop close?";
  let answer = await other.call("memory_recall", { query });
  check(answer.namespace !== kept.namespace, "two folders share one namespace");
  check(answer.memories.length === 0, `another folder's memory is found: ${JSON.stringify(answer.memories)}`);
  folders.bo = folders.ana;
  if (revision === HANDSHAKE) await other.client.sendRootsListChanged();
  answer = await other.call("memory_recall", { query });
  check(answer.namespace === kept.namespace, `the namespace does not follow the workspace: ${answer.namespace}`);
  check(answer.memories.length > 0, "the workspace's memory is not found by another client in it");
}

// How the server is reached.

/** Nothing of the user's is read or written, and no setting leaks in. */
function environment(folder) {
  return { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1" };
}

async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "peri-faces-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function overStdio(peri, sdk, work) {
  return inFolder((folder) => {
    const args = ["mcp", "--home", join(folder, "memories")];
    return work(() => new sdk.StdioClientTransport({ command: peri, args, env: environment(folder), cwd: folder }));
  });
}

// Whoever ends this also ends the servers.
const servers = new Set();
process.on("exit", () => servers.forEach((server) => server.kill("SIGKILL")));
process.on("SIGTERM", () => process.exit(1));

function overHttp(peri, sdk, work) {
  return inFolder(async (folder) => {
    const args = ["serve", "--home", join(folder, "memories"), "--listen", "127.0.0.1:0", "--json"];
    const stderr = await open(join(folder, "stderr"), "w");
    const server = spawn(peri, args, { stdio: ["ignore", "pipe", stderr.fd], env: environment(folder) });
    await stderr.close();
    const ended = once(server, "exit");
    servers.add(server);
    try {
      const line = once(createInterface({ input: server.stdout }), "line");
      const [greeted] = await within(START_MS, "starting the server", Promise.race([line, ended]));
      check(typeof greeted === "string", `the server ended with ${greeted} before it could be reached`);
      const { url } = JSON.parse(greeted);
      await work(() => new sdk.StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
      server.kill("SIGTERM");
      const [code] = await within(STOP_MS, "stopping the server", ended);
      check(code === 0, `the server ended with ${code} when it was asked to end`);
    } catch (error) {
      console.error((await readFile(join(folder, "stderr"), "utf8")).slice(-4000));
      throw error;
    } finally {
      server.kill("SIGKILL");
      servers.delete(server);
    }
  });
}

function allSessions(peri, reach, way) {
  return reach(peri, way.sdk, async (transport) => {
    const open = [];
    const connect = async (folder) => {
      const capabilities = folder ? { roots: { listChanged: true } } : {};
      const client = new way.sdk.Client({ name: "faces", version: "1" }, { capabilities, ...way.options });
      if (folder) way.sdk.onRoots(client, () => ({ roots: [{ uri: `file://${folder()}`, name: "workspace" }] }));
      open.push(client);
      await client.connect(transport(), CALL);
      return new Desk(way, client);
    };
    try {
      await wholeSession(await connect());
      await twoWorkspaces(connect, way.revision);
    } finally {
      for (const client of open) {
        await client.transport?.terminateSession?.();
        await client.close();
      }
    }
  });
}

async function main() {
  if (process.argv.length !== 3) throw new Failure("usage: node mcp_session.mjs PERI");
  const peri = resolve(process.argv[2]);
  const transports = [["standard input and output", overStdio], ["HTTP", overHttp]];
  for (const [transport, reach] of transports) {
    for (const way of WAYS) {
      const what = `${transport}, ${way.name}, ${way.revision}`;
      try {
        await within(SESSIONS_MS, "all sessions", allSessions(peri, reach, way));
      } catch (error) {
        throw error instanceof Failure ? new Failure(`${what}: ${error.message}`) : new Error(what, { cause: error });
      }
      console.log(`mcp_session.mjs: ${what}: everything holds`);
    }
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof Failure ? `mcp_session.mjs: ${error.message}` : error);
    process.exit(1);
  },
);
