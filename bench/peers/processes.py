"""Starts programs in groups of their own, reads what they print, and ends a group when its time is up."""

import json
import os
import queue
import signal
import subprocess
import threading
import time


class Run:
    """A program that prints JSON objects, one a line."""

    def __init__(self, command, environment, log):
        with open(log, "ab") as errors:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        self.lines = queue.Queue()
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def say(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            # It has ended; what it printed says why.
            pass

    def read(self, deadline):
        """The next object, or nothing at the end; `TimeoutError` when the time is up."""
        try:
            return self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None

    def rest(self, deadline):
        """Everything until the end."""
        found = []
        while True:
            told = self.read(deadline)
            if told is None:
                return found
            found.append(told)

    def until(self, deadline):
        """What comes until the end or until the time is up."""
        found = []
        try:
            while True:
                told = self.read(deadline)
                if told is None:
                    return found
                found.append(told)
        except TimeoutError:
            return found

    def kill(self):
        """Ends the whole group at once: nobody in it can finish anything."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            # The group is gone already.
            pass
        self.process.wait()

    def end(self):
        """Nothing of the group is left running afterwards."""
        self.kill()
        self.process.stdin.close()
