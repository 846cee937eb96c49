"""quantize: a model in few bits is no farther from the original than llama-quantize makes it, from the same importance."""
import json
import tempfile
from pathlib import Path

from support import FIXTURES, CommandTest, main, needs

MODELS = FIXTURES / "quant-models"
TEXT = FIXTURES / "text" / "tinyshakespeare.txt"
IMPORTANCE = FIXTURES / "imatrix" / "tiny-llama.imatrix.gguf"
TYPES = ("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_M", "IQ3_XXS", "IQ3_XS", "Q2_K_S")


class Quality(CommandTest):
    def test_few_bits_diverge_no_more_than_the_reference(self):
        for path in (MODELS / "golden.json", TEXT, IMPORTANCE):
            needs(self, path)
        original = MODELS / "tiny-llama-F16.gguf"
        golden = {entry["file"]: entry for entry in json.loads((MODELS / "golden.json").read_text())["files"]}
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder) / "base.kld"
            self.answer("perplexity", "-m", original, "-f", TEXT, "-c", "256", "--chunks", "64",
                        "--kl-divergence-base", base)
            for name in TYPES:
                with self.subTest(name):
                    out = Path(folder) / "out.gguf"
                    self.answer("quantize", "--imatrix", IMPORTANCE, original, out, name)
                    found = json.loads(self.answer("perplexity", "-m", out, "--kl-divergence-base", base,
                                                   "--kl-divergence", "--json"))[0]
                    reference = golden[f"tiny-llama-{name}-im.gguf"]
                    self.assertEqual(out.stat().st_size, reference["bytes"])
                    self.assertLessEqual(found["kld"]["mean"]["value"], reference["kld"]["mean_kld"][0])


main()
