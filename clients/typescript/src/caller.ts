import type { Operation } from "./operation.js";
import { RETRIES, Transport, type Request, type Retries } from "./transport.js";
import type * as types from "./types.js";

/** How a client is set up. */
export interface ClientOptions {
  /** Sent as a bearer token. */
  key?: string;
  /** Where the client works unless a call says otherwise. */
  namespace?: string;
  /** How long an answer may take. */
  timeoutMs?: number;
  /** How often and how patiently requests are sent again. */
  retries?: Partial<Retries>;
  /** Another way to reach the server than the global `fetch`. */
  fetch?: typeof fetch;
}

/** What can be said about any call. */
export interface Call {
  /** Ends the call early. */
  signal?: AbortSignal;
}

/** What can be said about a call that changes a memory. */
export interface ChangingCall extends Call {
  /** Only if the memory still is in the state that this etag names. */
  ifMatch?: string;
}

/** What can be said about a call that stores. */
export interface StoringCall extends Call {
  /** A name for this request that outlives the client: sent again, it is answered as the first time. */
  idempotencyKey?: string;
}

/** What can be said about a call that waits for workers. */
export interface RunningCall extends Call {
  /** How long they may take; ten minutes if left out. */
  timeoutMs?: number;
}

/** A memory as it was read. */
export interface Seen {
  /** Null when it still is as the etag that was given says. */
  memory: types.Memory | null;
  /** Names this state: `revise` and `forget` can insist on it. */
  etag: string;
}

/** The fields of a request that are not given by position. */
export type Rest<T, Given extends keyof T> = Omit<T, Given>;

/** Where something takes place. */
export interface Place {
  namespace?: string | null;
}

/** What every method of a client is made of. */
export class Caller {
  protected readonly transport: Transport;
  protected readonly namespace: string | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.namespace = options.namespace;
    this.transport = new Transport({
      url,
      key: options.key,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: { ...RETRIES, ...options.retries },
      // Browsers insist that fetch is called as a function of the window.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    });
  }

  protected async call<T>(operation: Operation, request: Request): Promise<T> {
    return (await this.transport.json(operation, request)) as T;
  }

  /** What stands in every page, from the first to the last. */
  protected async *pages<Page extends { next_cursor?: string | null }, Item>(
    operation: Operation,
    parameters: { scope?: string | null; cursor?: string | null },
    items: (page: Page) => Item[],
    call: Call,
  ): AsyncGenerator<Item> {
    let query = this.scoped(parameters);
    for (;;) {
      const page = await this.call<Page>(operation, { query, ...call });
      yield* items(page);
      if (page.next_cursor == null) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** With the client's namespace, unless another was named. */
  protected placed<T extends Place>(given: T): T {
    return this.namespace === undefined ? given : { namespace: this.namespace, ...given };
  }

  /** Within the client's namespace, unless another place was named. */
  protected scoped<T extends { scope?: string | null }>(given: T): T {
    return this.namespace === undefined ? given : { scope: this.namespace, ...given };
  }
}

/** The headers of a call that stores. */
export function keyed({ idempotencyKey, signal }: StoringCall): Request {
  return { signal, headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey } };
}

/** The headers of a call that changes a memory. */
export function matching({ ifMatch, signal }: ChangingCall): Request {
  return { signal, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } };
}
