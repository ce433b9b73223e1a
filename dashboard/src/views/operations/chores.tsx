/** What the server does by itself from time to time, done now. */
import { useSignal } from "@preact/signals";
import { ask } from "../../api.ts";
import { Button, Card } from "../../parts/basic.tsx";
import { confirmed } from "../../parts/dialog.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { seesAll } from "../../shell/place.ts";
import { operations } from "../../strings/operations.ts";
import type { Maintained, Reorbited, Swept } from "../../wire.ts";

async function reorbit(): Promise<string> {
  const done = await ask<Reorbited>("POST", "/v1/reorbit", { body: {} });
  return operations().reorbited(done.memories, done.moved, done.forgotten);
}

async function maintain(): Promise<string> {
  const done = await ask<Maintained>("POST", "/v1/maintain");
  return operations().maintained(done.purged, done.unembedded);
}

async function sweep(): Promise<string> {
  const done = await ask<Swept>("POST", "/v1/sweep");
  return operations().swept(done.promoted, done.expired + done.outlived + done.trashed + done.cleaned_up);
}

export function Chores({ done }: { done: () => void }) {
  const words = operations();
  const busy = useSignal<string | undefined>(undefined);
  const run = async (name: string, work: () => Promise<string>) => {
    // What left the trash for good cannot be brought back.
    if (name === "maintain" && !(await confirmed(words.maintainAsk, words.maintainText, words.maintain, false))) return;
    busy.value = name;
    const text = await attempt(work);
    busy.value = undefined;
    if (text !== undefined) tell(text);
    done();
  };
  const chores: Array<[string, string, string, () => Promise<string>]> = [["reorbit", words.reorbit, words.reorbitText, reorbit]];
  if (seesAll()) chores.push(["maintain", words.maintain, words.maintainText, maintain], ["sweep", words.sweep, words.sweepText, sweep]);
  return (
    <Card title={words.choresTitle} note={words.choresNote}>
      <ul class="operations-chores">
        {chores.map(([name, title, text, work]) => (
          <li key={name}>
            <Button disabled={busy.value !== undefined} onClick={() => void run(name, work)}>
              {title}
            </Button>
            <span class="soft">{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
