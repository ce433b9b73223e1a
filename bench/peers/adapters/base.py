"""What every peer is asked to do. One adapter a peer, so that every row of the report is the same work."""

import os
import pathlib


class CannotDo(Exception):
    """The peer has no way to do this; the words say why, for the report."""


class Adapter:
    """A peer behind its public interface. An adapter runs in a process of its own, inside the peer's environment."""

    # How it is talked to, and what makes its vectors; both go into the report.
    interface = ""
    embedding = ""
    # A peer that lives in this very process is started by starting Python.
    in_process = True
    # The seconds of the last call as its own process measured them; nothing where it is measured here.
    took = None
    # How many memories a call holds when they come in batches.
    batch_size = 100

    def __init__(self, place):
        # `place.store` is the folder of its data; the rest tells where things are on this machine.
        self.place = place

    def start(self):
        """Opens the store, or makes it. When this returns, the peer can be asked."""
        raise NotImplementedError

    def remember(self, memory):
        """Keeps one memory (`id`, `text`, for turns also `turn`). Returns when the peer says that it is kept."""
        raise NotImplementedError

    def remember_batch(self, memories):
        """Keeps several in one call."""
        raise CannotDo("no call takes several memories")

    def recall(self, question, limit):
        """What the peer finds, best first: for each result the set of our ids behind it."""
        raise NotImplementedError

    def stored(self):
        """The texts of everything that is stored."""
        raise NotImplementedError

    def close(self):
        """Ends it in order."""

    def pids(self):
        """The processes whose memory is the peer's."""
        return [os.getpid()]

    def disk(self):
        """Bytes of its data."""
        files = [path for path in pathlib.Path(self.place.store).rglob("*") if path.is_file()]
        return sum(path.stat().st_size for path in files)


class Ids:
    """Which of our ids stand behind one of the peer's. A peer that merges equal texts has several behind one."""

    def __init__(self):
        self.ours = {}

    def note(self, theirs, ours):
        self.ours.setdefault(theirs, set()).add(ours)

    def look(self, theirs):
        # Empty where the peer answers with something that was stored by another process.
        return self.ours.get(theirs, set())
