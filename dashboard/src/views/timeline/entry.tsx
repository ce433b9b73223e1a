/** One journal event in words. */
import { Badge } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { timeline } from "../../strings/timeline.ts";
import type { JournalEntry, NoteView } from "../../wire.ts";
import { Text, Value } from "./texts.tsx";

interface EntryProps {
  entry: JournalEntry;
  notes?: NoteView[] | undefined;
  /** Says which session it belongs to, where that is not plain. */
  withSession?: boolean;
}

export function Entry({ entry, notes, withSession }: EntryProps) {
  const { actor, kind, direction, status, text, body, session } = entry;
  return (
    <>
      <p class="timeline-meta">
        {actor && <strong>{actor}</strong>}
        <span>{kind}</span>
        {direction && <span>{timeline()[direction]}</span>}
        {status && status !== "ok" && <Badge tone="bad">{timeline().statuses[status] ?? status}</Badge>}
        {entry.turn && !withSession && <span>{timeline().inTurn}</span>}
        {withSession && session && <a href={to("timeline", [session])}>{session}</a>}
        {notes && notes.length > 0 && <Badge tone="good">{timeline().becameNotes(notes.length)}</Badge>}
      </p>
      {text && <Text>{text}</Text>}
      {body !== undefined && body !== null && (
        <details class="timeline-details">
          <summary>{timeline().body}</summary>
          <Value value={body} />
        </details>
      )}
    </>
  );
}
