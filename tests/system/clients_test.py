"""The official clients of OpenAI, Anthropic and Ollama against the server, unchanged."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from server_support import CommandTest, Server
from support import main

PINNED = ("openai==3.57.0", "anthropic==2.14.0", "ollama==0.6.3")
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ingle" / "clients"
QUESTION = [{"role": "user", "content": "Once upon a time"}]


def make_environment():
    """The folder of a virtual environment that holds the clients; None without a network."""
    python = FOLDER / "bin" / "python"
    mark = FOLDER / "installed"
    if mark.exists() and mark.read_text() == "\n".join(PINNED):
        return python
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True, capture_output=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PINNED], check=True, capture_output=True, timeout=400)
    except (subprocess.SubprocessError, OSError):
        return None
    mark.write_text("\n".join(PINNED))
    return python


class Clients(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.python = make_environment()
        if cls.python is None:
            raise unittest.SkipTest("the clients could not be installed (no network?): not tried")

    def run_client(self, name, *flags):
        server = Server(self, *flags)
        done = subprocess.run([self.python, Path(__file__).with_name("clients") / f"{name}.py", server.url],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:] + "".join(server.log[-20:]))
        return json.loads(done.stdout)

    def test_openai(self):
        found = self.run_client("openai_client", "--api-key", "sk-test")
        self.assertEqual(found["chat"], found["stream"])
        self.assertEqual(found["chat"], found["async"])
        self.assertEqual(found["response"], found["response_stream"])
        self.assertEqual(found["bad_key"], "AuthenticationError")
        self.assertEqual(found["too_long"], "BadRequestError")
        self.assertGreater(found["usage"], 0)
        self.assertEqual(found["embedding"], found["embedding_base64"])

    def test_anthropic(self):
        found = self.run_client("anthropic_client")
        self.assertEqual(found["message"], found["stream"])
        self.assertEqual(found["input_tokens"], found["counted"])
        self.assertEqual(found["bad"], "BadRequestError")

    def test_ollama(self):
        found = self.run_client("ollama_client")
        self.assertEqual(found["chat"], found["stream"])
        self.assertTrue(found["generate"])
        self.assertEqual(found["embeddings"], 2)
        self.assertIn(found["name"], found["models"])


if __name__ == "__main__":
    main()
