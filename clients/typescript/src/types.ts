// What is sent and answered. Made by clients/generator from the OpenAPI document, never changed by hand.

/** What came of an attempt to learn an adapter. */
export interface AdapterTrial {
  /** The same with the adapter. */
  after: number;
  /** How high the first result of use stood on average before: the mean of one over its place. */
  before: number;
  /** On how many others it was tried. */
  held_out: number;
  /** From how many judged recalls was learned. */
  learned_from: number;
  /** Whether one that had been taken was put aside. */
  rolled_back: boolean;
  /** Whether recall goes by it from now on. */
  taken: boolean;
  /** Why, in words. */
  verdict: string;
}

/** Something that a job found, and since when. */
export interface AlertRecord {
  /** The file it is about. */
  file?: string | null;
  /** When it was first found. */
  first_at: string;
  /** The memories it is about. */
  ids?: MemoryId[];
  /** When it was last found. */
  last_at: string;
  /** What tells it from the job's other findings. */
  mark: string;
  /** What was found. */
  message: string;
  /** Where, if in one namespace. */
  namespace?: Namespace | null;
  /** Since when it is no more. */
  resolved_at?: string | null;
  /** How often it was found. */
  seen: number;
  /** How much it matters. */
  severity: Severity;
  /** Which job. */
  worker: string;
}

/** The process answers. */
export interface Alive {
  alive: boolean;
}

/** Somebody else who might take a task. */
export interface Alternative {
  /** Who. */
  agent: string;
  /** The probability that this is right, from 0 to 1. */
  confidence: number;
}

/** A key as far as it is no secret. */
export interface ApiKey {
  /** When it was created. */
  created_at: string;
  /** What it is called by. */
  id: KeyId;
  /** What it is for. */
  name: string;
  /** When it was revoked. It lets nobody in from then on. */
  revoked_at?: string | null;
  /** What it allows. */
  role: Role;
  /** Where it allows that. */
  scope: Scope;
  /** When it was last used, to within a minute or two. */
  used_at?: string | null;
}

/** What became of an entry. */
export interface Appended {
  /** The entry. */
  id: EntryId;
  /** The memory of its text, if that is remembered too. */
  memory?: MemoryId | null;
  /** Where it is. */
  namespace: Namespace;
  /** Secrets that were taken out before anything was written. */
  redacted?: RedactedSecret[];
  /** What became of it. */
  state: Kept;
}

/** What became of each, in their order. */
export interface AppendedEntries {
  entries: Appended[];
}

/** One backup. */
export interface BackupInfo {
  /** When it was made. */
  at: string;
  /** Whether it was made to come back to what a restore replaced. */
  before_restore: boolean;
  /** How many bytes it takes; null if it is damaged. */
  bytes?: number | null;
  /** Up to which change it holds everything. */
  change: ChangeNumber;
  /** How many memories it holds; null if it is damaged. */
  memories?: number | null;
  /** What it is called. */
  name: string;
}

/** The backups there are. */
export interface BackupList {
  /** The latest first. */
  backups: BackupInfo[];
  /** When it makes the next one. */
  next_at?: string | null;
  /** Where they go; null if the server does not know. */
  place?: string | null;
  /** Whether the server makes them by itself. */
  scheduled: boolean;
}

/** A backup that was made and verified. */
export interface BackupMade {
  /** How many bytes it takes. */
  bytes: number;
  /** How many memories it holds. */
  memories: number;
  /** What it is called. */
  name: string;
}

/** Whether a worker was asked to stop. */
export interface Cancelled {
  /** Whether it was at work. */
  asked: boolean;
  worker: WorkerKind;
}

/**
 * The number of a committed change. Each write takes the next one; an index that has applied every
 * change up to a number knows that it lacks only what has a higher one.
 */
export type ChangeNumber = number;

/** What to change; what is left out stays. A time of null is taken away. */
export interface Changes {
  aliases?: string[] | null;
  content?: string | null;
  /** In place of all it has. */
  context?: Context | null;
  /** Another structure; null takes it away. Words that were made from it follow. */
  data?: unknown;
  expires_at?: string | null;
  importance?: Importance | null;
  kind?: Kind | null;
  layer?: Layer | null;
  metadata?: Record<string, unknown> | null;
  pinned?: boolean | null;
  superseded_by?: MemoryId | null;
  tags?: string[] | null;
  valid_from?: string | null;
  valid_until?: string | null;
}

/** One circumstance of an episode, such as `spatial.place=office`. */
export type Circumstance = string;

/** Why a long-term memory was moved to the trash by the clean-up. */
export type CleanUpReason = "too_many" | "low_score" | "idle";

/** The parameters of `clearAllWork`. */
export interface ClearAllWorkParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The session's; the namespace's own when left out. */
  session?: string | null;
}

/** The parameters of `clearWork`. */
export interface ClearWorkParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The session's; the namespace's own when left out. */
  session?: string | null;
}

/** How much was destroyed. */
export interface Cleared {
  /** How many values. */
  cleared: number;
}

/** A clock that shows what cannot be explained. */
export interface ClockLeap {
  /** By how much it is ahead; negative if it is behind. */
  ahead_seconds: number;
  /** What it should show by the machine's uptime, or by the last time that the store was in use. */
  expected: string;
  /** What the clock shows. */
  shows: string;
}

/** The parameters of `communities`. */
export interface CommunitiesParameters {
  /** At most so many; 20 ranks or 10 groups when left out. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** A loan that the agent has. */
export interface ConfirmAsked {
  /** What the agent was given besides what the server has lent it. */
  handed_out?: string[];
  /** As the context said. */
  loan: string;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The agent's session. */
  session: string;
}

/** What counts as given. */
export interface Confirmed {
  /** How many texts are known now if they come back. */
  handed_out: number;
  loan: string;
  namespace: Namespace;
  session: string;
}

/** How two memories are connected. */
export interface Connection {
  /** Null if no edges lead from one to the other. */
  path?: Path | null;
}

/** The circumstances of an episode, as names and values of whoever tells it. */
export interface Context {
  /** In what mood: `mood`, `tone`. */
  emotional?: Record<string, string>;
  /** With whom: `with`, `team`, `audience`. */
  social?: Record<string, string>;
  /** Where: `place`, `room`, `url`. */
  spatial?: Record<string, string>;
  /** When, beyond the plain time: `part_of_day`, `season`. */
  temporal?: Record<string, string>;
}

/** A part of a context. */
export interface ContextPart {
  /** What it holds, in order, and where each thing is from. */
  given: Given[];
  /** What it holds. */
  kind: PartKind;
  /** How many things did not fit. */
  left_out: number;
  /** How many tokens it has. */
  tokens: number;
}

/** A session with what sums it up. */
export interface Conversation {
  session: Session;
  /** Null if nothing was remembered in it, or it is open, or the summary was purged. */
  summary?: Memory | null;
}

/** What happened, in numbers. */
export interface Counts {
  /** Memories that were moved to the trash because nobody used them. */
  auto_forgotten: number;
  /** Backups that were made. */
  backups: number;
  /** Times that a backup took the place of what was here. */
  backups_restored: number;
  /** Long-term memories that were moved to the trash by the clean-up. */
  cleaned_up: number;
  /** Near-duplicates that were merged. */
  consolidated: number;
  /** Pairs of statements that contradict each other. */
  contradicted: number;
  /** Memories that went to the trash or were destroyed with their namespace. */
  deleted_with_namespace: number;
  /** Memories that left a full working memory. */
  evicted: number;
  /** Memories that reached the end of their time. */
  expired: number;
  /** Memories that somebody moved to the trash. */
  forgotten: number;
  /** Memories that came from an export, a snapshot or another program. */
  imported: number;
  /** Episodes that were moved to the trash because their time was over. */
  outlived: number;
  /** Memories that others of a lower layer became, by layers. */
  promoted: PromotedCount[];
  /** Promotions that were undone. */
  promotions_undone: number;
  /** Memories that were destroyed. */
  purged: number;
  /** Questions that were answered. */
  recalled: number;
  /** Those of them for which nothing was found. */
  recalled_nothing: number;
  /** Statements that were here already. */
  repeated: number;
  /** Memories that were brought back from the trash. */
  restored: number;
  /** Memories that were changed. */
  revised: number;
  /** Sessions that ended. */
  sessions_ended: number;
  /** Sessions that began. */
  sessions_started: number;
  /** Snapshots of episodes that were taken. */
  snapshots: number;
  /** Merged memories that were split off again. */
  split: number;
  /** New memories. */
  stored: number;
  /** Statements that a newer one took the place of. */
  superseded: number;
}

/** A new key, with the secret that is told this once. */
export interface CreatedKey {
  /** The rest of it. */
  key: ApiKey;
  /** What its holder shows. Nobody can look it up again. */
  secret: string;
}

/** What happened in some days, and what is held now. */
export interface DaysTold {
  /** Whether every event of these days, up to now, is known to be counted. */
  complete: boolean;
  /** What happened. */
  counts: Counts;
  /** What should have worked and did not, the most frequent first. */
  failures: Failed[];
  /** The first day. */
  first_day: string;
  /** When the first day begins. */
  from: string;
  /** The last day. */
  last_day: string;
  /** What each namespace holds now. */
  namespaces: NamespaceStats[];
  /** How long recalls took, if any was measured. */
  recall_times?: RecallTimes | null;
  /** Who was turned away, the most frequent first. */
  refusals: TurnedAway[];
  /** Where it was looked. */
  scope: Scope;
  /** The slowest recalls, the slowest first. */
  slowest_recalls: SlowRecall[];
  /** The store as a whole, for keys that open all of it. */
  store?: StoreTold | null;
  /** The time zone in which these are days. */
  time_zone: string;
  /** When the last day ends. */
  until: string;
  /** When this was counted. */
  written_at: string;
}

/** A call that was given up. */
export interface DeadCall {
  /** When it was made. */
  at: string;
  /** How often it was tried. */
  attempts: number;
  /** How many changes it would have made. */
  changes: number;
  /** When. */
  died_at: string;
  /** What it is called by. */
  id: MemoryId;
  /** What somebody wanted. */
  operation: string;
  /** Why it was given up. */
  reason: string;
}

/** The parameters of `deleteNamespace`. */
export interface DeleteNamespaceParameters {
  namespace: Namespace;
  /** Destroy everything at once, what lies in the trash included; there is no way back. */
  purge?: boolean;
}

/** What was deleted. */
export interface Deleted {
  /** How many memories that were. */
  memories: number;
  namespace: Namespace;
  /** Whether they were destroyed; otherwise they lie in the trash. */
  purged: boolean;
  /** What still holds the words of what was destroyed. */
  still_held?: StillHeld[];
}

/** Whether what must be given once counts as given. */
export type Deliver = "look" | "once";

/** What was destroyed, and what still holds its words. */
export interface Destroyed {
  /** How many memories. */
  memories: number;
  /** Copies of what was here before, and what could not be cleaned. */
  still_held: StillHeld[];
}

/** The parameters of `dispatchWorkers`. */
export interface DispatchWorkersParameters {
  /** All that run by themselves if left out. */
  worker?: WorkerKind | null;
}

/** What the runs came to. */
export interface Dispatched {
  /** Workers that were not run because they are at work already. */
  at_work?: WorkerKind[];
  /** Workers that could not be run, and why. */
  failed?: NotRun[];
  /** Runs that ended. */
  results: WorkerReport[];
}

/** Where to draw from. */
export interface DistilAsked {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** What was drawn. */
export interface Distilled {
  namespaces: Distilling[];
}

/** What was drawn from the trajectories of a namespace. */
export interface Distilling {
  /** Patterns for which it counted how a task ended. */
  judged: PatternId[];
  /** Patterns that are new. */
  learned: PatternId[];
  /** How many patterns were joined into others. */
  merged: number;
  /** Where. */
  namespace: Namespace;
  /** Patterns that are kept for good now. */
  promoted: PatternId[];
  /** Patterns that are put aside. */
  retired: PatternId[];
  /** How many trajectories were new. */
  trajectories: number;
}

/** The parameters of `durableNotes`. */
export interface DurableNotesParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** A typed, weighted link from one memory to another of the same namespace. */
export interface Edge {
  /** When it was drawn. */
  created_at: string;
  /** Where it begins. */
  source: MemoryId;
  /** Where it ends. */
  target: MemoryId;
  /** What it says of the two. */
  type: EdgeType;
  /** How strong it is, above 0 and at most 1. */
  weight: number;
}

/** An edge to draw. */
export interface EdgeAsked {
  /** Where it begins. */
  source: MemoryId;
  /** Where it ends: another memory of the same namespace. */
  target: MemoryId;
  /** What it says of the two. */
  type: EdgeType;
  /** How strong it is; 1 when left out. */
  weight?: number | null;
}

/** What links two memories. */
export type EdgeType = "related_to" | "derived_from" | "contradicts" | "sequence" | "supersedes";

/** The edges of one memory. */
export interface Edges {
  edges: Edge[];
}

/** The parameters of `edges`. */
export interface EdgesParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The vector of one text. */
export interface Embedding {
  /** Of length one. */
  embedding: EmbeddingVector;
  /** Which of the texts, counted from 0. */
  index: number;
  /** Always `embedding`. */
  object: string;
}

/** The vectors of texts. */
export interface EmbeddingAnswer {
  data: Embedding[];
  /** The model that made them, as its space is called. */
  model: string;
  /** Always `list`. */
  object: string;
  usage: EmbeddingUsage;
}

/** How vectors are written. */
export type EmbeddingFormat = "float" | "base64";

/** Texts that are to be embedded. */
export interface EmbeddingQuestion {
  /** How many numbers a vector is to have; any other number than the model's is refused. */
  dimensions?: number | null;
  encoding_format?: EmbeddingFormat;
  input: string | string[];
  /** The model that is wanted; any other than the one at work is refused. */
  model?: string | null;
  /** Taken since clients send it, and not used. */
  user?: string | null;
}

/** How many tokens the texts have, about: models count differently. */
export interface EmbeddingUsage {
  prompt_tokens: number;
  total_tokens: number;
}

/** A vector as it is written. */
export type EmbeddingVector = number[] | string;

/** The parameters of `endSession`. */
export interface EndSessionParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** How an import came to its end. */
export type Ending = "whole" | "unmarked" | "cut" | "stopped";

/** Something to write down. */
export interface EntryAsked {
  /** Who said or did it. */
  actor?: string | null;
  /** When it happened; now when left out. */
  at?: string | null;
  /** The whole of what was observed. */
  body?: unknown;
  direction?: JournalDirection | null;
  /** What the gate decided. */
  gate?: unknown;
  /** Its id, for who brings ids along. Sent again, it changes nothing. */
  id?: EntryId | null;
  /** `message` unless said otherwise; any word will do. */
  kind?: string | null;
  /** Anything else. */
  metadata?: Record<string, unknown>;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** Whether its text is remembered too, as an episode. */
  remember?: boolean;
  /** The conversation it belongs to. */
  session?: string | null;
  /** How it went. */
  status?: JournalStatus | null;
  /** What was said; it may be empty. */
  text?: string;
  /** The turn it is part of. */
  turn?: TurnId | null;
}

/** A journal event's identity: a UUID of version 7. */
export type EntryId = string;

/** A page of the journal. */
export interface EntryPage {
  entries: JournalEntry[];
  /** For the next page, if there is one. */
  next_cursor?: JournalPosition | null;
}

/** A memory was stored. */
export interface EventStored {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "stored";
  /** Which one. */
  id: MemoryId;
  /** Where it began. */
  zone: Zone;
}

/** A repeated statement was joined into the memory that says the same. */
export interface EventRepeated {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "repeated";
  /** The memory that says it. */
  id: MemoryId;
}

/** A question was answered. */
export interface EventRecalled {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "recalled";
  /** What was handed out, the best first. */
  ids: MemoryId[];
  /** How long that took, in millionths of a second, if it was measured. */
  micros?: number | null;
  /** What was asked. */
  query: string;
}

/** A memory was changed. */
export interface EventRevised {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "revised";
  /** Which one. */
  id: MemoryId;
  /** Its version now. */
  version: number;
}

/** A memory was moved to the trash by somebody. */
export interface EventForgotten {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "forgotten";
  /** Which one. */
  id: MemoryId;
}

/** A memory was brought back from the trash. */
export interface EventRestored {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "restored";
  /** Which one. */
  id: MemoryId;
}

/** Memories were destroyed. */
export interface EventPurged {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How many. */
  count: number;
  event: "purged";
  /** Which ones, as far as they are listed. */
  ids: MemoryId[];
}

/** The orbits of a namespace were brought up to a time. */
export interface EventReorbited {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "reorbited";
  /** How many were moved to the trash. */
  forgotten: number;
  /** How many memories changed their zone. */
  moved: number;
  /** The time that the zones are those of. */
  step: string;
}

/** A memory moved nearer or further. */
export interface EventZoneChanged {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "zone_changed";
  /** Where it was. */
  from: Zone;
  /** Which one. */
  id: MemoryId;
  /** Why. */
  reason: MoveReason;
  /** Where it is. */
  to: Zone;
}

/** Memories fell outward or were forgotten because nobody used them. */
export interface EventDecayed {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How many fell outward. */
  demoted: number;
  event: "decayed";
  /** How many were moved to the trash. */
  forgotten: number;
}

/** A memory was moved to the trash because nobody used it. */
export interface EventAutoForgotten {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "auto_forgotten";
  /** Which one. */
  id: MemoryId;
  /** Whole days since it was last used. */
  idle_days: number;
}

/** A near-duplicate was merged into another memory. */
export interface EventConsolidated {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** The one that is put aside, and can be split off again. */
  absorbed: MemoryId;
  event: "consolidated";
  /** The one that stands for both. */
  survivor: MemoryId;
}

/** A merged memory was split off again. */
export interface EventSplit {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** The one that stands for itself again. */
  absorbed: MemoryId;
  event: "split";
  /** The one it had been merged into. */
  survivor: MemoryId;
}

/** A newer statement took the place of an older one. */
export interface EventSuperseded {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "superseded";
  /** The one that holds now. */
  newer: MemoryId;
  /** The one that no longer holds. */
  older: MemoryId;
}

/** Two memories contradict each other. */
export interface EventContradicted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "contradicted";
  /** The newer one. */
  first: MemoryId;
  /** The older one. */
  second: MemoryId;
}

/** Edges were drawn or replaced. */
export interface EventLinked {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "linked";
  /** Where they begin. */
  source: MemoryId;
  /** Where they end. */
  targets: MemoryId[];
}

/** Edges were taken away. */
export interface EventUnlinked {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "unlinked";
  /** Where they began. */
  source: MemoryId;
  /** Where they ended. */
  targets: MemoryId[];
}

/** A session began. */
export interface EventSessionStarted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "session_started";
  /** Its name. */
  session: string;
}

