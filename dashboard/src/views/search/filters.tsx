/** What a question is narrowed by, and which stages take part. */
import { setQuery } from "../../route.ts";
import { Button } from "../../parts/basic.tsx";
import { search, stageName } from "../../strings/search.ts";
import { words } from "../../strings/words.ts";
import { among, flip, one } from "../memory/address.ts";
import { Chips, Select, Typed } from "../memory/fields.tsx";
import { KINDS, LAYERS } from "../memory/known.ts";
import { filterCount, noFilters, STAGES } from "./question.ts";

const LIMITS = ["", "5", "10", "25", "50", "100"];

export function Filters({ id }: { id: string }) {
  return (
    <section class="search-filters card" id={id} aria-label={search().filters}>
      <Chips label={words().kind} of={KINDS.map((kind) => [kind, words().kinds[kind]])} chosen={among("kinds", KINDS)} onFlip={(kind) => flip("kinds", kind)} />
      <Chips label={words().layer} of={LAYERS.map((layer) => [layer, words().layers[layer]])} chosen={among("layers", LAYERS)} onFlip={(layer) => flip("layers", layer)} />
      <Chips label={search().without} of={STAGES.map((stage) => [stage, stageName(stage)])} chosen={among("without", STAGES)} onFlip={(stage) => flip("without", stage)} />
      <div class="memory-fields">
        <Written name="tags" label={words().tags} placeholder={search().tagsHint} />
        <Written name="session" label={words().session} />
        <Written name="speaker" label={words().speaker} />
        <Written name="since" label={search().since} type="datetime-local" />
        <Written name="until" label={search().until} type="datetime-local" />
        <Written name="as_of" label={search().asOf} type="datetime-local" />
        <Select label={words().pinned} value={one("pinned")} of={pinnedChoices()} onChange={(pinned) => setQuery({ pinned })} />
        <Select label={search().limit} value={one("limit")} of={limitChoices()} onChange={(limit) => setQuery({ limit })} />
      </div>
      {filterCount() > 0 && (
        <div class="actions">
          <Button small onClick={() => setQuery(noFilters())}>
            {search().clearFilters}
          </Button>
        </div>
      )}
    </section>
  );
}

function Written({ name, label, ...rest }: { name: string; label: string; type?: "datetime-local"; placeholder?: string }) {
  return <Typed label={label} value={one(name)} onTyped={(text) => setQuery({ [name]: text.trim() })} {...rest} />;
}

function pinnedChoices(): Array<[string, string]> {
  return [
    ["", search().any],
    ["yes", search().pinnedYes],
    ["no", search().pinnedNo],
  ];
}

/** The address may hold another number than those that are offered. */
function limitChoices(): Array<[string, string]> {
  const own = one("limit");
  const all = LIMITS.includes(own) ? LIMITS : [...LIMITS, own];
  return all.map((limit) => [limit, limit === "" ? search().usual : limit]);
}
