import { keyed, type Call, type Place, type Rest, type RunningCall, type StoringCall } from "./caller.js";
import { Conversations } from "./conversations.js";
import { operations } from "./operations.js";
import type * as types from "./types.js";

// A worker takes its time.
const RUN_MS = 600_000;

/** Places, what was of use, what has worked, and who looks after the store. */
export class Learning extends Conversations {
  // Namespaces

  /** The namespaces that hold anything; not only the client's own. */
  async namespaces(parameters: types.ListNamespacesParameters = {}, call: Call = {}): Promise<string[]> {
    const answer = await this.call<types.Namespaces>(operations.listNamespaces, { query: parameters, ...call });
    return answer.namespaces;
  }

  /** Moves everything of a namespace to another one. */
  async moveNamespace(move: types.MoveAsked, call: Call = {}): Promise<types.MovedNamespace> {
    return this.call(operations.moveNamespace, { body: move, ...call });
  }

  /** Moves all memories of a namespace to the trash, or destroys them. */
  async deleteNamespace(deletion: types.DeleteNamespaceParameters, call: Call = {}): Promise<types.Deleted> {
    return this.call(operations.deleteNamespace, { query: deletion, ...call });
  }

  // Feedback and weights

  /** Says which results of a recall were of use, by their ids in `used` and `unused`. */
  async feedback(
    query: string,
    options: Rest<types.FeedbackAsked, "query">,
    call: Call = {},
  ): Promise<types.FeedbackReceipt> {
    return this.call(operations.feedback, { body: this.placed({ query, ...options }), ...call });
  }

  /** What nearness is made of in a namespace, and what feedback made of it. */
  async weights(place: Place = {}, call: Call = {}): Promise<types.WeightSets> {
    return this.call(operations.weights, { query: this.placed(place), ...call });
  }

  /** Takes an earlier set of weights again. */
  async rollbackWeights(number: number, place: Place = {}, call: Call = {}): Promise<types.LearnedWeights> {
    return this.call(operations.rollbackWeights, { body: this.placed({ number, ...place }), ...call });
  }

  // Learning: what was done, what worked, who should take a task, and what was learned as a whole

  /** Records the steps of a task and how it ended. `outcome` of the receipt says if it waits for the store. */
  async recordTrajectory(trajectory: types.TrajectoryAsked, call: StoringCall = {}): Promise<types.TrajectoryReceipt> {
    return this.call(operations.recordTrajectory, { body: this.placed(trajectory), ...keyed(call) });
  }

  /** All recorded tasks that fit, a page at a time; `limit` is the size of a page. */
  trajectories(
    parameters: types.ListTrajectoriesParameters = {},
    call: Call = {},
  ): AsyncGenerator<types.Trajectory> {
    const items = (page: types.TrajectoryList) => page.trajectories;
    return this.pages(operations.listTrajectories, parameters, items, call);
  }

  /** One recorded task with its steps. */
  async trajectory(id: string, call: Call = {}): Promise<types.Trajectory> {
    return this.call(operations.getTrajectory, { parts: { trajectory: id }, ...call });
  }

  /** Strategies that worked for such a task, in `q`, and who should take it; all of them without a task. */
  async findPatterns(parameters: types.FindPatternsParameters = {}, call: Call = {}): Promise<types.FoundPatterns> {
    return this.call(operations.findPatterns, { query: this.placed(parameters), ...call });
  }

  /** Keeps a strategy that is known to work, or joins it into the one that says the same. */
  async storePattern(
    strategy: string,
    options: Rest<types.PatternAsked, "strategy"> = {},
    call: StoringCall = {},
  ): Promise<types.PatternReceipt> {
    return this.call(operations.storePattern, { body: this.placed({ strategy, ...options }), ...keyed(call) });
  }

  /** Patterns, the best first; with `retired` those that were put aside. */
  async patterns(parameters: types.ListPatternsParameters = {}, call: Call = {}): Promise<types.Pattern[]> {
    const request = { query: this.scoped(parameters), ...call };
    return (await this.call<types.Patterns>(operations.listPatterns, request)).patterns;
  }

