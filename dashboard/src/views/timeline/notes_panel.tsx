/** The notes of a session beside its stream, as of any moment of it. */
import { Button, Card } from "../../parts/basic.tsx";
import { day } from "../../strings/define.ts";
import { timeline } from "../../strings/timeline.ts";
import { clock } from "./days.ts";
import { NoteLine } from "./note.tsx";
import type { Item, Stream } from "./stream.ts";

interface NotesPanelProps {
  stream: Stream;
  moments: Item[];
  /** The moment that is looked at; none for how they are now. */
  asOf: number | undefined;
  onAsOf: (ms: number | undefined) => void;
}

export function NotesPanel({ stream, moments, asOf, onAsOf }: NotesPanelProps) {
  const { notes } = stream;
  const shown = notes.filter((note) => asOf === undefined || Date.parse(note.made_at) <= asOf);
  const title = timeline().notesTitle;
  if (notes.length === 0) {
    return (
      <Card title={title} class="timeline-notes">
        <p class="note">{timeline().noNotes}</p>
      </Card>
    );
  }
  const note = asOf === undefined ? timeline().asOfNow : timeline().asOf(`${day(asOf)} ${clock(asOf)}`);
  return (
    <Card title={title} note={`${timeline().notesOf(shown.length, notes.length)} · ${note}`} class="timeline-notes">
      <Scrub stream={stream} moments={moments} asOf={asOf} onAsOf={onAsOf} />
      {shown.length === 0 && <p class="note">{timeline().noNotesYet}</p>}
      <ul aria-live="polite" data-part="timeline-notes">
        {shown.map((one) => (
          <li key={one.id} class={`timeline-note priority-${one.priority}`}>
            <NoteLine note={one} isNew={asOf !== undefined && isNewest(one.made_at, moments, asOf)} />
          </li>
        ))}
      </ul>
      <p class="note">{timeline().notesNote}</p>
    </Card>
  );
}

/** Made between the moment before and this one. */
function isNewest(madeAt: string, moments: Item[], asOf: number): boolean {
  const before = moments.findLast((one) => one.ms < asOf)?.ms ?? -Infinity;
  return Date.parse(madeAt) > before;
}

/** How many notes there were at each moment, as a hill over the slider. */
function Growth({ stream, moments }: { stream: Stream; moments: Item[] }) {
  const made = stream.notes.map((note) => Date.parse(note.made_at));
  const heights = [...moments.map(({ ms }) => made.filter((at) => at <= ms).length), made.length];
  const steps = heights.map((height, at) => `L${at} ${made.length - height}`).join(" ");
  const last = heights.length - 1;
  return (
    <svg class="timeline-growth" viewBox={`0 0 ${last} ${made.length}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path d={`M0 ${made.length} ${steps} L${last} ${made.length} Z`} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

function Scrub({ stream, moments, asOf, onAsOf }: NotesPanelProps) {
  const last = moments.length;
  const at = asOf === undefined ? last : Math.max(0, moments.findLastIndex((one) => one.ms <= asOf));
  const told = asOf === undefined ? timeline().asOfNow : clock(asOf);
  return (
    <div class="timeline-scrub">
      <Growth stream={stream} moments={moments} />
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={timeline().asOfLabel}
        aria-valuetext={told}
        onInput={(event) => onAsOf(moments[Number(event.currentTarget.value)]?.ms)}
      />
      <Button small disabled={asOf === undefined} onClick={() => onAsOf(undefined)}>
        {timeline().latest}
      </Button>
    </div>
  );
}
