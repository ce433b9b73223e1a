"""Chroma: the client that keeps its data in a folder, in this process, with its default model."""

from adapters.base import Adapter


class Peer(Adapter):
    interface = "library in the same process (PersistentClient)"
    embedding = "its default, all-MiniLM-L6-v2 as ONNX, 384 dimensions, but kept loaded"

    def start(self):
        import chromadb
        from chromadb.config import Settings
        from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

        self.client = chromadb.PersistentClient(self.place.store, settings=Settings(anonymized_telemetry=False))
        # The default function loads its model anew for every call; this is the same model, loaded once.
        self.collection = self.client.get_or_create_collection("bench", embedding_function=ONNXMiniLM_L6_V2())

    def remember(self, memory):
        self.collection.add(ids=[memory["id"]], documents=[memory["text"]])

    def remember_batch(self, memories):
        ids, texts = [memory["id"] for memory in memories], [memory["text"] for memory in memories]
        self.collection.add(ids=ids, documents=texts)

    def recall(self, question, limit):
        answer = self.collection.query(query_texts=[question], n_results=limit)
        return [{found} for found in answer["ids"][0]]

    def stored(self):
        return set(self.collection.get(include=["documents"])["documents"])

    def close(self):
        # The interface has no call that ends it; everything is on its way to the disk when a call returns.
        self.collection = self.client = None
