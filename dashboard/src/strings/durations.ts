/** Lengths of time in the chosen language, such as "3 min 20 sec". */
import { language } from "../state.ts";

type Unit = "day" | "hour" | "minute" | "second" | "millisecond";

function unit(value: number, of: Unit, digits = 0): string {
  const style = { style: "unit", unit: of, unitDisplay: "short", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language.value, style).format(value);
}

const STEPS: Array<[number, Unit, number, Unit]> = [
  [86_400, "day", 3_600, "hour"],
  [3_600, "hour", 60, "minute"],
  [60, "minute", 1, "second"],
];

/** The two largest units that are there. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return unit(Math.round(milliseconds), "millisecond");
  if (milliseconds < 60_000) return unit(milliseconds / 1000, "second", 1);
  let seconds = Math.round(milliseconds / 1000);
  for (const [size, large, part, small] of STEPS) {
    if (seconds < size) continue;
    const whole = Math.floor(seconds / size);
    seconds -= whole * size;
    const rest = Math.floor(seconds / part);
    return rest > 0 ? `${unit(whole, large)} ${unit(rest, small)}` : unit(whole, large);
  }
  return unit(seconds, "second");
}

/** From one time to another. */
export function between(from: string, until: string): string {
  return duration(Math.max(0, Date.parse(until) - Date.parse(from)));
}
