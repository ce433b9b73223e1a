"""Perihelion: `peri serve` with its own Python client."""

import json
import os
import signal
import subprocess
import sys

from adapters.base import Adapter, Ids
from workload import moment

NAMESPACE = "bench"
STOP_SECONDS = 60


def environment(place):
    """Nothing of the user's is read or written, and no setting leaks in."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
    return {**kept, "HOME": place.store, "NO_COLOR": "1"}


def fields(memory):
    """A memory as it is told to Perihelion: a turn has fields for who, when and where."""
    turn = memory.get("turn")
    if turn is None:
        return {"content": memory["text"]}
    at = moment(turn["time"])
    told = {"content": turn["text"], "session": turn["session"], "speaker": turn["speaker"]}
    return {**told, **({"occurred_at": at} if at else {})}


class Peer(Adapter):
    interface = "HTTP server with the Python client"
    embedding = "its bundled static table, 256 dimensions"
    in_process = False

    def __init__(self, place):
        super().__init__(place)
        # Loading the client is not part of starting the server.
        sys.path.insert(0, str(place.root / "clients" / "python" / "src"))
        from perihelion_client import Client

        self.connect = Client

    def start(self):
        os.makedirs(self.place.store, exist_ok=True)
        command = [self.place.peri, "serve", "--home", self.place.store, "--listen", "127.0.0.1:0", "--json"]
        with open(self.place.log, "ab") as log:
            self.process = subprocess.Popen(
                command, env=environment(self.place), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )
        greeting = self.process.stdout.readline()
        if not greeting:
            raise RuntimeError("the server did not start; its log is beside the store")
        self.client = self.connect(json.loads(greeting)["url"])
        self.ids = Ids()

    def remember(self, memory):
        receipt = self.client.remember(namespace=NAMESPACE, **fields(memory))
        self.ids.note(receipt["id"], memory["id"])

    def remember_batch(self, memories):
        told = [{"namespace": NAMESPACE, **fields(memory)} for memory in memories]
        for receipt, memory in zip(self.client.remember_all(told), memories):
            self.ids.note(receipt["id"], memory["id"])

    def recall(self, question, limit):
        answer = self.client.recall(question, limit=limit, scopes=[NAMESPACE])
        return [self.ids.look(hit["memory"]["id"]) for hit in answer["hits"]]

    def stored(self):
        return {memory["content"] for memory in self.client.list(scope=NAMESPACE)}

    def close(self):
        self.client.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(STOP_SECONDS)
        self.process.stdout.close()

    def pids(self):
        return [self.process.pid]
