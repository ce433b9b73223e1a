/** Keys that work everywhere. */
import { signal } from "@preact/signals";
import { go } from "../route.ts";
import { theme, type Theme } from "../state.ts";
import { VIEWS } from "./views.tsx";

export const helpIsOpen = signal(false);
/** Where the search of the head is; `/` goes there. */
export const finder: { current: HTMLInputElement | null } = { current: null };

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export function changeTheme(): void {
  theme.value = NEXT_THEME[theme.value];
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

let afterG = 0;

/** Listens until the page is closed. */
export function listen(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const letter = event.key.toLowerCase();
    if (Date.now() - afterG < 1500) {
      afterG = 0;
      const found = Object.entries(VIEWS).find(([, view]) => view.letter === letter);
      if (found) {
        go(found[0]);
        event.preventDefault();
      }
      return;
    }
    if (letter === "g") afterG = Date.now();
    else if (letter === "/") {
      event.preventDefault();
      finder.current?.focus();
    } else if (letter === "t") changeTheme();
    else if (event.key === "?") helpIsOpen.value = true;
  });
}
