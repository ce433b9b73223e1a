/** Any JSON as a tree that can be read. */
import { memory as strings } from "../../strings/memory.ts";
import { Text } from "./text.tsx";

// What is deeper or longer is shown as plain JSON, so that no value can make the page endless.
const DEPTH_MAX = 6;
const ENTRIES_MAX = 100;

export function Tree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== "object" || value === null) return <Leaf value={value} />;
  if (depth >= DEPTH_MAX) return <Leaf value={JSON.stringify(value)} />;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span class="faint">{isList ? "[ ]" : "{ }"}</span>;
  return (
    <ul class="memory-tree">
      {entries.slice(0, ENTRIES_MAX).map(([name, held]) => (
        <li key={name}>
          <span class="memory-tree-name">{isList ? `${Number(name) + 1}.` : <Text text={name} />}</span>
          <Tree value={held} depth={depth + 1} />
        </li>
      ))}
      {entries.length > ENTRIES_MAX && <li class="faint">… {strings().items(entries.length - ENTRIES_MAX)}</li>}
    </ul>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <Text text={value} />;
  return <code>{String(value)}</code>;
}
