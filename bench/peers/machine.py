"""What the figures were taken on, without names of machines or people."""

import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import time


def describe(folder):
    """The parts that matter to the figures."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "node": node(),
        "flush_us": flush_micros(folder),
        "load": os.getloadavg()[0],
    }


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def node():
    if shutil.which("node") is None:
        return ""
    return subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip().lstrip("v")


def flush_micros(folder):
    """How long the disk takes to flush a page, in the middle of a hundred tries."""
    path = pathlib.Path(folder) / "flush"
    times = []
    with path.open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(b"\0" * 4096)
            before = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - before)
    path.unlink()
    return statistics.median(times) * 1e6
