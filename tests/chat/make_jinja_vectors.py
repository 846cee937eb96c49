#!/usr/bin/env python3
"""Renders templates with Python's jinja2, set up as transformers does, and writes what it gives as test vectors.

usage: make_jinja_vectors.py [--all] > data/jinja_vectors.jsonl

Each row: template, context (when not the common one), and output or error. Without --all a fixed sample of the
combined cases is written beside all hand-written ones.
"""

import copy
import datetime
import itertools
import json
import pathlib
import random
import re
import sys

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def environment(optimized=True):
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(
            x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
        )

    env = ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Generation, loopcontrols],
        optimized=optimized,
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = datetime.datetime(2024, 7, 26, 12, 34, 56).strftime
    return env


COMMON = {
    "s": "Hello, World",
    "u": "é世😀ßΣ Straße ΑΣ",
    "e": "",
    "w": "  a  b\tc \n",
    "n": 7,
    "z": 0,
    "m": -3,
    "f": 2.5,
    "g": -0.125,
    "t": True,
    "b": False,
    "none": None,
    "l": [3, 1, 2],
    "ls": ["b", "A", "c"],
    "le": [],
    "d": {"a": 1, "b": [1, 2], "items": "x"},
    "de": {},
    "q": 'it\'s "q" \\ \n\t\x01',
    "people": [
        {"name": "Bo", "age": 3, "tags": ["x"]},
        {"name": "al", "age": 1},
        {"name": "Cy", "age": 3},
    ],
    "html": "<a href='x'>1 & 2</a>",
    "long": "The quick brown fox jumps over the lazy dog and runs away",
    "multi": "one\n\n  two\nthree\n",
    "num": "42",
    "real": "3.14",
    "hex": "0x1F",
    "nested": [[1, [2]], {"k": {"j": [None, True]}}],
}


def hand_cases():
    """Cases lie in data/jinja_cases.txt, between lines that hold only three bars."""
    text = (pathlib.Path(__file__).parent / "data/jinja_cases.txt").read_text()
    yield from text[:-1].split("\n|||\n")
    for case in (
        "a\r\nb{{ 1 }}\r\n",
        "a\r{% if true %}\rb{% endif %}",
        "{{ 1 }}\n\n",
        "{{ 1 }}\n",
        "\n\n{{ 1 }}",
        "{{ '\r\n'|length }}",
    ):
        yield case


VALUES = [
    "s",
    "u",
    "e",
    "w",
    "n",
    "z",
    "m",
    "f",
    "g",
    "t",
    "b",
    "none",
    "l",
    "ls",
    "le",
    "d",
    "de",
    "q",
    "x",
    "people",
    "html",
    "num",
    "real",
    "hex",
    "(1, 'a')",
    "range(3)",
    "d.keys()",
    "nested",
    "namespace(a=1)",
    "(l|map('string'))",
]
BINARY = [
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "~",
    "==",
    "!=",
    "<",
    ">=",
    "in",
    "not in",
    "and",
    "or",
]
FILTERS = [
    "abs",
    "batch(2)",
    "capitalize",
    "center(9)",
    "default('d')",
    "dictsort",
    "escape",
    "filesizeformat",
    "first",
    "float",
    "forceescape",
    "format(1)",
    "groupby('age')",
    "indent",
    "int",
    "items",
    "join('-')",
    "last",
    "length",
    "list",
    "lower",
    "map('upper')",
    "max",
    "min",
    "reject('odd')",
    "replace('l', 'L')",
    "reverse",
    "round",
    "round(1)",
    "select",
    "selectattr('name')",
    "slice(2)",
    "sort",
    "string",
    "striptags",
    "sum",
    "title",
    "tojson",
    "tojson(indent=1)",
    "trim",
    "truncate(5)",
    "unique",
    "upper",
    "urlencode",
    "wordcount",
    "wordwrap(6)",
    "attr('name')",
    "xmlattr",
    "safe",
]
TESTS = [
    "boolean",
    "callable",
    "defined",
    "divisibleby 2",
    "eq 7",
    "escaped",
    "even",
    "false",
    "float",
    "gt 1",
    "in [7, 's']",
    "integer",
    "iterable",
    "lower",
    "lt 'b'",
    "mapping",
    "none",
    "number",
    "odd",
    "sameas none",
    "sequence",
    "string",
    "true",
    "undefined",
    "upper",
]
METHODS = [
    "upper()",
    "title()",
    "split()",
    "split('l')",
    "strip('H')",
    "replace('a', 'bb')",
    "center(20)",
    "zfill(15)",
    "find('o')",
    "rfind('o')",
    "count('l')",
    "startswith('H')",
    "endswith('')",
    "isalpha()",
    "isspace()",
    "splitlines()",
    "partition(' ')",
    "rsplit(' ', 1)",
    "join(['1', '2'])",
    "format(1)",
    "get('a')",
    "items()",
    "keys()",
    "index(1)",
    "count(1)",
    "copy()",
    "swapcase()",
    "casefold()",
    "capitalize()",
    "isdigit()",
    "istitle()",
    "islower()",
]
SUBSCRIPTS = [
    "[0]",
    "[-1]",
    "[1:]",
    "[::-1]",
    "['a']",
    ".a",
    ".name",
    "[none]",
    "[1.0]",
    "[true]",
    "[(1,)]",
    "[:2]",
    "[-2:]",
]


