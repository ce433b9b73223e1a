import { Caller, keyed, matching } from "./caller.js";
import type { Call, ChangingCall, Rest, Seen, StoringCall } from "./caller.js";
import { PeriError } from "./errors.js";
import { operations } from "./operations.js";
import type * as types from "./types.js";

/** What is kept, how it hangs together and how near it is. */
export class Memories extends Caller {
  // Memories

  /**
   * Keeps a statement; an empty one gets its words from `data`. When this resolves, it is on the server's disk.
   */
  async remember(
    content: string,
    options: Rest<types.NewMemory, "content"> = {},
    call: StoringCall = {},
  ): Promise<types.Receipt> {
    const memory = content === "" ? options : { content, ...options };
    return this.call(operations.remember, { body: this.placed(memory), ...keyed(call) });
  }

  /** Keeps many statements, all of them or none. */
  async rememberAll(memories: Iterable<types.NewMemory>, call: StoringCall = {}): Promise<types.Receipt[]> {
    const body = { memories: Array.from(memories, (memory) => this.placed(memory)) };
    const answer = await this.call<types.Receipts>(operations.rememberAll, { body, ...keyed(call) });
    return answer.receipts;
  }

  /** Finds the memories that matter to a question. */
  async recall(query: string, options: Rest<types.Question, "query"> = {}, call: Call = {}): Promise<types.Recalled> {
    const scopes = this.namespace === undefined ? {} : { scopes: [this.namespace] };
    return this.call(operations.recall, { body: { ...scopes, query, ...options }, ...call });
  }

  /**
   * Why a memory is, or is not, among the results of a question, which is asked as `recall` asks it. Nothing counts as
   * used.
   */
  async explainRecall(
    query: string,
    id: string,
    options: Rest<types.WhyAsked, "query" | "id"> = {},
    call: Call = {},
  ): Promise<types.Why> {
    const scopes = this.namespace === undefined ? {} : { scopes: [this.namespace] };
    return this.call(operations.explainRecall, { body: { ...scopes, query, id, ...options }, ...call });
  }

  /** Reads one memory. With the etag of an earlier look nothing is sent if it has not changed. */
  async get(id: string, call: Call & { etag?: string } = {}): Promise<Seen> {
    const headers: Record<string, string> = call.etag === undefined ? {} : { "if-none-match": call.etag };
    const request = { parts: { id }, headers, signal: call.signal };
    const { response, text } = await this.transport.whole(operations.get, request);
    const memory = response.status === 304 ? null : (JSON.parse(text) as types.Memory);
    return { memory, etag: response.headers.get("etag") ?? call.etag ?? "" };
  }

  /** Changes a memory; what is left out stays. */
  async revise(id: string, changes: types.Changes, call: ChangingCall = {}): Promise<types.Revised> {
    return this.call(operations.revise, { parts: { id }, body: changes, ...matching(call) });
  }

  /** Moves a memory to the trash. */
  async forget(id: string, call: ChangingCall = {}): Promise<types.Memory> {
    return this.call(operations.forget, { parts: { id }, ...matching(call) });
  }

  /** Brings a memory back from the trash. */
  async restore(id: string, call: Call = {}): Promise<types.Memory> {
    return this.call(operations.restore, { parts: { id }, ...call });
  }

  /** Destroys a memory that lies in the trash. */
  async purge(id: string, call: Call = {}): Promise<types.Destroyed> {
    return this.call<types.Destroyed>(operations.purge, { parts: { id }, ...call });
  }

  /** Undoes a merge: a memory that was put aside stands for itself again. */
  async split(id: string, call: Call = {}): Promise<types.Memory> {
    return this.call(operations.split, { parts: { id }, ...call });
  }

  /** What a memory said before, what it replaced, and what was merged into it. */
  async history(id: string, call: Call = {}): Promise<types.History> {
    return this.call(operations.history, { parts: { id }, ...call });
  }

  /** The journal event and the turn that a memory came from, and what else came from there. */
  async traceMemory(id: string, call: Call = {}): Promise<types.Trace> {
    return this.call(operations.traceMemory, { parts: { id }, ...call });
  }

  /** All memories that fit, a page at a time; `limit` is the size of a page. */
  list(parameters: types.ListParameters = {}, call: Call = {}): AsyncGenerator<types.Memory> {
    return this.pages(operations.list, parameters, (page: types.MemoryPage) => page.memories, call);
  }

  // Layers

  /** Makes a memory of a longer-lived layer out of this one and others that say the same. */
  async promote(id: string, options: types.PromoteAsked = {}, call: Call = {}): Promise<types.Promoted> {
    return this.call(operations.promote, { parts: { id }, body: options, ...call });
  }

  /** Brings back what a memory was promoted from. */
  async undoPromotion(id: string, call: Call = {}): Promise<types.Memory[]> {
    const answer = await this.call<types.Undone>(operations.undoPromotion, { parts: { id }, ...call });
    return answer.sources;
  }