/** A session ended. */
export interface EventSessionEnded {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "session_ended";
  /** Its name. */
  session: string;
  /** The memory that sums it up, if there was anything to sum up. */
  summary?: MemoryId | null;
}

/** A namespace was moved. */
export interface EventNamespaceMoved {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "namespace_moved";
  /** What it was called. Whoever may not see that namespace is not told. */
  from?: Namespace | null;
  /** How many memories moved. */
  memories: number;
}

/** A namespace was deleted. */
export interface EventNamespaceDeleted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "namespace_deleted";
  /** How many memories that were. */
  memories: number;
  /** Whether they are destroyed rather than in the trash. */
  purged: boolean;
}

/** Somebody told which results were of use. */
export interface EventFeedbackGiven {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "feedback_given";
  /** Which were not. */
  unused: MemoryId[];
  /** Which were. */
  used: MemoryId[];
}

/** The weights of the memory function were changed. */
export interface EventWeightsChanged {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "weights_changed";
  /** Why. */
  reason: string;
  /** Which set holds now, by its number. */
  set: number;
}

/** Memories were imported. */
export interface EventImported {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** With how many edges. */
  edges: number;
  event: "imported";
  /** How many. */
  memories: number;
}

/** A strategy that worked was learned. */
export interface EventPatternLearned {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "pattern_learned";
  /** Which one. */
  pattern: PatternId;
  /** How well it works, from 0 to 1. */
  quality: number;
}

/** A pattern proved itself and is kept for long. */
export interface EventPatternPromoted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "pattern_promoted";
  /** Which one. */
  pattern: PatternId;
}

/** A pattern did not prove itself and is not offered any more. */
export interface EventPatternRetired {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "pattern_retired";
  /** Which one. */
  pattern: PatternId;
}

/** The steps of a task were recorded. */
export interface EventTrajectoryRecorded {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "trajectory_recorded";
  /** How it ended. */
  outcome: TaskOutcome;
  /** Which ones. */
  trajectory: TrajectoryId;
}

/** What recall or routing goes by was learned anew, or put back. */
export interface EventLearned {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "learned";
  /** What: `router`, `adapter`, or `adapter.trial` for one that was tried and not taken. */
  name: string;
  /** Why. */
  reason: string;
  /** Which set holds now, by its number. */
  set: number;
}

/** A background job was started. */
export interface EventWorkerDispatched {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "worker_dispatched";
  /** How much it matters: `critical`, `high`, `normal` or `low`. */
  priority: string;
  /** Which one. */
  worker: string;
}

/** A background job ended. */
export interface EventWorkerCompleted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How long it took. */
  duration_ms: number;
  event: "worker_completed";
  /** Whether it did what it should. */
  ok: boolean;
  /** Which one. */
  worker: string;
}

/** A background job found something that somebody should look at. */
export interface EventWorkerAlert {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "worker_alert";
  /** The file it is about, from the vault's folder on. */
  file?: string | null;
  /**
   * The memories it is about. Of a document that was changed as a file and as a memory: those that follow
   * the file, then those that keep the other version.
   */
  ids?: MemoryId[];
  /** What it found. */
  message: string;
  /** How much it matters. */
  severity?: Severity;
  /** Which one. */
  worker: string;
}

/** A session's notes were updated. */
export interface EventObserved {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "observed";
  /** Which session. */
  session: string;
}

/** A session's notes were condensed. */
export interface EventReflected {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "reflected";
  /** Which session. */
  session: string;
}

/** Candidates became durable notes. */
export interface EventPromoted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How many. */
  candidates: number;
  event: "promoted";
}

/** Durable notes were condensed. */
export interface EventCompacted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "compacted";
  /** How long they are now. */
  tokens: number;
}

/** A memory reached the end of its time. In working memory it is gone; elsewhere it lies in the trash. */
export interface EventExpired {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "expired";
  /** Which one. */
  id: MemoryId;
  /** Where it was. */
  layer: Layer;
}

/** A memory left a full working memory because others were used later. */
export interface EventEvicted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "evicted";
  /** Which one. */
  id: MemoryId;
}

/** Memories of one layer became one of the next. */
export interface EventLayerPromoted {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "layer_promoted";
  /** The layer they were in. */
  from: Layer;
  /** The new memory. */
  id: MemoryId;
  /** What it was made from: put aside, and able to be brought back. */
  sources: MemoryId[];
  /** The layer it is in. */
  to: Layer;
}

/** A promotion was undone. */
export interface EventPromotionUndone {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "promotion_undone";
  /** The memory that is in the trash now. */
  id: MemoryId;
  /** Those that stand for themselves again. */
  sources: MemoryId[];
}

/** An episode was moved to the trash because its time was over. */
export interface EventOutlived {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** Whole days since it was stored or imported. */
  age_days: number;
  event: "outlived";
  /** Which one. */
  id: MemoryId;
}

/** A long-term memory was moved to the trash by the clean-up. */
export interface EventCleanedUp {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "cleaned_up";
  /** Which one. */
  id: MemoryId;
  /** Why. */
  reason: CleanUpReason;
}

/** The latest episodes were written to a file. */
export interface EventSnapshotTaken {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How many. */
  episodes: number;
  event: "snapshot_taken";
  /** The file's name. */
  file: string;
}

/** A backup was written and verified. */
export interface EventBackedUp {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** What it is called. */
  backup: string;
  /** Up to which change it holds everything. */
  change: ChangeNumber;
  event: "backed_up";
}

/** A backup took the place of what was here. */
export interface EventBackupRestored {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** What it is called. */
  backup: string;
  event: "backup_restored";
  /** How many memories it holds, those in the trash included. */
  memories: number;
}

/** What happened too long ago left the journal. */
export interface EventJournalDropped {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** All of them from before this time. */
  before: string;
  /** How many journal events. */
  entries: number;
  event: "journal_dropped";
  /** How many turns. */
  turns: number;
}

/** Something that should have worked did not. */
export interface EventOperationFailed {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How often that happened since it was last told. */
  count: number;
  event: "operation_failed";
  /** What was tried. */
  operation: string;
  /** Why it failed. Never content. */
  reason: string;
}

/** A key was created. */
export interface EventKeyCreated {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "key_created";
  /** Which one. */
  key: KeyId;
  /** What it allows. */
  role: Role;
  /** Where it allows that. */
  scope: Scope;
}

/** A key was revoked. */
export interface EventKeyRevoked {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "key_revoked";
  /** Which one. */
  key: KeyId;
}

/** The store could not take writes, and they began to wait on the machine that made them. */
export interface EventWritesQueued {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  event: "writes_queued";
  /** What was the matter with the store. */
  reason: string;
}

/** Nothing waits on that machine any more. */
export interface EventQueueEmptied {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** How many were given up and wait for somebody to decide. */
  dead: number;
  event: "queue_emptied";
  /** How many calls were made that had waited. */
  replayed: number;
}

/** Somebody was not let in, or not allowed what they asked for. */
export interface EventAccessRefused {
  /** When it happened. */
  at: string;
  /** Where it happened, if in one namespace. */
  namespace?: Namespace | null;
  /** Its number. Later events of one store have higher numbers. */
  number: number;
  /** What was asked for, such as the method and the route. Never content, never a secret. */
  action: string;
  /** How often that happened since it was last told. */
  count: number;
  event: "access_refused";
  /** The key that was shown, if it is one of ours. */
  key?: KeyId | null;
  /** Why it was refused. */
  reason: string;
}

/** Something that happened. */
export type Event =
  | EventStored
  | EventRepeated
  | EventRecalled
  | EventRevised
  | EventForgotten
  | EventRestored
  | EventPurged
  | EventReorbited
  | EventZoneChanged
  | EventDecayed
  | EventAutoForgotten
  | EventConsolidated
  | EventSplit
  | EventSuperseded
  | EventContradicted
  | EventLinked
  | EventUnlinked
  | EventSessionStarted
  | EventSessionEnded
  | EventNamespaceMoved
  | EventNamespaceDeleted
  | EventFeedbackGiven
  | EventWeightsChanged
  | EventImported
  | EventPatternLearned
  | EventPatternPromoted
  | EventPatternRetired
  | EventTrajectoryRecorded
  | EventLearned
  | EventWorkerDispatched
  | EventWorkerCompleted
  | EventWorkerAlert
  | EventObserved
  | EventReflected
  | EventPromoted
  | EventCompacted
  | EventExpired
  | EventEvicted
  | EventLayerPromoted
  | EventPromotionUndone
  | EventOutlived
  | EventCleanedUp
  | EventSnapshotTaken
  | EventBackedUp
  | EventBackupRestored
  | EventJournalDropped
  | EventOperationFailed
  | EventKeyCreated
  | EventKeyRevoked
  | EventWritesQueued
  | EventQueueEmptied
  | EventAccessRefused;

