/** Events as they happen. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Button, Card, Empty, Failure } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { route, setQuery } from "../../route.ts";
import { key } from "../../state.ts";
import { operations } from "../../strings/operations.ts";
import { EventRow, KindChoice, kindsOf } from "./event_list.tsx";
import { EventFeed } from "./feed.ts";
import { scope, WhereChoice } from "./where.tsx";

export function LiveEvents() {
  const words = operations();
  const where = scope();
  const feed = useSignal<EventFeed | undefined>(undefined);
  const again = useSignal(0);
  useEffect(() => {
    const own = new EventFeed(where);
    feed.value = own;
    void own.run();
    return () => own.end();
  }, [where, key.value, again.value]);
  const chosen = route.value.query.get("kind") ?? "";
  const own = feed.value;
  if (own === undefined) return null;
  const kinds = kindsOf(chosen);
  const shown = own.shown.value.filter((event) => kinds === undefined || kinds.includes(event.event));
  return (
    <Card title={words.eventsTitle} note={words.eventsNote} actions={<Controls feed={own} />}>
      {own.error.value && own.error.value.status !== 403 && (
        <Failure error={own.error.value} retry={() => again.value++} />
      )}
      <div class="actions operations-filters operations-gap">
        <KindChoice value={chosen} onChange={(kind) => setQuery({ kind })} />
        <WhereChoice />
      </div>
      {shown.length === 0 ? (
        <Empty title={own.shown.value.length === 0 ? words.eventsEmpty : words.eventsFiltered}>
          <p>{words.eventsEmptyText}</p>
        </Empty>
      ) : (
        <div class="operations-events" role="log" aria-live="off" aria-label={words.eventsTitle} tabIndex={0}>
          <ol>
            {shown.map((event) => (
              <EventRow key={event.number} event={event} />
            ))}
          </ol>
        </div>
      )}
    </Card>
  );
}

function Controls({ feed }: { feed: EventFeed }) {
  const words = operations();
  const state = feed.state.value;
  const waiting = feed.waiting.value;
  return (
    <>
      <span class={`operations-live ${state}`} role="status" data-part="stream-state" data-state={state}>
        <i aria-hidden="true" />
        {words.eventsState[state]}
        {waiting > 0 && ` · ${words.waitingEvents(waiting)}`}
      </span>
      {state !== "ended" && (
        <Button onClick={() => feed.pause(state === "live")}>
          <Icon name={state === "live" ? "pause" : "play"} />
          {state === "live" ? words.pause : words.goOn}
        </Button>
      )}
      <Button onClick={() => feed.clear()}>{words.clear}</Button>
    </>
  );
}
