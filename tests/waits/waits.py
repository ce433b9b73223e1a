"""How long each verb waits under each fault. Every verb is asked twice in a row, since the second must not wait anew."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

from faults import FAULTS, SCRATCH

# Whatever takes longer is ended.
LONGEST = 120.0
# The faults of one machine's clock last as long as its processes: what stays is started under them.
FROM_THE_START = ("ahead", "behind")


def environment(folder, fault):
    own = {name: value for name, value in os.environ.items() if not name.startswith("PERI")}
    return own | {"PERI_HOME": str(folder), "HOME": str(SCRATCH / "user")} | fault.environment


def timed(work):
    began = time.monotonic()
    try:
        said = work()
    except (TimeoutError, subprocess.TimeoutExpired, OSError):
        said = "no answer"
    return time.monotonic() - began, said


class Commands:
    """The commands, each a process of its own."""

    def __init__(self, peri, folder, fault, known):
        self.peri, self.folder, self.fault, self.known = peri, folder, fault, known

    def run(self, *arguments, text=None):
        done = subprocess.run(
            [self.peri, *arguments], input=text, text=True, capture_output=True, timeout=LONGEST, cwd=SCRATCH,
            env=environment(self.folder, self.fault),
        )
        return done.returncode

    def close(self):
        pass

    def verbs(self):
        prompt = {
            "hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(SCRATCH),
            "transcript_path": str(SCRATCH / "none.jsonl"), "prompt": "where does the heron nest?",
        }
        return {
            "remember": lambda n: self.run("remember", f"The stork number {n} nests on the roof"),
            "recall": lambda n: self.run("recall", "where does the heron nest?"),
            "journal append": lambda n: self.run("journal", "append", f"entry {n}"),
            "get": lambda n: self.run("get", self.known),
            "list": lambda n: self.run("list"),
            "context": lambda n: self.run("context", "where does the heron nest?"),
            "hook": lambda n: self.run("hook", "claude-code", "UserPromptSubmit", text=json.dumps(prompt)),
        }


class Served:
    """The same over HTTP, from one server that was started while all was well."""

    def __init__(self, peri, folder, fault, known):
        self.known = known
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = open(SCRATCH / "server.log", "ab")
        self.process = subprocess.Popen(
            [peri, "serve", "--listen", f"127.0.0.1:{self.port}"], stdout=self.log, stderr=self.log, cwd=SCRATCH,
            env=environment(folder, fault),
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                if self.ask("GET", "/health/live") == 200:
                    return
            time.sleep(0.05)
        raise SystemExit("the server did not start: " + (SCRATCH / "server.log").read_text()[-2000:])

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        with contextlib.closing(connection):
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def verbs(self):
        question = {"query": "where does the heron nest?"}
        return {
            "POST /v1/memories": lambda n: self.ask("POST", "/v1/memories", {"content": f"The owl {n} nests in the barn"}),
            "POST /v1/recall": lambda n: self.ask("POST", "/v1/recall", question),
            "POST /v1/journal": lambda n: self.ask("POST", "/v1/journal", {"entries": [{"text": f"entry {n}"}]}),
            "GET /v1/memories/{id}": lambda n: self.ask("GET", f"/v1/memories/{self.known}"),
            "GET /v1/memories": lambda n: self.ask("GET", "/v1/memories"),
            "POST /v1/context": lambda n: self.ask("POST", "/v1/context", question | {"session": "s1"}),
        }

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


class Tools:
    """The same as a model calls it, over one MCP session that was begun while all was well."""

    def __init__(self, peri, folder, fault, known):
        self.known, self.number = known, 0
        self.process = subprocess.Popen(
            [peri, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            cwd=SCRATCH, env=environment(folder, fault),
        )
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "waits", "version": "1"}}
        self.ask("initialize", about)
        self.send({"method": "notifications/initialized"})
        self.call("memory_stats", {})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while line := self.process.stdout.readline():
            if json.loads(line).get("id") == self.number:
                return "error" not in line
        raise OSError("the session ended")

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def verbs(self):
        return {
            "memory_store": lambda n: self.call("memory_store", {"content": f"The swift {n} nests under the eaves"}),
            "memory_recall": lambda n: self.call("memory_recall", {"query": "where does the heron nest?"}),
            "journal_append": lambda n: self.call("journal_append", {"text": f"entry {n}"}),
            "memory_get": lambda n: self.call("memory_get", {"id": self.known}),
            "memory_list": lambda n: self.call("memory_list", {}),
            "context_get": lambda n: self.call("context_get", {"query": "where does the heron nest?"}),
        }

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.process.kill()


def prepared(peri, folder, fault):
    """A folder that was used before: one memory, whose id is the answer."""
    folder.mkdir(parents=True)
    (folder / "perihelion.toml").write_text('[mcp]\ntools = "all"\n' + fault.settings)
    own = environment(folder, fault)
    for text in ["The heron nests by the lake", "Mina prefers tea without sugar"]:
        stored = subprocess.run(
            [peri, "--json", "remember", text], env=own, cwd=SCRATCH, capture_output=True, text=True, timeout=LONGEST
        )
    if stored.returncode != 0:
        raise SystemExit(f"the folder cannot be prepared: {stored.stderr}")
    # What was waited for while the folder was prepared is waited for once more.
    (folder / "index" / "hung.json").unlink(missing_ok=True)
    return json.loads(stored.stdout)["receipts"][0]["id"]


def measured(peri, kind, make, interface):
    """The wait for each verb the first time and the second, each verb in a folder and with processes of its own."""
    waits = {}
    for place, name in enumerate(interface.verbs(None)):
        folder = SCRATCH / f"{kind}-{interface.__name__.lower()}-{place}"
        shutil.rmtree(folder, ignore_errors=True)
        fault = make(folder)
        known = prepared(peri, folder, fault)
        if kind in FROM_THE_START:
            fault.begin()
        side = interface(peri, folder, fault, known)
        if kind not in FROM_THE_START:
            fault.begin()
        try:
            ask = side.verbs()[name]
            waits[name] = [timed(lambda: ask(n)) for n in range(2)]
        finally:
            fault.end()
            side.close()
    return waits


def shown(waits):
    """The longest wait, and how the second one went if it was much shorter or longer."""
    if waits is None:
        return ""
    first, second = (seconds for seconds, _ in waits)
    return f"{first:.1f} / {second:.1f}"


def main():
    arguments = sys.argv[1:]
    binaries = {"after": os.environ["PERI"]}
    if arguments[:1] == ["--before"]:
        binaries = {"before": str(pathlib.Path(arguments[1]).resolve())} | binaries
        arguments = arguments[2:]
    (SCRATCH / "user").mkdir(exist_ok=True)
    kinds = arguments or list(FAULTS)
    table = {}
    for kind in kinds:
        title, make = FAULTS[kind]
        for name, peri in binaries.items():
            for interface in (Commands, Served, Tools):
                for verb, waits in measured(peri, kind, make, interface).items():
                    table.setdefault(verb, {})[kind, name] = waits
                    print(f"{title}, {name}: {verb}: {waits}", file=sys.stderr, flush=True)
    titles = [f"{FAULTS[kind][0]}, {name}" if len(binaries) > 1 else FAULTS[kind][0] for kind in kinds for name in binaries]
    print("| verb | " + " | ".join(titles) + " |")
    print("|---" + "|---:" * len(titles) + "|")
    for verb, cells in table.items():
        row = [shown(cells.get((kind, name))) for kind in kinds for name in binaries]
        print(f"| `{verb}` | " + " | ".join(row) + " |")
    from faults import HungDatabase

    if HungDatabase.servers:
        HungDatabase.servers.stdin.close()
        HungDatabase.servers.wait(60)


main()
