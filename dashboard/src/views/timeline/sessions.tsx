/** The sessions of a namespace, day by day. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Badge, Button, Empty, Failure, Loading } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { namespace } from "../../state.ts";
import { number } from "../../strings/define.ts";
import { timeline } from "../../strings/timeline.ts";
import { words } from "../../strings/words.ts";
import type { JournalEntry, NoteSessions, Session, SessionOverview, Sessions } from "../../wire.ts";
import { byDay, clock, dayName, lasting } from "./days.ts";

/** A session as far as it is known before it is opened. */
interface Known {
  name: string;
  at: string;
  /** What was said first, as far as the journal was read. */
  said?: string | undefined;
  events?: number;
  begun?: Session;
  notes?: SessionOverview;
}

const MOST = 1000;
const PAGE = 60;

/** Those that were begun, those that have notes, and those that the journal speaks of. */
async function known(signal: AbortSignal): Promise<Known[]> {
  const [begun, noted, journal] = await Promise.all([
    ask<Sessions>("GET", "/v1/sessions", { query: { scope: namespace.value, limit: MOST }, signal }),
    ask<NoteSessions>("GET", "/v1/notes/sessions", { query: { namespace: namespace.value, limit: MOST }, signal }),
    ask<{ entries: JournalEntry[] }>("GET", "/v1/journal", { query: { scope: namespace.value, limit: MOST }, signal }),
  ]);
  const all = new Map<string, Known>();
  for (const { session, at, text } of journal.entries) {
    if (!session) continue;
    const later = all.get(session);
    all.set(session, { name: session, at, said: text || later?.said, events: (later?.events ?? 0) + 1 });
  }
  for (const notes of noted.sessions) {
    const before = all.get(notes.session);
    const at = before?.at ?? notes.created_at ?? notes.observed_at;
    if (at) all.set(notes.session, { ...before, name: notes.session, at, notes });
  }
  for (const one of begun.sessions) all.set(one.name, { ...all.get(one.name), name: one.name, at: one.started_at, begun: one });
  return [...all.values()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

export function SessionList() {
  const asked = useAsk(known, [namespace.value]);
  const text = useSignal("");
  const shown = useSignal(PAGE);
  if (asked.error) return <Failure error={asked.error} retry={asked.reload} />;
  if (asked.value === undefined) return <Loading />;
  if (asked.value.length === 0) {
    return (
      <Empty title={timeline().noSessions}>
        <p class="note">{timeline().noSessionsText}</p>
      </Empty>
    );
  }
  const wanted = text.value.trim().toLowerCase();
  const found = asked.value.filter((one) => one.name.toLowerCase().includes(wanted));
  return (
    <div class="timeline-list">
      {asked.value.length > 8 && (
        <label class="field timeline-find">
          <span>{timeline().find}</span>
          <input type="search" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
      )}
      {found.length === 0 && <p class="empty">{timeline().noneFound}</p>}
      {byDay(found.slice(0, shown.value), (one) => one.at).map((day) => (
        <section key={day.time} class="timeline-day">
          <h2>{dayName(day.time)}</h2>
          <ul class="timeline-cards">
            {day.things.map((one) => (
              <SessionCard key={one.name} session={one} />
            ))}
          </ul>
        </section>
      ))}
      {found.length > shown.value && (
        <Button onClick={() => (shown.value += PAGE)}>
          {words().more} ({number(found.length - shown.value)})
        </Button>
      )}
    </div>
  );
}

function SessionCard({ session: { name, at, said, events, begun, notes } }: { session: Known }) {
  const end = begun?.ended_at;
  return (
    <li>
      <a class="card timeline-card" href={to("timeline", [name])} data-part="timeline-session">
        <strong>{name}</strong>
        <span class="timeline-meta">
          <time dateTime={at}>{clock(at)}</time>
          {end && <span>{timeline().lasted(lasting(at, end))}</span>}
          {begun === undefined ? (
            <Badge>{timeline().notBegun}</Badge>
          ) : (
            <Badge tone={end ? "plain" : "good"}>{end ? timeline().ended : timeline().open}</Badge>
          )}
        </span>
        {said && <span class="timeline-preview">{said}</span>}
        <span class="timeline-meta">
          {events && <span>{timeline().events(events)}</span>}
          {notes && notes.notes > 0 && <span>{timeline().notes(notes.notes)}</span>}
          {notes && notes.pending > 0 && <span>{timeline().pending(notes.pending)}</span>}
          {notes && notes.aside > 0 && <Badge tone="warn">{timeline().aside(notes.aside)}</Badge>}
        </span>
      </a>
    </li>
  );
}
