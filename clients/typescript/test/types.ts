// Compiled and never run: what the compiler knows of requests and answers, and what it refuses.
import { Client, type types } from "perihelion-client";

export async function known(client: Client): Promise<types.Zone | undefined> {
  const { id, outcome } = await client.remember("text", { tags: ["a"], kind: "fact" });
  const stored: boolean = outcome === "stored";
  const { hits } = await client.recall("text", { limit: 3, scopes: ["team/*"] });
  const scores: number[] = hits.map((hit) => hit.score);
  const edge: types.EdgeAsked = { source: id, target: id, type: "related_to" };
  await client.link(edge);
  for await (const event of await client.events({ kind: ["stored"] })) {
    if (event.event === "stored" && stored && scores.length > 0) return event.zone;
  }
  return undefined;
}

export async function written(client: Client): Promise<types.Kept> {
  const { id, state } = await client.append("text", { kind: "alert", body: { any: [1] }, remember: true });
  for await (const entry of client.journal({ order: "oldest_first" })) {
    const direction: types.JournalDirection | null | undefined = entry.direction;
    if (entry.id === id && direction === "inbound") return state;
  }
  const { turn } = await client.beginTurn({ input: id });
  return (await client.updateTurn(turn.id, { status: "ok", output_text: "text" })).state;
}

export async function learned(client: Client): Promise<types.WorkerKind[]> {
  const { id, outcome } = await client.recordTrajectory({ task: "text", outcome: "partial", steps: [{ input: "x" }] });
  const { pattern } = await client.storePattern("text", { quality: 0.5 });
  const kept: boolean = outcome === "stored" && pattern.sources?.includes(id) === true;
  const { confidence } = await client.route("text");
  const { results } = await client.dispatchWorkers("audit", { timeoutMs: 1000 });
  return kept && confidence > 0.5 ? results.map((run) => run.worker) : [];
}

export async function looked(client: Client): Promise<types.WhyReason | undefined> {
  const { hits } = await client.recall("text", { quiet: true });
  const { bodies } = await client.orbit({ limit: 1 });
  const { nodes, edges } = await client.graph();
  const linked: (string | undefined)[] = edges.map((edge) => nodes[edge.source]?.id);
  const id = hits[0]?.memory.id ?? bodies[0]?.id ?? linked[0];
  return id === undefined ? undefined : (await client.explainRecall("text", id, { limit: 3 })).reason;
}

export async function refused(client: Client): Promise<void> {
  // @ts-expect-error: there is no such field
  await client.remember("text", { tagz: ["a"] });
  // @ts-expect-error: a number
  await client.recall("text", { limit: "3" });
  // @ts-expect-error: no such kind
  client.list({ kind: ["nonsense"] });
  // @ts-expect-error: a role is needed
  await client.createKey({ name: "k" });
  // @ts-expect-error: no such status
  await client.append("text", { status: "fine" });
  // @ts-expect-error: an object
  await client.beginTurn("text");
  // @ts-expect-error: no such outcome
  await client.recordTrajectory({ task: "text", outcome: "fine" });
  // @ts-expect-error: no such worker
  await client.dispatchWorkers("janitor");
  // @ts-expect-error: a truth
  await client.recall("text", { quiet: "yes" });
  // @ts-expect-error: which memory
  await client.explainRecall("text", { limit: 3 });
  // @ts-expect-error: by its fields
  await client.revise("id", "text");
}
