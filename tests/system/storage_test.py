"""--no-repack, --repack-cache: the same text, one file for all, and no harm where there is no room for it."""
import json
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from support import COMMAND, TINY, CommandTest, clean_environment, ingle, main

STORY = ("-p", "Once upon a time", "-n", "20", "--temp", "0")


class Storage(CommandTest):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.model = self.folder / "model.gguf"
        shutil.copy(TINY, self.model)
        self.cache = self.folder / "cache"
        self.text = self.answer("run", "-m", self.model, *STORY)

    def files(self, folder=None):
        folder = folder or self.cache
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def test_no_repack_gives_the_same_text(self):
        self.assertEqual(self.answer("run", "-m", self.model, *STORY, "--no-repack"), self.text)
        self.assertEqual(self.answer("run", "-m", self.model, *STORY, env={"INGLE_REPACK": "false"}), self.text)

    def test_a_cache_is_told_when_it_is_written_and_used_afterwards(self):
        first = ingle("run", "-m", self.model, *STORY, "--repack-cache", self.cache)
        self.assertEqual(first.stdout, self.text)
        self.assertIn(f"of repacked weights to {self.cache}/model-".encode(), first.stderr)
        self.assertEqual(len(self.files()), 1)
        before = (self.cache / self.files()[0]).stat()
        for words in (("--repack-cache", self.cache), (f"--repack-cache={self.cache}",)):
            later = ingle("run", "-m", self.model, *STORY, *words)
            self.assertEqual((later.stdout, later.stderr), (self.text, b""))
        after = (self.cache / self.files()[0]).stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_the_folder_may_be_left_out(self):
        home = {"XDG_CACHE_HOME": str(self.folder / "home")}
        usual = self.folder / "home" / "ingle" / "repacked"
        self.assertEqual(self.answer("run", "--repack-cache", "-m", self.model, *STORY, env=home), self.text)
        self.assertEqual(len(self.files(usual)), 1)
        self.assertEqual(self.answer("run", "-m", self.model, *STORY, env=home | {"INGLE_REPACK_CACHE": "default"}),
                         self.text)
        self.assertEqual(len(self.files(usual)), 1)
        self.answer("run", "-m", self.model, *STORY, env={"INGLE_REPACK_CACHE": str(self.cache)})
        self.assertEqual(len(self.files()), 1)

    def test_both_at_once_are_refused(self):
        message = self.refused(2, "run", "-m", self.model, "-p", "a", "--no-repack", "--repack-cache", self.cache)
        self.assertIn("--no-repack and --repack-cache", message)

    def test_doctor_counts_and_rm_deletes(self):
        self.answer("run", "-m", self.model, *STORY, "--repack-cache", self.cache)
        size = (self.cache / self.files()[0]).stat().st_size
        found = json.loads(self.answer("doctor", "--json", "--repack-cache", self.cache))
        self.assertEqual((found["repack_cache"], found["repack_cache_files"], found["repack_cache_bytes"]),
                         (str(self.cache), 1, size))
        self.assertIn(f"in 1 file of {self.cache}", self.answer("doctor", "--repack-cache", self.cache).decode())
        (self.cache / "other.txt").write_text("stays")
        self.assertIn(b"freed", self.answer("rm", "--repack-cache", self.cache))
        self.assertEqual(self.files(), ["other.txt"])

    def test_a_plan_tells_mapped_weights_apart(self):
        packed = json.loads(self.answer("plan", self.model, "-c", "256", "--json"))
        self.assertEqual(packed["mapped_weight_bytes"], 0)
        for words in (("--no-repack",), ("--repack-cache", self.cache)):
            plan = json.loads(self.answer("plan", self.model, "-c", "256", "--json", *words))
            self.assertGreater(plan["mapped_weight_bytes"], 500000)
            self.assertLess(plan["weight_bytes"], 10000)
            # In the cache each matrix begins on a page of its own.
            self.assertAlmostEqual(sum(layer["mapped_weight_bytes"] for layer in plan["layers"]),
                                   plan["mapped_weight_bytes"], delta=4096 * 60)
            self.assertEqual(self.files(), [], "a plan writes nothing")
        self.assertIn("shared between processes", self.answer("plan", self.model, "--no-repack").decode())

    def test_a_full_disk_is_told_and_the_model_runs(self):
        def allow_100_kilobytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        # Python ignores the signal that goes with the limit, and so do its children here: writing fails.
        done = ingle("run", "-m", self.model, *STORY, "--repack-cache", self.cache,
                     preexec_fn=allow_100_kilobytes, restore_signals=False)
        self.assertEqual(done.stdout, self.text, done.stderr)
        self.assertIn(b"the model is loaded without it", done.stderr)
        self.assertEqual(self.files(), [])

    def test_a_folder_that_may_not_be_written_is_told_and_the_model_runs(self):
        for folder in (self.model, "/proc/nothing"):
            done = ingle("run", "-m", self.model, *STORY, f"--repack-cache={folder}")
            self.assertEqual(done.stdout, self.text, done.stderr)
            self.assertIn(b"the model is loaded without it", done.stderr)

    def test_several_processes_at_once_make_one_file(self):
        words = [COMMAND, "run", "-m", str(self.model), *STORY, "--repack-cache", str(self.cache)]
        running = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    stdin=subprocess.DEVNULL, env=clean_environment()) for _ in range(6)]
        for process in running:
            out, err = process.communicate(timeout=120)
            self.assertEqual(out, self.text, err)
            self.assertNotIn(b"made anew", err)
        self.assertEqual(len(self.files()), 1)

    def test_a_killed_writer_leaves_nothing_that_the_next_does_not_remove(self):
        self.cache.mkdir()
        self.answer("run", "-m", self.model, *STORY, "--repack-cache", self.cache)
        name = self.files()[0]
        os.rename(self.cache / name, self.cache / f"{name}.part-1-1")
        self.assertEqual(self.answer("run", "-m", self.model, *STORY, "--repack-cache", self.cache), self.text)
        self.assertEqual(self.files(), [name])


if __name__ == "__main__":
    main()
