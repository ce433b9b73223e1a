/** What became of one memory in this search: the verdict, and its place at each stage. */
import { useEffect, useRef } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Badge, Button, Failure, KindBadge, Loading } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { setQuery, to } from "../../route.ts";
import { search } from "../../strings/search.ts";
import { words } from "../../strings/words.ts";
import type { Why } from "../../wire.ts";
import { one } from "../memory/address.ts";
import { Picker } from "../memory/picker.tsx";
import { Excerpt } from "../memory/text.tsx";
import { Ladder } from "./ladder.tsx";
import { asVerdict, Remedy } from "./remedy.tsx";
import type { Quiet } from "./question.ts";
import "./why.css";

interface WhyPaneProps {
  asked: Quiet | undefined;
  /** The ids of the results. */
  found: readonly string[];
}

export function WhyPane({ asked, found }: WhyPaneProps) {
  const id = one("why");
  const heading = useRef<HTMLHeadingElement>(null);
  const isChoosing = id === "choose";
  const told = useAsk(
    async (signal) => (asked && !isChoosing ? ask<Why>("POST", "/v1/recall/why", { body: { ...asked, id }, signal }) : undefined),
    [id, JSON.stringify(asked)],
  );
  useEffect(() => heading.current?.focus({ preventScroll: false }), [id]);
  const why = told.value?.id === id ? told.value : undefined;
  return (
    <aside class="search-pane card" aria-labelledby="search-pane-title" data-part="why">
      <header>
        <h2 id="search-pane-title" ref={heading} tabIndex={-1}>
          {isChoosing ? search().whyChooseTitle : why && !why.recalled ? search().whyNotTitle : search().whyTitle}
        </h2>
        <Button tone="quiet" aria-label={words().close} onClick={() => setQuery({ why: undefined })}>
          <Icon name="close" />
        </Button>
      </header>
      {asked === undefined && <p class="note">{search().whyNoQuery}</p>}
      {asked && isChoosing && <Choosing start={asked.query} found={found} />}
      {asked && !isChoosing && told.error && <Failure error={told.error} retry={told.reload} />}
      {asked && !isChoosing && !told.error && (why ? <Told why={why} /> : <Loading />)}
      {asked && !isChoosing && (
        <Button small onClick={() => setQuery({ why: "choose" })}>
          {search().whyAnother}
        </Button>
      )}
    </aside>
  );
}

function Choosing({ start, found }: { start: string; found: readonly string[] }) {
  return (
    <>
      <p class="note">{search().whyChoose}</p>
      <Picker start={start} except={found} onPick={(memory) => setQuery({ why: memory.id })} />
    </>
  );
}

function Told({ why }: { why: Why }) {
  return (
    <>
      <blockquote class={`search-quote kind-${why.memory.kind}`}>
        <a href={to("memory", [why.id])}>
          <Excerpt text={why.memory.content} />
        </a>
        <KindBadge kind={why.memory.kind} />
      </blockquote>
      <p class="search-verdict" data-part="verdict">
        <Badge tone={why.recalled ? "good" : "warn"}>{why.recalled ? search().recalled : search().notRecalled}</Badge>
        <span>{search().reasons[why.reason]?.(asVerdict(why)) ?? why.verdict}</span>
      </p>
      {why.filtered_by.length > 0 && (
        <p class="note">
          {search().filteredBy}: {why.filtered_by.map((name) => search().filterNames[name] ?? name).join(", ")}
        </p>
      )}
      <Remedy why={why} />
      <Ladder why={why} />
    </>
  );
}
