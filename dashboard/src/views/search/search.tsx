/** Search as one types, with the reasons for every answer. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Button, Card, Failure, Loading, PageHead } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { route, setQuery } from "../../route.ts";
import { namespace } from "../../state.ts";
import { search } from "../../strings/search.ts";
import type { Recalled } from "../../wire.ts";
import { one } from "../memory/address.ts";
import { useTyped } from "../memory/fields.tsx";
import { Filters } from "./filters.tsx";
import { move, useSlash } from "./keys.ts";
import { FoldedLegend, Legend } from "./legend.tsx";
import { Nothing } from "./nothing.tsx";
import { filterCount, question } from "./question.ts";
import { Results } from "./results.tsx";
import { Offered, Summary } from "./summary.tsx";
import { WhyPane } from "./why.tsx";
import "./search.css";

const WAIT_MS = 180;

export default function Search() {
  const field = useRef<HTMLInputElement>(null);
  const asked = question(namespace.value);
  const found = useAsk(
    async (signal) => (asked ? ask<Recalled>("POST", "/v1/recall", { body: asked, signal }) : undefined),
    [JSON.stringify(asked)],
  );
  useSlash(field);
  const isExplaining = one("why") !== "";
  return (
    <div class="search" onKeyDown={(event) => move(event, field.current)}>
      <PageHead title={search().title} lead={search().lead} />
      <Field field={field} />
      <Narrowing />
      <div class={`search-body ${isExplaining ? "explaining" : ""}`}>
        <div class="stack">
          {found.error && <Failure error={found.error} retry={found.reload} />}
          {!asked && <Intro />}
          {asked && !found.value && found.loading && <Loading />}
          {asked && found.value && !found.error && <Answer found={found.value} busy={found.loading} />}
        </div>
        {isExplaining && <WhyPane asked={asked} found={found.value?.hits.map((hit) => hit.memory.id) ?? []} />}
      </div>
    </div>
  );
}

function Field({ field }: { field: { current: HTMLInputElement | null } }) {
  const typed = useTyped(one("q"), (q) => setQuery({ q }), WAIT_MS);
  // At once, so that nobody who moves on meanwhile is fetched back.
  useLayoutEffect(() => {
    // A phone would show its keyboard over the answer.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  const clear = () => {
    typed.type("", 0);
    field.current?.focus();
  };
  return (
    <div class="search-field" role="search" aria-label={search().title}>
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={search().field}
        placeholder={search().placeholder}
        value={typed.text}
        autocomplete="off"
        spellcheck={false}
        maxLength={2000}
        onInput={(event) => typed.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") clear();
        }}
      />
      {typed.text !== "" && (
        <Button tone="quiet" aria-label={search().clear} onClick={clear}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}

function Narrowing() {
  const isOpen = useSignal(filterCount() > 0);
  const count = filterCount();
  const why = one("why");
  return (
    <>
      <div class="search-tools">
        <Button small aria-expanded={isOpen.value} aria-controls="search-filters" onClick={() => (isOpen.value = !isOpen.value)}>
          {count > 0 ? search().filtersOn(count) : search().filters}
        </Button>
        <Button small aria-expanded={why !== ""} onClick={() => setQuery({ why: why === "" ? "choose" : undefined })}>
          {search().missing}
        </Button>
        <span class="search-keys faint" aria-hidden="true">
          {search().keys}
        </span>
      </div>
      {isOpen.value && <Filters id="search-filters" />}
    </>
  );
}

function Answer({ found, busy }: { found: Recalled; busy: boolean }) {
  return (
    <>
      <Summary found={found} busy={busy} />
      {found.hits.length === 0 ? <Nothing found={found} /> : <Results hits={found.hits} busy={busy} />}
      <Offered patterns={found.patterns ?? []} />
      {found.hits.length > 0 && <FoldedLegend key={route.value.view} />}
    </>
  );
}

function Intro() {
  return (
    <Card title={search().introTitle} note={search().introText} class="search-intro">
      <Legend />
    </Card>
  );
}
