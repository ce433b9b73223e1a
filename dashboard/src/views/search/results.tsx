/** What was found, the best first, each with why. */
import { Button, KindBadge, Time, ZoneBadge } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { setQuery, to } from "../../route.ts";
import { search } from "../../strings/search.ts";
import { words } from "../../strings/words.ts";
import { one } from "../memory/address.ts";
import { Excerpt, Text } from "../memory/text.tsx";
import type { Hit, Memory } from "../../wire.ts";
import { Breakdown, hundredths, signed } from "./bars.tsx";
import { scaleOf, type Scale } from "./scale.ts";

export function Results({ hits, busy }: { hits: Hit[]; busy: boolean }) {
  const scale = scaleOf(hits.flatMap((hit) => hit.explanation.parts.map((part) => part.value)));
  return (
    <section class="search-results" aria-label={search().results} aria-busy={busy}>
      <ol>
        {hits.map((hit, at) => (
          <Result key={hit.memory.id} hit={hit} place={at + 1} scale={scale} />
        ))}
      </ol>
    </section>
  );
}

function Result({ hit, place, scale }: { hit: Hit; place: number; scale: Scale }) {
  const { memory, explanation } = hit;
  const isOpen = one("why") === memory.id;
  const sum = explanation.parts.reduce((total, part) => total + part.value, 0);
  return (
    <li class={`search-result kind-${memory.kind} ${isOpen ? "open" : ""}`} data-part="result" data-id={memory.id}>
      <div class="search-said">
        <About memory={memory} place={place} />
        <a class="search-content" data-part="result-link" href={to("memory", [memory.id])}>
          <Excerpt text={memory.content} words={explanation.matched} />
        </a>
        <Belongings memory={memory} />
      </div>
      <div class="search-why">
        <p class="search-score">
          <span>{words().score}</span>
          <strong>{hundredths(hit.score)}</strong>
          <span class="meter" aria-hidden="true">
            <span style={{ width: `${Math.max(0, Math.min(1, hit.score)) * 100}%` }} />
          </span>
        </p>
        <Breakdown parts={explanation.parts} scale={scale} />
        <p class="search-sum">
          <span>
            {search().sum} {signed(sum)}
          </span>
          <Button tone="quiet" small aria-expanded={isOpen} onClick={() => setQuery({ why: isOpen ? undefined : memory.id })}>
            {search().why}
          </Button>
        </p>
      </div>
    </li>
  );
}

function About({ memory, place }: { memory: Memory; place: number }) {
  return (
    <p class="search-about">
      <span class="search-place" aria-label={search().rank(place)}>
        {place}
      </span>
      <KindBadge kind={memory.kind} />
      <ZoneBadge zone={memory.zone} />
      {memory.pinned && (
        <span class="search-pin" title={words().pinned}>
          <Icon name="pin" />
          <span class="unseen">{words().pinned}</span>
        </span>
      )}
      <span class="faint">
        <Time at={memory.occurred_at ?? memory.created_at} />
      </span>
    </p>
  );
}

/** Who said it, where, and under which words it is filed. */
function Belongings({ memory }: { memory: Memory }) {
  const { speaker, session, tags = [] } = memory;
  if (!speaker && !session && tags.length === 0) return null;
  return (
    <p class="search-belongings">
      {speaker && <Text text={speaker} />}
      {session && (
        <a href={to("timeline", [], { session })}>
          <Text text={session} />
        </a>
      )}
      {tags.map((tag) => (
        <span key={tag} class="search-tag">
          <Text text={tag} />
        </span>
      ))}
    </p>
  );
}
