/** A question or a form before the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { words } from "../strings/words.ts";
import { Button } from "./basic.tsx";

interface DialogProps {
  title: string;
  children?: ComponentChildren;
  onClose: () => void;
  /** What can be done; closing is always there. */
  actions?: ComponentChildren;
}

/** Shown as long as it is drawn. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, children, onClose, actions }: DialogProps) {
  const own = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    own.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={own} class="dialog" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      <div class="dialog-body">{children}</div>
      <footer class="actions">
        <Button onClick={onClose}>{words().close}</Button>
        {actions}
      </footer>
    </dialog>
  );
}

interface Question {
  title: string;
  text: string;
  yes: string;
  danger?: boolean;
  answer: (yes: boolean) => void;
}

const question = signal<Question | undefined>(undefined);

/** Asks before something that is hard to undo. */
export function confirmed(title: string, text: string, yes: string, danger = true): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = { title, text, yes, danger, answer: resolve };
  });
}

/** Where questions appear; drawn once by the shell. */
export function Questions() {
  const open = question.value;
  if (open === undefined) return null;
  const end = (yes: boolean) => {
    question.value = undefined;
    open.answer(yes);
  };
  return (
    <Dialog
      title={open.title}
      onClose={() => end(false)}
      actions={
        <Button tone={open.danger ? "danger" : "main"} onClick={() => end(true)}>
          {open.yes}
        </Button>
      }
    >
      <p>{open.text}</p>
    </Dialog>
  );
}
