"""mem0: its Memory class in this process with `infer=False`, on its default store, qdrant in a folder."""

import os

from adapters.base import Adapter, Ids
from adapters.minilm import MiniLm

USER = "bench"


class Embedder:
    """What mem0 asks of an embedding model."""

    def __init__(self):
        self.model = MiniLm()

    def embed(self, text, memory_action=None):
        return self.model.embed([text])[0].tolist()

    def embed_batch(self, texts, memory_action=None):
        return self.model.embed(texts).tolist()


class Peer(Adapter):
    interface = "library in the same process (Memory, infer=False)"
    embedding = "all-MiniLM-L6-v2 as ONNX, 384 dimensions, put in by us: its default is a service"

    def start(self):
        # Nothing is sent: the client of the service is made when mem0 starts and then replaced.
        os.environ.setdefault("OPENAI_API_KEY", "none")
        from mem0 import Memory

        qdrant = {"path": os.path.join(self.place.store, "qdrant"), "embedding_model_dims": 384}
        history = os.path.join(self.place.store, "history.db")
        config = {"vector_store": {"provider": "qdrant", "config": qdrant}, "history_db_path": history}
        self.memory = Memory.from_config(config)
        self.memory.embedding_model = Embedder()
        self.ids = Ids()

    def remember(self, memory):
        self.remember_batch([memory])

    def remember_batch(self, memories):
        messages = [{"role": "user", "content": memory["text"]} for memory in memories]
        added = self.memory.add(messages, user_id=USER, infer=False)["results"]
        for item, memory in zip(added, memories):
            self.ids.note(item["id"], memory["id"])

    def recall(self, question, limit):
        answer = self.memory.search(question, top_k=limit, filters={"user_id": USER})
        return [self.ids.look(item["id"]) for item in answer["results"]]

    def stored(self):
        answer = self.memory.get_all(filters={"user_id": USER}, top_k=100_000)
        return {item["memory"] for item in answer["results"]}

    def close(self):
        self.memory.close()
        # Otherwise the folder stays locked for whoever opens it next in this process.
        self.memory.vector_store.client.close()
