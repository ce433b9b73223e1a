/** The audit log, page by page. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { asProblem, type PeriError } from "../../api.ts";
import { Button, Card, Empty, Failure, Loading } from "../../parts/basic.tsx";
import { route, setQuery } from "../../route.ts";
import { key } from "../../state.ts";
import { operations } from "../../strings/operations.ts";
import { words as glossary } from "../../strings/words.ts";
import { type AuditFilter, type AuditPage, earlier, latest, later } from "./audit_pages.ts";
import { EventRow, KindChoice, kindsOf } from "./event_list.tsx";
import { scope, WhereChoice } from "./where.tsx";

/** A time as the field for it writes it, in the zone of whoever looks. */
function instant(written: string | null): string | undefined {
  const time = written ? new Date(written) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

function filterOf(query: URLSearchParams): AuditFilter {
  return {
    scope: scope(),
    kind: kindsOf(query.get("kind") ?? ""),
    since: instant(query.get("since")),
    until: instant(query.get("until")),
  };
}

export function Audit() {
  const words = operations();
  const filter = filterOf(route.value.query);
  const page = useSignal<AuditPage | undefined>(undefined);
  const error = useSignal<PeriError | undefined>(undefined);
  const busy = useSignal(false);
  const load = async (work: (signal?: AbortSignal) => Promise<AuditPage>, signal?: AbortSignal) => {
    busy.value = true;
    try {
      const got = await work(signal);
      if (signal?.aborted) return;
      page.value = got;
      error.value = undefined;
    } catch (problem) {
      if (signal?.aborted) return;
      error.value = asProblem(problem);
    }
    busy.value = false;
  };
  useEffect(() => {
    const ending = new AbortController();
    void load((signal) => latest(filter, signal), ending.signal);
    return () => ending.abort();
  }, [JSON.stringify(filter), key.value]);
  const shown = page.value;
  return (
    <Card title={words.auditTitle} note={words.auditNote}>
      <Filters />
      {error.value && <Failure error={error.value} retry={() => void load((signal) => latest(filter, signal))} />}
      {shown === undefined ? !error.value && <Loading /> : <Events page={shown} />}
      {shown !== undefined && (
        <div class="actions operations-more">
          {shown.isBeginning ? (
            shown.events.length > 0 && <p class="note">{words.noMore}</p>
          ) : (
            <Button disabled={busy.value} onClick={() => void load((signal) => earlier(filter, shown, signal))}>
              {busy.value ? glossary().loading : words.earlier}
            </Button>
          )}
          <Button tone="quiet" disabled={busy.value} onClick={() => void load((signal) => later(filter, shown, signal))}>
            {words.newest}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Events({ page }: { page: AuditPage }) {
  const words = operations();
  if (page.events.length === 0) return <Empty title={words.auditEmpty} />;
  return (
    <ol class="operations-events whole" aria-label={words.auditTitle}>
      {page.events.map((event) => (
        <EventRow key={event.number} event={event} />
      ))}
    </ol>
  );
}

function Filters() {
  const words = operations();
  const { query } = route.value;
  return (
    <div class="actions operations-filters operations-gap">
      <KindChoice value={query.get("kind") ?? ""} onChange={(kind) => setQuery({ kind })} />
      {(["since", "until"] as const).map((name) => (
        <label class="field" key={name}>
          <span>{words[name]}</span>
          <input type="datetime-local" value={query.get(name) ?? ""} onChange={(event) => setQuery({ [name]: event.currentTarget.value })} />
        </label>
      ))}
      <WhereChoice />
    </div>
  );
}
