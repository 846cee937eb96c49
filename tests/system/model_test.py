"""run, eval, bench: golden text, pipes, interrupts, bad files."""
import csv
import io
import json
import platform
import shutil
import signal
import sqlite3
import struct
import subprocess
import tempfile
from pathlib import Path

from support import COMMAND, FIXTURES, TINY, CommandTest, clean_environment, ingle, main, needs

GOLDEN = FIXTURES / "golden" / "stories260K"


def read_npy(path):
    """Rows of float32, read without a library."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0
    header = eval(data[10:10 + length])  # a literal of our own writing
    assert header["descr"] == "<f4" and not header["fortran_order"]
    rows, columns = header["shape"]
    values = struct.unpack(f"<{rows * columns}f", data[10 + length:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


class Run(CommandTest):
    def story(self, *words, **options):
        return self.answer("run", "-m", TINY, "--temp", "0", *words, **options).decode()

    def test_an_empty_prompt_is_bos_and_gives_the_golden_text(self):
        needs(self, GOLDEN / "llama2c-greedy-200steps.txt")
        golden = (GOLDEN / "llama2c-greedy-200steps.txt").read_text()
        self.assertEqual(self.story("-n", "200", "-p", "", "--reference", "-ctk", "f32", "-ctv", "f32"),
                         golden.rstrip("\n"))

    def test_the_prompt_is_the_same_by_flag_file_and_pipe(self):
        by_flag = self.story("-n", "12", "-p", "Once upon a time")
        self.assertTrue(by_flag.startswith(", there was"), by_flag)
        self.assertEqual(by_flag, self.story("-n", "12", stdin=b"Once upon a time\n"))
        self.assertEqual(by_flag, self.story("-n", "12", "-f", "-", stdin=b"Once upon a time"))
        self.assertEqual("Once upon a time" + by_flag,
                         self.story("-n", "12", "-p", "Once upon a time", "--display-prompt"))

    def test_cache_types_are_chosen_by_trying_and_told(self):
        words = ("run", "-m", TINY, "--temp", "0", "-n", "12", "-p", "Once upon a time", "--json")
        done = ingle(*words, "-ctk", "auto", "-ctv", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = [line for line in done.stderr.decode().splitlines() if "cache types:" in line]
        self.assertEqual(len(told), 1, done.stderr)
        chosen = json.loads(done.stdout)
        self.assertIn(f"keys in {chosen['cache_type_k']}, values in {chosen['cache_type_v']}", told[0])
        self.assertEqual(json.loads(ingle(*words, "-ctk", chosen["cache_type_k"],
                                          "-ctv", chosen["cache_type_v"]).stdout)["text"], chosen["text"])
        one = json.loads(ingle(*words, "-ctk", "bf16", "-ctv", "auto").stdout)
        self.assertEqual(one["cache_type_k"], "bf16")

    def test_a_plan_counts_the_most_that_a_chosen_type_can_take(self):
        done = ingle("plan", TINY, "-c", "512", "-ctk", "auto", "-ctv", "auto", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("can only be chosen by trying", done.stderr.decode())
        given = ingle("plan", TINY, "-c", "512", "--json")
        self.assertEqual(json.loads(done.stdout)["kv_bytes"], json.loads(given.stdout)["kv_bytes"])

    def test_a_plan_counts_windows_and_all_of_them_if_asked(self):
        windowed = FIXTURES / "arch" / "gemma3_text" / "model.gguf"
        needs(self, windowed)
        short = json.loads(self.answer("plan", windowed, "-c", "4096", "-ub", "32", "--json"))
        full = json.loads(self.answer("plan", windowed, "-c", "4096", "-ub", "32", "--swa-full", "--json"))
        self.assertEqual((short["window_tokens"], full["window_tokens"]), (8, 0))
        self.assertLess(short["kv_bytes"], full["kv_bytes"])
        self.assertIn("sliding window", self.answer("plan", windowed, "-c", "4096").decode())

    def test_a_prompt_cache_gives_the_same_text_and_computes_the_tail_only(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "state"
            words = ("-n", "12", "-p", "Once upon a time, there was a big dog", "--json")
            first = json.loads(self.story(*words, "--prompt-cache", cache))
            again = json.loads(self.story(*words, "--prompt-cache", cache))
            self.assertEqual(first["text"], again["text"])
            self.assertEqual(again["prompt_tokens"], 1)
            before = cache.read_bytes()
            longer = ("-n", "3", "-p", "Once upon a time, there was a big dog. It", "--prompt-cache", cache, "--json")
            self.story(*longer, "--prompt-cache-ro")
            self.assertEqual(cache.read_bytes(), before)
            self.story(*longer, "--prompt-cache-all")
            self.assertGreater(len(cache.read_bytes()), len(before))
            cache.write_bytes(before[:-100])
            refused = ingle("run", "-m", TINY, *longer)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(b"cut", refused.stderr)
            self.assertEqual(cache.read_bytes(), before[:-100])

    def test_n_counts_generated_tokens(self):
        for count in (0, 1, 5):
            report = json.loads(self.story("-n", count, "-p", "The", "--json"))
            self.assertEqual(len(report["tokens"]), count)
            self.assertEqual(report["finish_reason"], "length")

    def test_it_is_quiet_when_piped(self):
        done = ingle("run", "-m", TINY, "-n", "4", "-p", "The")
        self.assertEqual(done.stderr, b"")

    def test_speed_is_shown_on_request_and_on_standard_error(self):
        done = ingle("run", "-m", TINY, "-n", "4", "-p", "The", "--perf")
        self.assertIn(b"tokens/s", done.stderr)
        self.assertNotIn(b"tokens/s", done.stdout)

    def test_gpu_flags_are_accepted_with_a_notice(self):
        plain = self.story("-n", "5", "-p", "The")
        done = ingle("run", "-m", TINY, "--temp", "0", "-n", "5", "-p", "The", "-ngl", "99", "-fa",
                     "-sm", "layer", "-ts", "1,1", "-mg", "0", "-nkvo", "-cmoe", "-ot", "x=CPU")
        self.assertEqual(done.stdout.decode(), plain)
        self.assertIn(b"-ngl has no effect", done.stderr)

    def test_flags_that_would_change_the_answer_are_refused(self):
        self.assertIn("--lora", self.refused(2, "run", "-m", TINY, "-p", "x", "--lora", "a.gguf"))

    def test_the_environment_is_read_and_flags_win(self):
        variables = {"LLAMA_ARG_N_PREDICT": "3", "LLAMA_ARG_MODEL": str(TINY)}
        report = json.loads(self.answer("run", "-p", "The", "--json", env=variables))
        self.assertEqual(len(report["tokens"]), 3)
        report = json.loads(self.answer("run", "-p", "The", "--json", "-n", "2", env=variables))
        self.assertEqual(len(report["tokens"]), 2)

    def test_a_seed_makes_text_repeatable(self):
        texts = {self.answer("run", "-m", TINY, "-p", "The", "-n", "20", "--seed", seed)
                 for seed in ("7", "7", "8")}
        self.assertEqual(len(texts), 2)

    def test_stop_texts_end_the_answer(self):
        text = self.story("-n", "100", "-p", "Once upon a time", "-r", "little girl")
        self.assertNotIn("little girl", text)
        self.assertTrue(text.endswith("was a "), text)

    def test_ctrl_c_stops_with_what_was_said(self):
        process = subprocess.Popen([COMMAND, "run", "-m", TINY, "--ignore-eos", "-n", "100000000",
                                    "-c", "100000", "-p", "The", "--log-verbosity", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=clean_environment())
        first = process.stdout.read(10)
        process.send_signal(signal.SIGINT)
        rest, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, messages)
        self.assertEqual(len(first), 10)
        self.assertIn(b"interrupted", messages)

    def test_a_closed_pipe_ends_it(self):
        process = subprocess.Popen([COMMAND, "run", "-m", TINY, "--ignore-eos", "-n", "100000000",
                                    "-c", "100000", "-p", "The", "--log-verbosity", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=clean_environment())
        process.stdout.read(5)
        process.stdout.close()
        self.assertNotEqual(process.wait(60), 0)
        process.stderr.close()


class InstructionSets(CommandTest):
    STORY = ("run", "-m", TINY, "--temp", "0", "-n", "30", "-p", "Once upon a time")

    def test_every_one_tells_the_same_story(self):
        sets = json.loads(self.answer("doctor", "--json"))["kernels_supported"]
        self.assertIn("v1", sets)
        stories = {self.answer(*self.STORY, env={"INGLE_ISA": name}) for name in sets}
        self.assertEqual(len(stories), 1)

    def test_a_processor_without_avx_runs_it(self):
        emulator = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
        if platform.machine() != "x86_64" or not emulator:
            self.skipTest("needs qemu-x86_64")
        emulated = [emulator, "-cpu", "Nehalem", COMMAND]
        done = subprocess.run([*emulated, "--version"], capture_output=True, timeout=120,
                              env=clean_environment())
        self.assertIn(b"kernels: v1", done.stdout)
        done = subprocess.run([*emulated, *map(str, self.STORY)], capture_output=True, timeout=300,
                              env=clean_environment())
        self.assertEqual(done.stdout, self.answer(*self.STORY), done.stderr)


class BadModels(CommandTest):
    def test_a_missing_model_is_named(self):
        self.assertIn("nowhere.gguf", self.refused(3, "run", "-m", "nowhere.gguf", "-p", "x"))

    def test_no_model_is_said(self):
        self.assertIn("-m FILE", self.refused(2, "run", "-p", "x"))

    def test_a_cut_model_is_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
            file.write(TINY.read_bytes()[:600000])
            file.flush()
            self.refused(4, "run", "-m", file.name, "-p", "x")

    def altered(self, old, new):
        data = TINY.read_bytes()
        self.assertEqual(len(old), len(new))
        self.assertIn(old, data)
        file = tempfile.NamedTemporaryFile(suffix=".gguf")
        file.write(data.replace(old, new))
        file.flush()
        self.addCleanup(file.close)
        return file.name

    def test_an_unknown_architecture_is_named_and_the_known_are_listed(self):
        name = self.altered(b"general.architecture\x08\0\0\0\x05\0\0\0\0\0\0\0llama",
                            b"general.architecture\x08\0\0\0\x05\0\0\0\0\0\0\0lorem")
        message = self.refused(4, "run", "-m", name, "-p", "x")
        self.assertIn("lorem", message)
        self.assertIn("qwen3", message)

    def test_missing_tensors_are_all_reported_at_once(self):
        name = self.altered(b".ffn_up.weight", b".ffn_xp.weight")
        message = self.refused(4, "run", "-m", name, "-p", "x")
        for block in range(5):
            self.assertIn(f"blk.{block}.ffn_up", message)

    def test_more_context_than_memory_is_refused_with_numbers(self):
        message = self.refused(5, "run", "-m", TINY, "-p", "x", "-c", "1000000000")
        self.assertRegex(message, r"[GT]iB")

    def test_more_context_than_trained_is_warned_of(self):
        done = ingle("run", "-m", TINY, "-p", "x", "-n", "1", "-c", "4096")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"2048", done.stderr)

    def test_a_prompt_over_the_context_is_refused(self):
        self.refused(6, "run", "-m", TINY, "-p", "word " * 200, "-c", "64")


class Program(CommandTest):
    def test_the_compiled_steps_are_shown(self):
        page = self.answer("inspect", "--program", TINY).decode()
        self.assertIn("linear", page)
        self.assertIn("attention", page)
        self.assertGreater(len(page.splitlines()), 20)


class Eval(CommandTest):
    def test_logits_are_written_as_numpy_and_equal_the_golden_ones(self):
        needs(self, GOLDEN / "logits-pos0-31.f32")
        tokens = json.loads((GOLDEN / "greedy-256.json").read_text())["tokens"][:32]
        golden = struct.unpack("<16384f", (GOLDEN / "logits-pos0-31.f32").read_bytes())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.npy"
            self.answer("eval", "-m", TINY, "--ids", ",".join(map(str, tokens)), "--logits", path,
                        "--reference", "-ctk", "f32", "-ctv", "f32")
            rows = read_npy(path)
            self.assertEqual([len(rows), len(rows[0])], [32, 512])
            worst = max(abs(a - b) for a, b in zip([x for row in rows for x in row], golden))
            self.assertLess(worst, 1e-4)
            self.assertEqual([entry.name for entry in Path(folder).iterdir()], ["out.npy"])

    def test_wrong_tokens_are_refused_and_nothing_is_left(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.npy"
            self.refused(2, "eval", "-m", TINY, "--ids", "1,9999", "--logits", path)
            self.refused(2, "eval", "-m", TINY, "--ids", "1,,x", "--logits", path)
            self.refused(2, "eval", "-m", TINY, "--logits", path)
            self.refused(3, "eval", "-m", TINY, "--ids", "1", "--logits",
                         Path(folder) / "no" / "out.npy")
            self.assertEqual(list(Path(folder).iterdir()), [])


class Bench(CommandTest):
    def test_json_has_llama_benchs_fields(self):
        rows = json.loads(self.answer("bench", "-m", TINY, "-p", "16", "-n", "4", "-r", "2", "-o", "json"))
        self.assertEqual([(row["n_prompt"], row["n_gen"]) for row in rows], [(16, 0), (0, 4)])
        for row in rows:
            self.assertEqual(len(row["samples_ts"]), 2)
            self.assertGreater(row["avg_ts"], 0)
            for field in ("build_commit", "model_type", "n_threads", "type_k", "test_time", "stddev_ts",
                          "model_n_params", "n_ubatch", "avg_ns", "samples_ns", "backends"):
                self.assertIn(field, row)

    def test_every_combination_is_measured(self):
        rows = json.loads(self.answer("bench", "-m", TINY, "-p", "8,16", "-n", "0", "-pg", "8,2", "-d", "0,4", "-t", "1,2",
                                      "-ub", "8", "-ub", "16", "-b", "64", "-ctk", "f16,f32", "-fa", "0,1", "-r", "1",
                                      "-o", "json"))
        seen = {(row["n_threads"], row["n_ubatch"], row["type_k"], row["n_depth"], row["n_prompt"], row["n_gen"])
                for row in rows}
        self.assertEqual(len(rows), len(seen))
        self.assertEqual(seen, {(t, u, k, d, p, n) for t in (1, 2) for u in (8, 16) for k in ("f16", "f32")
                                for d in (0, 4) for p, n in ((8, 0), (16, 0), (8, 2))})

    def test_csv_and_sql_hold_the_same_fields(self):
        words = ("bench", TINY, "-p", "8", "-n", "2", "-r", "2", "-o")
        table = list(csv.DictReader(io.StringIO(self.answer(*words, "csv").decode())))
        self.assertEqual([(row["n_prompt"], row["n_gen"]) for row in table], [("8", "0"), ("0", "2")])
        database = sqlite3.connect(":memory:")
        database.executescript(self.answer(*words, "sql").decode())
        found = database.execute("SELECT n_prompt, n_gen, avg_ts > 0 FROM llama_bench").fetchall()
        self.assertEqual(found, [(8, 0, 1), (0, 2, 1)])
        columns = [column[1] for column in database.execute("PRAGMA table_info(llama_bench)")]
        self.assertEqual(columns, list(table[0]))
        lines = self.answer(*words, "jsonl", "-oe", "md").decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual([name for name in json.loads(lines[0]) if not name.startswith("samples")], columns)

    def test_roofs_give_a_share(self):
        rows = json.loads(self.answer("bench", "-m", TINY, "-p", "64", "-n", "4", "-pg", "8,2", "-r", "1", "-t", "1",
                                      "--roofs", "-o", "json"))
        self.assertEqual([row["n_prompt"] for row in rows if "roof_share" in row], [64, 0])
        for row in rows[:2]:
            self.assertGreater(row["roof_share"], 0)

    def test_another_program_is_run_in_turn(self):
        with tempfile.TemporaryDirectory() as folder:
            peer, log = Path(folder) / "peer", Path(folder) / "log"
            peer.write_text(f'''#!/usr/bin/env python3
import sys
words = sys.argv[1:]
open({str(log)!r}, "a").write(" ".join(words) + "\\n")
prompt, length = (words[words.index(flag) + 1] for flag in ("-p", "-n"))
for p, n in ((prompt, 0), (0, length)):
    print('{{"n_prompt": %s, "n_gen": %s, "n_depth": 0, "avg_ts": 2.5, "stddev_ts": 0}}' % (p, n))
''')
            peer.chmod(0o755)
            words = ("bench", "-m", TINY, "-p", "8", "-n", "2", "-t", "1", "--compare", peer, "--pairs", "3")
            tests = json.loads(self.answer(*words, "-o", "json"))["tests"]
            self.assertEqual([test["test"] for test in tests], ["pp8", "tg2"])
            for test in tests:
                self.assertEqual(len(test["pairs"]), 3)
                self.assertEqual(test["theirs"], 2.5)
                ratios = sorted(ours / 2.5 for ours, _ in test["pairs"])
                self.assertAlmostEqual(test["ratio"], ratios[1])
                self.assertAlmostEqual(test["ratio_max"], ratios[2])
            called = log.read_text().splitlines()
            self.assertEqual(len(called), 3)
            self.assertIn("-t 1 -b 2048 -ub 512 -ctk f16 -ctv f16 -fa 1", called[0])
            self.assertIn("| tg2 |", self.answer(*words).decode())
            self.refused(3, "bench", "-m", TINY, "--compare", Path(folder) / "nowhere")
            self.refused(3, "bench", "-m", TINY, "--compare", "false")
            self.assertIn("avg_ts", self.refused(4, "bench", "-m", TINY, "--compare", "echo"))
            self.refused(2, "bench", "-m", TINY, "--compare", peer, "-o", "sql")

    def test_wrong_lists_are_refused(self):
        for words in (("-p", "x"), ("-p", "5-1"), ("-pg", "5"), ("-pg", "0,5"), ("-ctk", "q9"), ("-t", "0-9999")):
            self.refused(2, "bench", "-m", TINY, *words)
        self.refused(2, "bench")

    def test_markdown_is_the_default(self):
        table = self.answer("bench", "-m", TINY, "-p", "8", "-n", "0", "-r", "1").decode()
        self.assertIn("| pp8 |", table)
        self.refused(2, "bench", "-m", TINY, "-p", "0", "-n", "0")


main()
