"""The client against the document of a real server."""

import subprocess
import sys

from support import CLIENTS, ServedTestCase


class Document(ServedTestCase):
    def test_every_operation_and_field_is_as_the_document_says(self):
        command = [sys.executable, "-B", str(CLIENTS / "generator"), f"{self.server.url}/openapi.json", "--check"]
        checked = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(checked.returncode, 0, checked.stdout.decode())
