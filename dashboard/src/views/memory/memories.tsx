/** All that is kept, and what lies in the trash. */
import { useSignal } from "@preact/signals";
import { Button, Choice, Empty, Failure, Loading, PageHead } from "../../parts/basic.tsx";
import { setQuery } from "../../route.ts";
import { mayRule, mayWrite, namespaces } from "../../shell/place.ts";
import { language, namespace } from "../../state.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { Memory } from "../../wire.ts";
import { clearFilters, filterCount, isOldestFirst, isTrash, ListFilters, listQuery } from "./list_filters.tsx";
import { usePages, type Pages } from "./pages.ts";
import { RememberDialog } from "./remember.tsx";
import { Row } from "./row.tsx";
import { emptyTrash } from "./verbs.ts";
import "./memory_parts.css";
import "./memories.css";

export default function Memories() {
  const isRemembering = useSignal(false);
  const pages = usePages(listQuery(namespace.value));
  return (
    <div class="memories">
      <PageHead title={strings().listTitle} lead={isTrash() ? strings().trashText : strings().listLead}>
        {mayWrite() && (
          <Button tone="main" onClick={() => (isRemembering.value = true)}>
            {strings().remember}
          </Button>
        )}
      </PageHead>
      <Tools onChange={pages.reload} />
      {pages.error && <Failure error={pages.error} retry={pages.reload} />}
      {!pages.memories && pages.loading && <Loading />}
      {pages.memories && <List pages={pages} memories={pages.memories} />}
      {isRemembering.value && <RememberDialog onClose={() => (isRemembering.value = false)} onKept={pages.reload} />}
    </div>
  );
}

function Tools({ onChange }: { onChange: () => void }) {
  const isOpen = useSignal(filterCount() > 0);
  const count = filterCount();
  const own = namespaces.value.find((one) => one.namespace === namespace.value);
  const trashed = own?.trashed ?? 0;
  const tabs: Array<["kept" | "trash", string]> = [
    ["kept", strings().kept],
    ["trash", trashed > 0 ? strings().trashCount(trashed) : strings().trash],
  ];
  return (
    <>
      <div class="memories-tools">
        <Choice label={strings().which} value={isTrash() ? "trash" : "kept"} of={tabs} onChange={(tab) => setQuery({ tab: tab === "trash" ? tab : undefined })} />
        <Button small aria-expanded={isOpen.value} aria-controls="memories-filters" onClick={() => (isOpen.value = !isOpen.value)}>
          {count > 0 ? strings().filtersOn(count) : strings().filters}
        </Button>
        {isTrash() && mayWrite() && mayRule() && trashed > 0 && own && (
          <Button small tone="danger" onClick={() => void emptyTrash(own.namespace, trashed).then((done) => done && onChange())}>
            {strings().emptyTrash}
          </Button>
        )}
      </div>
      {isOpen.value && <ListFilters id="memories-filters" />}
    </>
  );
}

function List({ pages, memories }: { pages: Pages; memories: Memory[] }) {
  if (memories.length === 0) return <Nothing />;
  return (
    <div class="memories-days" aria-busy={pages.loading}>
      {byDay(memories).map(([day, those]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {those.map((memory) => (
              <Row key={memory.id} memory={memory} onChange={pages.reload} />
            ))}
          </ol>
        </section>
      ))}
      {pages.next && (
        <p class="memories-more">
          <Button disabled={pages.loading} onClick={pages.more}>
            {pages.loading ? words().loading : words().more}
          </Button>
        </p>
      )}
    </div>
  );
}

/**
 * Days are counted by when something was stored. The server goes by ids, which tell the same unless a memory was brought
 * along from elsewhere; what has come is put in order, so that no day stands among others.
 */
function byDay(memories: Memory[]): Array<[string, Memory[]]> {
  const write = new Intl.DateTimeFormat(language.value, { dateStyle: "full" });
  const way = isOldestFirst() ? 1 : -1;
  const sorted = [...memories].sort((a, b) => way * (Date.parse(a.created_at) - Date.parse(b.created_at)));
  const days = new Map<string, Memory[]>();
  for (const memory of sorted) {
    const day = write.format(new Date(memory.created_at));
    const those = days.get(day);
    if (those) those.push(memory);
    else days.set(day, [memory]);
  }
  return [...days];
}

function Nothing() {
  if (filterCount() > 0) {
    return (
      <Empty title={strings().noneFit}>
        <p>{strings().noneFitText}</p>
        <p class="memories-more">
          <Button small onClick={clearFilters}>
            {strings().clearFilters}
          </Button>
        </p>
      </Empty>
    );
  }
  if (isTrash()) return <Empty title={strings().trashEmpty} />;
  return (
    <Empty title={strings().noneKept}>
      <p>{strings().noneKeptText}</p>
    </Empty>
  );
}
