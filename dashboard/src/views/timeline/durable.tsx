/** The durable notes of a namespace. */
import { ask, useAsk } from "../../api.ts";
import { Card, Empty, Failure, Loading } from "../../parts/basic.tsx";
import { namespace } from "../../state.ts";
import { timeline } from "../../strings/timeline.ts";
import type { NotesView } from "../../wire.ts";
import { NoteLine } from "./note.tsx";

export function DurableNotes() {
  const query = { namespace: namespace.value };
  const asked = useAsk((signal) => ask<NotesView>("GET", "/v1/notes", { query, signal }), [namespace.value]);
  if (asked.error) return <Failure error={asked.error} retry={asked.reload} />;
  if (asked.value === undefined) return <Loading />;
  if (asked.value.notes.length === 0) {
    return (
      <Empty title={timeline().noDurable}>
        <p class="note">{timeline().noDurableText}</p>
      </Empty>
    );
  }
  return (
    <Card title={timeline().durable} note={timeline().durableNote(asked.value.tokens)} class="timeline-durable">
      <ul data-part="timeline-durable">
        {asked.value.notes.map((note) => (
          <li key={note.id} class={`timeline-note priority-${note.priority}`}>
            <NoteLine note={note} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
