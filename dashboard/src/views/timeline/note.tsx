/** One note in words. */
import { Badge } from "../../parts/basic.tsx";
import { timeline } from "../../strings/timeline.ts";
import type { NoteView } from "../../wire.ts";

export function NoteLine({ note, isNew }: { note: NoteView; isNew?: boolean }) {
  const tone = note.priority === "high" ? "accent" : "plain";
  return (
    <>
      <p class={note.done ? "timeline-text timeline-done" : "timeline-text"}>{note.text}</p>
      <p class="timeline-meta">
        {note.kind && <span>{note.kind}</span>}
        {note.priority !== "medium" && <Badge tone={tone}>{timeline().priorities[note.priority] ?? note.priority}</Badge>}
        {note.done && <Badge tone="good">{timeline().done}</Badge>}
        {note.date && <span>{note.date}</span>}
        {isNew && <Badge tone="good">{timeline().new}</Badge>}
      </p>
    </>
  );
}
