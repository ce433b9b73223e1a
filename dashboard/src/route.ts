/** Where one is in the page. The address after `#` says it, so that every place can be kept and sent. */
import { signal } from "@preact/signals";

export interface Route {
  /** The view, such as `orbit`. */
  view: string;
  /** What follows it, such as the id of a memory. */
  rest: string[];
  query: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...rest] = path.split("/").map(decoded);
  return { view: view || "orbit", rest, query: new URLSearchParams(query) };
}

/** Addresses may be typed by hand. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal<Route>(read());
addEventListener("hashchange", () => {
  route.value = read();
});

type Query = Record<string, string | number | undefined>;

/** The address of a place. */
export function to(view: string, rest: string[] = [], query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") given.set(name, String(value));
  const path = [view, ...rest.map(encodeURIComponent)].join("/");
  return `#/${path}${given.size > 0 ? `?${given}` : ""}`;
}

export function go(view: string, rest: string[] = [], query: Query = {}): void {
  location.hash = to(view, rest, query);
}

/** Changes what stands after the question mark, without a step in the history. */
export function setQuery(changes: Query): void {
  const { view, rest, query } = route.value;
  const all: Query = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, "", to(view, rest, all));
  route.value = read();
}
