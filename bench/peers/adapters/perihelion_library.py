"""Perihelion: the library inside a program, `peri-bench embedded`, which says how long each call took."""

import json
import subprocess

from adapters.base import Adapter, Ids
from adapters.perihelion_http import STOP_SECONDS, environment, fields


class Peer(Adapter):
    interface = "Rust library in a program's own process"
    embedding = "its bundled static table, 256 dimensions"
    in_process = False

    def start(self):
        # It is built beside the program.
        program = str(self.place.peri).removesuffix("peri") + "peri-bench"
        with open(self.place.log, "ab") as log:
            self.process = subprocess.Popen(
                [program, "embedded", "--home", self.place.store],
                env=environment(self.place),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self.ids = Ids()

    def ask(self, asked):
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the program ended; its log is beside the store")
        told = json.loads(line)
        self.took = told["nanos"] / 1e9
        return told

    def remember(self, memory):
        self.ids.note(self.ask({"remember": fields(memory)})["ids"][0], memory["id"])

    def remember_batch(self, memories):
        told = self.ask({"remember_all": [fields(memory) for memory in memories]})
        for theirs, memory in zip(told["ids"], memories):
            self.ids.note(theirs, memory["id"])

    def recall(self, question, limit):
        told = self.ask({"recall": {"query": question, "limit": limit}})
        return [self.ids.look(theirs) for theirs in told.get("ids", [])]

    def stored(self):
        return set(self.ask("stored").get("texts", []))

    def close(self):
        self.process.stdin.close()
        self.process.wait(STOP_SECONDS)
        self.process.stdout.close()

    def pids(self):
        return [self.process.pid]
