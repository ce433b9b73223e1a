/** Fields that several views of memories are narrowed and changed with. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import "./fields.css";

const WAIT_MS = 250;

interface ChipsProps<T extends string> {
  label: string;
  of: Array<[T, string]>;
  chosen: readonly T[];
  onFlip: (value: T) => void;
}

/** Any number of a few. */
export function Chips<T extends string>({ label, of, chosen, onFlip }: ChipsProps<T>) {
  return (
    <div class="memory-chips" role="group" aria-label={label}>
      <span class="memory-chips-label" aria-hidden="true">
        {label}
      </span>
      <div>
        {of.map(([value, text]) => (
          <button type="button" key={value} aria-pressed={chosen.includes(value)} onClick={() => onFlip(value)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

interface TypedProps {
  label: string;
  value: string;
  onTyped: (text: string) => void;
  type?: "text" | "search" | "datetime-local";
  placeholder?: string;
}

/** A field that tells what was typed when the typing pauses. */
export function Typed({ label, value, onTyped, type = "text", placeholder }: TypedProps) {
  const typed = useTyped(value, onTyped, WAIT_MS);
  const own = {
    placeholder: placeholder ?? "",
    autocomplete: "off",
    spellcheck: false,
    value: typed.text,
    onInput: (event: { currentTarget: HTMLInputElement }) => typed.type(event.currentTarget.value),
  } as const;
  return (
    <label class="field">
      <span>{label}</span>
      {type === "text" && <input type="text" {...own} />}
      {type === "search" && <input type="search" {...own} />}
      {type === "datetime-local" && <input type="datetime-local" {...own} />}
    </label>
  );
}

/** What is in a field, told onward when the typing pauses, and what came from elsewhere taken over. */
export function useTyped(value: string, onTyped: (text: string) => void, waitMs: number) {
  const text = useSignal(value);
  const told = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    text.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next: string) => {
    told.current = next;
    onTyped(next);
  };
  const type = (next: string, wait = waitMs) => {
    text.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(next), wait);
  };
  return { text: text.value, type };
}

type SelectProps<T extends string> = { label: string; value: T; of: Array<[T, string]>; onChange: (value: T) => void };

export function Select<T extends string>({ label, value, of, onChange }: SelectProps<T>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {of.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
