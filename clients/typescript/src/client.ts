import { PeriError } from "./errors.js";
import { follow } from "./events.js";
import type { Operation } from "./operation.js";
import { operations } from "./operations.js";
import { RETRIES, Transport, type Request, type Retries } from "./transport.js";
import type * as types from "./types.js";

/** How a client is set up. */
export interface ClientOptions {
  /** Sent as a bearer token. */
  key?: string;
  /** Where the client works unless a call says otherwise. */
  namespace?: string;
  /** How long an answer may take. */
  timeoutMs?: number;
  /** How often and how patiently requests are sent again. */
  retries?: Partial<Retries>;
  /** Another way to reach the server than the global `fetch`. */
  fetch?: typeof fetch;
}

/** What can be said about any call. */
export interface Call {
  /** Ends the call early. */
  signal?: AbortSignal;
}

/** What can be said about a call that changes a memory. */
export interface ChangingCall extends Call {
  /** Only if the memory still is in the state that this etag names. */
  ifMatch?: string;
}

/** What can be said about a call that stores. */
export interface StoringCall extends Call {
  /** A name for this request that outlives the client: sent again, it is answered as the first time. */
  idempotencyKey?: string;
}

/** What can be said about a call that waits for workers. */
export interface RunningCall extends Call {
  /** How long they may take; ten minutes if left out. */
  timeoutMs?: number;
}

/** A memory as it was read. */
export interface Seen {
  /** Null when it still is as the etag that was given says. */
  memory: types.Memory | null;
  /** Names this state: `revise` and `forget` can insist on it. */
  etag: string;
}

/** The fields of a request that are not given by position. */
type Rest<T, Given extends keyof T> = Omit<T, Given>;

// A stream is silent for as long as nothing happens; the server shows more often than this that it is there.
const SILENCE_MS = 60_000;
// A worker takes its time.
const RUN_MS = 600_000;

/**
 * A client of one server. Reads, and writes that the server does only once however often they are sent, are tried
 * again when no answer comes or the server asks to come back later.
 */
