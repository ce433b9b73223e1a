/**
 * Pages of the audit log. The server gives the latest events, or those after a number; earlier ones are found by
 * looking after a number that lies so far before them that enough should follow.
 */
import { ask } from "../../api.ts";
import type { Event, EventKind, EventPage } from "../../wire.ts";

export interface AuditFilter {
  scope: string | undefined;
  kind: EventKind[] | undefined;
  since: string | undefined;
  until: string | undefined;
}

export interface AuditPage {
  /** The newest first. */
  events: Event[];
  /** Everything from this number on has been looked at. */
  from: number;
  /** Give this for what follows. */
  after: number;
  isBeginning: boolean;
}

const PAGE = 100;
const READ = 1000;
const STEP_FIRST = 500;
const STEP_MAX = 16_000;
// So much is looked through for one click, however little of it fits.
const LOOKS_MAX = 12;

function read(filter: AuditFilter, more: { after?: number; limit: number }, signal?: AbortSignal): Promise<EventPage> {
  return ask<EventPage>("GET", "/v1/events", { query: { ...filter, ...more }, signal });
}

export async function latest(filter: AuditFilter, signal?: AbortSignal): Promise<AuditPage> {
  const page = await read(filter, { limit: PAGE }, signal);
  const first = page.events[0];
  const isBeginning = page.events.length < PAGE;
  return { events: [...page.events].reverse(), from: first?.number ?? 0, after: page.next_after, isBeginning };
}

/** The page with what came before it. */
export async function earlier(filter: AuditFilter, page: AuditPage, signal?: AbortSignal): Promise<AuditPage> {
  const found: Event[] = [];
  let { from } = page;
  let step = STEP_FIRST;
  for (let look = 0; look < LOOKS_MAX && from > 0 && found.length < PAGE; look++) {
    const start = Math.max(0, from - 1 - step);
    found.unshift(...(await stretch(filter, start, from, signal)));
    if (await isBefore(filter.since, start, signal)) return extended(page, found, 0);
    from = start === 0 ? 0 : start + 1;
    step = Math.min(step * 4, STEP_MAX);
  }
  return extended(page, found, from);
}

function extended(page: AuditPage, found: Event[], from: number): AuditPage {
  return { ...page, events: [...page.events, ...found.reverse()], from, isBeginning: from === 0 };
}

/** What fits between two numbers, the earliest first. */
async function stretch(filter: AuditFilter, after: number, before: number, signal?: AbortSignal): Promise<Event[]> {
  const found: Event[] = [];
  let at = after;
  while (at < before - 1) {
    const page = await read(filter, { after: at, limit: READ }, signal);
    found.push(...page.events.filter((event) => event.number < before));
    if (page.next_after <= at) break;
    at = page.next_after;
  }
  return found;
}

/** Whether what follows a number is older than all that is wanted. */
async function isBefore(since: string | undefined, number: number, signal?: AbortSignal): Promise<boolean> {
  if (since === undefined || number === 0) return false;
  const { events } = await ask<EventPage>("GET", "/v1/events", { query: { after: number, limit: 1 }, signal });
  const first = events[0];
  return first !== undefined && Date.parse(first.at) < Date.parse(since);
}

/** The page with what has come since. */
export async function later(filter: AuditFilter, page: AuditPage, signal?: AbortSignal): Promise<AuditPage> {
  const fresh = await read(filter, { after: page.after, limit: READ }, signal);
  return { ...page, events: [...fresh.events.reverse(), ...page.events], after: fresh.next_after };
}
