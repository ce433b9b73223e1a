"""Every operation of the HTTP API. Made by clients/generator from the OpenAPI document, never changed by hand."""

from ._operation import Operation, Repeat

# Write down what happened. What became of each is told; 202 means that some wait for the store.
APPEND_JOURNAL = Operation(
    name="appendJournal",
    method="POST",
    path="/v1/journal",
    repeat=Repeat.KEYED,
    body=frozenset({"entries"}),
    items={
        "entries": frozenset(
            {
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
            }
        ),
    },
)

# Begin a turn: one call of an agent.
BEGIN_TURN = Operation(
    name="beginTurn",
    method="POST",
    path="/v1/turns",
    repeat=Repeat.KEYED,
    body=frozenset({"id", "input", "metadata", "namespace", "plan", "session", "started_at"}),
)

# Ask a worker to stop, in whichever process it is at work.
CANCEL_WORKER = Operation(
    name="cancelWorker",
    method="POST",
    path="/v1/workers/{worker}/cancel",
    repeat=Repeat.NEVER,
)

# Destroy everything that a session holds.
CLEAR_ALL_WORK = Operation(
    name="clearAllWork",
    method="DELETE",
    path="/v1/working",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace", "session"}),
)

# Destroy what is held under a key.
CLEAR_WORK = Operation(
    name="clearWork",
    method="DELETE",
    path="/v1/working/{work_key}",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace", "session"}),
)

