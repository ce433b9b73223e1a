/** How much something matters, from 0 to 1. */
import { percent } from "../../strings/define.ts";
import { words } from "../../strings/words.ts";

interface ImportanceProps {
  value: number;
  label?: string;
  disabled?: boolean;
  onChange: (value: number) => void;
}

export function ImportanceField({ value, label, disabled = false, onChange }: ImportanceProps) {
  return (
    <label class="field memory-range">
      <span>
        {label ?? words().importance} · {percent(value)}
      </span>
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        value={value}
        disabled={disabled}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}
