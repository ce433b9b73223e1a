/** The door of a server that asks for a key. */
import { useSignal } from "@preact/signals";
import { Button } from "../parts/basic.tsx";
import { showKey } from "../state.ts";
import { shell } from "../strings/shell.ts";

export function KeyGate({ wrong }: { wrong: boolean }) {
  const secret = useSignal("");
  const enter = (event: Event) => {
    event.preventDefault();
    if (secret.value.trim() !== "") showKey(secret.value.trim());
  };
  return (
    <main class="gate">
      <form class="card" onSubmit={enter}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="48" height="48" />
        <h1>{shell().keyTitle}</h1>
        <p class="note">{shell().keyText}</p>
        <label class="field">
          <span>{shell().keyLabel}</span>
          <input
            type="password"
            autocomplete="off"
            value={secret.value}
            onInput={(event) => {
              secret.value = event.currentTarget.value;
            }}
          />
        </label>
        {wrong && (
          <p class="failure" role="alert">
            {shell().keyWrong}
          </p>
        )}
        <Button tone="main" type="submit">
          {shell().keyEnter}
        </Button>
      </form>
    </main>
  );
}
