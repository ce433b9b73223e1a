/** A field that finds nodes by their labels. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { graph } from "../../strings/graph.ts";
import type { GraphModel } from "./model.ts";
import { NodeName } from "./node_name.tsx";

interface FinderProps {
  model: GraphModel;
  label: string;
  hint?: string;
  /** What is chosen already; its label is shown while nobody writes. */
  chosen?: number | undefined;
  onChoose: (node: number) => void;
  /** What the words that are written would find. */
  onMatches?: (nodes: number[]) => void;
}

const OFFERED = 8;
const MATCHES_MAX = 300;

export function Finder({ model, label, hint, chosen, onChoose, onMatches }: FinderProps) {
  const text = useSignal<string | undefined>(undefined);
  const at = useSignal(-1);
  const id = useId();
  const found = text.value === undefined ? [] : model.find(text.value, MATCHES_MAX);
  const offered = found.slice(0, OFFERED);
  const isOpen = (text.value ?? "").trim() !== "";
  const write = (next: string | undefined) => {
    text.value = next;
    at.value = -1;
    onMatches?.(next === undefined ? [] : model.find(next, MATCHES_MAX));
  };
  const choose = (node: number | undefined) => {
    if (node === undefined) return;
    write(undefined);
    onChoose(node);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      at.value = Math.max(-1, Math.min(offered.length - 1, at.value + step));
    } else if (event.key === "Enter") choose(offered[Math.max(0, at.value)]);
    else if (event.key === "Escape") write(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div class="graph-finder">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={at.value < 0 ? undefined : `${id}-${at.value}`}
        placeholder={hint}
        value={text.value ?? (chosen === undefined ? "" : model.node(chosen).label)}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => write(undefined)}
      />
      <div class="graph-offered" hidden={!isOpen}>
        <ul id={`${id}-list`} role="listbox" aria-label={label}>
          {offered.map((node, place) => (
            // Pressing must not take the focus from the field, or the list would be gone before it is released.
            <li
              key={node}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === at.value}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(node)}
            >
              <NodeName node={model.node(node)} />
            </li>
          ))}
        </ul>
        <p class="note" role="status">
          {isOpen && (found.length === 0 ? graph().noMatch : graph().matches(found.length))}
        </p>
      </div>
    </div>
  );
}
