/** What the list of memories is narrowed by. */
import { Button } from "../../parts/basic.tsx";
import { setQuery } from "../../route.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words, zoneName } from "../../strings/words.ts";
import type { ListParameters } from "../../wire.ts";
import { among, flip, many, one, yesOrNo } from "./address.ts";
import { Chips, Select, Typed } from "./fields.tsx";
import { KINDS, LAYERS, ZONES } from "./known.ts";

const NAMES = ["kind", "layer", "zone", "tag", "session", "speaker", "pinned", "order"];

export function filterCount(): number {
  return NAMES.filter((name) => one(name) !== "").length;
}

export function clearFilters(): void {
  setQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])));
}

export function isTrash(): boolean {
  return one("tab") === "trash";
}

export function isOldestFirst(): boolean {
  return one("order") === "oldest";
}

/** What the address asks for. */
export function listQuery(scope: string | undefined): ListParameters {
  return {
    scope,
    trashed: isTrash() ? "only" : "without",
    order: isOldestFirst() ? "oldest_first" : "newest_first",
    kind: among("kind", KINDS),
    layer: among("layer", LAYERS),
    zone: among("zone", ZONES),
    tag: many("tag"),
    session: one("session") || undefined,
    speaker: one("speaker") || undefined,
    pinned: yesOrNo("pinned"),
  };
}

export function ListFilters({ id }: { id: string }) {
  return (
    <section class="memories-filters card" id={id} aria-label={strings().filters}>
      <Chips label={words().kind} of={KINDS.map((kind) => [kind, words().kinds[kind]])} chosen={among("kind", KINDS)} onFlip={(kind) => flip("kind", kind)} />
      <Chips label={words().layer} of={LAYERS.map((layer) => [layer, words().layers[layer]])} chosen={among("layer", LAYERS)} onFlip={(layer) => flip("layer", layer)} />
      <Chips label={words().zone} of={ZONES.map((zone) => [zone, zoneName(zone)])} chosen={among("zone", ZONES)} onFlip={(zone) => flip("zone", zone)} />
      <div class="memory-fields">
        <Typed label={words().tags} placeholder={strings().tagsHint} value={one("tag")} onTyped={(tag) => setQuery({ tag: tag.trim() })} />
        <Typed label={words().session} value={one("session")} onTyped={(session) => setQuery({ session: session.trim() })} />
        <Typed label={words().speaker} value={one("speaker")} onTyped={(speaker) => setQuery({ speaker: speaker.trim() })} />
        <Select label={words().pinned} value={one("pinned")} of={pinnedChoices()} onChange={(pinned) => setQuery({ pinned })} />
        <Select label={strings().order} value={one("order")} of={orderChoices()} onChange={(order) => setQuery({ order })} />
      </div>
      {filterCount() > 0 && (
        <div class="actions">
          <Button small onClick={clearFilters}>
            {strings().clearFilters}
          </Button>
        </div>
      )}
    </section>
  );
}

function pinnedChoices(): Array<[string, string]> {
  return [
    ["", strings().any],
    ["yes", strings().pinnedYes],
    ["no", strings().pinnedNo],
  ];
}

function orderChoices(): Array<[string, string]> {
  return [
    ["", strings().newest],
    ["oldest", strings().oldest],
  ];
}
