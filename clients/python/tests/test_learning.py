"""What was done, what worked, who should take a task, and the workers, against a real server."""

from perihelion_client import Client, PeriError
from support import ServedTestCase, Stub, answers

TASKS = ("translate the help pages", "translate button labels into Korean", "translate the error texts")


class Learning(ServedTestCase):
    # What workers do by themselves would come in between.
    settings = "[workers]\nenabled = false\n[server]\nrequests_per_minute = 0\n"

    def test_a_task_is_recorded_in_any_language_and_told_again_changes_nothing(self):
        steps = [{"input": "运行测试", "output": "통과", "confidence": 0.5}, {"input": "배포"}]
        options = {"agent": "小明", "session": "아침", "steps": steps, "domain": "Testing"}
        receipt = self.client.record_trajectory("로그인을 고쳐 줘", "partial", **options)
        self.assertEqual((receipt["outcome"], receipt["domain"]), ("stored", "testing"))
        told = self.client.trajectory(receipt["id"])
        self.assertEqual((told["task"], told["agent"], told["steps"][0]["output"]), ("로그인을 고쳐 줘", "小明", "통과"))
        again = self.client.record_trajectory("another", "success", id=receipt["id"])
        self.assertEqual(again["outcome"], "merged")
        found = self.client.trajectories(domain="TESTING", session="아침", outcome="partial")
        self.assertEqual([one["id"] for one in found], [receipt["id"]])

    def test_trajectories_go_over_all_pages(self):
        for number in range(5):
            self.client.record_trajectory(f"{number}번째 일", "success")
        self.assertEqual(len(list(self.client.trajectories(limit=2))), 5)

    def test_a_strategy_is_kept_found_and_put_aside(self):
        pattern = self.client.store_pattern("Profile before you optimise the query", quality=0.9)["pattern"]
        merged = self.client.store_pattern("profile  before you optimise the query")
        self.assertEqual((merged["outcome"], merged["pattern"]["id"]), ("merged", pattern["id"]))
        found = self.client.find_patterns("optimise a slow query")
        self.assertEqual(found["patterns"][0]["pattern"]["id"], pattern["id"])
        self.assertIn("agent", found["route"])
        self.assertNotIn("route", self.client.find_patterns())
        self.assertEqual(self.client.promote_pattern(pattern["id"])["term"], "long")
        self.assertIn("retired_at", self.client.retire_pattern(pattern["id"]))
        self.assertEqual((len(self.client.patterns()), len(self.client.patterns(retired=True))), (0, 1))
        self.assertNotIn("retired_at", self.client.restore_pattern(pattern["id"]))
        self.assertEqual(self.client.pattern(pattern["id"])["term"], "long")

    def test_routes_follow_outcomes_and_what_was_learned_is_told_and_taken_back(self):
        for task in TASKS:
            self.client.record_trajectory(task, "success", agent="번역가")
        routed = self.client.route("translate the release notes into Korean")
        self.assertEqual((routed["agent"], routed["outcomes"]), ("번역가", 3))
        self.client.distil()
        stats = self.client.learning_stats()
        self.assertEqual((stats["trajectories"], stats["undistilled"]), (3, 0))
        self.assertIsInstance(stats["active_workers"], list)
        trained = self.client.train()
        self.assertEqual(self.client.learned_sets("router")[0]["set"], trained["router"]["set"])
        self.assertFalse(self.client.rollback_learned("router", 0)["active"])
        with self.assertRaises(PeriError) as caught:
            self.client.rollback_learned("router", 77)
        self.assertEqual(caught.exception.status, 404)

    def test_workers_are_told_of_and_run(self):
        names = [worker["worker"] for worker in self.client.workers()["workers"]]
        self.assertEqual((len(names), "audit" in names), (12, True))
        run = self.client.dispatch_workers("map")["results"][0]
        self.assertEqual((run["status"], run["success"]), ("unavailable", False))
        self.assertEqual(self.client.worker_runs(worker="map", limit=1)[0]["number"], run["number"])
        self.assertEqual(self.client.worker_alerts(resolved=True, limit=1), [])
        self.assertFalse(self.client.cancel_worker("map"))

    def test_records_of_another_store_are_taken_over_once(self):
        lines = ['{"id": "하나", "text": "민지는 차를 마신다"}', b'{"id": "two", "text": "Ana drinks tea"}']
        report = self.client.migrate(lines)
        self.assertEqual((report["total"], report["migrated"], report["failed"]), (2, 2, 0))
        self.assertEqual(self.client.migrate(lines)["migrated"], 0)
        self.assertEqual(len(list(self.client.list())), 2)
        self.assertEqual(self.client.migrate()["failed"], 0)

    def test_a_key_of_one_namespace_sees_no_patterns_of_another_and_no_workers(self):
        pattern = self.client.store_pattern("回滚之前先问阿娜")["pattern"]
        stranger = self.restricted("admin", "elsewhere")
        self.assertEqual(stranger.patterns(), [])
        self.assertNotIn("active_workers", stranger.learning_stats())
        for status, work in (
            (404, lambda: stranger.pattern(pattern["id"])),
            (404, lambda: stranger.retire_pattern(pattern["id"])),
            (403, lambda: stranger.patterns(scope=self.namespace)),
            (403, lambda: stranger.route("roll back", namespace=self.namespace)),
            (403, stranger.workers),
            (403, lambda: stranger.dispatch_workers("map")),
            (403, lambda: stranger.cancel_worker("map")),
        ):
            with self.assertRaises(PeriError) as caught:
                work()
            self.assertEqual(caught.exception.status, status)

    def test_a_pattern_that_waits_is_a_receipt(self):
        stub = Stub(self, answers(202, {"outcome": "queued", "pattern": {"id": "x"}}))
        with Client(stub.url) as client:
            self.assertEqual(client.store_pattern("先备份")["outcome"], "queued")

    def test_names_that_a_task_cannot_have_are_not_sent(self):
        stub = Stub(self, answers(201, {}))
        with Client(stub.url) as client:
            for work in (
                lambda: client.record_trajectory("text", "success", steps=[{"inputs": "x"}]),
                lambda: client.record_trajectory("text", "success", agents="x"),
                lambda: client.store_pattern("text", term="long"),
            ):
                with self.assertRaises(TypeError):
                    work()
        self.assertEqual(stub.requests, [])
