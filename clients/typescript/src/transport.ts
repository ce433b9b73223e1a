import { PeriError, problemOf, queuedOf, Unreachable } from "./errors.js";
import { checkBody, target, type Operation } from "./operation.js";

/** How often and how patiently a request is sent again. */
export interface Retries {
  /** So many times after the first. */
  count: number;
  /** Before the first of them; each further wait is twice as long. */
  firstWaitMs: number;
  /** No wait is longer, whatever the server asks for. */
  waitMaxMs: number;
}

export const RETRIES: Retries = { count: 4, firstWaitMs: 250, waitMaxMs: 30_000 };

/** What is sent. */
export interface Request {
  parts?: Record<string, string>;
  query?: object;
  /** Sent as JSON. */
  body?: object;
  /** Sent piece by piece. */
  pieces?: AsyncIterable<string>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** How a transport is set up. */
export interface TransportOptions {
  url: string;
  key: string | undefined;
  timeoutMs: number;
  retries: Retries;
  fetch: typeof fetch;
}

// Browsers send streams over HTTP/2 only, if at all.
const SENDS_STREAMS = "process" in globalThis || "Deno" in globalThis;
const UNDER_WAY = "/problems/under-way";

/** Requests to one server, sent again where that is safe. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #base: string;

  constructor(options: TransportOptions) {
    const url = new URL(options.url);
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new TypeError(`not the address of a server: ${options.url}; it looks like http://127.0.0.1:7437`);
    }
    this.#options = options;
    this.#base = url.origin + url.pathname.replace(/\/+$/, "");
  }

  /** The answer in JSON, or undefined where there is none. */
  async json(operation: Operation, request: Request = {}): Promise<unknown> {
    const text = await this.text(operation, request);
    return text === "" ? undefined : JSON.parse(text);
  }

  async text(operation: Operation, request: Request = {}): Promise<string> {
    return (await this.whole(operation, request)).text;
  }

  /** An answer that has come whole. */
  async whole(operation: Operation, request: Request): Promise<{ response: Response; text: string }> {
    return this.#attempt(operation, request, this.#options.timeoutMs, async (response, watch) => {
      const text = await response.text();
      watch.rest();
      const queued = queuedOf(response.status, text);
      if (queued !== undefined) throw queued;
      return { response, text };
    });
  }

  /** An answer that is read while it comes, in lines; silence for longer than given ends it. */
  async lines(operation: Operation, request: Request, silenceMs?: number): Promise<AsyncGenerator<string>> {
    const read = async (response: Response, watch: Watch) => linesOf(response, watch);
    return this.#attempt(operation, request, silenceMs ?? this.#options.timeoutMs, read);
  }

  /** Waits before an attempt, which counts from 1; false when there have been enough. */
  async wait(attempt: number, asked: number | undefined, signal?: AbortSignal): Promise<boolean> {
    const { count, firstWaitMs, waitMaxMs } = this.#options.retries;
    if (attempt > count) return false;
    // Many clients that lost the same server should not all come back at once.
    const usual = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
    await pause(Math.min(asked === undefined ? usual : asked * 1000, waitMaxMs), signal);
    return true;
  }

  async #attempt<T>(operation: Operation, request: Request, timeoutMs: number, read: Read<T>): Promise<T> {
    const url = this.#base + target(operation, request.parts ?? {}, request.query ?? {});
    const init = await this.#init(operation, request);
    // A stream of pieces is used up when it has been sent, and takes as long as it takes.
    const again = operation.repeat !== "never" && request.pieces === undefined;
    const patienceMs = request.pieces === undefined ? timeoutMs : undefined;
    for (let attempt = 1; ; attempt++) {
      const watch = new Watch(patienceMs, request.signal);
      try {
        return await this.#exchange(url, init, watch, read);
      } catch (error) {
        watch.rest();
        const failure = request.signal?.aborted ? request.signal.reason : error;
        if (!(failure instanceof PeriError) || !again || !mayPass(failure)) throw failure;
        if (!(await this.wait(attempt, failure.retryAfterSeconds, request.signal))) throw failure;
      }
    }
  }

  async #exchange<T>(url: string, init: RequestInit, watch: Watch, read: Read<T>): Promise<T> {
    const reach = this.#options.fetch;
    watch.listen();
    try {
      const response = await reach(url, { ...init, signal: watch.signal });
      // An unchanged memory is an answer, although fetch does not call it one.
      if (!response.ok && response.status !== 304) throw await problemOf(response);
      return await read(response, watch);
    } catch (error) {
      throw error instanceof PeriError ? error : unreachable(`no answer from ${new URL(url).host}`, error);
    }
  }

  async #init(operation: Operation, request: Request): Promise<RequestInit> {
    const headers: Record<string, string> = { ...request.headers };
    if (this.#options.key !== undefined) headers["authorization"] = `Bearer ${this.#options.key}`;
    if (operation.repeat === "keyed") headers["idempotency-key"] ??= newKey();
    // A key must not follow wherever an answer points.
    const init: RequestInit & { duplex?: "half" } = { method: operation.method, headers, redirect: "error" };
    // Another answer than the server's own would break the promise that what was written is seen.
    init.cache = "no-store";
    if (request.body !== undefined) {
      checkBody(operation, request.body);
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    if (request.pieces !== undefined) {
      headers["content-type"] = "application/jsonl";
      init.body = SENDS_STREAMS ? streamOf(request.pieces) : await gathered(request.pieces);
      init.duplex = "half";
    }
    return init;
  }
}

/** Ends a request whose answer has been waited for too long, or when its caller says so. */
class Watch {
  readonly #controller = new AbortController();
  readonly #patienceMs: number | undefined;
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(patienceMs: number | undefined, signal: AbortSignal | undefined) {
    this.#patienceMs = patienceMs;
    const own = this.#controller.signal;
    this.signal = signal === undefined ? own : AbortSignal.any([own, signal]);
  }

  /** From now on the server is waited for. */
  listen(): void {
    this.rest();
    if (this.#patienceMs === undefined) return;
    const silent = new Unreachable(`nothing came for ${this.#patienceMs} ms`);
    this.#timer = setTimeout(() => this.#controller.abort(silent), this.#patienceMs);
  }

  /** It has answered, or whoever reads takes its time. */
  rest(): void {
    clearTimeout(this.#timer);
  }
}

/** What is made of an answer. It lets the watch rest when nothing more is waited for. */
type Read<T> = (response: Response, watch: Watch) => Promise<T>;

/** The lines without their ends. A stream that breaks off throws, so a part is never taken for the whole. */
async function* linesOf(response: Response, watch: Watch): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (reader !== undefined) {
      watch.listen();
      const { done, value } = await reader.read();
      watch.rest();
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.replace(/\r$/, "");
      if (done) break;
    }
    if (rest !== "") yield rest;
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : unreachable("the answer broke off", error);
  } finally {
    watch.rest();
    // Whoever stops early lets the server stop too; one that has ended or failed has nothing left to cancel.
    await reader?.cancel().catch(() => undefined);
  }
}

async function gathered(pieces: AsyncIterable<string>): Promise<Blob> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return new Blob(all);
}

function streamOf(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function unreachable(what: string, error: unknown): Unreachable {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new Unreachable(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, error);
}

/** Whether the same request may fare better in a while: no answer came, or one that says when to come back. */
function mayPass(error: PeriError): boolean {
  if (error.status === undefined) return true;
  const busy = error.status === 429 || error.status === 503 || error.type === UNDER_WAY;
  return busy && error.retryAfterSeconds !== undefined;
}

/** `crypto.randomUUID` is missing on pages that were not loaded over TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
