"""quantize: llama-quantize's words, and what happens when the disk, the file or the words are wrong."""
import json
import os
import resource
import signal
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from support import COMMAND, TINY, CommandTest, clean_environment, ingle, main


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def write_model(path, rows, value=b"\x00\x3c\x00\x00"):
    """An F16 matrix of `rows` rows of 4096, and a F32 one of 1 row."""
    head = b"GGUF" + struct.pack("<IQQ", 3, 2, 1) + text("general.architecture") + struct.pack("<I", 8)
    head += text("llama") + text("blk.0.ffn_up.weight") + struct.pack("<IQQIQ", 2, 4096, rows, 1, 0)
    head += text("blk.0.ffn_down.weight") + struct.pack("<IQQIQ", 2, 256, 1, 0, 4096 * rows * 2)
    head += b"\0" * (-len(head) % 32)
    with open(path, "wb") as file:
        file.write(head)
        row = value * 2048
        for _ in range(rows):
            file.write(row)
        file.write(bytes(1024))


class Quantize(CommandTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.here = Path(self.folder.name)

    def test_the_output_may_be_left_out_and_a_type_be_a_number(self):
        model = self.here / "m.gguf"
        model.write_bytes(TINY.read_bytes())
        self.answer("quantize", model, "Q8_0")
        by_name = (self.here / "ggml-model-Q8_0.gguf").read_bytes()
        self.answer("quantize", model, self.here / "o.gguf", "7", "1")
        self.assertEqual(by_name, (self.here / "o.gguf").read_bytes())
        self.answer("quantize", model, self.here / "c.gguf", "COPY")
        self.assertEqual(TINY.read_bytes(), (self.here / "c.gguf").read_bytes())

    def test_a_quantized_model_still_tells_its_story(self):
        out = self.here / "q.gguf"
        self.answer("quantize", TINY, out, "Q8_0")
        words = ("-p", "Once upon a time", "-n", "20", "--temp", "0")
        self.assertEqual(self.answer("run", "-m", TINY, *words), self.answer("run", "-m", out, *words))

    def test_json_tells_types_and_errors(self):
        report = json.loads(self.answer("quantize", "--json", "--tensor-type", "attn_q=Q8_0",
                                        "--tensor-type", "ffn_(up|gate)=f16", TINY, self.here / "q.gguf", "Q4_0"))
        tensors = {tensor["name"]: tensor for tensor in report["tensors"]}
        self.assertEqual(tensors["blk.0.attn_q.weight"]["type_after"], "Q8_0")
        self.assertEqual(tensors["blk.0.ffn_up.weight"]["type_after"], "F16")
        self.assertEqual(tensors["blk.0.attn_k.weight"]["type_after"], "Q4_0")
        self.assertLess(tensors["blk.0.attn_q.weight"]["relative_rmse"], 0.01)
        self.assertGreater(tensors["blk.0.attn_k.weight"]["relative_rmse"], 0.05)
        self.assertIsNone(tensors["output_norm.weight"]["relative_rmse"])

    def test_more_effort_loses_less_in_as_many_bytes(self):
        self.answer("quantize", TINY, self.here / "0.gguf", "Q8_0")
        errors = []
        for effort in "123":
            report = json.loads(self.answer("quantize", "--json", "--effort", effort, TINY,
                                            self.here / f"{effort}.gguf", "Q8_0"))
            errors.append(sum(tensor["relative_rmse"] or 0 for tensor in report["tensors"]))
        self.assertLess(errors[1], 0.95 * errors[0])
        self.assertLessEqual(errors[2], errors[1])
        self.assertEqual((self.here / "0.gguf").read_bytes(), (self.here / "1.gguf").read_bytes())
        self.assertEqual((self.here / "0.gguf").stat().st_size, (self.here / "3.gguf").stat().st_size)
        self.assertIn("--effort", self.refused(2, "quantize", "--effort", "4", TINY, self.here / "x.gguf", "Q8_0"))

    def test_dry_run_writes_nothing(self):
        page = self.answer("quantize", "--dry-run", TINY, self.here / "q.gguf", "IQ2_XS").decode()
        self.assertIn("IQ4_NL", page)
        self.assertIn("instead of", page)
        self.assertEqual(list(self.here.iterdir()), [])

    def test_wrong_words_are_refused(self):
        out = self.here / "q.gguf"
        for words, part in (((), "found 0 words"), ((TINY,), "found 1 word"),
                            ((TINY, out, "Q4_K_N"), "did you mean Q4_K_M"),
                            ((TINY, out), "expected a type after"),
                            ((TINY, out, "Q8_0", "zero"), "number of threads"),
                            (("--tensor-type", "attn_(q=Q8_0", TINY, out, "Q4_0"), "missing ')'"),
                            (("--tensor-type", "attn_q=Q4_K_M", TINY, out, "Q4_0"), "found 'Q4_K_M'"),
                            (("--prune-layers", "9", TINY, out, "Q4_0"), "from 0 to 4, found 9"),
                            (("--include-weights", "a", TINY, out, "Q4_0"), "--imatrix"),
                            (("--override-kv", "a=b", TINY, out, "Q4_0"), "KEY=TYPE:VALUE"),
                            ((TINY, TINY, "Q4_0"), "made from")):
            self.assertIn(part, self.refused(2, "quantize", *words))
        self.assertIn("no/such", self.refused(3, "quantize", "no/such.gguf", out, "Q4_0"))
        self.assertIn("no/such", self.refused(3, "quantize", TINY, "no/such/q.gguf", "Q4_0"))
        self.assertIn("general.type", self.refused(2, "quantize", "--imatrix", TINY, TINY, out, "Q4_0"))
        self.assertEqual(list(self.here.iterdir()), [])

    def test_a_tensor_longer_than_the_file_is_refused(self):
        head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQIQ", 1, 262144, 1, 0)
        head += b"\0" * (-len(head) % 32)
        (self.here / "m.gguf").write_bytes(head + bytes(32))
        message = self.refused(4, "quantize", self.here / "m.gguf", self.here / "q.gguf", "Q4_0")
        self.assertIn("expected 524288 bytes", message)
        self.assertFalse((self.here / "q.gguf").exists())

    def test_a_full_disk_is_one_clear_error_and_the_old_file_stays(self):
        write_model(self.here / "m.gguf", 1000)
        out = self.here / "q.gguf"
        out.write_bytes(b"old")

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        message = self.refused(3, "quantize", self.here / "m.gguf", out, "Q4_0", preexec_fn=small_files)
        self.assertIn("cannot write", message)
        self.assertEqual(out.read_bytes(), b"old")
        self.assertEqual(sorted(path.name for path in self.here.iterdir()), ["m.gguf", "q.gguf"])

    def start(self, *words):
        return subprocess.Popen([COMMAND, *map(str, words)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=clean_environment())

    def test_ctrl_c_and_a_kill_leave_the_old_file(self):
        write_model(self.here / "m.gguf", 4000, b"\x11\x3c\x00\x38")
        out = self.here / "q.gguf"
        out.write_bytes(b"old")
        for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
            process = self.start("quantize", self.here / "m.gguf", out, "Q6_K", "1")
            while not any(".part-" in path.name for path in self.here.iterdir()):
                self.assertIsNone(process.poll(), "it ended before it could be stopped")
                time.sleep(0.01)
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, code)
            self.assertEqual(out.read_bytes(), b"old")
        # What the killed one left goes with the next file of that name; nothing else does.
        self.assertEqual(len([path for path in self.here.iterdir() if ".part-" in path.name]), 1)
        other = self.here / "q.gguf.part-of-something"
        other.write_bytes(b"mine")
        self.answer("quantize", TINY, out, "Q8_0")
        self.assertEqual([path.name for path in self.here.iterdir() if ".part-" in path.name], [other.name])

    def test_memory_does_not_grow_with_the_model(self):
        peaks = []
        for rows in (500, 20000):  # 4 MB and 160 MB
            write_model(self.here / "m.gguf", rows)
            process = self.start("quantize", self.here / "m.gguf", self.here / "q.gguf", "Q8_0", "2")
            _, status, usage = os.wait4(process.pid, 0)
            process.stdout.close()
            process.stderr.close()
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            peaks.append(usage.ru_maxrss)
        self.assertLess(peaks[1], 64 * 1024, peaks)


main()
