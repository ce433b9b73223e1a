"""Who is measured, with what, and beside which face of Perihelion."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = ROOT / "target" / "peers"
# The locked packages of each environment.
LOCKS = HERE / "environments"


@dataclasses.dataclass(frozen=True)
class Peer:
    """One row of the report."""

    name: str
    # What its package is called where it comes from; nothing for our own rows.
    package: str = ""
    # Which interpreter its environment needs: "python", "python3.12" or "node".
    needs: str = ""
    # Whose figures it is compared with: our row that is talked to in the same way.
    beside: str = "perihelion-library"
    # Where below its home it expects all-MiniLM-L6-v2, if it does.
    models: str = ""
    # Packages of Node whose native part is built here; scripts of all others are left alone.
    rebuild: tuple = ()

    @property
    def adapter(self):
        return self.name.replace("-", "_")

    @property
    def environment(self):
        return PLACE / self.name


OURS = [
    Peer("perihelion-library"),
    Peer("perihelion-http", beside="perihelion-http"),
    Peer("perihelion-mcp", beside="perihelion-mcp"),
]
OTHERS = [
    Peer("mcp-memory-service", "mcp-memory-service", "python", "perihelion-mcp", ".cache/mcp_memory/onnx_models"),
    Peer("mem0", "mem0ai", "python", models=".cache/minilm"),
    Peer("chromadb", "chromadb", "python", models=".cache/chroma/onnx_models"),
    Peer("basic-memory", "basic-memory", "python3.12", "perihelion-mcp"),
    Peer("stellar-memory", "stellar-memory", "python"),
    Peer("stellar-memory-vectors", "stellar-memory", "python", models=".cache/minilm"),
    Peer("server-memory", "@modelcontextprotocol/server-memory", "node", "perihelion-mcp"),
    Peer("agentdb", "agentdb", "node", models="transformers", rebuild=("hnswlib-node",)),
]
# Libraries for vectors alone, and what writes the model.
VECTORS = Peer("vectors", "hnswlib", "python")
