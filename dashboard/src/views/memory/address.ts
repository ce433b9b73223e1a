/** Filters as they stand in the address, so that a narrowed list can be kept and sent. */
import { route, setQuery } from "../../route.ts";

/** A single value. */
export function one(name: string): string {
  return route.value.query.get(name) ?? "";
}

/** Values with commas between them. */
export function many(name: string): string[] {
  return split(one(name));
}

/** Those of the values that are known: addresses may be typed by hand. */
export function among<T extends string>(name: string, known: readonly T[]): T[] {
  const said = many(name);
  return known.filter((value) => said.includes(value));
}

/** Puts a value in, or takes it out. */
export function flip(name: string, value: string): void {
  const now = many(name);
  const next = now.includes(value) ? now.filter((other) => other !== value) : [...now, value];
  setQuery({ [name]: next.join(",") });
}

/** Words with commas between them, as people write tags. */
export function split(text: string): string[] {
  const all = text.split(",").map((part) => part.trim());
  return [...new Set(all.filter((part) => part !== ""))];
}

/** Three answers in one word: yes, no, or it does not matter. */
export function yesOrNo(name: string): boolean | undefined {
  const said = one(name);
  return said === "yes" ? true : said === "no" ? false : undefined;
}

/** A local day and time as a browser's field holds it, such as `2026-03-01T09:30`; empty if there is none. */
export function localTime(time: string | null | undefined): string {
  const date = time ? new Date(time) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time that a field holds as the server takes it. */
export function wireTime(local: string): string | undefined {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
