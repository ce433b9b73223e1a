"""mcp-memory-service: its MCP server over standard input and output, on sqlite-vec."""

import hashlib
import json
import os
import re

from adapters.base import Adapter, Ids
from adapters.stdio import Mcp, Refused

PAGE = 100
HASH = re.compile("[0-9a-f]{64}")
FOUND = re.compile("^   Hash: ([0-9a-f]{64})$", re.MULTILINE)


class Peer(Adapter):
    interface = "MCP server over standard input and output"
    embedding = "its default, all-MiniLM-L6-v2 as ONNX, 384 dimensions"
    in_process = False

    def start(self):
        settings = {
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_MEMORY_SQLITE_PATH": os.path.join(self.place.store, "memory.db"),
            "MCP_MEMORY_BACKUPS_PATH": os.path.join(self.place.store, "backups"),
        }
        command = [str(self.place.environment / "venv" / "bin" / "memory"), "server"]
        self.server = Mcp(command, {**os.environ, **settings}, self.place.log)
        self.ids = Ids()

    def remember(self, memory):
        # With a conversation it keeps what is worded alike; without, it refuses much of it as a duplicate.
        try:
            answer = self.server.call("memory_store", content=memory["text"], conversation_id="bench")
        except Refused as refusal:
            if "exact match" not in str(refusal):
                raise
            # Word for word the same is there already, under the digest of its text.
            answer = hashlib.sha256(memory["text"].strip().lower().encode()).hexdigest()
        self.ids.note(HASH.search(answer).group(), memory["id"])

    def recall(self, question, limit):
        answer = self.server.call("memory_search", query=question, limit=limit)
        return [self.ids.look(found) for found in FOUND.findall(answer)]

    def stored(self):
        found, page = set(), 1
        while True:
            listed = json.loads(self.server.call("memory_list", page=page, page_size=PAGE))["memories"]
            found |= {memory["content"] for memory in listed}
            if len(listed) < PAGE:
                return found
            page += 1

    def close(self):
        self.server.close()

    def pids(self):
        return self.server.pids()
