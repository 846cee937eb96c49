"""perplexity: golden figures, files of log-probabilities, charts, tasks, refusals."""
import json
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from support import FIXTURES, TINY, CommandTest, main, needs

WIKI = FIXTURES / "text" / "wiki.test.raw"
EXACT = ("--reference", "-ctk", "f32", "-ctv", "f32")


class Perplexity(CommandTest):
    def setUp(self):
        needs(self, WIKI)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def measure(self, *words):
        return self.answer("perplexity", "-m", TINY, "-f", WIKI, "--chunks", "4", *words).decode()

    def test_the_golden_value_to_four_digits(self):
        for size, value in (("256", "73.1046"), ("512", "101.3605")):
            text = self.measure("-c", size, *EXACT)
            self.assertIn(f"Final estimate: PPL = {value} +/- ", text)
            self.assertIn(f"[4]{value},", text)

    def test_json_and_lines(self):
        report = json.loads(self.measure("-c", "256", "--json", *EXACT))[0]
        self.assertAlmostEqual(report["perplexity"]["value"], 73.10460587, places=3)
        self.assertEqual((report["chunks"], report["n_ctx"], report["tokens_scored"]), (4, 256, 4 * 127))
        self.assertEqual(len(report["running"]), 4)
        self.assertRegex(self.measure("-c", "256", "--ppl-output-type", "1"), r"(?m)^ +1024  73\.\d{4}$")

    def test_a_stride_moves_the_window(self):
        # llama-perplexity -c 256 --ppl-stride 64 -b 256 says 94.6413 (with activations rounded in its way).
        text = self.measure("-c", "256", "--ppl-stride", "64")
        value = float(re.search(r"PPL = ([\d.]+)", text).group(1))
        self.assertAlmostEqual(value / 94.6413, 1, places=3)

    def test_a_base_is_written_compared_with_and_drawn(self):
        base, page, drawing = (self.folder / name for name in ("base.kld", "kld.html", "kld.svg"))
        plain = self.measure("-c", "256", "--kl-divergence-base", base)
        # 20 bytes, 4 windows of tokens, and per scored row two floats and 512 codes
        self.assertEqual(base.stat().st_size, 20 + 4 * 256 * 4 + 4 * 127 * (8 + 512 * 2))
        compare = ("perplexity", "--kl-divergence-base", base, "--kl-divergence")
        text = self.answer(*compare, "-m", TINY, "--plot", page).decode()
        self.assertIn(re.search(r"PPL = ([\d.]+)", plain).group(1)[:6], text)
        self.assertRegex(text, r"Same top p +: +100\.000 ± ")
        for name in ("Mean    KLD", "Maximum KLD", "99.9%   KLD", "Median  KLD", "RMS Δp"):
            self.assertRegex(text, re.escape(name) + r" +: +-?[\d.]+ ± +[\d.]+")
        markup = page.read_text()
        self.assertNotIn("http", markup.replace("http://www.w3.org/2000/svg", ""))  # needs no network
        for svg in re.findall(r"<svg.*?</svg>", markup, re.DOTALL):
            ElementTree.fromstring(svg)
        self.assertEqual(markup.count("<svg"), 2)
        reports = json.loads(self.answer(*compare, TINY, TINY, "--json", "--plot", drawing))
        self.assertEqual(len(reports), 2)
        self.assertLess(reports[0]["kld"]["mean"]["value"], 1e-5)
        self.assertEqual(reports[0]["same_top"]["value"], 1)
        self.assertEqual(len(reports[0]["kld_by_position"]), 64)
        ElementTree.fromstring(drawing.read_text())
        self.assertEqual(len(list(self.folder.iterdir())), 3)

    def test_refusals_leave_nothing(self):
        base = self.folder / "base.kld"
        message = self.refused(2, "perplexity", "-m", TINY, "-p", "Once upon a time", "--kl-divergence-base", base)
        self.assertIn("1024", message)
        self.assertRegex(message, r"found \d+")
        self.refused(2, "perplexity", "-m", TINY)
        self.refused(2, "perplexity", "-f", WIKI)
        self.refused(2, "perplexity", "-m", TINY, "-f", WIKI, "--plot", "x.png")
        self.refused(2, "perplexity", "-m", TINY, "--kl-divergence")
        self.refused(2, "perplexity", "-m", TINY, "-f", WIKI, "-c", "2")
        self.refused(2, "perplexity", "-m", TINY, "--hellaswag", "--arithmetic")
        self.refused(2, "perplexity", TINY, TINY, "-f", WIKI, "--kl-divergence-base", base)
        base.write_bytes(b"_logits_ and then nothing")
        self.answer("perplexity", "--help")
        done = self.refused(4, "perplexity", "-m", TINY, "--kl-divergence", "--kl-divergence-base", base,
                            "--json")
        self.assertIn("base.kld", done)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["base.kld"])


class KnownAnswers(CommandTest):
    def test_hellaswag(self):
        sample = FIXTURES / "eval" / "hellaswag-sample.txt"
        needs(self, sample)
        report = json.loads(self.answer("perplexity", "-m", TINY, "-f", sample, "--hellaswag", "--json"))
        self.assertEqual((report["tasks"], report["chance"]), (12, 0.25))
        text = self.answer("perplexity", "-m", TINY, "-f", sample, "--hellaswag", "--hellaswag-tasks", "3")
        self.assertIn(b"Final HellaSwag score(3 tasks)", text)

    def test_arithmetic_needs_no_file(self):
        report = json.loads(self.answer("perplexity", "-m", TINY, "--arithmetic", "--arithmetic-tasks", "5",
                                        "--json"))
        self.assertEqual(report["tasks"], 5)


main()
