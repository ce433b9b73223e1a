/** A running list of events that can be paused. */
import { signal } from "@preact/signals";
import { EventsMissing } from "perihelion-client/errors.ts";
import { ask, asProblem, events, type PeriError } from "../../api.ts";
import type { Event, EventPage } from "../../wire.ts";

const KEPT = 500;
const FIRST = 50;
// A burst is drawn at once instead of event by event.
const DRAW_EVERY_MS = 150;

/** Whether it runs. */
type State = "live" | "paused" | "ended";

export class EventFeed {
  /** The newest first. */
  readonly shown = signal<Event[]>([]);
  readonly state = signal<State>("live");
  /** How many came while it was paused. */
  readonly waiting = signal(0);
  readonly error = signal<PeriError | undefined>(undefined);
  readonly #ending = new AbortController();
  readonly #scope: string | undefined;
  #arrived: Event[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(scope: string | undefined) {
    this.#scope = scope;
  }

  /** Begins with the latest ones, and goes on until it is ended. */
  async run(): Promise<void> {
    const stop = this.#ending.signal;
    const query = { scope: this.#scope, limit: FIRST };
    try {
      const page = await ask<EventPage>("GET", "/v1/events", { query, signal: stop });
      this.shown.value = [...page.events].reverse();
      await this.#followOn(page.next_after);
    } catch (error) {
      if (stop.aborted) return;
      this.state.value = "ended";
      this.error.value = asProblem(error);
    }
  }

  /** Who was away for too long goes on behind what is not kept any more; the audit log has it. */
  async #followOn(after: number): Promise<void> {
    try {
      await this.#follow(after);
    } catch (error) {
      if (!(error instanceof EventsMissing)) throw error;
      await this.#followOn(error.through);
    }
  }

  async #follow(after: number): Promise<void> {
    for await (const event of events({ scope: this.#scope ?? null, after }, this.#ending.signal)) {
      this.#arrived.push(event);
      if (this.state.value === "paused") {
        if (this.#arrived.length > KEPT) this.#arrived.shift();
        this.waiting.value = this.#arrived.length;
      } else {
        this.#timer ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
      }
    }
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.state.value === "paused" || this.#arrived.length === 0) return;
    this.shown.value = [...this.#arrived.reverse(), ...this.shown.value].slice(0, KEPT);
    this.#arrived = [];
    this.waiting.value = 0;
  }

  pause(paused: boolean): void {
    if (this.state.value === "ended") return;
    this.state.value = paused ? "paused" : "live";
    this.#draw();
  }

  clear(): void {
    this.shown.value = [];
    this.#arrived = [];
    this.waiting.value = 0;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }
}
