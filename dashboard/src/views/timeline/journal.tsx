/** The journal day by day, with what belongs to no session. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Button, Choice, Empty, Failure, Loading } from "../../parts/basic.tsx";
import { attempt } from "../../parts/told.tsx";
import { namespace } from "../../state.ts";
import { timeline } from "../../strings/timeline.ts";
import type { JournalEntry } from "../../wire.ts";
import { byDay, clock, dayName } from "./days.ts";
import { Entry } from "./entry.tsx";
import { useEffect } from "preact/hooks";

interface Page {
  entries: JournalEntry[];
  next_cursor?: string | null;
}

const PAGE = 100;

function page(cursor: string | undefined, signal?: AbortSignal): Promise<Page> {
  const query = { scope: namespace.value, order: "newest_first", limit: PAGE, cursor };
  return ask<Page>("GET", "/v1/journal", { query, signal });
}

export function Journal() {
  const first = useAsk((signal) => page(undefined, signal), [namespace.value]);
  const longer = useSignal<Page | undefined>(undefined);
  const which = useSignal<"all" | "loose">("all");
  useEffect(() => {
    longer.value = undefined;
  }, [first.value]);
  if (first.error) return <Failure error={first.error} retry={first.reload} />;
  const all = longer.value ?? first.value;
  if (all === undefined) return <Loading />;
  if (all.entries.length === 0) {
    return (
      <Empty title={timeline().noJournal}>
        <p class="note">{timeline().noJournalText}</p>
      </Empty>
    );
  }
  const more = async () => {
    const next = await attempt(() => page(all.next_cursor ?? undefined));
    if (next) longer.value = { ...next, entries: [...all.entries, ...next.entries] };
  };
  const shown = which.value === "all" ? all.entries : all.entries.filter((one) => !one.session);
  return (
    <div class="timeline-list" data-part="timeline-journal">
      <div class="timeline-tools">
        <Choice
          label={timeline().journalScope}
          value={which.value}
          of={[
            ["all", timeline().journalAll],
            ["loose", timeline().journalLoose],
          ]}
          onChange={(next) => (which.value = next)}
        />
        <p class="note">{timeline().journalNote}</p>
      </div>
      {shown.length === 0 && <p class="empty">{timeline().noLoose}</p>}
      {byDay(shown, (one) => one.at).map((day) => (
        <section key={day.time} class="timeline-day">
          <h2>{dayName(day.time)}</h2>
          <ol class="timeline-stream">
            {day.things.map((entry) => (
              <li key={entry.id} class="timeline-moment timeline-journal">
                <time class="timeline-at" dateTime={entry.at}>
                  {clock(entry.at)}
                </time>
                <div class="timeline-what">
                  <Entry entry={entry} withSession />
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {all.next_cursor && <Button onClick={() => void more()}>{timeline().earlier}</Button>}
    </div>
  );
}
