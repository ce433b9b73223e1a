/** Any structure as a list of names and values, for people. */
import { number } from "../strings/define.ts";
import { words } from "../strings/words.ts";
import "./tree.css";

// What is deeper or longer is not looked at by anybody; the interface of programs has it whole.
const DEPTH_MAX = 6;
const ITEMS_MAX = 60;

export function Tree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== "object" || value === null) return <Leaf value={value} />;
  const entries = Array.isArray(value) ? value.map((one, place) => [String(place + 1), one] as const) : Object.entries(value);
  if (entries.length === 0) return <span class="faint">{words().nothingInIt}</span>;
  if (depth >= DEPTH_MAX) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value) && value.every(isPlain)) return <Row of={value} />;
  return (
    <dl class="tree">
      {entries.slice(0, ITEMS_MAX).map(([name, one]) => (
        <div key={name} class={isPlain(one) ? "" : "tree-nested"}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <Tree value={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > ITEMS_MAX && (
        <div>
          <dt>…</dt>
          <dd>{words().andMore(entries.length - ITEMS_MAX)}</dd>
        </div>
      )}
    </dl>
  );
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function Row({ of }: { of: unknown[] }) {
  const shown = of.slice(0, ITEMS_MAX);
  return (
    <span class="tree-row">
      {shown.map((one, place) => (
        <code key={place}>{String(one)}</code>
      ))}
      {of.length > ITEMS_MAX && <span class="faint">{words().andMore(of.length - ITEMS_MAX)}</span>}
    </span>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span class="faint">–</span>;
  if (typeof value === "number") return <>{number(value, Math.abs(value) < 10 ? 4 : 1)}</>;
  return <>{String(value)}</>;
}
