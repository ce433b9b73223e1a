"""What is sent and answered. Made by clients/generator from the OpenAPI document, never changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class AdapterTrial(TypedDict):
    """What came of an attempt to learn an adapter."""

    # The same with the adapter.
    after: float
    # How high the first result of use stood on average before: the mean of one over its place.
    before: float
    # On how many others it was tried.
    held_out: int
    # From how many judged recalls was learned.
    learned_from: int
    # Whether one that had been taken was put aside.
    rolled_back: bool
    # Whether recall goes by it from now on.
    taken: bool
    # Why, in words.
    verdict: str


class AlertRecord(TypedDict):
    """Something that a job found, and since when."""

    # The file it is about.
    file: NotRequired[Optional[str]]
    # When it was first found.
    first_at: str
    # The memories it is about.
    ids: NotRequired[List[MemoryId]]
    # When it was last found.
    last_at: str
    # What tells it from the job's other findings.
    mark: str
    # What was found.
    message: str
    # Where, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Since when it is no more.
    resolved_at: NotRequired[Optional[str]]
    # How often it was found.
    seen: int
    # How much it matters.
    severity: Severity
    # Which job.
    worker: str


class Alive(TypedDict):
    """The process answers."""

    alive: bool


class Alternative(TypedDict):
    """Somebody else who might take a task."""

    # Who.
    agent: str
    # The probability that this is right, from 0 to 1.
    confidence: float


class ApiKey(TypedDict):
    """A key as far as it is no secret."""

    # When it was created.
    created_at: str
    # What it is called by.
    id: KeyId
    # What it is for.
    name: str
    # When it was revoked. It lets nobody in from then on.
    revoked_at: NotRequired[Optional[str]]
    # What it allows.
    role: Role
    # Where it allows that.
    scope: Scope
    # When it was last used, to within a minute or two.
    used_at: NotRequired[Optional[str]]


class Appended(TypedDict):
    """What became of an entry."""

    # The entry.
    id: EntryId
    # The memory of its text, if that is remembered too.
    memory: NotRequired[Optional[MemoryId]]
    # Where it is.
    namespace: Namespace
    # Secrets that were taken out before anything was written.
    redacted: NotRequired[List[RedactedSecret]]
    # What became of it.
    state: Kept


class AppendedEntries(TypedDict):
    """What became of each, in their order."""

    entries: List[Appended]


class BackupInfo(TypedDict):
    """One backup."""

    # When it was made.
    at: str
    # Whether it was made to come back to what a restore replaced.
    before_restore: bool
    # How many bytes it takes; null if it is damaged.
    bytes: NotRequired[Optional[int]]
    # Up to which change it holds everything.
    change: ChangeNumber
    # How many memories it holds; null if it is damaged.
    memories: NotRequired[Optional[int]]
    # What it is called.
    name: str


class BackupList(TypedDict):
    """The backups there are."""

    # The latest first.
    backups: List[BackupInfo]
    # When it makes the next one.
    next_at: NotRequired[Optional[str]]
    # Where they go; null if the server does not know.
    place: NotRequired[Optional[str]]
    # Whether the server makes them by itself.
    scheduled: bool


class BackupMade(TypedDict):
    """A backup that was made and verified."""

    # How many bytes it takes.
    bytes: int
    # How many memories it holds.
    memories: int
    # What it is called.
    name: str


class Cancelled(TypedDict):
    """Whether a worker was asked to stop."""

    # Whether it was at work.
    asked: bool
    worker: WorkerKind


# The number of a committed change. Each write takes the next one; an index that has applied every change
# up to a number knows that it lacks only what has a higher one.
ChangeNumber = int


class Changes(TypedDict):
    """What to change; what is left out stays. A time of null is taken away."""

    aliases: NotRequired[Optional[List[str]]]
    content: NotRequired[Optional[str]]
    # In place of all it has.
    context: NotRequired[Optional[Context]]
    # Another structure; null takes it away. Words that were made from it follow.
    data: NotRequired[Any]
    expires_at: NotRequired[Optional[str]]
    importance: NotRequired[Optional[Importance]]
    kind: NotRequired[Optional[Kind]]
    layer: NotRequired[Optional[Layer]]
    metadata: NotRequired[Optional[Dict[str, Any]]]
    pinned: NotRequired[Optional[bool]]
    superseded_by: NotRequired[Optional[MemoryId]]
    tags: NotRequired[Optional[List[str]]]
    valid_from: NotRequired[Optional[str]]
    valid_until: NotRequired[Optional[str]]


# One circumstance of an episode, such as `spatial.place=office`.
Circumstance = str


# Why a long-term memory was moved to the trash by the clean-up.
CleanUpReason = Literal["too_many", "low_score", "idle"]


class ClearAllWorkParameters(TypedDict):
    """The parameters of `clearAllWork`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The session's; the namespace's own when left out.
    session: NotRequired[Optional[str]]


class ClearWorkParameters(TypedDict):
    """The parameters of `clearWork`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The session's; the namespace's own when left out.
    session: NotRequired[Optional[str]]


class Cleared(TypedDict):
    """How much was destroyed."""

    # How many values.
    cleared: int


class ClockLeap(TypedDict):
    """A clock that shows what cannot be explained."""

    # By how much it is ahead; negative if it is behind.
    ahead_seconds: int
    # What it should show by the machine's uptime, or by the last time that the store was in use.
    expected: str
    # What the clock shows.
    shows: str


class CommunitiesParameters(TypedDict):
    """The parameters of `communities`."""

    # At most so many; 20 ranks or 10 groups when left out.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ConfirmAsked(TypedDict):
    """A loan that the agent has."""

    # What the agent was given besides what the server has lent it.
    handed_out: NotRequired[List[str]]
    # As the context said.
    loan: str
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The agent's session.
    session: str


class ConfirmAskedOptions(TypedDict):
    """What may be left out of `ConfirmAsked`."""

    # What the agent was given besides what the server has lent it.
    handed_out: NotRequired[List[str]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Confirmed(TypedDict):
    """What counts as given."""

    # How many texts are known now if they come back.
    handed_out: int
    loan: str
    namespace: Namespace
    session: str


class Connection(TypedDict):
    """How two memories are connected."""

    # Null if no edges lead from one to the other.
    path: NotRequired[Optional[Path]]


class Context(TypedDict):
    """The circumstances of an episode, as names and values of whoever tells it."""

    # In what mood: `mood`, `tone`.
    emotional: NotRequired[Dict[str, str]]
    # With whom: `with`, `team`, `audience`.
    social: NotRequired[Dict[str, str]]
    # Where: `place`, `room`, `url`.
    spatial: NotRequired[Dict[str, str]]
    # When, beyond the plain time: `part_of_day`, `season`.
    temporal: NotRequired[Dict[str, str]]


class ContextPart(TypedDict):
    """A part of a context."""

    # What it holds, in order, and where each thing is from.
    given: List[Given]
    # What it holds.
    kind: PartKind
    # How many things did not fit.
    left_out: int
    # How many tokens it has.
    tokens: int


class Conversation(TypedDict):
    """A session with what sums it up."""

    session: Session
    # Null if nothing was remembered in it, or it is open, or the summary was purged.
    summary: NotRequired[Optional[Memory]]


class Counts(TypedDict):
    """What happened, in numbers."""

    # Memories that were moved to the trash because nobody used them.
    auto_forgotten: int
    # Backups that were made.
    backups: int
    # Times that a backup took the place of what was here.
    backups_restored: int
    # Long-term memories that were moved to the trash by the clean-up.
    cleaned_up: int
    # Near-duplicates that were merged.
    consolidated: int
    # Pairs of statements that contradict each other.
    contradicted: int
    # Memories that went to the trash or were destroyed with their namespace.
    deleted_with_namespace: int
    # Memories that left a full working memory.
    evicted: int
    # Memories that reached the end of their time.
    expired: int
    # Memories that somebody moved to the trash.
    forgotten: int
    # Memories that came from an export, a snapshot or another program.
    imported: int
    # Episodes that were moved to the trash because their time was over.
    outlived: int
    # Memories that others of a lower layer became, by layers.
    promoted: List[PromotedCount]
    # Promotions that were undone.
    promotions_undone: int
    # Memories that were destroyed.
    purged: int
    # Questions that were answered.
    recalled: int
    # Those of them for which nothing was found.
    recalled_nothing: int
    # Statements that were here already.
    repeated: int
    # Memories that were brought back from the trash.
    restored: int
    # Memories that were changed.
    revised: int
    # Sessions that ended.
    sessions_ended: int
    # Sessions that began.
    sessions_started: int
    # Snapshots of episodes that were taken.
    snapshots: int
    # Merged memories that were split off again.
    split: int
    # New memories.
    stored: int
    # Statements that a newer one took the place of.
    superseded: int


class CreatedKey(TypedDict):
    """A new key, with the secret that is told this once."""

    # The rest of it.
    key: ApiKey
    # What its holder shows. Nobody can look it up again.
    secret: str


# What happened in some days, and what is held now.
DaysTold = TypedDict(
    "DaysTold",
    {
        "complete": "bool",
        "counts": "Counts",
        "failures": "List[Failed]",
        "first_day": "str",
        "from": "str",
        "last_day": "str",
        "namespaces": "List[NamespaceStats]",
        "recall_times": "NotRequired[Optional[RecallTimes]]",
        "refusals": "List[TurnedAway]",
        "scope": "Scope",
        "slowest_recalls": "List[SlowRecall]",
        "store": "NotRequired[Optional[StoreTold]]",
        "time_zone": "str",
        "until": "str",
        "written_at": "str",
    },
)


class DeadCall(TypedDict):
    """A call that was given up."""

    # When it was made.
    at: str
    # How often it was tried.
    attempts: int
    # How many changes it would have made.
    changes: int
    # When.
    died_at: str
    # What it is called by.
    id: MemoryId
    # What somebody wanted.
    operation: str
    # Why it was given up.
    reason: str


class DeleteNamespaceParameters(TypedDict):
    """The parameters of `deleteNamespace`."""

    namespace: Namespace
    # Destroy everything at once, what lies in the trash included; there is no way back.
    purge: NotRequired[bool]


class DeleteNamespaceParametersOptions(TypedDict):
    """What may be left out of `DeleteNamespaceParameters`."""

    # Destroy everything at once, what lies in the trash included; there is no way back.
    purge: NotRequired[bool]


class Deleted(TypedDict):
    """What was deleted."""

    # How many memories that were.
    memories: int
    namespace: Namespace
    # Whether they were destroyed; otherwise they lie in the trash.
    purged: bool
    # What still holds the words of what was destroyed.
    still_held: NotRequired[List[StillHeld]]


# Whether what must be given once counts as given.
Deliver = Literal["look", "once"]


class Destroyed(TypedDict):
    """What was destroyed, and what still holds its words."""

    # How many memories.
    memories: int
    # Copies of what was here before, and what could not be cleaned.
    still_held: List[StillHeld]


class DispatchWorkersParameters(TypedDict):
    """The parameters of `dispatchWorkers`."""

    # All that run by themselves if left out.
    worker: NotRequired[Optional[WorkerKind]]


class Dispatched(TypedDict):
    """What the runs came to."""

    # Workers that were not run because they are at work already.
    at_work: NotRequired[List[WorkerKind]]
    # Workers that could not be run, and why.
    failed: NotRequired[List[NotRun]]
    # Runs that ended.
    results: List[WorkerReport]


class DistilAsked(TypedDict):
    """Where to draw from."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class Distilled(TypedDict):
    """What was drawn."""

    namespaces: List[Distilling]


class Distilling(TypedDict):
    """What was drawn from the trajectories of a namespace."""

    # Patterns for which it counted how a task ended.
    judged: List[PatternId]
    # Patterns that are new.
    learned: List[PatternId]
    # How many patterns were joined into others.
    merged: int
    # Where.
    namespace: Namespace
    # Patterns that are kept for good now.
    promoted: List[PatternId]
    # Patterns that are put aside.
    retired: List[PatternId]
    # How many trajectories were new.
    trajectories: int


class DurableNotesParameters(TypedDict):
    """The parameters of `durableNotes`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Edge(TypedDict):
    """A typed, weighted link from one memory to another of the same namespace."""

    # When it was drawn.
    created_at: str
    # Where it begins.
    source: MemoryId
    # Where it ends.
    target: MemoryId
    # What it says of the two.
    type: EdgeType
    # How strong it is, above 0 and at most 1.
    weight: float


class EdgeAsked(TypedDict):
    """An edge to draw."""

    # Where it begins.
    source: MemoryId
    # Where it ends: another memory of the same namespace.
    target: MemoryId
    # What it says of the two.
    type: EdgeType
    # How strong it is; 1 when left out.
    weight: NotRequired[Optional[float]]


class EdgeAskedOptions(TypedDict):
    """What may be left out of `EdgeAsked`."""

    # How strong it is; 1 when left out.
    weight: NotRequired[Optional[float]]


# What links two memories.
EdgeType = Literal["related_to", "derived_from", "contradicts", "sequence", "supersedes"]


class Edges(TypedDict):
    """The edges of one memory."""

    edges: List[Edge]


class EdgesParameters(TypedDict):
    """The parameters of `edges`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Embedding(TypedDict):
    """The vector of one text."""

    # Of length one.
    embedding: EmbeddingVector
    # Which of the texts, counted from 0.
    index: int
    # Always `embedding`.
    object: str


class EmbeddingAnswer(TypedDict):
    """The vectors of texts."""

    data: List[Embedding]
    # The model that made them, as its space is called.
    model: str
    # Always `list`.
    object: str
    usage: EmbeddingUsage


# How vectors are written.
EmbeddingFormat = Literal["float", "base64"]


class EmbeddingQuestion(TypedDict):
    """Texts that are to be embedded."""

    # How many numbers a vector is to have; any other number than the model's is refused.
    dimensions: NotRequired[Optional[int]]
    encoding_format: NotRequired[EmbeddingFormat]
    input: Union[str, List[str]]
    # The model that is wanted; any other than the one at work is refused.
    model: NotRequired[Optional[str]]
    # Taken since clients send it, and not used.
    user: NotRequired[Optional[str]]


class EmbeddingQuestionOptions(TypedDict):
    """What may be left out of `EmbeddingQuestion`."""

    # How many numbers a vector is to have; any other number than the model's is refused.
    dimensions: NotRequired[Optional[int]]
    encoding_format: NotRequired[EmbeddingFormat]
    # The model that is wanted; any other than the one at work is refused.
    model: NotRequired[Optional[str]]
    # Taken since clients send it, and not used.
    user: NotRequired[Optional[str]]


class EmbeddingUsage(TypedDict):
    """How many tokens the texts have, about: models count differently."""

    prompt_tokens: int
    total_tokens: int


# A vector as it is written.
EmbeddingVector = Union[List[float], str]


