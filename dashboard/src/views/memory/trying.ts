/** Doing something from a dialog: what goes wrong is told inside it, where it is seen. */
import { useSignal } from "@preact/signals";
import { asProblem, type PeriError } from "../../api.ts";

export interface Trying {
  error: PeriError | undefined;
  isBusy: boolean;
  /** Undefined if it failed. */
  run: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

export function useTrying(): Trying {
  const error = useSignal<PeriError | undefined>(undefined);
  const isBusy = useSignal(false);
  const run = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    error.value = undefined;
    isBusy.value = true;
    try {
      return await work();
    } catch (failure) {
      error.value = asProblem(failure);
      return undefined;
    } finally {
      isBusy.value = false;
    }
  };
  return { error: error.value, isBusy: isBusy.value, run };
}