export class Client {
  readonly #transport: Transport;
  readonly #namespace: string | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.#namespace = options.namespace;
    this.#transport = new Transport({
      url,
      key: options.key,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: { ...RETRIES, ...options.retries },
      // Browsers insist that fetch is called as a function of the window.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    });
  }

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
    return this.#call(operations.remember, { body: this.#placed(memory), ...keyed(call) });
  }

  /** Keeps many statements, all of them or none. */
  async rememberAll(memories: Iterable<types.NewMemory>, call: StoringCall = {}): Promise<types.Receipt[]> {
    const body = { memories: Array.from(memories, (memory) => this.#placed(memory)) };
    const answer = await this.#call<types.Receipts>(operations.rememberAll, { body, ...keyed(call) });
    return answer.receipts;
  }

  /** Finds the memories that matter to a question. */
  async recall(query: string, options: Rest<types.Question, "query"> = {}, call: Call = {}): Promise<types.Recalled> {
    const scopes = this.#namespace === undefined ? {} : { scopes: [this.#namespace] };
    return this.#call(operations.recall, { body: { ...scopes, query, ...options }, ...call });
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
    const scopes = this.#namespace === undefined ? {} : { scopes: [this.#namespace] };
    return this.#call(operations.explainRecall, { body: { ...scopes, query, id, ...options }, ...call });
  }

  /** Reads one memory. With the etag of an earlier look nothing is sent if it has not changed. */
  async get(id: string, call: Call & { etag?: string } = {}): Promise<Seen> {
    const headers: Record<string, string> = call.etag === undefined ? {} : { "if-none-match": call.etag };
    const request = { parts: { id }, headers, signal: call.signal };
    const { response, text } = await this.#transport.whole(operations.get, request);
    const memory = response.status === 304 ? null : (JSON.parse(text) as types.Memory);
    return { memory, etag: response.headers.get("etag") ?? call.etag ?? "" };
  }

  /** Changes a memory; what is left out stays. */
  async revise(id: string, changes: types.Changes, call: ChangingCall = {}): Promise<types.Revised> {
    return this.#call(operations.revise, { parts: { id }, body: changes, ...matching(call) });
  }

  /** Moves a memory to the trash. */
  async forget(id: string, call: ChangingCall = {}): Promise<types.Memory> {
    return this.#call(operations.forget, { parts: { id }, ...matching(call) });
  }

  /** Brings a memory back from the trash. */
  async restore(id: string, call: Call = {}): Promise<types.Memory> {
    return this.#call(operations.restore, { parts: { id }, ...call });
  }

  /** Destroys a memory that lies in the trash. */
  async purge(id: string, call: Call = {}): Promise<void> {
    await this.#call(operations.purge, { parts: { id }, ...call });
  }

  /** Undoes a merge: a memory that was put aside stands for itself again. */
  async split(id: string, call: Call = {}): Promise<types.Memory> {
    return this.#call(operations.split, { parts: { id }, ...call });
  }

  /** What a memory said before, what it replaced, and what was merged into it. */
  async history(id: string, call: Call = {}): Promise<types.History> {
    return this.#call(operations.history, { parts: { id }, ...call });
  }

  /** The journal event and the turn that a memory came from, and what else came from there. */
  async traceMemory(id: string, call: Call = {}): Promise<types.Trace> {
    return this.#call(operations.traceMemory, { parts: { id }, ...call });
  }

  /** All memories that fit, a page at a time; `limit` is the size of a page. */
  list(parameters: types.ListParameters = {}, call: Call = {}): AsyncGenerator<types.Memory> {
    return this.#pages(operations.list, parameters, (page: types.MemoryPage) => page.memories, call);
  }

  // Layers

  /** Makes a memory of a longer-lived layer out of this one and others that say the same. */
  async promote(id: string, options: types.PromoteAsked = {}, call: Call = {}): Promise<types.Promoted> {
    return this.#call(operations.promote, { parts: { id }, body: options, ...call });
  }

  /** Brings back what a memory was promoted from. */
  async undoPromotion(id: string, call: Call = {}): Promise<types.Memory[]> {
    const answer = await this.#call<types.Undone>(operations.undoPromotion, { parts: { id }, ...call });
    return answer.sources;
  }

  /** Holds a value under a key for a while, in the place of what it held: a text, or any JSON but null. */
  async setWork(
    key: string,
    value: unknown,
    options: Rest<types.SetAsked, "value"> = {},
    call: Call = {},
  ): Promise<types.WorkReceipt> {
    const body = this.#placed({ value, ...options });
    return this.#call(operations.setWork, { parts: { work_key: key }, body, ...call });
  }

  /** What is held under a key, or null. */
  async getWork(key: string, place: types.GetWorkParameters = {}, call: Call = {}): Promise<types.WorkItem | null> {
    try {
      const request = { parts: { work_key: key }, query: this.#placed(place), ...call };
      return await this.#call<types.WorkItem>(operations.getWork, request);
    } catch (error) {
      if (error instanceof PeriError && error.status === 404) return null;
      throw error;
    }
  }

  /** What a session holds, the latest first, and which sessions hold something. */
  async work(place: types.ListWorkParameters = {}, call: Call = {}): Promise<types.Held> {
    return this.#call(operations.listWork, { query: this.#placed(place), ...call });
  }

  /** Destroys what is held under a key, and says whether that was something. */
  async clearWork(key: string, place: types.ClearWorkParameters = {}, call: Call = {}): Promise<number> {
    const request = { parts: { work_key: key }, query: this.#placed(place), ...call };
    const answer = await this.#call<types.Cleared>(operations.clearWork, request);
    return answer.cleared;
  }

  /** Destroys everything that a session holds, and says how much that was. */
  async clearAllWork(place: types.ClearAllWorkParameters = {}, call: Call = {}): Promise<number> {
    const answer = await this.#call<types.Cleared>(operations.clearAllWork, { query: this.#placed(place), ...call });
    return answer.cleared;
  }

  // The graph

  /** The edges of a memory, the heaviest first. */
  async edges(id: string, call: Call = {}): Promise<types.Edge[]> {
    const answer = await this.#call<types.Edges>(operations.edges, { parts: { id }, ...call });
    return answer.edges;
  }

  /** Links two memories of one namespace, or replaces the edge of this type between them. */
  async link(edge: types.EdgeAsked, call: Call = {}): Promise<types.Linked> {
    return this.#call(operations.link, { body: edge, ...call });
  }

  /** Takes the edges from one memory to another away, and says how many there were. */
  async unlink(edges: types.UnlinkParameters, call: Call = {}): Promise<number> {
    const answer = await this.#call<types.Unlinked>(operations.unlink, { query: edges, ...call });
    return answer.unlinked;
  }

  /** What can be reached from a memory over edges, the nearest first. */
  async walk(
    start: string,
    parameters: Rest<types.WalkParameters, "from"> = {},
    call: Call = {},
  ): Promise<types.Walked> {
    return this.#call(operations.walk, { query: this.#placed({ from: start, ...parameters }), ...call });
  }

  /** The shortest way between two memories, or null. */
  async path(
    start: string,
    end: string,
    parameters: Rest<types.PathParameters, "from" | "to"> = {},
    call: Call = {},
  ): Promise<types.Path | null> {
    const query = this.#placed({ from: start, to: end, ...parameters });
    const answer = await this.#call<types.Connection>(operations.path, { query, ...call });
    return answer.path ?? null;
  }

  /** The memories of a namespace that the others lead to, the most central first. */
  async pagerank(parameters: types.PagerankParameters = {}, call: Call = {}): Promise<types.Ranks> {
    return this.#call(operations.pagerank, { query: this.#placed(parameters), ...call });
  }

  /** Groups of memories that are linked among each other more than with the rest. */
  async communities(parameters: types.CommunitiesParameters = {}, call: Call = {}): Promise<types.Groups> {
    return this.#call(operations.communities, { query: this.#placed(parameters), ...call });
  }

  /** The most central memories of a namespace with the edges between them, ranks and groups. */
  async graph(parameters: types.GraphParameters = {}, call: Call = {}): Promise<types.GraphPicture> {
    return this.#call(operations.graph, { query: this.#placed(parameters), ...call });
  }

  /** The graph of a namespace for other programs, as text. */
  async exportGraph(parameters: types.ExportGraphParameters = {}, call: Call = {}): Promise<string> {
    return this.#transport.text(operations.exportGraph, { query: this.#placed(parameters), ...call });
  }

  // Orbits: how near memories are, and why

  /** Where the memories of a namespace orbit now, the nearest first. */
  async orbit(parameters: types.OrbitParameters = {}, call: Call = {}): Promise<types.Orbits> {
    return this.#call(operations.orbit, { query: this.#placed(parameters), ...call });
  }

  /** How the memories of a namespace moved and, with `ahead_days`, how they will if nobody uses anything. */
  async orbitMoves(parameters: types.OrbitMovesParameters = {}, call: Call = {}): Promise<types.OrbitMoves> {
    return this.#call(operations.orbitMoves, { query: this.#placed(parameters), ...call });
  }

  /** Why a memory is where it is: its score with what that is made of, and how it moved. */
  async memoryOrbit(id: string, call: Call = {}): Promise<types.MemoryOrbit> {
    return this.#call(operations.memoryOrbit, { parts: { id }, ...call });
  }

  // Sessions

  /** Begins a session, or opens it again. */
  async startSession(session: string, place: Place = {}, call: Call = {}): Promise<types.Session> {
    return this.#call(operations.startSession, { body: this.#placed({ session, ...place }), ...call });
  }

  /** The sessions that were begun, the latest first. */
  async sessions(parameters: types.ListSessionsParameters = {}, call: Call = {}): Promise<types.Session[]> {
    const query = this.#scoped(parameters);
    const answer = await this.#call<types.Sessions>(operations.listSessions, { query, ...call });
    return answer.sessions;
  }

  /** One session and its summary. */
  async session(session: string, place: Place = {}, call: Call = {}): Promise<types.Conversation> {
    return this.#call(operations.getSession, { parts: { session }, query: this.#placed(place), ...call });
  }

  /** Ends a session and sums up what was remembered in it. */
  async endSession(session: string, place: Place = {}, call: Call = {}): Promise<types.Conversation> {
    return this.#call(operations.endSession, { parts: { session }, query: this.#placed(place), ...call });
  }

  // Notes: what is said in sessions, what was noted of it, and what agents are given

  /** Keeps what was said in a session; notes are made of it when that is due. `outcome` says if it waits. */
  async hear(
    session: string,
    messages: Iterable<types.MessageAsked>,
    options: Rest<types.HearAsked, "messages"> = {},
    call: StoringCall = {},
  ): Promise<types.HeardReceipt> {
    const body = this.#placed({ messages: [...messages], ...options });
    return this.#call(operations.hear, { parts: { session }, body, ...keyed(call) });
  }

  /** Makes notes of what waits in a session at once, and tells what was done. */
  async observe(
    session: string,
    parameters: types.ObserveSessionParameters = {},
    call: Call = {},
  ): Promise<unknown[]> {
    const query = this.#placed(parameters);
    const answer = await this.#call<types.Observed>(operations.observeSession, {
      parts: { session },
      query,
      ...call,
    });
    return answer.steps;
  }

  /** Makes notes of whatever is due in all sessions of a namespace, and tells what was done. */
  async observeDue(place: Place = {}, call: Call = {}): Promise<unknown[]> {
    const query = this.#placed(place);
    const answer = await this.#call<types.Observed>(operations.observeDue, { query, ...call });
    return answer.steps;
  }

  /** The notes of a session; null if none were made yet. */
  async sessionNotes(session: string, place: Place = {}, call: Call = {}): Promise<types.NotesView | null> {
    try {
      const request = { parts: { session }, query: this.#placed(place), ...call };
      return await this.#call<types.NotesView>(operations.sessionNotes, request);
    } catch (error) {
      if (error instanceof PeriError && error.status === 404) return null;
      throw error;
    }
  }

  /** The notes of a namespace that last beyond sessions. */
  async durableNotes(place: Place = {}, call: Call = {}): Promise<types.NotesView> {
    return this.#call(operations.durableNotes, { query: this.#placed(place), ...call });
  }

  /** The sessions that have notes or wait for them, the one observed last first. */
  async noteSessions(
    parameters: types.ListNoteSessionsParameters = {},
    call: Call = {},
  ): Promise<types.SessionOverview[]> {
    const query = this.#placed(parameters);
    const answer = await this.#call<types.NoteSessions>(operations.listNoteSessions, { query, ...call });
    return answer.sessions;
  }

  /** What was said in a session, in order, each with what was noted of it. */
  async replay(
    session: string,
    parameters: types.ReplaySessionParameters = {},
    call: Call = {},
  ): Promise<types.Spoken[]> {
    const query = this.#placed(parameters);
    const answer = await this.#call<types.Replay>(operations.replaySession, {
      parts: { session },
      query,
      ...call,
    });
    return answer.spoken;
  }

  /** What memory handed to the agent in a session, the earliest first, as far as it is remembered. */
  async givenToSession(
    session: string,
    parameters: types.GivenToSessionParameters = {},
    call: Call = {},
  ): Promise<types.GivenToSession> {
    return this.#call(operations.givenToSession, { parts: { session }, query: this.#placed(parameters), ...call });
  }

  /** Destroys the notes of a session and what waits to become some. Memories made of them stay. */
  async forgetNotes(session: string, place: Place = {}, call: Call = {}): Promise<types.Forgotten> {
    return this.#call(operations.forgetNotes, { parts: { session }, query: this.#placed(place), ...call });
  }

  /** What an agent would be given. Looking takes nothing away. */
  async lookAtContext(
    parameters: types.LookAtContextParameters = {},
    call: Call = {},
  ): Promise<types.GivenContext> {
    return this.#call(operations.lookAtContext, { query: this.#placed(parameters), ...call });
  }

  /** What an agent is given. With `deliver: "once"` it is lent: confirm its `loan` when the agent has it. */
  async context(options: types.GiveAsked = {}, call: Call = {}): Promise<types.GivenContext> {
    return this.#call(operations.context, { body: this.#placed(options), ...call });
  }

  /** The agent has what was lent: it counts as given. Status 409: it was taken back meanwhile. */
  async confirmContext(
    session: string,
    loan: string,
    options: Rest<types.ConfirmAsked, "session" | "loan"> = {},
    call: Call = {},
  ): Promise<types.Confirmed> {
    const body = this.#placed({ session, loan, ...options });
    return this.#call(operations.confirmContext, { body, ...call });
  }

  /** The agent did not get what was lent: it is given to whoever asks next. */
  async returnContext(session: string, loan: string, place: Place = {}, call: Call = {}): Promise<void> {
    const body = this.#placed({ session, loan, ...place });
    await this.#call(operations.returnContext, { body, ...call });
  }

  // The journal: what happened, as it came, and the turns it happened in

  /** Writes down what happened. A store that cannot be reached is no error: `state` says what became of it. */
  async append(
    text: string,
    options: Rest<types.EntryAsked, "text"> = {},
    call: StoringCall = {},
  ): Promise<types.Appended> {
    const [appended] = await this.appendAll([text === "" ? options : { text, ...options }], call);
    return appended as types.Appended;
  }

  /** Writes down several things together, and says what became of each. If one is malformed, none is taken. */
  async appendAll(entries: Iterable<types.EntryAsked>, call: StoringCall = {}): Promise<types.Appended[]> {
    const body = { entries: Array.from(entries, (entry) => this.#placed(entry)) };
    const answer = await this.#call<types.AppendedEntries>(operations.appendJournal, { body, ...keyed(call) });
    return answer.entries;
  }

  /** All journal events that fit, a page at a time; `limit` is the size of a page. */
  journal(parameters: types.ListJournalParameters = {}, call: Call = {}): AsyncGenerator<types.JournalEntry> {
    return this.#pages(operations.listJournal, parameters, (page: types.EntryPage) => page.entries, call);
  }

  /** The latest journal events, those that wait for the store too. `missing` says why some may be. */
  async recent(parameters: types.RecentJournalParameters = {}, call: Call = {}): Promise<types.RecentEntries> {
    return this.#call(operations.recentJournal, { query: this.#scoped(parameters), ...call });
  }

  /** One journal event. */
  async journalEntry(id: string, call: Call = {}): Promise<types.JournalEntry> {
    return this.#call(operations.getJournal, { parts: { entry: id }, ...call });
  }

  /** What the journal holds, in numbers. */
  async journalStats(parameters: types.JournalStatsParameters = {}, call: Call = {}): Promise<types.JournalSummary> {
    return this.#call(operations.journalStats, { query: this.#scoped(parameters), ...call });
  }

  /** Begins a turn: one call of an agent. As with `append`, `state` says what became of it. */
  async beginTurn(turn: types.TurnAsked = {}, call: StoringCall = {}): Promise<types.TurnReceipt> {
    return this.#call(operations.beginTurn, { body: this.#placed(turn), ...keyed(call) });
  }

  /** Tells more of a turn; what is left out stays, and a `status` finishes it. */
  async updateTurn(id: string, changes: types.TurnChanges, call: StoringCall = {}): Promise<types.TurnReceipt> {
    return this.#call(operations.updateTurn, { parts: { turn: id }, body: changes, ...keyed(call) });
  }

  /** All turns that fit, a page at a time; `limit` is the size of a page. */
  turns(parameters: types.ListTurnsParameters = {}, call: Call = {}): AsyncGenerator<types.Turn> {
    return this.#pages(operations.listTurns, parameters, (page: types.TurnsPage) => page.turns, call);
  }

  /** One turn with its journal events. */
  async turn(id: string, call: Call = {}): Promise<types.TurnWithEntries> {
    return this.#call(operations.getTurn, { parts: { turn: id }, ...call });
  }

  // Namespaces

  /** The namespaces that hold anything; not only the client's own. */
  async namespaces(parameters: types.ListNamespacesParameters = {}, call: Call = {}): Promise<string[]> {
    const answer = await this.#call<types.Namespaces>(operations.listNamespaces, { query: parameters, ...call });
    return answer.namespaces;
  }

  /** Moves everything of a namespace to another one. */
  async moveNamespace(move: types.MoveAsked, call: Call = {}): Promise<types.MovedNamespace> {
    return this.#call(operations.moveNamespace, { body: move, ...call });
  }

  /** Moves all memories of a namespace to the trash, or destroys them. */
  async deleteNamespace(deletion: types.DeleteNamespaceParameters, call: Call = {}): Promise<types.Deleted> {
    return this.#call(operations.deleteNamespace, { query: deletion, ...call });
  }

  // Feedback and weights

  /** Says which results of a recall were of use, by their ids in `used` and `unused`. */
  async feedback(
    query: string,
    options: Rest<types.FeedbackAsked, "query">,
    call: Call = {},
  ): Promise<types.FeedbackReceipt> {
    return this.#call(operations.feedback, { body: this.#placed({ query, ...options }), ...call });
  }

  /** What nearness is made of in a namespace, and what feedback made of it. */
  async weights(place: Place = {}, call: Call = {}): Promise<types.WeightSets> {
    return this.#call(operations.weights, { query: this.#placed(place), ...call });
  }

  /** Takes an earlier set of weights again. */
  async rollbackWeights(number: number, place: Place = {}, call: Call = {}): Promise<types.LearnedWeights> {
    return this.#call(operations.rollbackWeights, { body: this.#placed({ number, ...place }), ...call });
  }

  // Learning: what was done, what worked, who should take a task, and what was learned as a whole

  /** Records the steps of a task and how it ended. `outcome` of the receipt says if it waits for the store. */
  async recordTrajectory(trajectory: types.TrajectoryAsked, call: StoringCall = {}): Promise<types.TrajectoryReceipt> {
    return this.#call(operations.recordTrajectory, { body: this.#placed(trajectory), ...keyed(call) });
  }

  /** All recorded tasks that fit, a page at a time; `limit` is the size of a page. */
  trajectories(
    parameters: types.ListTrajectoriesParameters = {},
    call: Call = {},
  ): AsyncGenerator<types.Trajectory> {
    const items = (page: types.TrajectoryList) => page.trajectories;
    return this.#pages(operations.listTrajectories, parameters, items, call);
  }

  /** One recorded task with its steps. */
  async trajectory(id: string, call: Call = {}): Promise<types.Trajectory> {
    return this.#call(operations.getTrajectory, { parts: { trajectory: id }, ...call });
  }

  /** Strategies that worked for such a task, in `q`, and who should take it; all of them without a task. */
  async findPatterns(parameters: types.FindPatternsParameters = {}, call: Call = {}): Promise<types.FoundPatterns> {
    return this.#call(operations.findPatterns, { query: this.#placed(parameters), ...call });
  }

  /** Keeps a strategy that is known to work, or joins it into the one that says the same. */
  async storePattern(
    strategy: string,
    options: Rest<types.PatternAsked, "strategy"> = {},
    call: StoringCall = {},
  ): Promise<types.PatternReceipt> {
    return this.#call(operations.storePattern, { body: this.#placed({ strategy, ...options }), ...keyed(call) });
  }

  /** Patterns, the best first; with `retired` those that were put aside. */
  async patterns(parameters: types.ListPatternsParameters = {}, call: Call = {}): Promise<types.Pattern[]> {
    const request = { query: this.#scoped(parameters), ...call };
    return (await this.#call<types.Patterns>(operations.listPatterns, request)).patterns;
  }

  /** One pattern, put aside or not. */
  async pattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.#call(operations.getPattern, { parts: { pattern: id }, ...call });
  }

  /** Keeps a pattern for good. */
  async promotePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.#call(operations.promotePattern, { parts: { pattern: id }, ...call });
  }

  /** Puts a pattern aside; it is not offered any more. */
  async retirePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.#call(operations.retirePattern, { parts: { pattern: id }, ...call });
  }

  /** Offers a pattern again that was put aside. */
  async restorePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.#call(operations.restorePattern, { parts: { pattern: id }, ...call });
  }

  /** Who should take a task, how sure that is, and why. */
  async route(task: string, place: Place = {}, call: Call = {}): Promise<types.Routed> {
    return this.#call(operations.routeTask, { body: this.#placed({ task, ...place }), ...call });
  }

  /** What has been learned, in numbers, and who is at work on it. */
  async learningStats(parameters: types.LearningStatsParameters = {}, call: Call = {}): Promise<types.LearningNumbers> {
    return this.#call(operations.learningStats, { query: this.#scoped(parameters), ...call });
  }

  /** Draws patterns from what was recorded since the last time; the workers do the same. */
  async distil(where: types.DistilAsked = {}, call: Call = {}): Promise<types.Distilling[]> {
    const request = { body: this.#scoped(where), ...call };
    return (await this.#call<types.Distilled>(operations.distil, request)).namespaces;
  }

  /** Trains the router and the adapter of a namespace; the workers do the same. */
  async train(place: Place = {}, call: Call = {}): Promise<types.Trained> {
    return this.#call(operations.train, { body: this.#placed(place), ...call });
  }

  /** What a router or an adapter was, the latest first: that holds. */
  async learnedSets(name: types.LearnedName, place: Place = {}, call: Call = {}): Promise<types.LearnedInfo[]> {
    const request = { query: this.#placed({ name, ...place }), ...call };
    return (await this.#call<types.LearnedSets>(operations.learnedSets, request)).sets;
  }

  /** Goes back to what was learned before, by the number of the set; 0 is nothing learned. */
  async rollbackLearned(
    name: types.LearnedName,
    set: number,
    place: Place = {},
    call: Call = {},
  ): Promise<types.LearnedInfo> {
    return this.#call(operations.rollbackLearned, { body: this.#placed({ name, set, ...place }), ...call });
  }

  // Workers, which look after the whole store

  /** How the workers are, when each is due, and what they found. */
  async workers(call: Call = {}): Promise<types.WorkersStatus> {
    return this.#call(operations.workersStatus, call);
  }

  /** Runs a worker now, or all of them by priority, and waits for what comes of it. */
  async dispatchWorkers(worker?: types.WorkerKind, call: RunningCall = {}): Promise<types.Dispatched> {
    const { timeoutMs, ...rest } = call;
    const request = { query: { worker }, ...rest };
    const lines = await this.#transport.lines(operations.dispatchWorkers, request, timeoutMs ?? RUN_MS);
    let text = "";
    for await (const line of lines) text += `${line}\n`;
    return JSON.parse(text);
  }

  /** What workers did, the latest first. */
  async workerRuns(parameters: types.WorkerRunsParameters = {}, call: Call = {}): Promise<types.WorkerRun[]> {
    return (await this.#call<types.WorkerRuns>(operations.workerRuns, { query: parameters, ...call })).runs;
  }

  /** What workers found, the latest first. */
  async workerAlerts(parameters: types.WorkerAlertsParameters = {}, call: Call = {}): Promise<types.AlertRecord[]> {
    return (await this.#call<types.WorkerAlerts>(operations.workerAlerts, { query: parameters, ...call })).alerts;
  }

  /** Asks a worker to stop, in whichever process it is at work, and says whether it was. */
  async cancelWorker(worker: types.WorkerKind, call: Call = {}): Promise<boolean> {
    return (await this.#call<types.Cancelled>(operations.cancelWorker, { parts: { worker }, ...call })).asked;
  }

  // Keys, which an admin handles

  /** The keys within the own key's namespaces, the revoked ones too. */
  async keys(call: Call = {}): Promise<types.ApiKey[]> {
    const answer = await this.#call<types.Keys>(operations.listKeys, call);
    return answer.keys;
  }

  /** Creates a key. Its secret is told this once. It is for the client's namespace unless `scope` says. */
  async createKey(key: types.KeyAsked, call: Call = {}): Promise<types.CreatedKey> {
    return this.#call(operations.createKey, { body: this.#scoped(key), ...call });
  }

  /** Revokes a key, by its id: whoever shows it is let in no more. */
  async revokeKey(key: string, call: Call = {}): Promise<types.ApiKey> {
    return this.#call(operations.revokeKey, { parts: { key }, ...call });
  }

  // Chores, which a server does by itself from time to time

  /** Brings the zones to where they belong by now. */
  async reorbit(where: types.ReorbitAsked = {}, call: Call = {}): Promise<types.Reorbited> {
    return this.#call(operations.reorbit, { body: this.#scoped(where), ...call });
  }

  /** Does all chores now. */
  async maintain(call: Call = {}): Promise<types.Maintained> {
    return this.#call(operations.maintain, call);
  }

  /** Ends what has reached the end of its time in its layer; what matters is promoted. */
  async sweep(call: Call = {}): Promise<types.Swept> {
    return this.#call(operations.sweep, call);
  }

  /** Writes the latest episodes to a file, or gives null if none has changed since the last one. */
  async takeSnapshot(call: Call = {}): Promise<types.SnapshotInfo | null> {
    const answer = await this.#call<types.SnapshotTaken>(operations.takeSnapshot, call);
    return answer.snapshot ?? null;
  }

  /** The snapshots of the latest episodes, the latest first. */
  async snapshots(call: Call = {}): Promise<types.SnapshotInfo[]> {
    const answer = await this.#call<types.SnapshotList>(operations.listSnapshots, call);
    return answer.snapshots;
  }

  /** Makes a backup now and verifies it, while others go on. Status 409: one is being made already. */
  async createBackup(call: Call = {}): Promise<types.BackupMade> {
    return this.#call(operations.createBackup, call);
  }

  /** The backups there are, the latest first, and when the next one is due. */
  async backups(call: Call = {}): Promise<types.BackupList> {
    return this.#call(operations.listBackups, call);
  }

  /** Destroys what lies in the trash, and says how much that was; there is no way back. */
  async purgeTrash(what: types.PurgeAsked = {}, call: Call = {}): Promise<number> {
    const answer = await this.#call<types.Purged>(operations.purgeTrash, { body: this.#scoped(what), ...call });
    return answer.purged;
  }

  // The queue, which an admin of everything looks after

  /** What waits on the server's machine because its store could not take it, and what was given up. */
  async queue(parameters: types.QueueParameters = {}, call: Call = {}): Promise<types.Queue> {
    return this.#call(operations.queue, { query: parameters, ...call });
  }

  /** Tries what waits now, and what was given up once more: all of it, or only the one of an id. */
  async replayQueue(what: types.ReplayAsked = {}, call: Call = {}): Promise<types.Replayed> {
    return this.#call(operations.replayQueue, { body: what, ...call });
  }

  /** Drops what waits or was given up under an id; it is not made then. */
  async dropQueued(id: string, call: Call = {}): Promise<void> {
    await this.#call(operations.dropQueued, { parts: { id }, ...call });
  }

  // What happened

  /** A page of the audit log: the latest events, or with `after` the first ones that follow a number. */
  async eventLog(parameters: types.EventsParameters = {}, call: Call = {}): Promise<types.EventPage> {
    return this.#call(operations.events, { query: this.#scoped(parameters), ...call });
  }

  /**
   * Events as they happen, from after a number or from now on, until the loop is left. Broken connections are opened
   * again where they ended, so that nothing is missed or told twice.
   */
  async events(parameters: types.FollowEventsParameters = {}, call: Call = {}): Promise<AsyncGenerator<types.Event>> {
    const { after, ...rest } = this.#scoped(parameters);
    // Asked once, so that what happens before the first event comes is not lost with a broken connection.
    const begin = after ?? (await this.eventLog({ scope: rest.scope, limit: 1 }, call)).next_after;
    const connect = (last: string) => {
      const headers = { "last-event-id": last, accept: "text/event-stream" };
      return this.#transport.lines(operations.followEvents, { query: rest, headers, ...call }, SILENCE_MS);
    };
    return follow<types.Event>(this.#transport, connect, String(begin), call.signal);
  }

  // Everything out and in again

  /** Everything that fits, one JSON object a line, while it comes. One that breaks off throws. */
  async *export(parameters: types.ExportParameters = {}, call: Call = {}): AsyncGenerator<string> {
    yield* await this.#transport.lines(operations.export, { query: this.#scoped(parameters), ...call });
  }

  /** Takes in what an export gave. Browsers send it at once, other places line by line. */
  async import(
    lines: Iterable<string> | AsyncIterable<string>,
    parameters: types.ImportParameters = {},
    call: Call = {},
  ): Promise<types.Imported> {
    const request = { query: this.#scoped(parameters), pieces: pieces(lines), ...call };
    return this.#call(operations.import, request);
  }

  /**
   * Takes over records of another store, one JSON object a line; without any, gives vectors to the memories that lack
   * one. Sent again, it adds nothing.
   */
  async migrate(
    lines: Iterable<string> | AsyncIterable<string> = [],
    parameters: types.MigrateParameters = {},
    call: Call = {},
  ): Promise<types.MigrationReport> {
    return this.#call(operations.migrate, { query: this.#placed(parameters), pieces: pieces(lines), ...call });
  }

  // The sample: the memories of an invented team, to explore

  /** Whether the sample is loaded, and where. */
  async sampleStatus(call: Call = {}): Promise<types.SampleStatus> {
    return this.#call(operations.sampleStatus, call);
  }

  /** Loads the sample into a namespace of its own, told over the last sixty days. Status 409: it is there already. */
  async loadSample(call: Call = {}): Promise<types.SampleLoaded> {
    return this.#call(operations.loadSample, call);
  }

  /** Removes the sample for good, with everything that has come to its namespace since. */
  async removeSample(call: Call = {}): Promise<types.SampleRemoved> {
    return this.#call(operations.removeSample, call);
  }

  // The server

  /** What is held, in numbers. */
  async stats(parameters: types.StatsParameters = {}, call: Call = {}): Promise<types.Numbers> {
    return this.#call(operations.stats, { query: this.#scoped(parameters), ...call });
  }

  /** What happened on a day or over several, and what is held now. */
  async report(parameters: types.ReportParameters = {}, call: Call = {}): Promise<types.DaysTold> {
    return this.#call(operations.report, { query: this.#scoped(parameters), ...call });
  }

  /** How long recalls took in the last hours, part by part. */
  async latencies(parameters: types.LatenciesParameters = {}, call: Call = {}): Promise<types.Latencies> {
    return this.#call(operations.latencies, { query: this.#scoped(parameters), ...call });
  }

  /** What the language model was asked for, the latest first, and what of its tokens is spent. */
  async llmCalls(parameters: types.LlmCallsParameters = {}, call: Call = {}): Promise<types.LlmUse> {
    return this.#call(operations.llmCalls, { query: parameters, ...call });
  }

  /** Who the server takes the caller for, and what that allows. */
  async me(call: Call = {}): Promise<types.Me> {
    return this.#call(operations.me, call);
  }

  /** The store, the chores, zones, queues, indexes and the disk. */
  async health(call: Call = {}): Promise<types.Health> {
    return this.#call(operations.health, call);
  }

  /** Whether the process answers. */
  async live(call: Call = {}): Promise<boolean> {
    const answer = await this.#call<types.Alive>(operations.live, call);
    return answer.alive;
  }

  /** Whether requests can be served. */
  async ready(call: Call = {}): Promise<boolean> {
    try {
      const answer = await this.#call<types.Ready>(operations.ready, call);
      return answer.ready;
    } catch (error) {
      if (error instanceof PeriError && error.status === 503) return false;
      throw error;
    }
  }

  /** Which program answers. */
  async version(call: Call = {}): Promise<types.Program> {
    return this.#call(operations.version, call);
  }

  /** Counters, histograms and gauges, as Prometheus reads them. */
  async metrics(call: Call = {}): Promise<string> {
    return this.#transport.text(operations.metrics, call);
  }

  /** The OpenAPI document of the server. */
  async document(call: Call = {}): Promise<Record<string, unknown>> {
    return this.#call(operations.document, call);
  }

  // What every method is made of

  async #call<T>(operation: Operation, request: Request): Promise<T> {
    return (await this.#transport.json(operation, request)) as T;
  }

  /** What stands in every page, from the first to the last. */
  async *#pages<Page extends { next_cursor?: string | null }, Item>(
    operation: Operation,
    parameters: { scope?: string | null; cursor?: string | null },
    items: (page: Page) => Item[],
    call: Call,
  ): AsyncGenerator<Item> {
    let query = this.#scoped(parameters);
    for (;;) {
      const page = await this.#call<Page>(operation, { query, ...call });
      yield* items(page);
      if (page.next_cursor == null) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** With the client's namespace, unless another was named. */
  #placed<T extends Place>(given: T): T {
    return this.#namespace === undefined ? given : { namespace: this.#namespace, ...given };
  }

  /** Within the client's namespace, unless another place was named. */
  #scoped<T extends { scope?: string | null }>(given: T): T {
    return this.#namespace === undefined ? given : { scope: this.#namespace, ...given };
  }
}

/** Where something takes place. */
export interface Place {
  namespace?: string | null;
}

// Small lines are sent together.
const PIECE_CHARACTERS = 64 * 1024;

async function* pieces(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const line of lines) {
    piece += line.endsWith("\n") ? line : `${line}\n`;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = "";
    }
  }
  yield piece;
}

function keyed({ idempotencyKey, signal }: StoringCall): Request {
  return { signal, headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey } };
}

function matching({ ifMatch, signal }: ChangingCall): Request {
  return { signal, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } };
}
