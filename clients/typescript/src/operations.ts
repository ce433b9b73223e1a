// Every operation of the HTTP API. Made by clients/generator from the OpenAPI document, never changed by hand.

import type { Operation } from "./operation.js";

export const operations = {
  /** Write down what happened. What became of each is told; 202 means that some wait for the store. */
  appendJournal: {
    name: "appendJournal",
    method: "POST",
    path: "/v1/journal",
    repeat: "keyed",
    query: [],
    body: ["entries"],
    items: {
      entries: [
        "actor",
        "at",
        "body",
        "direction",
        "gate",
        "id",
        "kind",
        "metadata",
        "namespace",
        "remember",
        "session",
        "status",
        "text",
        "turn",
      ],
    },
  },
  /** Begin a turn: one call of an agent. */
  beginTurn: {
    name: "beginTurn",
    method: "POST",
    path: "/v1/turns",
    repeat: "keyed",
    query: [],
    body: ["id", "input", "metadata", "namespace", "plan", "session", "started_at"],
  },
  /** Ask a worker to stop, in whichever process it is at work. */
  cancelWorker: {
    name: "cancelWorker",
    method: "POST",
    path: "/v1/workers/{worker}/cancel",
    repeat: "never",
    query: [],
    body: [],
  },
  /** Destroy everything that a session holds. */
  clearAllWork: {
    name: "clearAllWork",
    method: "DELETE",
    path: "/v1/working",
    repeat: "keyed",
    query: ["namespace", "session"],
    body: [],
  },
  /** Destroy what is held under a key. */
  clearWork: {
    name: "clearWork",
    method: "DELETE",
    path: "/v1/working/{work_key}",
    repeat: "keyed",
    query: ["namespace", "session"],
    body: [],
  },
  /** Groups of memories that are linked among each other more than with the rest. */
  communities: {
    name: "communities",
    method: "GET",
    path: "/v1/graph/communities",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** The agent has what was lent: it counts as given. 409 if it was taken back meanwhile. */
  confirmContext: {
    name: "confirmContext",
    method: "POST",
    path: "/v1/context/confirm",
    repeat: "never",
    query: [],
    body: ["handed_out", "loan", "namespace", "session"],
  },
  /** What an agent is to be given. `once` lends it, which needs the role writer: confirm the loan. */
  context: {
    name: "context",
    method: "POST",
    path: "/v1/context",
    repeat: "never",
    query: [],
    body: ["deliver", "lease_seconds", "moment", "namespace", "occasion", "query", "session", "tokens_max"],
  },
  /** Make a backup now and verify it, while others go on. 409: one is being made already. */
  createBackup: {
    name: "createBackup",
    method: "POST",
    path: "/v1/backups",
    repeat: "keyed",
    query: [],
    body: [],
  },
  /** Create a key. The answer holds its secret, which is never told again. */
  createKey: {
    name: "createKey",
    method: "POST",
    path: "/v1/keys",
    repeat: "never",
    query: [],
    body: ["name", "role", "scope"],
  },
  /** Move all memories of a namespace to the trash, or destroy them. */
  deleteNamespace: {
    name: "deleteNamespace",
    method: "DELETE",
    path: "/v1/namespaces",
    repeat: "keyed",
    query: ["namespace", "purge"],
    body: [],
  },
  /** Run a worker now, or all of them by priority, and wait for what it comes to. 409: it is at work already. */
  dispatchWorkers: {
    name: "dispatchWorkers",
    method: "POST",
    path: "/api/workers/dispatch",
    repeat: "keyed",
    query: ["worker"],
    body: [],
  },
  /** Draw patterns from what was recorded since the last time; the workers do the same. */
  distil: {
    name: "distil",
    method: "POST",
    path: "/v1/learning/distil",
    repeat: "never",
    query: [],
    body: ["scope"],
  },
  /** This document for people, with forms to try everything. */
  docs: {
    name: "docs",
    method: "GET",
    path: "/docs",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The script of that page. */
  docsScript: {
    name: "docsScript",
    method: "GET",
    path: "/docs.js",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The style of that page. */
  docsStyle: {
    name: "docsStyle",
    method: "GET",
    path: "/docs.css",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** This document. */
  document: {
    name: "document",
    method: "GET",
    path: "/openapi.json",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Drop what waits or was given up under an id; it is not made then. */
  dropQueued: {
    name: "dropQueued",
    method: "DELETE",
    path: "/v1/queue/{id}",
    repeat: "never",
    query: [],
    body: [],
  },
  /** The durable notes of a namespace: what lasts beyond sessions. */
  durableNotes: {
    name: "durableNotes",
    method: "GET",
    path: "/v1/notes",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** The edges of a memory, in both directions, the heaviest first. */
  edges: {
    name: "edges",
    method: "GET",
    path: "/v1/memories/{id}/edges",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** Turn texts into vectors with the engine at work, in the shape of OpenAI's embeddings. */
  embeddings: {
    name: "embeddings",
    method: "POST",
    path: "/v1/embeddings",
    repeat: "never",
    query: [],
    body: ["dimensions", "encoding_format", "input", "model", "user"],
  },
  /** End a session and sum up what was remembered in it. */
  endSession: {
    name: "endSession",
    method: "POST",
    path: "/v1/sessions/{session}/end",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** What happened: the latest events, or with `after` the first ones that follow a number. */
  events: {
    name: "events",
    method: "GET",
    path: "/v1/events",
    repeat: "safe",
    query: ["after", "kind", "limit", "scope", "since", "until"],
    body: [],
  },
  /** Why a memory is, or is not, among the results of a question. Nothing counts as used. */
  explainRecall: {
    name: "explainRecall",
    method: "POST",
    path: "/v1/recall/why",
    repeat: "safe",
    query: [],
    body: [
      "as_of",
      "context",
      "id",
      "in_session",
      "kinds",
      "layers",
      "limit",
      "pinned",
      "query",
      "quiet",
      "scopes",
      "score_min",
      "session",
      "since",
      "speaker",
      "tags",
      "tokens_max",
      "until",
      "without",
    ],
  },
  /** Everything of a scope, one JSON object a line. It is whole only if the answer ends properly. */
  export: {
    name: "export",
    method: "GET",
    path: "/v1/export",
    repeat: "safe",
    query: [
      "context",
      "kind",
      "layer",
      "limit",
      "scope",
      "session",
      "since",
      "speaker",
      "tag",
      "trash",
      "until",
    ],
    body: [],
  },
  /** The graph of a namespace for other programs, with the rank and the group of each memory. */
  exportGraph: {
    name: "exportGraph",
    method: "GET",
    path: "/v1/graph/export",
    repeat: "safe",
    query: ["format", "namespace"],
    body: [],
  },
  /** Say which results of a recall were of use. Those count as used once more. */
  feedback: {
    name: "feedback",
    method: "POST",
    path: "/v1/feedback",
    repeat: "keyed",
    query: [],
    body: ["namespace", "query", "session", "unused", "used"],
  },
  /** Strategies that worked, for a task or all of them, and who should take the task. */
  findPatterns: {
    name: "findPatterns",
    method: "GET",
    path: "/api/memory/patterns",
    repeat: "safe",
    query: ["domain", "limit", "namespace", "q"],
    body: [],
  },
  /** Events as they happen, as server-sent events that can be resumed by their numbers. */
  followEvents: {
    name: "followEvents",
    method: "GET",
    path: "/v1/events/stream",
    repeat: "safe",
    query: ["after", "kind", "scope"],
    body: [],
  },
  /** Move a memory to the trash. */
  forget: {
    name: "forget",
    method: "DELETE",
    path: "/v1/memories/{id}",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Destroy the notes of a session and what waits to become some. Memories made of them stay. */
  forgetNotes: {
    name: "forgetNotes",
    method: "DELETE",
    path: "/v1/sessions/{session}/notes",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Read one memory; it may lie in the trash. */
  get: {
    name: "get",
    method: "GET",
    path: "/v1/memories/{id}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** One journal event. */
  getJournal: {
    name: "getJournal",
    method: "GET",
    path: "/v1/journal/{entry}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** One pattern, put aside or not. */
  getPattern: {
    name: "getPattern",
    method: "GET",
    path: "/v1/patterns/{pattern}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** One session and its summary; its name is percent-encoded. */
  getSession: {
    name: "getSession",
    method: "GET",
    path: "/v1/sessions/{session}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** One recorded task with its steps. */
  getTrajectory: {
    name: "getTrajectory",
    method: "GET",
    path: "/v1/trajectories/{trajectory}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** One turn with its journal events. */
  getTurn: {
    name: "getTurn",
    method: "GET",
    path: "/v1/turns/{turn}",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** What is held under a key; 404 if nothing is, or no longer. */
  getWork: {
    name: "getWork",
    method: "GET",
    path: "/v1/working/{work_key}",
    repeat: "safe",
    query: ["namespace", "session"],
    body: [],
  },
  /** What memory handed to the agent in a session, the earliest first, as far as it is remembered. */
  givenToSession: {
    name: "givenToSession",
    method: "GET",
    path: "/v1/sessions/{session}/given",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** The most central memories of a namespace with the edges between them, ranks and groups. */
  graph: {
    name: "graph",
    method: "GET",
    path: "/v1/graph",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** The store, the chores, zones, queues, indexes and the disk. */
  health: {
    name: "health",
    method: "GET",
    path: "/v1/health",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Keep what was said in a session; notes are made of it when that is due. 202: it waits for the store. */
  hear: {
    name: "hear",
    method: "POST",
    path: "/v1/sessions/{session}/messages",
    repeat: "keyed",
    query: [],
    body: ["handed_out", "messages", "namespace", "observe", "user"],
    items: {
      messages: ["at", "role", "text"],
    },
  },
  /** What a memory said before, what it replaced, and what was merged into it. */
  history: {
    name: "history",
    method: "GET",
    path: "/v1/memories/{id}/history",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** Take in what an export gave. Sent again, it changes nothing more. */
  import: {
    name: "import",
    method: "POST",
    path: "/v1/import",
    repeat: "never",
    query: ["mode", "scope"],
    body: [],
  },
  /** What the journal holds, in numbers. */
  journalStats: {
    name: "journalStats",
    method: "GET",
    path: "/v1/journal/stats",
    repeat: "safe",
    query: ["scope"],
    body: [],
  },
  /** How long recalls took in the last hours, part by part: of the key's namespaces alone. */
  latencies: {
    name: "latencies",
    method: "GET",
    path: "/v1/latencies",
    repeat: "safe",
    query: ["buckets", "hours", "scope"],
    body: [],
  },
  /** What a router or an adapter was, the latest first: that holds. */
  learnedSets: {
    name: "learnedSets",
    method: "GET",
    path: "/v1/learning/sets",
    repeat: "safe",
    query: ["name", "namespace"],
    body: [],
  },
  /** What has been learned, in numbers, and who is at work on it. */
  learningStats: {
    name: "learningStats",
    method: "GET",
    path: "/api/memory/learning/stats",
    repeat: "safe",
    query: ["scope"],
    body: [],
  },
  /** Link two memories of one namespace, or replace the edge of this type between them. */
  link: {
    name: "link",
    method: "POST",
    path: "/v1/edges",
    repeat: "keyed",
    query: [],
    body: ["source", "target", "type", "weight"],
  },
  /** List memories, a page at a time. */
  list: {
    name: "list",
    method: "GET",
    path: "/v1/memories",
    repeat: "safe",
    query: [
      "context",
      "cursor",
      "entry",
      "kind",
      "layer",
      "limit",
      "order",
      "pinned",
      "scope",
      "session",
      "since",
      "speaker",
      "tag",
      "trashed",
      "until",
      "zone",
    ],
    body: [],
  },
  /** The backups there are, the latest first, and when the next one is due. */
  listBackups: {
    name: "listBackups",
    method: "GET",
    path: "/v1/backups",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The journal, a page at a time. */
  listJournal: {
    name: "listJournal",
    method: "GET",
    path: "/v1/journal",
    repeat: "safe",
    query: [
      "actor",
      "cursor",
      "kind",
      "limit",
      "order",
      "scope",
      "session",
      "since",
      "status",
      "text",
      "turn",
      "until",
    ],
    body: [],
  },
  /** The keys within the own key's namespaces, the revoked ones too. */
  listKeys: {
    name: "listKeys",
    method: "GET",
    path: "/v1/keys",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The namespaces that hold anything. */
  listNamespaces: {
    name: "listNamespaces",
    method: "GET",
    path: "/v1/namespaces",
    repeat: "safe",
    query: ["scope"],
    body: [],
  },
  /** The sessions that have notes or wait for them, the one observed last first. */
  listNoteSessions: {
    name: "listNoteSessions",
    method: "GET",
    path: "/v1/notes/sessions",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** Patterns, the best first. */
  listPatterns: {
    name: "listPatterns",
    method: "GET",
    path: "/v1/patterns",
    repeat: "safe",
    query: ["domain", "limit", "retired", "scope", "term"],
    body: [],
  },
  /** The sessions that were begun, the latest first. */
  listSessions: {
    name: "listSessions",
    method: "GET",
    path: "/v1/sessions",
    repeat: "safe",
    query: ["limit", "scope"],
    body: [],
  },
  /** The snapshots of the latest episodes, the latest first. */
  listSnapshots: {
    name: "listSnapshots",
    method: "GET",
    path: "/v1/snapshots",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Recorded tasks, a page at a time. */
  listTrajectories: {
    name: "listTrajectories",
    method: "GET",
    path: "/v1/trajectories",
    repeat: "safe",
    query: ["agent", "cursor", "domain", "limit", "order", "outcome", "scope", "session"],
    body: [],
  },
  /** Turns, a page at a time. */
  listTurns: {
    name: "listTurns",
    method: "GET",
    path: "/v1/turns",
    repeat: "safe",
    query: ["cursor", "limit", "order", "scope", "session", "since", "status", "until"],
    body: [],
  },
  /** What a session holds, the latest first, and which sessions hold something. */
  listWork: {
    name: "listWork",
    method: "GET",
    path: "/v1/working",
    repeat: "safe",
    query: ["namespace", "session"],
    body: [],
  },
  /** Whether the process answers. It does not look at the store: a restart would not mend that. */
  live: {
    name: "live",
    method: "GET",
    path: "/health/live",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** What the language model was asked for, the latest first, and what of its tokens is spent. */
  llmCalls: {
    name: "llmCalls",
    method: "GET",
    path: "/v1/llm",
    repeat: "safe",
    query: ["limit"],
    body: [],
  },
  /** Load the sample into a namespace of its own, told over the last sixty days. */
  loadSample: {
    name: "loadSample",
    method: "POST",
    path: "/v1/sample",
    repeat: "keyed",
    query: [],
    body: [],
  },
  /** What an agent would be given: notes, memories and working memory. Looking takes nothing away. */
  lookAtContext: {
    name: "lookAtContext",
    method: "GET",
    path: "/v1/context",
    repeat: "safe",
    query: ["moment", "namespace", "query", "session", "tokens_max"],
    body: [],
  },
  /** Do all chores now: vectors, links, the trash, zones and indexes. */
  maintain: {
    name: "maintain",
    method: "POST",
    path: "/v1/maintain",
    repeat: "never",
    query: [],
    body: [],
  },
  /** Who the server takes the caller for, and what that allows. */
  me: {
    name: "me",
    method: "GET",
    path: "/v1/me",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Why a memory is where it is: its score with what that is made of, and how it moved. */
  memoryOrbit: {
    name: "memoryOrbit",
    method: "GET",
    path: "/v1/memories/{id}/orbit",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** Counters, histograms and gauges for Prometheus. */
  metrics: {
    name: "metrics",
    method: "GET",
    path: "/metrics",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Take over records of another store, one JSON object a line or a list of them. Sent again, it adds nothing. An empty body gives vectors to the memories that lack one. */
  migrate: {
    name: "migrate",
    method: "POST",
    path: "/api/memory/migrate",
    repeat: "never",
    query: ["dry_run", "namespace", "vectors_are"],
    body: [],
  },
  /** Move everything of a namespace to another one, which may hold memories already. */
  moveNamespace: {
    name: "moveNamespace",
    method: "POST",
    path: "/v1/namespaces/move",
    repeat: "keyed",
    query: [],
    body: ["from", "to"],
  },
  /** Make notes of whatever is due in all sessions of a namespace. */
  observeDue: {
    name: "observeDue",
    method: "POST",
    path: "/v1/notes/observe",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Make notes of what waits in a session at once. */
  observeSession: {
    name: "observeSession",
    method: "POST",
    path: "/v1/sessions/{session}/observe",
    repeat: "keyed",
    query: ["namespace", "retry"],
    body: [],
  },
  /** Where the memories of a namespace orbit now, the nearest first. */
  orbit: {
    name: "orbit",
    method: "GET",
    path: "/v1/orbit",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** How the memories of a namespace moved, and how they will if nobody uses anything. */
  orbitMoves: {
    name: "orbitMoves",
    method: "GET",
    path: "/v1/orbit/moves",
    repeat: "safe",
    query: ["ahead_days", "days", "limit", "namespace"],
    body: [],
  },
  /** The dashboard: memories in orbit, search, graph, timeline and operations, for people. */
  page: {
    name: "page",
    method: "GET",
    path: "/",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** A script, style or picture of the dashboard. */
  pageFile: {
    name: "pageFile",
    method: "GET",
    path: "/dashboard/{file}",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The memories of a namespace that the others lead to, the most central first. */
  pagerank: {
    name: "pagerank",
    method: "GET",
    path: "/v1/graph/pagerank",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** The shortest way between two memories, whichever way the edges point. */
  path: {
    name: "path",
    method: "GET",
    path: "/v1/graph/path",
    repeat: "safe",
    query: ["from", "namespace", "to"],
    body: [],
  },
  /** Make a memory of a longer-lived layer out of this one, which is put aside for it. */
  promote: {
    name: "promote",
    method: "POST",
    path: "/v1/memories/{id}/promote",
    repeat: "keyed",
    query: ["namespace"],
    body: ["to", "together_with"],
  },
  /** Keep a pattern for good. */
  promotePattern: {
    name: "promotePattern",
    method: "POST",
    path: "/v1/patterns/{pattern}/promote",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Destroy a memory that lies in the trash, and its words wherever else they are; what still holds them is told. */
  purge: {
    name: "purge",
    method: "POST",
    path: "/v1/memories/{id}/purge",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Destroy what lies in the trash, with its history; there is no way back. */
  purgeTrash: {
    name: "purgeTrash",
    method: "POST",
    path: "/v1/trash/purge",
    repeat: "keyed",
    query: [],
    body: ["before", "scope"],
  },
  /** What waits because the store could not take it, in order, and what was given up. */
  queue: {
    name: "queue",
    method: "GET",
    path: "/v1/queue",
    repeat: "safe",
    query: ["limit"],
    body: [],
  },
  /** Whether requests can be served. */
  ready: {
    name: "ready",
    method: "GET",
    path: "/health/ready",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** Find the memories that matter to a question, with a score and what it is made of. */
  recall: {
    name: "recall",
    method: "POST",
    path: "/v1/recall",
    repeat: "safe",
    query: [],
    body: [
      "as_of",
      "context",
      "in_session",
      "kinds",
      "layers",
      "limit",
      "pinned",
      "query",
      "quiet",
      "scopes",
      "score_min",
      "session",
      "since",
      "speaker",
      "tags",
      "tokens_max",
      "until",
      "without",
    ],
  },
  /** The latest journal events, those that have not reached the store yet included. */
  recentJournal: {
    name: "recentJournal",
    method: "GET",
    path: "/v1/journal/recent",
    repeat: "safe",
    query: ["limit", "scope", "session"],
    body: [],
  },
  /** Record the steps of a task and how it ended. Sent again with its id, it changes nothing. */
  recordTrajectory: {
    name: "recordTrajectory",
    method: "POST",
    path: "/v1/trajectories",
    repeat: "keyed",
    query: [],
    body: [
      "agent",
      "at",
      "domain",
      "duration_ms",
      "id",
      "namespace",
      "outcome",
      "patterns",
      "session",
      "steps",
      "task",
      "turn",
    ],
    items: {
      steps: ["confidence", "duration_ms", "input", "output"],
    },
  },
  /** Keep a statement. When the answer comes, it is on the disk. */
  remember: {
    name: "remember",
    method: "POST",
    path: "/v1/memories",
    repeat: "keyed",
    query: [],
    body: [
      "aliases",
      "content",
      "context",
      "data",
      "entry",
      "expires_at",
      "id",
      "importance",
      "kind",
      "layer",
      "metadata",
      "namespace",
      "occurred_at",
      "pinned",
      "session",
      "source",
      "speaker",
      "tags",
      "valid_from",
      "valid_until",
    ],
  },
  /** Keep many statements: all of them or none. */
  rememberAll: {
    name: "rememberAll",
    method: "POST",
    path: "/v1/memories/batch",
    repeat: "keyed",
    query: [],
    body: ["memories"],
    items: {
      memories: [
        "aliases",
        "content",
        "context",
        "data",
        "entry",
        "expires_at",
        "id",
        "importance",
        "kind",
        "layer",
        "metadata",
        "namespace",
        "occurred_at",
        "pinned",
        "session",
        "source",
        "speaker",
        "tags",
        "valid_from",
        "valid_until",
      ],
    },
  },
  /** Remove the sample for good: what came with it, and nothing else. The status tells what stays. */
  removeSample: {
    name: "removeSample",
    method: "DELETE",
    path: "/v1/sample",
    repeat: "keyed",
    query: [],
    body: [],
  },
  /** Bring the zones to where they belong by now, and what nobody used for long to the trash. */
  reorbit: {
    name: "reorbit",
    method: "POST",
    path: "/v1/reorbit",
    repeat: "never",
    query: [],
    body: ["scope"],
  },
  /** Try what waits now, and what was given up once more. */
  replayQueue: {
    name: "replayQueue",
    method: "POST",
    path: "/v1/queue/replay",
    repeat: "never",
    query: [],
    body: ["id"],
  },
  /** What was said in a session, in order, each with what was noted of it. */
  replaySession: {
    name: "replaySession",
    method: "GET",
    path: "/v1/sessions/{session}/replay",
    repeat: "safe",
    query: ["limit", "namespace"],
    body: [],
  },
  /** What happened on a day or over several, and what is held now: of the key's namespaces alone. */
  report: {
    name: "report",
    method: "GET",
    path: "/v1/report",
    repeat: "safe",
    query: ["date", "days", "scope"],
    body: [],
  },
  /** Bring a memory back from the trash. */
  restore: {
    name: "restore",
    method: "POST",
    path: "/v1/memories/{id}/restore",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Offer a pattern again that was put aside. */
  restorePattern: {
    name: "restorePattern",
    method: "POST",
    path: "/v1/patterns/{pattern}/restore",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Put a pattern aside; it is not offered any more. */
  retirePattern: {
    name: "retirePattern",
    method: "POST",
    path: "/v1/patterns/{pattern}/retire",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** The agent did not get what was lent: it is given to whoever asks next. */
  returnContext: {
    name: "returnContext",
    method: "POST",
    path: "/v1/context/return",
    repeat: "never",
    query: [],
    body: ["loan", "namespace", "session"],
  },
  /** Change a memory; what it said before stays in its history. */
  revise: {
    name: "revise",
    method: "PATCH",
    path: "/v1/memories/{id}",
    repeat: "keyed",
    query: ["namespace"],
    body: [
      "aliases",
      "content",
      "context",
      "data",
      "expires_at",
      "importance",
      "kind",
      "layer",
      "metadata",
      "pinned",
      "superseded_by",
      "tags",
      "valid_from",
      "valid_until",
    ],
  },
  /** Revoke a key: whoever shows it is let in no more. */
  revokeKey: {
    name: "revokeKey",
    method: "DELETE",
    path: "/v1/keys/{key}",
    repeat: "never",
    query: [],
    body: [],
  },
  /** Go back to what was learned before; 0 is nothing learned. */
  rollbackLearned: {
    name: "rollbackLearned",
    method: "POST",
    path: "/v1/learning/rollback",
    repeat: "keyed",
    query: [],
    body: ["name", "namespace", "set"],
  },
  /** Take an earlier set of weights again. */
  rollbackWeights: {
    name: "rollbackWeights",
    method: "POST",
    path: "/v1/weights/rollback",
    repeat: "keyed",
    query: [],
    body: ["namespace", "number"],
  },
  /** Who should take a task, how sure that is, and why. */
  routeTask: {
    name: "routeTask",
    method: "POST",
    path: "/v1/route",
    repeat: "never",
    query: [],
    body: ["namespace", "task"],
  },
  /** Whether the sample is loaded: the memories of an invented team, to explore. */
  sampleStatus: {
    name: "sampleStatus",
    method: "GET",
    path: "/v1/sample",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** The notes of a session; 404 if none were made yet. */
  sessionNotes: {
    name: "sessionNotes",
    method: "GET",
    path: "/v1/sessions/{session}/notes",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** Hold a value under a key for a while, in the place of what it held; the key is percent-encoded. */
  setWork: {
    name: "setWork",
    method: "PUT",
    path: "/v1/working/{work_key}",
    repeat: "keyed",
    query: [],
    body: ["importance", "kind", "namespace", "session", "ttl_seconds", "value"],
  },
  /** Undo a merge: a memory that was put aside stands for itself again. */
  split: {
    name: "split",
    method: "POST",
    path: "/v1/memories/{id}/split",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Begin a session. One that is open stays as it is, one that has ended is opened again. */
  startSession: {
    name: "startSession",
    method: "POST",
    path: "/v1/sessions",
    repeat: "keyed",
    query: [],
    body: ["namespace", "session"],
  },
  /** What is held, in numbers: of the key's namespaces alone. */
  stats: {
    name: "stats",
    method: "GET",
    path: "/v1/stats",
    repeat: "safe",
    query: ["scope"],
    body: [],
  },
  /** Keep a strategy that is known to work, or join it into the one that says the same. */
  storePattern: {
    name: "storePattern",
    method: "POST",
    path: "/v1/patterns",
    repeat: "keyed",
    query: [],
    body: ["agent", "domain", "namespace", "quality", "strategy"],
  },
  /** End what has reached the end of its time in its layer; what matters is promoted. */
  sweep: {
    name: "sweep",
    method: "POST",
    path: "/v1/sweep",
    repeat: "never",
    query: [],
    body: [],
  },
  /** Write the latest episodes to a file now, if they have changed since the last one. */
  takeSnapshot: {
    name: "takeSnapshot",
    method: "POST",
    path: "/v1/snapshots",
    repeat: "keyed",
    query: [],
    body: [],
  },
  /** The journal event and the turn that a memory came from, and what else came from there. */
  traceMemory: {
    name: "traceMemory",
    method: "GET",
    path: "/v1/memories/{id}/trace",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** Train the router and the adapter of a namespace; the workers do the same. */
  train: {
    name: "train",
    method: "POST",
    path: "/v1/learning/train",
    repeat: "never",
    query: [],
    body: ["namespace"],
  },
  /** Bring back what a memory was promoted from. */
  undoPromotion: {
    name: "undoPromotion",
    method: "POST",
    path: "/v1/memories/{id}/undo-promotion",
    repeat: "keyed",
    query: ["namespace"],
    body: [],
  },
  /** Take the edges from one memory to another away. */
  unlink: {
    name: "unlink",
    method: "DELETE",
    path: "/v1/edges",
    repeat: "keyed",
    query: ["source", "target", "type"],
    body: [],
  },
  /** Tell more of a turn; a status finishes it. */
  updateTurn: {
    name: "updateTurn",
    method: "PATCH",
    path: "/v1/turns/{turn}",
    repeat: "keyed",
    query: ["namespace"],
    body: [
      "error",
      "finished_at",
      "metadata",
      "output",
      "output_text",
      "plan",
      "status",
      "tool_calls",
      "tool_results",
    ],
  },
  /** Which program answers. */
  version: {
    name: "version",
    method: "GET",
    path: "/version",
    repeat: "safe",
    query: [],
    body: [],
  },
  /** What can be reached from a memory over edges, the nearest first. */
  walk: {
    name: "walk",
    method: "GET",
    path: "/v1/graph/walk",
    repeat: "safe",
    query: ["depth", "direction", "from", "limit", "namespace", "type"],
    body: [],
  },
  /** What the terms of the memory function count in a namespace, and what feedback made of them. */
  weights: {
    name: "weights",
    method: "GET",
    path: "/v1/weights",
    repeat: "safe",
    query: ["namespace"],
    body: [],
  },
  /** What workers found, the latest first. */
  workerAlerts: {
    name: "workerAlerts",
    method: "GET",
    path: "/v1/workers/alerts",
    repeat: "safe",
    query: ["limit", "resolved"],
    body: [],
  },
  /** What workers did, the latest first. */
  workerRuns: {
    name: "workerRuns",
    method: "GET",
    path: "/v1/workers/runs",
    repeat: "safe",
    query: ["limit", "worker"],
    body: [],
  },
  /** How the workers are, when each is due, and what they found. */
  workersStatus: {
    name: "workersStatus",
    method: "GET",
    path: "/api/workers/status",
    repeat: "safe",
    query: [],
    body: [],
  },
} as const satisfies Record<string, Operation>;
