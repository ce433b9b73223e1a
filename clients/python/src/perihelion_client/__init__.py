"""A client for Perihelion, the memory engine for AI agents.

[`Client`] holds one method for each thing the server does; [`PeriError`] is what a refusal or failure becomes;
[`types`] describes what is sent and answered.
"""

from . import types
from ._transport import Retries
from .client import Client, Seen
from .errors import EventsMissing, PeriError, Queued, Unreachable

__all__ = ["Client", "EventsMissing", "PeriError", "Queued", "Retries", "Seen", "Unreachable", "types"]
__version__ = "0.1.0"
