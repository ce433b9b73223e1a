/** That nothing is relevant, which is an answer too, and what can be done then. */
import { Button } from "../../parts/basic.tsx";
import { setQuery } from "../../route.ts";
import { search } from "../../strings/search.ts";
import { flip, many } from "../memory/address.ts";
import type { Recalled } from "../../wire.ts";
import { filterCount, noFilters } from "./question.ts";

export function Nothing({ found }: { found: Recalled }) {
  const hasFloor = !many("without").includes("floor");
  return (
    <section class="search-nothing card" data-part="nothing">
      <h2>{search().nothingTitle}</h2>
      <p>{search().nothingText(found.considered, found.below_floor)}</p>
      <h3>{search().nothingDo}</h3>
      <ul>
        <li>{search().nothingWords}</li>
        {filterCount() > 0 && (
          <li>
            {search().nothingFilters}{" "}
            <Button small onClick={() => setQuery(noFilters())}>
              {search().clearFilters}
            </Button>
          </li>
        )}
        {hasFloor && found.below_floor > 0 && (
          <li>
            {search().nothingFloor}{" "}
            <Button small onClick={() => flip("without", "floor")}>
              {search().showBelow}
            </Button>
          </li>
        )}
        <li>
          {search().nothingWhy}{" "}
          <Button small onClick={() => setQuery({ why: "choose" })}>
            {search().missing}
          </Button>
        </li>
      </ul>
    </section>
  );
}
