"""What a process holds, looked up every few seconds."""

import os
import pathlib
import threading
import time


def status(pid):
    """Memory in bytes, handles and threads of a process."""
    fields = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()
    return {
        "resident": int(fields["VmRSS"][0]) * 1024,
        # Without pages of files, which the system takes back when it needs them.
        "own": int(fields["RssAnon"][0]) * 1024,
        "threads": int(fields["Threads"][0]),
        "handles": len(os.listdir(f"/proc/{pid}/fd")),
    }


def folder_bytes(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                # It went away between the listing and the look.
                pass
    return total


class Watch:
    """A sample every `seconds`, from the moment it is started until it is stopped."""

    def __init__(self, pid, folder, seconds):
        self.pid, self.folder, self.seconds = pid, folder, seconds
        self.samples = []
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.stopping.is_set():
            now = {"at": time.monotonic(), **status(self.pid), "disk": folder_bytes(self.folder)}
            self.samples.append({**now, "load": os.getloadavg()[0]})
            self.stopping.wait(self.seconds)

    def stop(self):
        self.stopping.set()
        self.thread.join()
        return self.samples