/** The kinds of events, for asking only for some. */
export type EventKind =
  | "stored"
  | "repeated"
  | "recalled"
  | "revised"
  | "forgotten"
  | "restored"
  | "purged"
  | "reorbited"
  | "zone_changed"
  | "decayed"
  | "auto_forgotten"
  | "consolidated"
  | "split"
  | "superseded"
  | "contradicted"
  | "linked"
  | "unlinked"
  | "session_started"
  | "session_ended"
  | "namespace_moved"
  | "namespace_deleted"
  | "feedback_given"
  | "weights_changed"
  | "imported"
  | "pattern_learned"
  | "pattern_promoted"
  | "pattern_retired"
  | "trajectory_recorded"
  | "learned"
  | "worker_dispatched"
  | "worker_completed"
  | "worker_alert"
  | "observed"
  | "reflected"
  | "promoted"
  | "compacted"
  | "expired"
  | "evicted"
  | "layer_promoted"
  | "promotion_undone"
  | "outlived"
  | "cleaned_up"
  | "snapshot_taken"
  | "backed_up"
  | "backup_restored"
  | "journal_dropped"
  | "operation_failed"
  | "key_created"
  | "key_revoked"
  | "writes_queued"
  | "queue_emptied"
  | "access_refused";

/** A page of events, in the order of their numbers. */
export interface EventPage {
  events: Event[];
  /**
   * Give this as `after` for what follows. It is the same as before when nothing follows yet; a page may
   * be short, or even empty, and yet not the last.
   */
  next_after: number;
}

/** The parameters of `events`. */
export interface EventsParameters {
  /** Only events with a higher number, the earliest first; the latest when left out. */
  after?: number | null;
  /** Any of these; all when left out. */
  kind?: EventKind[];
  limit?: number | null;
  /**
   * A namespace, `team/*` or `*`; by default everything that the key opens. What happened in no namespace
   * is shown to those who may see everything.
   */
  scope?: Scope | null;
  since?: string | null;
  until?: string | null;
}

/** Where a score comes from. */
export interface Explanation {
  /** The words of the query that the memory holds. */
  matched: string[];
  /** What each stage brought, the largest first. The score is a logistic function of their sum. */
  parts: Part[];
}

