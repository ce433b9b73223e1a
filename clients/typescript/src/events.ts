import { EventsMissing, Unreachable } from "./errors.js";
import type { Transport } from "./transport.js";

/** One message of a stream of server-sent events. */
interface Message {
  event: string;
  data: string[];
  id: string | undefined;
}

const empty = (): Message => ({ event: "message", data: [], id: undefined });

/**
 * The messages in the lines of a stream, and null for a comment, which says that the server is still there. What the
 * end of the stream cuts off is dropped: it will be sent again.
 */
export async function* messages(lines: AsyncIterable<string>): AsyncGenerator<Message | null> {
  let message = empty();
  for await (const line of lines) {
    if (line === "") {
      yield message;
      message = empty();
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "") yield null;
    else if (name === "data") message.data.push(value);
    else if (name === "event") message.event = value;
    else if (name === "id") message.id = value;
  }
}

/**
 * Events from after `last` on. A connection that breaks is opened again where it ended; the stream ends with an error
 * when the server stays away for longer than retries last.
 */
export async function* follow<T>(
  transport: Transport,
  connect: (last: string) => Promise<AsyncGenerator<string>>,
  last: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  for (let failures = 1; ; failures++) {
    let failure = new Unreachable("the server ended the stream of events");
    // Connecting has its own retries; when they are used up, the server is gone.
    const lines = await connect(last);
    try {
      for await (const message of messages(lines)) {
        failures = 0;
        if (message === null) continue;
        last = message.id ?? last;
        if (message.data.length === 0) continue;
        const told: unknown = JSON.parse(message.data.join("\n"));
        if (message.event === "lagged") throw missing(told);
        yield told as T;
      }
    } catch (error) {
      if (!(error instanceof Unreachable) || signal?.aborted) throw error;
      failure = error;
    }
    if (!(await transport.wait(Math.max(failures, 1), undefined, signal))) throw failure;
  }
}

function missing(told: unknown): EventsMissing {
  const { after, through } = told as { after: number; through: number };
  return new EventsMissing(after, through);
}
