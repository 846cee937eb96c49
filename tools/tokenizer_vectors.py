#!/usr/bin/env python3
"""Writes tests/tokenizer/data: what independent programs make of texts.

splits.json: how the regular expressions of src/tokenizer/pre/*.cpp cut texts, by the package `regex` (the
hand-written splitters never see the expressions). Words are given as their lengths in characters.

around_special.json: texts with special tokens and spaces in all places, by the package `tokenizers` with the
vocabulary of Llama 2 (tokenizers/llama2/tokenizer.json of the fixtures folder, the first argument).
"""
import json
import pathlib
import random
import sys

import regex
import tokenizers

ROOT = pathlib.Path(__file__).parent.parent
DATA = ROOT / "tests/tokenizer/data"
LITERAL = regex.compile(r'R"(x?)\((.*?)\)\1"', regex.S)
ALPHABETS = [
    "aAbBzZ'sStTmMdDlLrReEvV", " \t\n\r\v\f", "0123456789", ".,!?-_()[]{}<>/\\|`~@#$%^&*+=\"':;",
    "éßµΩжЖçÅłşĞıſ", "ǅᾈªºʰːՙ", "中文字々〇漢、。「」，！", "ひらカナーｶﾅ", "한글ㄱㅎ", "ไทย๑ก็ກຂကခកខ", "ًَُعربي؟،۔",
    "\u0301\u0308\u20dd\u0903", "²½Ⅷ٣७①", "€£¥₹₿", "😀🦙👨‍👩‍👧🏳️", "\u00a0\u2003\u3000\u2028", "\u200d\u200b\ufeff\u00ad", "…“”‘’—«»",
]
SAMPLES = [
    "Hello, y'all! How are you 😁 ?我想在apple工作1314151天～", "  leading and   trailing   ", "\n\n \n\t x",
    "1234567890 12,345.67 0x1F 3333½ ١٢٣٤", "iPhone15ProMax HTTPServer XMLHttpRequest camelCase", "don't I'LL WE'VE it'ſ",
    "def f(x):\r\n\treturn x/2  # comment\n\n\n", "<sentinel:123>IMGIMGABCDZ    x  y\tIMGIMGABCDEZ", "a" * 40 + " " * 40 + "b",
    "New York is a   big city", "https://example.com/a/b?c=d&e=f", " " * 700 + "x", " " * 600,
]


def patterns(path):
    """The regular expressions of one entry, in order; names of constants are looked up."""
    text = path.read_text()
    constants = {m[1]: "".join(x[2] for x in LITERAL.finditer(m[2]))
                 for m in regex.finditer(r"string_view (\w+) =\s*((?:R\".*?\"\s*)+);", text, regex.S)}
    steps = text[text.index(".steps ="):]
    found = regex.finditer(r'\{\s*(?:(\w+_pattern)|((?:R"(x?)\(.*?\)\3"\s*)+)),', steps, regex.S)
    return [constants[m[1]] if m[1] else "".join(x[2] for x in LITERAL.finditer(m[2])) for m in found]


def split(pattern, text):
    words, at = [], 0
    for match in pattern.finditer(text):
        for end in (match.start(), match.end()):
            if end > at:
                words.append(text[at:end])
                at = end
    return words + ([text[at:]] if at < len(text) else [])


def write(name, value):
    DATA.mkdir(exist_ok=True)
    (DATA / name).write_text(json.dumps(value, indent=0) + "\n")


def write_splits():
    random.seed(1)
    texts = list(SAMPLES)
    for _ in range(150):
        chosen = random.sample(ALPHABETS, random.randint(1, 6)) + ["a ", "B "]
        texts.append("".join(random.choice(random.choice(chosen))
                             for _ in range(random.randint(1, 60))))
    result = {"texts": texts, "splits": {}}
    for path in sorted((ROOT / "src/tokenizer/pre").glob("*.cpp")):
        steps = [regex.compile(p, regex.V1 | regex.UNICODE) for p in patterns(path)]
        all_lengths = []
        for text in texts:
            words = [text]
            for step in steps:
                words = [part for word in words for part in split(step, word)]
            all_lengths.append(" ".join(str(len(word)) for word in words))
        result["splits"][path.stem] = all_lengths
    write("splits.json", result)


def write_around_special(fixtures):
    source = json.loads((fixtures / "tokenizers/llama2/tokenizer.json").read_text())
    # The file has three merges of bare spaces that the package refuses; no text with U+2581 needs them.
    source["model"]["merges"] = [m for m in source["model"]["merges"] if m.count(" ") == 1]
    for token in source["added_tokens"]:
        token["normalized"] = False  # as the published Llama 2 and Mistral files have it
    judge = tokenizers.Tokenizer.from_str(json.dumps(source))
    judge.add_tokens([tokenizers.AddedToken("<pad>", normalized=False),
                      tokenizers.AddedToken("<|im_start|>", normalized=False)])
    random.seed(2)
    parts = [" ", " ", "  ", "</s>", "<s>", "<|im_start|>", "Hi", "there", "user", "x", "\n", "é", "<", "</"]
    texts = ["Hi</s> there", "</s>  x", " </s> ", "<|im_start|>user", "<|im_start|> user"]
    texts += ["".join(random.choice(parts) for _ in range(random.randint(1, 9))) for _ in range(200)]
    write("around_special.json", [{"text": text, "ids": judge.encode(text, add_special_tokens=False).ids}
                                  for text in texts])


write_splits()
if len(sys.argv) > 1:
    write_around_special(pathlib.Path(sys.argv[1]))
