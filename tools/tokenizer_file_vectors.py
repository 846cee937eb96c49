#!/usr/bin/env python3
"""Writes tests/tokenizer/data/files.json: ids that the tokenizer files of the fixtures give in the
libraries they were made for (tokenizers, sentencepiece, tiktoken). Usage: tokenizer_file_vectors.py FIXTURES
"""

import base64
import json
import sys
from pathlib import Path

import sentencepiece
import tiktoken
import tokenizers

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(sys.argv[1]) / "tokenizers"

TEXTS = [
    "Hello, world!",
    " Hello",
    "  two  spaces\tand a tab",
    "line\nnext\r\n\r\n  indented\n",
    "trailing   ",
    "naïve café — 日本語テキスト 한국어 русский язык العربية हिन्दी ไทย",
    "🙂👩‍👩‍👧‍👦 emoji ✓ ½ ² ﬁ Ⅷ ㎏",
    "1234567890 3.14159 1,000,000 0xff",
    "don't we'll they're I'VE it's",
    "for (int i = 0; i < n; ++i) { x[i] += 2; }",
    "https://example.org/a?b=c&d=%20#frag",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "",
    " ",
    "\n",
    "\u00a0\u2003\u200b",
    "The quick brown fox jumps over the lazy dog.",
    "antidisestablishmentarianism",
    "吾輩は猫である。名前はまだ無い。",
    "I saw a girl with a telescope.",
    "</s> <s>x",
    "e\u0301 \u00e9 \u1e9e",
    "ＡＢＣ　１２３",
    "\u2581under\u2581lined",
]
SPECIAL = {
    "phi-3-mini/tokenizer.json": [
        "<|user|>\nHi <|end|>\n<|assistant|>",
        "<|end|>  x",
        "a</s>  b<|endoftext|> c",
    ],
    "roberta-base/tokenizer.json": ["a <mask> b", "a  <mask>b", "<s>x</s>"],
    "t5-small/tokenizer.json": [
        "Thank you <extra_id_0> me to your party <extra_id_1> week.",
        "a</s>b",
    ],
}
CL100K = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|"""
    r"""\s*[\r\n]|\s+(?!\S)|\s"""
)


def ranks_of(path):
    pairs = (line.split() for line in path.read_bytes().splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def main():
    files = {}
    for name in ["llama2", "phi-3-mini", "roberta-base", "t5-small", "mini_llama"]:
        path = f"{name}/tokenizer.json"
        tokenizer_json = json.loads((FOLDER / path).read_text())
        # What the library insists on and these files do not have: flags of added tokens, no plain spaces in merges
        # (in one file they took the place of U+00A0). `normalized` is left out here as in Ingle: it would make the
        # added tokens of Llama 2 take the space before them.
        for added in tokenizer_json["added_tokens"]:
            added.update(
                {flag: added.get(flag, False) for flag in ("single_word", "lstrip", "rstrip")}
            )
            added["normalized"] = False
        model = tokenizer_json["model"]
        if "merges" in model:
            model["merges"] = [merge for merge in model["merges"] if merge.count(" ") == 1]
        text = json.dumps(tokenizer_json)
        tokenizer = tokenizers.Tokenizer.from_str(text)
        texts = TEXTS + SPECIAL.get(path, [])
        files[path] = [[text, tokenizer.encode(text).ids] for text in texts]
    for path in sorted((FOLDER / "sentencepiece").glob("*.model")):
        processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
        files[f"sentencepiece/{path.name}"] = [[text, processor.encode(text)] for text in TEXTS]
    path = "tiktoken/cl100k_base.tiktoken"
    encoding = tiktoken.Encoding(
        "cl100k", pat_str=CL100K, mergeable_ranks=ranks_of(FOLDER / path), special_tokens={}
    )
    files[path] = [[text, encoding.encode_ordinary(text)] for text in TEXTS]
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]"
        for name, cases in files.items()
    ]
    out = ROOT / "tests/tokenizer/data/files.json"
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{out}: {sum(map(len, files.values()))} encodings of {len(files)} files")


if __name__ == "__main__":
    main()
