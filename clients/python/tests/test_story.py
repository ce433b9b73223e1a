"""What a person would do with the client, against a real server."""

from concurrent.futures import ThreadPoolExecutor

from perihelion_client import PeriError
from support import ServedTestCase


class Story(ServedTestCase):
    def test_what_is_remembered_in_any_language_is_recalled(self):
        for content, question in [
            ("Mina prefers tea without sugar", "How does Mina like her tea?"),
            ("회의는 매주 화요일 오전 10시에 열린다", "회의는 언제 열리나요?"),
            ("小林住在大阪，每天骑自行车上班", "小林住在哪里？"),
        ]:
            with self.subTest(content=content):
                receipt = self.client.remember(content, tags=["이야기", "故事"])
                self.assertEqual(receipt["namespace"], self.namespace)
                hits = self.client.recall(question)["hits"]
                self.assertEqual(hits[0]["memory"]["content"], content)
                seen = self.client.get(receipt["id"]).memory
                self.assertEqual((seen["content"], seen["tags"]), (content, ["이야기", "故事"]))

    def test_a_memory_that_has_not_changed_is_not_sent_again(self):
        id = self.client.remember("The door code is kept by Ana")["id"]
        seen = self.client.get(id)
        again = self.client.get(id, etag=seen.etag)
        self.assertIsNone(again.memory)
        self.assertEqual(again.etag, seen.etag)
        self.client.revise(id, pinned=True)
        self.assertTrue(self.client.get(id, etag=seen.etag).memory["pinned"])

    def test_whoever_saw_an_older_state_changes_nothing(self):
        id = self.client.remember("The release is on Monday")["id"]
        seen = self.client.get(id)
        self.client.revise(id, content="The release is on Tuesday", if_match=seen.etag)
        for change in (
            lambda: self.client.revise(id, content="The release is on Friday", if_match=seen.etag),
            lambda: self.client.forget(id, if_match=seen.etag),
        ):
            with self.assertRaises(PeriError) as caught:
                change()
            self.assertEqual((caught.exception.status, caught.exception.type), (412, "/problems/precondition-failed"))
            self.assertTrue(caught.exception.hint and caught.exception.request_id)
        self.assertEqual(self.client.get(id).memory["content"], "The release is on Tuesday")
        self.assertEqual(
            [version["content"] for version in self.client.history(id)["versions"]], ["The release is on Monday"]
        )

    def test_a_time_of_none_is_taken_away(self):
        id = self.client.remember("The offer stands", expires_at="2199-01-01T00:00:00Z")["id"]
        self.client.revise(id, expires_at=None)
        self.assertIsNone(self.client.get(id).memory.get("expires_at"))

    def test_what_is_forgotten_comes_back_until_it_is_purged(self):
        id = self.client.remember("The spare key lies under the mat")["id"]
        self.client.forget(id)
        self.assertEqual([memory["id"] for memory in self.client.list(trashed="only")], [id])
        self.assertEqual(list(self.client.list()), [])
        self.client.restore(id)
        self.assertEqual([memory["id"] for memory in self.client.list()], [id])
        self.client.forget(id)
        self.client.purge(id)
        with self.assertRaises(PeriError) as caught:
            self.client.get(id)
        self.assertEqual((caught.exception.status, caught.exception.type), (404, "/problems/not-found"))
        self.client.forget(self.client.remember("The old gate squeaks")["id"])
        self.assertEqual(self.client.purge_trash(), 1)

    def test_a_list_goes_over_all_pages_in_order(self):
        shelves = [{"content": f"Shelf {number} holds box {number * 7}"} for number in range(7)]
        ids = [receipt["id"] for receipt in self.client.remember_all(shelves)]
        listed = [memory["id"] for memory in self.client.list(limit=3, order="oldest_first")]
        self.assertEqual(listed, ids)
        self.assertEqual(len(list(self.client.list(kind=["fact", "decision"], limit=1000))), 7)

    def test_several_threads_use_one_client(self):
        with ThreadPoolExecutor(8) as threads:
            receipts = list(threads.map(lambda number: self.client.remember(f"Ticket {number}"), range(40)))
        self.assertEqual(len({receipt["id"] for receipt in receipts}), 40)
        self.assertEqual(self.client.stats()["memories"], 40)

    def test_a_merge_is_undone(self):
        kept = self.client.remember("Ana prefers tea over coffee")["id"]
        receipt = self.client.remember("Ana prefers tea to coffee")
        self.assertEqual((receipt["outcome"], receipt["id"]), ("merged", kept))
        self.assertEqual(self.client.split(receipt["absorbed"])["id"], receipt["absorbed"])
        self.assertEqual(len(list(self.client.list())), 2)

    def test_values_are_held_under_keys_until_they_are_cleared(self):
        for key in ("draft", "초안/하나 #1?", "100 % 草稿"):
            for value in ("회의는 금요일", 1.5, False, [], {"받는 사람": ["민수", None]}):
                with self.subTest(key=key, value=value):
                    self.assertEqual(self.client.set_work(key, value, ttl_seconds=60)["item"]["value"], value)
                    self.assertEqual(self.client.get_work(key)["value"], value)
        self.client.set_work("draft", "of a session", session="s1")
        self.assertEqual(self.client.get_work("draft", session="s1")["value"], "of a session")
        self.assertEqual(len(self.client.work()["items"]), 3)
        self.assertEqual({one.get("session") for one in self.client.work()["sessions"]}, {None, "s1"})
        self.assertEqual((self.client.clear_work("draft"), self.client.get_work("draft")), (1, None))
        self.assertEqual((self.client.clear_all_work(), self.client.clear_all_work(session="s1")), (2, 1))

    def test_what_turned_out_to_matter_is_promoted_and_brought_back(self):
        held = self.client.set_work("plan", "민수에게 사다리를 빌린다")["item"]["id"]
        promoted = self.client.promote(held, to="long_term")
        self.assertEqual((promoted["memory"]["layer"], promoted["sources"]), ("long_term", [held]))
        self.assertIsNone(self.client.get_work("plan"))
        self.assertEqual([one["id"] for one in self.client.undo_promotion(promoted["memory"]["id"])], [held])
        self.assertIsNotNone(self.client.get_work("plan"))

    def test_structure_and_circumstances_come_back(self):
        data = {"skill": "차 끓이기", "steps": ["물을 끓인다"], "conditions": [], "success_rate": 1.0}
        id = self.client.remember(kind="procedure", data=data, context={"spatial": {"place": "부엌"}})["id"]
        memory = self.client.get(id).memory
        self.assertEqual((memory["data"], memory["context"]), (data, {"spatial": {"place": "부엌"}}))
        self.assertIn("물을 끓인다", memory["content"])
        self.assertEqual([one["id"] for one in self.client.list(context=["spatial.place=부엌"])], [id])
        self.assertEqual(list(self.client.list(context=["spatial.place=사무실"])), [])

    def test_the_days_are_reported_and_episodes_saved(self):
        self.client.remember("민수가 문을 열었다", layer="episodic")
        self.assertEqual(self.client.report()["counts"]["stored"], 1)
        self.assertEqual(self.client.report(date="2020-02-29", days=2)["first_day"], "2020-02-28")
        # The server may have taken one by itself in this very moment.
        taken = self.client.take_snapshot() or self.client.snapshots()[0]
        self.assertIn(taken, self.client.snapshots())
        self.assertIsNone(self.client.take_snapshot(), "nothing has changed since")
        self.assertEqual(self.client.sweep()["outlived"], 0)

    def test_linked_memories_lead_to_each_other(self):
        ids = [self.client.remember(text)["id"] for text in ("The pump failed", "The fuse blew", "Rain came in")]
        self.assertTrue(self.client.link(ids[0], ids[1], "derived_from", weight=0.75)["linked"])
        self.client.link(ids[1], ids[2], "derived_from")
        types = {(edge["source"], edge["target"], edge["type"]) for edge in self.client.edges(ids[1])}
        self.assertLessEqual({(ids[0], ids[1], "derived_from"), (ids[1], ids[2], "derived_from")}, types)
        steps = self.client.walk(ids[0], depth=2, direction="out", type=["derived_from"])["steps"]
        self.assertEqual([step["id"] for step in steps], ids[1:])
        self.assertIsNotNone(self.client.path(ids[0], ids[2]))
        self.assertEqual({rank["id"] for rank in self.client.pagerank()["ranks"]}, set(ids))
        self.assertEqual([sorted(group) for group in self.client.communities()["groups"]], [sorted(ids)])
        self.assertIn(ids[2], self.client.export_graph(format="dot"))
        self.assertEqual(self.client.unlink(ids[0], ids[1], type="derived_from"), 1)

    def test_a_session_with_any_name_is_begun_and_ended(self):
        for name in ("plain", "대화/하나 #1?", "..", "100 % 会话"):
            with self.subTest(name=name):
                self.client.start_session(name)
                self.client.remember(f"In {name} somebody said that the lamp is green", session=name)
                self.assertIn(name, [session["name"] for session in self.client.sessions()])
                self.assertIsNone(self.client.session(name)["session"].get("ended_at"))
                ended = self.client.end_session(name)
                self.assertIsNotNone(ended["session"]["ended_at"])
                self.assertIn("lamp", ended["summary"]["content"])

    def test_namespaces_are_moved_and_deleted(self):
        self.client.remember("The archive is in the cellar")
        moved = f"{self.namespace}/moved"
        self.client.move_namespace(self.namespace, moved)
        self.assertEqual(self.client.namespaces(scope=f"{self.namespace}/*"), [moved])
        self.assertEqual(self.client.delete_namespace(moved, purge=True)["memories"], 1)
        self.assertEqual(self.client.namespaces(scope=f"{self.namespace}/*"), [])

    def test_feedback_teaches_and_can_be_taken_back(self):
        id = self.client.remember("The backup runs at three in the night")["id"]
        self.client.recall("When does the backup run?")
        self.client.feedback("When does the backup run?", used=[id])
        weights = self.client.weights()
        self.assertEqual(weights["namespace"], self.namespace)
        self.client.rollback_weights(0)

    def test_the_server_tells_of_itself(self):
        self.client.remember("The server is in the attic")
        self.assertTrue(self.client.live() and self.client.ready())
        self.assertTrue(self.client.health()["healthy"])
        self.assertEqual(self.client.stats()["memories"], 1)
        self.assertEqual(self.client.version()["name"], "perihelion")
        self.assertIn("# EOF", self.client.metrics())
        self.assertIn("/v1/recall", self.client.document()["paths"])
        self.client.reorbit()
        self.assertEqual(self.client.maintain()["unembedded"], 0)
