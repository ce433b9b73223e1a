/** Whether everything that the key opens is looked at, or the chosen namespace alone. */
import { Choice } from "../../parts/basic.tsx";
import { route, setQuery } from "../../route.ts";
import { namespace } from "../../state.ts";
import { operations } from "../../strings/operations.ts";

const here = () => route.value.query.get("where") === "here";

/** As the server takes it: left out, it is everything. */
export function scope(): string | undefined {
  return here() ? namespace.value : undefined;
}

export function WhereChoice() {
  const words = operations();
  if (namespace.value === undefined) return null;
  return (
    <Choice
      label={words.everywhereHint}
      value={here() ? "here" : "all"}
      of={[
        ["all", words.everywhere],
        ["here", namespace.value],
      ]}
      onChange={(value) => setQuery({ where: value === "here" ? "here" : undefined })}
    />
  );
}
