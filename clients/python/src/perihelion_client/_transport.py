"""Requests over connections that are kept, and sent again where that is safe."""

import http.client
import json
import random
import ssl
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

from ._operation import Operation, Repeat
from .errors import PeriError, Unreachable, problem, queued

UNDER_WAY = "/problems/under-way"
_PIECE_BYTES = 64 * 1024
# So many connections are kept for later; more are only open while they are used.
_IDLE_MAX = 8


@dataclass(frozen=True)
class Retries:
    """How often and how patiently a request is sent again."""

    # So many times after the first.
    count: int = 4
    # Seconds before the first of them; each further wait is twice as long.
    first_wait: float = 0.25
    # No wait is longer, whatever the server asks for.
    wait_max: float = 30.0

    def wait(self, attempt: int, asked: Optional[float]) -> float:
        """Seconds before the attempt, which counts from 1."""
        if asked is not None:
            return min(asked, self.wait_max)
        # Many clients that lost the same server should not all come back at once.
        usual: float = self.first_wait * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
        return min(usual, self.wait_max)


@dataclass
class Request:
    """What is sent."""

    operation: Operation
    parts: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Dict[str, str] = field(default_factory=dict)
    # An object is sent as JSON, an iterable as a stream of pieces.
    body: Union[Mapping[str, Any], Iterable[bytes], None] = None

    def payload(self) -> Union[bytes, Iterable[bytes], None]:
        """The body as it goes over the wire."""
        if isinstance(self.body, Mapping):
            self.operation.check_body(self.body)
            self.headers["Content-Type"] = "application/json"
            return json.dumps(self.body, ensure_ascii=False, allow_nan=False).encode()
        return self.body


@dataclass(frozen=True)
class Answer:
    """What came back, whole."""

    status: int
    # By their names in lower case.
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body) if self.body else None


class Transport:
    """Connections to one server. Several threads may use it at once."""

    def __init__(
        self, url: str, key: Optional[str], timeout: float, retries: Retries, context: Optional[ssl.SSLContext]
    ) -> None:
        place = urlsplit(url)
        if place.scheme not in ("http", "https") or not place.hostname:
            raise ValueError(f"not the address of a server: {url!r}; it looks like http://127.0.0.1:7437")
        self._secure = place.scheme == "https"
        self._host, self._port, self._prefix = place.hostname, place.port, place.path.rstrip("/")
        self._timeout, self._retries, self._context = timeout, retries, context
        self._headers = {"User-Agent": "perihelion-client-python"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def send(self, request: Request) -> Answer:
        """The answer to a request; an answer that tells of a problem is raised."""
        response = self._attempt(request, self._timeout)
        assert isinstance(response, Answer)
        return response

    def open(self, request: Request, timeout: Optional[float] = None) -> "Stream":
        """An answer that is read while it comes, over a connection of its own."""
        response = self._attempt(request, timeout or self._timeout, stream=True)
        assert isinstance(response, Stream)
        return response

    def wait(self, attempt: int, asked: Optional[float] = None) -> bool:
        """Waits before an attempt; false when there have been enough."""
        if attempt > self._retries.count:
            return False
        time.sleep(self._retries.wait(attempt, asked))
        return True

    def close(self) -> None:
        """Lets go of the connections that are kept."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _attempt(self, request: Request, timeout: float, stream: bool = False) -> "Union[Answer, Stream]":
        target = self._prefix + request.operation.target(request.parts, request.query)
        payload = request.payload()
        headers = {**self._headers, **request.headers}
        repeat = request.operation.repeat
        if repeat is Repeat.KEYED:
            headers.setdefault("Idempotency-Key", uuid.uuid4().hex)
        # A stream of pieces is used up when it has been sent.
        again = repeat is not Repeat.NEVER and (payload is None or isinstance(payload, bytes))
        attempt, fresh = 0, stream or not again
        while True:
            connection, kept = self._connection(timeout, fresh)
            fresh = True
            try:
                return self._exchange(connection, request.operation.method, target, payload, headers, stream)
            except PeriError as error:
                if kept and error.status is None:
                    # The server may have closed a kept connection, which shows only when something is sent.
                    continue
                attempt += 1
                if not again or not _may_pass(error) or not self.wait(attempt, error.retry_after):
                    raise

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        payload: Union[bytes, Iterable[bytes], None],
        headers: Mapping[str, str],
        stream: bool,
    ) -> "Union[Answer, Stream]":
        kept = False
        try:
            pieces = payload is not None and not isinstance(payload, bytes)
            if pieces:
                headers = {**headers, "Transfer-Encoding": "chunked"}
            try:
                connection.request(method, target, body=payload, headers=dict(headers), encode_chunked=pieces)
            except (BrokenPipeError, ConnectionResetError):
                # A server that refuses a stream stops reading it; what it says stands in its answer, if it comes.
                if not pieces:
                    raise
            response = connection.getresponse()
            if stream and response.status < 400:
                kept = True
                return Stream(connection, response)
            lowered = {name.lower(): value for name, value in response.headers.items()}
            answer = Answer(response.status, lowered, response.read())
            if not response.will_close and not stream:
                kept = True
                self._keep(connection)
        except ssl.SSLCertVerificationError:
            raise
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"no answer from {self._host}: {error or type(error).__name__}") from error
        finally:
            if not kept:
                connection.close()
        if answer.status >= 400:
            raise problem(answer.status, answer.headers, answer.body)
        waits = queued(answer.status, answer.body)
        if waits is not None:
            raise waits
        return answer

    def _connection(self, timeout: float, fresh: bool) -> Tuple[http.client.HTTPConnection, bool]:
        """A connection, and whether it was used before."""
        if not fresh:
            with self._lock:
                if self._idle:
                    return self._idle.pop(), True
        if self._secure:
            secure = http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
            return secure, False
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout), False

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _IDLE_MAX:
                self._idle.append(connection)
                return
        connection.close()


class Stream:
    """An answer that is read while it comes."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection, self._response = connection, response

    def lines(self) -> Iterator[str]:
        """The lines without their ends. One that breaks off raises, so a part is never taken for the whole."""
        rest = b""
        try:
            while True:
                piece = self._response.read1(_PIECE_BYTES)
                if not piece:
                    break
                *whole, rest = (rest + piece).split(b"\n")
                for line in whole:
                    yield line.decode().rstrip("\r")
            if rest:
                yield rest.decode().rstrip("\r")
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"the answer broke off: {error or type(error).__name__}") from error
        finally:
            self.close()

    def close(self) -> None:
        """Stops reading."""
        self._response.close()
        self._connection.close()


def _may_pass(error: PeriError) -> bool:
    """Whether the same request may fare better in a while: no answer came, or one that says when to come back."""
    if error.status is None:
        return True
    return error.retry_after is not None and (error.status in (429, 503) or error.type == UNDER_WAY)
