"""Counts the calls by which processes tell the disk to flush, with strace where it is installed."""

import re
import shutil
import signal
import subprocess

from adapters.base import CannotDo

CALLS = "fsync,fdatasync,sync_file_range,msync,sync,syncfs"
FLUSH = re.compile(r"\b(?:fsync|fdatasync|sync_file_range|msync|sync|syncfs)\(")


class Watch:
    """From when it is made until its end."""

    def __init__(self, pids, output):
        if shutil.which("strace") is None:
            raise CannotDo("strace is not installed")
        self.output = output
        attached = [part for pid in pids for part in ("-p", str(pid))]
        command = ["strace", "-f", "-e", f"trace={CALLS}", "-o", output, *attached]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        # It says so once for each process, before anything is missed.
        for _ in pids:
            line = self.process.stderr.readline()
            if "attached" not in line:
                raise CannotDo(f"strace could not look: {line.strip()}")

    def end(self):
        """How many flushes there were."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()
        with open(self.output, errors="replace") as calls:
            # A call that another thread interrupts is printed twice; the second time without its name and bracket.
            return sum(bool(FLUSH.search(line)) for line in calls)
