/** How the server is, what it holds and what it did. */
import type { ComponentType } from "preact";
import { PageHead } from "../../parts/basic.tsx";
import { mayRule, me, seesAll } from "../../shell/place.ts";
import type { ViewProps } from "../../shell/views.tsx";
import { operations } from "../../strings/operations.ts";
import { Audit } from "./audit.tsx";
import { Backups } from "./backups.tsx";
import { HealthPage } from "./health.tsx";
import { KeyMade, KeysPage } from "./keys.tsx";
import { Latency } from "./latency.tsx";
import { LiveEvents } from "./live_events.tsx";
import { Llm } from "./llm.tsx";
import { LeftOut } from "../../parts/answer.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { QueuePage } from "./queue.tsx";
import { StorePage } from "./store.tsx";
import "./operations.css";

interface Page {
  shows: ComponentType;
  /** Whether the key may see any of it. */
  may: () => boolean;
}

const always = () => true;
const rulesAll = () => mayRule() && seesAll();

const PAGES: Record<string, Page> = {
  health: { shows: HealthPage, may: always },
  queue: { shows: QueuePage, may: rulesAll },
  store: { shows: StorePage, may: always },
  latency: { shows: Latency, may: always },
  backups: { shows: Backups, may: rulesAll },
  llm: { shows: Llm, may: seesAll },
  keys: { shows: KeysPage, may: mayRule },
  events: { shows: LiveEvents, may: always },
  audit: { shows: Audit, may: always },
};

export default function Operations({ rest }: ViewProps) {
  const now = rest[0] !== undefined && Object.hasOwn(PAGES, rest[0]) ? rest[0] : "health";
  const page = PAGES[now];
  const tabs = Object.keys(PAGES).filter((name) => PAGES[name]?.may());
  const Shown = page?.may() ? page.shows : LeftOut;
  return (
    <div class="operations">
      <PageHead title={operations().title} lead={operations().lead} />
      <Tabs label={operations().pages} view="operations" now={now} of={tabs.map((name) => [name, operations().tabs[name] ?? name])} />
      {me.value !== undefined && <Shown key={now} />}
      <KeyMade />
    </div>
  );
}
