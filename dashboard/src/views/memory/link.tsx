/** Linking a memory to another of its namespace. */
import { useSignal } from "@preact/signals";
import { ask } from "../../api.ts";
import { Button, Failure } from "../../parts/basic.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { tell } from "../../parts/told.tsx";
import { memory as strings } from "../../strings/memory.ts";
import type { EdgeType, Memory } from "../../wire.ts";
import { Select } from "./fields.tsx";
import { ImportanceField } from "./importance.tsx";
import { EDGE_TYPES } from "./known.ts";
import { MemoryLink } from "./links.tsx";
import { Picker } from "./picker.tsx";
import { useTrying } from "./trying.ts";

interface LinkProps {
  memory: Memory;
  onClose: () => void;
  onLinked: () => void;
}

export function LinkDialog({ memory, onClose, onLinked }: LinkProps) {
  const type = useSignal<EdgeType>("related_to");
  const weight = useSignal(1);
  const target = useSignal<Memory | undefined>(undefined);
  const trying = useTrying();
  const link = async () => {
    const body = { source: memory.id, target: target.value?.id, type: type.value, weight: weight.value };
    const linked = await trying.run(() => ask("POST", "/v1/edges", { body }));
    if (linked === undefined) return;
    tell(strings().linked);
    onLinked();
    onClose();
  };
  return (
    <Dialog
      title={strings().linkTitle}
      onClose={onClose}
      actions={
        <Button tone="main" disabled={trying.isBusy || target.value === undefined || weight.value === 0} onClick={() => void link()}>
          {strings().link}
        </Button>
      }
    >
      {trying.error && <Failure error={trying.error} />}
      <div class="memory-fields">
        <Select label={strings().linkType} value={type.value} of={EDGE_TYPES.map((one) => [one, strings().edgeTypes[one]])} onChange={(one) => (type.value = one)} />
        <ImportanceField label={strings().linkWeight} value={weight.value} onChange={(one) => (weight.value = one)} />
      </div>
      {target.value ? (
        <div class="memory-chosen">
          <MemoryLink id={target.value.id} memory={target.value} isKnown />
          <Button small onClick={() => (target.value = undefined)}>
            {strings().pickAnother}
          </Button>
        </div>
      ) : (
        <Picker except={[memory.id]} onPick={(one) => (target.value = one)} />
      )}
    </Dialog>
  );
}
