"""Teaches Schemathesis how lines of JSON are sent: as the text they are."""

import schemathesis

schemathesis.serializer.alias("application/jsonl", "text/plain")
