"""Who is let in, against a real server."""

from perihelion_client import Client, PeriError
from support import ServedTestCase


class Access(ServedTestCase):
    def refused(self, status, kind, work):
        with self.assertRaises(PeriError) as caught:
            work()
        self.assertEqual((caught.exception.status, caught.exception.type), (status, f"/problems/{kind}"))
        self.assertTrue(caught.exception.detail and caught.exception.request_id)

    def test_a_wrong_key_and_none_open_nothing(self):
        for key in ("wrong", "", None):
            client = self.connect(key=key)
            self.refused(401, "unauthenticated", lambda: client.recall("anything"))
            self.refused(401, "unauthenticated", lambda: client.remember("anything"))
            self.assertTrue(client.live())

    def test_a_key_of_one_namespace_does_not_see_another(self):
        id = self.client.remember("The safe opens to the left")["id"]
        stranger = self.restricted("writer", "elsewhere/*")
        self.refused(404, "not-found", lambda: stranger.get(id))
        self.refused(404, "not-found", lambda: stranger.revise(id, content="mine"))
        self.refused(403, "forbidden", lambda: stranger.remember("a guest was here", namespace=self.namespace))
        self.refused(403, "forbidden", lambda: stranger.recall("safe", scopes=[self.namespace]))
        self.refused(403, "forbidden", lambda: list(stranger.export(scope=self.namespace)))
        self.assertEqual(stranger.recall("Which way does the safe open?")["hits"], [])
        self.assertEqual([memory["id"] for memory in self.client.list()], [id])

    def test_a_reader_reads_and_writes_nothing(self):
        self.client.remember("The ferry leaves at noon")
        reader = self.restricted("reader", self.namespace)
        self.assertEqual(len(reader.recall("When does the ferry leave?")["hits"]), 1)
        self.refused(403, "forbidden", lambda: reader.remember("The ferry leaves at one"))
        self.refused(403, "forbidden", lambda: reader.keys())

    def test_a_revoked_key_opens_nothing(self):
        created = self.client.create_key("short-lived", "writer")
        self.assertEqual(created["key"]["scope"], self.namespace)
        client = self.connect(key=created["secret"])
        client.remember("The guest has arrived")
        self.client.revoke_key(created["key"]["id"])
        self.refused(401, "unauthenticated", lambda: client.remember("The guest is still here"))
        revoked = [key["id"] for key in self.client.keys() if key.get("revoked_at")]
        self.assertIn(created["key"]["id"], revoked)

    def test_what_is_no_address_is_refused_at_once(self):
        for url in ("127.0.0.1:7437", "ftp://127.0.0.1", ""):
            with self.assertRaises(ValueError):
                Client(url)
