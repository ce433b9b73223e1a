"""Exports, imports and events, against a real server."""

import json

from perihelion_client import PeriError
from support import PATIENT, Server, ServedTestCase


class Streams(ServedTestCase):
    def test_what_was_exported_is_imported_elsewhere_unchanged(self):
        contents = ["The bridge is closed", "다리는 내일 열린다", "桥明天开放", "line\nbreak and \u2028 separator"]
        receipts = self.client.remember_all({"content": content} for content in contents)
        self.client.link(receipts[0]["id"], receipts[1]["id"], "related_to")
        lines = list(self.client.export())
        other = Server()
        self.addCleanup(other.end)
        there = type(self.client)(other.url, other.admin, self.namespace)
        self.addCleanup(there.close)
        imported = there.import_(iter(lines))
        self.assertEqual((imported["added"], imported["refused"]), (len(contents), []))
        self.assertEqual(there.import_(line.encode() for line in lines)["added"], 0)
        self.assertEqual(records(there.export()), records(lines))
        self.assertEqual([memory["content"] for memory in there.list(order="oldest_first")], contents)

    def test_an_import_larger_than_a_request_may_be_is_streamed(self):
        text = "word " * 2000
        receipts = self.client.remember_all({"content": f"Page {number}: {text}"} for number in range(300))
        lines = list(self.client.export())
        self.assertGreater(sum(map(len, lines)), 2_500_000)
        self.assertEqual(self.client.import_(lines * 2)["known"], 2 * len(receipts))

    def test_lines_of_other_namespaces_are_refused_by_their_number(self):
        self.client.remember("The well is deep")
        writer = self.restricted("writer", "elsewhere")
        imported = writer.import_(self.client.export())
        self.assertEqual(imported["added"], 0)
        self.assertNotEqual(imported["refused"], [])

    def test_a_refused_stream_says_why(self):
        reader = self.restricted("reader", self.namespace)
        with self.assertRaises(PeriError) as caught:
            reader.import_(["{}"])
        self.assertEqual(caught.exception.status, 403)

    def test_events_are_paged_and_numbered(self):
        ids = [self.client.remember(f"Lamp {number} stands in room {number}")["id"] for number in range(3)]
        page = self.client.event_log(kind=["stored"], after=0, limit=2)
        rest = self.client.event_log(kind=["stored"], after=page["next_after"])
        self.assertEqual([event["id"] for event in page["events"] + rest["events"]], ids)


class Resumed(ServedTestCase):
    def test_events_go_on_where_they_broke_off(self):
        client = self.connect(namespace=self.namespace, retries=PATIENT)
        events = client.events(kind=["stored"])
        first = client.remember("The kettle boils")["id"]
        self.assertEqual(next(events)["id"], first)
        second = client.remember("The kettle whistles")["id"]
        self.server.stop()
        self.server.start()
        third = client.remember("The tea is poured")["id"]
        resumed = [next(events) for _ in range(2)]
        self.assertEqual([event["id"] for event in resumed], [second, third])
        self.assertLess(resumed[0]["number"], resumed[1]["number"])
        events.close()
        after = client.events(kind=["stored"], after=resumed[0]["number"])
        self.assertEqual(next(after)["id"], third)
        after.close()


def records(lines):
    """The memories and edges of an export. Zones are left out: a server moves memories when it has time."""
    read = [json.loads(line) for line in lines]
    kept = [{**record, "zone": None} for record in read if record["record"] in ("memory", "edge")]
    return sorted(json.dumps(record, sort_keys=True) for record in kept)
