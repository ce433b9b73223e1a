/** The keyboard of the search: from the field through the results and back. */
import { useEffect } from "preact/hooks";
import { setQuery } from "../../route.ts";
import { one } from "../memory/address.ts";

type Field = HTMLInputElement | null;

/** `/` goes to the field of this view, rather than to that in the head of the page. */
export function useSlash(field: { current: Field }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.matches("input, textarea, select");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, []);
}

/** Arrows move between the field and the results; Escape goes back a step. */
export function move(event: KeyboardEvent, field: Field): void {
  const target = event.target as Element;
  const links = [...document.querySelectorAll<HTMLElement>('[data-part="result-link"]')];
  const at = links.findIndex((link) => link === target);
  const isHere = target === field || at >= 0;
  if (event.key === "Escape" && target !== field) back(field);
  else if (event.key === "ArrowDown" && isHere) step(event, links[at + 1]);
  else if (event.key === "ArrowUp" && at >= 0) step(event, at === 0 ? field : links[at - 1]);
}

function step(event: KeyboardEvent, to: HTMLElement | null | undefined): void {
  if (!to) return;
  event.preventDefault();
  to.focus();
  to.closest("li")?.scrollIntoView({ block: "nearest" });
}

function back(field: Field): void {
  if (one("why") !== "") setQuery({ why: undefined });
  field?.focus();
}
