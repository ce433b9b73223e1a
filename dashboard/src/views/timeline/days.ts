/** Days and lengths of time in words. */
import { language } from "../../state.ts";
import { day } from "../../strings/define.ts";
import { timeline } from "../../strings/timeline.ts";

/** What tells one day from another where the reader is. */
export function dayOf(time: string | number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`;
}

const DAY_MS = 86_400_000;

/** "Today", "Yesterday", or the date with its weekday. */
export function dayName(time: string | number): string {
  if (dayOf(time) === dayOf(Date.now())) return timeline().today;
  if (dayOf(time) === dayOf(Date.now() - DAY_MS)) return timeline().yesterday;
  const weekday = new Intl.DateTimeFormat(language.value, { weekday: "long" }).format(new Date(time));
  return `${weekday}, ${day(time)}`;
}

/** The time of day, to the second. */
export function clock(time: string | number): string {
  const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(language.value, parts).format(new Date(time));
}

const UNITS: Array<[ms: number, unit: string, digits: number]> = [
  [DAY_MS, "day", 1],
  [3_600_000, "hour", 1],
  [60_000, "minute", 0],
  [1000, "second", 1],
  [0, "millisecond", 0],
];

/** "14 ms", "3 min". */
export function lasting(from: string, until: string): string {
  const ms = Math.max(0, Date.parse(until) - Date.parse(from));
  const [size, unit, digits] = UNITS.find(([least]) => ms >= least) ?? [1, "millisecond", 0];
  const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language.value, options).format(ms / (size || 1));
}

/** Puts things of one day together, in the order in which they come. */
export function byDay<T>(all: T[], at: (one: T) => string | number): Array<{ time: string | number; things: T[] }> {
  const days: Array<{ time: string | number; things: T[] }> = [];
  for (const one of all) {
    const last = days.at(-1);
    if (last && dayOf(last.time) === dayOf(at(one))) last.things.push(one);
    else days.push({ time: at(one), things: [one] });
  }
  return days;
}
