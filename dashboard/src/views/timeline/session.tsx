/** One session: everything that is known of it, in the order of time, with the notes as they grew. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Badge, Button, Empty, Failure, Loading, PageHead } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { moment, number } from "../../strings/define.ts";
import { timeline } from "../../strings/timeline.ts";
import { byDay, dayName, lasting } from "./days.ts";
import { Moment } from "./moment.tsx";
import { NotesPanel } from "./notes_panel.tsx";
import { hasMore, type Item, items, type Strand, STRANDS, type Stream, useStream } from "./stream.ts";

const SIDE_BY_SIDE = "(min-width: 1101px)";

export function SessionView({ name }: { name: string }) {
  const { asked, stream, more } = useStream(name);
  return (
    <>
      <a class="timeline-back" href={to("timeline")}>
        <Icon name="back" />
        {timeline().back}
      </a>
      <PageHead title={name} lead={stream && span(stream)}>
        {stream?.conversation && <State stream={stream} />}
      </PageHead>
      {asked.error && <Failure error={asked.error} retry={asked.reload} />}
      {stream === undefined ? !asked.error && <Loading /> : <Whole key={name} stream={stream} more={more} />}
    </>
  );
}

function span({ conversation }: Stream): string | undefined {
  if (conversation === undefined) return undefined;
  const { started_at: from, ended_at: until } = conversation.session;
  return [timeline().begun(moment(from)), until && timeline().lasted(lasting(from, until))].filter(Boolean).join(" · ");
}

function State({ stream }: { stream: Stream }) {
  const isOpen = !stream.conversation?.session.ended_at;
  return <Badge tone={isOpen ? "good" : "plain"}>{isOpen ? timeline().open : timeline().ended}</Badge>;
}

function Whole({ stream, more }: { stream: Stream; more: () => Promise<void> }) {
  const off = useSignal<ReadonlySet<Strand>>(new Set());
  const asOf = useSignal<number | undefined>(undefined);
  const all = items(stream);
  const shown = all.filter((one) => !off.value.has(one.strand));
  if (all.length === 0) {
    return (
      <Empty title={timeline().empty}>
        <p class="note">{timeline().emptyText}</p>
      </Empty>
    );
  }
  return (
    <div class="timeline-session">
      <NotesPanel stream={stream} moments={all} asOf={asOf.value} onAsOf={(ms) => (asOf.value = ms)} />
      <section class="timeline-main" aria-label={timeline().stream} data-part="timeline-stream">
        <h2 class="unseen">{timeline().stream}</h2>
        <Chips all={all} off={off.value} isPart={hasMore(stream)} onChange={(next) => (off.value = next)} />
        {stream.givenMore && <p class="note">{timeline().givenMore}</p>}
        {shown.length === 0 && <p class="empty">{timeline().allHidden}</p>}
        <Days stream={stream} shown={shown} asOf={asOf.value} onAsOf={(ms) => (asOf.value = ms)} />
        {hasMore(stream) && <More more={more} />}
      </section>
    </div>
  );
}

interface ChipsProps {
  all: Item[];
  off: ReadonlySet<Strand>;
  /** Whether there is more than is counted. */
  isPart: boolean;
  onChange: (off: ReadonlySet<Strand>) => void;
}

function Chips({ all, off, isPart, onChange }: ChipsProps) {
  const toggle = (strand: Strand) => {
    const next = new Set(off);
    if (!next.delete(strand)) next.add(strand);
    onChange(next);
  };
  return (
    <div class="timeline-chips" role="group" aria-label={timeline().strand}>
      {STRANDS.map((strand) => {
        const count = all.filter((one) => one.strand === strand).length;
        return (
          count > 0 && (
            <button key={strand} type="button" class={`timeline-chip timeline-${strand}`} aria-pressed={!off.has(strand)} onClick={() => toggle(strand)}>
              <i aria-hidden="true" />
              {timeline().strands[strand]}
              <span>
                {number(count)}
                {isPart && "+"}
              </span>
            </button>
          )
        );
      })}
    </div>
  );
}

interface DaysProps {
  stream: Stream;
  shown: Item[];
  asOf: number | undefined;
  onAsOf: (ms: number) => void;
}

function Days({ stream, shown, asOf, onAsOf }: DaysProps) {
  // The last moment that the notes are shown as of, so that several at the same time have one mark.
  const marked = asOf === undefined ? undefined : shown.findLast((one) => one.ms <= asOf)?.key;
  useEffect(() => {
    // Where the notes stand above the stream, following it would take the slider away from under the hand.
    if (!matchMedia(SIDE_BY_SIDE).matches) return;
    const mark = document.querySelector(".timeline-at[aria-pressed='true']");
    mark?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  return (
    <>
      {byDay(shown, (one) => one.ms).map((day) => (
        <section key={day.time} class="timeline-day">
          <h3>{dayName(day.time)}</h3>
          <ol class="timeline-stream">
            {day.things.map((item) => (
              <Moment key={item.key} item={item} stream={stream} isAsOf={item.key === marked} onAsOf={onAsOf} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function More({ more }: { more: () => Promise<void> }) {
  const isLoading = useSignal(false);
  const load = async () => {
    isLoading.value = true;
    await more();
    isLoading.value = false;
  };
  return (
    <Button disabled={isLoading.value} onClick={() => void load()}>
      {timeline().loadMore}
    </Button>
  );
}
