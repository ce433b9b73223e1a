"""AgentDB: its library, driven by `agentdb.mjs` in Node, which answers each line with a line."""

import os
import pathlib

from adapters.base import Adapter, Ids
from adapters.stdio import Lines


class Peer(Adapter):
    interface = "library in a Node process (ReflexionMemory), a line for each call"
    embedding = "its default, all-MiniLM-L6-v2 for transformers.js in 8 bits, 384 dimensions"
    in_process = False

    def start(self):
        script = pathlib.Path(__file__).with_suffix(".mjs")
        package = self.place.environment / "node_modules" / "agentdb" / "dist" / "index.js"
        command = ["node", str(script), str(package), os.path.join(self.place.store, "agent.db")]
        self.bridge = Lines(command, dict(os.environ), self.place.log)
        self.ids = Ids()
        self.ask({"do": "wait"})

    def ask(self, told):
        self.bridge.send(told)
        answer = self.bridge.read()
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def remember(self, memory):
        self.ask({"do": "remember", "text": memory["text"]})
        self.ids.note(memory["text"], memory["id"])

    def remember_batch(self, memories):
        self.ask({"do": "batch", "texts": [memory["text"] for memory in memories]})
        for memory in memories:
            self.ids.note(memory["text"], memory["id"])

    def recall(self, question, limit):
        return [self.ids.look(text) for text in self.ask({"do": "recall", "text": question, "limit": limit})["texts"]]

    def stored(self):
        return set(self.ask({"do": "stored"})["texts"])

    def close(self):
        self.ask({"do": "close"})
        self.bridge.close()

    def pids(self):
        return self.bridge.pids()
