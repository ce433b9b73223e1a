/** A client for Perihelion, the memory engine for AI agents. */
export { Client } from "./client.js";
export type { Call, ChangingCall, ClientOptions, Place, RunningCall, Seen, StoringCall } from "./caller.js";
export { EventsMissing, PeriError, Queued, Unreachable } from "./errors.js";
export type { Problem } from "./errors.js";
export type { Retries } from "./transport.js";
export type * as types from "./types.js";
