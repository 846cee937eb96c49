"""gguf: split and merge, metadata, hashes, differences, extraction, checks."""
import hashlib
import json
import resource
import shutil
import struct
import tempfile
from pathlib import Path

from support import FIXTURES, TINY, CommandTest, ingle, main, needs


class Gguf(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.copy = self.folder / "copy.gguf"
        shutil.copy(TINY, self.copy)

    def gguf(self, *words):
        return self.answer("gguf", *words).decode()

    def names(self):
        return sorted(file.name for file in self.folder.iterdir())

    def test_dump_and_get(self):
        report = json.loads(self.gguf("dump", TINY, "--json"))
        self.assertEqual(len(report["tensors"]), 48)
        self.assertEqual(self.gguf("get", TINY, "general.architecture"), "llama\n")
        self.assertEqual(len(self.gguf("get", TINY, "tokenizer.ggml.scores").splitlines()), 512)
        self.assertIn("did you mean general.name", self.refused(3, "gguf", "get", TINY, "general.nam"))

    def test_parts_are_those_of_llama_gguf_split_and_merge_back(self):
        self.gguf("split", TINY, self.folder / "p", "--split-max-tensors", "20")
        self.assertEqual(self.names(), ["copy.gguf"] + [f"p-0000{i}-of-00003.gguf" for i in (1, 2, 3)])
        # SHA-256 of what llama-gguf-split --split-max-tensors 20 writes of this file.
        self.assertEqual(hashlib.sha256((self.folder / "p-00002-of-00003.gguf").read_bytes()).hexdigest(),
                         "6fd778b5fd55da76fd09dfd1a4ca1534d5cbc7481109c91ab551b594f12751bf")
        self.gguf("merge", self.folder / "p-00003-of-00003.gguf", self.folder / "m.gguf")
        self.assertEqual((self.folder / "m.gguf").read_bytes(), TINY.read_bytes())
        story = ("-n", "8", "-p", "Once", "--temp", "0")
        self.assertEqual(self.answer("run", "-m", self.folder / "p-00001-of-00003.gguf", *story),
                         self.answer("run", "-m", TINY, *story))
        (self.folder / "p-00002-of-00003.gguf").unlink()
        self.assertIn("00002", self.refused(3, "gguf", "merge", self.folder / "p-00001-of-00003.gguf",
                                            self.folder / "n.gguf"))
        self.refused(2, "gguf", "merge", TINY, self.folder / "n.gguf")
        self.assertNotIn("n.gguf", self.names())

    def test_sizes_and_dry_runs(self):
        page = self.gguf("split", TINY, self.folder / "p", "--split-max-size", "300K", "--dry-run")
        self.assertGreater(page.count(".gguf"), 3)
        self.assertEqual(self.names(), ["copy.gguf"])
        self.refused(2, "gguf", "split", TINY, self.folder / "p", "--split-max-size", "3X")

    def test_metadata_is_edited_and_the_rest_stays(self):
        self.gguf("set", self.copy, "general.name=str:A = b", "llama.context_length=4096", "my.list=u32[]:1,2")
        self.assertEqual(self.gguf("get", self.copy, "general.name"), "A = b\n")
        self.assertEqual(self.gguf("get", self.copy, "my.list"), "1\n2\n")
        difference = json.loads(self.gguf("diff", TINY, self.copy, "--json"))
        self.assertEqual((difference["same_tensors"], len(difference["metadata"])), (48, 3))
        before = self.copy.read_bytes()
        self.refused(2, "gguf", "set", self.copy, "general.name=str:x", "llama.context_length=many")
        self.refused(2, "gguf", "set", self.copy, "new.key=7")
        self.refused(3, "gguf", "remove", self.copy, "my.list", "no.such.key")
        self.assertEqual(self.copy.read_bytes(), before)
        self.gguf("remove", self.copy, "my.list", "-o", self.folder / "out.gguf")
        self.assertEqual(self.copy.read_bytes(), before)
        self.assertNotIn("my.list", self.gguf("dump", self.folder / "out.gguf"))
        self.assertEqual(self.names(), ["copy.gguf", "out.gguf"])

    def test_a_disk_that_fills_up_leaves_the_old_file(self):
        def small_files():  # the system refuses to write further, as a full disk does
            resource.setrlimit(resource.RLIMIT_FSIZE, (600000, 600000))

        before = self.copy.read_bytes()
        for words in (("set", self.copy, "general.name=str:x"), ("split", self.copy, self.folder / "p"),
                      ("extract", self.copy, "token_embd.weight", "-o", self.folder / "x.npy")):
            limit = small_files if words[0] != "extract" else (
                lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
            done = ingle("gguf", *words, preexec_fn=limit, restore_signals=False)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(self.copy.read_bytes(), before)
            self.assertEqual(self.names(), ["copy.gguf"])
        self.refused(3, "gguf", "set", TINY, "general.name=str:x", "-o", self.folder / "no" / "out.gguf")

    def test_hashes(self):
        report = json.loads(self.gguf("hash", TINY, "--json"))
        data = TINY.read_bytes()
        self.assertEqual(list(report["files"].values()), [hashlib.sha256(data).hexdigest()])
        tensors = {tensor["name"]: tensor for tensor in json.loads(self.gguf("dump", TINY, "--json"))["tensors"]}
        everything = hashlib.sha256()
        for name, digest in report["tensors"].items():
            part = data[tensors[name]["offset"]:tensors[name]["offset"] + tensors[name]["bytes"]]
            self.assertEqual(digest, hashlib.sha256(part).hexdigest())
            everything.update(part)
        self.assertEqual(report["all_tensors"], everything.hexdigest())
        self.assertIn(f"{hashlib.sha256(data).hexdigest()}  {TINY}\n", self.gguf("hash", TINY))

    def test_tensors_come_out_as_numpy_and_raw(self):
        out, raw = self.folder / "t.npy", self.folder / "t.bin"
        self.gguf("extract", TINY, "blk.0.attn_k.weight", "-o", out)
        self.gguf("extract", TINY, "blk.0.attn_k.weight", "-o", raw, "--raw")
        array = out.read_bytes()
        self.assertIn(b"'shape': (32, 64)", array[:128])
        self.assertEqual(array[-32 * 64 * 4:], raw.read_bytes())
        self.gguf("extract", TINY, "output_norm.weight", "-o", out)
        self.assertIn(b"'shape': (64, )", out.read_bytes()[:128])
        self.assertIn("blk.0.attn_k.weight", self.refused(3, "gguf", "extract", TINY, "blk.0.attn_k.weigh",
                                                          "-o", out))
        self.refused(2, "gguf", "extract", TINY, "blk.0.attn_k.weight")

    def test_a_file_of_an_unknown_architecture_will_do(self):
        data = self.copy.read_bytes().replace(b"\x05\0\0\0\0\0\0\0llama", b"\x05\0\0\0\0\0\0\0lorem")
        self.copy.write_bytes(data)
        self.gguf("extract", self.copy, "token_embd.weight", "-o", self.folder / "t.npy")
        self.assertIn("every value is finite", self.gguf("check", self.copy))

    def test_damage_is_found(self):
        tensors = {tensor["name"]: tensor for tensor in json.loads(self.gguf("dump", TINY, "--json"))["tensors"]}
        data = bytearray(self.copy.read_bytes())
        offset = tensors["blk.1.ffn_up.weight"]["offset"] + 4 * (3 * 64 + 5)
        data[offset:offset + 4] = struct.pack("<f", float("nan"))
        self.copy.write_bytes(data)
        message = self.refused(4, "gguf", "check", self.copy)
        self.assertIn("blk.1.ffn_up.weight", message)
        self.assertIn("block 197 in row 3", message)
        self.assertIn("blk.1.ffn_up.weight", self.refused(4, "run", "-m", self.copy, "-p", "x", "--check-tensors"))
        self.answer("run", "-m", TINY, "-p", "x", "-n", "1", "--check-tensors")
        self.assertIn("every value is finite", self.gguf("check", TINY))

    def test_what_to_do_is_explained(self):
        self.assertIn("did you mean split", self.refused(2, "gguf", "splt", TINY))
        self.assertIn("extract", self.refused(2, "gguf"))
        self.assertIn("FILE KEY", self.refused(2, "gguf", "get", TINY))
        self.refused(4, "gguf", "dump", __file__)
        self.refused(3, "gguf", "dump", self.folder / "nowhere.gguf")


class Formats(CommandTest):
    def test_fixtures_of_every_format_open(self):
        folder = FIXTURES / "quant-models"
        needs(self, folder)
        for file in sorted(folder.glob("*.gguf")):
            report = json.loads(self.answer("gguf", "check", file, "--json"))
            self.assertEqual(report["faults"], [], file)


main()
