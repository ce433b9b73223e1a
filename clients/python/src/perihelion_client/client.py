"""The client: one method for each thing the server does."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Union, cast

from . import _operations as operations
from . import types
from ._events import follow
from ._operation import Operation
from ._transport import Answer, Request, Retries, Stream, Transport
from .errors import PeriError

if TYPE_CHECKING:
    from typing_extensions import Unpack

# A stream is silent for as long as nothing happens; the server shows more often than this that it is there.
_SILENCE_SECONDS = 60.0
# A worker takes its time.
_RUN_SECONDS = 600.0
# Small lines are sent together.
_PIECE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Seen:
    """A memory as it was read."""

    # None when it still is as the etag that was given says.
    memory: Optional[types.Memory]
    # Names this state: `revise` and `forget` can insist on it.
    etag: str


class Client:
    """A connection to one server. Several threads may use it at once.

    `namespace` is where the client works unless a call says otherwise. Reads, and writes that the server does only
    once however often they are sent, are tried again when no answer comes or the server asks to come back later.
    """

    def __init__(
        self,
        url: str,
        key: Optional[str] = None,
        namespace: Optional[str] = None,
        timeout: float = 30.0,
        retries: Optional[Retries] = None,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._namespace = namespace
        self._timeout = timeout
        self._transport = Transport(url, key, timeout, retries or Retries(), context)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the connections that are kept."""
        self._transport.close()

    # Memories

    def remember(
        self, content: str = "", *, idempotency_key: Optional[str] = None, **options: Unpack[types.NewMemoryOptions]
    ) -> types.Receipt:
        """Keeps a statement, or what the words are made of in `data`. When this returns, it is on the server's disk."""
        body = self._placed({**options, **({"content": content} if content else {})})
        return cast(types.Receipt, self._call(operations.REMEMBER, body=body, headers=_keyed(idempotency_key)))

    def remember_all(
        self, memories: Iterable[types.NewMemory], *, idempotency_key: Optional[str] = None
    ) -> List[types.Receipt]:
        """Keeps many statements, all of them or none."""
        body = {"memories": [self._placed(dict(memory)) for memory in memories]}
        answer = self._call(operations.REMEMBER_ALL, body=body, headers=_keyed(idempotency_key))
        return cast(List[types.Receipt], answer["receipts"])

    def recall(self, query: str, **options: Unpack[types.QuestionOptions]) -> types.Recalled:
        """Finds the memories that matter to a question."""
        body: Dict[str, Any] = {"query": query, **options}
        if self._namespace is not None:
            body.setdefault("scopes", [self._namespace])
        return cast(types.Recalled, self._call(operations.RECALL, body=body))

    def explain_recall(self, query: str, id: str, **options: Unpack[types.WhyAskedOptions]) -> types.Why:
        """Why a memory is, or is not, among the results of a question, which is asked as `recall` asks it. Nothing
        counts as used.
        """
        body: Dict[str, Any] = {"query": query, "id": id, **options}
        if self._namespace is not None:
            body.setdefault("scopes", [self._namespace])
        return cast(types.Why, self._call(operations.EXPLAIN_RECALL, body=body))

    def get(self, id: str, *, etag: Optional[str] = None) -> Seen:
        """Reads one memory. With the etag of an earlier look nothing is sent if it has not changed."""
        headers = {} if etag is None else {"If-None-Match": etag}
        answer = self._send(operations.GET, parts={"id": id}, headers=headers)
        memory = None if answer.status == 304 else cast(types.Memory, answer.json())
        return Seen(memory, answer.headers.get("etag") or etag or "")

    def revise(self, id: str, *, if_match: Optional[str] = None, **changes: Unpack[types.Changes]) -> types.Revised:
        """Changes a memory; what is left out stays. With `if_match` only if it still is in that state."""
        answer = self._call(operations.REVISE, parts={"id": id}, body=changes, headers=_matching(if_match))
        return cast(types.Revised, answer)

    def forget(self, id: str, *, if_match: Optional[str] = None) -> types.Memory:
        """Moves a memory to the trash."""
        return cast(types.Memory, self._call(operations.FORGET, parts={"id": id}, headers=_matching(if_match)))

    def restore(self, id: str) -> types.Memory:
        """Brings a memory back from the trash."""
        return cast(types.Memory, self._call(operations.RESTORE, parts={"id": id}))

    def purge(self, id: str) -> types.Destroyed:
        """Destroys a memory that lies in the trash, and tells what still holds its words, such as backups."""
        return cast(types.Destroyed, self._call(operations.PURGE, parts={"id": id}))

    def split(self, id: str) -> types.Memory:
        """Undoes a merge: a memory that was put aside stands for itself again."""
        return cast(types.Memory, self._call(operations.SPLIT, parts={"id": id}))

    def history(self, id: str) -> types.History:
        """What a memory said before, what it replaced, and what was merged into it."""
        return cast(types.History, self._call(operations.HISTORY, parts={"id": id}))

    def trace_memory(self, id: str) -> types.Trace:
        """The journal event and the turn that a memory came from, and what else came from there."""
        return cast(types.Trace, self._call(operations.TRACE_MEMORY, parts={"id": id}))

    def list(self, **parameters: Unpack[types.ListParameters]) -> Iterator[types.Memory]:
        """All memories that fit, a page at a time; `limit` is the size of a page."""
        return cast(Iterator[types.Memory], self._pages(operations.LIST, "memories", dict(parameters)))

    # Layers

    def promote(self, id: str, **options: Unpack[types.PromoteAsked]) -> types.Promoted:
        """Makes a memory of a longer-lived layer out of this one and others that say the same."""
        return cast(types.Promoted, self._call(operations.PROMOTE, parts={"id": id}, body=options))

    def undo_promotion(self, id: str) -> List[types.Memory]:
        """Brings back what a memory was promoted from."""
        return cast(List[types.Memory], self._call(operations.UNDO_PROMOTION, parts={"id": id})["sources"])

    def set_work(self, key: str, value: Any, **options: Unpack[types.SetAskedOptions]) -> types.WorkReceipt:
        """Holds a value under a key for a while, in the place of what it held: a text, or any JSON but null."""
        body = self._placed({"value": value, **options})
        return cast(types.WorkReceipt, self._call(operations.SET_WORK, parts={"work_key": key}, body=body))

    def get_work(self, key: str, **place: Unpack[types.GetWorkParameters]) -> Optional[types.WorkItem]:
        """What is held under a key, if anything is."""
        try:
            answer = self._call(operations.GET_WORK, parts={"work_key": key}, query=self._placed(dict(place)))
        except PeriError as error:
            if error.status == 404:
                return None
            raise
        return cast(types.WorkItem, answer)

    def work(self, **place: Unpack[types.ListWorkParameters]) -> types.Held:
        """What a session holds, the latest first, and which sessions hold something."""
        return cast(types.Held, self._call(operations.LIST_WORK, query=self._placed(dict(place))))

    def clear_work(self, key: str, **place: Unpack[types.ClearWorkParameters]) -> int:
        """Destroys what is held under a key, and says whether that was something."""
        query = self._placed(dict(place))
        return cast(int, self._call(operations.CLEAR_WORK, parts={"work_key": key}, query=query)["cleared"])

    def clear_all_work(self, **place: Unpack[types.ClearAllWorkParameters]) -> int:
        """Destroys everything that a session holds, and says how much that was."""
        return cast(int, self._call(operations.CLEAR_ALL_WORK, query=self._placed(dict(place)))["cleared"])

    # The graph

    def edges(self, id: str) -> List[types.Edge]:
        """The edges of a memory, the heaviest first."""
        return cast(List[types.Edge], self._call(operations.EDGES, parts={"id": id})["edges"])

    def link(self, source: str, target: str, type: types.EdgeType, *, weight: float = 1.0) -> types.Linked:
        """Links two memories of one namespace, or replaces the edge of this type between them."""
        body = {"source": source, "target": target, "type": type, "weight": weight}
        return cast(types.Linked, self._call(operations.LINK, body=body))

    def unlink(self, source: str, target: str, *, type: Optional[types.EdgeType] = None) -> int:
        """Takes the edges from one memory to another away, and says how many there were."""
        query = {"source": source, "target": target, "type": type}
        return cast(int, self._call(operations.UNLINK, query=query)["unlinked"])

    def walk(self, start: str, **parameters: Unpack[types.WalkParametersOptions]) -> types.Walked:
        """What can be reached from a memory over edges, the nearest first."""
        return cast(types.Walked, self._call(operations.WALK, query=self._placed({"from": start, **parameters})))

    def path(self, start: str, end: str, *, namespace: Optional[str] = None) -> Optional[types.Path]:
        """The shortest way between two memories, if there is one."""
        query = self._placed(_given({"from": start, "to": end, "namespace": namespace}))
        return cast(Optional[types.Path], self._call(operations.PATH, query=query)["path"])

    def pagerank(self, **parameters: Unpack[types.PagerankParameters]) -> types.Ranks:
        """The memories of a namespace that the others lead to, the most central first."""
        return cast(types.Ranks, self._call(operations.PAGERANK, query=self._placed(dict(parameters))))

    def communities(self, **parameters: Unpack[types.CommunitiesParameters]) -> types.Groups:
        """Groups of memories that are linked among each other more than with the rest."""
        return cast(types.Groups, self._call(operations.COMMUNITIES, query=self._placed(dict(parameters))))

    def graph(self, **parameters: Unpack[types.GraphParameters]) -> types.GraphPicture:
        """The most central memories of a namespace with the edges between them, ranks and groups."""
        return cast(types.GraphPicture, self._call(operations.GRAPH, query=self._placed(dict(parameters))))

    def export_graph(self, **parameters: Unpack[types.ExportGraphParameters]) -> str:
        """The graph of a namespace for other programs, as text."""
        return self._send(operations.EXPORT_GRAPH, query=self._placed(dict(parameters))).body.decode()

    # Orbits: how near memories are, and why

    def orbit(self, **parameters: Unpack[types.OrbitParameters]) -> types.Orbits:
        """Where the memories of a namespace orbit now, the nearest first."""
        return cast(types.Orbits, self._call(operations.ORBIT, query=self._placed(dict(parameters))))

    def orbit_moves(self, **parameters: Unpack[types.OrbitMovesParameters]) -> types.OrbitMoves:
        """How the memories of a namespace moved and, with `ahead_days`, how they will if nobody uses anything."""
        return cast(types.OrbitMoves, self._call(operations.ORBIT_MOVES, query=self._placed(dict(parameters))))

    def memory_orbit(self, id: str) -> types.MemoryOrbit:
        """Why a memory is where it is: its score with what that is made of, and how it moved."""
        return cast(types.MemoryOrbit, self._call(operations.MEMORY_ORBIT, parts={"id": id}))

    # Sessions

    def start_session(self, session: str, *, namespace: Optional[str] = None) -> types.Session:
        """Begins a session, or opens it again."""
        body = self._placed(_given({"session": session, "namespace": namespace}))
        return cast(types.Session, self._call(operations.START_SESSION, body=body))

    def sessions(self, **parameters: Unpack[types.ListSessionsParameters]) -> List[types.Session]:
        """The sessions that were begun, the latest first."""
        answer = self._call(operations.LIST_SESSIONS, query=self._scoped(dict(parameters)))
        return cast(List[types.Session], answer["sessions"])

    def session(self, session: str, *, namespace: Optional[str] = None) -> types.Conversation:
        """One session and its summary."""
        return self._conversation(operations.GET_SESSION, session, namespace)

    def end_session(self, session: str, *, namespace: Optional[str] = None) -> types.Conversation:
        """Ends a session and sums up what was remembered in it."""
        return self._conversation(operations.END_SESSION, session, namespace)

    def _conversation(self, operation: Operation, session: str, namespace: Optional[str]) -> types.Conversation:
        query = self._placed(_given({"namespace": namespace}))
        return cast(types.Conversation, self._call(operation, parts={"session": session}, query=query))

    # Notes: what is said in sessions, what was noted of it, and what agents are given

    def hear(
        self,
        session: str,
        messages: Iterable[types.MessageAsked],
        *,
        idempotency_key: Optional[str] = None,
        **options: Unpack[types.HearAskedOptions],
    ) -> types.HeardReceipt:
        """Keeps what was said in a session; notes are made of it when that is due. `outcome` says if it waits."""
        body = self._placed({"messages": list(messages), **options})
        parts, headers = {"session": session}, _keyed(idempotency_key)
        return cast(types.HeardReceipt, self._call(operations.HEAR, parts=parts, body=body, headers=headers))

    def observe(self, session: str, *, retry: bool = False, namespace: Optional[str] = None) -> List[Any]:
        """Makes notes of what waits in a session at once, and tells what was done."""
        query = self._placed(_given({"namespace": namespace, "retry": retry or None}))
        answer = self._call(operations.OBSERVE_SESSION, parts={"session": session}, query=query)
        return cast(List[Any], answer["steps"])

    def observe_due(self, *, namespace: Optional[str] = None) -> List[Any]:
        """Makes notes of whatever is due in all sessions of a namespace, and tells what was done."""
        query = self._placed(_given({"namespace": namespace}))
        return cast(List[Any], self._call(operations.OBSERVE_DUE, query=query)["steps"])

    def session_notes(self, session: str, *, namespace: Optional[str] = None) -> Optional[types.NotesView]:
        """The notes of a session; None if none were made yet."""
        query = self._placed(_given({"namespace": namespace}))
        try:
            answer = self._call(operations.SESSION_NOTES, parts={"session": session}, query=query)
        except PeriError as error:
            if error.status == 404:
                return None
            raise
        return cast(types.NotesView, answer)

    def durable_notes(self, *, namespace: Optional[str] = None) -> types.NotesView:
        """The notes of a namespace that last beyond sessions."""
        query = self._placed(_given({"namespace": namespace}))
        return cast(types.NotesView, self._call(operations.DURABLE_NOTES, query=query))

    def note_sessions(self, **parameters: Unpack[types.ListNoteSessionsParameters]) -> List[types.SessionOverview]:
        """The sessions that have notes or wait for them, the one observed last first."""
        answer = self._call(operations.LIST_NOTE_SESSIONS, query=self._placed(dict(parameters)))
        return cast(List[types.SessionOverview], answer["sessions"])

    def replay(self, session: str, **parameters: Unpack[types.ReplaySessionParameters]) -> List[types.Spoken]:
        """What was said in a session, in order, each with what was noted of it."""
        query = self._placed(dict(parameters))
        answer = self._call(operations.REPLAY_SESSION, parts={"session": session}, query=query)
        return cast(List[types.Spoken], answer["spoken"])

    def given_to_session(
        self, session: str, **parameters: Unpack[types.GivenToSessionParameters]
    ) -> types.GivenToSession:
        """What memory handed to the agent in a session, the earliest first, as far as it is remembered."""
        parts, query = {"session": session}, self._placed(dict(parameters))
        return cast(types.GivenToSession, self._call(operations.GIVEN_TO_SESSION, parts=parts, query=query))

    def forget_notes(self, session: str, *, namespace: Optional[str] = None) -> types.Forgotten:
        """Destroys the notes of a session and what waits to become some. Memories made of them stay."""
        query = self._placed(_given({"namespace": namespace}))
        return cast(types.Forgotten, self._call(operations.FORGET_NOTES, parts={"session": session}, query=query))

    def look_at_context(self, **parameters: Unpack[types.LookAtContextParameters]) -> types.GivenContext:
        """What an agent would be given. Looking takes nothing away."""
        query = self._placed(dict(parameters))
        return cast(types.GivenContext, self._call(operations.LOOK_AT_CONTEXT, query=query))

    def context(self, **options: Unpack[types.GiveAsked]) -> types.GivenContext:
        """What an agent is given. With `deliver="once"` it is lent: confirm its `loan` when the agent has it."""
        body = self._placed(dict(options))
        return cast(types.GivenContext, self._call(operations.CONTEXT, body=body))

    def confirm_context(
        self, session: str, loan: str, **options: Unpack[types.ConfirmAskedOptions]
    ) -> types.Confirmed:
        """The agent has what was lent: it counts as given. Status 409: it was taken back meanwhile."""
        body = self._placed({"session": session, "loan": loan, **options})
        return cast(types.Confirmed, self._call(operations.CONFIRM_CONTEXT, body=body))

    def return_context(self, session: str, loan: str, *, namespace: Optional[str] = None) -> None:
        """The agent did not get what was lent: it is given to whoever asks next."""
        body = self._placed(_given({"session": session, "loan": loan, "namespace": namespace}))
        self._send(operations.RETURN_CONTEXT, body=body)

    # The journal: what happened, as it came, and the turns it happened in

    def append(
        self, text: str = "", *, idempotency_key: Optional[str] = None, **options: Unpack[types.EntryAskedOptions]
    ) -> types.Appended:
        """Writes down what happened. A store that cannot be reached is no error: `state` says what became of it."""
        entry = cast(types.EntryAsked, {**options, **({"text": text} if text else {})})
        return self.append_all([entry], idempotency_key=idempotency_key)[0]

    def append_all(
        self, entries: Iterable[types.EntryAsked], *, idempotency_key: Optional[str] = None
    ) -> List[types.Appended]:
        """Writes down several things together, and says what became of each. If one is malformed, none is taken."""
        body = {"entries": [self._placed(dict(entry)) for entry in entries]}
        answer = self._call(operations.APPEND_JOURNAL, body=body, headers=_keyed(idempotency_key))
        return cast(List[types.Appended], answer["entries"])

    def journal(self, **parameters: Unpack[types.ListJournalParameters]) -> Iterator[types.JournalEntry]:
        """All journal events that fit, a page at a time; `limit` is the size of a page."""
        pages = self._pages(operations.LIST_JOURNAL, "entries", dict(parameters))
        return cast(Iterator[types.JournalEntry], pages)

    def recent(self, **parameters: Unpack[types.RecentJournalParameters]) -> types.RecentEntries:
        """The latest journal events, those that wait for the store too. `missing` says why some may be."""
        return cast(types.RecentEntries, self._call(operations.RECENT_JOURNAL, query=self._scoped(dict(parameters))))

    def journal_entry(self, id: str) -> types.JournalEntry:
        """One journal event."""
        return cast(types.JournalEntry, self._call(operations.GET_JOURNAL, parts={"entry": id}))

    def journal_stats(self, *, scope: Optional[str] = None) -> types.JournalSummary:
        """What the journal holds, in numbers."""
        query = self._scoped(_given({"scope": scope}))
        return cast(types.JournalSummary, self._call(operations.JOURNAL_STATS, query=query))

    def begin_turn(
        self, *, idempotency_key: Optional[str] = None, **options: Unpack[types.TurnAsked]
    ) -> types.TurnReceipt:
        """Begins a turn: one call of an agent. As with `append`, `state` says what became of it."""
        body = self._placed(dict(options))
        return cast(types.TurnReceipt, self._call(operations.BEGIN_TURN, body=body, headers=_keyed(idempotency_key)))

    def update_turn(
        self, id: str, *, idempotency_key: Optional[str] = None, **changes: Unpack[types.TurnChanges]
    ) -> types.TurnReceipt:
        """Tells more of a turn; what is left out stays, and a `status` finishes it."""
        headers = _keyed(idempotency_key)
        answer = self._call(operations.UPDATE_TURN, parts={"turn": id}, body=changes, headers=headers)
        return cast(types.TurnReceipt, answer)

    def turns(self, **parameters: Unpack[types.ListTurnsParameters]) -> Iterator[types.Turn]:
        """All turns that fit, a page at a time; `limit` is the size of a page."""
        return cast(Iterator[types.Turn], self._pages(operations.LIST_TURNS, "turns", dict(parameters)))

    def turn(self, id: str) -> types.TurnWithEntries:
        """One turn with its journal events."""
        return cast(types.TurnWithEntries, self._call(operations.GET_TURN, parts={"turn": id}))

    # Namespaces

    def namespaces(self, *, scope: Optional[str] = None) -> List[str]:
        """The namespaces that hold anything; not only the client's own."""
        return cast(List[str], self._call(operations.LIST_NAMESPACES, query={"scope": scope})["namespaces"])

    def move_namespace(self, source: str, target: str) -> types.MovedNamespace:
        """Moves everything of a namespace to another one."""
        body = {"from": source, "to": target}
        return cast(types.MovedNamespace, self._call(operations.MOVE_NAMESPACE, body=body))

    def delete_namespace(self, namespace: str, *, purge: bool = False) -> types.Deleted:
        """Moves all memories of a namespace to the trash, or destroys them."""
        query = {"namespace": namespace, "purge": purge}
        return cast(types.Deleted, self._call(operations.DELETE_NAMESPACE, query=query))

    # Feedback and weights

    def feedback(self, query: str, **options: Unpack[types.FeedbackAskedOptions]) -> types.FeedbackReceipt:
        """Says which results of a recall were of use, by their ids in `used` and `unused`."""
        body = self._placed({"query": query, **options})
        return cast(types.FeedbackReceipt, self._call(operations.FEEDBACK, body=body))

    def weights(self, *, namespace: Optional[str] = None) -> types.WeightSets:
        """What nearness is made of in a namespace, and what feedback made of it."""
        query = self._placed(_given({"namespace": namespace}))
        return cast(types.WeightSets, self._call(operations.WEIGHTS, query=query))

    def rollback_weights(self, number: int, *, namespace: Optional[str] = None) -> types.LearnedWeights:
        """Takes an earlier set of weights again."""
        body = self._placed(_given({"number": number, "namespace": namespace}))
        return cast(types.LearnedWeights, self._call(operations.ROLLBACK_WEIGHTS, body=body))

    # Learning: what was done, what worked, who should take a task, and what was learned as a whole

    def record_trajectory(
        self,
        task: str,
        outcome: types.TaskOutcome,
        *,
        idempotency_key: Optional[str] = None,
        **options: Unpack[types.TrajectoryAskedOptions],
    ) -> types.TrajectoryReceipt:
        """Records the steps of a task and how it ended. `outcome` of the receipt says if it waits for the store."""
        body = self._placed({"task": task, "outcome": outcome, **options})
        answer = self._call(operations.RECORD_TRAJECTORY, body=body, headers=_keyed(idempotency_key))
        return cast(types.TrajectoryReceipt, answer)

    def trajectories(self, **parameters: Unpack[types.ListTrajectoriesParameters]) -> Iterator[types.Trajectory]:
        """All recorded tasks that fit, a page at a time; `limit` is the size of a page."""
        pages = self._pages(operations.LIST_TRAJECTORIES, "trajectories", dict(parameters))
        return cast(Iterator[types.Trajectory], pages)

    def trajectory(self, id: str) -> types.Trajectory:
        """One recorded task with its steps."""
        return cast(types.Trajectory, self._call(operations.GET_TRAJECTORY, parts={"trajectory": id}))

    def find_patterns(
        self, task: Optional[str] = None, **parameters: Unpack[types.FindPatternsParameters]
    ) -> types.FoundPatterns:
        """Strategies that worked for such a task and who should take it; all of them without a task."""
        query = self._placed({**parameters, **_given({"q": task})})
        return cast(types.FoundPatterns, self._call(operations.FIND_PATTERNS, query=query))

    def store_pattern(
        self, strategy: str, *, idempotency_key: Optional[str] = None, **options: Unpack[types.PatternAskedOptions]
    ) -> types.PatternReceipt:
        """Keeps a strategy that is known to work, or joins it into the one that says the same."""
        body = self._placed({"strategy": strategy, **options})
        answer = self._call(operations.STORE_PATTERN, body=body, headers=_keyed(idempotency_key))
        return cast(types.PatternReceipt, answer)

    def patterns(self, **parameters: Unpack[types.ListPatternsParameters]) -> List[types.Pattern]:
        """Patterns, the best first; with `retired` those that were put aside."""
        answer = self._call(operations.LIST_PATTERNS, query=self._scoped(dict(parameters)))
        return cast(List[types.Pattern], answer["patterns"])

    def pattern(self, id: str) -> types.Pattern:
        """One pattern, put aside or not."""
        return self._pattern(operations.GET_PATTERN, id)

    def promote_pattern(self, id: str) -> types.Pattern:
        """Keeps a pattern for good."""
        return self._pattern(operations.PROMOTE_PATTERN, id)

    def retire_pattern(self, id: str) -> types.Pattern:
        """Puts a pattern aside; it is not offered any more."""
        return self._pattern(operations.RETIRE_PATTERN, id)

    def restore_pattern(self, id: str) -> types.Pattern:
        """Offers a pattern again that was put aside."""
        return self._pattern(operations.RESTORE_PATTERN, id)

    def _pattern(self, operation: Operation, id: str) -> types.Pattern:
        return cast(types.Pattern, self._call(operation, parts={"pattern": id}))

    def route(self, task: str, *, namespace: Optional[str] = None) -> types.Routed:
        """Who should take a task, how sure that is, and why."""
        body = self._placed(_given({"task": task, "namespace": namespace}))
        return cast(types.Routed, self._call(operations.ROUTE_TASK, body=body))

    def learning_stats(self, *, scope: Optional[str] = None) -> types.LearningNumbers:
        """What has been learned, in numbers, and who is at work on it."""
        query = self._scoped(_given({"scope": scope}))
        return cast(types.LearningNumbers, self._call(operations.LEARNING_STATS, query=query))

    def distil(self, *, scope: Optional[str] = None) -> List[types.Distilling]:
        """Draws patterns from what was recorded since the last time; the workers do the same."""
        body = self._scoped(_given({"scope": scope}))
        return cast(List[types.Distilling], self._call(operations.DISTIL, body=body)["namespaces"])

    def train(self, *, namespace: Optional[str] = None) -> types.Trained:
        """Trains the router and the adapter of a namespace; the workers do the same."""
        return cast(types.Trained, self._call(operations.TRAIN, body=self._placed(_given({"namespace": namespace}))))

    def learned_sets(self, name: types.LearnedName, *, namespace: Optional[str] = None) -> List[types.LearnedInfo]:
        """What a router or an adapter was, the latest first: that holds."""
        query = self._placed(_given({"name": name, "namespace": namespace}))
        return cast(List[types.LearnedInfo], self._call(operations.LEARNED_SETS, query=query)["sets"])

    def rollback_learned(
        self, name: types.LearnedName, number: int, *, namespace: Optional[str] = None
    ) -> types.LearnedInfo:
        """Goes back to what was learned before, by the number of the set; 0 is nothing learned."""
        body = self._placed(_given({"name": name, "set": number, "namespace": namespace}))
        return cast(types.LearnedInfo, self._call(operations.ROLLBACK_LEARNED, body=body))

    # Workers, which look after the whole store

    def workers(self) -> types.WorkersStatus:
        """How the workers are, when each is due, and what they found."""
        return cast(types.WorkersStatus, self._call(operations.WORKERS_STATUS))

    def dispatch_workers(
        self, worker: Optional[types.WorkerKind] = None, *, timeout: float = _RUN_SECONDS
    ) -> types.Dispatched:
        """Runs a worker now, or all of them by priority, and waits for what comes of it, `timeout` seconds at most."""
        request = Request(operations.DISPATCH_WORKERS, query={"worker": worker})
        return cast(types.Dispatched, json.loads("\n".join(self._transport.open(request, timeout).lines())))

    def worker_runs(self, **parameters: Unpack[types.WorkerRunsParameters]) -> List[types.WorkerRun]:
        """What workers did, the latest first."""
        return cast(List[types.WorkerRun], self._call(operations.WORKER_RUNS, query=dict(parameters))["runs"])

    def worker_alerts(self, **parameters: Unpack[types.WorkerAlertsParameters]) -> List[types.AlertRecord]:
        """What workers found, the latest first."""
        return cast(List[types.AlertRecord], self._call(operations.WORKER_ALERTS, query=dict(parameters))["alerts"])

    def cancel_worker(self, worker: types.WorkerKind) -> bool:
        """Asks a worker to stop, in whichever process it is at work, and says whether it was."""
        return cast(bool, self._call(operations.CANCEL_WORKER, parts={"worker": worker})["asked"])

    # Keys, which an admin handles

    def keys(self) -> List[types.ApiKey]:
        """The keys within the own key's namespaces, the revoked ones too."""
        return cast(List[types.ApiKey], self._call(operations.LIST_KEYS)["keys"])

    def create_key(self, name: str, role: types.Role, *, scope: Optional[str] = None) -> types.CreatedKey:
        """Creates a key. Its secret is told this once. It is for the client's namespace unless `scope` says."""
        body = self._scoped(_given({"name": name, "role": role, "scope": scope}))
        return cast(types.CreatedKey, self._call(operations.CREATE_KEY, body=body))

    def revoke_key(self, key: str) -> types.ApiKey:
        """Revokes a key, by its id: whoever shows it is let in no more."""
        return cast(types.ApiKey, self._call(operations.REVOKE_KEY, parts={"key": key}))

    # Chores, which a server does by itself from time to time

    def reorbit(self, *, scope: Optional[str] = None) -> types.Reorbited:
        """Brings the zones to where they belong by now."""
        return cast(types.Reorbited, self._call(operations.REORBIT, body=self._scoped(_given({"scope": scope}))))

    def maintain(self) -> types.Maintained:
        """Does all chores now."""
        return cast(types.Maintained, self._call(operations.MAINTAIN))

    def sweep(self) -> types.Swept:
        """Ends what has reached the end of its time in its layer; what matters is promoted."""
        return cast(types.Swept, self._call(operations.SWEEP))

    def take_snapshot(self) -> Optional[types.SnapshotInfo]:
        """Writes the latest episodes to a file, unless none has changed since the last one."""
        return cast(Optional[types.SnapshotInfo], self._call(operations.TAKE_SNAPSHOT).get("snapshot"))

    def snapshots(self) -> List[types.SnapshotInfo]:
        """The snapshots of the latest episodes, the latest first."""
        return cast(List[types.SnapshotInfo], self._call(operations.LIST_SNAPSHOTS)["snapshots"])

    def create_backup(self) -> types.BackupMade:
        """Makes a backup now and verifies it, while others go on. Status 409: one is being made already."""
        return cast(types.BackupMade, self._call(operations.CREATE_BACKUP))

    def backups(self) -> types.BackupList:
        """The backups there are, the latest first, and when the next one is due."""
        return cast(types.BackupList, self._call(operations.LIST_BACKUPS))

    def purge_trash(self, *, before: Optional[str] = None, scope: Optional[str] = None) -> int:
        """Destroys what lies in the trash, and says how much that was; there is no way back."""
        body = self._scoped(_given({"before": before, "scope": scope}))
        return cast(int, self._call(operations.PURGE_TRASH, body=body)["purged"])

    # The queue, which an admin of everything looks after

    def queue(self, *, limit: Optional[int] = None) -> types.Queue:
        """What waits on the server's machine because its store could not take it, and what was given up."""
        return cast(types.Queue, self._call(operations.QUEUE, query={"limit": limit}))

    def replay_queue(self, id: Optional[str] = None) -> types.Replayed:
        """Tries what waits now, and what was given up once more: all of it, or only the one of this id."""
        return cast(types.Replayed, self._call(operations.REPLAY_QUEUE, body=_given({"id": id})))

    def drop_queued(self, id: str) -> None:
        """Drops what waits or was given up under an id; it is not made then."""
        self._call(operations.DROP_QUEUED, parts={"id": id})

    # What happened

    def event_log(self, **parameters: Unpack[types.EventsParameters]) -> types.EventPage:
        """A page of the audit log: the latest events, or with `after` the first ones that follow a number."""
        return cast(types.EventPage, self._call(operations.EVENTS, query=self._scoped(dict(parameters))))

    def events(self, **parameters: Unpack[types.FollowEventsParameters]) -> Iterator[types.Event]:
        """Events as they happen, from after a number or from this call on, without end. Broken connections are opened
        again where they ended, so that nothing is missed or told twice.
        """
        query = self._scoped(dict(parameters))
        after = query.pop("after", None)
        if after is None:
            # Asked once, so that what happens before the first event comes is not lost with a broken connection.
            latest = self._call(operations.EVENTS, query={"scope": query.get("scope"), "limit": 1})
            after = latest["next_after"]

        def connect(last: str) -> Stream:
            headers = {"Last-Event-ID": last, "Accept": "text/event-stream"}
            request = Request(operations.FOLLOW_EVENTS, query=query, headers=headers)
            return self._transport.open(request, max(self._timeout, _SILENCE_SECONDS))

        return follow(self._transport, connect, str(after))

    # Everything out and in again

    def export(self, **parameters: Unpack[types.ExportParameters]) -> Iterator[str]:
        """Everything that fits, one JSON object a line, while it comes. One that breaks off raises."""
        return self._transport.open(Request(operations.EXPORT, query=self._scoped(dict(parameters)))).lines()

    def import_(
        self, lines: Iterable[Union[str, bytes]], **parameters: Unpack[types.ImportParameters]
    ) -> types.Imported:
        """Takes in what an export gave, line by line. Sent again, it changes nothing more."""
        headers = {"Content-Type": "application/jsonl"}
        query = self._scoped(dict(parameters))
        answer = self._call(operations.IMPORT, query=query, body=_pieces(lines), headers=headers)
        return cast(types.Imported, answer)

    def migrate(
        self, lines: Iterable[Union[str, bytes]] = (), **parameters: Unpack[types.MigrateParameters]
    ) -> types.MigrationReport:
        """Takes over records of another store, one JSON object a line; without any, gives vectors to the memories that
        lack one. Sent again, it adds nothing.
        """
        headers = {"Content-Type": "application/jsonl"}
        query = self._placed(dict(parameters))
        answer = self._call(operations.MIGRATE, query=query, body=_pieces(lines), headers=headers)
        return cast(types.MigrationReport, answer)

    # The sample: the memories of an invented team, to explore

    def sample_status(self) -> types.SampleStatus:
        """Whether the sample is loaded, and where."""
        return cast(types.SampleStatus, self._call(operations.SAMPLE_STATUS))

    def load_sample(self) -> types.SampleLoaded:
        """Loads the sample into a namespace of its own, told over the last sixty days. Status 409: it is there
        already.
        """
        return cast(types.SampleLoaded, self._call(operations.LOAD_SAMPLE))

    def remove_sample(self) -> types.SampleRemoved:
        """Removes the sample for good: what came with it, and nothing else."""
        return cast(types.SampleRemoved, self._call(operations.REMOVE_SAMPLE))

    # The server

    def stats(self, *, scope: Optional[str] = None) -> types.Numbers:
        """What is held, in numbers."""
        return cast(types.Numbers, self._call(operations.STATS, query=self._scoped(_given({"scope": scope}))))

    def report(self, **parameters: Unpack[types.ReportParameters]) -> types.DaysTold:
        """What happened on a day or over several, and what is held now."""
        return cast(types.DaysTold, self._call(operations.REPORT, query=self._scoped(dict(parameters))))

    def latencies(self, **parameters: Unpack[types.LatenciesParameters]) -> types.Latencies:
        """How long recalls took in the last hours, part by part."""
        return cast(types.Latencies, self._call(operations.LATENCIES, query=self._scoped(dict(parameters))))

    def llm_calls(self, *, limit: Optional[int] = None) -> types.LlmUse:
        """What the language model was asked for, the latest first, and what of its tokens is spent."""
        return cast(types.LlmUse, self._call(operations.LLM_CALLS, query={"limit": limit}))

    def me(self) -> types.Me:
        """Who the server takes the caller for, and what that allows."""
        return cast(types.Me, self._call(operations.ME))

    def health(self) -> types.Health:
        """The store, the chores, zones, queues, indexes and the disk."""
        return cast(types.Health, self._call(operations.HEALTH))

    def live(self) -> bool:
        """Whether the process answers."""
        return cast(bool, self._call(operations.LIVE)["alive"])

    def ready(self) -> bool:
        """Whether requests can be served."""
        try:
            return cast(bool, self._call(operations.READY)["ready"])
        except PeriError as error:
            if error.status == 503:
                return False
            raise

    def version(self) -> types.Program:
        """Which program answers."""
        return cast(types.Program, self._call(operations.VERSION))

    def metrics(self) -> str:
        """Counters, histograms and gauges, as Prometheus reads them."""
        return self._send(operations.METRICS).body.decode()

    def document(self) -> Dict[str, Any]:
        """The OpenAPI document of the server."""
        return cast(Dict[str, Any], self._call(operations.DOCUMENT))

    # What every method is made of

    def _send(
        self,
        operation: Operation,
        parts: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Union[Mapping[str, Any], Iterable[bytes], None] = None,
        headers: Optional[Dict[str, str]] = None,
    ) -> Answer:
        return self._transport.send(Request(operation, parts or {}, query or {}, headers or {}, body))

    def _call(self, operation: Operation, **request: Any) -> Any:
        return self._send(operation, **request).json()

    def _pages(self, operation: Operation, field: str, query: Dict[str, Any]) -> Iterator[Any]:
        """What stands in a field of every page, from the first to the last."""
        query = self._scoped(query)
        while True:
            page = self._call(operation, query=query)
            yield from page[field]
            if page.get("next_cursor") is None:
                return
            query["cursor"] = page["next_cursor"]

    def _placed(self, given: Dict[str, Any]) -> Dict[str, Any]:
        """With the client's namespace, unless another was named."""
        if self._namespace is not None:
            given.setdefault("namespace", self._namespace)
        return given

    def _scoped(self, given: Dict[str, Any]) -> Dict[str, Any]:
        """Within the client's namespace, unless another place was named."""
        if self._namespace is not None:
            given.setdefault("scope", self._namespace)
        return given


def _given(fields: Dict[str, Any]) -> Dict[str, Any]:
    """What is not None."""
    return {name: value for name, value in fields.items() if value is not None}


def _matching(etag: Optional[str]) -> Dict[str, str]:
    return {} if etag is None else {"If-Match": etag}


def _keyed(key: Optional[str]) -> Dict[str, str]:
    return {} if key is None else {"Idempotency-Key": key}


def _pieces(lines: Iterable[Union[str, bytes]]) -> Iterator[bytes]:
    piece = bytearray()
    for line in lines:
        text = line.encode() if isinstance(line, str) else line
        piece += text if text.endswith(b"\n") else text + b"\n"
        if len(piece) >= _PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
