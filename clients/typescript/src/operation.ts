/** Whether a request may be sent again when nobody knows what became of it: always, under the same key, or never. */
export type Repeat = "safe" | "keyed" | "never";

/** One route and method, and the names of what it takes. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly repeat: Repeat;
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Fields of the body that are lists of objects, and what those take. */
  readonly items?: Readonly<Record<string, readonly string[]>>;
}

/** The path with its parts filled in, and what stands after the question mark. */
export function target(operation: Operation, parts: Record<string, string>, query: object): string {
  check(operation, "parameter", query, operation.query);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name];
    // An empty part would name the collection instead of one of its members, and dots are taken out of addresses.
    if (!part || part === "." || part === "..") throw new TypeError(`${operation.name} needs another ${name}`);
    return encodeURIComponent(part);
  });
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) given.append(name, String(one));
    }
  }
  return given.size > 0 ? `${path}?${given}` : path;
}

/** Refuses a name that the server does not know, before anything is sent. */
export function checkBody(operation: Operation, body: object): void {
  check(operation, "field", body, operation.body);
  for (const [name, known] of Object.entries(operation.items ?? {})) {
    const items = (body as Record<string, unknown>)[name];
    for (const one of Array.isArray(items) ? items : []) check(operation, "field", one, known);
  }
}

function check(operation: Operation, what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${operation.name} has no ${what} ${unknown}; there are: ${known.join(", ")}`);
  }
}