  /** One pattern, put aside or not. */
  async pattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.call(operations.getPattern, { parts: { pattern: id }, ...call });
  }

  /** Keeps a pattern for good. */
  async promotePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.call(operations.promotePattern, { parts: { pattern: id }, ...call });
  }

  /** Puts a pattern aside; it is not offered any more. */
  async retirePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.call(operations.retirePattern, { parts: { pattern: id }, ...call });
  }

  /** Offers a pattern again that was put aside. */
  async restorePattern(id: string, call: Call = {}): Promise<types.Pattern> {
    return this.call(operations.restorePattern, { parts: { pattern: id }, ...call });
  }

  /** Who should take a task, how sure that is, and why. */
  async route(task: string, place: Place = {}, call: Call = {}): Promise<types.Routed> {
    return this.call(operations.routeTask, { body: this.placed({ task, ...place }), ...call });
  }

  /** What has been learned, in numbers, and who is at work on it. */
  async learningStats(parameters: types.LearningStatsParameters = {}, call: Call = {}): Promise<types.LearningNumbers> {
    return this.call(operations.learningStats, { query: this.scoped(parameters), ...call });
  }

  /** Draws patterns from what was recorded since the last time; the workers do the same. */
  async distil(where: types.DistilAsked = {}, call: Call = {}): Promise<types.Distilling[]> {
    const request = { body: this.scoped(where), ...call };
    return (await this.call<types.Distilled>(operations.distil, request)).namespaces;
  }

  /** Trains the router and the adapter of a namespace; the workers do the same. */
  async train(place: Place = {}, call: Call = {}): Promise<types.Trained> {
    return this.call(operations.train, { body: this.placed(place), ...call });
  }

  /** What a router or an adapter was, the latest first: that holds. */
  async learnedSets(name: types.LearnedName, place: Place = {}, call: Call = {}): Promise<types.LearnedInfo[]> {
    const request = { query: this.placed({ name, ...place }), ...call };
    return (await this.call<types.LearnedSets>(operations.learnedSets, request)).sets;
  }

  /** Goes back to what was learned before, by the number of the set; 0 is nothing learned. */
  async rollbackLearned(
    name: types.LearnedName,
    set: number,
    place: Place = {},
    call: Call = {},
  ): Promise<types.LearnedInfo> {
    return this.call(operations.rollbackLearned, { body: this.placed({ name, set, ...place }), ...call });
  }

  // Workers, which look after the whole store

  /** How the workers are, when each is due, and what they found. */
  async workers(call: Call = {}): Promise<types.WorkersStatus> {
    return this.call(operations.workersStatus, call);
  }

  /** Runs a worker now, or all of them by priority, and waits for what comes of it. */
  async dispatchWorkers(worker?: types.WorkerKind, call: RunningCall = {}): Promise<types.Dispatched> {
    const { timeoutMs, ...rest } = call;
    const request = { query: { worker }, ...rest };
    const lines = await this.transport.lines(operations.dispatchWorkers, request, timeoutMs ?? RUN_MS);
    let text = "";
    for await (const line of lines) text += `${line}\n`;
    return JSON.parse(text);
  }

  /** What workers did, the latest first. */
  async workerRuns(parameters: types.WorkerRunsParameters = {}, call: Call = {}): Promise<types.WorkerRun[]> {
    return (await this.call<types.WorkerRuns>(operations.workerRuns, { query: parameters, ...call })).runs;
  }

  /** What workers found, the latest first. */
  async workerAlerts(parameters: types.WorkerAlertsParameters = {}, call: Call = {}): Promise<types.AlertRecord[]> {
    return (await this.call<types.WorkerAlerts>(operations.workerAlerts, { query: parameters, ...call })).alerts;
  }

  /** Asks a worker to stop, in whichever process it is at work, and says whether it was. */
  async cancelWorker(worker: types.WorkerKind, call: Call = {}): Promise<boolean> {
    return (await this.call<types.Cancelled>(operations.cancelWorker, { parts: { worker }, ...call })).asked;
  }
}
