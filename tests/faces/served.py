"""A freshly started `peri serve`: on a free port, in a folder of its own, gone afterwards.

    served.py [--key] PERI COMMAND [ARGUMENT…]

runs the command with `{url}` in its arguments replaced by the server's address, and ends as it ends. With --key the
server holds memories.jsonl and keeps its journal for good, asks for keys and does not mind how often; `{key}` is
replaced by one that may do everything.
"""

import contextlib
import json
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import tempfile
import time

START_SECONDS = 60
STOP_SECONDS = 30


class Failure(Exception):
    """Something that should hold does not."""


def check(condition, message):
    if not condition:
        raise Failure(message)


def environment(folder):
    """Nothing of the user's is read or written, and no setting leaks in."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    return kept | {"HOME": str(folder), "NO_COLOR": "1"}


def first_line(process):
    """The first line on standard output. The server prints nothing before it can be reached."""
    deadline = time.monotonic() + START_SECONDS
    line = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            check(left > 0 and selector.select(left), f"the server said nothing within {START_SECONDS} s")
            chunk = os.read(process.stdout.fileno(), 1)
            check(chunk, f"the server ended before it could be reached; it said {line!r}")
            line += chunk
    return line.decode()


def stop(process):
    """Asks the process to end, and says how it did; one that does not listen is killed."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise Failure(f"the server was still there {STOP_SECONDS} s after it had been asked to end") from None


def furnish(peri, folder):
    """Puts a few memories there, and a key that may do everything; nobody is let in without one from then on."""
    home = folder / "memories"
    home.mkdir()
    (home / "perihelion.toml").write_text("[server]\nrequests_per_minute = 0\n[journal]\nretention_days = 0\n")

    def run(*arguments):
        command = [peri, *arguments, "--home", str(home), "--quiet"]
        ended = subprocess.run(
            command, stdout=subprocess.PIPE, timeout=START_SECONDS, env=environment(folder), check=False
        )
        check(ended.returncode == 0, f"peri {arguments[0]} ended with {ended.returncode}")
        return ended.stdout.decode().strip()

    run("import", str(pathlib.Path(__file__).with_name("memories.jsonl")))
    return run("key", "create", "faces", "--role", "admin")


@contextlib.contextmanager
def served(peri, prepare=None):
    """The address of a server that runs for as long as the block does, and what preparing its folder gave."""
    with tempfile.TemporaryDirectory(prefix="peri-faces-") as name:
        folder = pathlib.Path(name)
        prepared = prepare(peri, folder) if prepare else None
        command = [peri, "serve", "--home", str(folder / "memories"), "--listen", "127.0.0.1:0", "--json"]
        with open(folder / "stderr", "w+b") as stderr:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, env=environment(folder)
            )
            try:
                greeting = first_line(process)
                try:
                    url = json.loads(greeting)["url"]
                except (ValueError, KeyError, TypeError):
                    raise Failure(f"the server's first line is no JSON with a url: {greeting!r}") from None
                yield url, prepared
                code = stop(process)
                check(code == 0, f"the server ended with {code} when it was asked to end")
            except BaseException:
                with contextlib.suppress(Failure):
                    stop(process)
                stderr.seek(0)
                sys.stderr.write(stderr.read().decode(errors="replace")[-4000:])
                raise
            finally:
                process.stdout.close()


def end_in_order(*_):
    """Whoever ends this also ends the server, and leaves no folder behind."""
    sys.exit("ended from outside")


def main():
    arguments = sys.argv[1:]
    keyed = arguments[:1] == ["--key"]
    if len(arguments) < 2 + keyed:
        sys.exit(__doc__)
    peri, *command = arguments[keyed:]
    signal.signal(signal.SIGTERM, end_in_order)
    try:
        with served(peri, furnish if keyed else None) as (url, key):
            filled = [argument.replace("{url}", url).replace("{key}", key or "") for argument in command]
            ended = subprocess.run(filled, check=False)
    except Failure as failure:
        sys.exit(f"served.py: {failure}")
    sys.exit(ended.returncode)


if __name__ == "__main__":
    main()
