// Reads openapi.json and shows it. Everything is made of elements and text, never of markup: what a document or an
// answer says is shown and does nothing.

const SHOWN_MAX = 200_000;
const PATTERN_MAX = 60;
const METHODS = ["get", "post", "put", "patch", "delete"];
const byId = (id) => document.getElementById(id);
let api;

/** An element with attributes (listeners begin with "on") and what it holds. */
function make(tag, attributes = {}, ...held) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...held.flat().filter((one) => one != null && one !== false));
  return element;
}

/** A part that is made when it is first opened: a document may refer to itself without end. */
function lazily(attributes, summary, fill) {
  const part = make("details", attributes, summary);
  part.addEventListener("toggle", () => part.open && fill && (part.append(...[fill()].flat()), (fill = null)));
  return part;
}

// Schemas

function nameOf(schema) {
  return schema?.$ref?.split("/").pop();
}

/** What a reference leads to, with what is said beside it. */
function resolve(schema) {
  const seen = new Set();
  while (schema?.$ref && !seen.has(schema.$ref)) {
    seen.add(schema.$ref);
    const { $ref, ...beside } = schema;
    const found = $ref.slice(2).split("/").reduce((at, part) => at?.[part], api);
    schema = { ...found, ...beside };
  }
  return schema ?? {};
}

const isNull = (schema) => schema?.type === "null" || schema?.const === null;
const variants = (schema) => schema.oneOf ?? schema.anyOf;

/** The type without null, and whether null is one of its values. */
function unwrap(schema) {
  const full = resolve(schema);
  const options = variants(full);
  const others = options?.filter((one) => !isNull(one));
  if (others?.length === 1) return { schema: others[0], nullable: others.length < options.length };
  if (Array.isArray(full.type)) {
    const types = full.type.filter((one) => one !== "null");
    return { schema: { ...full, type: types.length === 1 ? types[0] : types }, nullable: full.type.includes("null") };
  }
  return { schema, nullable: false };
}

function bounds(schema, least, most, unit) {
  const [low, high] = [schema[least], schema[most]];
  if (low == null && high == null) return "";
  if (low != null && high != null) return low === high ? `, ${low}${unit}` : `, ${low} to ${high}${unit}`;
  return low != null ? `, at least ${low}${unit}` : `, up to ${high}${unit}`;
}

/** The values that are allowed, where they are few and known. */
function choices(schema) {
  const full = resolve(unwrap(schema).schema);
  if (full.enum) return full.enum.filter((one) => one !== null);
  if (full.const !== undefined) return [full.const];
  const inner = variants(full)?.map((one) => resolve(one));
  return inner?.every((one) => one.const !== undefined || one.enum)
    ? inner.flatMap((one) => one.enum ?? [one.const])
    : null;
}

/** A type in a few words. */
function words(given) {
  const { schema, nullable } = unwrap(given);
  const full = resolve(schema);
  const known = choices(schema);
  let text;
  if (known) text = known.map((one) => JSON.stringify(one)).join(" | ");
  else if (full.type === "array") text = `list of ${words(full.items ?? {})}${bounds(full, "minItems", "maxItems", " items")}`;
  else if (variants(full)) text = nameOf(schema) ?? "one of several";
  else if (full.type === "object" || full.properties) text = nameOf(schema) ?? "object";
  else {
    text = [full.type ?? "anything"].flat().join(" or ");
    if (full.format) text += ` (${full.format})`;
    text += bounds(full, "minimum", "maximum", "") + bounds(full, "minLength", "maxLength", " characters");
    if (full.pattern?.length <= PATTERN_MAX) text += ` like ${full.pattern}`;
    if (nameOf(schema)) text = `${nameOf(schema)}: ${text}`;
  }
  if (full.default !== undefined) text += `, ${JSON.stringify(full.default)} unless given`;
  return nullable ? `${text} or null` : text;
}

/** What can be opened below a type: its fields, its items' fields, its variants. */
function shape(given, above = []) {
  const { schema } = unwrap(given);
  const [name, full] = [nameOf(schema), resolve(schema)];
  if (choices(schema)) return [];
  if (full.type === "array") return shape(full.items ?? {}, above);
  const parts = [...(full.allOf ?? []), ...(variants(full) ?? [])];
  const extra = full.additionalProperties;
  const open = typeof extra === "object" && Object.keys(extra).length > 0;
  if (!full.properties && !parts.length && !open) return [];
  const label = (above.includes(name) ? "again " : "") + (name ?? "its parts");
  const below = name ? [...above, name] : above;
  return [lazily({ class: "shape" }, make("summary", {}, label), () => [
    fields(full, below),
    parts.map((part) => [make("div", { class: "type" }, variants(full) ? "or " : "with ", words(part)), shape(part, below)]),
    open && [make("div", { class: "type" }, "any name: ", words(extra)), shape(extra, below)],
  ].flat(3).filter(Boolean))];
}