  /** Holds a value under a key for a while, in the place of what it held: a text, or any JSON but null. */
  async setWork(
    key: string,
    value: unknown,
    options: Rest<types.SetAsked, "value"> = {},
    call: Call = {},
  ): Promise<types.WorkReceipt> {
    const body = this.placed({ value, ...options });
    return this.call(operations.setWork, { parts: { work_key: key }, body, ...call });
  }

  /** What is held under a key, or null. */
  async getWork(key: string, place: types.GetWorkParameters = {}, call: Call = {}): Promise<types.WorkItem | null> {
    try {
      const request = { parts: { work_key: key }, query: this.placed(place), ...call };
      return await this.call<types.WorkItem>(operations.getWork, request);
    } catch (error) {
      if (error instanceof PeriError && error.status === 404) return null;
      throw error;
    }
  }

  /** What a session holds, the latest first, and which sessions hold something. */
  async work(place: types.ListWorkParameters = {}, call: Call = {}): Promise<types.Held> {
    return this.call(operations.listWork, { query: this.placed(place), ...call });
  }

  /** Destroys what is held under a key, and says whether that was something. */
  async clearWork(key: string, place: types.ClearWorkParameters = {}, call: Call = {}): Promise<number> {
    const request = { parts: { work_key: key }, query: this.placed(place), ...call };
    const answer = await this.call<types.Cleared>(operations.clearWork, request);
    return answer.cleared;
  }

  /** Destroys everything that a session holds, and says how much that was. */
  async clearAllWork(place: types.ClearAllWorkParameters = {}, call: Call = {}): Promise<number> {
    const answer = await this.call<types.Cleared>(operations.clearAllWork, { query: this.placed(place), ...call });
    return answer.cleared;
  }

  // The graph

  /** The edges of a memory, the heaviest first. */
  async edges(id: string, call: Call = {}): Promise<types.Edge[]> {
    const answer = await this.call<types.Edges>(operations.edges, { parts: { id }, ...call });
    return answer.edges;
  }

  /** Links two memories of one namespace, or replaces the edge of this type between them. */
  async link(edge: types.EdgeAsked, call: Call = {}): Promise<types.Linked> {
    return this.call(operations.link, { body: edge, ...call });
  }

  /** Takes the edges from one memory to another away, and says how many there were. */
  async unlink(edges: types.UnlinkParameters, call: Call = {}): Promise<number> {
    const answer = await this.call<types.Unlinked>(operations.unlink, { query: edges, ...call });
    return answer.unlinked;
  }

  /** What can be reached from a memory over edges, the nearest first. */
  async walk(
    start: string,
    parameters: Rest<types.WalkParameters, "from"> = {},
    call: Call = {},
  ): Promise<types.Walked> {
    return this.call(operations.walk, { query: this.placed({ from: start, ...parameters }), ...call });
  }

  /** The shortest way between two memories, or null. */
  async path(
    start: string,
    end: string,
    parameters: Rest<types.PathParameters, "from" | "to"> = {},
    call: Call = {},
  ): Promise<types.Path | null> {
    const query = this.placed({ from: start, to: end, ...parameters });
    const answer = await this.call<types.Connection>(operations.path, { query, ...call });
    return answer.path ?? null;
  }

  /** The memories of a namespace that the others lead to, the most central first. */
  async pagerank(parameters: types.PagerankParameters = {}, call: Call = {}): Promise<types.Ranks> {
    return this.call(operations.pagerank, { query: this.placed(parameters), ...call });
  }

  /** Groups of memories that are linked among each other more than with the rest. */
  async communities(parameters: types.CommunitiesParameters = {}, call: Call = {}): Promise<types.Groups> {
    return this.call(operations.communities, { query: this.placed(parameters), ...call });
  }

  /** The most central memories of a namespace with the edges between them, ranks and groups. */
  async graph(parameters: types.GraphParameters = {}, call: Call = {}): Promise<types.GraphPicture> {
    return this.call(operations.graph, { query: this.placed(parameters), ...call });
  }

  /** The graph of a namespace for other programs, as text. */
  async exportGraph(parameters: types.ExportGraphParameters = {}, call: Call = {}): Promise<string> {
    return this.transport.text(operations.exportGraph, { query: this.placed(parameters), ...call });
  }

  // Orbits: how near memories are, and why

  /** Where the memories of a namespace orbit now, the nearest first. */
  async orbit(parameters: types.OrbitParameters = {}, call: Call = {}): Promise<types.Orbits> {
    return this.call(operations.orbit, { query: this.placed(parameters), ...call });
  }

  /** How the memories of a namespace moved and, with `ahead_days`, how they will if nobody uses anything. */
  async orbitMoves(parameters: types.OrbitMovesParameters = {}, call: Call = {}): Promise<types.OrbitMoves> {
    return this.call(operations.orbitMoves, { query: this.placed(parameters), ...call });
  }

  /** Why a memory is where it is: its score with what that is made of, and how it moved. */
  async memoryOrbit(id: string, call: Call = {}): Promise<types.MemoryOrbit> {
    return this.call(operations.memoryOrbit, { parts: { id }, ...call });
  }
}
