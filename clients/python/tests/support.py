"""A real server for the tests: on a free port, in a folder of its own, gone afterwards."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from perihelion_client import Client, Retries

CLIENTS = pathlib.Path(__file__).resolve().parents[2]
PERI = os.environ.get("PERI") or str(CLIENTS.parent / "target" / "debug" / "peri")
# So soon that no test waits, and so often that a server may start in between.
EAGER = Retries(count=4, first_wait=0.0, wait_max=0.0)
PATIENT = Retries(count=50, first_wait=0.01, wait_max=0.2)
STOP_SECONDS = 60


class Server:
    """`peri serve` on one folder, which may be stopped and started again at the same address."""

    def __init__(self, settings=""):
        self.folder = tempfile.TemporaryDirectory(prefix="peri-client-")
        self.home = pathlib.Path(self.folder.name) / "memories"
        self.home.mkdir()
        (self.home / "perihelion.toml").write_text(settings)
        self.log = pathlib.Path(self.folder.name) / "log"
        self.listen = "127.0.0.1:0"
        self.admin = self.peri("key", "create", "tests", "--role", "admin", "--quiet").strip()
        self.start()

    def environment(self):
        """Nothing of the user's is read or written, and no setting leaks in."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
        return {**kept, "HOME": self.folder.name, "NO_COLOR": "1"}

    def peri(self, *arguments):
        command = [PERI, *arguments, "--home", str(self.home)]
        return subprocess.run(command, env=self.environment(), check=True, stdout=subprocess.PIPE).stdout.decode()

    def start(self):
        command = [PERI, "serve", "--home", str(self.home), "--listen", self.listen, "--json"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )
        # The server prints nothing before it can be reached.
        greeting = self.process.stdout.readline()
        if not greeting:
            raise AssertionError(f"the server did not start: {self.log.read_text()[-4000:]}")
        self.url = json.loads(greeting)["url"]
        self.listen = urlsplit(self.url).netloc

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_SECONDS)
        self.process.stdout.close()
        if code != 0:
            raise AssertionError(f"the server ended with {code}: {self.log.read_text()[-4000:]}")

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()


class ServedTestCase(unittest.TestCase):
    """Tests that share one server; each works in a namespace of its own."""

    settings = ""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(cls.settings)
        cls.addClassCleanup(cls.server.end)

    def setUp(self):
        self.namespace = f"tests/{self._testMethodName}"
        self.client = self.connect(namespace=self.namespace)

    def connect(self, **options):
        client = Client(self.server.url, **{"key": self.server.admin, **options})
        self.addCleanup(client.close)
        return client

    def restricted(self, role, scope):
        """A client with a key that opens less."""
        return self.connect(key=self.connect().create_key(role, role, scope=scope)["secret"])


class Quiet(BaseHTTPRequestHandler):
    """One answer a request, over connections that are kept, and nothing printed."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def reply(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer()

    do_POST = do_PATCH = do_DELETE = do_GET


class Stub:
    """A server that answers as a test says, one answer after the other; the last one again and again."""

    def __init__(self, case, *answers):
        self.requests = []
        self.answers = list(answers)
        stub = self

        class Handler(Quiet):
            def answer(self):
                stub.requests.append((self.command, self.path, dict(self.headers), self.body()))
                answer = stub.answers.pop(0) if len(stub.answers) > 1 else stub.answers[0]
                answer(self)

        self.url = serve(case, Handler)

    def keys(self):
        return [headers.get("Idempotency-Key") for _, _, headers, _ in self.requests]


def answers(status, told, **headers):
    """An answer in JSON."""
    return lambda handler: handler.reply(status, headers, json.dumps(told).encode())


def hangs_up(handler):
    """No answer: the connection is closed."""
    handler.close_connection = True


def breaks_off(text):
    """A stream that stops before it has ended."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        piece = text.encode()
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.close_connection = True

    return answer


def forwarder(case, upstream, loses):
    """A way to a server on which the answer to a request is lost when `loses(request)` says so."""

    class Handler(Quiet):
        def answer(self):
            body = self.body()
            connection = HTTPConnection(urlsplit(upstream()).netloc)
            try:
                connection.request(self.command, self.path, body, dict(self.headers))
                response = connection.getresponse()
                told = response.read()
            finally:
                connection.close()
            if loses(self):
                return hangs_up(self)
            return self.reply(response.status, {"Content-Type": "application/json"}, told)

    return serve(case, Handler)


def serve(case, handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()

    def end():
        server.shutdown()
        thread.join()
        server.server_close()

    case.addCleanup(end)
    return f"http://127.0.0.1:{server.server_address[1]}"
