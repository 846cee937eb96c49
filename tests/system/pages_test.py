"""Pages, mistyped words, exit codes, colour, completion."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import COMMAND, TINY, CommandTest, clean_environment, ingle, main


def on_terminal(*words, env=None):
    """What the command writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([COMMAND, *map(str, words)], stdout=slave, stderr=slave, stdin=slave,
                               env=clean_environment({"TERM": "xterm"} | (env or {})))
    os.close(slave)
    written = b""
    while select.select([master], [], [], 60)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    process.wait(60)
    os.close(master)
    return written


class Pages(CommandTest):
    def test_alone_it_prints_a_page_for_newcomers(self):
        page = self.answer().decode()
        for word in ("chat", "run", "tokenize", "inspect", "bench", "ingle help VERB", "-m MODEL.gguf"):
            self.assertIn(word, page)
        self.assertEqual(page, self.answer("--help").decode())
        self.assertEqual(page, self.answer("help").decode())

    def test_every_verb_has_its_page_by_three_ways(self):
        words = [line.split()[0] for line in self.answer().decode().splitlines()
                 if line.startswith("  ") and not line.startswith("  ingle")]
        self.assertGreaterEqual(len(words), 10)
        for verb in words:
            page = self.answer("help", verb)
            self.assertIn(b"Usage\n  ingle " + verb.encode(), page)
            self.assertEqual(page, self.answer(verb, "--help"))
            self.assertEqual(page, self.answer(verb, "-h"))

    def test_the_version_names_the_kernels(self):
        self.assertRegex(self.answer("--version").decode(), r"^ingle \d+\.\d+\.\d+ \(.*kernels: \w+\)\n$")
        self.assertIn(b"kernels: v1", self.answer("--version", env={"INGLE_ISA": "v1"}))

    def test_exit_codes_are_documented(self):
        page = self.answer("help", "exit-codes").decode()
        for code in (0, 1, 2, 3, 4, 5, 6, 130):
            self.assertRegex(page, rf"\n  {code} ")

    def test_a_mistyped_verb_is_answered_with_the_nearest(self):
        self.assertIn("did you mean `ingle tokenize`?", self.refused(2, "tokenise"))
        self.assertIn("lists them", self.refused(2, "xyzzy"))

    def test_a_mistyped_flag_is_answered_with_the_nearest(self):
        self.assertIn("did you mean --temp?", self.refused(2, "run", "--tmp", "1"))
        self.assertIn("did you mean --ctx-size?", self.refused(2, "run", "--ctx-sise", "1"))

    def test_a_wrong_value_says_what_was_expected_and_found(self):
        message = self.refused(2, "run", "-m", TINY, "-c", "many")
        self.assertIn("-c: expected a whole number", message)
        self.assertIn("found 'many'", message)

    def test_a_word_where_none_belongs_is_refused(self):
        self.assertIn("unexpected word 'extra'", self.refused(2, "run", "-m", TINY, "extra"))

    def test_doctor_speaks_json(self):
        found = json.loads(self.answer("doctor", "--json"))
        self.assertIn("llama", found["architectures"])
        self.assertIn("Q4_K", found["formats"])
        self.assertGreaterEqual(found["threads"], 1)

    def test_completion_scripts_are_made_for_three_shells(self):
        script = self.answer("completion", "bash")
        self.assertEqual(subprocess.run(["bash", "-n"], input=script).returncode, 0)
        completed = subprocess.run(
            ["bash", "-c", 'source /dev/stdin; COMP_WORDS=(ingle tok); COMP_CWORD=1; _ingle; '
             'echo "${COMPREPLY[@]}"'], input=script, capture_output=True)
        self.assertEqual(completed.stdout, b"tokenize\n")
        for shell in ("zsh", "fish"):
            self.assertIn(b"tokenize", self.answer("completion", shell))
        self.refused(2, "completion", "csh")

    def test_every_verb_has_a_manual_page_with_all_its_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            self.answer("man", "--folder", folder)
            pages = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        self.assertEqual(pages.pop("ingle.1"), self.answer("man"))
        self.assertGreaterEqual(len(pages), 10)
        for name, page in pages.items():
            verb = name.removeprefix("ingle-").removesuffix(".1")
            self.assertEqual(page, self.answer("man", verb))
            flags = re.findall(rb"^  (-[^ ].*?)(?:  |$)", self.answer("help", verb), re.MULTILINE)
            self.assertGreater(len(flags), 0)
            for flag in re.findall(rb"-[\w-]+", b" ".join(flags)):
                self.assertIn(rb"\fB" + flag.replace(b"-", rb"\-") + rb"\fR", page)
        self.assertIn("no verb 'xyzzy'", self.refused(2, "man", "xyzzy"))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_manual_pages_are_roff_without_a_warning(self):
        for words in (["man"], ["man", "run"], ["man", "grammar"], ["man", "quantize"]):
            done = subprocess.run(["groff", "-man", "-ww", "-z"], input=self.answer(*words), capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""), words)

    def test_colour_is_for_terminals_and_can_be_refused(self):
        self.assertIn(b"\x1b[", on_terminal("help", "run"))
        self.assertNotIn(b"\x1b[", on_terminal("help", "run", env={"NO_COLOR": "1"}))
        self.assertNotIn(b"\x1b[", self.answer("help", "run"))

    def test_a_full_disk_is_not_success(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, "doctor"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"standard output could not be written", done.stderr)


main()
