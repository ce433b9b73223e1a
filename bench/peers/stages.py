"""All the work with one peer, stage by stage. A stage that cannot be done leaves `no` with the reason."""

import json
import os
import shutil
import statistics
import sys
import time

from peers import HERE, PLACE, ROOT
from processes import Run

# Beyond its own limit a stage may take so long for starting, closing and the last call.
GRACE_SECONDS = 60
KEPT_VARIABLES = ("PATH", "LANG", "TZ")


class Stages:
    """The stages of one peer. `size` says how much work there is and how long it may take."""

    def __init__(self, peer, size, data, peri):
        self.peer, self.size, self.data, self.peri = peer, size, data, peri
        self.folder = PLACE / "stores" / peer.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.figures = {}

    def run(self):
        """Every stage in turn. Where batches cannot be had, recall looks into what was filled one by one."""
        return self.go_through([*self.timed(), self.quality, self.kill, self.writers, self.flushes])

    def run_timed(self):
        """Only what is told by the clock."""
        return self.go_through(self.timed())

    def go_through(self, stages):
        began = time.monotonic()
        for stage in stages:
            self.step(stage)
        self.figures["seconds"] = time.monotonic() - began
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.figures

    def timed(self):
        return [self.fill_batch, self.fill_one, self.first_answer, self.recall]

    def step(self, stage):
        before = time.monotonic()
        try:
            self.figures[stage.__name__] = stage()
        except TimeoutError:
            self.figures[stage.__name__] = {"no": f"not done after {time.monotonic() - before:.0f} s"}
        told = self.figures[stage.__name__]
        print(f"  {stage.__name__:13} {time.monotonic() - before:6.1f} s  {brief(told)}", flush=True)

    # What is started, and what it prints.

    def command(self, stage, store, **plan):
        place = {
            "store": str(self.folder / store),
            "log": str(self.folder / f"{store}.log"),
            "root": str(ROOT),
            "environment": str(self.peer.environment),
            "peri": str(self.peri),
        }
        told = {"adapter": self.peer.adapter, "stage": stage, "place": place, **plan}
        own = self.peer.environment / "venv" / "bin" / "python"
        return [str(own) if own.exists() else sys.executable, str(HERE / "worker.py"), json.dumps(told)]

    def environment(self):
        """No setting of the user's, and no way out: nothing is told where a proxy is."""
        home = self.peer.environment / "home"
        home.mkdir(parents=True, exist_ok=True)
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        offline = {"HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False"}
        return {**kept, **offline, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}

    def begin(self, stage, store, **plan):
        log = self.folder / f"{store}.{stage}.log"
        return Run(self.command(stage, store, **plan), self.environment(), log)

    def ask(self, stage, store, seconds_max, **plan):
        """A whole stage in a process of its own: the last thing that it told."""
        run = self.begin(stage, store, seconds_max=seconds_max, **plan)
        try:
            told = run.rest(time.monotonic() + seconds_max + GRACE_SECONDS)
        finally:
            run.end()
        return outcome(told[-1] if told else {"failed": "it ended without a word"})

    # The stages.

    def fill_batch(self):
        return self.fill("batch")

    def fill_one(self):
        return self.fill("one")

    def fill(self, mode):
        # One of the two must get far, because recall looks into it; the other may be short.
        far = self.figures.get("fill_batch", {}).get("reached", 0) == 0
        limit = self.size.fill_seconds if far else self.size.fill_seconds // 2
        return self.ask("fill", mode, limit, mode=mode, count=self.size.large, marks=[self.size.small, self.size.large])

    def filled(self):
        """The store with the most memories, and how many they are."""
        reached = {mode: self.figures[f"fill_{mode}"].get("reached", 0) for mode in ("batch", "one")}
        mode = max(reached, key=reached.get)
        return mode, reached[mode]

    def first_answer(self):
        mode, count = self.filled()
        if count == 0:
            return {"no": "nothing could be stored"}
        times = []
        for _ in range(self.size.starts):
            run = self.begin("first", mode, stored=count)
            try:
                told = outcome(run.rest(time.monotonic() + GRACE_SECONDS)[-1])
            finally:
                run.end()
            if "no" in told:
                return told
            times.append(told["answered"] - (run.started if told["in_process"] else told["begun"]))
        return {"seconds": statistics.median(times), "times": times, "stored": count}

    def recall(self):
        mode, count = self.filled()
        if count == 0:
            return {"no": "nothing could be stored"}
        told = self.ask("recall", mode, self.size.recall_seconds, stored=count, questions=self.size.questions)
        return {**told, "stored": count}

    def quality(self):
        """Conversation by conversation, until the time is up: what was done by then counts, and is said."""
        if self.data is None:
            return {"no": "no conversations were given"}
        size = self.size
        plan = {"data": str(self.data), "conversations_max": size.conversations, "seconds_max": size.quality_seconds}
        run = self.begin("quality", "quality", **plan)
        deadline = time.monotonic() + size.quality_seconds + 2 * GRACE_SECONDS
        told = []
        try:
            told = run.until(deadline)
        finally:
            run.end()
        done = [line for line in told if "conversation" in line]
        if not done:
            return outcome(told[-1]) if told else {"no": f"no conversation was done after {size.quality_seconds} s"}
        wanted = next((line["conversations"] for line in told if "conversations" in line), None)
        return {"done": done, "wanted": wanted or size.conversations}

    def kill(self):
        """Killed in the middle of writing, opened again: what was acknowledged must be there."""
        lost, kept = 0, 0
        for number, after in enumerate(self.size.kills):
            store = f"kill-{number}"
            acknowledged = self.killed(store, after)
            if "no" in acknowledged:
                return acknowledged
            told = self.ask("stored", store, GRACE_SECONDS, ranges=[[0, after + 1000]])
            if "no" in told:
                return {"no": f"after kill -9 it could not be read again: {told['no']}"}
            kept += len(acknowledged["kept"])
            lost += len(set(acknowledged["kept"]) - set(told["present"]))
        return {"acknowledged": kept, "lost": lost, "rounds": len(self.size.kills)}

    def killed(self, store, after):
        """Writes until so many are acknowledged, then kill -9 to the whole group."""
        run = self.begin("write", store, first=0, count=after + 1000)
        deadline = time.monotonic() + self.size.fill_seconds + GRACE_SECONDS
        kept = []
        try:
            while len(kept) < after:
                told = run.read(deadline)
                if told is None or "failed" in told or "cannot" in told:
                    return outcome(told or {"failed": "it ended before it was killed"})
                if "ready" in told:
                    run.say("go")
                kept += [told["kept"]] if "kept" in told else []
        finally:
            run.kill()
        # What it had said before it was killed was acknowledged as well.
        kept += [told["kept"] for told in run.rest(deadline) if "kept" in told]
        run.end()
        return {"kept": kept}

    def writers(self):
        """Two processes write into the same store at once."""
        count = self.size.writes
        # The store exists before: who makes it first is another question.
        made = self.ask("stored", "writers", GRACE_SECONDS, ranges=[])
        if "no" in made:
            return made
        runs = [self.begin("write", "writers", first=at * count, count=count) for at in (0, 1)]
        try:
            told = self.together(runs)
        finally:
            for run in runs:
                run.end()
        ranges = [[at * count, count] for at in (0, 1)]
        after = self.ask("stored", "writers", GRACE_SECONDS, ranges=ranges)
        if "no" in after:
            return {"no": f"afterwards it could not be read: {after['no']}"}
        acknowledged = {line["kept"] for lines in told for line in lines if "kept" in line}
        why = [line.get("failed") or line.get("last") for lines in told for line in lines]
        return {
            "wanted": 2 * count,
            "acknowledged": len(acknowledged),
            "present": len(after["present"]),
            "lost": len(acknowledged - set(after["present"])),
            "failures": sum(line.get("failures", 0) for lines in told for line in lines),
            "why": [reason for reason in why if reason],
        }

    def together(self, runs):
        """Both are ready before either begins; one that cannot even open the store has told so."""
        deadline = time.monotonic() + self.size.fill_seconds + GRACE_SECONDS
        told = [[run.read(deadline)] for run in runs]
        for run in runs:
            run.say("go")
        rest = [run.rest(deadline) if lines[0] else [] for run, lines in zip(runs, told)]
        return [[line for line in lines + more if line] for lines, more in zip(told, rest)]

    def flushes(self):
        return self.ask("syncs", "syncs", GRACE_SECONDS, count=20)


def outcome(told):
    """What a worker told, with one word for all that did not work."""
    if "cannot" in told:
        return {"no": told["cannot"]}
    if "failed" in told:
        return {"no": f"it failed: {told['failed']}"}
    return told


def brief(told):
    return json.dumps({name: value for name, value in told.items() if name not in ("times", "marks", "done")})[:200]
