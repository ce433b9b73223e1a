/** Short messages at the edge of the page: what was done, or why not. */
import { signal } from "@preact/signals";
import { asProblem } from "../api.ts";

interface Told {
  number: number;
  text: string;
  bad: boolean;
}

const all = signal<Told[]>([]);
let last = 0;

export function tell(text: string, bad = false): void {
  const number = ++last;
  all.value = [...all.value, { number, text, bad }];
  setTimeout(() => {
    all.value = all.value.filter((one) => one.number !== number);
  }, 6000);
}

/** Does something that a person asked for, and tells when it fails. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const problem = asProblem(error);
    tell([problem.detail, problem.hint].filter(Boolean).join(" · "), true);
    return undefined;
  }
}

/** Where they appear; drawn once by the shell. */
export function ToldList() {
  return (
    <div class="told" role="status" aria-live="polite">
      {all.value.map((one) => (
        <p key={one.number} class={one.bad ? "bad" : ""}>
          {one.text}
        </p>
      ))}
    </div>
  );
}
