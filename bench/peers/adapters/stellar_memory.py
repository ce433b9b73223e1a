"""stellar-memory: its class in this process, as installed without extras."""

import json
import os

from adapters.base import Adapter, Ids


class Peer(Adapter):
    interface = "library in the same process (StellarMemory)"
    embedding = "none: without sentence-transformers it searches by words"

    def start(self):
        from stellar_memory import StellarMemory

        self.memory = StellarMemory(self.settings(os.path.join(self.place.store, "stellar.db")))
        self.ids = Ids()

    def settings(self, path):
        from stellar_memory import StellarConfig

        return StellarConfig(db_path=path)

    def remember(self, memory):
        # Without a language model each summary would fail after a try; that try is spared.
        item = self.memory.store(memory["text"], skip_summarize=True)
        self.ids.note(item.id, memory["id"])

    def recall(self, question, limit):
        return [self.ids.look(item.id) for item in self.memory.recall(question, limit=limit)]

    def stored(self):
        told = json.loads(self.memory.export_json(include_embeddings=False))
        return {item["content"] for item in told["items"]}

    def close(self):
        self.memory.stop()
