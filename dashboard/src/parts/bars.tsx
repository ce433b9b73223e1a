/** Shares beside each other: a name, a bar and a figure each. */
import type { ComponentChildren } from "preact";
import "./bars.css";

export interface Bar {
  name: string;
  value: number;
  /** How the value is written. */
  text: string;
  /** A class that sets the colour, such as `kind-fact`. */
  tone?: string;
  shown?: ComponentChildren;
}

/** Bars are measured by `most`, or by the longest among them. */
export function Bars({ label, of, most }: { label: string; of: Bar[]; most?: number }) {
  const full = most ?? Math.max(1e-9, ...of.map((bar) => bar.value));
  return (
    <ul class="bars" aria-label={label}>
      {of.map((bar) => (
        <li key={bar.name} class={bar.tone ?? ""}>
          <span class="bars-name">{bar.shown ?? bar.name}</span>
          <span class="bars-track" aria-hidden="true">
            <span style={{ width: `${Math.min(100, (bar.value / full) * 100)}%` }} />
          </span>
          <span class="bars-text">{bar.text}</span>
        </li>
      ))}
    </ul>
  );
}
