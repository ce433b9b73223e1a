/** Requests to the server that this page came from. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { follow } from "perihelion-client/events.ts";
import { PeriError } from "perihelion-client/errors.ts";
import type { Operation } from "perihelion-client/operation.ts";
import { RETRIES, Transport } from "perihelion-client/transport.ts";
import type { Event, FollowEventsParameters } from "perihelion-client/types.ts";
import { key } from "./state.ts";

export { PeriError };

/** What is sent with a request. */
export interface Asked {
  parts?: Record<string, string>;
  query?: object;
  body?: object;
  /** Such as `if-match`. */
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

// A stream is silent for as long as nothing happens; the server shows more often than this that it is there.
const SILENCE_MS = 60_000;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

function transport(): Transport {
  // A person who waits would rather be told soon.
  const retries = { ...RETRIES, count: 1 };
  const reach: typeof fetch = (input, init) => globalThis.fetch(input, init);
  return new Transport({ url: location.origin, key: key.value, timeoutMs: 60_000, retries, fetch: reach });
}

/** The answer of a route, such as `ask<Orbit>("GET", "/v1/orbit", { query: { namespace } })`. */
export async function ask<T>(method: Method, path: string, asked: Asked = {}): Promise<T> {
  const { query = {}, body } = asked;
  const operation: Operation = {
    name: path,
    method,
    path,
    repeat: method === "GET" ? "safe" : "never",
    query: Object.keys(query),
    body: Object.keys(body ?? {}),
  };
  return (await transport().json(operation, asked)) as T;
}

/** Events as they happen, from after a number on if one is given, until the signal ends it. */
export function events(asked: FollowEventsParameters, signal: AbortSignal): AsyncGenerator<Event> {
  const own = transport();
  const operation: Operation = {
    name: "followEvents",
    method: "GET",
    path: "/v1/events/stream",
    repeat: "safe",
    query: Object.keys(asked),
    body: [],
  };
  const connect = (last: string) => {
    const headers: Record<string, string> = last === "" ? {} : { "last-event-id": last };
    return own.lines(operation, { query: asked, headers, signal }, SILENCE_MS);
  };
  return follow<Event>(own, connect, "", signal);
}

/** What has come of a question to the server. */
export interface Loaded<T> {
  value: T | undefined;
  error: PeriError | undefined;
  loading: boolean;
  reload: () => void;
}

/**
 * Asks when the component appears, when one of `needs` changes, and every so many milliseconds if wanted. What was
 * there stays until the new answer has come.
 */
export function useAsk<T>(load: (signal: AbortSignal) => Promise<T>, needs: unknown[], everyMs?: number): Loaded<T> {
  const state = useSignal<{ value?: T; error?: PeriError; loading: boolean }>({ loading: true });
  const again = useSignal(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const ending = new AbortController();
    const look = async () => {
      try {
        const value = await latest.current(ending.signal);
        if (!ending.signal.aborted) state.value = { value, loading: false };
      } catch (error) {
        if (!ending.signal.aborted) state.value = { ...state.peek(), error: asProblem(error), loading: false };
      }
    };
    state.value = { ...state.peek(), loading: true };
    void look();
    const timer = everyMs === undefined ? undefined : setInterval(() => void (document.hidden || look()), everyMs);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [...needs, again.value, key.value]);
  const { value, error, loading } = state.value;
  return { value, error, loading, reload: () => again.value++ };
}

export function asProblem(error: unknown): PeriError {
  return error instanceof PeriError ? error : new PeriError({ detail: String(error) });
}
