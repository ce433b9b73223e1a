"""Events while they happen, without loss or repetition across broken connections."""

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, List, Optional

from ._transport import Stream, Transport
from .errors import EventsMissing, Unreachable


@dataclass
class Message:
    """One message of a stream of server-sent events."""

    event: str = "message"
    data: List[str] = field(default_factory=list)
    id: Optional[str] = None


def messages(lines: Iterable[str]) -> Iterator[Optional[Message]]:
    """The messages in the lines of a stream, and None for a comment, which says that the server is still there. What
    the end of the stream cuts off is dropped: it will be sent again.
    """
    message = Message()
    for line in lines:
        if not line:
            yield message
            message = Message()
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "":
            yield None
        elif name == "data":
            message.data.append(value)
        elif name == "event":
            message.event = value
        elif name == "id":
            message.id = value


def follow(transport: Transport, connect: Callable[[str], Stream], last: str) -> Iterator[Any]:
    """Events from after `last` on. A connection that breaks is opened again where it ended; the stream ends with an
    error when the server stays away for longer than retries last.
    """
    failures = 0
    while True:
        # Connecting has its own retries; when they are used up, the server is gone.
        stream = connect(last)
        failure = Unreachable("the server ended the stream of events")
        try:
            for message in messages(stream.lines()):
                failures = 0
                if message is None:
                    continue
                last = message.id or last
                if not message.data:
                    continue
                told = json.loads("\n".join(message.data))
                if message.event == "lagged":
                    raise EventsMissing(told["after"], told["through"])
                yield told
        except Unreachable as error:
            failure = error
        finally:
            stream.close()
        failures += 1
        if not transport.wait(failures):
            raise failure
