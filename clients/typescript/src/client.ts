import type { Call } from "./caller.js";
import { PeriError } from "./errors.js";
import { follow } from "./events.js";
import { Learning } from "./learning.js";
import { operations } from "./operations.js";
import type * as types from "./types.js";

// A stream is silent for as long as nothing happens; the server shows more often than this that it is there.
const SILENCE_MS = 60_000;

/**
 * A client of one server. Reads, and writes that the server does only once however often they are sent, are tried
 * again when no answer comes or the server asks to come back later.
 */
export class Client extends Learning {
  // Keys, which an admin handles

  /** The keys within the own key's namespaces, the revoked ones too. */
  async keys(call: Call = {}): Promise<types.ApiKey[]> {
    const answer = await this.call<types.Keys>(operations.listKeys, call);
    return answer.keys;
  }

  /** Creates a key. Its secret is told this once. It is for the client's namespace unless `scope` says. */
  async createKey(key: types.KeyAsked, call: Call = {}): Promise<types.CreatedKey> {
    return this.call(operations.createKey, { body: this.scoped(key), ...call });
  }

  /** Revokes a key, by its id: whoever shows it is let in no more. */
  async revokeKey(key: string, call: Call = {}): Promise<types.ApiKey> {
    return this.call(operations.revokeKey, { parts: { key }, ...call });
  }

  // Chores, which a server does by itself from time to time

  /** Brings the zones to where they belong by now. */
  async reorbit(where: types.ReorbitAsked = {}, call: Call = {}): Promise<types.Reorbited> {
    return this.call(operations.reorbit, { body: this.scoped(where), ...call });
  }

  /** Does all chores now. */
  async maintain(call: Call = {}): Promise<types.Maintained> {
    return this.call(operations.maintain, call);
  }

  /** Ends what has reached the end of its time in its layer; what matters is promoted. */
  async sweep(call: Call = {}): Promise<types.Swept> {
    return this.call(operations.sweep, call);
  }

  /** Writes the latest episodes to a file, or gives null if none has changed since the last one. */
  async takeSnapshot(call: Call = {}): Promise<types.SnapshotInfo | null> {
    const answer = await this.call<types.SnapshotTaken>(operations.takeSnapshot, call);
    return answer.snapshot ?? null;
  }

  /** The snapshots of the latest episodes, the latest first. */
  async snapshots(call: Call = {}): Promise<types.SnapshotInfo[]> {
    const answer = await this.call<types.SnapshotList>(operations.listSnapshots, call);
    return answer.snapshots;
  }

  /** Makes a backup now and verifies it, while others go on. Status 409: one is being made already. */
  async createBackup(call: Call = {}): Promise<types.BackupMade> {
    return this.call(operations.createBackup, call);
  }

  /** The backups there are, the latest first, and when the next one is due. */
  async backups(call: Call = {}): Promise<types.BackupList> {
    return this.call(operations.listBackups, call);
  }

  /** Destroys what lies in the trash, and says how much that was; there is no way back. */
  async purgeTrash(what: types.PurgeAsked = {}, call: Call = {}): Promise<number> {
    const answer = await this.call<types.Purged>(operations.purgeTrash, { body: this.scoped(what), ...call });
    return answer.purged;
  }

  // The queue, which an admin of everything looks after

  /** What waits on the server's machine because its store could not take it, and what was given up. */
  async queue(parameters: types.QueueParameters = {}, call: Call = {}): Promise<types.Queue> {
    return this.call(operations.queue, { query: parameters, ...call });
  }

  /** Tries what waits now, and what was given up once more: all of it, or only the one of an id. */
  async replayQueue(what: types.ReplayAsked = {}, call: Call = {}): Promise<types.Replayed> {
    return this.call(operations.replayQueue, { body: what, ...call });
  }

  /** Drops what waits or was given up under an id; it is not made then. */
  async dropQueued(id: string, call: Call = {}): Promise<void> {
    await this.call(operations.dropQueued, { parts: { id }, ...call });
  }

  // What happened

  /** A page of the audit log: the latest events, or with `after` the first ones that follow a number. */
  async eventLog(parameters: types.EventsParameters = {}, call: Call = {}): Promise<types.EventPage> {
    return this.call(operations.events, { query: this.scoped(parameters), ...call });
  }

