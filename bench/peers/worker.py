"""One stage of the work with one peer, inside that peer's environment.

    python worker.py PLAN

PLAN is JSON: the adapter, the stage, where things are, and what the stage needs. What comes of it is printed, one JSON
object a line. `stages.py` starts this and reads it.
"""

import importlib
import json
import os
import pathlib
import sys
import time
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from adapters.base import CannotDo  # noqa: E402
from synced import Watch  # noqa: E402
import workload  # noqa: E402

WARM_UP = 20
# A call that fails is tried no more often than this in a row before the stage is given up.
FAILURES_MAX = 20

# What is printed to standard output by a peer must not be taken for a result.
RESULTS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def tell(**told):
    print(json.dumps(told), file=RESULTS, flush=True)


def percentile(times, share):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def spread(times):
    """Milliseconds in the middle and at the slow end."""
    return {"p50_ms": percentile(times, 0.5) * 1e3, "p95_ms": percentile(times, 0.95) * 1e3, "calls": len(times)}


def resident(pids):
    """Bytes that processes hold in memory."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status if ":" in line)
        total += int(lines["VmRSS"].split()[0]) * 1024
    return total


def timed(peer, call):
    """The seconds that a call took and what came of it. A peer in another language measures in its own process."""
    before = time.monotonic()
    came = call()
    wall = time.monotonic() - before
    return (wall if peer.took is None else peer.took), came


def pieces(plan, peer):
    """The memories, one by one or in batches, with the call that keeps them."""
    memories = list(workload.memories(plan["count"]))
    if plan["mode"] == "one":
        return [([memory], lambda piece: peer.remember(piece[0])) for memory in memories]
    size = peer.batch_size
    cut = [memories[at : at + size] for at in range(0, len(memories), size)]
    return [(piece, peer.remember_batch) for piece in cut]


def fill(peer, plan):
    """Remembers many, and tells how long the first of them and all of them took."""
    marks, times, reached, spent = {}, [], 0, 0.0
    peer.start()
    began = time.monotonic()
    for piece, keep in pieces(plan, peer):
        times.append(timed(peer, lambda: keep(piece))[0])
        spent += times[-1]
        reached += len(piece)
        if reached in plan["marks"]:
            marks[reached] = spent
        if time.monotonic() - began > plan["seconds_max"]:
            break
    peer.close()
    size = peer.batch_size if plan["mode"] == "batch" else 1
    tell(marks=marks, reached=reached, seconds=spent, batch=size, disk=peer.disk(), **spread(times))


def first(peer, plan):
    """The first answer of a fresh process; the clock is the machine's, so that the one who started it can subtract."""
    begun = time.monotonic()
    peer.start()
    (question,) = workload.questions(1, plan["stored"])
    found = peer.recall(question, 10)
    tell(begun=begun, answered=time.monotonic(), in_process=peer.in_process, results=len(found))
    peer.close()


def recall(peer, plan):
    """Questions one after the other, and the memory that is held after them."""
    peer.start()
    asked = list(workload.questions(WARM_UP + plan["questions"], plan["stored"]))
    times, results, began = [], 0, time.monotonic()
    for number, question in enumerate(asked):
        took, found = timed(peer, lambda: peer.recall(question, 10))
        if number >= WARM_UP:
            times.append(took)
            results += len(found)
        if times and time.monotonic() - began > plan["seconds_max"]:
            break
    tell(resident=resident(peer.pids()), results=results / len(times), **spread(times))
    peer.close()


def tally(found, gold, limit):
    """The share of the right memories among the first results."""
    seen = set().union(*found[:limit]) if found else set()
    return len(seen & set(gold)) / len(gold)


def remember_turns(peer, turns):
    memories = [{"id": turn["id"], "text": workload.plain(turn), "turn": turn} for turn in turns]
    try:
        for at in range(0, len(memories), peer.batch_size):
            peer.remember_batch(memories[at : at + peer.batch_size])
    except CannotDo:
        for memory in memories:
            peer.remember(memory)


def quality(peer, plan):
    """The right memories among the first five and ten, each conversation in a store of its own."""
    began = time.monotonic()
    chosen = list(workload.conversations(plan["data"]))[: plan["conversations_max"]]
    for name, turns, questions in chosen:
        own = make(plan, store=str(pathlib.Path(plan["place"]["store"]) / name))
        own.start()
        remember_turns(own, turns)
        found = [own.recall(question["text"], 10) for question in questions]
        own.close()
        sums = [
            sum(tally(one, question["gold"], limit) for one, question in zip(found, questions)) for limit in (5, 10)
        ]
        told = {
            "conversation": name,
            "turns": len(turns),
            "questions": len(questions),
            "sum_5": sums[0],
            "sum_10": sums[1],
        }
        tell(**told, results=sum(map(len, found)), seconds=time.monotonic() - began)
        if time.monotonic() - began > plan["seconds_max"]:
            break
    tell(conversations=len(chosen))


def write(peer, plan):
    """Remembers one by one and says after each that it was acknowledged; failures are counted and told."""
    peer.start()
    tell(ready=True)
    # Whoever started this says when, so that two begin together.
    sys.stdin.readline()
    failures, row, last = 0, 0, ""
    for memory in workload.memories(plan["count"], plan["first"]):
        try:
            peer.remember(memory)
            row = 0
            tell(kept=memory["id"])
        except Exception as error:  # A peer may fail in any way; it is counted, and the last one is shown.
            failures, row, last = failures + 1, row + 1, f"{type(error).__name__}: {error}"[:300]
        if row >= FAILURES_MAX:
            break
    tell(failures=failures, last=last)
    peer.close()


def stored(peer, plan):
    """Which of the memories that were acknowledged are there."""
    peer.start()
    found = peer.stored()
    expected = {
        memory["id"]: memory["text"] for first, count in plan["ranges"] for memory in workload.memories(count, first)
    }
    tell(found=len(found), present=[ours for ours, text in expected.items() if text in found])
    peer.close()


def syncs(peer, plan):
    """How often the disk is told to flush for one memory, as the system calls show."""
    peer.start()
    for memory in workload.memories(5):
        peer.remember(memory)
    watch = Watch(peer.pids(), plan["place"]["log"] + ".calls")
    for memory in workload.memories(plan["count"], 5):
        peer.remember(memory)
    tell(flushes=watch.end() / plan["count"])
    peer.close()


STAGES = {call.__name__: call for call in (fill, first, recall, quality, write, stored, syncs)}


def make(plan, **changed):
    place = types.SimpleNamespace(**{**plan["place"], **changed})
    place.root, place.environment = pathlib.Path(place.root), pathlib.Path(place.environment)
    os.makedirs(place.store, exist_ok=True)
    # Some write beside whatever folder they are started in.
    os.chdir(place.store)
    return importlib.import_module(f"adapters.{plan['adapter']}").Peer(place)


def main():
    plan = json.loads(sys.argv[1])
    try:
        STAGES[plan["stage"]](make(plan), plan)
    except CannotDo as reason:
        tell(cannot=str(reason))
    except Exception as error:  # The stage failed; the report says how.
        import traceback

        traceback.print_exc()
        tell(failed=f"{type(error).__name__}: {error}"[:400])


if __name__ == "__main__":
    main()