class EndSessionParameters(TypedDict):
    """The parameters of `endSession`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


# How an import came to its end.
Ending = Literal["whole", "unmarked", "cut", "stopped"]


class EntryAsked(TypedDict):
    """Something to write down."""

    # Who said or did it.
    actor: NotRequired[Optional[str]]
    # When it happened; now when left out.
    at: NotRequired[Optional[str]]
    # The whole of what was observed.
    body: NotRequired[Any]
    direction: NotRequired[Optional[JournalDirection]]
    # What the gate decided.
    gate: NotRequired[Any]
    # Its id, for who brings ids along. Sent again, it changes nothing.
    id: NotRequired[Optional[EntryId]]
    # `message` unless said otherwise; any word will do.
    kind: NotRequired[Optional[str]]
    # Anything else.
    metadata: NotRequired[Dict[str, Any]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # Whether its text is remembered too, as an episode.
    remember: NotRequired[bool]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # How it went.
    status: NotRequired[Optional[JournalStatus]]
    # What was said; it may be empty.
    text: NotRequired[str]
    # The turn it is part of.
    turn: NotRequired[Optional[TurnId]]


class EntryAskedOptions(TypedDict):
    """What may be left out of `EntryAsked`."""

    # Who said or did it.
    actor: NotRequired[Optional[str]]
    # When it happened; now when left out.
    at: NotRequired[Optional[str]]
    # The whole of what was observed.
    body: NotRequired[Any]
    direction: NotRequired[Optional[JournalDirection]]
    # What the gate decided.
    gate: NotRequired[Any]
    # Its id, for who brings ids along. Sent again, it changes nothing.
    id: NotRequired[Optional[EntryId]]
    # `message` unless said otherwise; any word will do.
    kind: NotRequired[Optional[str]]
    # Anything else.
    metadata: NotRequired[Dict[str, Any]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # Whether its text is remembered too, as an episode.
    remember: NotRequired[bool]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # How it went.
    status: NotRequired[Optional[JournalStatus]]
    # The turn it is part of.
    turn: NotRequired[Optional[TurnId]]


# A journal event's identity: a UUID of version 7.
EntryId = str


class EntryPage(TypedDict):
    """A page of the journal."""

    entries: List[JournalEntry]
    # For the next page, if there is one.
    next_cursor: NotRequired[Optional[JournalPosition]]


class EventStored(TypedDict):
    """A memory was stored."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["stored"]
    # Which one.
    id: MemoryId
    # Where it began.
    zone: Zone


class EventRepeated(TypedDict):
    """A repeated statement was joined into the memory that says the same."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["repeated"]
    # The memory that says it.
    id: MemoryId


class EventRecalled(TypedDict):
    """A question was answered."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["recalled"]
    # What was handed out, the best first.
    ids: List[MemoryId]
    # How long that took, in millionths of a second, if it was measured.
    micros: NotRequired[Optional[int]]
    # What was asked.
    query: str


class EventRevised(TypedDict):
    """A memory was changed."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["revised"]
    # Which one.
    id: MemoryId
    # Its version now.
    version: int


class EventForgotten(TypedDict):
    """A memory was moved to the trash by somebody."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["forgotten"]
    # Which one.
    id: MemoryId


class EventRestored(TypedDict):
    """A memory was brought back from the trash."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["restored"]
    # Which one.
    id: MemoryId


class EventPurged(TypedDict):
    """Memories were destroyed."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How many.
    count: int
    event: Literal["purged"]
    # Which ones, as far as they are listed.
    ids: List[MemoryId]


class EventReorbited(TypedDict):
    """The orbits of a namespace were brought up to a time."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["reorbited"]
    # How many were moved to the trash.
    forgotten: int
    # How many memories changed their zone.
    moved: int
    # The time that the zones are those of.
    step: str


# A memory moved nearer or further.
EventZoneChanged = TypedDict(
    "EventZoneChanged",
    {
        "at": "str",
        "namespace": "NotRequired[Optional[Namespace]]",
        "number": "int",
        "event": 'Literal["zone_changed"]',
        "from": "Zone",
        "id": "MemoryId",
        "reason": "MoveReason",
        "to": "Zone",
    },
)


class EventDecayed(TypedDict):
    """Memories fell outward or were forgotten because nobody used them."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How many fell outward.
    demoted: int
    event: Literal["decayed"]
    # How many were moved to the trash.
    forgotten: int


class EventAutoForgotten(TypedDict):
    """A memory was moved to the trash because nobody used it."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["auto_forgotten"]
    # Which one.
    id: MemoryId
    # Whole days since it was last used.
    idle_days: int


class EventConsolidated(TypedDict):
    """A near-duplicate was merged into another memory."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # The one that is put aside, and can be split off again.
    absorbed: MemoryId
    event: Literal["consolidated"]
    # The one that stands for both.
    survivor: MemoryId


class EventSplit(TypedDict):
    """A merged memory was split off again."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # The one that stands for itself again.
    absorbed: MemoryId
    event: Literal["split"]
    # The one it had been merged into.
    survivor: MemoryId


class EventSuperseded(TypedDict):
    """A newer statement took the place of an older one."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["superseded"]
    # The one that holds now.
    newer: MemoryId
    # The one that no longer holds.
    older: MemoryId


class EventContradicted(TypedDict):
    """Two memories contradict each other."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["contradicted"]
    # The newer one.
    first: MemoryId
    # The older one.
    second: MemoryId


class EventLinked(TypedDict):
    """Edges were drawn or replaced."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["linked"]
    # Where they begin.
    source: MemoryId
    # Where they end.
    targets: List[MemoryId]


class EventUnlinked(TypedDict):
    """Edges were taken away."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["unlinked"]
    # Where they began.
    source: MemoryId
    # Where they ended.
    targets: List[MemoryId]


class EventSessionStarted(TypedDict):
    """A session began."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["session_started"]
    # Its name.
    session: str


class EventSessionEnded(TypedDict):
    """A session ended."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["session_ended"]
    # Its name.
    session: str
    # The memory that sums it up, if there was anything to sum up.
    summary: NotRequired[Optional[MemoryId]]


# A namespace was moved.
EventNamespaceMoved = TypedDict(
    "EventNamespaceMoved",
    {
        "at": "str",
        "namespace": "NotRequired[Optional[Namespace]]",
        "number": "int",
        "event": 'Literal["namespace_moved"]',
        "from": "NotRequired[Optional[Namespace]]",
        "memories": "int",
    },
)


class EventNamespaceDeleted(TypedDict):
    """A namespace was deleted."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["namespace_deleted"]
    # How many memories that were.
    memories: int
    # Whether they are destroyed rather than in the trash.
    purged: bool


class EventFeedbackGiven(TypedDict):
    """Somebody told which results were of use."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["feedback_given"]
    # Which were not.
    unused: List[MemoryId]
    # Which were.
    used: List[MemoryId]


class EventWeightsChanged(TypedDict):
    """The weights of the memory function were changed."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["weights_changed"]
    # Why.
    reason: str
    # Which set holds now, by its number.
    set: int


class EventImported(TypedDict):
    """Memories were imported."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # With how many edges.
    edges: int
    event: Literal["imported"]
    # How many.
    memories: int


class EventPatternLearned(TypedDict):
    """A strategy that worked was learned."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["pattern_learned"]
    # Which one.
    pattern: PatternId
    # How well it works, from 0 to 1.
    quality: float


class EventPatternPromoted(TypedDict):
    """A pattern proved itself and is kept for long."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["pattern_promoted"]
    # Which one.
    pattern: PatternId


class EventPatternRetired(TypedDict):
    """A pattern did not prove itself and is not offered any more."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["pattern_retired"]
    # Which one.
    pattern: PatternId


class EventTrajectoryRecorded(TypedDict):
    """The steps of a task were recorded."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["trajectory_recorded"]
    # How it ended.
    outcome: TaskOutcome
    # Which ones.
    trajectory: TrajectoryId


class EventLearned(TypedDict):
    """What recall or routing goes by was learned anew, or put back."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["learned"]
    # What: `router`, `adapter`, or `adapter.trial` for one that was tried and not taken.
    name: str
    # Why.
    reason: str
    # Which set holds now, by its number.
    set: int


class EventWorkerDispatched(TypedDict):
    """A background job was started."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["worker_dispatched"]
    # How much it matters: `critical`, `high`, `normal` or `low`.
    priority: str
    # Which one.
    worker: str


class EventWorkerCompleted(TypedDict):
    """A background job ended."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How long it took.
    duration_ms: int
    event: Literal["worker_completed"]
    # Whether it did what it should.
    ok: bool
    # Which one.
    worker: str


class EventWorkerAlert(TypedDict):
    """A background job found something that somebody should look at."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["worker_alert"]
    # The file it is about, from the vault's folder on.
    file: NotRequired[Optional[str]]
    # The memories it is about. Of a document that was changed as a file and as a memory: those that follow
    # the file, then those that keep the other version.
    ids: NotRequired[List[MemoryId]]
    # What it found.
    message: str
    # How much it matters.
    severity: NotRequired[Severity]
    # Which one.
    worker: str


class EventObserved(TypedDict):
    """A session's notes were updated."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["observed"]
    # Which session.
    session: str


class EventReflected(TypedDict):
    """A session's notes were condensed."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["reflected"]
    # Which session.
    session: str


class EventPromoted(TypedDict):
    """Candidates became durable notes."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How many.
    candidates: int
    event: Literal["promoted"]


class EventCompacted(TypedDict):
    """Durable notes were condensed."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["compacted"]
    # How long they are now.
    tokens: int


class EventExpired(TypedDict):
    """A memory reached the end of its time. In working memory it is gone; elsewhere it lies in the trash."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["expired"]
    # Which one.
    id: MemoryId
    # Where it was.
    layer: Layer


class EventEvicted(TypedDict):
    """A memory left a full working memory because others were used later."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["evicted"]
    # Which one.
    id: MemoryId


# Memories of one layer became one of the next.
EventLayerPromoted = TypedDict(
    "EventLayerPromoted",
    {
        "at": "str",
        "namespace": "NotRequired[Optional[Namespace]]",
        "number": "int",
        "event": 'Literal["layer_promoted"]',
        "from": "Layer",
        "id": "MemoryId",
        "sources": "List[MemoryId]",
        "to": "Layer",
    },
)


class EventPromotionUndone(TypedDict):
    """A promotion was undone."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["promotion_undone"]
    # The memory that is in the trash now.
    id: MemoryId
    # Those that stand for themselves again.
    sources: List[MemoryId]


class EventOutlived(TypedDict):
    """An episode was moved to the trash because its time was over."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # Whole days since it was stored or imported.
    age_days: int
    event: Literal["outlived"]
    # Which one.
    id: MemoryId


class EventCleanedUp(TypedDict):
    """A long-term memory was moved to the trash by the clean-up."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["cleaned_up"]
    # Which one.
    id: MemoryId
    # Why.
    reason: CleanUpReason


class EventSnapshotTaken(TypedDict):
    """The latest episodes were written to a file."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How many.
    episodes: int
    event: Literal["snapshot_taken"]
    # The file's name.
    file: str


class EventBackedUp(TypedDict):
    """A backup was written and verified."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # What it is called.
    backup: str
    # Up to which change it holds everything.
    change: ChangeNumber
    event: Literal["backed_up"]


class EventBackupRestored(TypedDict):
    """A backup took the place of what was here."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # What it is called.
    backup: str
    event: Literal["backup_restored"]
    # How many memories it holds, those in the trash included.
    memories: int


class EventJournalDropped(TypedDict):
    """What happened too long ago left the journal."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # All of them from before this time.
    before: str
    # How many journal events.
    entries: int
    event: Literal["journal_dropped"]
    # How many turns.
    turns: int


class EventOperationFailed(TypedDict):
    """Something that should have worked did not."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How often that happened since it was last told.
    count: int
    event: Literal["operation_failed"]
    # What was tried.
    operation: str
    # Why it failed. Never content.
    reason: str


class EventKeyCreated(TypedDict):
    """A key was created."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["key_created"]
    # Which one.
    key: KeyId
    # What it allows.
    role: Role
    # Where it allows that.
    scope: Scope


class EventKeyRevoked(TypedDict):
    """A key was revoked."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["key_revoked"]
    # Which one.
    key: KeyId


class EventWritesQueued(TypedDict):
    """The store could not take writes, and they began to wait on the machine that made them."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    event: Literal["writes_queued"]
    # What was the matter with the store.
    reason: str