def combined_cases():
    for value, name in itertools.product(VALUES, FILTERS):
        yield "{{ %s|%s }}" % (value, name)
        yield "{{ %s|%s|list }}" % (value, name)
    for value, name in itertools.product(VALUES, TESTS):
        yield "{{ %s is %s }}" % (value, name)
    for value, name in itertools.product(VALUES, METHODS):
        yield "{{ %s.%s }}" % (value, name)
    for value, name in itertools.product(VALUES, SUBSCRIPTS):
        yield "{{ %s%s }}" % (value, name)
    for a, sign, b in itertools.product(VALUES, BINARY, VALUES):
        yield "{{ %s %s %s }}" % (a, sign, b)
    for value in VALUES:
        yield "{%% for i in %s %%}{{ loop.index }}:{{ i }};{%% else %%}empty{%% endfor %%}" % value
        yield "{{ [%s] }}{{ %s|string }}{{ '%%s|%%r' %% (%s, %s) }}" % (value, value, value, value)
        yield "{{ 'y' if %s else 'n' }}{{ not %s }}" % (value, value)


def random_cases(count):
    rng = random.Random(11)

    def expression(depth):
        kind = rng.randrange(9) if depth > 0 else rng.randrange(2)
        inner = lambda: expression(depth - 1)
        if kind == 0:
            return rng.choice(VALUES[:24])
        if kind == 1:
            return rng.choice(
                ["1", "2.5", "'a b'", '"é"', "[1, 'x']", "{'k': 2}", "true", "none", "0", "-1"]
            )
        if kind == 2:
            return "(%s %s %s)" % (inner(), rng.choice(BINARY), inner())
        if kind == 3:
            return "%s|%s" % (inner(), rng.choice(FILTERS))
        if kind == 4:
            return "(%s if %s else %s)" % (inner(), inner(), inner())
        if kind == 5:
            return "(%s).%s" % (inner(), rng.choice(METHODS))
        if kind == 6:
            return "(%s)%s" % (inner(), rng.choice(SUBSCRIPTS))
        if kind == 7:
            return "(%s is %s)" % (inner(), rng.choice(TESTS))
        return "%s %s %s" % (inner(), rng.choice(BINARY), inner())

    for _ in range(count):
        yield "{{ %s }}" % expression(3)


ADDRESS = re.compile(
    r" at 0x[0-9a-f]+|<generator|<built-in|<bound method|<function|<class|_reverseiterator object"
    r"|<jinja2|<method",
    re.I,
)
# What we leave out on purpose: filler text, the block object, attributes of numbers, sets, generators as text.
LEFT_OUT = re.compile(
    r"lipsum|map..string...\\|(wordcount|wordwrap)|\bself\b|\.real|keys\(\)\)* ([-|&^]|<|>|>=|<=) |[-|&^] \(*d\.keys\(\)"
)


def row_of(template, optimized=True):
    row = {"template": template}
    if LEFT_OUT.search(template):
        return None
    try:
        output = environment(optimized).from_string(template).render(**copy.deepcopy(COMMON))
        spelled = output.replace("', '", "")
        if ADDRESS.search(output) or ADDRESS.search(spelled) or re.search(r"\d{19,}|\dj\)", output):
            return None
        output.encode()
        row["output"] = output
    except UnicodeEncodeError:
        return None
    except Exception as error:  # every failure of the reference is a row
        row["error"] = "%s: %s" % (type(error).__name__, error)
        if "complex" in row["error"] or "too large" in row["error"] or ADDRESS.search(row["error"]):
            row["error"] = type(error).__name__ + ": "
    return row


def row_that_folding_keeps(template):
    """No row if the reference's constant folding changes the result: a slice of a constant then is no slice."""
    row = row_of(template)
    printed = re.fullmatch(r"\{\{ (.*\[.*) \}\}", template)
    if not row or not printed:
        return row
    unfolded = row_of("{%% set unfolded = %s %%}{{ unfolded }}" % printed.group(1), optimized=False)
    return row if unfolded and unfolded.get("output") == row.get("output") else None


def main():
    everything = "--all" in sys.argv
    rng = random.Random(5)
    print(json.dumps({"context": COMMON}, ensure_ascii=False))
    cases = [
        (1, hand_cases()),
        (0.06, combined_cases()),
        (1, random_cases(20000 if everything else 1200)),
    ]
    seen = set()
    for share, group in cases:
        for template in group:
            if template in seen or not (everything or rng.random() < share):
                continue
            seen.add(template)
            row = row_that_folding_keeps(template)
            if row:
                print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
