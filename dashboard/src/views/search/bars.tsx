/** What each stage brought to a score. Against differs from for by direction and pattern, not by colour alone. */
import { language } from "../../state.ts";
import { search, stageName } from "../../strings/search.ts";
import type { Part } from "../../wire.ts";
import { bar, type Scale } from "./scale.ts";

export function signed(value: number): string {
  const text = hundredths(Math.abs(value));
  return text === hundredths(0) ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** With two digits behind the point, so that numbers under each other can be compared. */
export function hundredths(value: number): string {
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
}

export function Bar({ value, scale }: { value: number; scale: Scale }) {
  const { zero, left, width } = bar(value, scale);
  return (
    <span class="search-bar" aria-hidden="true">
      {zero > 0 && <b style={{ left: `${zero}%` }} />}
      {value !== 0 && <i class={value < 0 ? "against" : "for"} style={{ left: `${left}%`, width: `${width}%` }} />}
    </span>
  );
}

export function Breakdown({ parts, scale }: { parts: Part[]; scale: Scale }) {
  return (
    <ul class="search-parts" aria-label={search().breakdown}>
      {parts.map((part) => (
        <li key={part.stage} data-stage={part.stage}>
          <span title={search().stages[part.stage]?.text}>{stageName(part.stage)}</span>
          <Bar value={part.value} scale={scale} />
          <span class="number">{signed(part.value)}</span>
        </li>
      ))}
    </ul>
  );
}
