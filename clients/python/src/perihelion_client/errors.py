"""What can go wrong."""

import json
from typing import Any, Mapping, Optional

UNREACHABLE = "/problems/unreachable"


class PeriError(Exception):
    """The server refused or failed. `type` is stable and meant for programs, `detail` and `hint` for people."""

    def __init__(
        self,
        detail: str,
        *,
        status: Optional[int] = None,
        type: str = "about:blank",
        title: str = "",
        hint: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(detail)
        # None when no answer came at all.
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.hint = hint
        # What the server's log knows the request by.
        self.request_id = request_id
        # Seconds after which the server wants to be asked again.
        self.retry_after = retry_after

    def __str__(self) -> str:
        text = self.detail if self.status is None else f"{self.status} {self.detail}"
        return f"{text} ({self.hint})" if self.hint else text


class Unreachable(PeriError):
    """No answer came, or it broke off. A write may have been done all the same."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, type=UNREACHABLE, title="No answer came")


class Queued(PeriError):
    """The server's store cannot be reached: the change is kept on the server's disk and made as soon as it can be, so
    that what came of it cannot be told yet. Do not send it again.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(detail, status=202, type="/problems/queued", title="The change is queued")


class EventsMissing(PeriError):
    """The server no longer keeps the events that come next. `events(after=error.through)` goes on behind the gap."""

    def __init__(self, after: int, through: int) -> None:
        detail = f"the events after {after} up to {through} are not kept any more"
        super().__init__(detail, type="/problems/events-missing", title="Events are missing")
        self.after = after
        self.through = through


def queued(status: int, body: bytes) -> Optional[Queued]:
    """What an answer tells of a change that waits; receipts that say so themselves are answers like any other."""
    told: Any = json.loads(body) if status == 202 and body else None
    if not isinstance(told, dict) or told.get("outcome") != "queued":
        return None
    if "id" in told or "pattern" in told:
        return None
    return Queued(str(told.get("detail") or "the change is queued"))


def problem(status: int, headers: Mapping[str, str], body: bytes) -> PeriError:
    """The error that an answer tells of; proxies in between may answer with something else than problem details."""
    try:
        told: Any = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        told = {}
    return PeriError(
        str(told.get("detail") or f"the server answered with status {status}"),
        status=status,
        type=str(told.get("type") or "about:blank"),
        title=str(told.get("title") or ""),
        hint=told.get("hint"),
        request_id=told.get("request_id") or headers.get("x-request-id"),
        retry_after=_seconds(headers.get("retry-after")),
    )


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        # A date, which only proxies send: how far off it is depends on whose clock is right.
        return None
