/** The form for a new key. */
import { useSignal } from "@preact/signals";
import { ask } from "../../api.ts";
import { Button } from "../../parts/basic.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { attempt } from "../../parts/told.tsx";
import { me } from "../../shell/place.ts";
import { showKey } from "../../state.ts";
import { operations } from "../../strings/operations.ts";
import type { CreatedKey, Role } from "../../wire.ts";

const ROLES: Role[] = ["reader", "writer", "admin"];

interface NewKeyProps {
  /** Whether everyone needs a key from then on. */
  isFirst: boolean;
  ready: (created: CreatedKey, taken: boolean) => void;
  close: () => void;
}

export function NewKey({ isFirst, ready, close }: NewKeyProps) {
  const words = operations();
  const name = useSignal("");
  const role = useSignal<Role>(isFirst ? "admin" : "writer");
  const scope = useSignal<string>(me.value?.scope ?? "*");
  const create = async (event: Event) => {
    event.preventDefault();
    const body = { name: name.value.trim(), role: role.value, scope: scope.value.trim() };
    const created = await attempt(() => ask<CreatedKey>("POST", "/v1/keys", { body }));
    if (!created) return;
    // Otherwise the page would stand before its own closed door, and the secret be gone.
    if (isFirst) showKey(created.secret);
    ready(created, isFirst);
  };
  const locksOut = isFirst && (role.value !== "admin" || scope.value.trim() !== "*");
  return (
    <Dialog
      title={words.keyNew}
      onClose={close}
      actions={
        <Button tone="main" type="submit" form="new-key" disabled={name.value.trim() === "" || scope.value.trim() === ""}>
          {words.keyCreate}
        </Button>
      }
    >
      <form id="new-key" class="stack" onSubmit={(event) => void create(event)}>
        {isFirst && <p class="operations-once">{words.keyFirst}</p>}
        <label class="field">
          <span>{words.keyName}</span>
          <input value={name.value} maxLength={200} required onInput={(event) => (name.value = event.currentTarget.value)} />
        </label>
        <fieldset class="operations-roles">
          <legend>{words.role}</legend>
          {ROLES.map((one) => (
            <label key={one}>
              <input type="radio" name="role" value={one} checked={role.value === one} onChange={() => (role.value = one)} />
              <span>
                <strong>{words.roles[one]}</strong> <span class="note">{words.rolesText[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span>{words.scope}</span>
          <input class="mono" value={scope.value} required onInput={(event) => (scope.value = event.currentTarget.value)} />
          <small class="note">{words.scopeHint}</small>
        </label>
        {locksOut && (
          <p class="failure" role="alert">
            {words.keyFirstRole}
          </p>
        )}
      </form>
    </Dialog>
  );
}
