/** The timeline: sessions, what happened in them, and what memory made of it. */
import { Choice, PageHead } from "../../parts/basic.tsx";
import { route, setQuery } from "../../route.ts";
import type { ViewProps } from "../../shell/views.tsx";
import { timeline } from "../../strings/timeline.ts";
import { DurableNotes } from "./durable.tsx";
import { Journal } from "./journal.tsx";
import { SessionView } from "./session.tsx";
import { SessionList } from "./sessions.tsx";
import "./timeline.css";

const TABS = { sessions: SessionList, journal: Journal, notes: DurableNotes };
type Tab = keyof typeof TABS;

function tab(): Tab {
  const asked = route.value.query.get("tab");
  return asked !== null && Object.hasOwn(TABS, asked) ? (asked as Tab) : "sessions";
}

export default function Timeline({ rest: [session] }: ViewProps) {
  if (session) return <SessionView name={session} />;
  const now = tab();
  const Shown = TABS[now];
  const { tabs } = timeline();
  return (
    <>
      <PageHead title={timeline().title} lead={timeline().lead}>
        <Choice<Tab>
          label={timeline().tab}
          value={now}
          of={[
            ["sessions", tabs.sessions],
            ["journal", tabs.journal],
            ["notes", tabs.notes],
          ]}
          onChange={(next) => setQuery({ tab: next === "sessions" ? undefined : next })}
        />
      </PageHead>
      <Shown />
    </>
  );
}
