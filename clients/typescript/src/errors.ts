/** What a problem is made of. */
export interface Problem {
  /** Left out when no answer came at all. */
  status?: number;
  /** Stable, for programs. */
  type?: string;
  title?: string;
  detail: string;
  hint?: string;
  requestId?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The server refused or failed. `type` is stable and meant for programs, `detail` and `hint` for people. */
export class PeriError extends Error {
  override readonly name: string = "PeriError";
  /** Undefined when no answer came at all. */
  readonly status: number | undefined;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly hint: string | undefined;
  /** What the server's log knows the request by. */
  readonly requestId: string | undefined;
  /** After how long the server wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem) {
    const told = problem.status === undefined ? problem.detail : `${problem.status} ${problem.detail}`;
    super(problem.hint ? `${told} (${problem.hint})` : told, { cause: problem.cause });
    this.status = problem.status;
    this.type = problem.type ?? "about:blank";
    this.title = problem.title ?? "";
    this.detail = problem.detail;
    this.hint = problem.hint;
    this.requestId = problem.requestId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

/** No answer came, or it broke off. A write may have been done all the same. */
export class Unreachable extends PeriError {
  override readonly name = "Unreachable";

  constructor(detail: string, cause?: unknown) {
    super({ detail, type: "/problems/unreachable", title: "No answer came", cause });
  }
}

/**
 * The server's store cannot be reached: the change is kept on the server's disk and made as soon as it can be, so that
 * what came of it cannot be told yet. Do not send it again.
 */
export class Queued extends PeriError {
  override readonly name = "Queued";

  constructor(detail: string) {
    super({ detail, status: 202, type: "/problems/queued", title: "The change is queued" });
  }
}

/** The server no longer keeps the events that come next; `events({ after: error.through })` goes on behind them. */
export class EventsMissing extends PeriError {
  override readonly name = "EventsMissing";
  readonly after: number;
  readonly through: number;

  constructor(after: number, through: number) {
    super({
      detail: `the events after ${after} up to ${through} are not kept any more`,
      type: "/problems/events-missing",
      title: "Events are missing",
    });
    this.after = after;
    this.through = through;
  }
}

/** What an answer tells of a change that waits; receipts that say so themselves are answers like any other. */
export function queuedOf(status: number, text: string): Queued | undefined {
  const told: unknown = status === 202 && text !== "" ? JSON.parse(text) : undefined;
  if (typeof told !== "object" || told === null) return undefined;
  if ("id" in told || "pattern" in told) return undefined;
  const { outcome, detail } = told as { outcome?: unknown; detail?: unknown };
  return outcome === "queued" ? new Queued(String(detail ?? "the change is queued")) : undefined;
}

/** The error that an answer tells of; proxies in between may answer with something else than problem details. */
export async function problemOf(response: Response): Promise<PeriError> {
  const text = await response.text();
  let told: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null) told = read as Record<string, unknown>;
  } catch {
    // Not JSON: the status has to do.
  }
  const word = (name: string) => (typeof told[name] === "string" ? (told[name] as string) : undefined);
  return new PeriError({
    status: response.status,
    type: word("type"),
    title: word("title"),
    detail: word("detail") ?? `the server answered with status ${response.status}`,
    hint: word("hint"),
    requestId: word("request_id") ?? response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: seconds(response.headers.get("retry-after")),
  });
}

/** Dates, which only proxies send, are left aside: how far off they are depends on whose clock is right. */
function seconds(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}
