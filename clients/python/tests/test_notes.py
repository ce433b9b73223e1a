"""Notes of sessions and the context of agents, against a real server."""

import unittest

from perihelion_client import PeriError
from support import ServedTestCase

SAID = {"role": "user", "text": "앞으로 배포는 금요일에 하지 않기로 결정했어.", "at": "2026-03-04T05:06:07Z"}


class Notes(ServedTestCase):
    def parts(self, context):
        return [part["kind"] for part in context["parts"]]

    def test_what_is_heard_is_noted_listed_replayed_and_forgotten(self):
        heard = self.client.hear("팀/월요일", [SAID], user="小明", observe="later")
        self.assertEqual((heard["outcome"], heard["kept"], heard["namespace"]), ("kept", 1, self.namespace))
        self.assertEqual(self.client.hear("팀/월요일", [SAID], observe="later")["repeated"], 1)
        self.client.observe("팀/월요일")
        [note] = self.client.session_notes("팀/월요일")["notes"]
        self.assertIn("금요일", note["text"])
        [spoken] = self.client.replay("팀/월요일", limit=5)
        self.assertEqual((spoken["entry"]["text"], spoken["notes"]), (SAID["text"], [note]))
        [session] = self.client.note_sessions()
        self.assertEqual((session["session"], session["notes"], session["pending"]), ("팀/월요일", 1, 0))
        self.assertEqual(self.client.durable_notes()["notes"], [])
        self.assertIsInstance(self.client.observe_due(), list)
        self.assertEqual(self.client.forget_notes("팀/월요일")["notes"], 1)
        self.assertIsNone(self.client.session_notes("팀/월요일"))

    def test_a_context_is_looked_at_lent_returned_and_confirmed_once(self):
        self.client.hear("first", [SAID], observe="now")
        seen = self.client.look_at_context(session="first", tokens_max=500)
        self.assertEqual((self.parts(seen)[0], seen["loan"]), ("session_notes", None))
        lent = self.client.context(session="second", moment="start", deliver="once")
        self.assertIn("earlier_session", self.parts(lent))
        self.client.return_context("second", lent["loan"])
        again = self.client.context(session="third", moment="start", deliver="once")
        self.assertIn("earlier_session", self.parts(again))
        confirmed = self.client.confirm_context("third", again["loan"], handed_out=["더"])
        self.assertEqual((confirmed["session"], confirmed["loan"]), ("third", again["loan"]))
        with self.assertRaises(PeriError) as late:
            self.client.confirm_context("second", lent["loan"])
        self.assertEqual(late.exception.status, 409)
        last = self.client.context(session="fourth", moment="start", deliver="once")
        self.assertNotIn("earlier_session", self.parts(last))


if __name__ == "__main__":
    unittest.main()