function fields(full, above) {
  const entries = Object.entries(full.properties ?? {});
  if (!entries.length) return null;
  return make("ul", { class: "fields" }, entries.map(([name, schema]) =>
    field(name, schema, full.required?.includes(name), resolve(schema).description, above)));
}

function field(name, schema, required, description, above = []) {
  return make("li", {},
    make("span", { class: "name" }, name), " ",
    make("span", { class: "type" }, words(schema)), " ",
    required && make("span", { class: "must" }, "required"),
    description && make("div", { class: "told" }, description),
    shape(schema, above));
}

/** A value to begin with: what is required, and nothing else. */
function example(given, depth = 0) {
  const full = resolve(unwrap(given).schema);
  const known = choices(given);
  if (full.default !== undefined) return full.default;
  if (known) return known[0];
  if (depth > 5) return null;
  if (full.type === "array") return full.minItems ? [example(full.items ?? {}, depth + 1)] : [];
  const first = variants(full)?.[0];
  if (first) return example(first, depth + 1);
  if (full.properties) {
    const wanted = full.required ?? [];
    return Object.fromEntries(wanted.map((name) => [name, example(full.properties[name] ?? {}, depth + 1)]));
  }
  return { string: "", integer: full.minimum ?? 0, number: full.minimum ?? 0, boolean: false, object: {} }[full.type] ?? null;
}

// Operations

function describe(path, method, operation) {
  const parameters = operation.parameters ?? [];
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  return make("div", {},
    make("p", { class: "faint" }, operation.description ?? "Needs no key."),
    parameters.length > 0 && [
      make("h3", {}, "Parameters"),
      make("ul", { class: "fields" }, parameters.map((one) =>
        field(`${one.name} (${one.in})`, one.schema, one.required, one.description))),
    ],
    body && [make("h3", {}, "Body"), content(body)],
    make("h3", {}, "Answers"),
    make("ul", { class: "fields" }, Object.entries(operation.responses).map(([status, answer]) =>
      make("li", {},
        make("span", { class: "name" }, status === "default" ? "otherwise" : status), " ",
        answer.description,
        Object.entries(answer.content ?? {}).map(content)))),
    form(path, method, operation, parameters, body));
}

function content([type, { schema }]) {
  return make("div", {}, make("span", { class: "type" }, `${type}: ${words(schema ?? {})}`), shape(schema ?? {}));
}

function input(parameter) {
  const full = resolve(unwrap(parameter.schema).schema);
  const known = full.type === "boolean" ? [true, false] : choices(full.type === "array" ? full.items ?? {} : parameter.schema);
  const several = full.type === "array";
  const common = { name: parameter.name, required: parameter.required };
  const element = known
    ? make("select", { ...common, multiple: several, size: several ? Math.min(known.length, 5) : null },
        !several && make("option", { value: "" }, "–"),
        known.map((one) => make("option", { value: String(one) }, String(one))))
    : make("input", { ...common, autocomplete: "off", spellcheck: "false", placeholder: several ? "separated by commas" : "" });
  const read = () => {
    if (element.multiple) return [...element.selectedOptions].map((one) => one.value);
    const text = several ? element.value.split(",").map((one) => one.trim()) : [element.value];
    return text.filter((one) => one !== "");
  };
  return { parameter, read, label: make("label", {}, parameter.name, parameter.required && " (required)", element) };
}

function form(path, method, operation, parameters, body) {
  const inputs = parameters.map(input);
  const isJson = body?.[0] === "application/json";
  const text = body && make("textarea", { "aria-label": "Body", spellcheck: "false" });
  if (isJson) text.value = JSON.stringify(example(body[1].schema), null, 2);
  const stop = make("button", { type: "button", hidden: true }, "Stop");
  const answer = make("div", { class: "answer", "aria-live": "polite" });
  const send = async (event) => {
    event.preventDefault();
    const leaving = new AbortController();
    stop.onclick = () => leaving.abort();
    stop.hidden = false;
    try {
      await show(answer, request(path, method, inputs, body?.[0], text?.value), leaving.signal);
    } catch (error) {
      const left = leaving.signal.aborted;
      answer.append(make("p", { class: left ? "faint" : "bad" }, left ? "Stopped." : `It could not be sent: ${error.message}`));
    }
    stop.hidden = true;
  };
  return make("form", { class: "try", onsubmit: send },
    make("h3", {}, "Try it"),
    make("div", { class: "inputs" }, inputs.map((one) => one.label)),
    text && make("label", {}, "Body", text),
    make("div", { class: "buttons" }, make("button", { type: "submit" }, `Send ${method.toUpperCase()}`), stop),
    answer);
}

