/** What the stages are and how their bars are read. */
import { search, stageName } from "../../strings/search.ts";
import { Bar } from "./bars.tsx";
import { STAGES } from "./question.ts";

const SHOWN = { low: -1, high: 1 };

export function Legend() {
  return (
    <div class="search-legend">
      <ul class="search-legend-bars">
        <li>
          <Bar value={0.8} scale={SHOWN} />
          {search().legendFor}
        </li>
        <li>
          <Bar value={-0.6} scale={SHOWN} />
          {search().legendAgainst}
        </li>
      </ul>
      <p class="note">{search().legendScale}</p>
      <dl>
        {STAGES.map((stage) => (
          <div key={stage}>
            <dt>{stageName(stage)}</dt>
            <dd>{search().stages[stage]?.text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The same, folded away below results. */
export function FoldedLegend() {
  return (
    <details class="search-fold card">
      <summary>{search().legend}</summary>
      <Legend />
    </details>
  );
}
