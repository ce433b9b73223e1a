"""What is sent again, and what never is."""

import json
import unittest

from perihelion_client import Client, EventsMissing, PeriError, Retries, Unreachable
from support import EAGER, PATIENT, ServedTestCase, Stub, answers, breaks_off, forwarder, hangs_up

STORED = answers(201, {"id": "x", "outcome": "stored"})


def busy(status, **headers):
    return answers(status, {"type": "/problems/busy", "detail": "later"}, **headers)


class Stubbed(unittest.TestCase):
    def client(self, *script, **options):
        self.stub = Stub(self, *script)
        client = Client(self.stub.url, **{"retries": EAGER, **options})
        self.addCleanup(client.close)
        return client

    def test_a_write_whose_answer_is_lost_is_sent_again_under_the_same_key(self):
        client = self.client(hangs_up, hangs_up, STORED)
        self.assertEqual(client.remember("once")["outcome"], "stored")
        self.assertEqual(len(self.stub.requests), 3)
        self.assertEqual(len(set(self.stub.keys())), 1)
        self.assertEqual(len({body for *_, body in self.stub.requests}), 1)

    def test_every_write_has_a_key_of_its_own_unless_one_is_given(self):
        client = self.client(STORED)
        client.remember("one")
        client.remember("one")
        client.remember("one", idempotency_key="mine")
        first, second, third = self.stub.keys()
        self.assertTrue(first and second and first != second)
        self.assertEqual(third, "mine")

    def test_a_request_that_could_be_done_twice_is_sent_once(self):
        for script in (hangs_up, busy(503, **{"Retry-After": "0"})):
            client = self.client(script)
            with self.assertRaises(PeriError):
                client.create_key("k", "reader")
            self.assertEqual(len(self.stub.requests), 1)
            self.assertEqual(self.stub.keys(), [None])

    def test_requests_on_connections_of_their_own_leave_few_of_them_open(self):
        client = self.client(answers(201, {"key": "k"}))
        for _ in range(20):
            client.create_key("k", "reader")
        self.assertLessEqual(len(client._transport._idle), 8)

    def test_a_busy_server_is_asked_again_only_when_it_says_so(self):
        for status, headers, times in [
            (429, {"Retry-After": "0"}, 2),
            (503, {"Retry-After": "0"}, 2),
            (503, {}, 1),
            (500, {"Retry-After": "0"}, 1),
            (400, {}, 1),
            (409, {}, 1),
        ]:
            with self.subTest(status=status, headers=headers):
                client = self.client(busy(status, **headers), STORED)
                if times == 1:
                    with self.assertRaises(PeriError) as caught:
                        client.remember("text")
                    self.assertEqual(caught.exception.status, status)
                else:
                    client.remember("text")
                self.assertEqual(len(self.stub.requests), times)

    def test_a_first_request_that_is_still_worked_on_is_waited_for(self):
        under_way = answers(409, {"type": "/problems/under-way", "detail": "wait"}, **{"Retry-After": "0"})
        client = self.client(under_way, STORED)
        self.assertEqual(client.remember("text")["outcome"], "stored")

    def test_retries_come_to_an_end(self):
        client = self.client(hangs_up)
        with self.assertRaises(Unreachable) as caught:
            client.recall("anything")
        self.assertIsNone(caught.exception.status)
        self.assertEqual(len(self.stub.requests), 1 + EAGER.count)

    def test_a_wait_is_never_longer_than_allowed(self):
        retries = Retries(count=9, first_wait=1.0, wait_max=5.0)
        self.assertEqual(retries.wait(1, 3600.0), 5.0)
        self.assertEqual(retries.wait(1, 0.0), 0.0)
        self.assertTrue(all(retries.wait(attempt, None) <= 5.0 for attempt in range(1, 10)))

    def test_a_connection_is_used_for_many_requests_and_replaced_when_it_is_gone(self):
        def then_closes(handler):
            STORED(handler)
            handler.close_connection = True

        client = self.client(then_closes, STORED, retries=Retries(count=0))
        client.remember("one")
        client.remember("two")

    def test_a_stream_that_breaks_off_is_not_taken_for_whole(self):
        client = self.client(breaks_off('{"a":1}\n{"b"'))
        lines = client.export()
        self.assertEqual(next(lines), '{"a":1}')
        with self.assertRaises(Unreachable):
            next(lines)

    def test_events_that_are_gone_are_told_of(self):
        client = self.client(breaks_off('retry: 3000\n\nevent: lagged\ndata: {"after":3,"through":9}\n\n'))
        with self.assertRaises(EventsMissing) as caught:
            next(client.events(after=3))
        self.assertEqual((caught.exception.after, caught.exception.through), (3, 9))

    def test_events_come_once_however_often_the_stream_breaks(self):
        def told(*numbers):
            return "".join(f'id: {number}\nevent: stored\ndata: {{"number":{number}}}\n\n' for number in numbers)

        client = self.client(
            breaks_off(told(4, 5) + 'id: 6\nevent: stored\ndata: {"num'),
            breaks_off(": alive\nid: 8\n\n"),
            breaks_off(told(9)),
        )
        events = client.events(after=3)
        self.assertEqual([next(events)["number"] for _ in range(3)], [4, 5, 9])
        self.assertEqual([headers["Last-Event-ID"] for _, _, headers, _ in self.stub.requests], ["3", "5", "8"])

    def test_an_answer_of_something_in_between_is_an_error_all_the_same(self):
        client = self.client(lambda handler: handler.reply(502, {"X-Request-Id": "r1"}, b"<html>Bad Gateway</html>"))
        with self.assertRaises(PeriError) as caught:
            client.health()
        self.assertEqual((caught.exception.status, caught.exception.request_id), (502, "r1"))

    def test_names_that_the_server_does_not_know_are_not_sent(self):
        client = self.client(STORED)
        for work in (
            lambda: client.remember("text", tagz=["a"]),
            lambda: client.recall("text", scope="team"),
            lambda: next(client.list(tags=["a"])),
        ):
            with self.assertRaises(TypeError):
                work()
        self.assertEqual(self.stub.requests, [])

    def test_lists_truth_and_any_character_survive_the_address(self):
        client = self.client(answers(200, {"memories": [], "next_cursor": None}), namespace="팀/에이전트")
        list(client.list(tag=["a&b=c", "둘"], pinned=False, session=None))
        path = self.stub.requests[0][1]
        self.assertEqual(
            path,
            "/v1/memories?pinned=false&scope=%ED%8C%80%2F%EC%97%90%EC%9D%B4%EC%A0%84%ED%8A%B8&tag=a%26b%3Dc&tag=%EB%91%98",
        )

    def test_a_server_behind_a_path_is_reached_with_the_key(self):
        self.stub = Stub(self, STORED)
        with Client(self.stub.url + "/memory/", key="secret") as client:
            client.remember("text")
        method, path, headers, body = self.stub.requests[0]
        self.assertEqual((method, path), ("POST", "/memory/v1/memories"))
        self.assertEqual(headers["Authorization"], "Bearer secret")
        self.assertEqual(json.loads(body), {"content": "text"})


class Restarted(ServedTestCase):
    def test_a_write_is_stored_once_though_the_server_was_restarted_before_it_was_answered(self):
        lost = []

        def loses(handler):
            if lost:
                return False
            lost.append(handler.headers["Idempotency-Key"])
            self.server.stop()
            self.server.start()
            return True

        url = forwarder(self, lambda: self.server.url, loses)
        with Client(url, self.server.admin, self.namespace, retries=PATIENT) as client:
            receipt = client.remember("The parcel was delivered to the neighbour")
        self.assertEqual(len(lost), 1)
        # Done a second time, it would have been merged into the first.
        self.assertEqual(receipt["outcome"], "stored")
        listed = list(self.connect(namespace=self.namespace).list())
        self.assertEqual([memory["id"] for memory in listed], [receipt["id"]])
        self.assertEqual(len(self.connect(namespace=self.namespace).event_log(kind=["repeated"])["events"]), 0)
