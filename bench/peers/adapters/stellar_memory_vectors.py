"""stellar-memory with vectors, as its extra `embedding` gives it: the same model, through ONNX Runtime."""

from adapters import stellar_memory
from adapters.minilm import MiniLm

PROVIDER = "minilm"


class Embedder:
    """What stellar-memory asks of a provider. Like its own, it loads the model when it first needs it."""

    def __init__(self, config):
        self.model = None

    def embed(self, text):
        return self.embed_batch([text])[0]

    def embed_batch(self, texts):
        if self.model is None:
            self.model = MiniLm()
        return self.model.embed(texts).tolist()


class Peer(stellar_memory.Peer):
    embedding = "all-MiniLM-L6-v2 as ONNX, 384 dimensions, the model of its extra `embedding`"

    def settings(self, path):
        from stellar_memory.providers import ProviderRegistry

        ProviderRegistry.register_embedder(PROVIDER, Embedder)
        settings = super().settings(path)
        settings.embedder.provider = PROVIDER
        return settings
