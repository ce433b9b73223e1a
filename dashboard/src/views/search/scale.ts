/** The scale that all bars of a search share. */
export interface Scale {
  /** At most zero. */
  low: number;
  /** Above `low`. */
  high: number;
}

export function scaleOf(values: number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  return high > low ? { low, high } : { low: 0, high: 1 };
}

/** Where a bar begins and how long it is, in hundredths of the room. */
export function bar(value: number, { low, high }: Scale): { zero: number; left: number; width: number } {
  const room = high - low;
  const zero = (-low / room) * 100;
  const width = (Math.abs(value) / room) * 100;
  return { zero, left: value < 0 ? zero - width : zero, width };
}
