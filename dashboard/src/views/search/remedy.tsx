/** What would bring a memory that was not found. */
import { Button } from "../../parts/basic.tsx";
import { setQuery, to } from "../../route.ts";
import { number } from "../../strings/define.ts";
import { search, type Verdict } from "../../strings/search.ts";
import type { Why } from "../../wire.ts";
import { flip, many } from "../memory/address.ts";
import { hundredths } from "./bars.tsx";
import { noFilters } from "./question.ts";

const ROUND = 25;

export function asVerdict(why: Why): Verdict {
  return {
    score: hundredths(why.score ?? 0),
    floor: hundredths(why.score_min),
    place: number(why.place ?? 0),
    limit: number(why.limit),
    weighed: number(why.weighed),
    isBelowScore: why.score != null && why.score < why.score_min,
    isBeyond: (why.place ?? 0) > why.limit,
    hasVector: why.memory.space != null,
    namespace: why.memory.namespace,
  };
}

export function Remedy({ why }: { why: Why }) {
  const newer = why.memory.superseded_by;
  switch (why.reason) {
    case "below_floor":
      if (many("without").includes("floor")) return null;
      return <Do text={search().showBelow} act={() => flip("without", "floor")} />;
    case "beyond_limit": {
      const enough = Math.ceil(((why.place ?? why.limit) + 1) / ROUND) * ROUND;
      return <Do text={search().raiseLimit(enough)} act={() => setQuery({ limit: enough })} />;
    }
    case "filtered":
      return <Do text={search().dropFilters} act={() => drop(why.filtered_by)} />;
    case "superseded":
      return newer ? <Go text={search().seeNewer} id={newer} /> : null;
    case "trashed":
      return <Go text={search().restoreIt} id={why.id} />;
    default:
      return null;
  }
}

function Do({ text, act }: { text: string; act: () => void }) {
  return (
    <p>
      <Button small onClick={act}>
        {text}
      </Button>
    </p>
  );
}

function Go({ text, id }: { text: string; id: string }) {
  return (
    <p>
      <a class="button small" href={to("memory", [id])}>
        {text}
      </a>
    </p>
  );
}

/** Only filters that stand in the address can be taken away. */
function drop(names: string[]): void {
  const known = Object.keys(noFilters()).filter((name) => names.includes(name));
  setQuery(Object.fromEntries(known.map((name) => [name, undefined])));
}
