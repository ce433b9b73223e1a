/** What a question to the server came to: on its way, not for this key, failed, or there. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../api.ts";
import { Failure, Loading } from "./basic.tsx";
import { words } from "../strings/words.ts";

interface AnswerProps<T> {
  of: Loaded<T>;
  children: (value: T) => ComponentChildren;
}

/** Draws what came. What was there before stays in sight while it is asked again, and when that fails. */
export function Answer<T>({ of, children }: AnswerProps<T>) {
  const { value, error, reload } = of;
  if (error?.status === 403) return <LeftOut />;
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {value !== undefined ? children(value) : !error && <Loading />}
    </>
  );
}

/** That something is not for this key. Nothing is wrong. */
export function LeftOut() {
  return (
    <p class="note" data-part="left-out">
      {words().leftOut}
    </p>
  );
}