  /**
   * Events as they happen, from after a number or from now on, until the loop is left. Broken connections are opened
   * again where they ended, so that nothing is missed or told twice.
   */
  async events(parameters: types.FollowEventsParameters = {}, call: Call = {}): Promise<AsyncGenerator<types.Event>> {
    const { after, ...rest } = this.scoped(parameters);
    // Asked once, so that what happens before the first event comes is not lost with a broken connection.
    const begin = after ?? (await this.eventLog({ scope: rest.scope, limit: 1 }, call)).next_after;
    const connect = (last: string) => {
      const headers = { "last-event-id": last, accept: "text/event-stream" };
      return this.transport.lines(operations.followEvents, { query: rest, headers, ...call }, SILENCE_MS);
    };
    return follow<types.Event>(this.transport, connect, String(begin), call.signal);
  }

  // Everything out and in again

  /** Everything that fits, one JSON object a line, while it comes. One that breaks off throws. */
  async *export(parameters: types.ExportParameters = {}, call: Call = {}): AsyncGenerator<string> {
    yield* await this.transport.lines(operations.export, { query: this.scoped(parameters), ...call });
  }

  /** Takes in what an export gave. Browsers send it at once, other places line by line. */
  async import(
    lines: Iterable<string> | AsyncIterable<string>,
    parameters: types.ImportParameters = {},
    call: Call = {},
  ): Promise<types.Imported> {
    const request = { query: this.scoped(parameters), pieces: pieces(lines), ...call };
    return this.call(operations.import, request);
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
    return this.call(operations.migrate, { query: this.placed(parameters), pieces: pieces(lines), ...call });
  }

  // The sample: the memories of an invented team, to explore

  /** Whether the sample is loaded, and where. */
  async sampleStatus(call: Call = {}): Promise<types.SampleStatus> {
    return this.call(operations.sampleStatus, call);
  }

  /** Loads the sample into a namespace of its own, told over the last sixty days. Status 409: it is there already. */
  async loadSample(call: Call = {}): Promise<types.SampleLoaded> {
    return this.call(operations.loadSample, call);
  }

  /** Removes the sample for good: what came with it, and nothing else. */
  async removeSample(call: Call = {}): Promise<types.SampleRemoved> {
    return this.call(operations.removeSample, call);
  }

  // The server

  /** What is held, in numbers. */
  async stats(parameters: types.StatsParameters = {}, call: Call = {}): Promise<types.Numbers> {
    return this.call(operations.stats, { query: this.scoped(parameters), ...call });
  }

  /** What happened on a day or over several, and what is held now. */
  async report(parameters: types.ReportParameters = {}, call: Call = {}): Promise<types.DaysTold> {
    return this.call(operations.report, { query: this.scoped(parameters), ...call });
  }

  /** How long recalls took in the last hours, part by part. */
  async latencies(parameters: types.LatenciesParameters = {}, call: Call = {}): Promise<types.Latencies> {
    return this.call(operations.latencies, { query: this.scoped(parameters), ...call });
  }

  /** What the language model was asked for, the latest first, and what of its tokens is spent. */
  async llmCalls(parameters: types.LlmCallsParameters = {}, call: Call = {}): Promise<types.LlmUse> {
    return this.call(operations.llmCalls, { query: parameters, ...call });
  }

  /** Who the server takes the caller for, and what that allows. */
  async me(call: Call = {}): Promise<types.Me> {
    return this.call(operations.me, call);
  }

  /** The store, the chores, zones, queues, indexes and the disk. */
  async health(call: Call = {}): Promise<types.Health> {
    return this.call(operations.health, call);
  }

  /** Whether the process answers. */
  async live(call: Call = {}): Promise<boolean> {
    const answer = await this.call<types.Alive>(operations.live, call);
    return answer.alive;
  }

  /** Whether requests can be served. */
  async ready(call: Call = {}): Promise<boolean> {
    try {
      const answer = await this.call<types.Ready>(operations.ready, call);
      return answer.ready;
    } catch (error) {
      if (error instanceof PeriError && error.status === 503) return false;
      throw error;
    }
  }

  /** Which program answers. */
  async version(call: Call = {}): Promise<types.Program> {
    return this.call(operations.version, call);
  }

  /** Counters, histograms and gauges, as Prometheus reads them. */
  async metrics(call: Call = {}): Promise<string> {
    return this.transport.text(operations.metrics, call);
  }

  /** The OpenAPI document of the server. */
  async document(call: Call = {}): Promise<Record<string, unknown>> {
    return this.call(operations.document, call);
  }
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
