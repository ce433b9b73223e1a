/** The background workers: how they are, what they did and found. */
import { ask, useAsk } from "../../api.ts";
import { Empty, PageHead } from "../../parts/basic.tsx";
import { seesAll } from "../../shell/place.ts";
import type { ViewProps } from "../../shell/views.tsx";
import { workers } from "../../strings/workers.ts";
import type { WorkersStatus } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Alerts } from "./alerts.tsx";
import { Overview, RunAll } from "./overview.tsx";
import { Runs } from "./runs.tsx";
import { ended } from "./running.ts";
import "./workers.css";

const EVERY_MS = 4_000;
const PAGES = ["overview", "runs", "alerts"];

export default function Workers({ rest }: ViewProps) {
  const words = workers();
  const now = PAGES.includes(rest[0] ?? "") ? (rest[0] ?? "overview") : "overview";
  if (!seesAll())
    return (
      <div class="workers">
        <PageHead title={words.title} lead={words.lead} />
        <Empty title={words.whole} />
      </div>
    );
  return <Whole now={now} />;
}

function Whole({ now }: { now: string }) {
  const words = workers();
  // A run that was waited for has just ended: what came of it is seen at once.
  const status = useAsk((signal) => ask<WorkersStatus>("GET", "/api/workers/status", { signal }), [ended.value], EVERY_MS);
  const open = status.value?.alerts.length ?? 0;
  return (
    <div class="workers">
      <PageHead title={words.title} lead={words.lead}>
        <RunAll />
      </PageHead>
      <Tabs
        label={words.pages}
        view="workers"
        now={now}
        of={PAGES.map((name) => [name, words.tabs[name] ?? name, name === "alerts" ? open : undefined])}
      />
      {now === "overview" && <Answer of={status}>{(value) => <Overview status={value} />}</Answer>}
      {now === "runs" && <Runs />}
      {now === "alerts" && <Alerts />}
    </div>
  );
}
