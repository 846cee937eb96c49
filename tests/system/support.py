"""Running the command under test. Every call has a time limit: no input may make it hang."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.argv[1])
FIXTURES = Path(os.environ.get("INGLE_FIXTURES") or ROOT.parent / "shared" / "fixtures")
TINY = ROOT / "models" / "stories260K.gguf"
LIMIT_S = 120


def clean_environment(extra=None):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("INGLE_", "LLAMA_ARG_", "NO_COLOR"))}
    return environment | (extra or {})


def ingle(*words, stdin=b"", env=None, **options):
    """The finished process; stdin and both outputs are bytes."""
    return subprocess.run([COMMAND, *map(str, words)], input=stdin, capture_output=True,
                          timeout=LIMIT_S, env=clean_environment(env), **options)


def needs(test, path):
    """Skips the test if data is missing, or fails it under CI=true."""
    if not Path(path).exists():
        if os.environ.get("CI") == "true":
            test.fail(f"test data is missing: {path}")
        test.skipTest(f"test data is missing: {path}")


class CommandTest(unittest.TestCase):
    def answer(self, *words, **options):
        """Standard output of a call that must succeed."""
        done = ingle(*words, **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return done.stdout

    def refused(self, code, *words, **options):
        """The message of a call that must fail with this code: one clear line, nothing on stdout."""
        done = ingle(*words, **options)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, message)
        self.assertEqual(done.stdout, b"")
        self.assertIn("error: ", message)
        return message


def main():
    result = unittest.main(argv=[sys.argv[0]], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.skipped and len(result.skipped) == result.testsRun else 0)
