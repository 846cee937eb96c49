#!/usr/bin/env python3
"""Writes tests/tokenizer/data/splits.json: how the regular expressions of src/tokenizer/pre/*.cpp cut texts.

The hand-written splitters never see these expressions; the Python package `regex` does, so the file is an
independent judge. Words are given as their lengths in characters.
"""
import json
import pathlib
import random

import regex

ROOT = pathlib.Path(__file__).parent.parent
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
    steps = text[text.index(".steps = {"):]
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


def main():
    random.seed(1)
    texts = list(SAMPLES)
    for _ in range(150):
        chosen = random.sample(ALPHABETS, random.randint(1, 6)) + ["a ", "B "]
        texts.append("".join(random.choice(random.choice(chosen)) for _ in range(random.randint(1, 60))))
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
    out = ROOT / "tests/tokenizer/data/splits.json"
    out.write_text(json.dumps(result, indent=0) + "\n")
    print(out, len(result["splits"]), "rules")


main()
