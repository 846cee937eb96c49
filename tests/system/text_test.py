"""tokenize, detokenize, inspect, template: files and pipes, right ones and broken ones."""
import json
import tempfile
from pathlib import Path

from support import FIXTURES, TINY, CommandTest, ingle, main, needs


class Tokens(CommandTest):
    def ids(self, *words, **options):
        return json.loads(self.answer("tokenize", "-m", TINY, "--ids", *words, **options))

    def test_a_text_has_the_same_ids_by_flag_file_and_pipe(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"Once upon a time")
            file.flush()
            by_flag = self.ids("-p", "Once upon a time")
            self.assertEqual(by_flag, [1, 403, 407, 261, 378])
            self.assertEqual(by_flag, self.ids("-f", file.name))
        self.assertEqual(by_flag, self.ids("-f", "-", stdin=b"Once upon a time"))
        self.assertEqual(by_flag, self.ids("--stdin", stdin=b"Once upon a time"))

    def test_no_bos_adds_no_special_token(self):
        self.assertEqual(self.ids("-p", "Once upon a time", "--no-bos"), [403, 407, 261, 378])
        self.assertEqual(self.ids("-p", "", "--no-bos"), [])

    def test_special_tokens_are_text_if_wanted(self):
        self.assertEqual(self.ids("-p", "</s>", "--no-bos"), [2])
        self.assertNotIn(2, self.ids("-p", "</s>", "--no-bos", "--no-parse-special"))

    def test_bytes_are_taken_verbatim(self):
        for text in (b"a\\nb", b"a\nb\n", b"\r\n\t \xff\xfe\x00z", "größe 世界 😀".encode()):
            ids = self.ids("-f", "-", "--no-bos", stdin=text)
            back = self.answer("detokenize", "-m", TINY, "-f", "-", stdin=json.dumps(ids).encode())
            self.assertEqual(back, text)

    def test_detokenize_undoes_tokenize(self):
        ids = self.answer("tokenize", "-m", TINY, "--ids", "-p", "Hello world.")
        self.assertEqual(self.answer("detokenize", "-m", TINY, "-f", "-", stdin=ids), b"Hello world.")
        self.assertEqual(self.answer("detokenize", "-m", TINY, "403", "407"), b"Once upon")
        self.assertEqual(self.answer("detokenize", "-m", TINY, "--ids", "[403, 407]"), b"Once upon")

    def test_wrong_ids_are_refused(self):
        self.assertIn("outside the vocabulary", self.refused(2, "detokenize", "-m", TINY, "512"))
        self.assertIn("found 'x'", self.refused(2, "detokenize", "-m", TINY, "1", "x"))

    def test_golden_lines_have_golden_ids(self):
        folder = FIXTURES / "golden" / "stories260K"
        needs(self, folder / "tokenize.inp")
        texts = (folder / "tokenize.inp").read_bytes().split(b"\n__ggml_vocab_test__\n")
        lines = (folder / "tokenize.out").read_text().splitlines()
        for text, line in list(zip(texts, lines))[:12]:
            got = self.ids("-f", "-", "--no-bos", "--no-parse-special", stdin=text)
            self.assertEqual(got, [int(word) for word in line.split()], text)


class Inspect(CommandTest):
    def test_json_holds_metadata_and_tensors(self):
        report = json.loads(self.answer("inspect", TINY, "--json"))
        self.assertEqual(report["version"], 3)
        self.assertEqual(report["architecture"], "llama")
        self.assertEqual(report["metadata"]["llama.block_count"], 5)
        self.assertEqual(len(report["metadata"]["tokenizer.ggml.tokens"]), 512)
        self.assertEqual(len(report["tensors"]), 48)
        self.assertEqual(report["tensors"][0]["shape"], [64, 512])

    def test_text_is_for_people(self):
        page = self.answer("inspect", "-m", TINY).decode()
        self.assertIn("token_embd.weight", page)
        self.assertIn("Memory", page)

    def test_a_missing_file_is_named(self):
        self.assertIn("no/such.gguf", self.refused(3, "inspect", "no/such.gguf"))

    def test_every_prefix_of_a_file_is_refused(self):
        whole = TINY.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            cut = Path(folder) / "cut.gguf"
            for size in (0, 1, 4, 8, 23, 24, 100, 1000, 10000, 14000, 500000, len(whole) - 1):
                cut.write_bytes(whole[:size])
                self.assertIn("cut.gguf", self.refused(4, "inspect", cut))

    def test_foreign_files_are_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
            file.write(b"PK\x03\x04" + b"x" * 5000)
            file.flush()
            self.refused(4, "inspect", file.name)


class Template(CommandTest):
    def test_a_template_file_is_rendered_with_its_context(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "t.jinja").write_text(
                "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}{{ eos_token }}"
                "{% endfor %}{{ flavour }} {{ strftime_now('%d %b %Y') }}")
            (folder / "c.json").write_text(json.dumps(
                {"messages": [{"role": "user", "content": "é <b>"}], "flavour": "mint"}))
            made = self.answer("template", "--template", folder / "t.jinja", "--context",
                               folder / "c.json", "--bos", "<s>", "--eos", "</s>",
                               "--now", "2024-07-26 12:34:56")
            self.assertEqual(made.decode(), "<s>[user] é <b></s>mint 26 Jul 2024")

    def test_a_bad_template_fails_with_line_and_column(self):
        message = self.refused(4, "template", "--chat-template", "line\n{% if %}", "-p", "x")
        self.assertRegex(message, r"2")

    def test_golden_renderings_are_equal(self):
        folder = FIXTURES / "golden" / "chat-templates"
        needs(self, folder / "renderings.jsonl")
        golden = json.loads((folder / "contexts.json").read_text())
        rows = [json.loads(line) for line in (folder / "renderings.jsonl").read_text().splitlines()]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as context:
            for row in rows[::29]:
                context.seek(0)
                context.truncate()
                context.write(json.dumps(golden["contexts"][row["context"]]))
                context.flush()
                done = ingle("template", "--template", FIXTURES / row["template"], "--context",
                             context.name, "--bos", golden["bos_token"], "--eos",
                             golden["eos_token"], "--now", golden["strftime_now"][:19])
                if "output" in row:
                    self.assertEqual(done.stdout.decode(), row["output"], row["template"])
                else:
                    self.assertNotEqual(done.returncode, 0, row["template"])


main()
