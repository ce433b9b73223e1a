"""The journal and its turns, and what is queued while the store cannot be reached, against a real server."""

import sqlite3
import unittest
from contextlib import contextmanager

from perihelion_client import Client, PeriError, Queued
from support import ServedTestCase, Stub, answers

# So many times the queue is looked at until nothing waits; a healthy server needs far fewer.
LOOKS_MAX = 5000


class Journal(ServedTestCase):
    def texts(self, entries):
        return [entry.get("text", "") for entry in entries]

    def test_what_is_written_down_in_any_language_is_read_back_and_counted(self):
        body, gate = {"온도": 21, "목록": [None, "창"]}, {"action": "DELIVER", "score": 0.5}
        appended = self.client.append(
            "배포가 끝났다",
            session="아침/하나",
            actor="小明",
            kind="alert",
            direction="inbound",
            status="ok",
            at="2026-03-01T00:00:00Z",
            body=body,
            gate=gate,
            metadata={"방": "부엌"},
        )
        self.assertEqual((appended["state"], appended["namespace"]), ("stored", self.namespace))
        entry = self.client.journal_entry(appended["id"])
        self.assertEqual((entry["text"], entry["actor"], entry["kind"]), ("배포가 끝났다", "小明", "alert"))
        self.assertEqual((entry["body"], entry["gate"], entry["metadata"]), (body, gate, {"방": "부엌"}))
        self.client.append(kind="schedule", body=[1, 2])
        found = self.client.journal(text="배포가", session="아침/하나", status="ok", until="2026-03-02T00:00:00Z")
        self.assertEqual([one["id"] for one in found], [appended["id"]])
        stats = self.client.journal_stats()
        self.assertEqual((stats["entries"], stats["waiting"]["held"]), (2, 0))

    def test_a_journal_goes_over_all_pages_in_order(self):
        texts = [f"{number}번째 관찰" for number in range(7)]
        days = enumerate(texts, 1)
        entries = [{"text": text, "at": f"2026-04-{day:02}T12:00:00Z"} for day, text in days]
        appended = self.client.append_all(entries)
        self.assertEqual([one["state"] for one in appended], ["stored"] * 7)
        self.assertEqual(self.texts(self.client.journal(limit=3, order="oldest_first")), texts)
        self.assertEqual(self.texts(self.client.journal(limit=7)), texts[::-1])
        self.assertEqual(self.texts(self.client.recent(limit=2)["entries"]), [texts[6], texts[5]])
        self.assertIsNone(self.client.recent().get("missing"))

    def test_an_event_that_is_sent_again_under_its_id_is_there_once(self):
        id = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"
        for text in ("the first to come", "the second"):
            self.assertEqual(self.client.append(text, id=id)["id"], id)
        self.assertEqual(self.texts(self.client.journal()), ["the first to come"])

    def test_a_remembered_event_is_a_memory_that_leads_back_to_it(self):
        appended = self.client.append("小林住在大阪", remember=True)
        memory = self.client.get(appended["memory"]).memory
        self.assertEqual((memory["entry"], memory["content"]), (appended["id"], "小林住在大阪"))
        self.client.remember("小林每天骑自行车上班", entry=appended["id"])
        self.assertEqual(len(list(self.client.list(entry=appended["id"]))), 2)

    def test_a_turn_is_begun_told_of_and_finished(self):
        asked = self.client.append("날씨 알려 줘", session="저녁")["id"]
        turn = self.client.begin_turn(session="저녁", input=asked, plan=["look", "answer"])["turn"]
        self.assertIsNone(turn.get("status"))
        answered = self.client.append("비가 온다", turn=turn["id"], direction="outbound")["id"]
        self.client.update_turn(turn["id"], tool_calls=[{"tool": "날씨"}], metadata={"round": 1})
        told = self.client.update_turn(turn["id"], status="ok", output=answered, tool_results=[{"비": True}])
        self.assertEqual((told["state"], told["turn"]["tool_calls"]), ("stored", [{"tool": "날씨"}]))
        whole = self.client.turn(turn["id"])
        self.assertEqual([entry["id"] for entry in whole["entries"]], [asked, answered])
        self.assertEqual((whole["turn"]["status"], whole["turn"]["metadata"]), ("ok", {"round": 1}))

    def test_turns_go_over_all_pages_and_are_found_by_how_they_went(self):
        ids = [
            self.client.begin_turn(started_at=f"2026-05-0{day}T00:00:00Z")["turn"]["id"] for day in range(1, 6)
        ]
        self.client.update_turn(ids[2], status="timeout", error="超时")
        self.assertEqual([turn["id"] for turn in self.client.turns(limit=2, order="oldest_first")], ids)
        self.assertEqual([turn["error"] for turn in self.client.turns(status="timeout")], ["超时"])
        self.assertEqual(self.client.journal_stats()["turns_open"], 4)

    def test_bad_input_is_named_and_nothing_is_written_down(self):
        turn = self.client.begin_turn()["turn"]["id"]
        for named, work in [
            ("NUL", lambda: self.client.append("a\0b")),
            ("kind", lambda: self.client.append_all([{"text": "good"}, {"text": "bad", "kind": " "}])),
            ("entries", lambda: self.client.append_all([])),
            ("NUL", lambda: self.client.update_turn(turn, error="a\0b")),
            ("status", lambda: self.client.update_turn(turn, status="fine")),
        ]:
            with self.subTest(named=named):
                with self.assertRaises(PeriError) as caught:
                    work()
                self.assertEqual((caught.exception.status, caught.exception.type), (400, "/problems/invalid-input"))
                self.assertIn(named, caught.exception.detail)
        nobody = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5bff"
        for work in (self.client.journal_entry, self.client.turn, lambda id: self.client.update_turn(id, status="ok")):
            with self.assertRaises(PeriError) as caught:
                work(nobody)
            self.assertEqual(caught.exception.status, 404)
        self.assertEqual(self.client.recent()["entries"], [])

    def test_a_key_of_one_namespace_sees_no_journal_of_another(self):
        id = self.client.append("비밀번호는 서랍에 있다")["id"]
        turn = self.client.begin_turn()["turn"]["id"]
        stranger = self.restricted("writer", "elsewhere")
        for status, work in [
            (404, lambda: stranger.journal_entry(id)),
            (404, lambda: stranger.turn(turn)),
            (404, lambda: stranger.update_turn(turn, status="ok")),
            (403, lambda: stranger.append("a guest was here", namespace=self.namespace)),
            (403, lambda: list(stranger.journal(scope=self.namespace))),
            (403, stranger.queue),
            (403, stranger.replay_queue),
            (403, lambda: stranger.drop_queued(id)),
        ]:
            with self.assertRaises(PeriError) as caught:
                work()
            self.assertEqual(caught.exception.status, status)
        self.assertEqual(list(stranger.journal()), [])


