/** All that is known of a session, as one stream in the order of time. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type Loaded, PeriError, useAsk } from "../../api.ts";
import { attempt } from "../../parts/told.tsx";
import { namespace } from "../../state.ts";
import type {
  Conversation,
  GivenToSession,
  JournalEntry,
  Memory,
  MemoryPage,
  NotesView,
  NoteView,
  Replay,
  Turn,
  TurnsPage,
} from "../../wire.ts";

export type Strand = "turn" | "journal" | "episode" | "memory" | "note" | "given" | "summary";
export const STRANDS: Strand[] = ["turn", "journal", "episode", "memory", "note", "given", "summary"];

/** One thing in the stream. */
export type Item = { key: string; ms: number } & (
  | { strand: "turn"; turn: Turn }
  | { strand: "journal"; entry: JournalEntry }
  /** An echo says what stands right before it. */
  | { strand: "episode" | "memory" | "summary"; memory: Memory; isEcho?: boolean }
  | { strand: "note"; note: NoteView }
  | { strand: "given"; text: string }
);

interface Pages {
  items: Item[];
  /** Where it goes on; none if it is whole. */
  next: string | undefined;
}

type Paged = "turns" | "journal" | "memories";

export interface Stream {
  conversation: Conversation | undefined;
  pages: Record<Paged, Pages>;
  whole: Item[];
  notes: NoteView[];
  /** The notes that were made of a journal event. */
  notesOf: Map<string, NoteView[]>;
  /** Earlier texts were given that are not remembered any more. */
  givenMore: boolean;
}

const PAGE = 100;
const MOST = 1000;
/** What happens at the same moment is told in this order: what was said sets a turn off. */
const ORDER: Strand[] = ["journal", "turn", "episode", "memory", "note", "given", "summary"];

const ms = (at: string) => Date.parse(at);

function ofTurn(turn: Turn): Item {
  return { key: turn.id, ms: ms(turn.started_at), strand: "turn", turn };
}

function ofEntry(entry: JournalEntry): Item {
  return { key: entry.id, ms: ms(entry.at), strand: "journal", entry };
}

function ofMemory(memory: Memory): Item {
  const isEpisode = memory.kind === "episode" || memory.layer === "episodic";
  return { key: memory.id, ms: ms(memory.created_at), strand: isEpisode ? "episode" : "memory", memory };
}

interface Asked {
  session: string;
  signal?: AbortSignal | undefined;
}

async function page(which: Paged, { session, signal }: Asked, cursor?: string): Promise<Pages> {
  const query = { scope: namespace.value, session, order: "oldest_first", limit: PAGE, cursor };
  if (which === "turns") {
    const found = await ask<TurnsPage>("GET", "/v1/turns", { query, signal });
    return { items: found.turns.map(ofTurn), next: found.next_cursor ?? undefined };
  }
  if (which === "journal") {
    const found = await ask<{ entries: JournalEntry[]; next_cursor?: string | null }>("GET", "/v1/journal", { query, signal });
    return { items: found.entries.map(ofEntry), next: found.next_cursor ?? undefined };
  }
  const found = await ask<MemoryPage>("GET", "/v1/memories", { query, signal });
  return { items: found.memories.map(ofMemory), next: found.next_cursor ?? undefined };
}

/** Something that a session may not have. */
async function perhaps<T>(what: string, { session, signal }: Asked, query: object = {}): Promise<T | undefined> {
  try {
    const path = `/v1/sessions/{session}${what}`;
    return await ask<T>("GET", path, { parts: { session }, query: { namespace: namespace.value, ...query }, signal });
  } catch (error) {
    if (error instanceof PeriError && error.status === 404) return undefined;
    throw error;
  }
}

async function load(asked: Asked): Promise<Stream> {
  const [turns, journal, memories, conversation, notes, replay, given] = await Promise.all([
    page("turns", asked),
    page("journal", asked),
    page("memories", asked),
    perhaps<Conversation>("", asked),
    perhaps<NotesView>("/notes", asked),
    perhaps<Replay>("/replay", asked, { limit: MOST }),
    perhaps<GivenToSession>("/given", asked, { limit: MOST }),
  ]);
  const whole: Item[] = (notes?.notes ?? []).map((note) => ({ key: note.id, ms: ms(note.made_at), strand: "note", note }));
  given?.given.forEach(({ at, text }, place) => whole.push({ key: `given ${place}`, ms: ms(at), strand: "given", text }));
  const summary = conversation?.summary;
  const end = conversation?.session.ended_at ?? summary?.created_at;
  if (summary && end) whole.push({ key: `summary ${summary.id}`, ms: ms(end), strand: "summary", memory: summary });
  return {
    conversation,
    pages: { turns, journal, memories },
    whole,
    notes: notes?.notes ?? [],
    notesOf: new Map(replay?.spoken.filter((one) => one.notes.length > 0).map((one) => [one.entry.id, one.notes])),
    givenMore: given?.more ?? false,
  };
}

/** Up to when the stream is whole: pages that are not loaded yet hold only what came later. */
function horizon(stream: Stream): number {
  const ends = Object.values(stream.pages).map((one) => (one.next === undefined ? Infinity : (one.items.at(-1)?.ms ?? Infinity)));
  return Math.min(...ends);
}

/** What is known so far, in order. */
export function items(stream: Stream): Item[] {
  const until = horizon(stream);
  const summary = stream.conversation?.summary?.id;
  const all = [...Object.values(stream.pages).flatMap((one) => one.items), ...stream.whole];
  return all
    .filter((one) => one.ms <= until && one.key !== summary)
    .sort((a, b) => a.ms - b.ms || ORDER.indexOf(a.strand) - ORDER.indexOf(b.strand))
    .map((one, place, sorted) => (isEcho(one, sorted[place - 1]) ? { ...one, isEcho: true } : one));
}

function isEcho(one: Item, before: Item | undefined): boolean {
  return one.strand === "episode" && before?.strand === "journal" && before.entry.text === one.memory.content;
}

export function hasMore(stream: Stream): boolean {
  return horizon(stream) < Infinity;
}

/** The stream with the next pages of those strands that end first. */
async function longer(stream: Stream, session: string): Promise<Stream> {
  const until = horizon(stream);
  const pages = { ...stream.pages };
  for (const which of Object.keys(pages) as Paged[]) {
    const { items: before, next } = pages[which];
    if (next === undefined || (before.at(-1)?.ms ?? 0) > until) continue;
    const found = await page(which, { session }, next);
    pages[which] = { items: [...before, ...found.items], next: found.next };
  }
  return { ...stream, pages };
}

/** The stream of a session, and what makes it longer. */
export function useStream(session: string): { asked: Loaded<Stream>; stream: Stream | undefined; more: () => Promise<void> } {
  const asked = useAsk((signal) => load({ session, signal }), [session, namespace.value]);
  const grown = useSignal<Stream | undefined>(undefined);
  useEffect(() => {
    grown.value = undefined;
  }, [asked.value]);
  const stream = grown.value ?? asked.value;
  const more = async () => {
    const next = stream && (await attempt(() => longer(stream, session)));
    if (next) grown.value = next;
  };
  return { asked, stream, more };
}
