"""What people look at: orbits, the graph, why and from where, backups and the sample, against a real server."""

from perihelion_client import Client, PeriError
from support import EAGER, ServedTestCase, Stub, answers, hangs_up

TEA = "민수는 아침마다 녹차를 마신다"
KEYS = "灯塔的钥匙在海关"
# The sample is much to load; only a server that is stuck takes so long.
LOAD_SECONDS = 300.0


class Looking(ServedTestCase):
    # What workers do by themselves would come in between.
    settings = "[workers]\nenabled = false\n[server]\nrequests_per_minute = 0\n"

    def refused(self, status, work):
        with self.assertRaises(PeriError) as caught:
            work()
        self.assertEqual(caught.exception.status, status)

    def recalls(self, id):
        """How often a memory was recalled, once everything is counted."""
        self.client.maintain()
        return self.client.memory_orbit(id)["recalls"]

    def test_a_quiet_recall_finds_the_same_and_counts_as_nothing(self):
        id = self.client.remember(TEA)["id"]
        quiet = self.client.recall("녹차", in_session="아침/하나", quiet=True)
        self.assertEqual([hit["memory"]["id"] for hit in quiet["hits"]], [id])
        self.assertEqual(self.recalls(id), 0)
        self.assertEqual(self.client.given_to_session("아침/하나")["given"], [])
        self.client.recall("녹차", in_session="아침/하나")
        self.assertEqual(self.recalls(id), 1)
        given = self.client.given_to_session("아침/하나", limit=1)
        self.assertEqual(([one["text"] for one in given["given"]], given["more"]), ([TEA], False))
        self.assertEqual((given["namespace"], given["session"]), (self.namespace, "아침/하나"))
        latencies = self.client.latencies(hours=1, buckets=2)
        self.assertEqual(sum(part["recalls"] for part in latencies["buckets"]), 1)
        elsewhere = self.client.latencies(scope=f"{self.namespace}/없음")
        self.assertEqual(sum(part["recalls"] for part in elsewhere["buckets"]), 0)

    def test_why_a_memory_is_recalled_or_not_is_told(self):
        tea, keys = self.client.remember(TEA)["id"], self.client.remember(KEYS)["id"]
        why = self.client.explain_recall("灯塔的钥匙", keys)
        self.assertEqual((why["recalled"], why["reason"], why["place"]), (True, "recalled", 1))
        self.assertEqual((why["memory"]["content"], "words" in [one["stage"] for one in why["stages"]]), (KEYS, True))
        why = self.client.explain_recall("灯塔的钥匙", keys, kinds=["summary"], pinned=True)
        self.assertEqual((why["reason"], why["filtered_by"]), ("filtered", ["kinds", "pinned"]))
        self.assertFalse(self.client.explain_recall("灯塔的钥匙", tea, without=["meaning"])["recalled"])
        # Asked where the client works, unless another place is named.
        other = self.connect(namespace=f"{self.namespace}/other")
        self.assertEqual(other.explain_recall("灯塔的钥匙", keys)["reason"], "elsewhere")
        named = other.explain_recall("灯塔的钥匙", keys, scopes=[self.namespace])
        self.assertEqual(named["reason"], "recalled")
        self.assertEqual(self.recalls(keys), 0)

    def test_asking_why_again_does_no_harm_and_unknown_names_are_not_sent(self):
        stub = Stub(self, hangs_up, answers(200, {"recalled": True}))
        with Client(stub.url, retries=EAGER) as client:
            self.assertTrue(client.explain_recall("열쇠", "x")["recalled"])
            self.assertEqual(len(stub.requests), 2)
            for work in (
                lambda: client.explain_recall("열쇠", "x", kindz=["fact"]),
                lambda: client.recall("열쇠", silent=True),
                lambda: client.orbit(scope="team"),
                lambda: client.graph(depth=2),
            ):
                with self.assertRaises(TypeError):
                    work()
        self.assertEqual(len(stub.requests), 2)

    def test_a_memory_leads_to_the_event_and_turn_it_came_from(self):
        turn = self.client.begin_turn(session="회의")["turn"]["id"]
        entry = self.client.append("민수: 서버 이름은 가니메데", turn=turn)["id"]
        ids = [self.client.remember(text, entry=entry)["id"] for text in ("스테이징은 가니메데다", "服务器由民秀命名")]
        trace = self.client.trace_memory(ids[0])
        self.assertEqual((trace["memory"]["id"], trace["entry"]["id"], trace["turn"]["id"]), (ids[0], entry, turn))
        self.assertEqual({memory["id"] for memory in trace["memories"]}, set(ids))
        alone = self.client.trace_memory(self.client.remember("茶壶是蓝色的")["id"])
        self.assertEqual((alone.get("entry"), alone["memories"]), (None, []))

    def test_orbits_tell_where_memories_are_and_how_they_came_there(self):
        near = self.client.remember(TEA, importance=0.6)["id"]
        far = self.client.remember(KEYS, importance=0.1)["id"]
        orbit = self.client.orbit()
        self.assertEqual((orbit["namespace"], orbit["total"]), (self.namespace, 2))
        self.assertEqual([body["id"] for body in orbit["bodies"]], [near, far])
        self.assertEqual(orbit["bodies"][0]["label"], TEA)
        self.assertEqual(sum(zone["memories"] for zone in orbit["zones"]), 2)
        self.assertEqual([body["id"] for body in self.client.orbit(limit=1)["bodies"]], [near])
        told = self.client.memory_orbit(near)
        self.assertAlmostEqual(sum(part["share"] for part in told["parts"]), told["score"], places=4)
        self.assertEqual([move.get("from") for move in told["moves"]], [None])
        self.client.forget(far)
        moves = self.client.orbit_moves(days=1, limit=10)
        self.assertEqual([move["id"] for move in moves["moves"]], [near, far, far])
        self.assertEqual((moves["moves"][-1].get("to"), moves["complete"], moves["more"]), (None, True, False))
        self.assertEqual(moves["now"], moves["until"])
        ahead = self.client.orbit_moves(ahead_days=365)
        self.assertIn(near, [move["id"] for move in ahead["moves"] if move["at"] > ahead["now"]])

    def test_a_graph_is_told_with_its_edges_by_the_places_of_their_ends(self):
        texts = ("펌프가 고장 났다", "保险丝烧断了", "Rain came in")
        pump, fuse, rain = (self.client.remember(text)["id"] for text in texts)
        self.client.link(pump, fuse, "derived_from", weight=0.75)
        self.client.link(fuse, rain, "derived_from")
        graph = self.client.graph()
        ids = [node["id"] for node in graph["nodes"]]
        self.assertEqual((graph["namespace"], graph["total_nodes"], set(ids)), (self.namespace, 3, {pump, fuse, rain}))
        derived = [edge for edge in graph["edges"] if edge["type"] == "derived_from"]
        self.assertEqual(
            {(ids[edge["source"]], ids[edge["target"]], edge["weight"]) for edge in derived},
            {(pump, fuse, 0.75), (fuse, rain, 1.0)},
        )
        self.assertEqual(len(self.client.graph(limit=1)["nodes"]), 1)

    def test_a_backup_that_was_made_is_listed(self):
        self.client.remember(KEYS)
        made = self.client.create_backup()
        listed = self.client.backups()
        kept = {backup["name"]: backup for backup in listed["backups"]}[made["name"]]
        self.assertEqual((kept["memories"], kept["bytes"]), (made["memories"], made["bytes"]))
        self.assertGreaterEqual(made["memories"], 1)
        self.assertIsInstance(listed["scheduled"], bool)

    def test_the_sample_is_loaded_once_and_removed(self):
        client = self.connect(timeout=LOAD_SECONDS)
        self.assertFalse(client.sample_status()["loaded"])
        self.refused(404, client.remove_sample)
        loaded = client.load_sample()
        status = client.sample_status()
        self.assertEqual((status["loaded"], status["memories"]), (True, loaded["memories"]))
        [body] = client.orbit(namespace=loaded["namespace"], limit=1)["bodies"]
        self.assertEqual(client.get(body["id"]).memory["namespace"], status["namespace"])
        self.refused(409, client.load_sample)
        self.assertGreaterEqual(client.remove_sample()["memories"], loaded["memories"])
        self.assertFalse(client.sample_status()["loaded"])

    def test_a_key_is_told_what_it_opens_and_opens_no_more(self):
        id = self.client.remember(KEYS)["id"]
        me = self.client.me()
        self.assertEqual((me["role"], me["scope"], me["local"], me["read_only"]), ("admin", "*", False, False))
        use = self.client.llm_calls(limit=1)
        self.assertEqual((use["calls"], use["spent_tokens_today"], len(use["days"])), ([], 0, 30))
        reader = self.restricted("reader", "elsewhere")
        self.assertEqual((reader.me()["role"], reader.me()["scope"]), ("reader", "elsewhere"))
        for work in (
            reader.llm_calls,
            reader.backups,
            reader.create_backup,
            reader.load_sample,
            reader.remove_sample,
            lambda: reader.orbit(namespace=self.namespace),
            lambda: reader.orbit_moves(namespace=self.namespace),
            lambda: reader.graph(namespace=self.namespace),
            lambda: reader.given_to_session("회의", namespace=self.namespace),
            lambda: reader.latencies(scope=self.namespace),
        ):
            self.refused(403, work)
        for hidden in (reader.memory_orbit, reader.trace_memory, lambda id: reader.explain_recall("钥匙", id)):
            self.refused(404, lambda: hidden(id))
