"""A program that is talked to line by line over its standard input and output, and MCP on top of that."""

import json
import os
import signal
import subprocess

STOP_SECONDS = 20


class Lines:
    """A child that answers each line with a line."""

    def __init__(self, command, environment, log):
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        self.log = log

    def send(self, told):
        self.process.stdin.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                with open(self.log, errors="replace") as log:
                    raise RuntimeError(f"it ended without an answer: {log.read()[-800:]}")
            # Some print notes to the same place.
            if line.lstrip().startswith(b"{"):
                return json.loads(line)

    def pids(self):
        """The child and whatever it started."""
        found, at = [self.process.pid], 0
        while at < len(found):
            found += children(found[at])
            at += 1
        return found

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()


def children(pid):
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as listed:
            found += [int(child) for child in listed.read().split()]
    return found


class Refused(Exception):
    """The tool answered with an error."""


class Mcp(Lines):
    """A client of an MCP server over standard input and output."""

    def __init__(self, command, environment, log):
        super().__init__(command, environment, log)
        self.count = 0
        client = {"name": "peers", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method, parameters):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters})
        while True:
            answer = self.read()
            if answer.get("id") == self.count and "method" not in answer:
                break
            self.decline(answer)
        if "error" in answer:
            raise Refused(str(answer["error"])[:500])
        return answer["result"]

    def decline(self, asked):
        """A server may ask its client for something, such as its roots; this one has nothing."""
        if "id" in asked and "method" in asked:
            error = {"code": -32601, "message": "not offered"}
            self.send({"jsonrpc": "2.0", "id": asked["id"], "error": error})

    def call(self, tool, **arguments):
        """What the tool answers: its structure where it has one, or else its text."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        if result.get("isError"):
            raise Refused(text[:500])
        return result.get("structuredContent") or text
