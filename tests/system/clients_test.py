"""The official clients of OpenAI (Python and npm), Anthropic and Ollama against the server, unchanged."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from server_support import CommandTest, Server
from support import main

PINNED = ("openai==3.57.0", "anthropic==2.14.0", "ollama==0.6.3")
NPM_PINNED = "openai@7.59.0"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ingle" / "clients"
NPM_FOLDER = FOLDER.with_name("clients-npm")


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


def make_node_modules():
    """Why there is no npm client; None if there is one in NPM_FOLDER."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return "node and npm are not installed"
    mark = NPM_FOLDER / "installed"
    if mark.exists() and mark.read_text() == NPM_PINNED:
        return None
    try:
        shutil.rmtree(NPM_FOLDER, ignore_errors=True)
        NPM_FOLDER.mkdir(parents=True)
        subprocess.run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", NPM_FOLDER, NPM_PINNED],
                       check=True, capture_output=True, timeout=400)
    except (subprocess.SubprocessError, OSError):
        return "the npm client could not be installed (no network?)"
    mark.write_text(NPM_PINNED)
    return None


def run(test, server, *words):
    done = subprocess.run([*words], capture_output=True, text=True, timeout=300)
    test.assertEqual(done.returncode, 0, done.stderr[-4000:] + "".join(server.log[-20:]))
    return json.loads(done.stdout)


class NpmClient(CommandTest):
    def test_openai(self):
        if reason := make_node_modules():
            self.skipTest(f"{reason}: not tried")
        server = Server(self, "--api-key", "sk-test")
        script = Path(__file__).with_name("clients") / "openai_client.mjs"
        found = run(self, server, "node", script, server.url, NPM_FOLDER)
        self.assertEqual(found["chat"], found["stream"])
        self.assertEqual(found["response"], found["response_stream"])
        self.assertEqual((found["usage"], found["logprobs"]), (16, 16))
        self.assertTrue(found["text"])
        self.assertEqual((found["schema"], found["tool"]), ("boolean", ["answer", "object"]))
        self.assertEqual(found["embedding"][0], found["embedding"][1])
        self.assertTrue(found["cancelled"])
        self.assertEqual(found["bad_key"], "AuthenticationError")
        self.assertEqual(found["too_long"], "BadRequestError")
        # The answer that was left ends with it.
        server.until(lambda: not any(slot["is_processing"]
                                     for slot in server.get("/slots", Authorization="Bearer sk-test")[1]))


class Clients(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.python = make_environment()
        if cls.python is None:
            raise unittest.SkipTest("the clients could not be installed (no network?): not tried")

    def run_client(self, name, *flags):
        server = Server(self, *flags)
        return run(self, server, self.python, Path(__file__).with_name("clients") / f"{name}.py", server.url)

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