# Groups of memories that are linked among each other more than with the rest.
COMMUNITIES = Operation(
    name="communities",
    method="GET",
    path="/v1/graph/communities",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# The agent has what was lent: it counts as given. 409 if it was taken back meanwhile.
CONFIRM_CONTEXT = Operation(
    name="confirmContext",
    method="POST",
    path="/v1/context/confirm",
    repeat=Repeat.NEVER,
    body=frozenset({"handed_out", "loan", "namespace", "session"}),
)

# What an agent is to be given. `once` lends it, which needs the role writer: confirm the loan.
CONTEXT = Operation(
    name="context",
    method="POST",
    path="/v1/context",
    repeat=Repeat.NEVER,
    body=frozenset(
        {
            "deliver",
            "lease_seconds",
            "moment",
            "namespace",
            "occasion",
            "query",
            "session",
            "tokens_max",
        }
    ),
)

# Make a backup now and verify it, while others go on. 409: one is being made already.
CREATE_BACKUP = Operation(
    name="createBackup",
    method="POST",
    path="/v1/backups",
    repeat=Repeat.KEYED,
)

# Create a key. The answer holds its secret, which is never told again.
CREATE_KEY = Operation(
    name="createKey",
    method="POST",
    path="/v1/keys",
    repeat=Repeat.NEVER,
    body=frozenset({"name", "role", "scope"}),
)

# Move all memories of a namespace to the trash, or destroy them.
DELETE_NAMESPACE = Operation(
    name="deleteNamespace",
    method="DELETE",
    path="/v1/namespaces",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace", "purge"}),
)

# Run a worker now, or all of them by priority, and wait for what it comes to. 409: it is at work already.
DISPATCH_WORKERS = Operation(
    name="dispatchWorkers",
    method="POST",
    path="/api/workers/dispatch",
    repeat=Repeat.KEYED,
    query=frozenset({"worker"}),
)

# Draw patterns from what was recorded since the last time; the workers do the same.
DISTIL = Operation(
    name="distil",
    method="POST",
    path="/v1/learning/distil",
    repeat=Repeat.NEVER,
    body=frozenset({"scope"}),
)

# This document for people, with forms to try everything.
DOCS = Operation(
    name="docs",
    method="GET",
    path="/docs",
    repeat=Repeat.SAFE,
)

# The script of that page.
DOCS_SCRIPT = Operation(
    name="docsScript",
    method="GET",
    path="/docs.js",
    repeat=Repeat.SAFE,
)

# The style of that page.
DOCS_STYLE = Operation(
    name="docsStyle",
    method="GET",
    path="/docs.css",
    repeat=Repeat.SAFE,
)

# This document.
DOCUMENT = Operation(
    name="document",
    method="GET",
    path="/openapi.json",
    repeat=Repeat.SAFE,
)

# Drop what waits or was given up under an id; it is not made then.
DROP_QUEUED = Operation(
    name="dropQueued",
    method="DELETE",
    path="/v1/queue/{id}",
    repeat=Repeat.NEVER,
)

# The durable notes of a namespace: what lasts beyond sessions.
DURABLE_NOTES = Operation(
    name="durableNotes",
    method="GET",
    path="/v1/notes",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# The edges of a memory, in both directions, the heaviest first.
EDGES = Operation(
    name="edges",
    method="GET",
    path="/v1/memories/{id}/edges",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# Turn texts into vectors with the engine at work, in the shape of OpenAI's embeddings.
EMBEDDINGS = Operation(
    name="embeddings",
    method="POST",
    path="/v1/embeddings",
    repeat=Repeat.NEVER,
    body=frozenset({"dimensions", "encoding_format", "input", "model", "user"}),
)

# End a session and sum up what was remembered in it.
END_SESSION = Operation(
    name="endSession",
    method="POST",
    path="/v1/sessions/{session}/end",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# What happened: the latest events, or with `after` the first ones that follow a number.
EVENTS = Operation(
    name="events",
    method="GET",
    path="/v1/events",
    repeat=Repeat.SAFE,
    query=frozenset({"after", "kind", "limit", "scope", "since", "until"}),
)

# Why a memory is, or is not, among the results of a question. Nothing counts as used.
EXPLAIN_RECALL = Operation(
    name="explainRecall",
    method="POST",
    path="/v1/recall/why",
    repeat=Repeat.SAFE,
    body=frozenset(
        {
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
        }
    ),
)

# Everything of a scope, one JSON object a line. It is whole only if the answer ends properly.
EXPORT = Operation(
    name="export",
    method="GET",
    path="/v1/export",
    repeat=Repeat.SAFE,
    query=frozenset(
        {
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
        }
    ),
)

# The graph of a namespace for other programs, with the rank and the group of each memory.
EXPORT_GRAPH = Operation(
    name="exportGraph",
    method="GET",
    path="/v1/graph/export",
    repeat=Repeat.SAFE,
    query=frozenset({"format", "namespace"}),
)

# Say which results of a recall were of use. Those count as used once more.
FEEDBACK = Operation(
    name="feedback",
    method="POST",
    path="/v1/feedback",
    repeat=Repeat.KEYED,
    body=frozenset({"namespace", "query", "session", "unused", "used"}),
)

# Strategies that worked, for a task or all of them, and who should take the task.
FIND_PATTERNS = Operation(
    name="findPatterns",
    method="GET",
    path="/api/memory/patterns",
    repeat=Repeat.SAFE,
    query=frozenset({"domain", "limit", "namespace", "q"}),
)

# Events as they happen, as server-sent events that can be resumed by their numbers.
FOLLOW_EVENTS = Operation(
    name="followEvents",
    method="GET",
    path="/v1/events/stream",
    repeat=Repeat.SAFE,
    query=frozenset({"after", "kind", "scope"}),
)

# Move a memory to the trash.
FORGET = Operation(
    name="forget",
    method="DELETE",
    path="/v1/memories/{id}",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Destroy the notes of a session and what waits to become some. Memories made of them stay.
FORGET_NOTES = Operation(
    name="forgetNotes",
    method="DELETE",
    path="/v1/sessions/{session}/notes",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Read one memory; it may lie in the trash.
GET = Operation(
    name="get",
    method="GET",
    path="/v1/memories/{id}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# One journal event.
GET_JOURNAL = Operation(
    name="getJournal",
    method="GET",
    path="/v1/journal/{entry}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# One pattern, put aside or not.
GET_PATTERN = Operation(
    name="getPattern",
    method="GET",
    path="/v1/patterns/{pattern}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# One session and its summary; its name is percent-encoded.
GET_SESSION = Operation(
    name="getSession",
    method="GET",
    path="/v1/sessions/{session}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# One recorded task with its steps.
GET_TRAJECTORY = Operation(
    name="getTrajectory",
    method="GET",
    path="/v1/trajectories/{trajectory}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# One turn with its journal events.
GET_TURN = Operation(
    name="getTurn",
    method="GET",
    path="/v1/turns/{turn}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# What is held under a key; 404 if nothing is, or no longer.
GET_WORK = Operation(
    name="getWork",
    method="GET",
    path="/v1/working/{work_key}",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace", "session"}),
)

# What memory handed to the agent in a session, the earliest first, as far as it is remembered.
GIVEN_TO_SESSION = Operation(
    name="givenToSession",
    method="GET",
    path="/v1/sessions/{session}/given",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# The most central memories of a namespace with the edges between them, ranks and groups.
GRAPH = Operation(
    name="graph",
    method="GET",
    path="/v1/graph",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# The store, the chores, zones, queues, indexes and the disk.
HEALTH = Operation(
    name="health",
    method="GET",
    path="/v1/health",
    repeat=Repeat.SAFE,
)

# Keep what was said in a session; notes are made of it when that is due. 202: it waits for the store.
HEAR = Operation(
    name="hear",
    method="POST",
    path="/v1/sessions/{session}/messages",
    repeat=Repeat.KEYED,
    body=frozenset({"handed_out", "messages", "namespace", "observe", "user"}),
    items={
        "messages": frozenset({"at", "role", "text"}),
    },
)

# What a memory said before, what it replaced, and what was merged into it.
HISTORY = Operation(
    name="history",
    method="GET",
    path="/v1/memories/{id}/history",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# Take in what an export gave. Sent again, it changes nothing more.
IMPORT = Operation(
    name="import",
    method="POST",
    path="/v1/import",
    repeat=Repeat.NEVER,
    query=frozenset({"mode", "scope"}),
)

# What the journal holds, in numbers.
JOURNAL_STATS = Operation(
    name="journalStats",
    method="GET",
    path="/v1/journal/stats",
    repeat=Repeat.SAFE,
    query=frozenset({"scope"}),
)

# How long recalls took in the last hours, part by part: of the key's namespaces alone.
LATENCIES = Operation(
    name="latencies",
    method="GET",
    path="/v1/latencies",
    repeat=Repeat.SAFE,
    query=frozenset({"buckets", "hours", "scope"}),
)

# What a router or an adapter was, the latest first: that holds.
LEARNED_SETS = Operation(
    name="learnedSets",
    method="GET",
    path="/v1/learning/sets",
    repeat=Repeat.SAFE,
    query=frozenset({"name", "namespace"}),
)

# What has been learned, in numbers, and who is at work on it.
LEARNING_STATS = Operation(
    name="learningStats",
    method="GET",
    path="/api/memory/learning/stats",
    repeat=Repeat.SAFE,
    query=frozenset({"scope"}),
)

# Link two memories of one namespace, or replace the edge of this type between them.
LINK = Operation(
    name="link",
    method="POST",
    path="/v1/edges",
    repeat=Repeat.KEYED,
    body=frozenset({"source", "target", "type", "weight"}),
)

# List memories, a page at a time.
LIST = Operation(
    name="list",
    method="GET",
    path="/v1/memories",
    repeat=Repeat.SAFE,
    query=frozenset(
        {
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
        }
    ),
)

# The backups there are, the latest first, and when the next one is due.
LIST_BACKUPS = Operation(
    name="listBackups",
    method="GET",
    path="/v1/backups",
    repeat=Repeat.SAFE,
)

# The journal, a page at a time.
LIST_JOURNAL = Operation(
    name="listJournal",
    method="GET",
    path="/v1/journal",
    repeat=Repeat.SAFE,
    query=frozenset(
        {
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
        }
    ),
)

# The keys within the own key's namespaces, the revoked ones too.
LIST_KEYS = Operation(
    name="listKeys",
    method="GET",
    path="/v1/keys",
    repeat=Repeat.SAFE,
)

# The namespaces that hold anything.
LIST_NAMESPACES = Operation(
    name="listNamespaces",
    method="GET",
    path="/v1/namespaces",
    repeat=Repeat.SAFE,
    query=frozenset({"scope"}),
)

# The sessions that have notes or wait for them, the one observed last first.
LIST_NOTE_SESSIONS = Operation(
    name="listNoteSessions",
    method="GET",
    path="/v1/notes/sessions",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# Patterns, the best first.
LIST_PATTERNS = Operation(
    name="listPatterns",
    method="GET",
    path="/v1/patterns",
    repeat=Repeat.SAFE,
    query=frozenset({"domain", "limit", "retired", "scope", "term"}),
)

# The sessions that were begun, the latest first.
LIST_SESSIONS = Operation(
    name="listSessions",
    method="GET",
    path="/v1/sessions",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "scope"}),
)

# The snapshots of the latest episodes, the latest first.
LIST_SNAPSHOTS = Operation(
    name="listSnapshots",
    method="GET",
    path="/v1/snapshots",
    repeat=Repeat.SAFE,
)

# Recorded tasks, a page at a time.
LIST_TRAJECTORIES = Operation(
    name="listTrajectories",
    method="GET",
    path="/v1/trajectories",
    repeat=Repeat.SAFE,
    query=frozenset({"agent", "cursor", "domain", "limit", "order", "outcome", "scope", "session"}),
)

# Turns, a page at a time.
LIST_TURNS = Operation(
    name="listTurns",
    method="GET",
    path="/v1/turns",
    repeat=Repeat.SAFE,
    query=frozenset({"cursor", "limit", "order", "scope", "session", "since", "status", "until"}),
)

# What a session holds, the latest first, and which sessions hold something.
LIST_WORK = Operation(
    name="listWork",
    method="GET",
    path="/v1/working",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace", "session"}),
)

# Whether the process answers. It does not look at the store: a restart would not mend that.
LIVE = Operation(
    name="live",
    method="GET",
    path="/health/live",
    repeat=Repeat.SAFE,
)

# What the language model was asked for, the latest first, and what of its tokens is spent.
LLM_CALLS = Operation(
    name="llmCalls",
    method="GET",
    path="/v1/llm",
    repeat=Repeat.SAFE,
    query=frozenset({"limit"}),
)

# Load the sample into a namespace of its own, told over the last sixty days.
LOAD_SAMPLE = Operation(
    name="loadSample",
    method="POST",
    path="/v1/sample",
    repeat=Repeat.KEYED,
)

# What an agent would be given: notes, memories and working memory. Looking takes nothing away.
LOOK_AT_CONTEXT = Operation(
    name="lookAtContext",
    method="GET",
    path="/v1/context",
    repeat=Repeat.SAFE,
    query=frozenset({"moment", "namespace", "query", "session", "tokens_max"}),
)

# Do all chores now: vectors, links, the trash, zones and indexes.
MAINTAIN = Operation(
    name="maintain",
    method="POST",
    path="/v1/maintain",
    repeat=Repeat.NEVER,
)

# Who the server takes the caller for, and what that allows.
ME = Operation(
    name="me",
    method="GET",
    path="/v1/me",
    repeat=Repeat.SAFE,
)

# Why a memory is where it is: its score with what that is made of, and how it moved.
MEMORY_ORBIT = Operation(
    name="memoryOrbit",
    method="GET",
    path="/v1/memories/{id}/orbit",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# Counters, histograms and gauges for Prometheus.
METRICS = Operation(
    name="metrics",
    method="GET",
    path="/metrics",
    repeat=Repeat.SAFE,
)

# Take over records of another store, one JSON object a line or a list of them. Sent again, it adds nothing. An empty body gives vectors to the memories that lack one.
MIGRATE = Operation(
    name="migrate",
    method="POST",
    path="/api/memory/migrate",
    repeat=Repeat.NEVER,
    query=frozenset({"dry_run", "namespace", "vectors_are"}),
)

# Move everything of a namespace to another one, which may hold memories already.
MOVE_NAMESPACE = Operation(
    name="moveNamespace",
    method="POST",
    path="/v1/namespaces/move",
    repeat=Repeat.KEYED,
    body=frozenset({"from", "to"}),
)

# Make notes of whatever is due in all sessions of a namespace.
OBSERVE_DUE = Operation(
    name="observeDue",
    method="POST",
    path="/v1/notes/observe",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Make notes of what waits in a session at once.
OBSERVE_SESSION = Operation(
    name="observeSession",
    method="POST",
    path="/v1/sessions/{session}/observe",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace", "retry"}),
)

# Where the memories of a namespace orbit now, the nearest first.
ORBIT = Operation(
    name="orbit",
    method="GET",
    path="/v1/orbit",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# How the memories of a namespace moved, and how they will if nobody uses anything.
ORBIT_MOVES = Operation(
    name="orbitMoves",
    method="GET",
    path="/v1/orbit/moves",
    repeat=Repeat.SAFE,
    query=frozenset({"ahead_days", "days", "limit", "namespace"}),
)

# The dashboard: memories in orbit, search, graph, timeline and operations, for people.
PAGE = Operation(
    name="page",
    method="GET",
    path="/",
    repeat=Repeat.SAFE,
)

# A script, style or picture of the dashboard.
PAGE_FILE = Operation(
    name="pageFile",
    method="GET",
    path="/dashboard/{file}",
    repeat=Repeat.SAFE,
)

# The memories of a namespace that the others lead to, the most central first.
PAGERANK = Operation(
    name="pagerank",
    method="GET",
    path="/v1/graph/pagerank",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# The shortest way between two memories, whichever way the edges point.
PATH = Operation(
    name="path",
    method="GET",
    path="/v1/graph/path",
    repeat=Repeat.SAFE,
    query=frozenset({"from", "namespace", "to"}),
)

# Make a memory of a longer-lived layer out of this one, which is put aside for it.
PROMOTE = Operation(
    name="promote",
    method="POST",
    path="/v1/memories/{id}/promote",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
    body=frozenset({"to", "together_with"}),
)

# Keep a pattern for good.
PROMOTE_PATTERN = Operation(
    name="promotePattern",
    method="POST",
    path="/v1/patterns/{pattern}/promote",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Destroy a memory that lies in the trash, and its words wherever else they are; what still holds them is told.
PURGE = Operation(
    name="purge",
    method="POST",
    path="/v1/memories/{id}/purge",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Destroy what lies in the trash, with its history; there is no way back.
PURGE_TRASH = Operation(
    name="purgeTrash",
    method="POST",
    path="/v1/trash/purge",
    repeat=Repeat.KEYED,
    body=frozenset({"before", "scope"}),
)

# What waits because the store could not take it, in order, and what was given up.
QUEUE = Operation(
    name="queue",
    method="GET",
    path="/v1/queue",
    repeat=Repeat.SAFE,
    query=frozenset({"limit"}),
)

# Whether requests can be served.
READY = Operation(
    name="ready",
    method="GET",
    path="/health/ready",
    repeat=Repeat.SAFE,
)

# Find the memories that matter to a question, with a score and what it is made of.
RECALL = Operation(
    name="recall",
    method="POST",
    path="/v1/recall",
    repeat=Repeat.SAFE,
    body=frozenset(
        {
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
        }
    ),
)

# The latest journal events, those that have not reached the store yet included.
RECENT_JOURNAL = Operation(
    name="recentJournal",
    method="GET",
    path="/v1/journal/recent",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "scope", "session"}),
)

# Record the steps of a task and how it ended. Sent again with its id, it changes nothing.
RECORD_TRAJECTORY = Operation(
    name="recordTrajectory",
    method="POST",
    path="/v1/trajectories",
    repeat=Repeat.KEYED,
    body=frozenset(
        {
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
        }
    ),
    items={
        "steps": frozenset({"confidence", "duration_ms", "input", "output"}),
    },
)

# Keep a statement. When the answer comes, it is on the disk.
REMEMBER = Operation(
    name="remember",
    method="POST",
    path="/v1/memories",
    repeat=Repeat.KEYED,
    body=frozenset(
        {
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
        }
    ),
)

# Keep many statements: all of them or none.
REMEMBER_ALL = Operation(
    name="rememberAll",
    method="POST",
    path="/v1/memories/batch",
    repeat=Repeat.KEYED,
    body=frozenset({"memories"}),
    items={
        "memories": frozenset(
            {
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
            }
        ),
    },
)

# Remove the sample for good: what came with it, and nothing else. The status tells what stays.
REMOVE_SAMPLE = Operation(
    name="removeSample",
    method="DELETE",
    path="/v1/sample",
    repeat=Repeat.KEYED,
)

# Bring the zones to where they belong by now, and what nobody used for long to the trash.
REORBIT = Operation(
    name="reorbit",
    method="POST",
    path="/v1/reorbit",
    repeat=Repeat.NEVER,
    body=frozenset({"scope"}),
)

# Try what waits now, and what was given up once more.
REPLAY_QUEUE = Operation(
    name="replayQueue",
    method="POST",
    path="/v1/queue/replay",
    repeat=Repeat.NEVER,
    body=frozenset({"id"}),
)

# What was said in a session, in order, each with what was noted of it.
REPLAY_SESSION = Operation(
    name="replaySession",
    method="GET",
    path="/v1/sessions/{session}/replay",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "namespace"}),
)

# What happened on a day or over several, and what is held now: of the key's namespaces alone.
REPORT = Operation(
    name="report",
    method="GET",
    path="/v1/report",
    repeat=Repeat.SAFE,
    query=frozenset({"date", "days", "scope"}),
)

# Bring a memory back from the trash.
RESTORE = Operation(
    name="restore",
    method="POST",
    path="/v1/memories/{id}/restore",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Offer a pattern again that was put aside.
RESTORE_PATTERN = Operation(
    name="restorePattern",
    method="POST",
    path="/v1/patterns/{pattern}/restore",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Put a pattern aside; it is not offered any more.
RETIRE_PATTERN = Operation(
    name="retirePattern",
    method="POST",
    path="/v1/patterns/{pattern}/retire",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# The agent did not get what was lent: it is given to whoever asks next.
RETURN_CONTEXT = Operation(
    name="returnContext",
    method="POST",
    path="/v1/context/return",
    repeat=Repeat.NEVER,
    body=frozenset({"loan", "namespace", "session"}),
)

# Change a memory; what it said before stays in its history.
REVISE = Operation(
    name="revise",
    method="PATCH",
    path="/v1/memories/{id}",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
    body=frozenset(
        {
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
        }
    ),
)

# Revoke a key: whoever shows it is let in no more.
REVOKE_KEY = Operation(
    name="revokeKey",
    method="DELETE",
    path="/v1/keys/{key}",
    repeat=Repeat.NEVER,
)

# Go back to what was learned before; 0 is nothing learned.
ROLLBACK_LEARNED = Operation(
    name="rollbackLearned",
    method="POST",
    path="/v1/learning/rollback",
    repeat=Repeat.KEYED,
    body=frozenset({"name", "namespace", "set"}),
)

# Take an earlier set of weights again.
ROLLBACK_WEIGHTS = Operation(
    name="rollbackWeights",
    method="POST",
    path="/v1/weights/rollback",
    repeat=Repeat.KEYED,
    body=frozenset({"namespace", "number"}),
)

# Who should take a task, how sure that is, and why.
ROUTE_TASK = Operation(
    name="routeTask",
    method="POST",
    path="/v1/route",
    repeat=Repeat.NEVER,
    body=frozenset({"namespace", "task"}),
)

# Whether the sample is loaded: the memories of an invented team, to explore.
SAMPLE_STATUS = Operation(
    name="sampleStatus",
    method="GET",
    path="/v1/sample",
    repeat=Repeat.SAFE,
)

# The notes of a session; 404 if none were made yet.
SESSION_NOTES = Operation(
    name="sessionNotes",
    method="GET",
    path="/v1/sessions/{session}/notes",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# Hold a value under a key for a while, in the place of what it held; the key is percent-encoded.
SET_WORK = Operation(
    name="setWork",
    method="PUT",
    path="/v1/working/{work_key}",
    repeat=Repeat.KEYED,
    body=frozenset({"importance", "kind", "namespace", "session", "ttl_seconds", "value"}),
)

# Undo a merge: a memory that was put aside stands for itself again.
SPLIT = Operation(
    name="split",
    method="POST",
    path="/v1/memories/{id}/split",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Begin a session. One that is open stays as it is, one that has ended is opened again.
START_SESSION = Operation(
    name="startSession",
    method="POST",
    path="/v1/sessions",
    repeat=Repeat.KEYED,
    body=frozenset({"namespace", "session"}),
)

# What is held, in numbers: of the key's namespaces alone.
STATS = Operation(
    name="stats",
    method="GET",
    path="/v1/stats",
    repeat=Repeat.SAFE,
    query=frozenset({"scope"}),
)

# Keep a strategy that is known to work, or join it into the one that says the same.
STORE_PATTERN = Operation(
    name="storePattern",
    method="POST",
    path="/v1/patterns",
    repeat=Repeat.KEYED,
    body=frozenset({"agent", "domain", "namespace", "quality", "strategy"}),
)

# End what has reached the end of its time in its layer; what matters is promoted.
SWEEP = Operation(
    name="sweep",
    method="POST",
    path="/v1/sweep",
    repeat=Repeat.NEVER,
)

# Write the latest episodes to a file now, if they have changed since the last one.
TAKE_SNAPSHOT = Operation(
    name="takeSnapshot",
    method="POST",
    path="/v1/snapshots",
    repeat=Repeat.KEYED,
)

# The journal event and the turn that a memory came from, and what else came from there.
TRACE_MEMORY = Operation(
    name="traceMemory",
    method="GET",
    path="/v1/memories/{id}/trace",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# Train the router and the adapter of a namespace; the workers do the same.
TRAIN = Operation(
    name="train",
    method="POST",
    path="/v1/learning/train",
    repeat=Repeat.NEVER,
    body=frozenset({"namespace"}),
)

# Bring back what a memory was promoted from.
UNDO_PROMOTION = Operation(
    name="undoPromotion",
    method="POST",
    path="/v1/memories/{id}/undo-promotion",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
)

# Take the edges from one memory to another away.
UNLINK = Operation(
    name="unlink",
    method="DELETE",
    path="/v1/edges",
    repeat=Repeat.KEYED,
    query=frozenset({"source", "target", "type"}),
)

# Tell more of a turn; a status finishes it.
UPDATE_TURN = Operation(
    name="updateTurn",
    method="PATCH",
    path="/v1/turns/{turn}",
    repeat=Repeat.KEYED,
    query=frozenset({"namespace"}),
    body=frozenset(
        {
            "error",
            "finished_at",
            "metadata",
            "output",
            "output_text",
            "plan",
            "status",
            "tool_calls",
            "tool_results",
        }
    ),
)

# Which program answers.
VERSION = Operation(
    name="version",
    method="GET",
    path="/version",
    repeat=Repeat.SAFE,
)

# What can be reached from a memory over edges, the nearest first.
WALK = Operation(
    name="walk",
    method="GET",
    path="/v1/graph/walk",
    repeat=Repeat.SAFE,
    query=frozenset({"depth", "direction", "from", "limit", "namespace", "type"}),
)

# What the terms of the memory function count in a namespace, and what feedback made of them.
WEIGHTS = Operation(
    name="weights",
    method="GET",
    path="/v1/weights",
    repeat=Repeat.SAFE,
    query=frozenset({"namespace"}),
)

# What workers found, the latest first.
WORKER_ALERTS = Operation(
    name="workerAlerts",
    method="GET",
    path="/v1/workers/alerts",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "resolved"}),
)

# What workers did, the latest first.
WORKER_RUNS = Operation(
    name="workerRuns",
    method="GET",
    path="/v1/workers/runs",
    repeat=Repeat.SAFE,
    query=frozenset({"limit", "worker"}),
)

# How the workers are, when each is due, and what they found.
WORKERS_STATUS = Operation(
    name="workersStatus",
    method="GET",
    path="/api/workers/status",
    repeat=Repeat.SAFE,
)
