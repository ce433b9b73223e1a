/** What the whole page goes by: language, theme, namespace, key. */
import { computed, effect, signal } from "@preact/signals";

export type Language = "en" | "ko";
export type Theme = "auto" | "light" | "dark";

/** Private windows and strict settings may forbid storage; the page works without. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is closed.
  }
}

function firstLanguage(): Language {
  const said = kept("perihelion.language") ?? navigator.language;
  return said.startsWith("ko") ? "ko" : "en";
}

function firstTheme(): Theme {
  const said = kept("perihelion.theme");
  return said === "light" || said === "dark" ? said : "auto";
}

export const language = signal<Language>(firstLanguage());
export const theme = signal<Theme>(firstTheme());

const systemIsDark = signal(matchMedia("(prefers-color-scheme: dark)").matches);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
  systemIsDark.value = event.matches;
});

/** Whether it is dark now. Canvases draw by it. */
export const isDark = computed(() => (theme.value === "auto" ? systemIsDark.value : theme.value === "dark"));

/** Whether things may move. */
export const movesLittle = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The key is kept for this tab alone. */
export const key = signal<string | undefined>(sessionKey());

function sessionKey(): string | undefined {
  try {
    return sessionStorage.getItem("perihelion.key") ?? undefined;
  } catch {
    return undefined;
  }
}

export function showKey(secret: string | undefined): void {
  key.value = secret;
  try {
    if (secret === undefined) sessionStorage.removeItem("perihelion.key");
    else sessionStorage.setItem("perihelion.key", secret);
  } catch {
    // It holds until the page is closed.
  }
}

/** The namespace that is looked at; undefined until the server has said which there are. */
export const namespace = signal<string | undefined>(kept("perihelion.namespace") ?? undefined);

effect(() => {
  document.documentElement.lang = language.value;
  keep("perihelion.language", language.value);
});
effect(() => {
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
  keep("perihelion.theme", theme.value);
});
effect(() => {
  if (namespace.value !== undefined) keep("perihelion.namespace", namespace.value);
});