class Outage(ServedTestCase):
    settings = "[store]\nbusy_timeout_ms = 20\n[server]\nrequests_per_minute = 0\n"

    @contextmanager
    def outage(self):
        """Another program holds the database, so that the server's writes have to wait."""
        holder = sqlite3.connect(self.server.home / "perihelion.db", isolation_level=None, timeout=60)
        try:
            holder.execute("BEGIN IMMEDIATE")
            yield
        finally:
            holder.close()

    def worked_off(self):
        """Looks at the queue until nothing waits any more."""
        for _ in range(LOOKS_MAX):
            status = self.client.queue()["status"]
            if status["depth"] == 0:
                return
        self.fail(f"the queue is not worked off: {status}")

    def test_what_happens_in_an_outage_is_queued_seen_at_once_and_stored_later(self):
        with self.outage():
            first = self.client.append("첫 번째", session="밤")
            rest = self.client.append_all([{"text": "第二"}, {"text": "the third", "remember": True}])
            self.assertEqual({one["state"] for one in [first, *rest]}, {"queued"})
            turn = self.client.begin_turn(session="밤", input=first["id"])
            self.assertEqual(turn["state"], "queued")
            told = self.client.update_turn(turn["turn"]["id"], status="error", error="저장소가 없다")
            self.assertEqual((told["state"], told["turn"]["error"]), ("queued", "저장소가 없다"))
            receipt = self.client.remember("李娜喜欢喝茶")
            self.assertEqual(receipt["outcome"], "queued")
            recent = self.client.recent()["entries"]
            self.assertEqual({entry["text"] for entry in recent}, {"첫 번째", "第二", "the third"})
            queue = self.client.queue()
            self.assertGreaterEqual(queue["status"]["depth"], 5)
            self.assertEqual(len(self.client.queue(limit=2)["queued"]), 2)
        self.client.replay_queue()
        self.worked_off()
        self.assertEqual({entry["text"] for entry in self.client.journal()}, {"첫 번째", "第二", "the third"})
        self.assertEqual(self.client.turn(turn["turn"]["id"])["turn"]["status"], "error")
        self.assertEqual(self.client.get(receipt["id"]).memory["content"], "李娜喜欢喝茶")

    def test_a_change_that_waits_says_so_and_one_that_was_given_up_can_be_tried_and_dropped(self):
        id = self.client.remember("the gate is open")["id"]
        seen = self.client.get(id).etag
        with self.outage():
            for content in ("문이 닫혔다", "门关了"):
                with self.assertRaises(Queued) as caught:
                    self.client.revise(id, content=content, if_match=seen)
                self.assertEqual((caught.exception.status, caught.exception.type), (202, "/problems/queued"))
        self.client.replay_queue()
        self.worked_off()
        self.assertEqual(self.client.get(id).memory["content"], "문이 닫혔다")
        [dead] = self.client.queue()["dead"]
        self.assertIn(id, dead["reason"])
        self.assertEqual(self.client.replay_queue(dead["id"])["revived"], 1)
        self.worked_off()
        self.client.drop_queued(dead["id"])
        self.assertEqual(self.client.queue()["dead"], [])
        with self.assertRaises(PeriError) as caught:
            self.client.drop_queued(dead["id"])
        self.assertEqual(caught.exception.status, 404)


class Sent(unittest.TestCase):
    def test_names_that_an_event_cannot_have_are_not_sent(self):
        stub = Stub(self, answers(201, {"entries": []}))
        with Client(stub.url) as client:
            for work in (
                lambda: client.append("text", speaker="Mina"),
                lambda: client.append_all([{"text": "good"}, {"txt": "bad"}]),
                lambda: client.remember_all([{"content": "good", "tagz": []}]),
                lambda: client.begin_turn(text="good"),
            ):
                with self.assertRaises(TypeError):
                    work()
        self.assertEqual(stub.requests, [])
