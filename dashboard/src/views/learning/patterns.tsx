/** Strategies that worked. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Card, Choice, Empty } from "../../parts/basic.tsx";
import { route, setQuery } from "../../route.ts";
import { namespace } from "../../state.ts";
import { learning } from "../../strings/learning.ts";
import type { FoundPatterns, Pattern, PatternMatch, Patterns } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { PatternRow } from "./pattern_row.tsx";

const SHOWS = ["all", "long", "short", "retired"];
const LISTED = 200;
const FOUND = 20;
const TYPING_MS = 300;

/** Those that fit a task, or those of a sort. */
async function load(task: string, show: string, signal: AbortSignal): Promise<PatternMatch[]> {
  if (task !== "") {
    const query = { q: task, namespace: namespace.value, limit: FOUND };
    return (await ask<FoundPatterns>("GET", "/api/memory/patterns", { query, signal })).patterns;
  }
  const term = show === "long" || show === "short" ? show : undefined;
  const query = { scope: namespace.value, limit: LISTED, term, retired: show === "retired" };
  const { patterns } = await ask<Patterns>("GET", "/v1/patterns", { query, signal });
  return patterns.map((pattern) => ({ pattern, score: 0, similarity: 0 }));
}

export function PatternsPage({ again }: { again: number }) {
  const words = learning();
  const { query } = route.value;
  const asked = query.get("show") ?? "all";
  const show = SHOWS.includes(asked) ? asked : "all";
  const task = query.get("q") ?? "";
  const domain = query.get("domain") ?? "";
  const found = useAsk((signal) => load(task, show, signal), [task, show, namespace.value, again]);
  const domains = [...new Set((found.value ?? []).map((one) => one.pattern.domain))].sort();
  return (
    <Card title={words.patternsTitle} note={words.patternsNote}>
      <div class="actions learning-filters">
        <Finder value={task} />
        {task === "" && (
          <Choice label={words.show} value={show} of={SHOWS.map((one) => [one, words.shows[one] ?? one])} onChange={(value) => setQuery({ show: value })} />
        )}
        <label class="field">
          <span>{words.domain}</span>
          <select value={domain} onChange={(event) => setQuery({ domain: event.currentTarget.value })}>
            <option value="">{words.allDomains}</option>
            {(domain !== "" && !domains.includes(domain) ? [domain, ...domains] : domains).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Answer of={found}>
        {(value) => <List of={value.filter((one) => domain === "" || one.pattern.domain === domain)} isFound={task !== ""} reload={found.reload} />}
      </Answer>
    </Card>
  );
}

function Finder({ value }: { value: string }) {
  const words = learning();
  const typed = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.value.trim() !== value) setQuery({ q: typed.value.trim() });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <label class="field learning-finder">
      <span>{words.find}</span>
      <input type="search" placeholder={words.findHint} value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} />
    </label>
  );
}

interface ListProps {
  of: PatternMatch[];
  isFound: boolean;
  reload: () => void;
}

function List({ of, isFound, reload }: ListProps) {
  const words = learning();
  if (of.length === 0)
    return <Empty title={isFound || route.value.query.size > 0 ? words.noneFit : words.noPatterns}>{!isFound && <p>{words.noPatternsText}</p>}</Empty>;
  return (
    <ul class="learning-patterns" aria-label={words.patternsTitle}>
      {of.map(({ pattern, similarity }: { pattern: Pattern; similarity: number }) => (
        <PatternRow key={pattern.id} pattern={pattern} similarity={isFound ? similarity : undefined} reload={reload} />
      ))}
    </ul>
  );
}
