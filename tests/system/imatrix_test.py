"""imatrix: measuring, merging, taking up again, both forms, statistics."""
import json
import signal
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from support import COMMAND, FIXTURES, CommandTest, clean_environment, main, needs

MODEL = FIXTURES / "quant-models" / "tiny-llama-F16.gguf"
TEXT = FIXTURES / "text" / "frankenstein.txt"
GOLDEN = FIXTURES / "imatrix" / "tiny-llama.imatrix"


def read_dat(path):
    """{name: (calls, values)}, last chunk, text."""
    data, at, entries = path.read_bytes(), 4, {}
    for _ in range(struct.unpack_from("<i", data)[0]):
        length, = struct.unpack_from("<i", data, at)
        name = data[at + 4:at + 4 + length].decode()
        calls, count = struct.unpack_from("<ii", data, at + 4 + length)
        at += 12 + length
        entries[name] = (calls, struct.unpack_from(f"<{count}f", data, at))
        at += 4 * count
    last, length = struct.unpack_from("<ii", data, at)
    return entries, last, data[at + 8:at + 8 + length].decode()


class Imatrix(CommandTest):
    def setUp(self):
        for path in (MODEL, TEXT, GOLDEN.with_suffix(".imatrix.gguf")):
            needs(self, path)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def measure(self, out, *words):
        return self.answer("imatrix", "-m", MODEL, "-f", TEXT, "-c", "256", "-o", out, *words).decode()

    def figures(self, *files):
        words = [word for file in files for word in ("--in-file", file)]
        report = json.loads(self.answer("imatrix", *words, "--show-statistics", "--json"))
        return report, {tensor["name"]: tensor for tensor in report["tensors"]}

    def assert_close(self, one, other, tolerance):
        self.assertEqual(one.keys(), other.keys())
        for name in one:
            for field in ("sum", "max", "mean", "entropy"):
                self.assertAlmostEqual(one[name][field] / other[name][field], 1, delta=tolerance, msg=name)

    def test_it_equals_the_sample_in_both_forms(self):
        out = self.folder / "a.gguf"
        text = self.measure(out, "--chunks", "40", "--process-output")
        self.assertRegex(text, r"PPL = 50\.\d{4}")
        report, tensors = self.figures(out)
        golden_report, golden = self.figures(str(GOLDEN) + ".gguf")
        self.assertEqual((report["chunks"], report["chunk_tokens"]), (40, 256))
        self.assertEqual(report["datasets"], [str(TEXT)])
        self.assert_close(tensors, golden, 3e-4)
        dat = self.folder / "a.dat"
        self.answer("imatrix", "--in-file", out, "-o", dat, "--output-format", "dat")
        ours, last, name = read_dat(dat)
        theirs, their_last, _ = read_dat(Path(str(GOLDEN) + ".dat"))
        self.assertEqual((last, name), (their_last, str(TEXT)))
        self.assertEqual(ours.keys(), theirs.keys())
        for key, (calls, values) in ours.items():
            self.assertEqual(calls, theirs[key][0])
            worst = max(abs(a - b) for a, b in zip(values, theirs[key][1]))
            self.assertLess(worst / max(values), 3e-4)

    def test_parts_merge_to_the_whole(self):
        whole, a, b, both = (self.folder / name for name in ("whole", "a", "b", "both"))
        self.measure(whole, "--chunks", "6", "--no-ppl")
        self.measure(a, "--chunks", "2", "--no-ppl")
        self.measure(b, "--chunks", "4", "--from-chunk", "2", "--no-ppl")
        self.answer("imatrix", "--in-file", a, "--in-file", b, "-o", both)
        report, merged = self.figures(both)
        self.assertEqual(report["chunks"], 6)
        self.assert_close(merged, self.figures(whole)[1], 1e-5)
        added = self.folder / "added"
        self.measure(added, "--chunks", "4", "--from-chunk", "2", "--no-ppl", "--in-file", a)
        self.assert_close(self.figures(added)[1], merged, 1e-5)

    def test_an_interrupted_run_is_taken_up_again(self):
        whole, part = self.folder / "whole", self.folder / "part"
        self.measure(whole, "--chunks", "80", "--no-ppl")
        process = subprocess.Popen(
            [COMMAND, "imatrix", "-m", MODEL, "-f", TEXT, "-c", "256", "--chunks", "80", "-t", "1", "-o", part,
             "-ofreq", "1", "--reference"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=clean_environment())
        while not part.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, messages)
        self.assertIn(b"--resume", messages)
        done = self.figures(part)[0]["chunks"]
        self.assertTrue(0 < done < 80, done)
        self.measure(part, "--chunks", "80", "--no-ppl", "--resume")
        report, tensors = self.figures(part)
        self.assertEqual(report["chunks"], 80)
        self.assert_close(tensors, self.figures(whole)[1], 3e-4)
        self.assertIn("80 chunks", self.measure(part, "--chunks", "80", "--resume"))
        self.refused(2, "imatrix", "-m", MODEL, "-f", TEXT, "-c", "128", "-o", part, "--resume")

    def test_copies_are_kept_on_the_way(self):
        self.measure(self.folder / "m", "--chunks", "4", "--save-frequency", "2", "--no-ppl")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["m", "m.at_2", "m.at_4"])
        self.assertEqual(self.figures(self.folder / "m.at_2")[0]["chunks"], 2)

    def test_refusals(self):
        out = self.folder / "x"
        self.assertIn("--in-file", self.refused(2, "imatrix", "-m", MODEL, "-o", out))
        self.assertIn("256", self.refused(2, "imatrix", "-m", MODEL, "-p", "too short", "-c", "256", "-o", out))
        self.refused(2, "imatrix", "-f", TEXT, "-o", out)
        self.refused(2, "imatrix", "--in-file", MODEL, "-o", out)
        self.refused(3, "imatrix", "--in-file", self.folder / "nowhere", "-o", out)
        smollm2 = FIXTURES / "imatrix" / "smollm2.imatrix.gguf"
        self.assertIn("columns", self.refused(2, "imatrix", "--in-file", str(GOLDEN) + ".gguf", "--in-file", smollm2,
                                              "-o", out))
        self.assertEqual(list(self.folder.iterdir()), [])


main()
