"""What a day of agents looks like to a server, made by a few threads until a time is over.

The number of memories stays level: what is remembered beyond the stock is forgotten and purged, oldest first. So
whatever grows nevertheless grows by itself.
"""

import collections
import http.client
import itertools
import json
import random
import threading
import time
import urllib.parse

from workload import memories, questions

NAMESPACE = "soak"
BATCH = 100
LIMIT = 10
# Conversations that have notes at any time.
SESSIONS = 100


class Load:
    """The calls, how long each took, and what failed."""

    def __init__(self, connect, url, stock, seed):
        self.connect, self.url, self.stock, self.seed = connect, url, stock, seed
        self.texts = memories(10_000_000)
        self.numbers = itertools.count()
        self.held = collections.deque()
        self.heard = collections.OrderedDict()
        self.lock = threading.Lock()
        self.taken = []
        self.failures = []
        self.stopping = threading.Event()

    def fill(self):
        """The stock, in batches, before anything is measured."""
        with self.connect(self.url) as client:
            for _ in range(self.stock // BATCH):
                told = [{"namespace": NAMESPACE, "content": text} for text in self.some(BATCH)]
                self.held.extend(receipt["id"] for receipt in client.remember_all(told))

    def some(self, count):
        with self.lock:
            return [memory["text"] for memory in itertools.islice(self.texts, count)]

    def run(self, threads, rate):
        """Starts the threads; each keeps to its share of the calls a second, so that a slow server is not asked less."""
        self.threads = [
            threading.Thread(target=self.work, args=(number, rate / threads), daemon=True) for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)

    def work(self, number, rate):
        chance = random.Random(self.seed * 1_000 + number)
        asked = itertools.cycle(questions(500, self.stock))
        client, calls, due = self.connect(self.url), 0, time.monotonic()
        while not self.stopping.is_set():
            name, call = chance.choices(DEEDS, SHARES)[0]
            self.timed(name, call, Turn(self, client, chance, asked))
            calls += 1
            if calls % 200 == 0:
                # Connections come and go.
                client.close()
                client = self.connect(self.url)
            due = max(due + 1 / rate, time.monotonic() - 1)
            self.stopping.wait(max(0.0, due - time.monotonic()))
        client.close()

    def timed(self, name, call, turn):
        before = time.monotonic()
        try:
            call(turn)
        except Exception as error:  # Whatever it was is told at the end; the load goes on.
            self.failures.append((before, name, f"{type(error).__name__}: {error}"))
            return
        self.taken.append((before, name, time.monotonic() - before))


class Turn:
    """What one call may use."""

    def __init__(self, load, client, chance, asked):
        self.load, self.client, self.chance, self.asked = load, client, chance, asked

    def any_held(self):
        with self.load.lock:
            return self.load.held[self.chance.randrange(len(self.load.held) // 2, len(self.load.held))]

    def session(self):
        return f"session-{next(self.load.numbers) // 40}"


def recall(turn):
    answer = turn.client.recall(next(turn.asked), limit=LIMIT, scopes=[NAMESPACE])
    if not answer["hits"]:
        raise RuntimeError("a question about a stored memory found nothing")


def remember(turn):
    (text,) = turn.load.some(1)
    receipt = turn.client.remember(namespace=NAMESPACE, content=text, session=turn.session())
    with turn.load.lock:
        turn.load.held.append(receipt["id"])


def replace(turn):
    """What keeps the stock level."""
    with turn.load.lock:
        surplus = len(turn.load.held) - turn.load.stock
        oldest = [turn.load.held.popleft() for _ in range(max(0, min(surplus, 20)))]
    for memory in oldest:
        turn.client.forget(memory)
        turn.client.purge(memory)


def revise(turn):
    turn.client.revise(turn.any_held(), content=turn.load.some(1)[0])


def feedback(turn):
    question = next(turn.asked)
    hits = turn.client.recall(question, limit=LIMIT, scopes=[NAMESPACE])["hits"]
    ids = [hit["memory"]["id"] for hit in hits]
    turn.client.feedback(question, namespace=NAMESPACE, used=ids[:1], unused=ids[1:])


def work(turn):
    key = f"key-{turn.chance.randrange(50)}"
    turn.client.set_work(key, {"현재 작업": turn.chance.random()}, namespace=NAMESPACE, session="desk")
    turn.client.get_work(key, namespace=NAMESPACE, session="desk")


def talk(turn):
    session = turn.session()
    said = [{"role": "user", "text": text} for text in turn.load.some(2)]
    turn.client.hear(session, said, namespace=NAMESPACE)
    turn.client.context(namespace=NAMESPACE, session=session)
    with turn.load.lock:
        turn.load.heard[session] = True
        old = [turn.load.heard.popitem(last=False)[0]] if len(turn.load.heard) > SESSIONS else []
    for session in old:
        turn.client.forget_notes(session, namespace=NAMESPACE)
        forget_what_came_of(turn.client, session)


def forget_what_came_of(client, session):
    """Memories that were made of notes outlive those; here they go too, so that their number stays level."""
    for entry in list(client.journal(scope=NAMESPACE, session=session)):
        for memory in list(client.list(scope=NAMESPACE, entry=entry["id"])):
            client.forget(memory["id"])
            client.purge(memory["id"])


def learn(turn):
    turn.client.record_trajectory(turn.load.some(1)[0], "success", namespace=NAMESPACE)


def look(turn):
    """What the dashboard asks for."""
    turn.client.orbit(namespace=NAMESPACE)
    turn.client.graph(namespace=NAMESPACE)
    turn.client.health()


def export(turn):
    for _ in turn.client.export(scope=NAMESPACE):
        pass


def follow(turn):
    """A reader of events who leaves in the middle."""
    for _ in itertools.islice(turn.client.events(), 1):
        pass


def mcp(turn):
    """A model's session over MCP, begun and broken off."""
    place = urllib.parse.urlsplit(turn.load.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, headers)
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"MCP answered {answer.status}")
    connection.close()


# What is called, and how often of a thousand calls.
TABLE = [
    ("recall", recall, 560),
    ("remember", remember, 200),
    ("replace", replace, 40),
    ("revise", revise, 60),
    ("feedback", feedback, 30),
    ("work", work, 40),
    ("talk", talk, 30),
    ("learn", learn, 10),
    ("look", look, 5),
    ("export", export, 1),
    ("follow", follow, 12),
    ("mcp", mcp, 12),
]
DEEDS = [(name, call) for name, call, _ in TABLE]
SHARES = [share for _, _, share in TABLE]