class EventQueueEmptied(TypedDict):
    """Nothing waits on that machine any more."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # How many were given up and wait for somebody to decide.
    dead: int
    event: Literal["queue_emptied"]
    # How many calls were made that had waited.
    replayed: int


class EventAccessRefused(TypedDict):
    """Somebody was not let in, or not allowed what they asked for."""

    # When it happened.
    at: str
    # Where it happened, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # Its number. Later events of one store have higher numbers.
    number: int
    # What was asked for, such as the method and the route. Never content, never a secret.
    action: str
    # How often that happened since it was last told.
    count: int
    event: Literal["access_refused"]
    # The key that was shown, if it is one of ours.
    key: NotRequired[Optional[KeyId]]
    # Why it was refused.
    reason: str


# Something that happened.
Event = Union[
    "EventStored",
    "EventRepeated",
    "EventRecalled",
    "EventRevised",
    "EventForgotten",
    "EventRestored",
    "EventPurged",
    "EventReorbited",
    "EventZoneChanged",
    "EventDecayed",
    "EventAutoForgotten",
    "EventConsolidated",
    "EventSplit",
    "EventSuperseded",
    "EventContradicted",
    "EventLinked",
    "EventUnlinked",
    "EventSessionStarted",
    "EventSessionEnded",
    "EventNamespaceMoved",
    "EventNamespaceDeleted",
    "EventFeedbackGiven",
    "EventWeightsChanged",
    "EventImported",
    "EventPatternLearned",
    "EventPatternPromoted",
    "EventPatternRetired",
    "EventTrajectoryRecorded",
    "EventLearned",
    "EventWorkerDispatched",
    "EventWorkerCompleted",
    "EventWorkerAlert",
    "EventObserved",
    "EventReflected",
    "EventPromoted",
    "EventCompacted",
    "EventExpired",
    "EventEvicted",
    "EventLayerPromoted",
    "EventPromotionUndone",
    "EventOutlived",
    "EventCleanedUp",
    "EventSnapshotTaken",
    "EventBackedUp",
    "EventBackupRestored",
    "EventJournalDropped",
    "EventOperationFailed",
    "EventKeyCreated",
    "EventKeyRevoked",
    "EventWritesQueued",
    "EventQueueEmptied",
    "EventAccessRefused",
]


# The kinds of events, for asking only for some.
EventKind = Literal[
    "stored",
    "repeated",
    "recalled",
    "revised",
    "forgotten",
    "restored",
    "purged",
    "reorbited",
    "zone_changed",
    "decayed",
    "auto_forgotten",
    "consolidated",
    "split",
    "superseded",
    "contradicted",
    "linked",
    "unlinked",
    "session_started",
    "session_ended",
    "namespace_moved",
    "namespace_deleted",
    "feedback_given",
    "weights_changed",
    "imported",
    "pattern_learned",
    "pattern_promoted",
    "pattern_retired",
    "trajectory_recorded",
    "learned",
    "worker_dispatched",
    "worker_completed",
    "worker_alert",
    "observed",
    "reflected",
    "promoted",
    "compacted",
    "expired",
    "evicted",
    "layer_promoted",
    "promotion_undone",
    "outlived",
    "cleaned_up",
    "snapshot_taken",
    "backed_up",
    "backup_restored",
    "journal_dropped",
    "operation_failed",
    "key_created",
    "key_revoked",
    "writes_queued",
    "queue_emptied",
    "access_refused",
]


class EventPage(TypedDict):
    """A page of events, in the order of their numbers."""

    events: List[Event]
    # Give this as `after` for what follows. It is the same as before when nothing follows yet; a page may be
    # short, or even empty, and yet not the last.
    next_after: int


class EventsParameters(TypedDict):
    """The parameters of `events`."""

    # Only events with a higher number, the earliest first; the latest when left out.
    after: NotRequired[Optional[int]]
    # Any of these; all when left out.
    kind: NotRequired[List[EventKind]]
    limit: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens. What happened in no namespace is
    # shown to those who may see everything.
    scope: NotRequired[Optional[Scope]]
    since: NotRequired[Optional[str]]
    until: NotRequired[Optional[str]]


class Explanation(TypedDict):
    """Where a score comes from."""

    # The words of the query that the memory holds.
    matched: List[str]
    # What each stage brought, the largest first. The score is a logistic function of their sum.
    parts: List[Part]


class ExportGraphParameters(TypedDict):
    """The parameters of `exportGraph`."""

    format: NotRequired[Format]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ExportParameters(TypedDict):
    """The parameters of `export`."""

    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    kind: NotRequired[List[Kind]]
    layer: NotRequired[List[Layer]]
    # At most so many memories, the earliest first.
    limit: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tag: NotRequired[List[str]]
    trash: NotRequired[Trash]
    until: NotRequired[Optional[str]]


class FadingAhead(TypedDict):
    """What will go to the trash within a week in use unless somebody uses it."""

    # When the first of them goes, if the namespace is used every day until then.
    first_at: str
    # How many memories.
    memories: int
    # Where.
    namespace: Namespace


class Failed(TypedDict):
    """What should have worked and did not."""

    # How often.
    count: int
    # When last.
    last_at: str
    # What was tried.
    operation: str
    # Why it failed.
    reason: str


class FeedbackAsked(TypedDict):
    """What was asked, and what of the answer was of use."""

    # Where the results are from; by default it is looked up.
    namespace: NotRequired[Optional[Namespace]]
    # What was asked.
    query: str
    # The session in which was asked.
    session: NotRequired[Optional[str]]
    # The results that were shown and not of use.
    unused: NotRequired[List[MemoryId]]
    # The results that were of use.
    used: NotRequired[List[MemoryId]]


class FeedbackAskedOptions(TypedDict):
    """What may be left out of `FeedbackAsked`."""

    # Where the results are from; by default it is looked up.
    namespace: NotRequired[Optional[Namespace]]
    # The session in which was asked.
    session: NotRequired[Optional[str]]
    # The results that were shown and not of use.
    unused: NotRequired[List[MemoryId]]
    # The results that were of use.
    used: NotRequired[List[MemoryId]]


class FeedbackReceipt(TypedDict):
    """What became of feedback."""

    # How many results it was kept for; what is gone meanwhile does not count.
    judged: int
    # The weights that hold from now on, if they were changed by it.
    weights: NotRequired[Optional[LearnedWeights]]


# A condition of a recall, by the name that it is given by.
FilterCondition = Literal[
    "layers",
    "kinds",
    "tags",
    "since",
    "until",
    "session",
    "speaker",
    "pinned",
    "context",
    "as_of",
    "in_session",
]


class FindPatternsParameters(TypedDict):
    """The parameters of `findPatterns`."""

    # Of this field only.
    domain: NotRequired[Optional[str]]
    limit: NotRequired[Optional[int]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The task, in words; all patterns if left out.
    q: NotRequired[Optional[str]]


class FollowEventsParameters(TypedDict):
    """The parameters of `followEvents`."""

    # Begins with the event that follows this number; with what happens from now on when left out.
    after: NotRequired[Optional[int]]
    # Any of these; all when left out.
    kind: NotRequired[List[EventKind]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class ForgetNotesParameters(TypedDict):
    """The parameters of `forgetNotes`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ForgetParameters(TypedDict):
    """The parameters of `forget`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Forgotten(TypedDict):
    """What was destroyed."""

    namespace: Namespace
    # How many notes.
    notes: int
    # How many messages that waited to become some.
    pending: int
    session: str


# How a graph is written.
Format = Literal["dot", "graphml", "json"]


class FoundPatterns(TypedDict):
    """Patterns, and who should take the task. Without a task, how close a pattern is to it is 0, and it is
    recommended by how well it works.
    """

    # What did not take part although it should have.
    degraded: NotRequired[List[str]]
    patterns: List[PatternMatch]
    # Who should take the task, if one was given.
    route: NotRequired[Optional[Routed]]


class Gained(TypedDict):
    """What a memory gained when another was merged into it, so that it can be taken away again."""

    # Aliases it did not have.
    aliases: NotRequired[List[str]]
    # The importance it had, if the other's was higher.
    importance_before: NotRequired[Optional[Importance]]
    # Whether it was pinned only by the other.
    pinned: NotRequired[bool]
    # Tags it did not have.
    tags: NotRequired[List[str]]


class GetJournalParameters(TypedDict):
    """The parameters of `getJournal`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class GetParameters(TypedDict):
    """The parameters of `get`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class GetPatternParameters(TypedDict):
    """The parameters of `getPattern`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class GetSessionParameters(TypedDict):
    """The parameters of `getSession`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class GetTrajectoryParameters(TypedDict):
    """The parameters of `getTrajectory`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class GetTurnParameters(TypedDict):
    """The parameters of `getTurn`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class GetWorkParameters(TypedDict):
    """The parameters of `getWork`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The session's; the namespace's own when left out.
    session: NotRequired[Optional[str]]


class GiveAsked(TypedDict):
    """What an agent is to be given."""

    # Whether what must be given once counts as given when it is confirmed. That takes a session.
    deliver: NotRequired[Deliver]
    # For how long nobody else is given what is lent.
    lease_seconds: NotRequired[Optional[int]]
    # At which moment; `look` shows everything there is.
    moment: NotRequired[Moment]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # An id of whoever asks: asking again on the same occasion neither begins the session once more nor gives
    # again what was lost.
    occasion: NotRequired[Optional[str]]
    # What the agent was asked: memories that matter to it are among what it is given.
    query: NotRequired[Optional[str]]
    # The agent's session: its notes and its working memory are among what it is given.
    session: NotRequired[Optional[str]]
    # At most so many tokens; as configured when left out.
    tokens_max: NotRequired[Optional[int]]


# One thing that an agent is given.
Given = TypedDict(
    "Given",
    {
        "from": "Provenance",
        "text": "str",
    },
)


class GivenContext(TypedDict):
    """What an agent is given."""

    # What did not take part although it should have, in words for a person.
    degraded: NotRequired[List[str]]
    # When somebody else may be given the same unless it is confirmed.
    lent_until: NotRequired[Optional[str]]
    # The number of the loan, to be confirmed once the agent has the text. Null if nothing was lent.
    loan: NotRequired[Optional[str]]
    # Where it is from.
    namespace: Namespace
    # Its parts, in order.
    parts: List[ContextPart]
    # The text for the agent; empty if there is nothing to give.
    text: str
    # How many tokens it has.
    tokens: int
    # How many it might have had.
    tokens_max: int


class GivenText(TypedDict):
    """A text from memory that an agent was given."""

    # When.
    at: str
    text: str


class GivenToSession(TypedDict):
    """What an agent was given."""

    # The earliest first.
    given: List[GivenText]
    # Whether there were earlier ones.
    more: bool
    namespace: Namespace
    session: str


class GivenToSessionParameters(TypedDict):
    """The parameters of `givenToSession`."""

    # At most so many of the latest.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class GraphEdge(TypedDict):
    """An edge between two memories that are shown."""

    # Where it begins, by its place among the nodes.
    source: int
    # Where it ends, by its place among the nodes.
    target: int
    # What it says of the two.
    type: EdgeType
    # How strong it is, above 0 and at most 1.
    weight: float


class GraphNode(TypedDict):
    """A memory in the graph."""

    # The number of its group, of which 0 is the largest; none if it is alone.
    community: NotRequired[Optional[int]]
    # How many edges it has, shown or not.
    degree: int
    # Which memory.
    id: MemoryId
    # What it is.
    kind: Kind
    # How its content begins: at most 120 characters, on one line.
    label: str
    # How central it is; the ranks of all memories sum to 1.
    rank: float
    # How near it orbits.
    zone: Zone


class GraphParameters(TypedDict):
    """The parameters of `graph`."""

    # At most so many memories; 2000 when left out.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class GraphPicture(TypedDict):
    """The graph of what is current in a namespace, as far as it is shown."""

    # How many groups of more than one memory there are.
    communities: int
    # The edges between these.
    edges: List[GraphEdge]
    # How much more weight lies inside the groups than chance would put there, from 0 to almost 1.
    modularity: float
    # Where.
    namespace: Namespace
    # The memories, the most central first.
    nodes: List[GraphNode]
    # How many edges there are between them, shown or not.
    total_edges: int
    # How many memories have edges, shown or not.
    total_nodes: int


class Groups(TypedDict):
    """Groups of memories."""

    # How many groups there are of more than one memory.
    count: int
    # The largest of them first.
    groups: List[List[MemoryId]]
    # How much more weight lies inside the groups than chance would put there, from 0 to almost 1.
    modularity: float
    namespace: Namespace


class Health(TypedDict):
    """How the engine is."""

    # What is wrong with the clock, if something is: nothing fades, expires for good or is purged then.
    clock: NotRequired[Optional[ClockLeap]]
    # Bytes that are free on the disk, if that can be told.
    disk_free_bytes: NotRequired[Optional[int]]
    # Edges between memories.
    edges: int
    # Whether the store in the data folder is encrypted.
    encrypted: bool
    # What will go to the trash within a week in use because nobody uses it.
    fading: NotRequired[List[FadingAhead]]
    # Whether memories can be stored and recalled.
    healthy: bool
    # How many changes the indexes lack that are in memory or saved, which the next recall adds.
    index_lag: int
    # What this process has written down in the journal and the store does not hold yet.
    journal: JournalHealth
    # Memories outside the trash.
    memories: int
    # What does not work.
    problems: List[str]
    # What waits to be done.
    queue: QueueHealth
    # Whether the folder can only be read.
    read_only: bool
    # The chores.
    scheduler: SchedulerHealth
    # Whether the store answers.
    store_reachable: bool
    # Memories in the trash.
    trashed: int
    # Memories that wait for a vector.
    unembedded: int
    # What somebody should look at. Everything works all the same.
    warnings: List[str]
    # How full each zone is, added up over the namespaces.
    zones: List[ZoneUse]


class HearAsked(TypedDict):
    """What was said. Told again with the same times, it is kept once."""

    # What the agent was given from memory for it, which is not to be learned again.
    handed_out: NotRequired[List[str]]
    # In order.
    messages: List[MessageAsked]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # When notes are made of it.
    observe: NotRequired[ObserveWhen]
    # Whose conversation it is.
    user: NotRequired[Optional[str]]


