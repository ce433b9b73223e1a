"""The shape of the table of operations."""

import enum
from dataclasses import dataclass, field
from typing import Any, FrozenSet, Mapping
from urllib.parse import quote, urlencode


class Repeat(enum.Enum):
    """Whether a request may be sent again when it is not known what became of it."""

    SAFE = "safe"
    # Under the same idempotency key the server does it once and answers alike both times.
    KEYED = "keyed"
    NEVER = "never"


@dataclass(frozen=True)
class Operation:
    """One route and method, and the names of what it takes."""

    name: str
    method: str
    path: str
    repeat: Repeat
    query: FrozenSet[str] = frozenset()
    body: FrozenSet[str] = frozenset()
    # Fields of the body that are lists of objects, and what those take.
    items: Mapping[str, FrozenSet[str]] = field(default_factory=dict)

    def target(self, parts: Mapping[str, str], query: Mapping[str, Any]) -> str:
        """The path with its parts filled in, and what stands after the question mark."""
        self._check("parameter", query, self.query)
        for name, part in parts.items():
            if not part:
                # It would name the collection instead of one of its members.
                raise ValueError(f"{self.name} needs {name}")
        path = self.path.format(**{name: quote(part, safe="") for name, part in parts.items()})
        given = [(name, text) for name, value in sorted(query.items()) for text in _texts(value)]
        return f"{path}?{urlencode(given)}" if given else path

    def check_body(self, body: Mapping[str, Any]) -> None:
        """Refuses a name that the server does not know, before anything is sent."""
        self._check("field", body, self.body)
        for name, known in self.items.items():
            for one in body.get(name) or ():
                self._check("field", one, known)

    def _check(self, what: str, given: Mapping[str, Any], known: FrozenSet[str]) -> None:
        unknown = sorted(set(given) - known)
        if unknown:
            raise TypeError(f"{self.name} has no {what} {unknown[0]!r}; there are: {', '.join(sorted(known))}")


def _texts(value: Any) -> "list[str]":
    """A list becomes a repeated parameter, and what is None is left out."""
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in _texts(one)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)]
