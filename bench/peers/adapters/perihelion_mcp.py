"""Perihelion: `peri mcp`, started by whoever talks to it, over standard input and output."""

import os

from adapters.base import Adapter, Ids
from adapters.perihelion_http import NAMESPACE, environment, fields
from adapters.stdio import Mcp


def named(memory):
    """The tool's names for the same fields."""
    told = fields(memory)
    if "occurred_at" in told:
        told["at"] = told.pop("occurred_at")
    return told


class Peer(Adapter):
    interface = "MCP server over standard input and output"
    embedding = "its bundled static table, 256 dimensions"
    in_process = False

    def start(self):
        os.makedirs(self.place.store, exist_ok=True)
        command = [self.place.peri, "mcp", "--home", self.place.store]
        self.server = Mcp(command, environment(self.place), self.place.log)
        self.ids = Ids()

    def remember(self, memory):
        receipt = self.server.call("memory_store", namespace=NAMESPACE, **named(memory))
        self.ids.note(receipt["id"], memory["id"])

    def remember_batch(self, memories):
        told = [named(memory) for memory in memories]
        answer = self.server.call("memory_import", namespace=NAMESPACE, memories=told)
        for theirs, memory in zip(answer["ids"], memories):
            self.ids.note(theirs, memory["id"])

    def recall(self, question, limit):
        answer = self.server.call("memory_recall", namespace=NAMESPACE, query=question, limit=limit)
        return [self.ids.look(memory["id"]) for memory in answer["memories"]]

    def stored(self):
        found, cursor = set(), {}
        while True:
            page = self.server.call("memory_export", namespace=NAMESPACE, limit=200, **cursor)
            found |= {memory["content"] for memory in page["memories"]}
            if not page.get("next_cursor"):
                return found
            cursor = {"cursor": page["next_cursor"]}

    def close(self):
        self.server.close()

    def pids(self):
        return self.server.pids()
