import { keyed, type Call, type Place, type Rest, type StoringCall } from "./caller.js";
import { PeriError } from "./errors.js";
import { Memories } from "./memories.js";
import { operations } from "./operations.js";
import type * as types from "./types.js";

/** What is said in sessions, what is noted of it, and what happened. */
export class Conversations extends Memories {
  // Sessions

  /** Begins a session, or opens it again. */
  async startSession(session: string, place: Place = {}, call: Call = {}): Promise<types.Session> {
    return this.call(operations.startSession, { body: this.placed({ session, ...place }), ...call });
  }

  /** The sessions that were begun, the latest first. */
  async sessions(parameters: types.ListSessionsParameters = {}, call: Call = {}): Promise<types.Session[]> {
    const query = this.scoped(parameters);
    const answer = await this.call<types.Sessions>(operations.listSessions, { query, ...call });
    return answer.sessions;
  }

  /** One session and its summary. */
  async session(session: string, place: Place = {}, call: Call = {}): Promise<types.Conversation> {
    return this.call(operations.getSession, { parts: { session }, query: this.placed(place), ...call });
  }

  /** Ends a session and sums up what was remembered in it. */
  async endSession(session: string, place: Place = {}, call: Call = {}): Promise<types.Conversation> {
    return this.call(operations.endSession, { parts: { session }, query: this.placed(place), ...call });
  }

  // Notes: what is said in sessions, what was noted of it, and what agents are given

  /** Keeps what was said in a session; notes are made of it when that is due. `outcome` says if it waits. */
  async hear(
    session: string,
    messages: Iterable<types.MessageAsked>,
    options: Rest<types.HearAsked, "messages"> = {},
    call: StoringCall = {},
  ): Promise<types.HeardReceipt> {
    const body = this.placed({ messages: [...messages], ...options });
    return this.call(operations.hear, { parts: { session }, body, ...keyed(call) });
  }

  /** Makes notes of what waits in a session at once, and tells what was done. */
  async observe(
    session: string,
    parameters: types.ObserveSessionParameters = {},
    call: Call = {},
  ): Promise<unknown[]> {
    const query = this.placed(parameters);
    const answer = await this.call<types.Observed>(operations.observeSession, {
      parts: { session },
      query,
      ...call,
    });
    return answer.steps;
  }

  /** Makes notes of whatever is due in all sessions of a namespace, and tells what was done. */
  async observeDue(place: Place = {}, call: Call = {}): Promise<unknown[]> {
    const query = this.placed(place);
    const answer = await this.call<types.Observed>(operations.observeDue, { query, ...call });
    return answer.steps;
  }

  /** The notes of a session; null if none were made yet. */
  async sessionNotes(session: string, place: Place = {}, call: Call = {}): Promise<types.NotesView | null> {
    try {
      const request = { parts: { session }, query: this.placed(place), ...call };
      return await this.call<types.NotesView>(operations.sessionNotes, request);
    } catch (error) {
      if (error instanceof PeriError && error.status === 404) return null;
      throw error;
    }
  }

  /** The notes of a namespace that last beyond sessions. */
  async durableNotes(place: Place = {}, call: Call = {}): Promise<types.NotesView> {
    return this.call(operations.durableNotes, { query: this.placed(place), ...call });
  }

  /** The sessions that have notes or wait for them, the one observed last first. */
  async noteSessions(
    parameters: types.ListNoteSessionsParameters = {},
    call: Call = {},
  ): Promise<types.SessionOverview[]> {
    const query = this.placed(parameters);
    const answer = await this.call<types.NoteSessions>(operations.listNoteSessions, { query, ...call });
    return answer.sessions;
  }

