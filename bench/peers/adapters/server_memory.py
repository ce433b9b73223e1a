"""The official memory server of the Model Context Protocol, over standard input and output."""

import json
import os

from adapters.base import Adapter
from adapters.stdio import Mcp


def entity(memory):
    """One memory as an entity with one observation, its id as the name."""
    return {"name": memory["id"], "entityType": "memory", "observations": [memory["text"]]}


class Peer(Adapter):
    interface = "MCP server over standard input and output"
    embedding = "none: a result must contain the whole question as it was written"
    in_process = False

    def start(self):
        script = (
            self.place.environment / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
        )
        settings = {"MEMORY_FILE_PATH": os.path.join(self.place.store, "memory.jsonl")}
        self.server = Mcp(["node", str(script)], {**os.environ, **settings}, self.place.log)

    def remember(self, memory):
        self.server.call("create_entities", entities=[entity(memory)])

    def remember_batch(self, memories):
        self.server.call("create_entities", entities=[entity(memory) for memory in memories])

    def recall(self, question, limit):
        return [{found["name"]} for found in entities(self.server.call("search_nodes", query=question))[:limit]]

    def stored(self):
        return {text for found in entities(self.server.call("read_graph")) for text in found["observations"]}

    def close(self):
        self.server.close()

    def pids(self):
        return self.server.pids()


def entities(answer):
    return (json.loads(answer) if isinstance(answer, str) else answer)["entities"]
