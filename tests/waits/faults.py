"""The faults: each is a folder that was used before, and a way to let something hang and to mend it."""

import contextlib
import os
import pathlib
import select
import socket
import sqlite3
import subprocess
import threading

SCRATCH = pathlib.Path(os.environ["WAITS_SCRATCH"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
DAY = 24 * 3600


class Fault:
    """Something that is well while a folder is prepared, and hangs from `begin` on."""

    def __init__(self, folder):
        self.folder = folder
        self.settings = ""
        self.environment = {}

    def begin(self):
        pass

    def end(self):
        pass


class Locked(Fault):
    """Another process holds the lock of those who write."""

    def begin(self):
        self.other = sqlite3.connect(self.folder / "perihelion.db", isolation_level=None)
        self.other.execute("BEGIN IMMEDIATE")

    def end(self):
        self.other.close()


class Relay:
    """Passes bytes on to a server, until it is told to hang: then it takes connections and says nothing."""

    def __init__(self, target):
        self.target, self.hangs, self.held = target, False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        with contextlib.suppress(OSError):
            while True:
                client = self.listener.accept()[0]
                self.held.append(client)
                if self.target and not self.hangs:
                    threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        with contextlib.suppress(OSError):
            server = socket.create_connection(self.target)
            self.held.append(server)
            other = {client: server, server: client}
            while not self.hangs:
                for end in select.select(list(other), [], [], 0.05)[0]:
                    received = end.recv(65536)
                    if not received:
                        client.close()
                        server.close()
                        return
                    if self.hangs:
                        return
                    other[end].sendall(received)

    def close(self):
        for end in [self.listener, *self.held]:
            end.close()


class HungDatabase(Fault):
    """The database's server takes connections and does not answer."""

    servers = None

    def __init__(self, folder):
        super().__init__(folder)
        account, _, rest = self.address().partition("@")
        place, _, database = rest.partition("/")
        host, _, port = place.partition(":")
        self.relay = Relay((host, int(port)))
        self.settings = f'[store]\nurl = "{account}@127.0.0.1:{self.relay.port}/{database}"\n'

    @classmethod
    def address(cls):
        """An empty PostgreSQL: one that WAITS_POSTGRES names, or a private one."""
        if "WAITS_POSTGRES" in os.environ:
            return os.environ["WAITS_POSTGRES"]
        if cls.servers is None:
            command = ["cargo", "run", "-q", "-p", "peri-servers", "--example", "private_servers"]
            cls.servers = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            cls.private = cls.servers.stdout.readline().strip()
        return cls.private

    def begin(self):
        self.relay.hangs = True

    def end(self):
        self.relay.close()


class HungEmbedding(Fault):
    """The server that embeds takes connections and does not answer."""

    def __init__(self, folder):
        super().__init__(folder)
        self.relay = Relay(None)
        self.settings = (
            f'[embedding]\nengine = "openai"\nurl = "http://127.0.0.1:{self.relay.port}/v1"\n'
            'model = "hung"\nplain_http = true\ndimensions = 8\n'
        )

    def end(self):
        self.relay.close()


class FullDisk(Fault):
    """Nothing in the folder can grow."""

    def __init__(self, folder):
        super().__init__(folder)
        self.switch = SCRATCH / (folder.name + ".full")
        self.environment = {
            "LD_PRELOAD": str(SCRATCH / "faults.so"),
            "WAITS_FULL": str(self.switch),
            "WAITS_FOLDER": str(folder),
        }

    def begin(self):
        self.switch.touch()


class Shifted(Fault):
    """The process has another time than whoever wrote before."""

    seconds = 0

    def begin(self):
        self.environment = {"LD_PRELOAD": str(SCRATCH / "faults.so"), "WAITS_SECONDS": str(self.seconds)}


class Ahead(Shifted):
    seconds = 400 * DAY


class Behind(Shifted):
    seconds = -91 * DAY


FAULTS = {
    "locked": ("store locked", Locked),
    "database": ("hung database", HungDatabase),
    "embedding": ("hung embedding", HungEmbedding),
    "full": ("full disk", FullDisk),
    "ahead": ("400 days ahead", Ahead),
    "behind": ("91 days behind", Behind),
}