function request(path, method, inputs, type, body) {
  const [query, headers] = [new URLSearchParams(), new Headers()];
  for (const { parameter, read } of inputs) {
    const values = read();
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(values[0] ?? ""));
    else if (parameter.in === "header") values.forEach((one) => headers.set(parameter.name, one));
    else values.forEach((one) => query.append(parameter.name, one));
  }
  const key = byId("key").value.trim();
  if (key) headers.set("Authorization", `Bearer ${key}`);
  if (type) headers.set("Content-Type", type);
  const address = new URL(path.slice(1) + (query.size ? `?${query}` : ""), document.baseURI);
  return new Request(address, { method: method.toUpperCase(), headers, body: type ? body : undefined, cache: "no-store" });
}

/** Sends a request and shows the answer as it comes: some have no end of their own. */
async function show(place, asked, signal) {
  place.replaceChildren(make("p", { class: "faint" }, "Sent …"));
  const began = performance.now();
  const answer = await fetch(asked, { signal });
  const took = Math.round(performance.now() - began);
  const text = make("pre", { tabindex: "0", "aria-label": "Answer" });
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  place.replaceChildren(
    make("p", {}, make("span", { class: answer.ok ? "good" : "bad" }, `${answer.status} ${answer.statusText}`), ` after ${took} ms`),
    lazily({ class: "shape" }, make("summary", {}, "Headers"), () => make("pre", {}, headers)),
    text);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let whole = "";
  for (let piece; reader && !(piece = await reader.read()).done;) {
    whole += piece.value;
    if (whole.length > SHOWN_MAX) {
      text.textContent = `${whole.slice(0, SHOWN_MAX)}\n… more than is shown here`;
      return reader.cancel();
    }
    text.textContent = whole;
  }
  if (/json$/.test(answer.headers.get("Content-Type") ?? "")) {
    try { text.textContent = JSON.stringify(JSON.parse(whole), null, 2); } catch { /* It is shown as it came. */ }
  }
  if (!whole) text.textContent = "(empty)";
}

// The page

function lines() {
  const subjects = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => methods[one])) {
      const operation = methods[method];
      const tag = operation.tags?.[0] ?? "other";
      const summary = make("summary", {},
        make("span", { class: `method ${method}` }, method.toUpperCase()),
        make("span", { class: "path" }, path),
        make("span", { class: "says" }, operation.summary ?? ""));
      const line = lazily({ class: "operation", id: operation.operationId }, summary, () => describe(path, method, operation));
      line.dataset.words = `${tag} ${method} ${path} ${operation.operationId} ${operation.summary ?? ""}`.toLowerCase();
      subjects.set(tag, [...(subjects.get(tag) ?? []), line]);
    }
  }
  // What people come for stands before what only machines ask for.
  return [...subjects].sort(([one], [other]) => (one === "server") - (other === "server"));
}

function find() {
  const wanted = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const section of document.querySelectorAll("section")) {
    const own = [...section.querySelectorAll(".operation")].filter((line) => {
      line.hidden = !wanted.every((word) => line.dataset.words.includes(word));
      return !line.hidden;
    });
    section.hidden = own.length === 0;
    shown += own.length;
  }
  byId("state").textContent = wanted.length ? `${shown} operations fit` : "";
}

/** Opens the operation that the address names. */
function follow() {
  const named = byId(decodeURIComponent(location.hash.slice(1)));
  if (named?.classList.contains("operation")) {
    named.open = true;
    named.scrollIntoView();
  }
}

async function begin() {
  byId("state").textContent = "Reading the document …";
  const answer = await fetch("openapi.json");
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  api = await answer.json();
  byId("version").textContent = api.info.version;
  byId("about").textContent = api.info.description;
  for (const [tag, own] of lines()) {
    byId("subjects").append(make("li", {}, make("a", { href: `#about-${tag}` }, tag)));
    byId("operations").append(make("section", { "aria-labelledby": `about-${tag}` }, make("h2", { id: `about-${tag}` }, tag), own));
  }
  byId("state").textContent = "";
  byId("find").addEventListener("input", find);
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", follow);
  follow();
}

begin().catch((error) => {
  byId("state").textContent = `The document cannot be read: ${error.message}`;
});