class HearAskedOptions(TypedDict):
    """What may be left out of `HearAsked`."""

    # What the agent was given from memory for it, which is not to be learned again.
    handed_out: NotRequired[List[str]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # When notes are made of it.
    observe: NotRequired[ObserveWhen]
    # Whose conversation it is.
    user: NotRequired[Optional[str]]


# What became of what was said.
HeardOutcome = Literal["kept", "queued"]


class HeardReceipt(TypedDict):
    """What became of what was said."""

    # How many messages are kept that were not before.
    kept: int
    # Where it is.
    namespace: Namespace
    # What became of it.
    outcome: HeardOutcome
    # How many secrets were taken out.
    redacted: int
    # How many were kept before.
    repeated: int
    # The conversation.
    session: str
    # What was done with the notes at once, in order.
    steps: List[Any]
    # Why nothing could be done with the notes at once. The messages wait, and are observed later.
    trouble: NotRequired[Optional[str]]


class Held(TypedDict):
    """What working memory holds."""

    # What the session holds, the latest first.
    items: List[WorkItem]
    # Every session that holds something.
    sessions: List[WorkSession]


# What may hold the words of what was destroyed.
HeldBy = Literal["backups", "snapshots", "server", "log", "handed_out", "audit_log", "queue", "index"]


class History(TypedDict):
    """Everything that is known of how a memory came to be what it is."""

    # As it is now.
    memory: Memory
    # What was merged into it, or what it was merged into.
    merges: List[Merge]
    # What took its place, and what took the place of that, and so on.
    replaced_by: List[Memory]
    # What it took the place of, the latest first, and what those took the place of. Merged ones are not here.
    replaces: List[Memory]
    # What it said before its revisions, the earliest first.
    versions: List[Version]


class HistoryParameters(TypedDict):
    """The parameters of `history`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Hit(TypedDict):
    """A memory that was recalled, and why."""

    # Where the score comes from.
    explanation: Explanation
    # The memory.
    memory: Memory
    # Whether it reads like an order to an agent, which somebody may have planted. It is data all the same.
    reads_like_order: NotRequired[bool]
    # How relevant it seems, from 0 to 1.
    score: float
    # Tokens of its content.
    tokens: int


class ImportParameters(TypedDict):
    """The parameters of `import`."""

    # What to do with what is here; for all but append an admin is needed.
    mode: NotRequired[Mode]
    # Only into these namespaces; by default into all that the key opens. Lines of others are refused.
    scope: NotRequired[Optional[Scope]]


# How much a memory was said to matter, from 0 to 1.
Importance = float


class Imported(TypedDict):
    """What was imported, or would be."""

    # Memories that are new here.
    added: int
    # Edges that are here now.
    edges: int
    # How it came to its end.
    ending: Ending
    # Journal events that are new here.
    entries: int
    # Memories that were here already, by their id or by what they say.
    known: int
    # Learned sets that are new here.
    learned: int
    # The last line that was handled.
    lines: int
    # Memories that stayed as they are because they were changed here later than in the file.
    newer_here: int
    # Sets of notes, of sessions and digests, that are new here or changed what was here.
    notes: int
    # Why nothing was moved to the trash although that was asked for.
    nothing_trashed: NotRequired[Optional[str]]
    # Patterns that are new here or replaced those with their ids.
    patterns: int
    # Secrets that were taken out before anything was stored.
    redacted: NotRequired[List[RedactedSecret]]
    # Lines that could not be taken, with the reason; the rest is kept.
    refused: List[List[Union[int, str]]]
    # Lines that could not be taken beyond those that are listed.
    refused_unlisted: NotRequired[int]
    # Memories that replaced those with their ids.
    replaced: int
    # After which line it went on, if it had been interrupted.
    resumed_after: NotRequired[Optional[int]]
    # Sessions that were read.
    sessions: int
    # Trajectories that are new here or replaced those with their ids.
    trajectories: int
    # Memories that were moved to the trash.
    trashed: int
    # Turns that are new here or replaced those with their ids.
    turns: int


# Whether something came to the agent or from it.
JournalDirection = Literal["inbound", "outbound"]


class JournalEntry(TypedDict):
    """One thing that was observed, said or done. It is written once and never changed."""

    # Who said or did it.
    actor: NotRequired[Optional[str]]
    # When it happened.
    at: str
    # The whole of what was observed, as it came.
    body: NotRequired[Any]
    # When it was written down.
    created_at: str
    # Whether it came to the agent or from it.
    direction: NotRequired[Optional[JournalDirection]]
    # What the gate decided, such as its action, scene, score and reasons.
    gate: NotRequired[Any]
    # Its identity, for good.
    id: EntryId
    # What sort of thing it is: `message`, `world_data`, `alert`, `control`, `schedule`, `system`, `tool`, or
    # any other word.
    kind: str
    # Anything else.
    metadata: NotRequired[Dict[str, Any]]
    # The one namespace it belongs to.
    namespace: Namespace
    # Whether its text is remembered too. Replaying the journal makes such memories anew where they are
    # missing.
    remember: NotRequired[bool]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # How it went.
    status: NotRequired[Optional[JournalStatus]]
    # What was said, if anything.
    text: NotRequired[str]
    # The turn it is part of.
    turn: NotRequired[Optional[TurnId]]


class JournalHealth(TypedDict):
    """What a process has written down and the store does not hold yet."""

    # Always 0: nothing is acknowledged from memory alone. For readers of earlier releases.
    held: int
    # Journal events that wait on the disk, as far as this process has queued them.
    queued: int


# Where the next page of the journal goes on, as the page before told it.
JournalPosition = str


class JournalStats(TypedDict):
    """What the journal of a namespace holds."""

    # How many journal events.
    entries: int
    # Journal events by kind, by name.
    kinds: List[List[Union[str, int]]]
    # Which namespace.
    namespace: Namespace
    # When the latest of them happened.
    newest_at: NotRequired[Optional[str]]
    # When the earliest of them happened.
    oldest_at: NotRequired[Optional[str]]
    # How many turns.
    turns: int
    # Turns that have not ended.
    turns_open: int


class JournalStatsParameters(TypedDict):
    """The parameters of `journalStats`."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


# How an observation or a turn went.
JournalStatus = Literal["ok", "error", "timeout"]


class JournalSummary(TypedDict):
    """What the journal holds, in numbers."""

    # Journal events in the store.
    entries: int
    # Each namespace by itself.
    namespaces: List[JournalStats]
    # Turns in the store.
    turns: int
    # Turns that have not ended.
    turns_open: int
    # What this process has written down and the store does not hold yet.
    waiting: JournalHealth


# What became of something that was written down.
Kept = Literal["stored", "queued"]


class KeyAsked(TypedDict):
    """A key to create."""

    # What it is for. Names need not be unique.
    name: str
    # What it allows.
    role: Role
    # Where it allows that: a namespace, `team/*` or `*`; by default everything that the own key opens.
    scope: NotRequired[Optional[Scope]]


class KeyAskedOptions(TypedDict):
    """What may be left out of `KeyAsked`."""

    # Where it allows that: a namespace, `team/*` or `*`; by default everything that the own key opens.
    scope: NotRequired[Optional[Scope]]


# What a key is called by: the part of it that is no secret.
KeyId = str


class Keys(TypedDict):
    """Keys, the earliest first."""

    keys: List[ApiKey]


# What a memory is.
Kind = Literal["fact", "preference", "decision", "procedure", "episode", "observation", "summary", "document"]


# How long recalls took, over time.
Latencies = TypedDict(
    "Latencies",
    {
        "bucket_seconds": "int",
        "buckets": "List[LatencyBucket]",
        "complete": "bool",
        "from": "str",
        "until": "str",
    },
)


class LatenciesParameters(TypedDict):
    """The parameters of `latencies`."""

    # In at most so many parts of equal length; 96 when left out.
    buckets: NotRequired[Optional[int]]
    # So many hours back; 24 when left out.
    hours: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens. Recalls over several namespaces
    # are counted for those who may see everything.
    scope: NotRequired[Optional[Scope]]


class LatencyBucket(TypedDict):
    """What happened in a part of the time. So many percent of the recalls that were measured took at most
    so long, in millionths of a second.
    """

    # When it begins.
    at: str
    # The slowest.
    max_micros: NotRequired[Optional[int]]
    # Those of them that were measured.
    measured: int
    # Half of these; none if there are none.
    p50_micros: NotRequired[Optional[int]]
    # 95 percent.
    p95_micros: NotRequired[Optional[int]]
    # Questions that were answered.
    recalls: int
    # New memories.
    stored: int


# How long a memory is meant to live.
Layer = Literal["working", "episodic", "long_term"]


class LearnedInfo(TypedDict):
    """Something that was learned as a whole."""

    # Whether it takes part.
    active: bool
    # When it was taken.
    at: str
    # What: `router` or `adapter`.
    name: str
    # Where.
    namespace: Namespace
    # Why.
    reason: str
    # The number of the set.
    set: int


# What is learned as a whole.
LearnedName = Literal["router", "adapter"]


class LearnedRollbackAsked(TypedDict):
    """What to go back to."""

    name: LearnedName
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The number of the set; 0 is nothing learned.
    set: int


class LearnedRollbackAskedOptions(TypedDict):
    """What may be left out of `LearnedRollbackAsked`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class LearnedSets(TypedDict):
    """What was learned, the latest first."""

    sets: List[LearnedInfo]


class LearnedSetsParameters(TypedDict):
    """The parameters of `learnedSets`."""

    name: LearnedName
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class LearnedSetsParametersOptions(TypedDict):
    """What may be left out of `LearnedSetsParameters`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class LearnedWeights(TypedDict):
    """Weights of the memory function that hold in a namespace."""

    # How much it counts how close it is to what the session is about.
    context: float
    # How much it counts how lately it was used.
    freshness: float
    # How much it counts how much it was said to matter.
    importance: float
    # The number of the set; 0 for the configured one.
    number: int
    # Why they were taken.
    reason: str
    # How much it counts how often a memory was recalled.
    recall: float


class LearningNumbers(TypedDict):
    """What has been learned, in numbers, and who is at work on it."""

    # The workers that are at work now, in whichever process. For keys that open everything.
    active_workers: NotRequired[Optional[List[WorkerKind]]]
    # When what adapts questions last changed, in whichever of these namespaces.
    last_adaptation_at: NotRequired[Optional[str]]
    # The last run of the worker that trains: when it tried, and what came of it. For keys that open
    # everything.
    last_training: NotRequired[Optional[WorkerRun]]
    # What recall and routing go by, where something was learned.
    learned: List[LearnedInfo]
    # Patterns that have.
    long_term: int
    # Each namespace by itself.
    namespaces: List[LearningStats]
    # Patterns that were put aside.
    retired: int
    # Patterns that have to prove themselves.
    short_term: int
    # Trajectories.
    trajectories: int
    # How many of them nothing was drawn from yet.
    undistilled: int


class LearningStats(TypedDict):
    """What a namespace has learned, in numbers."""

    # Patterns that have.
    long_term: int
    # Which namespace.
    namespace: Namespace
    # Patterns that were put aside.
    retired: int
    # Patterns that have to prove themselves.
    short_term: int
    # Trajectories.
    trajectories: int
    # How many of them nothing was drawn from yet.
    undistilled: int


class LearningStatsParameters(TypedDict):
    """The parameters of `learningStats`."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class Link(TypedDict):
    """An edge as the graph keeps it: without the time it was drawn, which the store knows."""

    # Where it begins.
    source: MemoryId
    # Where it ends.
    target: MemoryId
    # What it says of the two.
    type: EdgeType
    # How strong it is, above 0 and at most 1.
    weight: float


class Linked(TypedDict):
    """What became of an edge."""

    # False if the memory has as many edges as it may, and all of them are stronger.
    linked: bool
    source: MemoryId
    target: MemoryId
    type: EdgeType
    weight: float


class ListJournalParameters(TypedDict):
    """The parameters of `listJournal`."""

    actor: NotRequired[Optional[str]]
    # As the page before said.
    cursor: NotRequired[Optional[JournalPosition]]
    kind: NotRequired[Optional[str]]
    limit: NotRequired[Optional[int]]
    order: NotRequired[Order]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    status: NotRequired[Optional[JournalStatus]]
    # Words that all occur in the text, in whatever case.
    text: NotRequired[Optional[str]]
    turn: NotRequired[Optional[TurnId]]
    until: NotRequired[Optional[str]]


class ListNamespacesParameters(TypedDict):
    """The parameters of `listNamespaces`."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class ListNoteSessionsParameters(TypedDict):
    """The parameters of `listNoteSessions`."""

    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ListParameters(TypedDict):
    """The parameters of `list`."""

    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    # As the page before said.
    cursor: NotRequired[Optional[MemoryId]]
    # Only what came from this journal event.
    entry: NotRequired[Optional[EntryId]]
    kind: NotRequired[List[Kind]]
    layer: NotRequired[List[Layer]]
    limit: NotRequired[Optional[int]]
    order: NotRequired[Order]
    pinned: NotRequired[Optional[bool]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tag: NotRequired[List[str]]
    trashed: NotRequired[Trashed]
    until: NotRequired[Optional[str]]
    zone: NotRequired[List[Zone]]


class ListPatternsParameters(TypedDict):
    """The parameters of `listPatterns`."""

    domain: NotRequired[Optional[str]]
    limit: NotRequired[Optional[int]]
    # Those that were put aside, instead of those that are offered.
    retired: NotRequired[bool]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    term: NotRequired[Optional[PatternTerm]]


class ListSessionsParameters(TypedDict):
    """The parameters of `listSessions`."""

    limit: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class ListTrajectoriesParameters(TypedDict):
    """The parameters of `listTrajectories`."""

    agent: NotRequired[Optional[str]]
    # As the page before said.
    cursor: NotRequired[Optional[TrajectoryId]]
    domain: NotRequired[Optional[str]]
    limit: NotRequired[Optional[int]]
    order: NotRequired[Order]
    outcome: NotRequired[Optional[TaskOutcome]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]


class ListTurnsParameters(TypedDict):
    """The parameters of `listTurns`."""

    # As the page before said.
    cursor: NotRequired[Optional[JournalPosition]]
    limit: NotRequired[Optional[int]]
    order: NotRequired[Order]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    status: NotRequired[Optional[JournalStatus]]
    until: NotRequired[Optional[str]]


class ListWorkParameters(TypedDict):
    """The parameters of `listWork`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The session's; the namespace's own when left out.
    session: NotRequired[Optional[str]]


class LlmCall(TypedDict):
    """One call."""

    # When it began.
    at: str
    # Why there is no answer, if there is none.
    error: NotRequired[Optional[str]]
    # So many tokens were charged for what was asked...
    input_tokens: int
    # Which model was asked.
    model: str
    # How it ended.
    outcome: LlmOutcome
    # ...and for what was answered.
    output_tokens: int
    # What it was for.
    purpose: str
    # How long it took, waits included; null if it has not ended.
    took_ms: NotRequired[Optional[int]]


class LlmCallsParameters(TypedDict):
    """The parameters of `llmCalls`."""

    limit: NotRequired[Optional[int]]


class LlmDay(TypedDict):
    """A day of calls, UTC."""

    # How many calls began.
    calls: int
    # Which day, such as 2026-11-15.
    day: str
    # How many tokens were spent or are reserved.
    tokens: int


# How a call ended.
LlmOutcome = Literal["ok", "refused", "failed", "unfinished"]


class LlmUse(TypedDict):
    """What a language model was asked, and what that took. What was said is not told."""

    # The latest first.
    calls: List[LlmCall]
    # So many tokens may be spent in a day, UTC.
    cap_tokens: NotRequired[Optional[int]]
    # The last thirty days, the earliest first.
    days: List[LlmDay]
    # The model that is asked; null if none is.
    model: NotRequired[Optional[str]]
    # What its server speaks.
    provider: NotRequired[Optional[str]]
    # When the next day begins.
    resets_at: NotRequired[Optional[str]]
    # So many are spent or reserved today.
    spent_tokens_today: int


class LookAtContextParameters(TypedDict):
    """The parameters of `lookAtContext`."""

    # At which moment; `look` shows everything there is.
    moment: NotRequired[Moment]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # What the agent was asked: memories that matter to it are among what it is given.
    query: NotRequired[Optional[str]]
    # The agent's session: its notes and its working memory are among what it is given.
    session: NotRequired[Optional[str]]
    # At most so many tokens; as configured when left out.
    tokens_max: NotRequired[Optional[int]]


class Maintained(TypedDict):
    """What the chores left behind."""

    # Bytes on the disk: saved indexes.
    index_bytes: int
    # Memories that were purged after their time in the trash.
    purged: int
    # Memories that still wait for a vector.
    unembedded: int


class Me(TypedDict):
    """Somebody who asks."""

    # The key that was shown; null if there was none.
    key: NotRequired[Optional[KeyId]]
    # Whether they need no key, because they sit at the machine itself.
    local: bool
    # Where requests work that name no namespace; null if they have to name one.
    namespace: NotRequired[Optional[Namespace]]
    # Whether nothing can be written.
    read_only: bool
    # What they may do.
    role: Role
    # Where they may do it.
    scope: Scope
    # The program's version.
    version: str


# Whether a memory can be found by its meaning.
Meaning = Literal["embedded", "pending", "words_only"]


class Memory(TypedDict):
    """One statement worth keeping."""

    # Other names of what it is about; recall finds it by them.
    aliases: NotRequired[List[str]]
    # The change that last touched it.
    change: ChangeNumber
    # The statement.
    content: str
    # The circumstances of an episode: when, where, in what mood, with whom.
    context: NotRequired[Context]
    # When it was first stored.
    created_at: str
    # The same as the content with its structure: a value, what is known of a concept, the steps of a
    # procedure.
    data: NotRequired[Any]
    # The journal event it came from.
    entry: NotRequired[Optional[EntryId]]
    # From when on it must not be seen any more.
    expires_at: NotRequired[Optional[str]]
    # Its identity, for good.
    id: MemoryId
    # How much it was said to matter.
    importance: Importance
    # What it is called by in the working memory of its session. There is one of each name.
    key: NotRequired[Optional[str]]
    # What it is.
    kind: Kind
    # How long it is meant to live.
    layer: Layer
    # Anything else, untouched.
    metadata: NotRequired[Dict[str, Any]]
    # The one namespace it belongs to.
    namespace: Namespace
    # When it was said or happened, if that is known and not simply now.
    occurred_at: NotRequired[Optional[str]]
    # Kept near and never decayed.
    pinned: NotRequired[bool]
    # The layer it was promoted from, by the engine or by hand. What it was made from is linked by
    # `derived_from`.
    promoted_from: NotRequired[Optional[Layer]]
    # The memory of a longer-lived layer that it became a source of. It is put aside for that one.
    promoted_to: NotRequired[Optional[MemoryId]]
    # Never promoted by the engine, because somebody undid that.
    promotion_undone: NotRequired[bool]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # Where it came from, such as a file or a tool.
    source: NotRequired[Optional[str]]
    # The space of its vector, or none while it has no vector.
    space: NotRequired[Optional[SpaceId]]
    # Who said it.
    speaker: NotRequired[Optional[str]]
    # The memory that took its place.
    superseded_by: NotRequired[Optional[MemoryId]]
    # Words to file it under; filters ask for them.
    tags: NotRequired[List[str]]
    # Since when it lies in the trash, if it does.
    trashed_at: NotRequired[Optional[str]]
    # What moved it to the trash, if nobody asked for it.
    trashed_by: NotRequired[Optional[TrashedBy]]
    # When it was last changed.
    updated_at: str
    # From when on it holds, if that is known and not simply since it was said.
    valid_from: NotRequired[Optional[str]]
    # Until when it holds, or held.
    valid_until: NotRequired[Optional[str]]
    # Counts revisions, from 1.
    version: int
    # How near it orbits, as of the last settled step.
    zone: NotRequired[Zone]


# A memory's identity: a UUID of version 7, so that ids sort by the time they were given.
MemoryId = str


class MemoryOrbit(TypedDict):
    """Why a memory is where it is."""

    # Which memory.
    id: MemoryId
    # How it moved: at most 200 moves, the latest last.
    moves: List[OrbitMove]
    # What the score is made of.
    parts: List[OrbitPart]
    # Whether it never decays.
    pinned: bool
    # How often it was recalled.
    recalls: int
    # The memory function's value now, from 0 to 1.
    score: float
    # When it was last used, or came here.
    used_at: str
    # How near it orbits, as of the last settled step.
    zone: Zone


class MemoryOrbitParameters(TypedDict):
    """The parameters of `memoryOrbit`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class MemoryPage(TypedDict):
    """A page of memories."""

    memories: List[Memory]
    # For the next page, if there is one.
    next_cursor: NotRequired[Optional[MemoryId]]


class Merge(TypedDict):
    """That a memory was merged into another."""

    # The one that is put aside.
    absorbed: MemoryId
    # When.
    at: str
    # What the survivor gained.
    gained: Gained
    # The one that stands for both.
    survivor: MemoryId


class MessageAsked(TypedDict):
    """One thing that was said."""

    # When; now when left out. Whoever tells a turn again gives the same time.
    at: NotRequired[Optional[str]]
    role: SaidBy
    # Of what is too long for a memory the middle is left out; what is blank is not kept.
    text: str


class MigrateParameters(TypedDict):
    """The parameters of `migrate`."""

    # Only tell what would happen.
    dry_run: NotRequired[bool]
    # Where the memories go: by default the key's own namespace or the configured one. With an empty body,
    # whose memories get vectors: by default those of everything that the key opens.
    namespace: NotRequired[Optional[Namespace]]
    # The model that all vectors are of, whatever the records say.
    vectors_are: NotRequired[Optional[str]]


class MigrationReport(TypedDict):
    """What came of a migration, or would come."""

    # Those that were here before, by their id or by what they say.
    already_there: int
    # How long it took.
    duration_ms: int
    # Of the memories of this run, those that the engine made a vector for. In a rehearsal it is not asked, so
    # that these are those that need one.
    embedded: int
    # How it came to its end.
    ending: Ending
    # Which ones failed, and why; the rest is kept.
    errors: List[List[str]]
    # How many failed beyond those that are listed.
    errors_unlisted: int
    # Those that could not be taken.
    failed: int
    # Files that hold no record, such as snapshots of vectors.
    files_passed_over: int
    # Those that are memories now.
    migrated: int
    # Secrets that were taken out before anything was stored.
    redacted: NotRequired[List[RedactedSecret]]
    # After which record it went on, if it had been interrupted.
    resumed_after: NotRequired[Optional[int]]
    # Of the memories of this run, those that brought weights of terms, which were left behind.
    sparse_vectors: int
    # Records that were read.
    total: int
    # Of the memories of this run, those without a vector: the engine does not know the language, failed, in
    # which case the vector follows, or there is none.
    unembedded: int
    # Of the memories of this run, those whose own vector was taken.
    vectors_taken: int
    # Of the memories of this run, those whose own vector was of another space or damaged.
    vectors_unusable: int


# What to do with what is here.
Mode = Literal["append", "upsert", "replace"]


# At which moment an agent is given something.
Moment = Literal["start", "resumed", "compacted", "prompt", "look"]


# A namespace to move.
MoveAsked = TypedDict(
    "MoveAsked",
    {
        "from": "Namespace",
        "to": "Namespace",
    },
)


# Why a memory came, changed its zone, or left.
MoveCause = Literal[
    "stored",
    "imported",
    "restored",
    "split",
    "score",
    "idle",
    "room",
    "forgotten",
    "auto_forgotten",
    "outlived",
    "cleaned_up",
    "expired",
    "evicted",
    "purged",
    "consolidated",
    "superseded",
    "layer_promoted",
    "promotion_undone",
    "namespace_deleted",
]


# Why a memory changed its zone.
MoveReason = Literal["score", "idle", "room"]


class MovedNamespace(TypedDict):
    """What was moved from one namespace to another."""

    # How many memories.
    memories: int
    # How many of them said what a memory at the new place says already; those are in the trash there.
    repeated: int


# A path such as `team/agent/user`: segments of letters, digits and - _ . @ : +.
Namespace = str


class NamespaceStats(TypedDict):
    """What a namespace holds."""

    # Bytes of content outside the trash.
    content_bytes: int
    # Edges between them.
    edges: int
    # The last change in it.
    head: ChangeNumber
    # Memories by kind.
    kinds: List[List[Union[Kind, int]]]
    # Memories by layer.
    layers: List[List[Union[Layer, int]]]
    # Memories that are not in the trash.
    memories: int
    # Which one.
    namespace: Namespace
    # Up to which time their orbits are settled.
    settled_at: NotRequired[Optional[str]]
    # Memories in the trash.
    trashed: int
    # Memories that wait for a vector.
    unembedded: int
    # Memories whose links have not been looked for.
    unlinked: int
    # Memories by zone. What others took the place of takes no room.
    zones: List[List[Union[Zone, int]]]


class Namespaces(TypedDict):
    """Namespaces that hold anything."""

    namespaces: List[Namespace]


class NewEntries(TypedDict):
    """One or many things to write down, together."""

    entries: List[EntryAsked]


class NewMemories(TypedDict):
    """Several statements."""

    # Stored together or not at all.
    memories: List[NewMemory]


class NewMemory(TypedDict):
    """A statement to keep."""

    aliases: NotRequired[List[str]]
    # What to keep, complete in itself. Left out, it is made from `data`.
    content: NotRequired[str]
    # The circumstances: when, where, in what mood, with whom.
    context: NotRequired[Context]
    # The same with its structure: any JSON, what is known of a concept, the steps of a procedure.
    data: NotRequired[Any]
    # The journal event it came from.
    entry: NotRequired[Optional[EntryId]]
    expires_at: NotRequired[Optional[str]]
    # Its id, for who brings ids along; new when left out.
    id: NotRequired[Optional[MemoryId]]
    # Judged from the words when left out.
    importance: NotRequired[Optional[Importance]]
    kind: NotRequired[Optional[Kind]]
    layer: NotRequired[Optional[Layer]]
    metadata: NotRequired[Dict[str, Any]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    occurred_at: NotRequired[Optional[str]]
    pinned: NotRequired[bool]
    session: NotRequired[Optional[str]]
    source: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]
    valid_from: NotRequired[Optional[str]]
    valid_until: NotRequired[Optional[str]]


class NewMemoryOptions(TypedDict):
    """What may be left out of `NewMemory`."""

    aliases: NotRequired[List[str]]
    # The circumstances: when, where, in what mood, with whom.
    context: NotRequired[Context]
    # The same with its structure: any JSON, what is known of a concept, the steps of a procedure.
    data: NotRequired[Any]
    # The journal event it came from.
    entry: NotRequired[Optional[EntryId]]
    expires_at: NotRequired[Optional[str]]
    # Its id, for who brings ids along; new when left out.
    id: NotRequired[Optional[MemoryId]]
    # Judged from the words when left out.
    importance: NotRequired[Optional[Importance]]
    kind: NotRequired[Optional[Kind]]
    layer: NotRequired[Optional[Layer]]
    metadata: NotRequired[Dict[str, Any]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    occurred_at: NotRequired[Optional[str]]
    pinned: NotRequired[bool]
    session: NotRequired[Optional[str]]
    source: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]
    valid_from: NotRequired[Optional[str]]
    valid_until: NotRequired[Optional[str]]


class NotRun(TypedDict):
    """A worker that could not be run."""

    why: str
    worker: WorkerKind


class NoteSessions(TypedDict):
    """Sessions with notes."""

    namespace: Namespace
    sessions: List[SessionOverview]
    # How many there are in all.
    total: int


class NoteView(TypedDict):
    """One note."""

    # The day it is about.
    date: NotRequired[Optional[str]]
    # Whether what it asks for is done.
    done: bool
    # Its id.
    id: str
    # What kind of thing it is, in a word.
    kind: NotRequired[Optional[str]]
    # When it was made.
    made_at: str
    # What it was made from.
    origins: NotRequired[List[str]]
    # How much it matters.
    priority: Priority
    # Who made it.
    source: str
    # What it says.
    text: str


class NotesView(TypedDict):
    """The notes of a session, or the durable ones of a namespace."""

    # When they were last changed.
    changed_at: NotRequired[Optional[str]]
    # The notes, in their order.
    notes: List[NoteView]
    # Of which session; none for the durable ones.
    session: NotRequired[Optional[str]]
    # How many tokens they have.
    tokens: int


class Numbers(TypedDict):
    """What is held in a scope."""

    # Memories outside the trash.
    memories: int
    # Each namespace by itself.
    namespaces: List[NamespaceStats]
    # The store as a whole, for keys that open all of it.
    store: NotRequired[Optional[Whole]]
    # Memories in the trash.
    trashed: int
    # Memories that wait for a vector.
    unembedded: int


class ObserveDueParameters(TypedDict):
    """The parameters of `observeDue`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ObserveSessionParameters(TypedDict):
    """The parameters of `observeSession`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # Also try again what was given up.
    retry: NotRequired[bool]


# When what was said becomes notes.
ObserveWhen = Literal["due", "now", "later"]


class Observed(TypedDict):
    """What was done with the notes."""

    namespace: Namespace
    # In order; each tells its kind as `event`.
    steps: List[Any]


# A memory that came, changed its zone, or left.
OrbitMove = TypedDict(
    "OrbitMove",
    {
        "at": "str",
        "from": "NotRequired[Optional[Zone]]",
        "id": "MemoryId",
        "reason": "NotRequired[Optional[MoveCause]]",
        "to": "NotRequired[Optional[Zone]]",
    },
)


# How the memories of a namespace moved and will move.
OrbitMoves = TypedDict(
    "OrbitMoves",
    {
        "complete": "bool",
        "from": "str",
        "more": "bool",
        "moves": "List[OrbitMove]",
        "namespace": "Namespace",
        "now": "str",
        "until": "str",
    },
)


class OrbitMovesParameters(TypedDict):
    """The parameters of `orbitMoves`."""

    # So many days ahead; none when left out.
    ahead_days: NotRequired[Optional[int]]
    # So many days back; 30 when left out.
    days: NotRequired[Optional[int]]
    # At most so many moves, those nearest to now; 50000 when left out.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class OrbitParameters(TypedDict):
    """The parameters of `orbit`."""

    # At most so many memories; 10000 when left out.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class OrbitPart(TypedDict):
    """A term of the memory function."""

    # Which term: `recall`, `freshness`, `importance` or `context`.
    name: str
    # What it adds to the score; those of all parts sum to it.
    share: float
    # Its value, from 0 to 1.
    value: float
    # How much it counts; the weights of all parts sum to 1.
    weight: float


class OrbitingMemory(TypedDict):
    """A memory in its orbit."""

    # When it was first stored.
    created_at: str
    # How lately it was used, from 0 to 1; 1 for what is pinned.
    freshness: float
    # Which memory.
    id: MemoryId
    # How much it was said to matter, from 0 to 1.
    importance: float
    # What it is.
    kind: Kind
    # How its content begins: at most 120 characters, on one line.
    label: str
    # How long it is meant to live. Working memory keeps the zone that it began in.
    layer: Layer
    # Whether it never decays.
    pinned: bool
    # How often it was recalled.
    recalls: int
    # The memory function's value now, from 0 to 1.
    score: float
    # When it was last used, or came here.
    used_at: str
    # How near it orbits, as of the settled time.
    zone: Zone


class OrbitingZone(TypedDict):
    """How full a zone is."""

    # How many fit into it; none if there is no bound.
    capacity: NotRequired[Optional[int]]
    # How many memories are in it.
    memories: int
    # Which zone.
    zone: Zone


class Orbits(TypedDict):
    """The orbits of a namespace at one time."""

    # The memories, the nearest first: by zone, then by score.
    bodies: List[OrbitingMemory]
    # Where.
    namespace: Namespace
    # The time that the zones are those of; none if they were never settled.
    settled_at: NotRequired[Optional[str]]
    # How many memories there are, shown or not.
    total: int
    # Every zone, the nearest first.
    zones: List[OrbitingZone]


# In which order to list.
Order = Literal["newest_first", "oldest_first"]


# What was done with a statement.
Outcome = Literal["stored", "merged", "queued"]


class PagerankParameters(TypedDict):
    """The parameters of `pagerank`."""

    # At most so many; 20 ranks or 10 groups when left out.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Part(TypedDict):
    """What one stage brought to a score."""

    # The stage.
    stage: Stage
    # Its share of the sum; negative when it speaks against the memory.
    value: float


# What a part of a context holds.
PartKind = Literal[
    "durable_notes",
    "session_notes",
    "earlier_session",
    "memories",
    "patterns",
    "working_memory",
]


class Path(TypedDict):
    """A way from one memory to another."""

    # The edges between them, in the same order; one fewer than the memories.
    links: List[Link]
    # The memories on the way, both ends included.
    nodes: List[MemoryId]
    # The product of the weights.
    strength: float


# The parameters of `path`.
PathParameters = TypedDict(
    "PathParameters",
    {
        "from": "MemoryId",
        "namespace": "NotRequired[Optional[Namespace]]",
        "to": "MemoryId",
    },
)


class PathParametersOptions(TypedDict):
    """What may be left out of `PathParameters`."""

    # Where both are looked for; by default everywhere that the key opens.
    namespace: NotRequired[Optional[Namespace]]


class Pattern(TypedDict):
    """A strategy that worked."""

    # Who should do it, if that is known.
    agent: NotRequired[Optional[str]]
    # When it was learned.
    created_at: str
    # The field it belongs to, such as `security`, `testing` or `general`.
    domain: str
    # Its identity, for good.
    id: PatternId
    # The one namespace it belongs to.
    namespace: Namespace
    # How well it works, from 0 to 1.
    quality: float
    # When it was put aside because it did not prove itself. It is not offered any more, and can be brought
    # back.
    retired_at: NotRequired[Optional[str]]
    # The trajectories it was drawn from; none if somebody told it.
    sources: NotRequired[List[TrajectoryId]]
    # What to do, in words.
    strategy: str
    # How often that succeeded.
    successes: NotRequired[int]
    # How long it is meant to be kept.
    term: NotRequired[PatternTerm]
    # When it was last followed.
    used_at: NotRequired[Optional[str]]
    # How often it was followed.
    uses: NotRequired[int]


class PatternAsked(TypedDict):
    """A strategy to keep."""

    # Who should do it.
    agent: NotRequired[Optional[str]]
    # The field it belongs to; found by its words if left out.
    domain: NotRequired[Optional[str]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # How well it works; in the middle if nobody says.
    quality: NotRequired[Optional[float]]
    # What to do, in words.
    strategy: str


class PatternAskedOptions(TypedDict):
    """What may be left out of `PatternAsked`."""

    # Who should do it.
    agent: NotRequired[Optional[str]]
    # The field it belongs to; found by its words if left out.
    domain: NotRequired[Optional[str]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # How well it works; in the middle if nobody says.
    quality: NotRequired[Optional[float]]


# A pattern's identity: a UUID of version 7.
PatternId = str


class PatternMatch(TypedDict):
    """A pattern that matters to a task."""

    # The pattern.
    pattern: Pattern
    # How much it is recommended, from 0 to 1: how close it is, how well it works and how lately it did.
    score: float
    # How close it is to the task, from 0 to 1.
    similarity: float


# What was done with a pattern.
PatternOutcome = Literal["stored", "merged", "queued"]


class PatternReceipt(TypedDict):
    """What became of a strategy that was to be kept."""

    # What was done.
    outcome: PatternOutcome
    # The pattern as it is now.
    pattern: Pattern


# How long a pattern is meant to be kept.
PatternTerm = Literal["short", "long"]


class Patterns(TypedDict):
    """Patterns."""

    patterns: List[Pattern]


# How much a note matters. The least comes first.
Priority = Literal["low", "medium", "high"]


class Problem(TypedDict):
    """The answer to a request that could not be served."""

    # What happened.
    detail: str
    # What to do about it.
    hint: NotRequired[Optional[str]]
    # Which of several things that were asked for it is about, counted from 0.
    indexes: NotRequired[List[int]]
    # The namespaces of the caller that hold what was asked for, where it is not clear which is meant.
    namespaces: NotRequired[List[Namespace]]
    # The request's id, as in the log.
    request_id: NotRequired[Optional[str]]
    # The status.
    status: int
    # The kind in words.
    title: str
    # What kind of problem it is; stable, for programs.
    type: str


class Program(TypedDict):
    """Which program answers."""

    name: str
    version: str


class PromoteAsked(TypedDict):
    """What to promote, and to where."""

    # The next longer one when left out.
    to: NotRequired[Optional[Layer]]
    # Others that say the same and become the same memory.
    together_with: NotRequired[List[MemoryId]]


class PromoteParameters(TypedDict):
    """The parameters of `promote`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class PromotePatternParameters(TypedDict):
    """The parameters of `promotePattern`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Promoted(TypedDict):
    """What memories were promoted to."""

    # The new memory, or the one that said the same already.
    memory: Memory
    # What it was made from: put aside, linked by `derived_from`, and able to be brought back.
    sources: List[MemoryId]


# How many memories were promoted from one layer to another.
PromotedCount = TypedDict(
    "PromotedCount",
    {
        "from": "Layer",
        "memories": "int",
        "sources": "int",
        "to": "Layer",
    },
)


class Provenance1Note(TypedDict):
    # Which one: `n17` of a session, or `d4` of the digest.
    id: str
    # The journal entries, memories and notes it was made from.
    origins: NotRequired[List[str]]
    # Of which session; none for the digest.
    session: NotRequired[Optional[str]]


class Provenance1(TypedDict):
    """A note."""

    note: Provenance1Note


class Provenance2Memory(TypedDict):
    # Which one.
    id: MemoryId
    # How relevant it seems, if something was asked.
    score: NotRequired[Optional[float]]


class Provenance2(TypedDict):
    """A memory."""

    memory: Provenance2Memory


class Provenance3Pattern(TypedDict):
    # Which one: whoever records that it was followed names it.
    id: PatternId
    # How much it is recommended.
    score: float


class Provenance3(TypedDict):
    """A pattern."""

    pattern: Provenance3Pattern


class Provenance4Work(TypedDict):
    # Under which key.
    key: NotRequired[Optional[str]]


class Provenance4(TypedDict):
    """A value of working memory."""

    work: Provenance4Work


# Where something that an agent is given is from.
Provenance = Union["Provenance1", "Provenance2", "Provenance3", "Provenance4"]


class PurgeAsked(TypedDict):
    """What to destroy."""

    # Only what was moved to the trash before; everything when left out.
    before: NotRequired[Optional[str]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class PurgeParameters(TypedDict):
    """The parameters of `purge`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Purged(TypedDict):
    """What was destroyed."""

    # How many memories.
    purged: int
    # What still holds their words.
    still_held: List[StillHeld]


class Question(TypedDict):
    """A question and where to look for answers."""

    # Answers with what held then.
    as_of: NotRequired[Optional[str]]
    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    # Prefers what belongs to the conversation of this name, and leaves out the working memory of others. What
    # it is given is not learned again from it.
    in_session: NotRequired[Optional[str]]
    kinds: NotRequired[List[Kind]]
    layers: NotRequired[List[Layer]]
    # How many results; as configured when left out.
    limit: NotRequired[Optional[int]]
    pinned: NotRequired[Optional[bool]]
    query: str
    # Nothing counts as used and no event is told: for people who look, other than agents who use it.
    quiet: NotRequired[bool]
    # Namespaces, `team/*` or `*`; by default everything that the key opens.
    scopes: NotRequired[List[Scope]]
    # Leaves out what scores less.
    score_min: NotRequired[Optional[float]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tags: NotRequired[List[str]]
    # At most so many tokens of content in all results together.
    tokens_max: NotRequired[Optional[int]]
    until: NotRequired[Optional[str]]
    # Stages to switch off, to see what they bring.
    without: NotRequired[List[Stage]]


class QuestionOptions(TypedDict):
    """What may be left out of `Question`."""

    # Answers with what held then.
    as_of: NotRequired[Optional[str]]
    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    # Prefers what belongs to the conversation of this name, and leaves out the working memory of others. What
    # it is given is not learned again from it.
    in_session: NotRequired[Optional[str]]
    kinds: NotRequired[List[Kind]]
    layers: NotRequired[List[Layer]]
    # How many results; as configured when left out.
    limit: NotRequired[Optional[int]]
    pinned: NotRequired[Optional[bool]]
    # Nothing counts as used and no event is told: for people who look, other than agents who use it.
    quiet: NotRequired[bool]
    # Namespaces, `team/*` or `*`; by default everything that the key opens.
    scopes: NotRequired[List[Scope]]
    # Leaves out what scores less.
    score_min: NotRequired[Optional[float]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tags: NotRequired[List[str]]
    # At most so many tokens of content in all results together.
    tokens_max: NotRequired[Optional[int]]
    until: NotRequired[Optional[str]]
    # Stages to switch off, to see what they bring.
    without: NotRequired[List[Stage]]


class Queue(TypedDict):
    """What waits, and what was given up."""

    # What was given up.
    dead: List[DeadCall]
    # What waits, in the order it will be made.
    queued: List[QueuedCall]
    # In figures.
    status: QueueStatus


class QueueHealth(TypedDict):
    """What waits to be done."""

    # Writes that were given up and wait for somebody to decide.
    dead_writes: int
    # Whether the disk of the queue is full, so that no write can wait.
    disk_full: bool
    # Events that wait for the audit log.
    events: int
    # Events that were dropped because the log could not be written for too long.
    events_lost: int
    # When the first of those was made.
    oldest_write_at: NotRequired[Optional[str]]
    # Writes that had waited and were made by this process.
    replayed_writes: int
    # Memories whose links have not been looked for.
    unlinked: int
    # Writes that wait on this machine because the store cannot take them.
    writes: int


class QueueParameters(TypedDict):
    """The parameters of `queue`."""

    # At most so many of each.
    limit: NotRequired[Optional[int]]


class QueueStatus(TypedDict):
    """What waits on this machine for the store, of all processes."""

    # How often the first one was tried.
    attempts: int
    # Bytes that they take on the disk.
    bytes: int
    # Records that could not be read and were put aside.
    damaged: int
    # Calls that were given up and wait for somebody to decide.
    dead: int
    # Calls that wait.
    depth: int
    # Whether the disk that the queue lies on has no room: what the store cannot take is then refused as not
    # kept.
    disk_full: bool
    # Why it could not be made.
    last_error: NotRequired[Optional[str]]
    # When the first one is tried again.
    next_try: NotRequired[Optional[str]]
    # When the first of them was made.
    oldest_at: NotRequired[Optional[str]]
    # Calls that this process made out of the queue since it began.
    replayed: int
    # Why this process could not write the queue's files last; none once it can.
    trouble: NotRequired[Optional[str]]


class QueuedCall(TypedDict):
    """A call that waits."""

    # When it was made.
    at: str
    # How often it was tried.
    attempts: int
    # How many changes it makes.
    changes: int
    # What it is called by.
    id: MemoryId
    # Why that failed.
    last_error: NotRequired[Optional[str]]
    # When it is tried again.
    next_try: NotRequired[Optional[str]]
    # What somebody wanted.
    operation: str


class Rank(TypedDict):
    """How central a memory is."""

    id: MemoryId
    # Its share; those of all memories sum to 1.
    rank: float


class Ranks(TypedDict):
    """Memories by how central they are."""

    namespace: Namespace
    ranks: List[Rank]


class Ready(TypedDict):
    """Whether requests can be served."""

    ready: bool


class RecallTimes(TypedDict):
    """How long recalls took, in millionths of a second: so many percent took at most so long."""

    # The slowest.
    max_micros: int
    # How many were measured.
    measured: int
    # Half of them.
    p50_micros: int
    # 90 percent.
    p90_micros: int
    # 95 percent.
    p95_micros: int
    # 99 percent.
    p99_micros: int


class Recalled(TypedDict):
    """What a recall found, the best first."""

    # Whether the question was adapted by what feedback has taught.
    adapted: NotRequired[bool]
    # How many of those were left out because they were not relevant enough.
    below_floor: int
    # How many memories were weighed.
    considered: int
    # What did not take part although it should have, in words for a person.
    degraded: NotRequired[List[str]]
    # The memories, the best first. Empty means that nothing is relevant.
    hits: List[Hit]
    # Where was looked.
    namespaces: List[Namespace]
    # How many relevant ones were left out because of the token budget.
    over_budget: int
    # Strategies that worked for such tasks, the best first.
    patterns: NotRequired[List[PatternMatch]]
    # What was understood of the query's words for time, such as "yesterday", in their order.
    times: NotRequired[List[UnderstoodTime]]


class Receipt(TypedDict):
    """What became of a statement. When it says stored or merged, it is in the store; when it says queued,
    it is on the disk of this machine and on its way there.
    """

    # The statement as it was given, where it says nearly the same as the memory: put aside, and able to be
    # split off again.
    absorbed: NotRequired[Optional[MemoryId]]
    # The change that stored it; zero while it is queued.
    change: ChangeNumber
    # Memories that cannot be true together with this one.
    contradicts: NotRequired[List[MemoryId]]
    # The memory that holds it.
    id: MemoryId
    # Whether it can be found by its meaning.
    meaning: Meaning
    # Where that is.
    namespace: Namespace
    # What was done.
    outcome: Outcome
    # Secrets that were taken out before it was stored.
    redacted: NotRequired[List[RedactedSecret]]
    # Memories that no longer hold, because this one gives a new value.
    superseded: NotRequired[List[MemoryId]]


class Receipts(TypedDict):
    """One receipt for each statement, in their order."""

    receipts: List[Receipt]


class RecentEntries(TypedDict):
    """The latest entries."""

    # The journal events, the latest first.
    entries: List[JournalEntry]
    # Why some may be missing, if so: the store cannot be read, and these are those that this process
    # remembers.
    missing: NotRequired[Optional[str]]


class RecentJournalParameters(TypedDict):
    """The parameters of `recentJournal`."""

    limit: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]
    session: NotRequired[Optional[str]]


class RedactedSecret(TypedDict):
    """A sort of secret that was taken out, and how many of it."""

    # How many there were.
    count: int
    # What it looked like, such as `github-token`.
    kind: str


class ReorbitAsked(TypedDict):
    """Where to reorbit."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class Reorbited(TypedDict):
    """What a reorbit did."""

    # Memories that went to the trash because nobody used them.
    forgotten: int
    # Memories that were looked at.
    memories: int
    # How often a memory changed its zone.
    moved: int
    # Namespaces that were brought up to date.
    namespaces: List[Namespace]
    # The time that the zones are those of.
    step: NotRequired[Optional[str]]


class Replay(TypedDict):
    """How a session went."""

    namespace: Namespace
    session: str
    # What was said, in order.
    spoken: List[Spoken]


class ReplayAsked(TypedDict):
    """What to try again."""

    # Of what was given up, only this one.
    id: NotRequired[Optional[MemoryId]]


class ReplaySessionParameters(TypedDict):
    """The parameters of `replaySession`."""

    # At most so many of the latest.
    limit: NotRequired[Optional[int]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Replayed(TypedDict):
    """What is tried again."""

    # How many were given up and wait again.
    revived: int
    # What waits now.
    status: QueueStatus


class ReportParameters(TypedDict):
    """The parameters of `report`."""

    # The last day, in the server's time zone; today when left out.
    date: NotRequired[Optional[str]]
    # So many days up to that one; 1 when left out.
    days: NotRequired[Optional[int]]
    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class ReportedDisk(TypedDict):
    """What is taken on the disk, in bytes."""

    # Backups in the data folder.
    backup_bytes: int
    # The database and its log.
    database_bytes: int
    # Saved indexes, which can be deleted at any time.
    index_bytes: int
    # The audit log.
    log_bytes: int
    # Notes in files.
    notes_bytes: int
    # Calls that wait for the store.
    queue_bytes: int
    # Reports like this one.
    report_bytes: int
    # Snapshots of episodes.
    snapshot_bytes: int
    # The vault, if it lies in the data folder under its usual name.
    vault_bytes: int


class RestoreParameters(TypedDict):
    """The parameters of `restore`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class RestorePatternParameters(TypedDict):
    """The parameters of `restorePattern`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class RetirePatternParameters(TypedDict):
    """The parameters of `retirePattern`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class ReturnAsked(TypedDict):
    """A loan that the agent did not get."""

    # As the context said.
    loan: str
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The agent's session.
    session: str


class ReturnAskedOptions(TypedDict):
    """What may be left out of `ReturnAsked`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class ReviseParameters(TypedDict):
    """The parameters of `revise`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Revised(TypedDict):
    """A memory after a revision."""

    # As it is now.
    memory: Memory
    # Secrets that were taken out of what was given.
    redacted: NotRequired[List[RedactedSecret]]


# What the holder of a key may do. Each may do what the ones before it may.
Role = Literal["reader", "writer", "admin"]


class RollbackAsked(TypedDict):
    """The set to go back to."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The number of the set; 0 is the configured one.
    number: int


class RollbackAskedOptions(TypedDict):
    """What may be left out of `RollbackAsked`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class RouteAsked(TypedDict):
    """A task to route."""

    # Whose outcomes are gone by; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # What is to be done.
    task: str


class RouteAskedOptions(TypedDict):
    """What may be left out of `RouteAsked`."""

    # Whose outcomes are gone by; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Routed(TypedDict):
    """Who should take a task, and why."""

    # Who should.
    agent: str
    # Who else might, the most probable first.
    alternatives: List[Alternative]
    # The probability that this is right, from 0 to 1.
    confidence: float
    # What did not take part although it should have, in words for a person.
    degraded: NotRequired[List[str]]
    # The field it belongs to.
    domain: str
    # From how many outcomes was learned.
    outcomes: int
    # Strategies that worked for such tasks, the best first.
    patterns: NotRequired[List[PatternMatch]]
    # Why, in one sentence.
    reasoning: str
    # Why, point by point.
    reasons: List[str]


# How a run ended.
RunStatus = Literal["done", "failed", "unavailable", "cancelled", "timed_out"]


# Where a worker is at work.
Running = Literal["no", "here", "elsewhere"]


# Who said something.
SaidBy = Literal["user", "assistant", "system", "tool"]


class SampleLoaded(TypedDict):
    """What the sample holds."""

    # How many edges between them.
    edges: int
    # How many memories.
    memories: int
    # Where it is.
    namespace: Namespace
    # How many patterns that were drawn from them and are in use.
    patterns: int
    # How many sessions.
    sessions: int
    # How many tasks that were recorded.
    trajectories: int


class SampleRemoved(TypedDict):
    """What was removed."""

    # How many memories are still there, because they did not come with it or were revised since.
    kept: int
    # How many memories, those in the trash included.
    memories: int
    # Where it was.
    namespace: Namespace


class SampleStatus(TypedDict):
    """Whether the sample is loaded."""

    # Whether it is there, wholly or in part.
    loaded: bool
    # How many memories its namespace has.
    memories: int
    # Where it is, or would be.
    namespace: Namespace
    # How many memories there did not come with it, those in the trash included. They stay when it is removed.
    own: int


class SchedulerHealth(TypedDict):
    """The chores."""

    # Whether a process is at it.
    running: bool
    # Up to which time all orbits are settled; none if some have never been.
    settled_at: NotRequired[Optional[str]]


# Where to look: a namespace, a namespace with all below it (`team/*`), or everything (`*`).
Scope = str


class Session(TypedDict):
    """One conversation."""

    # When it ended; open while there is none.
    ended_at: NotRequired[Optional[str]]
    # Its name, unique there.
    name: str
    # Where it takes place.
    namespace: Namespace
    # When it began.
    started_at: str
    # The memory that sums it up.
    summary: NotRequired[Optional[MemoryId]]


class SessionNotesParameters(TypedDict):
    """The parameters of `sessionNotes`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class SessionOverview(TypedDict):
    """A session that notes were made of, or will be."""

    # How many could not be observed, however often it was tried. They are kept.
    aside: int
    # When the first note was made.
    created_at: NotRequired[Optional[str]]
    # How many notes it has...
    notes: int
    # How often it was observed.
    observations: int
    # When it was last observed.
    observed_at: NotRequired[Optional[str]]
    # How many messages wait to be observed.
    pending: int
    # Its name.
    session: str
    # ...with how many tokens.
    tokens: int
    # What went wrong and is tried again, in words.
    troubles: NotRequired[List[str]]
    # Whose it is, if somebody said so.
    user: NotRequired[Optional[str]]


class Sessions(TypedDict):
    """Sessions, the latest first."""

    sessions: List[Session]


class SetAsked(TypedDict):
    """A value to hold."""

    # What matters becomes an episode when it leaves. Judged from the words when left out.
    importance: NotRequired[Optional[Importance]]
    kind: NotRequired[Optional[Kind]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # In which session's; in the namespace's own when left out.
    session: NotRequired[Optional[str]]
    # How long it stays; 0 means no end, and as configured when left out.
    ttl_seconds: NotRequired[Optional[int]]
    # A text, or any JSON but null.
    value: Union[str, float, bool, Dict[str, Any], List[Any]]


class SetAskedOptions(TypedDict):
    """What may be left out of `SetAsked`."""

    # What matters becomes an episode when it leaves. Judged from the words when left out.
    importance: NotRequired[Optional[Importance]]
    kind: NotRequired[Optional[Kind]]
    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # In which session's; in the namespace's own when left out.
    session: NotRequired[Optional[str]]
    # How long it stays; 0 means no end, and as configured when left out.
    ttl_seconds: NotRequired[Optional[int]]


# How much an alert of a worker matters.
Severity = Literal["info", "warning", "critical"]


class SlowRecall(TypedDict):
    """A recall that took long."""

    # When.
    at: str
    # How long it took, in millionths of a second.
    micros: int
    # Where, if in one namespace.
    namespace: NotRequired[Optional[Namespace]]
    # What was asked, as it is in the audit log.
    query: str
    # How many memories were handed out.
    results: int


class SnapshotInfo(TypedDict):
    """A snapshot that was taken."""

    # When it was taken.
    at: str
    # How large it is.
    bytes: int
    # How many episodes it holds.
    episodes: int
    # The file's name, by which it is restored.
    file: str


class SnapshotList(TypedDict):
    """The snapshots that there are."""

    # The latest first.
    snapshots: List[SnapshotInfo]


class SnapshotTaken(TypedDict):
    """What was written."""

    # None if no episode has changed since the last one.
    snapshot: NotRequired[Optional[SnapshotInfo]]


class SpaceId(TypedDict):
    """One embedding model's vector space. Vectors of two spaces are never compared."""

    # How many dimensions its vectors have.
    dimensions: int
    # The model, with everything that changes its output, such as a revision.
    model: str


class SplitParameters(TypedDict):
    """The parameters of `split`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Spoken(TypedDict):
    """Something that was said in a session, and what was noted of it."""

    # What was said.
    entry: JournalEntry
    # The notes that were made of it.
    notes: List[NoteView]


# One source of evidence, or one thing done with it. Each can be switched off.
Stage = Literal[
    "words",
    "meaning",
    "neighbours",
    "session",
    "speaker",
    "dates",
    "graph",
    "typos",
    "floor",
    "adaptation",
]


class StagePlace(TypedDict):
    """What one stage says of a memory, beside all others that were weighed."""

    # Among so many.
    of: int
    # The memory's place, from 1, if only this stage counted. Those with the same share have the same place.
    place: int
    # The stage.
    stage: Stage
    # Its share of the sum; negative when it speaks against the memory.
    value: float


class StartAsked(TypedDict):
    """A session to begin."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # Its name.
    session: str


class StartAskedOptions(TypedDict):
    """What may be left out of `StartAsked`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class StatsParameters(TypedDict):
    """The parameters of `stats`."""

    # A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: NotRequired[Optional[Scope]]


class Step(TypedDict):
    """A memory that a walk came to."""

    # How many edges it is away from the nearest start.
    depth: int
    # The memory.
    id: MemoryId
    # The product of the weights on that way.
    strength: float
    # The last edge on the strongest of the shortest ways to it.
    via: Link


class StepAsked(TypedDict):
    """One step of a task."""

    # How sure whoever did it was; entirely if nobody says.
    confidence: NotRequired[Optional[float]]
    # How long it took.
    duration_ms: NotRequired[int]
    # What was done, such as the call of a tool.
    input: str
    # What came of it.
    output: NotRequired[str]


class StillHeld(TypedDict):
    """Something that still holds what was destroyed."""

    # What it is.
    by: HeldBy
    # Which, and until when, for a person.
    detail: str


class StoreTold(TypedDict):
    """The store as a whole and its audit log."""

    # What is taken on the disk now.
    disk: ReportedDisk
    # Events that were lost since the store was made, because the audit log could not be written for too long.
    events_lost: int
    # Events that wait for the audit log now.
    events_waiting: int
    # Why not every event is known to be counted, and what else somebody should know.
    notes: List[str]


class Swept(TypedDict):
    """What became of memories whose time in their layer was over."""

    # Long-term memories moved to the trash by the clean-up.
    cleaned_up: int
    # Gone from working memory.
    expired: int
    # Episodes moved to the trash because their time was over.
    outlived: int
    # Moved on to the next layer because they matter.
    promoted: int
    # Moved to the trash because they had expired elsewhere.
    trashed: int


# How a task ended.
TaskOutcome = Literal["success", "partial", "failure"]


class Trace(TypedDict):
    """Where a memory came from, and what else came from there."""

    # That journal event, if the journal still holds it.
    entry: NotRequired[Optional[JournalEntry]]
    # The journal event it came from, by its id, if it says so.
    entry_id: NotRequired[Optional[EntryId]]
    # All memories that came from that journal event.
    memories: List[Memory]
    # The memory that was asked about, if one was.
    memory: NotRequired[Optional[Memory]]
    # The turn that it is part of.
    turn: NotRequired[Optional[Turn]]


class TraceMemoryParameters(TypedDict):
    """The parameters of `traceMemory`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class TrainAsked(TypedDict):
    """Whose router and adapter to train."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Trained(TypedDict):
    """What training came to. What is left out had nothing new to learn from."""

    adapter: NotRequired[Optional[AdapterTrial]]
    router: NotRequired[Optional[TrainedRouter]]


class TrainedRouter(TypedDict):
    """What training a router came to."""

    # Everybody who can be routed to.
    agents: List[str]
    # From how many outcomes was learned.
    outcomes: int
    # The number of the set that holds now.
    set: int


class Trajectory(TypedDict):
    """The recorded steps of one task. It is written once; only whether something was drawn from it
    changes.
    """

    # Who did it, such as `tester`.
    agent: NotRequired[Optional[str]]
    # When it ended.
    at: str
    # When patterns were last drawn from it; none if they are still to be.
    distilled_at: NotRequired[Optional[str]]
    # The field it belongs to, such as `security`, `testing` or `general`.
    domain: str
    # How long it took.
    duration_ms: int
    # Its identity, for good.
    id: TrajectoryId
    # The one namespace it belongs to.
    namespace: Namespace
    # How it ended.
    outcome: TaskOutcome
    # The patterns that were followed.
    patterns: NotRequired[List[PatternId]]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # What was done, in order.
    steps: NotRequired[List[TrajectoryStep]]
    # What was to be done.
    task: str
    # The turn of the journal it was made from.
    turn: NotRequired[Optional[TurnId]]


class TrajectoryAsked(TypedDict):
    """A task to record."""

    # Who did it.
    agent: NotRequired[Optional[str]]
    # When it ended; now when left out.
    at: NotRequired[Optional[str]]
    # The field it belongs to; found by its words if left out.
    domain: NotRequired[Optional[str]]
    # How long it took; what its steps took together when left out.
    duration_ms: NotRequired[Optional[int]]
    # Its id, for who brings ids along.
    id: NotRequired[Optional[TrajectoryId]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # How it ended.
    outcome: TaskOutcome
    # The patterns that were followed.
    patterns: NotRequired[List[PatternId]]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # What was done, in order.
    steps: NotRequired[List[StepAsked]]
    # What was to be done.
    task: str
    # The turn it was made from.
    turn: NotRequired[Optional[TurnId]]


class TrajectoryAskedOptions(TypedDict):
    """What may be left out of `TrajectoryAsked`."""

    # Who did it.
    agent: NotRequired[Optional[str]]
    # When it ended; now when left out.
    at: NotRequired[Optional[str]]
    # The field it belongs to; found by its words if left out.
    domain: NotRequired[Optional[str]]
    # How long it took; what its steps took together when left out.
    duration_ms: NotRequired[Optional[int]]
    # Its id, for who brings ids along.
    id: NotRequired[Optional[TrajectoryId]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # The patterns that were followed.
    patterns: NotRequired[List[PatternId]]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # What was done, in order.
    steps: NotRequired[List[StepAsked]]
    # The turn it was made from.
    turn: NotRequired[Optional[TurnId]]


# A trajectory's identity: a UUID of version 7.
TrajectoryId = str


class TrajectoryList(TypedDict):
    """A page of recorded tasks."""

    # For the next page, if there is one.
    next_cursor: NotRequired[Optional[TrajectoryId]]
    trajectories: List[Trajectory]


class TrajectoryReceipt(TypedDict):
    """What became of a task that was to be recorded."""

    # The field it belongs to.
    domain: str
    # The trajectory.
    id: TrajectoryId
    # Where it is.
    namespace: Namespace
    # Stored; merged if it was recorded before; or queued until the store answers.
    outcome: Outcome
    # Secrets that were taken out before anything was written.
    redacted: NotRequired[List[RedactedSecret]]


class TrajectoryStep(TypedDict):
    """One step of a task."""

    # How sure whoever did it was, from 0 to 1.
    confidence: NotRequired[float]
    # How long it took.
    duration_ms: NotRequired[int]
    # What was done, such as the call of a tool.
    input: str
    # What came of it.
    output: NotRequired[str]


# Whether what lies in the trash is exported.
Trash = Literal["with", "without"]


# Which side of the trash to list.
Trashed = Literal["without", "only"]


# What moves memories to the trash without being asked.
TrashedBy = Literal["decay", "retention", "limits", "expiry"]


class Turn(TypedDict):
    """One call of an agent, from what set it off to what came of it."""

    # What went wrong.
    error: NotRequired[Optional[str]]
    # When it ended; open while there is none.
    finished_at: NotRequired[Optional[str]]
    # Its identity, for good.
    id: TurnId
    # The journal event that set it off.
    input: NotRequired[Optional[EntryId]]
    # Anything else.
    metadata: NotRequired[Dict[str, Any]]
    # The one namespace it belongs to.
    namespace: Namespace
    # The journal event that it ended with.
    output: NotRequired[Optional[EntryId]]
    # What it ended with, in words.
    output_text: NotRequired[Optional[str]]
    # What the agent meant to do.
    plan: NotRequired[Any]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # When it began.
    started_at: str
    # How it went; none while it is open.
    status: NotRequired[Optional[JournalStatus]]
    # The tools it called, in order.
    tool_calls: NotRequired[List[Any]]
    # What they answered, in order.
    tool_results: NotRequired[List[Any]]


class TurnAsked(TypedDict):
    """A turn to begin."""

    # Its id, for who brings ids along.
    id: NotRequired[Optional[TurnId]]
    # The journal event that sets it off.
    input: NotRequired[Optional[EntryId]]
    # Anything else.
    metadata: NotRequired[Dict[str, Any]]
    # Where; by default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]
    # What the agent means to do.
    plan: NotRequired[Any]
    # The conversation it belongs to.
    session: NotRequired[Optional[str]]
    # When it began; now when left out.
    started_at: NotRequired[Optional[str]]


class TurnChanges(TypedDict):
    """What to tell of a turn; what is left out stays."""

    # What went wrong. A status of `ok` takes it away.
    error: NotRequired[Optional[str]]
    # When it ended; now when left out. It counts only together with a status.
    finished_at: NotRequired[Optional[str]]
    # Added to what was told before.
    metadata: NotRequired[Dict[str, Any]]
    # The journal event that it ended with.
    output: NotRequired[Optional[EntryId]]
    # What it ended with, in words.
    output_text: NotRequired[Optional[str]]
    # What the agent meant to do, in place of what was told before.
    plan: NotRequired[Any]
    # This finishes the turn.
    status: NotRequired[Optional[JournalStatus]]
    # The tools it called, in place of all that were told before.
    tool_calls: NotRequired[Optional[List[Any]]]
    # What they answered, in place of all that were told before.
    tool_results: NotRequired[Optional[List[Any]]]


# A turn's identity: a UUID of version 7.
TurnId = str


class TurnReceipt(TypedDict):
    """A turn as it is now, and what became of it."""

    # Secrets that were taken out before anything was written.
    redacted: NotRequired[List[RedactedSecret]]
    # What became of what was told.
    state: Kept
    # The turn.
    turn: Turn


class TurnWithEntries(TypedDict):
    """A turn with what happened in it."""

    # Its journal events, the earliest first: what set it off, what happened in it, what it ended with.
    entries: List[JournalEntry]
    # Whether there are more than are listed.
    more: NotRequired[bool]
    # The turn.
    turn: Turn


class TurnedAway(TypedDict):
    """Somebody who was turned away."""

    # What was asked for.
    action: str
    # How often.
    count: int
    # The key that was shown, if it is one of ours.
    key: NotRequired[Optional[KeyId]]
    # When last.
    last_at: str
    # Why it was refused.
    reason: str


class TurnsPage(TypedDict):
    """A page of turns."""

    # For the next page, if there is one.
    next_cursor: NotRequired[Optional[JournalPosition]]
    turns: List[Turn]


# Words of a query that speak of a time by its distance, and which time that is.
UnderstoodTime = TypedDict(
    "UnderstoodTime",
    {
        "from": "str",
        "text": "str",
        "until": "str",
    },
)


class UndoPromotionParameters(TypedDict):
    """The parameters of `undoPromotion`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Undone(TypedDict):
    """A promotion that was undone."""

    # Those that stand for themselves again. The engine does not promote them any more by itself.
    sources: List[Memory]


class UnlinkParameters(TypedDict):
    """The parameters of `unlink`."""

    # Where they begin.
    source: MemoryId
    # Where they end.
    target: MemoryId
    # Only the edge of this type; of every type when left out.
    type: NotRequired[Optional[EdgeType]]


class UnlinkParametersOptions(TypedDict):
    """What may be left out of `UnlinkParameters`."""

    # Only the edge of this type; of every type when left out.
    type: NotRequired[Optional[EdgeType]]


class Unlinked(TypedDict):
    """How many edges were taken away."""

    unlinked: int


class UpdateTurnParameters(TypedDict):
    """The parameters of `updateTurn`."""

    # Where it lies; needed only if several namespaces hold this id
    namespace: NotRequired[Namespace]


class Version(TypedDict):
    """What a memory said before a revision."""

    # The content it had.
    content: str
    # From when on it had it.
    since: str
    # Until when it had it.
    until: str
    # The revision's number, from 1.
    version: int


# The parameters of `walk`.
WalkParameters = TypedDict(
    "WalkParameters",
    {
        "depth": "NotRequired[Optional[int]]",
        "direction": "NotRequired[Way]",
        "from": "MemoryId",
        "limit": "NotRequired[Optional[int]]",
        "namespace": "NotRequired[Optional[Namespace]]",
        "type": "NotRequired[List[EdgeType]]",
    },
)


class WalkParametersOptions(TypedDict):
    """What may be left out of `WalkParameters`."""

    # How many edges away; 1 when left out.
    depth: NotRequired[Optional[int]]
    direction: NotRequired[Way]
    # At most so many steps; 50 when left out.
    limit: NotRequired[Optional[int]]
    # Where the memory is looked for; by default everywhere that the key opens.
    namespace: NotRequired[Optional[Namespace]]
    # Only edges of these types.
    type: NotRequired[List[EdgeType]]


# Where a walk came to.
Walked = TypedDict(
    "Walked",
    {
        "from": "MemoryId",
        "namespace": "Namespace",
        "steps": "List[Step]",
    },
)


# Which way edges are followed.
Way = Literal["out", "in", "both"]


class WeightSets(TypedDict):
    """The sets of weights that held in a namespace."""

    # The number of the set that holds now.
    holds: int
    namespace: Namespace
    # The earliest first; 0 is the configured one.
    sets: List[LearnedWeights]


class WeightsParameters(TypedDict):
    """The parameters of `weights`."""

    # By default where the key points, or else as configured.
    namespace: NotRequired[Optional[Namespace]]


class Whole(TypedDict):
    """The store as a whole."""

    # Bytes on the disk: the database and its log.
    database_bytes: int
    # Bytes on the disk: saved indexes, which can be deleted at any time.
    index_bytes: int
    # The space new vectors are made in.
    space: NotRequired[Optional[str]]


class Why(TypedDict):
    """What became of a memory in a recall."""

    # The conditions that shut it out.
    filtered_by: List[FilterCondition]
    # The memory.
    id: MemoryId
    # The most results.
    limit: int
    # The memory as it is now.
    memory: Memory
    # Its place among all that were weighed, from 1, as if there were no floor, no limit and no budget.
    # Results that are about equally relevant may be handed out in another order.
    place: NotRequired[Optional[int]]
    # The question.
    query: str
    # The same for programs.
    reason: WhyReason
    # Whether it is among the results.
    recalled: bool
    # How relevant it seems, from 0 to 1; none if it was not weighed.
    score: NotRequired[Optional[float]]
    # The least score of a result.
    score_min: float
    # What each stage says of it, the largest share first. Empty if it was not weighed.
    stages: List[StagePlace]
    # What became of it, in a sentence for people.
    verdict: str
    # How many were weighed.
    weighed: int


class WhyAsked(TypedDict):
    """A question, as it would be recalled, and the memory that is looked for."""

    # Answers with what held then.
    as_of: NotRequired[Optional[str]]
    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    # The memory.
    id: MemoryId
    # Prefers what belongs to the conversation of this name, and leaves out the working memory of others. What
    # it is given is not learned again from it.
    in_session: NotRequired[Optional[str]]
    kinds: NotRequired[List[Kind]]
    layers: NotRequired[List[Layer]]
    # How many results; as configured when left out.
    limit: NotRequired[Optional[int]]
    pinned: NotRequired[Optional[bool]]
    query: str
    # Nothing counts as used and no event is told: for people who look, other than agents who use it.
    quiet: NotRequired[bool]
    # Namespaces, `team/*` or `*`; by default everything that the key opens.
    scopes: NotRequired[List[Scope]]
    # Leaves out what scores less.
    score_min: NotRequired[Optional[float]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tags: NotRequired[List[str]]
    # At most so many tokens of content in all results together.
    tokens_max: NotRequired[Optional[int]]
    until: NotRequired[Optional[str]]
    # Stages to switch off, to see what they bring.
    without: NotRequired[List[Stage]]


class WhyAskedOptions(TypedDict):
    """What may be left out of `WhyAsked`."""

    # Answers with what held then.
    as_of: NotRequired[Optional[str]]
    # Under all of these circumstances, such as `spatial.place=office`.
    context: NotRequired[List[Circumstance]]
    # Prefers what belongs to the conversation of this name, and leaves out the working memory of others. What
    # it is given is not learned again from it.
    in_session: NotRequired[Optional[str]]
    kinds: NotRequired[List[Kind]]
    layers: NotRequired[List[Layer]]
    # How many results; as configured when left out.
    limit: NotRequired[Optional[int]]
    pinned: NotRequired[Optional[bool]]
    # Nothing counts as used and no event is told: for people who look, other than agents who use it.
    quiet: NotRequired[bool]
    # Namespaces, `team/*` or `*`; by default everything that the key opens.
    scopes: NotRequired[List[Scope]]
    # Leaves out what scores less.
    score_min: NotRequired[Optional[float]]
    session: NotRequired[Optional[str]]
    since: NotRequired[Optional[str]]
    speaker: NotRequired[Optional[str]]
    # All of them.
    tags: NotRequired[List[str]]
    # At most so many tokens of content in all results together.
    tokens_max: NotRequired[Optional[int]]
    until: NotRequired[Optional[str]]
    # Stages to switch off, to see what they bring.
    without: NotRequired[List[Stage]]


# Why a memory is or is not among the results.
WhyReason = Literal[
    "recalled",
    "below_floor",
    "beyond_limit",
    "over_budget",
    "filtered",
    "superseded",
    "expired",
    "trashed",
    "not_weighed",
    "elsewhere",
]


class WorkItem(TypedDict):
    """What working memory holds under a key."""

    # From when on it is not seen any more; none if nothing but room decides.
    expires_at: NotRequired[Optional[str]]
    # The memory that holds it; recall finds it like any other.
    id: MemoryId
    # How much it matters.
    importance: Importance
    # The key. What was remembered into the layer without one has none.
    key: NotRequired[Optional[str]]
    # Where.
    namespace: Namespace
    # In which session's working memory.
    session: NotRequired[Optional[str]]
    # When it was last set.
    set_at: str
    # The value.
    value: Any


class WorkReceipt(TypedDict):
    """What became of a value."""

    # What left to make room, the one used longest ago last.
    evicted: NotRequired[List[WorkItem]]
    # What is held now.
    item: WorkItem
    # The episodes that those became which matter.
    promoted: NotRequired[List[MemoryId]]
    # Secrets that were taken out before it was stored.
    redacted: NotRequired[List[RedactedSecret]]
    # Whether another value was held under the key before.
    replaced: bool


class WorkSession(TypedDict):
    """A session whose working memory holds something."""

    # How many fit; no bound if there is none.
    capacity: NotRequired[Optional[int]]
    # How many values it holds.
    items: int
    # The session; the namespace's own working memory if there is none.
    session: NotRequired[Optional[str]]


class WorkerAlerts(TypedDict):
    """What workers found."""

    alerts: List[AlertRecord]


class WorkerAlertsParameters(TypedDict):
    """The parameters of `workerAlerts`."""

    limit: NotRequired[Optional[int]]
    # With those that are no more.
    resolved: NotRequired[bool]


# The workers.
WorkerKind = Literal[
    "ultralearn",
    "audit",
    "optimize",
    "consolidate",
    "predict",
    "map",
    "deepdive",
    "document",
    "refactor",
    "benchmark",
    "testgaps",
    "learning",
]


# How much a worker matters: what matters more runs first.
WorkerPriority = Literal["critical", "high", "normal", "low"]


class WorkerReport(TypedDict):
    """What a run came to."""

    # How much it found that nobody knew of.
    alerts: int
    # How long it took.
    duration_ms: int
    # What it measured, by name.
    figures: Dict[str, Any]
    # The number of the run.
    number: int
    # What it did, or why it did not, in words.
    output: str
    # How much it matters.
    priority: WorkerPriority
    # When it began.
    started_at: str
    # How it ended.
    status: RunStatus
    # Whether it did what it should.
    success: bool
    # Which worker.
    worker: WorkerKind


class WorkerRun(TypedDict):
    """One run of a background job."""

    # What it measured, and where it ran.
    detail: Any
    # When it ended.
    finished_at: str
    # Its number among the runs of the job; the store gives it.
    number: int
    # When it began.
    started_at: str
    # How it ended: `done`, `failed`, `unavailable`, `cancelled` or `timed_out`.
    status: str
    # What it did, in words.
    summary: str
    # Which job.
    worker: str


class WorkerRuns(TypedDict):
    """What workers did."""

    runs: List[WorkerRun]


class WorkerRunsParameters(TypedDict):
    """The parameters of `workerRuns`."""

    limit: NotRequired[Optional[int]]
    # Of all if left out.
    worker: NotRequired[Optional[WorkerKind]]


class WorkerStatus(TypedDict):
    """How one worker is."""

    # Whether it runs by itself.
    enabled: bool
    # How often it runs, in seconds.
    interval_seconds: int
    # Its last run.
    last: NotRequired[Optional[WorkerRun]]
    # When it is due; none if it does not run by itself.
    next_run_at: NotRequired[Optional[str]]
    # How much it found that still is so.
    open_alerts: int
    # How much it matters.
    priority: WorkerPriority
    # What it is for.
    purpose: str
    # Where it is at work.
    running: Running
    # How many of its runs are kept.
    runs: int
    # How many of those did what they should.
    successes: int
    # Which one.
    worker: WorkerKind


class WorkersStatus(TypedDict):
    """How all of them are."""

    # What they found and still is so, the latest first.
    alerts: List[AlertRecord]
    # Why what is due waits, if it does.
    paused: NotRequired[Optional[str]]
    # Whether this process runs them as they become due.
    scheduled: bool
    # Each of them.
    workers: List[WorkerStatus]
    # The folder of code that some of them look at.
    workspace: NotRequired[Optional[str]]


# How near a memory orbits.
Zone = Literal["core", "inner", "outer", "belt", "cloud"]


class ZoneUse(TypedDict):
    """How full a zone is."""

    # How many fit into it, in each namespace; none if there is no bound.
    capacity: NotRequired[Optional[int]]
    # How many memories are in it.
    memories: int
    # How full it is in the fullest namespace, in percent.
    percent: NotRequired[Optional[int]]
    # Which zone.
    zone: Zone
