"""basic-memory: its MCP server over standard input and output; a note in Markdown for each memory."""

import os
import pathlib

from adapters.base import Adapter, Ids
from adapters.stdio import Mcp, Refused


class Peer(Adapter):
    interface = "MCP server over standard input and output"
    embedding = "none in this version: full-text search, all words of the question must occur"
    in_process = False

    def start(self):
        self.notes = pathlib.Path(self.place.store) / "notes"
        # Its settings and its index live in the home folder, so that every store needs a home of its own.
        settings = {"HOME": self.place.store, "BASIC_MEMORY_HOME": str(self.notes)}
        command = [str(self.place.environment / "venv" / "bin" / "basic-memory"), "mcp"]
        self.server = Mcp(command, {**os.environ, **settings}, self.place.log)
        self.ids = Ids()

    def remember(self, memory):
        told = {"title": memory["id"], "content": memory["text"], "directory": "bench", "project": "main"}
        answer = str(self.server.call("write_note", **told))
        if "# Created note" not in answer and "# Updated note" not in answer:
            raise Refused(answer[:300])
        self.ids.note(memory["id"], memory["id"])

    def recall(self, question, limit):
        answer = self.server.call("search_notes", query=question, project="main", page_size=limit)
        found = answer.get("result", answer) if isinstance(answer, dict) else answer
        if isinstance(found, str):
            # It explains in words that a search failed; for us that is an empty answer.
            return []
        return [self.ids.look(item["title"]) for item in found["results"]]

    def stored(self):
        # The notes are the truth of this peer; what stands before the second line of dashes is about them.
        notes = self.notes.rglob("*.md")
        return {note.read_text(encoding="utf-8").split("---\n", 2)[-1].strip() for note in notes}

    def close(self):
        self.server.close()

    def pids(self):
        return self.server.pids()