  /** What was said in a session, in order, each with what was noted of it. */
  async replay(
    session: string,
    parameters: types.ReplaySessionParameters = {},
    call: Call = {},
  ): Promise<types.Spoken[]> {
    const query = this.placed(parameters);
    const answer = await this.call<types.Replay>(operations.replaySession, {
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
    return this.call(operations.givenToSession, { parts: { session }, query: this.placed(parameters), ...call });
  }

  /** Destroys the notes of a session and what waits to become some. Memories made of them stay. */
  async forgetNotes(session: string, place: Place = {}, call: Call = {}): Promise<types.Forgotten> {
    return this.call(operations.forgetNotes, { parts: { session }, query: this.placed(place), ...call });
  }

  /** What an agent would be given. Looking takes nothing away. */
  async lookAtContext(
    parameters: types.LookAtContextParameters = {},
    call: Call = {},
  ): Promise<types.GivenContext> {
    return this.call(operations.lookAtContext, { query: this.placed(parameters), ...call });
  }

  /** What an agent is given. With `deliver: "once"` it is lent: confirm its `loan` when the agent has it. */
  async context(options: types.GiveAsked = {}, call: Call = {}): Promise<types.GivenContext> {
    return this.call(operations.context, { body: this.placed(options), ...call });
  }

  /** The agent has what was lent: it counts as given. Status 409: it was taken back meanwhile. */
  async confirmContext(
    session: string,
    loan: string,
    options: Rest<types.ConfirmAsked, "session" | "loan"> = {},
    call: Call = {},
  ): Promise<types.Confirmed> {
    const body = this.placed({ session, loan, ...options });
    return this.call(operations.confirmContext, { body, ...call });
  }

  /** The agent did not get what was lent: it is given to whoever asks next. */
  async returnContext(session: string, loan: string, place: Place = {}, call: Call = {}): Promise<void> {
    const body = this.placed({ session, loan, ...place });
    await this.call(operations.returnContext, { body, ...call });
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
    const body = { entries: Array.from(entries, (entry) => this.placed(entry)) };
    const answer = await this.call<types.AppendedEntries>(operations.appendJournal, { body, ...keyed(call) });
    return answer.entries;
  }

  /** All journal events that fit, a page at a time; `limit` is the size of a page. */
  journal(parameters: types.ListJournalParameters = {}, call: Call = {}): AsyncGenerator<types.JournalEntry> {
    return this.pages(operations.listJournal, parameters, (page: types.EntryPage) => page.entries, call);
  }

  /** The latest journal events, those that wait for the store too. `missing` says why some may be. */
  async recent(parameters: types.RecentJournalParameters = {}, call: Call = {}): Promise<types.RecentEntries> {
    return this.call(operations.recentJournal, { query: this.scoped(parameters), ...call });
  }

  /** One journal event. */
  async journalEntry(id: string, call: Call = {}): Promise<types.JournalEntry> {
    return this.call(operations.getJournal, { parts: { entry: id }, ...call });
  }

  /** What the journal holds, in numbers. */
  async journalStats(parameters: types.JournalStatsParameters = {}, call: Call = {}): Promise<types.JournalSummary> {
    return this.call(operations.journalStats, { query: this.scoped(parameters), ...call });
  }

  /** Begins a turn: one call of an agent. As with `append`, `state` says what became of it. */
  async beginTurn(turn: types.TurnAsked = {}, call: StoringCall = {}): Promise<types.TurnReceipt> {
    return this.call(operations.beginTurn, { body: this.placed(turn), ...keyed(call) });
  }

  /** Tells more of a turn; what is left out stays, and a `status` finishes it. */
  async updateTurn(id: string, changes: types.TurnChanges, call: StoringCall = {}): Promise<types.TurnReceipt> {
    return this.call(operations.updateTurn, { parts: { turn: id }, body: changes, ...keyed(call) });
  }

  /** All turns that fit, a page at a time; `limit` is the size of a page. */
  turns(parameters: types.ListTurnsParameters = {}, call: Call = {}): AsyncGenerator<types.Turn> {
    return this.pages(operations.listTurns, parameters, (page: types.TurnsPage) => page.turns, call);
  }

  /** One turn with its journal events. */
  async turn(id: string, call: Call = {}): Promise<types.TurnWithEntries> {
    return this.call(operations.getTurn, { parts: { turn: id }, ...call });
  }
}