/** The parameters of `exportGraph`. */
export interface ExportGraphParameters {
  format?: Format;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `export`. */
export interface ExportParameters {
  /** Under all of these circumstances, such as `spatial.place=office`. */
  context?: Circumstance[];
  kind?: Kind[];
  layer?: Layer[];
  /** At most so many memories, the earliest first. */
  limit?: number | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
  since?: string | null;
  speaker?: string | null;
  /** All of them. */
  tag?: string[];
  trash?: Trash;
  until?: string | null;
}

/** What will go to the trash within a week in use unless somebody uses it. */
export interface FadingAhead {
  /** When the first of them goes, if the namespace is used every day until then. */
  first_at: string;
  /** How many memories. */
  memories: number;
  /** Where. */
  namespace: Namespace;
}

/** What should have worked and did not. */
export interface Failed {
  /** How often. */
  count: number;
  /** When last. */
  last_at: string;
  /** What was tried. */
  operation: string;
  /** Why it failed. */
  reason: string;
}

/** What was asked, and what of the answer was of use. */
export interface FeedbackAsked {
  /** Where the results are from; by default it is looked up. */
  namespace?: Namespace | null;
  /** What was asked. */
  query: string;
  /** The session in which was asked. */
  session?: string | null;
  /** The results that were shown and not of use. */
  unused?: MemoryId[];
  /** The results that were of use. */
  used?: MemoryId[];
}

/** What became of feedback. */
export interface FeedbackReceipt {
  /** How many results it was kept for; what is gone meanwhile does not count. */
  judged: number;
  /** The weights that hold from now on, if they were changed by it. */
  weights?: LearnedWeights | null;
}

/** A condition of a recall, by the name that it is given by. */
export type FilterCondition =
  | "layers"
  | "kinds"
  | "tags"
  | "since"
  | "until"
  | "session"
  | "speaker"
  | "pinned"
  | "context"
  | "as_of"
  | "in_session";

/** The parameters of `findPatterns`. */
export interface FindPatternsParameters {
  /** Of this field only. */
  domain?: string | null;
  limit?: number | null;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The task, in words; all patterns if left out. */
  q?: string | null;
}

/** The parameters of `followEvents`. */
export interface FollowEventsParameters {
  /** Begins with the event that follows this number; with what happens from now on when left out. */
  after?: number | null;
  /** Any of these; all when left out. */
  kind?: EventKind[];
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** The parameters of `forgetNotes`. */
export interface ForgetNotesParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `forget`. */
export interface ForgetParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** What was destroyed. */
export interface Forgotten {
  namespace: Namespace;
  /** How many notes. */
  notes: number;
  /** How many messages that waited to become some. */
  pending: number;
  session: string;
}

/** How a graph is written. */
export type Format = "dot" | "graphml" | "json";

/**
 * Patterns, and who should take the task. Without a task, how close a pattern is to it is 0, and it is
 * recommended by how well it works.
 */
export interface FoundPatterns {
  /** What did not take part although it should have. */
  degraded?: string[];
  patterns: PatternMatch[];
  /** Who should take the task, if one was given. */
  route?: Routed | null;
}

/** What a memory gained when another was merged into it, so that it can be taken away again. */
export interface Gained {
  /** Aliases it did not have. */
  aliases?: string[];
  /** The importance it had, if the other's was higher. */
  importance_before?: Importance | null;
  /** Whether it was pinned only by the other. */
  pinned?: boolean;
  /** Tags it did not have. */
  tags?: string[];
}

/** The parameters of `getJournal`. */
export interface GetJournalParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `get`. */
export interface GetParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `getPattern`. */
export interface GetPatternParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `getSession`. */
export interface GetSessionParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `getTrajectory`. */
export interface GetTrajectoryParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `getTurn`. */
export interface GetTurnParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `getWork`. */
export interface GetWorkParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The session's; the namespace's own when left out. */
  session?: string | null;
}

/** What an agent is to be given. */
export interface GiveAsked {
  /** Whether what must be given once counts as given when it is confirmed. That takes a session. */
  deliver?: Deliver;
  /** For how long nobody else is given what is lent. */
  lease_seconds?: number | null;
  /** At which moment; `look` shows everything there is. */
  moment?: Moment;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /**
   * An id of whoever asks: asking again on the same occasion neither begins the session once more nor
   * gives again what was lost.
   */
  occasion?: string | null;
  /** What the agent was asked: memories that matter to it are among what it is given. */
  query?: string | null;
  /** The agent's session: its notes and its working memory are among what it is given. */
  session?: string | null;
  /** At most so many tokens; as configured when left out. */
  tokens_max?: number | null;
}

/** One thing that an agent is given. */
export interface Given {
  /** Where it is from. */
  from: Provenance;
  /** What it says. */
  text: string;
}

/** What an agent is given. */
export interface GivenContext {
  /** What did not take part although it should have, in words for a person. */
  degraded?: string[];
  /** When somebody else may be given the same unless it is confirmed. */
  lent_until?: string | null;
  /** The number of the loan, to be confirmed once the agent has the text. Null if nothing was lent. */
  loan?: string | null;
  /** Where it is from. */
  namespace: Namespace;
  /** Its parts, in order. */
  parts: ContextPart[];
  /** The text for the agent; empty if there is nothing to give. */
  text: string;
  /** How many tokens it has. */
  tokens: number;
  /** How many it might have had. */
  tokens_max: number;
}

/** A text from memory that an agent was given. */
export interface GivenText {
  /** When. */
  at: string;
  text: string;
}

/** What an agent was given. */
export interface GivenToSession {
  /** The earliest first. */
  given: GivenText[];
  /** Whether there were earlier ones. */
  more: boolean;
  namespace: Namespace;
  session: string;
}

/** The parameters of `givenToSession`. */
export interface GivenToSessionParameters {
  /** At most so many of the latest. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** An edge between two memories that are shown. */
export interface GraphEdge {
  /** Where it begins, by its place among the nodes. */
  source: number;
  /** Where it ends, by its place among the nodes. */
  target: number;
  /** What it says of the two. */
  type: EdgeType;
  /** How strong it is, above 0 and at most 1. */
  weight: number;
}

/** A memory in the graph. */
export interface GraphNode {
  /** The number of its group, of which 0 is the largest; none if it is alone. */
  community?: number | null;
  /** How many edges it has, shown or not. */
  degree: number;
  /** Which memory. */
  id: MemoryId;
  /** What it is. */
  kind: Kind;
  /** How its content begins: at most 120 characters, on one line. */
  label: string;
  /** How central it is; the ranks of all memories sum to 1. */
  rank: number;
  /** How near it orbits. */
  zone: Zone;
}

/** The parameters of `graph`. */
export interface GraphParameters {
  /** At most so many memories; 2000 when left out. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The graph of what is current in a namespace, as far as it is shown. */
export interface GraphPicture {
  /** How many groups of more than one memory there are. */
  communities: number;
  /** The edges between these. */
  edges: GraphEdge[];
  /** How much more weight lies inside the groups than chance would put there, from 0 to almost 1. */
  modularity: number;
  /** Where. */
  namespace: Namespace;
  /** The memories, the most central first. */
  nodes: GraphNode[];
  /** How many edges there are between them, shown or not. */
  total_edges: number;
  /** How many memories have edges, shown or not. */
  total_nodes: number;
}

/** Groups of memories. */
export interface Groups {
  /** How many groups there are of more than one memory. */
  count: number;
  /** The largest of them first. */
  groups: MemoryId[][];
  /** How much more weight lies inside the groups than chance would put there, from 0 to almost 1. */
  modularity: number;
  namespace: Namespace;
}

/** How the engine is. */
export interface Health {
  /** What is wrong with the clock, if something is: nothing fades, expires for good or is purged then. */
  clock?: ClockLeap | null;
  /** Bytes that are free on the disk, if that can be told. */
  disk_free_bytes?: number | null;
  /** Edges between memories. */
  edges: number;
  /** Whether the store in the data folder is encrypted. */
  encrypted: boolean;
  /** What will go to the trash within a week in use because nobody uses it. */
  fading?: FadingAhead[];
  /** Whether memories can be stored and recalled. */
  healthy: boolean;
  /** How many changes the indexes lack that are in memory or saved, which the next recall adds. */
  index_lag: number;
  /** What this process has written down in the journal and the store does not hold yet. */
  journal: JournalHealth;
  /** Memories outside the trash. */
  memories: number;
  /** What does not work. */
  problems: string[];
  /** What waits to be done. */
  queue: QueueHealth;
  /** Whether the folder can only be read. */
  read_only: boolean;
  /** The chores. */
  scheduler: SchedulerHealth;
  /** Whether the store answers. */
  store_reachable: boolean;
  /** Memories in the trash. */
  trashed: number;
  /** Memories that wait for a vector. */
  unembedded: number;
  /** What somebody should look at. Everything works all the same. */
  warnings: string[];
  /** How full each zone is, added up over the namespaces. */
  zones: ZoneUse[];
}

/** What was said. Told again with the same times, it is kept once. */
export interface HearAsked {
  /** What the agent was given from memory for it, which is not to be learned again. */
  handed_out?: string[];
  /** In order. */
  messages: MessageAsked[];
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** When notes are made of it. */
  observe?: ObserveWhen;
  /** Whose conversation it is. */
  user?: string | null;
}

/** What became of what was said. */
export type HeardOutcome = "kept" | "queued";

/** What became of what was said. */
export interface HeardReceipt {
  /** How many messages are kept that were not before. */
  kept: number;
  /** Where it is. */
  namespace: Namespace;
  /** What became of it. */
  outcome: HeardOutcome;
  /** How many secrets were taken out. */
  redacted: number;
  /** How many were kept before. */
  repeated: number;
  /** The conversation. */
  session: string;
  /** What was done with the notes at once, in order. */
  steps: unknown[];
  /** Why nothing could be done with the notes at once. The messages wait, and are observed later. */
  trouble?: string | null;
}

/** What working memory holds. */
export interface Held {
  /** What the session holds, the latest first. */
  items: WorkItem[];
  /** Every session that holds something. */
  sessions: WorkSession[];
}

/** What may hold the words of what was destroyed. */
export type HeldBy =
  | "backups"
  | "snapshots"
  | "server"
  | "log"
  | "handed_out"
  | "audit_log"
  | "queue"
  | "index";

/** Everything that is known of how a memory came to be what it is. */
export interface History {
  /** As it is now. */
  memory: Memory;
  /** What was merged into it, or what it was merged into. */
  merges: Merge[];
  /** What took its place, and what took the place of that, and so on. */
  replaced_by: Memory[];
  /**
   * What it took the place of, the latest first, and what those took the place of. Merged ones are not
   * here.
   */
  replaces: Memory[];
  /** What it said before its revisions, the earliest first. */
  versions: Version[];
}

/** The parameters of `history`. */
export interface HistoryParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** A memory that was recalled, and why. */
export interface Hit {
  /** Where the score comes from. */
  explanation: Explanation;
  /** The memory. */
  memory: Memory;
  /** Whether it reads like an order to an agent, which somebody may have planted. It is data all the same. */
  reads_like_order?: boolean;
  /** How relevant it seems, from 0 to 1. */
  score: number;
  /** Tokens of its content. */
  tokens: number;
}

/** The parameters of `import`. */
export interface ImportParameters {
  /** What to do with what is here; for all but append an admin is needed. */
  mode?: Mode;
  /** Only into these namespaces; by default into all that the key opens. Lines of others are refused. */
  scope?: Scope | null;
}

/** How much a memory was said to matter, from 0 to 1. */
export type Importance = number;

/** What was imported, or would be. */
export interface Imported {
  /** Memories that are new here. */
  added: number;
  /** Edges that are here now. */
  edges: number;
  /** How it came to its end. */
  ending: Ending;
  /** Journal events that are new here. */
  entries: number;
  /** Memories that were here already, by their id or by what they say. */
  known: number;
  /** Learned sets that are new here. */
  learned: number;
  /** The last line that was handled. */
  lines: number;
  /** Memories that stayed as they are because they were changed here later than in the file. */
  newer_here: number;
  /** Sets of notes, of sessions and digests, that are new here or changed what was here. */
  notes: number;
  /** Why nothing was moved to the trash although that was asked for. */
  nothing_trashed?: string | null;
  /** Patterns that are new here or replaced those with their ids. */
  patterns: number;
  /** Secrets that were taken out before anything was stored. */
  redacted?: RedactedSecret[];
  /** Lines that could not be taken, with the reason; the rest is kept. */
  refused: Array<[number, string]>;
  /** Lines that could not be taken beyond those that are listed. */
  refused_unlisted?: number;
  /** Memories that replaced those with their ids. */
  replaced: number;
  /** After which line it went on, if it had been interrupted. */
  resumed_after?: number | null;
  /** Sessions that were read. */
  sessions: number;
  /** Trajectories that are new here or replaced those with their ids. */
  trajectories: number;
  /** Memories that were moved to the trash. */
  trashed: number;
  /** Turns that are new here or replaced those with their ids. */
  turns: number;
}

/** Whether something came to the agent or from it. */
export type JournalDirection = "inbound" | "outbound";

/** One thing that was observed, said or done. It is written once and never changed. */
export interface JournalEntry {
  /** Who said or did it. */
  actor?: string | null;
  /** When it happened. */
  at: string;
  /** The whole of what was observed, as it came. */
  body?: unknown;
  /** When it was written down. */
  created_at: string;
  /** Whether it came to the agent or from it. */
  direction?: JournalDirection | null;
  /** What the gate decided, such as its action, scene, score and reasons. */
  gate?: unknown;
  /** Its identity, for good. */
  id: EntryId;
  /**
   * What sort of thing it is: `message`, `world_data`, `alert`, `control`, `schedule`, `system`, `tool`,
   * or any other word.
   */
  kind: string;
  /** Anything else. */
  metadata?: Record<string, unknown>;
  /** The one namespace it belongs to. */
  namespace: Namespace;
  /**
   * Whether its text is remembered too. Replaying the journal makes such memories anew where they are
   * missing.
   */
  remember?: boolean;
  /** The conversation it belongs to. */
  session?: string | null;
  /** How it went. */
  status?: JournalStatus | null;
  /** What was said, if anything. */
  text?: string;
  /** The turn it is part of. */
  turn?: TurnId | null;
}

/** What a process has written down and the store does not hold yet. */
export interface JournalHealth {
  /** Always 0: nothing is acknowledged from memory alone. For readers of earlier releases. */
  held: number;
  /** Journal events that wait on the disk, as far as this process has queued them. */
  queued: number;
}

/** Where the next page of the journal goes on, as the page before told it. */
export type JournalPosition = string;

/** What the journal of a namespace holds. */
export interface JournalStats {
  /** How many journal events. */
  entries: number;
  /** Journal events by kind, by name. */
  kinds: Array<[string, number]>;
  /** Which namespace. */
  namespace: Namespace;
  /** When the latest of them happened. */
  newest_at?: string | null;
  /** When the earliest of them happened. */
  oldest_at?: string | null;
  /** How many turns. */
  turns: number;
  /** Turns that have not ended. */
  turns_open: number;
}

/** The parameters of `journalStats`. */
export interface JournalStatsParameters {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** How an observation or a turn went. */
export type JournalStatus = "ok" | "error" | "timeout";

/** What the journal holds, in numbers. */
export interface JournalSummary {
  /** Journal events in the store. */
  entries: number;
  /** Each namespace by itself. */
  namespaces: JournalStats[];
  /** Turns in the store. */
  turns: number;
  /** Turns that have not ended. */
  turns_open: number;
  /** What this process has written down and the store does not hold yet. */
  waiting: JournalHealth;
}

/** What became of something that was written down. */
export type Kept = "stored" | "queued";

/** A key to create. */
export interface KeyAsked {
  /** What it is for. Names need not be unique. */
  name: string;
  /** What it allows. */
  role: Role;
  /** Where it allows that: a namespace, `team/*` or `*`; by default everything that the own key opens. */
  scope?: Scope | null;
}

/** What a key is called by: the part of it that is no secret. */
export type KeyId = string;

/** Keys, the earliest first. */
export interface Keys {
  keys: ApiKey[];
}

/** What a memory is. */
export type Kind =
  | "fact"
  | "preference"
  | "decision"
  | "procedure"
  | "episode"
  | "observation"
  | "summary"
  | "document";

/** How long recalls took, over time. */
export interface Latencies {
  /** How long each part is. */
  bucket_seconds: number;
  /** The parts, the earliest first. */
  buckets: LatencyBucket[];
  /** Whether every event since then is known. */
  complete: boolean;
  /** When the first part begins. */
  from: string;
  /** When the last part ends. It has not ended yet, so that the same parts are told by whoever asks again. */
  until: string;
}

/** The parameters of `latencies`. */
export interface LatenciesParameters {
  /** In at most so many parts of equal length; 96 when left out. */
  buckets?: number | null;
  /** So many hours back; 24 when left out. */
  hours?: number | null;
  /**
   * A namespace, `team/*` or `*`; by default everything that the key opens. Recalls over several
   * namespaces are counted for those who may see everything.
   */
  scope?: Scope | null;
}

/**
 * What happened in a part of the time. So many percent of the recalls that were measured took at most so
 * long, in millionths of a second.
 */
export interface LatencyBucket {
  /** When it begins. */
  at: string;
  /** The slowest. */
  max_micros?: number | null;
  /** Those of them that were measured. */
  measured: number;
  /** Half of these; none if there are none. */
  p50_micros?: number | null;
  /** 95 percent. */
  p95_micros?: number | null;
  /** Questions that were answered. */
  recalls: number;
  /** New memories. */
  stored: number;
}

/** How long a memory is meant to live. */
export type Layer = "working" | "episodic" | "long_term";

/** Something that was learned as a whole. */
export interface LearnedInfo {
  /** Whether it takes part. */
  active: boolean;
  /** When it was taken. */
  at: string;
  /** What: `router` or `adapter`. */
  name: string;
  /** Where. */
  namespace: Namespace;
  /** Why. */
  reason: string;
  /** The number of the set. */
  set: number;
}

/** What is learned as a whole. */
export type LearnedName = "router" | "adapter";

/** What to go back to. */
export interface LearnedRollbackAsked {
  name: LearnedName;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The number of the set; 0 is nothing learned. */
  set: number;
}

/** What was learned, the latest first. */
export interface LearnedSets {
  sets: LearnedInfo[];
}

/** The parameters of `learnedSets`. */
export interface LearnedSetsParameters {
  name: LearnedName;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** Weights of the memory function that hold in a namespace. */
export interface LearnedWeights {
  /** How much it counts how close it is to what the session is about. */
  context: number;
  /** How much it counts how lately it was used. */
  freshness: number;
  /** How much it counts how much it was said to matter. */
  importance: number;
  /** The number of the set; 0 for the configured one. */
  number: number;
  /** Why they were taken. */
  reason: string;
  /** How much it counts how often a memory was recalled. */
  recall: number;
}

/** What has been learned, in numbers, and who is at work on it. */
export interface LearningNumbers {
  /** The workers that are at work now, in whichever process. For keys that open everything. */
  active_workers?: WorkerKind[] | null;
  /** When what adapts questions last changed, in whichever of these namespaces. */
  last_adaptation_at?: string | null;
  /**
   * The last run of the worker that trains: when it tried, and what came of it. For keys that open
   * everything.
   */
  last_training?: WorkerRun | null;
  /** What recall and routing go by, where something was learned. */
  learned: LearnedInfo[];
  /** Patterns that have. */
  long_term: number;
  /** Each namespace by itself. */
  namespaces: LearningStats[];
  /** Patterns that were put aside. */
  retired: number;
  /** Patterns that have to prove themselves. */
  short_term: number;
  /** Trajectories. */
  trajectories: number;
  /** How many of them nothing was drawn from yet. */
  undistilled: number;
}

/** What a namespace has learned, in numbers. */
export interface LearningStats {
  /** Patterns that have. */
  long_term: number;
  /** Which namespace. */
  namespace: Namespace;
  /** Patterns that were put aside. */
  retired: number;
  /** Patterns that have to prove themselves. */
  short_term: number;
  /** Trajectories. */
  trajectories: number;
  /** How many of them nothing was drawn from yet. */
  undistilled: number;
}

/** The parameters of `learningStats`. */
export interface LearningStatsParameters {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** An edge as the graph keeps it: without the time it was drawn, which the store knows. */
export interface Link {
  /** Where it begins. */
  source: MemoryId;
  /** Where it ends. */
  target: MemoryId;
  /** What it says of the two. */
  type: EdgeType;
  /** How strong it is, above 0 and at most 1. */
  weight: number;
}

/** What became of an edge. */
export interface Linked {
  /** False if the memory has as many edges as it may, and all of them are stronger. */
  linked: boolean;
  source: MemoryId;
  target: MemoryId;
  type: EdgeType;
  weight: number;
}

/** The parameters of `listJournal`. */
export interface ListJournalParameters {
  actor?: string | null;
  /** As the page before said. */
  cursor?: JournalPosition | null;
  kind?: string | null;
  limit?: number | null;
  order?: Order;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
  since?: string | null;
  status?: JournalStatus | null;
  /** Words that all occur in the text, in whatever case. */
  text?: string | null;
  turn?: TurnId | null;
  until?: string | null;
}

/** The parameters of `listNamespaces`. */
export interface ListNamespacesParameters {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** The parameters of `listNoteSessions`. */
export interface ListNoteSessionsParameters {
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `list`. */
export interface ListParameters {
  /** Under all of these circumstances, such as `spatial.place=office`. */
  context?: Circumstance[];
  /** As the page before said. */
  cursor?: MemoryId | null;
  /** Only what came from this journal event. */
  entry?: EntryId | null;
  kind?: Kind[];
  layer?: Layer[];
  limit?: number | null;
  order?: Order;
  pinned?: boolean | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
  since?: string | null;
  speaker?: string | null;
  /** All of them. */
  tag?: string[];
  trashed?: Trashed;
  until?: string | null;
  zone?: Zone[];
}

/** The parameters of `listPatterns`. */
export interface ListPatternsParameters {
  domain?: string | null;
  limit?: number | null;
  /** Those that were put aside, instead of those that are offered. */
  retired?: boolean;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  term?: PatternTerm | null;
}

/** The parameters of `listSessions`. */
export interface ListSessionsParameters {
  limit?: number | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** The parameters of `listTrajectories`. */
export interface ListTrajectoriesParameters {
  agent?: string | null;
  /** As the page before said. */
  cursor?: TrajectoryId | null;
  domain?: string | null;
  limit?: number | null;
  order?: Order;
  outcome?: TaskOutcome | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
}

/** The parameters of `listTurns`. */
export interface ListTurnsParameters {
  /** As the page before said. */
  cursor?: JournalPosition | null;
  limit?: number | null;
  order?: Order;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
  since?: string | null;
  status?: JournalStatus | null;
  until?: string | null;
}

/** The parameters of `listWork`. */
export interface ListWorkParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The session's; the namespace's own when left out. */
  session?: string | null;
}

/** One call. */
export interface LlmCall {
  /** When it began. */
  at: string;
  /** Why there is no answer, if there is none. */
  error?: string | null;
  /** So many tokens were charged for what was asked... */
  input_tokens: number;
  /** Which model was asked. */
  model: string;
  /** How it ended. */
  outcome: LlmOutcome;
  /** ...and for what was answered. */
  output_tokens: number;
  /** What it was for. */
  purpose: string;
  /** How long it took, waits included; null if it has not ended. */
  took_ms?: number | null;
}

/** The parameters of `llmCalls`. */
export interface LlmCallsParameters {
  limit?: number | null;
}

/** A day of calls, UTC. */
export interface LlmDay {
  /** How many calls began. */
  calls: number;
  /** Which day, such as 2026-11-15. */
  day: string;
  /** How many tokens were spent or are reserved. */
  tokens: number;
}

/** How a call ended. */
export type LlmOutcome = "ok" | "refused" | "failed" | "unfinished";

/** What a language model was asked, and what that took. What was said is not told. */
export interface LlmUse {
  /** The latest first. */
  calls: LlmCall[];
  /** So many tokens may be spent in a day, UTC. */
  cap_tokens?: number | null;
  /** The last thirty days, the earliest first. */
  days: LlmDay[];
  /** The model that is asked; null if none is. */
  model?: string | null;
  /** What its server speaks. */
  provider?: string | null;
  /** When the next day begins. */
  resets_at?: string | null;
  /** So many are spent or reserved today. */
  spent_tokens_today: number;
}

/** The parameters of `lookAtContext`. */
export interface LookAtContextParameters {
  /** At which moment; `look` shows everything there is. */
  moment?: Moment;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** What the agent was asked: memories that matter to it are among what it is given. */
  query?: string | null;
  /** The agent's session: its notes and its working memory are among what it is given. */
  session?: string | null;
  /** At most so many tokens; as configured when left out. */
  tokens_max?: number | null;
}

/** What the chores left behind. */
export interface Maintained {
  /** Bytes on the disk: saved indexes. */
  index_bytes: number;
  /** Memories that were purged after their time in the trash. */
  purged: number;
  /** Memories that still wait for a vector. */
  unembedded: number;
}

/** Somebody who asks. */
export interface Me {
  /** The key that was shown; null if there was none. */
  key?: KeyId | null;
  /** Whether they need no key, because they sit at the machine itself. */
  local: boolean;
  /** Where requests work that name no namespace; null if they have to name one. */
  namespace?: Namespace | null;
  /** Whether nothing can be written. */
  read_only: boolean;
  /** What they may do. */
  role: Role;
  /** Where they may do it. */
  scope: Scope;
  /** The program's version. */
  version: string;
}

/** Whether a memory can be found by its meaning. */
export type Meaning = "embedded" | "pending" | "words_only";

/** One statement worth keeping. */
export interface Memory {
  /** Other names of what it is about; recall finds it by them. */
  aliases?: string[];
  /** The change that last touched it. */
  change: ChangeNumber;
  /** The statement. */
  content: string;
  /** The circumstances of an episode: when, where, in what mood, with whom. */
  context?: Context;
  /** When it was first stored. */
  created_at: string;
  /**
   * The same as the content with its structure: a value, what is known of a concept, the steps of a
   * procedure.
   */
  data?: unknown;
  /** The journal event it came from. */
  entry?: EntryId | null;
  /** From when on it must not be seen any more. */
  expires_at?: string | null;
  /** Its identity, for good. */
  id: MemoryId;
  /** How much it was said to matter. */
  importance: Importance;
  /** What it is called by in the working memory of its session. There is one of each name. */
  key?: string | null;
  /** What it is. */
  kind: Kind;
  /** How long it is meant to live. */
  layer: Layer;
  /** Anything else, untouched. */
  metadata?: Record<string, unknown>;
  /** The one namespace it belongs to. */
  namespace: Namespace;
  /** When it was said or happened, if that is known and not simply now. */
  occurred_at?: string | null;
  /** Kept near and never decayed. */
  pinned?: boolean;
  /**
   * The layer it was promoted from, by the engine or by hand. What it was made from is linked by
   * `derived_from`.
   */
  promoted_from?: Layer | null;
  /** The memory of a longer-lived layer that it became a source of. It is put aside for that one. */
  promoted_to?: MemoryId | null;
  /** Never promoted by the engine, because somebody undid that. */
  promotion_undone?: boolean;
  /** The conversation it belongs to. */
  session?: string | null;
  /** Where it came from, such as a file or a tool. */
  source?: string | null;
  /** The space of its vector, or none while it has no vector. */
  space?: SpaceId | null;
  /** Who said it. */
  speaker?: string | null;
  /** The memory that took its place. */
  superseded_by?: MemoryId | null;
  /** Words to file it under; filters ask for them. */
  tags?: string[];
  /** Since when it lies in the trash, if it does. */
  trashed_at?: string | null;
  /** What moved it to the trash, if nobody asked for it. */
  trashed_by?: TrashedBy | null;
  /** When it was last changed. */
  updated_at: string;
  /** From when on it holds, if that is known and not simply since it was said. */
  valid_from?: string | null;
  /** Until when it holds, or held. */
  valid_until?: string | null;
  /** Counts revisions, from 1. */
  version: number;
  /** How near it orbits, as of the last settled step. */
  zone?: Zone;
}

/** A memory's identity: a UUID of version 7, so that ids sort by the time they were given. */
export type MemoryId = string;

/** Why a memory is where it is. */
export interface MemoryOrbit {
  /** Which memory. */
  id: MemoryId;
  /** How it moved: at most 200 moves, the latest last. */
  moves: OrbitMove[];
  /** What the score is made of. */
  parts: OrbitPart[];
  /** Whether it never decays. */
  pinned: boolean;
  /** How often it was recalled. */
  recalls: number;
  /** The memory function's value now, from 0 to 1. */
  score: number;
  /** When it was last used, or came here. */
  used_at: string;
  /** How near it orbits, as of the last settled step. */
  zone: Zone;
}

/** The parameters of `memoryOrbit`. */
export interface MemoryOrbitParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** A page of memories. */
export interface MemoryPage {
  memories: Memory[];
  /** For the next page, if there is one. */
  next_cursor?: MemoryId | null;
}

/** That a memory was merged into another. */
export interface Merge {
  /** The one that is put aside. */
  absorbed: MemoryId;
  /** When. */
  at: string;
  /** What the survivor gained. */
  gained: Gained;
  /** The one that stands for both. */
  survivor: MemoryId;
}

/** One thing that was said. */
export interface MessageAsked {
  /** When; now when left out. Whoever tells a turn again gives the same time. */
  at?: string | null;
  role: SaidBy;
  /** Of what is too long for a memory the middle is left out; what is blank is not kept. */
  text: string;
}

/** The parameters of `migrate`. */
export interface MigrateParameters {
  /** Only tell what would happen. */
  dry_run?: boolean;
  /**
   * Where the memories go: by default the key's own namespace or the configured one. With an empty body,
   * whose memories get vectors: by default those of everything that the key opens.
   */
  namespace?: Namespace | null;
  /** The model that all vectors are of, whatever the records say. */
  vectors_are?: string | null;
}

/** What came of a migration, or would come. */
export interface MigrationReport {
  /** Those that were here before, by their id or by what they say. */
  already_there: number;
  /** How long it took. */
  duration_ms: number;
  /**
   * Of the memories of this run, those that the engine made a vector for. In a rehearsal it is not asked,
   * so that these are those that need one.
   */
  embedded: number;
  /** How it came to its end. */
  ending: Ending;
  /** Which ones failed, and why; the rest is kept. */
  errors: Array<[string, string]>;
  /** How many failed beyond those that are listed. */
  errors_unlisted: number;
  /** Those that could not be taken. */
  failed: number;
  /** Files that hold no record, such as snapshots of vectors. */
  files_passed_over: number;
  /** Those that are memories now. */
  migrated: number;
  /** Secrets that were taken out before anything was stored. */
  redacted?: RedactedSecret[];
  /** After which record it went on, if it had been interrupted. */
  resumed_after?: number | null;
  /** Of the memories of this run, those that brought weights of terms, which were left behind. */
  sparse_vectors: number;
  /** Records that were read. */
  total: number;
  /**
   * Of the memories of this run, those without a vector: the engine does not know the language, failed, in
   * which case the vector follows, or there is none.
   */
  unembedded: number;
  /** Of the memories of this run, those whose own vector was taken. */
  vectors_taken: number;
  /** Of the memories of this run, those whose own vector was of another space or damaged. */
  vectors_unusable: number;
}

/** What to do with what is here. */
export type Mode = "append" | "upsert" | "replace";

/** At which moment an agent is given something. */
export type Moment = "start" | "resumed" | "compacted" | "prompt" | "look";

/** A namespace to move. */
export interface MoveAsked {
  from: Namespace;
  to: Namespace;
}

/** Why a memory came, changed its zone, or left. */
export type MoveCause =
  | "stored"
  | "imported"
  | "restored"
  | "split"
  | "score"
  | "idle"
  | "room"
  | "forgotten"
  | "auto_forgotten"
  | "outlived"
  | "cleaned_up"
  | "expired"
  | "evicted"
  | "purged"
  | "consolidated"
  | "superseded"
  | "layer_promoted"
  | "promotion_undone"
  | "namespace_deleted";

/** Why a memory changed its zone. */
export type MoveReason = "score" | "idle" | "room";

/** What was moved from one namespace to another. */
export interface MovedNamespace {
  /** How many memories. */
  memories: number;
  /** How many of them said what a memory at the new place says already; those are in the trash there. */
  repeated: number;
}

/** A path such as `team/agent/user`: segments of letters, digits and - _ . @ : +. */
export type Namespace = string;

/** What a namespace holds. */
export interface NamespaceStats {
  /** Bytes of content outside the trash. */
  content_bytes: number;
  /** Edges between them. */
  edges: number;
  /** The last change in it. */
  head: ChangeNumber;
  /** Memories by kind. */
  kinds: Array<[Kind, number]>;
  /** Memories by layer. */
  layers: Array<[Layer, number]>;
  /** Memories that are not in the trash. */
  memories: number;
  /** Which one. */
  namespace: Namespace;
  /** Up to which time their orbits are settled. */
  settled_at?: string | null;
  /** Memories in the trash. */
  trashed: number;
  /** Memories that wait for a vector. */
  unembedded: number;
  /** Memories whose links have not been looked for. */
  unlinked: number;
  /** Memories by zone. What others took the place of takes no room. */
  zones: Array<[Zone, number]>;
}

/** Namespaces that hold anything. */
export interface Namespaces {
  namespaces: Namespace[];
}

/** One or many things to write down, together. */
export interface NewEntries {
  entries: EntryAsked[];
}

/** Several statements. */
export interface NewMemories {
  /** Stored together or not at all. */
  memories: NewMemory[];
}

/** A statement to keep. */
export interface NewMemory {
  aliases?: string[];
  /** What to keep, complete in itself. Left out, it is made from `data`. */
  content?: string;
  /** The circumstances: when, where, in what mood, with whom. */
  context?: Context;
  /** The same with its structure: any JSON, what is known of a concept, the steps of a procedure. */
  data?: unknown;
  /** The journal event it came from. */
  entry?: EntryId | null;
  expires_at?: string | null;
  /** Its id, for who brings ids along; new when left out. */
  id?: MemoryId | null;
  /** Judged from the words when left out. */
  importance?: Importance | null;
  kind?: Kind | null;
  layer?: Layer | null;
  metadata?: Record<string, unknown>;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  occurred_at?: string | null;
  pinned?: boolean;
  session?: string | null;
  source?: string | null;
  speaker?: string | null;
  tags?: string[];
  valid_from?: string | null;
  valid_until?: string | null;
}

/** A worker that could not be run. */
export interface NotRun {
  why: string;
  worker: WorkerKind;
}

/** Sessions with notes. */
export interface NoteSessions {
  namespace: Namespace;
  sessions: SessionOverview[];
  /** How many there are in all. */
  total: number;
}

/** One note. */
export interface NoteView {
  /** The day it is about. */
  date?: string | null;
  /** Whether what it asks for is done. */
  done: boolean;
  /** Its id. */
  id: string;
  /** What kind of thing it is, in a word. */
  kind?: string | null;
  /** When it was made. */
  made_at: string;
  /** What it was made from. */
  origins?: string[];
  /** How much it matters. */
  priority: Priority;
  /** Who made it. */
  source: string;
  /** What it says. */
  text: string;
}

/** The notes of a session, or the durable ones of a namespace. */
export interface NotesView {
  /** When they were last changed. */
  changed_at?: string | null;
  /** The notes, in their order. */
  notes: NoteView[];
  /** Of which session; none for the durable ones. */
  session?: string | null;
  /** How many tokens they have. */
  tokens: number;
}

/** What is held in a scope. */
export interface Numbers {
  /** Memories outside the trash. */
  memories: number;
  /** Each namespace by itself. */
  namespaces: NamespaceStats[];
  /** The store as a whole, for keys that open all of it. */
  store?: Whole | null;
  /** Memories in the trash. */
  trashed: number;
  /** Memories that wait for a vector. */
  unembedded: number;
}

/** The parameters of `observeDue`. */
export interface ObserveDueParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `observeSession`. */
export interface ObserveSessionParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** Also try again what was given up. */
  retry?: boolean;
}

/** When what was said becomes notes. */
export type ObserveWhen = "due" | "now" | "later";

/** What was done with the notes. */
export interface Observed {
  namespace: Namespace;
  /** In order; each tells its kind as `event`. */
  steps: unknown[];
}

/** A memory that came, changed its zone, or left. */
export interface OrbitMove {
  /** When. */
  at: string;
  /** Where it was; none if it was not there. */
  from?: Zone | null;
  /** Which memory. */
  id: MemoryId;
  /** Why, if that is known. */
  reason?: MoveCause | null;
  /** Where it is then; none if it is no longer there. */
  to?: Zone | null;
}

/** How the memories of a namespace moved and will move. */
export interface OrbitMoves {
  /** Whether every event since then is known. */
  complete: boolean;
  /** How far back this goes. */
  from: string;
  /** Whether some were left out because there were too many. */
  more: boolean;
  /** The moves, in the order of time. */
  moves: OrbitMove[];
  /** Where. */
  namespace: Namespace;
  /** Up to here it happened; later moves are what the rules will do if nobody uses anything. */
  now: string;
  /** How far ahead this goes. */
  until: string;
}

/** The parameters of `orbitMoves`. */
export interface OrbitMovesParameters {
  /** So many days ahead; none when left out. */
  ahead_days?: number | null;
  /** So many days back; 30 when left out. */
  days?: number | null;
  /** At most so many moves, those nearest to now; 50000 when left out. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The parameters of `orbit`. */
export interface OrbitParameters {
  /** At most so many memories; 10000 when left out. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** A term of the memory function. */
export interface OrbitPart {
  /** Which term: `recall`, `freshness`, `importance` or `context`. */
  name: string;
  /** What it adds to the score; those of all parts sum to it. */
  share: number;
  /** Its value, from 0 to 1. */
  value: number;
  /** How much it counts; the weights of all parts sum to 1. */
  weight: number;
}

/** A memory in its orbit. */
export interface OrbitingMemory {
  /** When it was first stored. */
  created_at: string;
  /** How lately it was used, from 0 to 1; 1 for what is pinned. */
  freshness: number;
  /** Which memory. */
  id: MemoryId;
  /** How much it was said to matter, from 0 to 1. */
  importance: number;
  /** What it is. */
  kind: Kind;
  /** How its content begins: at most 120 characters, on one line. */
  label: string;
  /** How long it is meant to live. Working memory keeps the zone that it began in. */
  layer: Layer;
  /** Whether it never decays. */
  pinned: boolean;
  /** How often it was recalled. */
  recalls: number;
  /** The memory function's value now, from 0 to 1. */
  score: number;
  /** When it was last used, or came here. */
  used_at: string;
  /** How near it orbits, as of the settled time. */
  zone: Zone;
}

/** How full a zone is. */
export interface OrbitingZone {
  /** How many fit into it; none if there is no bound. */
  capacity?: number | null;
  /** How many memories are in it. */
  memories: number;
  /** Which zone. */
  zone: Zone;
}

/** The orbits of a namespace at one time. */
export interface Orbits {
  /** The memories, the nearest first: by zone, then by score. */
  bodies: OrbitingMemory[];
  /** Where. */
  namespace: Namespace;
  /** The time that the zones are those of; none if they were never settled. */
  settled_at?: string | null;
  /** How many memories there are, shown or not. */
  total: number;
  /** Every zone, the nearest first. */
  zones: OrbitingZone[];
}

/** In which order to list. */
export type Order = "newest_first" | "oldest_first";

/** What was done with a statement. */
export type Outcome = "stored" | "merged" | "queued";

/** The parameters of `pagerank`. */
export interface PagerankParameters {
  /** At most so many; 20 ranks or 10 groups when left out. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** What one stage brought to a score. */
export interface Part {
  /** The stage. */
  stage: Stage;
  /** Its share of the sum; negative when it speaks against the memory. */
  value: number;
}

/** What a part of a context holds. */
export type PartKind =
  | "durable_notes"
  | "session_notes"
  | "earlier_session"
  | "memories"
  | "patterns"
  | "working_memory";

/** A way from one memory to another. */
export interface Path {
  /** The edges between them, in the same order; one fewer than the memories. */
  links: Link[];
  /** The memories on the way, both ends included. */
  nodes: MemoryId[];
  /** The product of the weights. */
  strength: number;
}

/** The parameters of `path`. */
export interface PathParameters {
  from: MemoryId;
  /** Where both are looked for; by default everywhere that the key opens. */
  namespace?: Namespace | null;
  to: MemoryId;
}

/** A strategy that worked. */
export interface Pattern {
  /** Who should do it, if that is known. */
  agent?: string | null;
  /** When it was learned. */
  created_at: string;
  /** The field it belongs to, such as `security`, `testing` or `general`. */
  domain: string;
  /** Its identity, for good. */
  id: PatternId;
  /** The one namespace it belongs to. */
  namespace: Namespace;
  /** How well it works, from 0 to 1. */
  quality: number;
  /**
   * When it was put aside because it did not prove itself. It is not offered any more, and can be brought
   * back.
   */
  retired_at?: string | null;
  /** The trajectories it was drawn from; none if somebody told it. */
  sources?: TrajectoryId[];
  /** What to do, in words. */
  strategy: string;
  /** How often that succeeded. */
  successes?: number;
  /** How long it is meant to be kept. */
  term?: PatternTerm;
  /** When it was last followed. */
  used_at?: string | null;
  /** How often it was followed. */
  uses?: number;
}

/** A strategy to keep. */
export interface PatternAsked {
  /** Who should do it. */
  agent?: string | null;
  /** The field it belongs to; found by its words if left out. */
  domain?: string | null;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** How well it works; in the middle if nobody says. */
  quality?: number | null;
  /** What to do, in words. */
  strategy: string;
}

/** A pattern's identity: a UUID of version 7. */
export type PatternId = string;

/** A pattern that matters to a task. */
export interface PatternMatch {
  /** The pattern. */
  pattern: Pattern;
  /** How much it is recommended, from 0 to 1: how close it is, how well it works and how lately it did. */
  score: number;
  /** How close it is to the task, from 0 to 1. */
  similarity: number;
}

/** What was done with a pattern. */
export type PatternOutcome = "stored" | "merged" | "queued";

/** What became of a strategy that was to be kept. */
export interface PatternReceipt {
  /** What was done. */
  outcome: PatternOutcome;
  /** The pattern as it is now. */
  pattern: Pattern;
}

/** How long a pattern is meant to be kept. */
export type PatternTerm = "short" | "long";

/** Patterns. */
export interface Patterns {
  patterns: Pattern[];
}

/** How much a note matters. The least comes first. */
export type Priority = "low" | "medium" | "high";

/** The answer to a request that could not be served. */
export interface Problem {
  /** What happened. */
  detail: string;
  /** What to do about it. */
  hint?: string | null;
  /** Which of several things that were asked for it is about, counted from 0. */
  indexes?: number[];
  /** The namespaces of the caller that hold what was asked for, where it is not clear which is meant. */
  namespaces?: Namespace[];
  /** The request's id, as in the log. */
  request_id?: string | null;
  /** The status. */
  status: number;
  /** The kind in words. */
  title: string;
  /** What kind of problem it is; stable, for programs. */
  type: string;
}

/** Which program answers. */
export interface Program {
  name: string;
  version: string;
}

/** What to promote, and to where. */
export interface PromoteAsked {
  /** The next longer one when left out. */
  to?: Layer | null;
  /** Others that say the same and become the same memory. */
  together_with?: MemoryId[];
}

/** The parameters of `promote`. */
export interface PromoteParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `promotePattern`. */
export interface PromotePatternParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** What memories were promoted to. */
export interface Promoted {
  /** The new memory, or the one that said the same already. */
  memory: Memory;
  /** What it was made from: put aside, linked by `derived_from`, and able to be brought back. */
  sources: MemoryId[];
}

/** How many memories were promoted from one layer to another. */
export interface PromotedCount {
  /** The layer that they came from. */
  from: Layer;
  /** How many new memories. */
  memories: number;
  /** How many they were made from. */
  sources: number;
  /** The layer that they came to. */
  to: Layer;
}

export interface Provenance1Note {
  /** Which one: `n17` of a session, or `d4` of the digest. */
  id: string;
  /** The journal entries, memories and notes it was made from. */
  origins?: string[];
  /** Of which session; none for the digest. */
  session?: string | null;
}

/** A note. */
export interface Provenance1 {
  note: Provenance1Note;
}

export interface Provenance2Memory {
  /** Which one. */
  id: MemoryId;
  /** How relevant it seems, if something was asked. */
  score?: number | null;
}

/** A memory. */
export interface Provenance2 {
  memory: Provenance2Memory;
}

export interface Provenance3Pattern {
  /** Which one: whoever records that it was followed names it. */
  id: PatternId;
  /** How much it is recommended. */
  score: number;
}

/** A pattern. */
export interface Provenance3 {
  pattern: Provenance3Pattern;
}

export interface Provenance4Work {
  /** Under which key. */
  key?: string | null;
}

/** A value of working memory. */
export interface Provenance4 {
  work: Provenance4Work;
}

/** Where something that an agent is given is from. */
export type Provenance = Provenance1 | Provenance2 | Provenance3 | Provenance4;

/** What to destroy. */
export interface PurgeAsked {
  /** Only what was moved to the trash before; everything when left out. */
  before?: string | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** The parameters of `purge`. */
export interface PurgeParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** What was destroyed. */
export interface Purged {
  /** How many memories. */
  purged: number;
  /** What still holds their words. */
  still_held: StillHeld[];
}

/** A question and where to look for answers. */
export interface Question {
  /** Answers with what held then. */
  as_of?: string | null;
  /** Under all of these circumstances, such as `spatial.place=office`. */
  context?: Circumstance[];
  /**
   * Prefers what belongs to the conversation of this name, and leaves out the working memory of others.
   * What it is given is not learned again from it.
   */
  in_session?: string | null;
  kinds?: Kind[];
  layers?: Layer[];
  /** How many results; as configured when left out. */
  limit?: number | null;
  pinned?: boolean | null;
  query: string;
  /** Nothing counts as used and no event is told: for people who look, other than agents who use it. */
  quiet?: boolean;
  /** Namespaces, `team/*` or `*`; by default everything that the key opens. */
  scopes?: Scope[];
  /** Leaves out what scores less. */
  score_min?: number | null;
  session?: string | null;
  since?: string | null;
  speaker?: string | null;
  /** All of them. */
  tags?: string[];
  /** At most so many tokens of content in all results together. */
  tokens_max?: number | null;
  until?: string | null;
  /** Stages to switch off, to see what they bring. */
  without?: Stage[];
}

/** What waits, and what was given up. */
export interface Queue {
  /** What was given up. */
  dead: DeadCall[];
  /** What waits, in the order it will be made. */
  queued: QueuedCall[];
  /** In figures. */
  status: QueueStatus;
}

/** What waits to be done. */
export interface QueueHealth {
  /** Writes that were given up and wait for somebody to decide. */
  dead_writes: number;
  /** Whether the disk of the queue is full, so that no write can wait. */
  disk_full: boolean;
  /** Events that wait for the audit log. */
  events: number;
  /** Events that were dropped because the log could not be written for too long. */
  events_lost: number;
  /** When the first of those was made. */
  oldest_write_at?: string | null;
  /** Writes that had waited and were made by this process. */
  replayed_writes: number;
  /** Memories whose links have not been looked for. */
  unlinked: number;
  /** Writes that wait on this machine because the store cannot take them. */
  writes: number;
}

/** The parameters of `queue`. */
export interface QueueParameters {
  /** At most so many of each. */
  limit?: number | null;
}

/** What waits on this machine for the store, of all processes. */
export interface QueueStatus {
  /** How often the first one was tried. */
  attempts: number;
  /** Bytes that they take on the disk. */
  bytes: number;
  /** Records that could not be read and were put aside. */
  damaged: number;
  /** Calls that were given up and wait for somebody to decide. */
  dead: number;
  /** Calls that wait. */
  depth: number;
  /**
   * Whether the disk that the queue lies on has no room: what the store cannot take is then refused as not
   * kept.
   */
  disk_full: boolean;
  /** Why it could not be made. */
  last_error?: string | null;
  /** When the first one is tried again. */
  next_try?: string | null;
  /** When the first of them was made. */
  oldest_at?: string | null;
  /** Calls that this process made out of the queue since it began. */
  replayed: number;
  /** Why this process could not write the queue's files last; none once it can. */
  trouble?: string | null;
}

/** A call that waits. */
export interface QueuedCall {
  /** When it was made. */
  at: string;
  /** How often it was tried. */
  attempts: number;
  /** How many changes it makes. */
  changes: number;
  /** What it is called by. */
  id: MemoryId;
  /** Why that failed. */
  last_error?: string | null;
  /** When it is tried again. */
  next_try?: string | null;
  /** What somebody wanted. */
  operation: string;
}

/** How central a memory is. */
export interface Rank {
  id: MemoryId;
  /** Its share; those of all memories sum to 1. */
  rank: number;
}

/** Memories by how central they are. */
export interface Ranks {
  namespace: Namespace;
  ranks: Rank[];
}

/** Whether requests can be served. */
export interface Ready {
  ready: boolean;
}

/** How long recalls took, in millionths of a second: so many percent took at most so long. */
export interface RecallTimes {
  /** The slowest. */
  max_micros: number;
  /** How many were measured. */
  measured: number;
  /** Half of them. */
  p50_micros: number;
  /** 90 percent. */
  p90_micros: number;
  /** 95 percent. */
  p95_micros: number;
  /** 99 percent. */
  p99_micros: number;
}

/** What a recall found, the best first. */
export interface Recalled {
  /** Whether the question was adapted by what feedback has taught. */
  adapted?: boolean;
  /** How many of those were left out because they were not relevant enough. */
  below_floor: number;
  /** How many memories were weighed. */
  considered: number;
  /** What did not take part although it should have, in words for a person. */
  degraded?: string[];
  /** The memories, the best first. Empty means that nothing is relevant. */
  hits: Hit[];
  /** Where was looked. */
  namespaces: Namespace[];
  /** How many relevant ones were left out because of the token budget. */
  over_budget: number;
  /** Strategies that worked for such tasks, the best first. */
  patterns?: PatternMatch[];
  /** What was understood of the query's words for time, such as "yesterday", in their order. */
  times?: UnderstoodTime[];
}

/**
 * What became of a statement. When it says stored or merged, it is in the store; when it says queued, it
 * is on the disk of this machine and on its way there.
 */
export interface Receipt {
  /**
   * The statement as it was given, where it says nearly the same as the memory: put aside, and able to be
   * split off again.
   */
  absorbed?: MemoryId | null;
  /** The change that stored it; zero while it is queued. */
  change: ChangeNumber;
  /** Memories that cannot be true together with this one. */
  contradicts?: MemoryId[];
  /** The memory that holds it. */
  id: MemoryId;
  /** Whether it can be found by its meaning. */
  meaning: Meaning;
  /** Where that is. */
  namespace: Namespace;
  /** What was done. */
  outcome: Outcome;
  /** Secrets that were taken out before it was stored. */
  redacted?: RedactedSecret[];
  /** Memories that no longer hold, because this one gives a new value. */
  superseded?: MemoryId[];
}

/** One receipt for each statement, in their order. */
export interface Receipts {
  receipts: Receipt[];
}

/** The latest entries. */
export interface RecentEntries {
  /** The journal events, the latest first. */
  entries: JournalEntry[];
  /**
   * Why some may be missing, if so: the store cannot be read, and these are those that this process
   * remembers.
   */
  missing?: string | null;
}

/** The parameters of `recentJournal`. */
export interface RecentJournalParameters {
  limit?: number | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
  session?: string | null;
}

/** A sort of secret that was taken out, and how many of it. */
export interface RedactedSecret {
  /** How many there were. */
  count: number;
  /** What it looked like, such as `github-token`. */
  kind: string;
}

/** Where to reorbit. */
export interface ReorbitAsked {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** What a reorbit did. */
export interface Reorbited {
  /** Memories that went to the trash because nobody used them. */
  forgotten: number;
  /** Memories that were looked at. */
  memories: number;
  /** How often a memory changed its zone. */
  moved: number;
  /** Namespaces that were brought up to date. */
  namespaces: Namespace[];
  /** The time that the zones are those of. */
  step?: string | null;
}

/** How a session went. */
export interface Replay {
  namespace: Namespace;
  session: string;
  /** What was said, in order. */
  spoken: Spoken[];
}

/** What to try again. */
export interface ReplayAsked {
  /** Of what was given up, only this one. */
  id?: MemoryId | null;
}

/** The parameters of `replaySession`. */
export interface ReplaySessionParameters {
  /** At most so many of the latest. */
  limit?: number | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** What is tried again. */
export interface Replayed {
  /** How many were given up and wait again. */
  revived: number;
  /** What waits now. */
  status: QueueStatus;
}

/** The parameters of `report`. */
export interface ReportParameters {
  /** The last day, in the server's time zone; today when left out. */
  date?: string | null;
  /** So many days up to that one; 1 when left out. */
  days?: number | null;
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** What is taken on the disk, in bytes. */
export interface ReportedDisk {
  /** Backups in the data folder. */
  backup_bytes: number;
  /** The database and its log. */
  database_bytes: number;
  /** Saved indexes, which can be deleted at any time. */
  index_bytes: number;
  /** The audit log. */
  log_bytes: number;
  /** Notes in files. */
  notes_bytes: number;
  /** Calls that wait for the store. */
  queue_bytes: number;
  /** Reports like this one. */
  report_bytes: number;
  /** Snapshots of episodes. */
  snapshot_bytes: number;
  /** The vault, if it lies in the data folder under its usual name. */
  vault_bytes: number;
}

/** The parameters of `restore`. */
export interface RestoreParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `restorePattern`. */
export interface RestorePatternParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** The parameters of `retirePattern`. */
export interface RetirePatternParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** A loan that the agent did not get. */
export interface ReturnAsked {
  /** As the context said. */
  loan: string;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The agent's session. */
  session: string;
}

/** The parameters of `revise`. */
export interface ReviseParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** A memory after a revision. */
export interface Revised {
  /** As it is now. */
  memory: Memory;
  /** Secrets that were taken out of what was given. */
  redacted?: RedactedSecret[];
}

/** What the holder of a key may do. Each may do what the ones before it may. */
export type Role = "reader" | "writer" | "admin";

/** The set to go back to. */
export interface RollbackAsked {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** The number of the set; 0 is the configured one. */
  number: number;
}

/** A task to route. */
export interface RouteAsked {
  /** Whose outcomes are gone by; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** What is to be done. */
  task: string;
}

/** Who should take a task, and why. */
export interface Routed {
  /** Who should. */
  agent: string;
  /** Who else might, the most probable first. */
  alternatives: Alternative[];
  /** The probability that this is right, from 0 to 1. */
  confidence: number;
  /** What did not take part although it should have, in words for a person. */
  degraded?: string[];
  /** The field it belongs to. */
  domain: string;
  /** From how many outcomes was learned. */
  outcomes: number;
  /** Strategies that worked for such tasks, the best first. */
  patterns?: PatternMatch[];
  /** Why, in one sentence. */
  reasoning: string;
  /** Why, point by point. */
  reasons: string[];
}

/** How a run ended. */
export type RunStatus = "done" | "failed" | "unavailable" | "cancelled" | "timed_out";

/** Where a worker is at work. */
export type Running = "no" | "here" | "elsewhere";

/** Who said something. */
export type SaidBy = "user" | "assistant" | "system" | "tool";

/** What the sample holds. */
export interface SampleLoaded {
  /** How many edges between them. */
  edges: number;
  /** How many memories. */
  memories: number;
  /** Where it is. */
  namespace: Namespace;
  /** How many patterns that were drawn from them and are in use. */
  patterns: number;
  /** How many sessions. */
  sessions: number;
  /** How many tasks that were recorded. */
  trajectories: number;
}

/** What was removed. */
export interface SampleRemoved {
  /** How many memories are still there, because they did not come with it or were revised since. */
  kept: number;
  /** How many memories, those in the trash included. */
  memories: number;
  /** Where it was. */
  namespace: Namespace;
}

/** Whether the sample is loaded. */
export interface SampleStatus {
  /** Whether it is there, wholly or in part. */
  loaded: boolean;
  /** How many memories its namespace has. */
  memories: number;
  /** Where it is, or would be. */
  namespace: Namespace;
  /**
   * How many memories there did not come with it, those in the trash included. They stay when it is
   * removed.
   */
  own: number;
}

/** The chores. */
export interface SchedulerHealth {
  /** Whether a process is at it. */
  running: boolean;
  /** Up to which time all orbits are settled; none if some have never been. */
  settled_at?: string | null;
}

/** Where to look: a namespace, a namespace with all below it (`team/*`), or everything (`*`). */
export type Scope = string;

/** One conversation. */
export interface Session {
  /** When it ended; open while there is none. */
  ended_at?: string | null;
  /** Its name, unique there. */
  name: string;
  /** Where it takes place. */
  namespace: Namespace;
  /** When it began. */
  started_at: string;
  /** The memory that sums it up. */
  summary?: MemoryId | null;
}

/** The parameters of `sessionNotes`. */
export interface SessionNotesParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** A session that notes were made of, or will be. */
export interface SessionOverview {
  /** How many could not be observed, however often it was tried. They are kept. */
  aside: number;
  /** When the first note was made. */
  created_at?: string | null;
  /** How many notes it has... */
  notes: number;
  /** How often it was observed. */
  observations: number;
  /** When it was last observed. */
  observed_at?: string | null;
  /** How many messages wait to be observed. */
  pending: number;
  /** Its name. */
  session: string;
  /** ...with how many tokens. */
  tokens: number;
  /** What went wrong and is tried again, in words. */
  troubles?: string[];
  /** Whose it is, if somebody said so. */
  user?: string | null;
}

/** Sessions, the latest first. */
export interface Sessions {
  sessions: Session[];
}

/** A value to hold. */
export interface SetAsked {
  /** What matters becomes an episode when it leaves. Judged from the words when left out. */
  importance?: Importance | null;
  kind?: Kind | null;
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** In which session's; in the namespace's own when left out. */
  session?: string | null;
  /** How long it stays; 0 means no end, and as configured when left out. */
  ttl_seconds?: number | null;
  /** A text, or any JSON but null. */
  value: string | number | boolean | Record<string, unknown> | unknown[];
}

/** How much an alert of a worker matters. */
export type Severity = "info" | "warning" | "critical";

/** A recall that took long. */
export interface SlowRecall {
  /** When. */
  at: string;
  /** How long it took, in millionths of a second. */
  micros: number;
  /** Where, if in one namespace. */
  namespace?: Namespace | null;
  /** What was asked, as it is in the audit log. */
  query: string;
  /** How many memories were handed out. */
  results: number;
}

/** A snapshot that was taken. */
export interface SnapshotInfo {
  /** When it was taken. */
  at: string;
  /** How large it is. */
  bytes: number;
  /** How many episodes it holds. */
  episodes: number;
  /** The file's name, by which it is restored. */
  file: string;
}

/** The snapshots that there are. */
export interface SnapshotList {
  /** The latest first. */
  snapshots: SnapshotInfo[];
}

/** What was written. */
export interface SnapshotTaken {
  /** None if no episode has changed since the last one. */
  snapshot?: SnapshotInfo | null;
}

/** One embedding model's vector space. Vectors of two spaces are never compared. */
export interface SpaceId {
  /** How many dimensions its vectors have. */
  dimensions: number;
  /** The model, with everything that changes its output, such as a revision. */
  model: string;
}

/** The parameters of `split`. */
export interface SplitParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** Something that was said in a session, and what was noted of it. */
export interface Spoken {
  /** What was said. */
  entry: JournalEntry;
  /** The notes that were made of it. */
  notes: NoteView[];
}

/** One source of evidence, or one thing done with it. Each can be switched off. */
export type Stage =
  | "words"
  | "meaning"
  | "neighbours"
  | "session"
  | "speaker"
  | "dates"
  | "graph"
  | "typos"
  | "floor"
  | "adaptation";

/** What one stage says of a memory, beside all others that were weighed. */
export interface StagePlace {
  /** Among so many. */
  of: number;
  /** The memory's place, from 1, if only this stage counted. Those with the same share have the same place. */
  place: number;
  /** The stage. */
  stage: Stage;
  /** Its share of the sum; negative when it speaks against the memory. */
  value: number;
}

/** A session to begin. */
export interface StartAsked {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** Its name. */
  session: string;
}

/** The parameters of `stats`. */
export interface StatsParameters {
  /** A namespace, `team/*` or `*`; by default everything that the key opens. */
  scope?: Scope | null;
}

/** A memory that a walk came to. */
export interface Step {
  /** How many edges it is away from the nearest start. */
  depth: number;
  /** The memory. */
  id: MemoryId;
  /** The product of the weights on that way. */
  strength: number;
  /** The last edge on the strongest of the shortest ways to it. */
  via: Link;
}

/** One step of a task. */
export interface StepAsked {
  /** How sure whoever did it was; entirely if nobody says. */
  confidence?: number | null;
  /** How long it took. */
  duration_ms?: number;
  /** What was done, such as the call of a tool. */
  input: string;
  /** What came of it. */
  output?: string;
}

/** Something that still holds what was destroyed. */
export interface StillHeld {
  /** What it is. */
  by: HeldBy;
  /** Which, and until when, for a person. */
  detail: string;
}

/** The store as a whole and its audit log. */
export interface StoreTold {
  /** What is taken on the disk now. */
  disk: ReportedDisk;
  /**
   * Events that were lost since the store was made, because the audit log could not be written for too
   * long.
   */
  events_lost: number;
  /** Events that wait for the audit log now. */
  events_waiting: number;
  /** Why not every event is known to be counted, and what else somebody should know. */
  notes: string[];
}

/** What became of memories whose time in their layer was over. */
export interface Swept {
  /** Long-term memories moved to the trash by the clean-up. */
  cleaned_up: number;
  /** Gone from working memory. */
  expired: number;
  /** Episodes moved to the trash because their time was over. */
  outlived: number;
  /** Moved on to the next layer because they matter. */
  promoted: number;
  /** Moved to the trash because they had expired elsewhere. */
  trashed: number;
}

/** How a task ended. */
export type TaskOutcome = "success" | "partial" | "failure";

/** Where a memory came from, and what else came from there. */
export interface Trace {
  /** That journal event, if the journal still holds it. */
  entry?: JournalEntry | null;
  /** The journal event it came from, by its id, if it says so. */
  entry_id?: EntryId | null;
  /** All memories that came from that journal event. */
  memories: Memory[];
  /** The memory that was asked about, if one was. */
  memory?: Memory | null;
  /** The turn that it is part of. */
  turn?: Turn | null;
}

/** The parameters of `traceMemory`. */
export interface TraceMemoryParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** Whose router and adapter to train. */
export interface TrainAsked {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** What training came to. What is left out had nothing new to learn from. */
export interface Trained {
  adapter?: AdapterTrial | null;
  router?: TrainedRouter | null;
}

/** What training a router came to. */
export interface TrainedRouter {
  /** Everybody who can be routed to. */
  agents: string[];
  /** From how many outcomes was learned. */
  outcomes: number;
  /** The number of the set that holds now. */
  set: number;
}

/** The recorded steps of one task. It is written once; only whether something was drawn from it changes. */
export interface Trajectory {
  /** Who did it, such as `tester`. */
  agent?: string | null;
  /** When it ended. */
  at: string;
  /** When patterns were last drawn from it; none if they are still to be. */
  distilled_at?: string | null;
  /** The field it belongs to, such as `security`, `testing` or `general`. */
  domain: string;
  /** How long it took. */
  duration_ms: number;
  /** Its identity, for good. */
  id: TrajectoryId;
  /** The one namespace it belongs to. */
  namespace: Namespace;
  /** How it ended. */
  outcome: TaskOutcome;
  /** The patterns that were followed. */
  patterns?: PatternId[];
  /** The conversation it belongs to. */
  session?: string | null;
  /** What was done, in order. */
  steps?: TrajectoryStep[];
  /** What was to be done. */
  task: string;
  /** The turn of the journal it was made from. */
  turn?: TurnId | null;
}

/** A task to record. */
export interface TrajectoryAsked {
  /** Who did it. */
  agent?: string | null;
  /** When it ended; now when left out. */
  at?: string | null;
  /** The field it belongs to; found by its words if left out. */
  domain?: string | null;
  /** How long it took; what its steps took together when left out. */
  duration_ms?: number | null;
  /** Its id, for who brings ids along. */
  id?: TrajectoryId | null;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** How it ended. */
  outcome: TaskOutcome;
  /** The patterns that were followed. */
  patterns?: PatternId[];
  /** The conversation it belongs to. */
  session?: string | null;
  /** What was done, in order. */
  steps?: StepAsked[];
  /** What was to be done. */
  task: string;
  /** The turn it was made from. */
  turn?: TurnId | null;
}

/** A trajectory's identity: a UUID of version 7. */
export type TrajectoryId = string;

/** A page of recorded tasks. */
export interface TrajectoryList {
  /** For the next page, if there is one. */
  next_cursor?: TrajectoryId | null;
  trajectories: Trajectory[];
}

/** What became of a task that was to be recorded. */
export interface TrajectoryReceipt {
  /** The field it belongs to. */
  domain: string;
  /** The trajectory. */
  id: TrajectoryId;
  /** Where it is. */
  namespace: Namespace;
  /** Stored; merged if it was recorded before; or queued until the store answers. */
  outcome: Outcome;
  /** Secrets that were taken out before anything was written. */
  redacted?: RedactedSecret[];
}

/** One step of a task. */
export interface TrajectoryStep {
  /** How sure whoever did it was, from 0 to 1. */
  confidence?: number;
  /** How long it took. */
  duration_ms?: number;
  /** What was done, such as the call of a tool. */
  input: string;
  /** What came of it. */
  output?: string;
}

/** Whether what lies in the trash is exported. */
export type Trash = "with" | "without";

/** Which side of the trash to list. */
export type Trashed = "without" | "only";

/** What moves memories to the trash without being asked. */
export type TrashedBy = "decay" | "retention" | "limits" | "expiry";

/** One call of an agent, from what set it off to what came of it. */
export interface Turn {
  /** What went wrong. */
  error?: string | null;
  /** When it ended; open while there is none. */
  finished_at?: string | null;
  /** Its identity, for good. */
  id: TurnId;
  /** The journal event that set it off. */
  input?: EntryId | null;
  /** Anything else. */
  metadata?: Record<string, unknown>;
  /** The one namespace it belongs to. */
  namespace: Namespace;
  /** The journal event that it ended with. */
  output?: EntryId | null;
  /** What it ended with, in words. */
  output_text?: string | null;
  /** What the agent meant to do. */
  plan?: unknown;
  /** The conversation it belongs to. */
  session?: string | null;
  /** When it began. */
  started_at: string;
  /** How it went; none while it is open. */
  status?: JournalStatus | null;
  /** The tools it called, in order. */
  tool_calls?: unknown[];
  /** What they answered, in order. */
  tool_results?: unknown[];
}

/** A turn to begin. */
export interface TurnAsked {
  /** Its id, for who brings ids along. */
  id?: TurnId | null;
  /** The journal event that sets it off. */
  input?: EntryId | null;
  /** Anything else. */
  metadata?: Record<string, unknown>;
  /** Where; by default where the key points, or else as configured. */
  namespace?: Namespace | null;
  /** What the agent means to do. */
  plan?: unknown;
  /** The conversation it belongs to. */
  session?: string | null;
  /** When it began; now when left out. */
  started_at?: string | null;
}

/** What to tell of a turn; what is left out stays. */
export interface TurnChanges {
  /** What went wrong. A status of `ok` takes it away. */
  error?: string | null;
  /** When it ended; now when left out. It counts only together with a status. */
  finished_at?: string | null;
  /** Added to what was told before. */
  metadata?: Record<string, unknown>;
  /** The journal event that it ended with. */
  output?: EntryId | null;
  /** What it ended with, in words. */
  output_text?: string | null;
  /** What the agent meant to do, in place of what was told before. */
  plan?: unknown;
  /** This finishes the turn. */
  status?: JournalStatus | null;
  /** The tools it called, in place of all that were told before. */
  tool_calls?: unknown[] | null;
  /** What they answered, in place of all that were told before. */
  tool_results?: unknown[] | null;
}

/** A turn's identity: a UUID of version 7. */
export type TurnId = string;

/** A turn as it is now, and what became of it. */
export interface TurnReceipt {
  /** Secrets that were taken out before anything was written. */
  redacted?: RedactedSecret[];
  /** What became of what was told. */
  state: Kept;
  /** The turn. */
  turn: Turn;
}

/** A turn with what happened in it. */
export interface TurnWithEntries {
  /** Its journal events, the earliest first: what set it off, what happened in it, what it ended with. */
  entries: JournalEntry[];
  /** Whether there are more than are listed. */
  more?: boolean;
  /** The turn. */
  turn: Turn;
}

/** Somebody who was turned away. */
export interface TurnedAway {
  /** What was asked for. */
  action: string;
  /** How often. */
  count: number;
  /** The key that was shown, if it is one of ours. */
  key?: KeyId | null;
  /** When last. */
  last_at: string;
  /** Why it was refused. */
  reason: string;
}

/** A page of turns. */
export interface TurnsPage {
  /** For the next page, if there is one. */
  next_cursor?: JournalPosition | null;
  turns: Turn[];
}

/** Words of a query that speak of a time by its distance, and which time that is. */
export interface UnderstoodTime {
  /** The first moment, which is the beginning of a day in the asker's time zone. */
  from: string;
  /** The words as they were written. */
  text: string;
  /** The end, which is the beginning of the day after the last one. */
  until: string;
}

/** The parameters of `undoPromotion`. */
export interface UndoPromotionParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** A promotion that was undone. */
export interface Undone {
  /** Those that stand for themselves again. The engine does not promote them any more by itself. */
  sources: Memory[];
}

/** The parameters of `unlink`. */
export interface UnlinkParameters {
  /** Where they begin. */
  source: MemoryId;
  /** Where they end. */
  target: MemoryId;
  /** Only the edge of this type; of every type when left out. */
  type?: EdgeType | null;
}

/** How many edges were taken away. */
export interface Unlinked {
  unlinked: number;
}

/** The parameters of `updateTurn`. */
export interface UpdateTurnParameters {
  /** Where it lies; needed only if several namespaces hold this id */
  namespace?: Namespace;
}

/** What a memory said before a revision. */
export interface Version {
  /** The content it had. */
  content: string;
  /** From when on it had it. */
  since: string;
  /** Until when it had it. */
  until: string;
  /** The revision's number, from 1. */
  version: number;
}

/** The parameters of `walk`. */
export interface WalkParameters {
  /** How many edges away; 1 when left out. */
  depth?: number | null;
  direction?: Way;
  /** The memory to begin at. */
  from: MemoryId;
  /** At most so many steps; 50 when left out. */
  limit?: number | null;
  /** Where the memory is looked for; by default everywhere that the key opens. */
  namespace?: Namespace | null;
  /** Only edges of these types. */
  type?: EdgeType[];
}

/** Where a walk came to. */
export interface Walked {
  from: MemoryId;
  namespace: Namespace;
  steps: Step[];
}

/** Which way edges are followed. */
export type Way = "out" | "in" | "both";

/** The sets of weights that held in a namespace. */
export interface WeightSets {
  /** The number of the set that holds now. */
  holds: number;
  namespace: Namespace;
  /** The earliest first; 0 is the configured one. */
  sets: LearnedWeights[];
}

/** The parameters of `weights`. */
export interface WeightsParameters {
  /** By default where the key points, or else as configured. */
  namespace?: Namespace | null;
}

/** The store as a whole. */
export interface Whole {
  /** Bytes on the disk: the database and its log. */
  database_bytes: number;
  /** Bytes on the disk: saved indexes, which can be deleted at any time. */
  index_bytes: number;
  /** The space new vectors are made in. */
  space?: string | null;
}

/** What became of a memory in a recall. */
export interface Why {
  /** The conditions that shut it out. */
  filtered_by: FilterCondition[];
  /** The memory. */
  id: MemoryId;
  /** The most results. */
  limit: number;
  /** The memory as it is now. */
  memory: Memory;
  /**
   * Its place among all that were weighed, from 1, as if there were no floor, no limit and no budget.
   * Results that are about equally relevant may be handed out in another order.
   */
  place?: number | null;
  /** The question. */
  query: string;
  /** The same for programs. */
  reason: WhyReason;
  /** Whether it is among the results. */
  recalled: boolean;
  /** How relevant it seems, from 0 to 1; none if it was not weighed. */
  score?: number | null;
  /** The least score of a result. */
  score_min: number;
  /** What each stage says of it, the largest share first. Empty if it was not weighed. */
  stages: StagePlace[];
  /** What became of it, in a sentence for people. */
  verdict: string;
  /** How many were weighed. */
  weighed: number;
}

/** A question, as it would be recalled, and the memory that is looked for. */
export interface WhyAsked {
  /** Answers with what held then. */
  as_of?: string | null;
  /** Under all of these circumstances, such as `spatial.place=office`. */
  context?: Circumstance[];
  /** The memory. */
  id: MemoryId;
  /**
   * Prefers what belongs to the conversation of this name, and leaves out the working memory of others.
   * What it is given is not learned again from it.
   */
  in_session?: string | null;
  kinds?: Kind[];
  layers?: Layer[];
  /** How many results; as configured when left out. */
  limit?: number | null;
  pinned?: boolean | null;
  query: string;
  /** Nothing counts as used and no event is told: for people who look, other than agents who use it. */
  quiet?: boolean;
  /** Namespaces, `team/*` or `*`; by default everything that the key opens. */
  scopes?: Scope[];
  /** Leaves out what scores less. */
  score_min?: number | null;
  session?: string | null;
  since?: string | null;
  speaker?: string | null;
  /** All of them. */
  tags?: string[];
  /** At most so many tokens of content in all results together. */
  tokens_max?: number | null;
  until?: string | null;
  /** Stages to switch off, to see what they bring. */
  without?: Stage[];
}

/** Why a memory is or is not among the results. */
export type WhyReason =
  | "recalled"
  | "below_floor"
  | "beyond_limit"
  | "over_budget"
  | "filtered"
  | "superseded"
  | "expired"
  | "trashed"
  | "not_weighed"
  | "elsewhere";

/** What working memory holds under a key. */
export interface WorkItem {
  /** From when on it is not seen any more; none if nothing but room decides. */
  expires_at?: string | null;
  /** The memory that holds it; recall finds it like any other. */
  id: MemoryId;
  /** How much it matters. */
  importance: Importance;
  /** The key. What was remembered into the layer without one has none. */
  key?: string | null;
  /** Where. */
  namespace: Namespace;
  /** In which session's working memory. */
  session?: string | null;
  /** When it was last set. */
  set_at: string;
  /** The value. */
  value: unknown;
}

/** What became of a value. */
export interface WorkReceipt {
  /** What left to make room, the one used longest ago last. */
  evicted?: WorkItem[];
  /** What is held now. */
  item: WorkItem;
  /** The episodes that those became which matter. */
  promoted?: MemoryId[];
  /** Secrets that were taken out before it was stored. */
  redacted?: RedactedSecret[];
  /** Whether another value was held under the key before. */
  replaced: boolean;
}

/** A session whose working memory holds something. */
export interface WorkSession {
  /** How many fit; no bound if there is none. */
  capacity?: number | null;
  /** How many values it holds. */
  items: number;
  /** The session; the namespace's own working memory if there is none. */
  session?: string | null;
}

/** What workers found. */
export interface WorkerAlerts {
  alerts: AlertRecord[];
}

/** The parameters of `workerAlerts`. */
export interface WorkerAlertsParameters {
  limit?: number | null;
  /** With those that are no more. */
  resolved?: boolean;
}

/** The workers. */
export type WorkerKind =
  | "ultralearn"
  | "audit"
  | "optimize"
  | "consolidate"
  | "predict"
  | "map"
  | "deepdive"
  | "document"
  | "refactor"
  | "benchmark"
  | "testgaps"
  | "learning";

/** How much a worker matters: what matters more runs first. */
export type WorkerPriority = "critical" | "high" | "normal" | "low";

/** What a run came to. */
export interface WorkerReport {
  /** How much it found that nobody knew of. */
  alerts: number;
  /** How long it took. */
  duration_ms: number;
  /** What it measured, by name. */
  figures: Record<string, unknown>;
  /** The number of the run. */
  number: number;
  /** What it did, or why it did not, in words. */
  output: string;
  /** How much it matters. */
  priority: WorkerPriority;
  /** When it began. */
  started_at: string;
  /** How it ended. */
  status: RunStatus;
  /** Whether it did what it should. */
  success: boolean;
  /** Which worker. */
  worker: WorkerKind;
}

/** One run of a background job. */
export interface WorkerRun {
  /** What it measured, and where it ran. */
  detail: unknown;
  /** When it ended. */
  finished_at: string;
  /** Its number among the runs of the job; the store gives it. */
  number: number;
  /** When it began. */
  started_at: string;
  /** How it ended: `done`, `failed`, `unavailable`, `cancelled` or `timed_out`. */
  status: string;
  /** What it did, in words. */
  summary: string;
  /** Which job. */
  worker: string;
}

/** What workers did. */
export interface WorkerRuns {
  runs: WorkerRun[];
}

/** The parameters of `workerRuns`. */
export interface WorkerRunsParameters {
  limit?: number | null;
  /** Of all if left out. */
  worker?: WorkerKind | null;
}

/** How one worker is. */
export interface WorkerStatus {
  /** Whether it runs by itself. */
  enabled: boolean;
  /** How often it runs, in seconds. */
  interval_seconds: number;
  /** Its last run. */
  last?: WorkerRun | null;
  /** When it is due; none if it does not run by itself. */
  next_run_at?: string | null;
  /** How much it found that still is so. */
  open_alerts: number;
  /** How much it matters. */
  priority: WorkerPriority;
  /** What it is for. */
  purpose: string;
  /** Where it is at work. */
  running: Running;
  /** How many of its runs are kept. */
  runs: number;
  /** How many of those did what they should. */
  successes: number;
  /** Which one. */
  worker: WorkerKind;
}

/** How all of them are. */
export interface WorkersStatus {
  /** What they found and still is so, the latest first. */
  alerts: AlertRecord[];
  /** Why what is due waits, if it does. */
  paused?: string | null;
  /** Whether this process runs them as they become due. */
  scheduled: boolean;
  /** Each of them. */
  workers: WorkerStatus[];
  /** The folder of code that some of them look at. */
  workspace?: string | null;
}

/** How near a memory orbits. */
export type Zone = "core" | "inner" | "outer" | "belt" | "cloud";

/** How full a zone is. */
export interface ZoneUse {
  /** How many fit into it, in each namespace; none if there is no bound. */
  capacity?: number | null;
  /** How many memories are in it. */
  memories: number;
  /** How full it is in the fullest namespace, in percent. */
  percent?: number | null;
  /** Which zone. */
  zone: Zone;
}
