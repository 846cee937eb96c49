"""tools/layers and tools/sizes fail on a tree that breaks their rule, and say where."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(tool, tree):
    return subprocess.run([sys.executable, ROOT / "tools" / tool, tree],
                          capture_output=True, text=True)


class Rules(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.tree = Path(self.scratch.name)
        for folder in ("docs", "tools", "src/base", "src/gguf", "apps/cli"):
            (self.tree / folder).mkdir(parents=True)
        shutil.copy(ROOT / "docs/LAYERS.md", self.tree / "docs")
        (self.tree / "tools/sizes.reasons").write_text("# none\n")
        for name in ("check", "quickstart", "CMakeLists.txt"):
            (self.tree / name).write_text("\n")
        (self.tree / "src/base/a.h").write_text("#pragma once\n")
        (self.tree / "src/gguf/b.h").write_text('#include "base/a.h"\n')

    def tearDown(self):
        self.scratch.cleanup()

    def test_a_clean_tree_passes(self):
        self.assertEqual(run("layers", self.tree).returncode, 0)
        self.assertEqual(run("sizes", self.tree).returncode, 0)

    def test_an_include_that_points_down_is_named(self):
        (self.tree / "src/base/a.h").write_text('#include "gguf/b.h"\n')
        result = run("layers", self.tree)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("src/base/a.h", result.stderr)
        self.assertIn("'base' may not see 'gguf'", result.stderr)

    def test_a_folder_without_a_row_is_named(self):
        (self.tree / "src/new").mkdir()
        (self.tree / "src/new/c.h").write_text("")
        self.assertIn("src/new/c.h", run("layers", self.tree).stderr)

    def test_a_long_file_needs_a_reason(self):
        (self.tree / "src/base/long.cpp").write_text("\n" * 501)
        self.assertIn("src/base/long.cpp: 501 lines", run("sizes", self.tree).stderr)
        (self.tree / "tools/sizes.reasons").write_text("src/base/long.cpp: a table of facts\n")
        self.assertEqual(run("sizes", self.tree).returncode, 0)

    def test_a_reason_that_is_not_needed_fails(self):
        (self.tree / "tools/sizes.reasons").write_text("src/base/a.h: it was long once\n")
        self.assertIn("needs no reason", run("sizes", self.tree).stderr)


unittest.main(argv=sys.argv[:1])
