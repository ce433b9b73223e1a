/** One moment of the stream: its time, and what it was. */
import { KindBadge, ZoneBadge } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { timeline } from "../../strings/timeline.ts";
import type { Memory } from "../../wire.ts";
import { clock } from "./days.ts";
import { Entry } from "./entry.tsx";
import { NoteLine } from "./note.tsx";
import type { Item, Stream } from "./stream.ts";
import { Text } from "./texts.tsx";
import { TurnItem } from "./turn.tsx";

type Of = Extract<Item, { memory: Memory }>;

interface MomentProps {
  item: Item;
  stream: Stream;
  /** Whether the notes are shown as of this moment. */
  isAsOf: boolean;
  onAsOf: (ms: number) => void;
}

export function Moment({ item, stream, isAsOf, onAsOf }: MomentProps) {
  const time = clock(item.ms);
  return (
    <li class={`timeline-moment timeline-${item.strand}`} data-part="timeline-moment" data-strand={item.strand}>
      <button
        type="button"
        class="timeline-at"
        aria-pressed={isAsOf}
        aria-label={`${time} – ${timeline().asOfHere}`}
        title={timeline().asOfHere}
        onClick={() => onAsOf(item.ms)}
      >
        <time dateTime={new Date(item.ms).toISOString()}>{time}</time>
      </button>
      <div class="timeline-what">
        <What item={item} stream={stream} />
      </div>
    </li>
  );
}

function What({ item, stream }: { item: Item; stream: Stream }) {
  switch (item.strand) {
    case "turn":
      return <TurnItem turn={item.turn} />;
    case "journal":
      return <Entry entry={item.entry} notes={stream.notesOf.get(item.entry.id)} />;
    case "note":
      return (
        <>
          <p class="timeline-meta">
            <strong>{timeline().noteMade}</strong>
          </p>
          <NoteLine note={item.note} />
        </>
      );
    case "given":
      return (
        <>
          <p class="timeline-meta">
            <strong>{timeline().given}</strong>
          </p>
          <Text>{item.text}</Text>
        </>
      );
    default:
      return <Remembered item={item} name={item.strand === "summary" ? timeline().summary : timeline().remembered} />;
  }
}

function Remembered({ item: { memory, isEcho }, name }: { item: Of; name: string }) {
  return (
    <>
      <p class="timeline-meta">
        <strong>{name}</strong>
        <KindBadge kind={memory.kind} />
        <ZoneBadge zone={memory.zone} />
        {memory.speaker && <span>{memory.speaker}</span>}
      </p>
      <a class={isEcho ? "timeline-said timeline-echo" : "timeline-said"} href={to("memory", [memory.id])}>
        {memory.content}
      </a>
    </>
  );
}
