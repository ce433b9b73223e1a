/** Strings of the page. Each view has a file here that holds both languages; nothing else in the page is prose. */
import { language } from "../state.ts";

/** The same strings in both languages: a call gives those of the language that is chosen now. */
export function define<T extends object>(en: T, ko: T): () => T {
  return () => (language.value === "ko" ? ko : en);
}

/** "1 memory", "2 memories". */
export function counted(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value);
}

export function percent(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: digits }).format(value);
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function bytes(value: number): string {
  let step = 0;
  while (value >= 1000 && step < UNITS.length - 1) {
    value /= 1000;
    step++;
  }
  return `${number(value, step === 0 || value >= 100 ? 0 : 1)} ${UNITS[step]}`;
}

/** A length of time in millionths of a second, such as "1.2 ms". */
export function micros(value: number): string {
  if (value < 1000) return `${number(value)} µs`;
  if (value < 1_000_000) return `${number(value / 1000, value < 10_000 ? 1 : 0)} ms`;
  return `${number(value / 1_000_000, 1)} s`;
}

const STEPS: Array<[number, Intl.RelativeTimeFormatUnit]> = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [Infinity, "year"],
];

/** "3 minutes ago". */
export function ago(time: string | number | Date, now = Date.now()): string {
  let distance = (new Date(time).getTime() - now) / 1000;
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  for (const [size, unit] of STEPS) {
    if (Math.abs(Math.round(distance)) < size) return words.format(Math.round(distance), unit);
    distance /= size;
  }
  return "";
}

/** A day and a time of day. */
export function moment(time: string | number | Date): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

export function day(time: string | number | Date): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(new Date(time));
}
