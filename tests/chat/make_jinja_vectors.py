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
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols],
                                      optimized=optimized)
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = datetime.datetime(2024, 7, 26, 12, 34, 56).strftime
    return env


COMMON = {
    "s": "Hello, World", "u": "é世😀ßΣ Straße ΑΣ", "e": "", "w": "  a  b\tc \n", "n": 7, "z": 0, "m": -3, "f": 2.5,
    "g": -0.125, "t": True, "b": False, "none": None, "l": [3, 1, 2], "ls": ["b", "A", "c"], "le": [],
    "d": {"a": 1, "b": [1, 2], "items": "x"}, "de": {}, "q": "it's \"q\" \\ \n\t\x01",
    "people": [{"name": "Bo", "age": 3, "tags": ["x"]}, {"name": "al", "age": 1}, {"name": "Cy", "age": 3}],
    "html": "<a href='x'>1 & 2</a>", "long": "The quick brown fox jumps over the lazy dog and runs away",
    "multi": "one\n\n  two\nthree\n", "num": "42", "real": "3.14", "hex": "0x1F", "nested": [[1, [2]], {"k": {"j": [None, True]}}],
}

HAND = r"""
{{ 1, 2 }}|||{{ (1,) }}|||{{ () }}|||{{ [] }}|||{{ {} }}|||{{ {'a': 1, 2: [3]} }}|||{{ [1, 2,] }}|||{{ 'a' 'b' }}
{{ 1 + 2 * 3 - 4 / 2 }}|||{{ 7 // 2 }}|||{{ -7 // 2 }}|||{{ -7 % 3 }}|||{{ 7.5 % 2 }}|||{{ 2 ** 3 ** 2 }}|||{{ -2 ** 2 }}|||{{ 2 ** -1 }}
{{ 1 ~ 2 ~ 'x' ~ none ~ true ~ 1.0 }}|||{{ 1 + 1 ~ 2 + 3 }}|||{{ 'a' ~ 1 * 2 }}|||{{ not true and false }}|||{{ not not 1 }}|||{{ 1 or 2 }}|||{{ 0 or '' or none }}|||{{ 1 and 2 and 3 }}
{{ 1 < 2 < 3 }}|||{{ 1 < 3 < 2 }}|||{{ 1 == 1.0 == true }}|||{{ 'a' in 'abc' }}|||{{ 'd' not in 'abc' }}|||{{ 1 in [1.0] }}|||{{ 'a' in d }}|||{{ 'z' not in d }}|||{{ not 'a' in d }}
{{ 'x' if t }}|||{{ 'x' if b }}|||{{ 'x' if b else 'y' if t else 'z' }}|||{{ ('x' if b) is defined }}|||{{ (1 if t else 2) + 1 }}|||[{{ 'a' if false }}]
{{ s[0] }}|||{{ s[-1] }}|||{{ s[100] }}|||{{ s[1:4] }}|||{{ s[::-1] }}|||{{ s[-3:] }}|||{{ s[:-3] }}|||{{ s[::2] }}|||{{ s[10:2:-2] }}|||{{ u[::-1] }}|||{{ u[1:3] }}|||{{ u[2] }}|||{{ l[1:] }}|||{{ l[::-1] }}|||{{ (1,2,3)[:2] }}|||{{ l[5:] }}|||{{ l[-100:100] }}|||{{ range(10)[2:5] }}|||{{ range(10)[::-1] }}|||{{ s[none:none:none] }}|||{{ s[::0] }}|||{{ d[1:] }}|||{{ none[1:] }}|||{{ x[1:] }}|||{{ 5[1:] }}|||{{ s['a':] }}
{{ d.a }}|||{{ d['a'] }}|||{{ d.b[0] }}|||{{ d.b.0 }}|||{{ d.x }}|||{{ d.x is defined }}|||{{ d['x'] is undefined }}|||{{ d.x.y }}|||{{ x }}|||[{{ x }}]|||{{ x.y }}|||{{ x['y'] }}|||{{ x + 1 }}|||{{ x ~ 1 }}|||{{ -x }}|||{{ x() }}|||{{ x == y }}|||{{ x < 1 }}|||{{ x|length }}|||{{ x|list }}|||{{ x in [1] }}|||{{ 1 in x }}|||{{ 'a' in x }}|||{% for i in x %}a{% else %}none{% endfor %}|||{{ x|int }}|||{{ x|tojson }}|||{{ x|default('d') }}|||{{ none|default('d') }}|||{{ none|default('d', true) }}|||{{ x|d }}|||{{ ''|d('e', boolean=true) }}|||{{ [x] }}|||{{ x is none }}
{{ none }}|||{{ none.a }}|||{{ none['a'] }}|||{{ none.a.b }}|||{{ none + 1 }}|||{{ n.foo }}|||{{ n.foo.bar }}|||{{ l.foo.bar }}|||{{ l['foo'].bar }}|||{{ l[9].bar }}|||{{ s.foo.bar }}|||{{ d.items }}x|||{{ d['items'] }}|||{{ d.items()|list }}|||{{ d.items() }}|||{{ d.keys() }}|||{{ d.values() }}|||{{ d.keys()|list }}|||{{ d.get('a') }}|||{{ d.get('zz') }}|||{{ d.get('zz', 5) }}|||{{ d.keys()[0] }}x|||{{ d.pop('a') }}|||{{ l.append(1) }}|||{{ l.append }}x|||{{ d.update({}) }}|||{{ d.copy() }}|||{{ l.count(1) }}|||{{ l.index(2) }}|||{{ l.index(9) }}|||{{ d.__class__ }}x|||{{ s.__class__.x }}|||{{ d == {'a': 1, 'b': [1,2], 'items': 'x'} }}|||{{ dict(a=1, b=2) }}|||{{ dict([('a', 1)]) }}|||{{ dict({'a': 1}, b=2) }}|||{{ {'a': 1, 'a': 2} }}|||{{ {1: 'a', 1.0: 'b', true: 'c'} }}|||{{ {[1]: 2} }}|||{{ {(1,2): 3}[(1,2)] }}|||{{ {(1,2): 3}[1,2] }}
{{ 1.0 }}|||{{ 1e3 }}|||{{ 1.5e300 * 1e10 }}|||{{ 1e16 }}|||{{ 1e15 }}|||{{ 123456789012345678.0 }}|||{{ 0.0001 }}|||{{ 0.00001 }}|||{{ 1/3 }}|||{{ -0.0 }}|||{{ 100000000000000000000.0 }}|||{{ 2.0 ** 0.5 }}|||{{ 1_000 }}|||{{ 0x1f }}|||{{ 0b101 }}|||{{ 0o17 }}|||{{ 1_0.5_0 }}|||{{ 5 / 0 }}|||{{ 5 // 0 }}|||{{ 5 % 0 }}|||{{ 5.0 // 0 }}|||{{ 7.9 // 2 }}|||{{ -7.9 // 2 }}|||{{ 1e308 * 10 }}|||{{ -1e308 * 10 }}
{{ 'a\nb\t\'\"\\ \x41 \u00e9 \U0001F600 \101 \q' }}|||{{ "it's" }}|||{{ ['it\'s', "a\"b", 'both\'"', '\n\t\\', '\x01\x7f\u200b\u00ad\ue000', 'é世😀'] }}|||{{ ['\u2028', '\xa0'] }}|||{{ 'line \
cont' }}|||{{ '\é' }}
{{ [true, false, none, 1, 1.5, 'x', (1,), {'a': none}] }}|||{{ [d, l, nested] }}|||{{ (x, 1) }}|||{{ [[[]], {}, ()] }}|||{{ namespace(a=1, b='x') }}|||{{ [namespace(a=1)] }}|||{{ range(3) }}|||{{ range(1, 10, 3) }}|||{{ range(5)|list }}|||{{ range(5, 0, -2)|list }}|||{{ range(0) }}|||{{ range(100001) }}|||{{ range(1, 2, 0) }}|||{{ range(3) == range(3) }}
{{ '%s is %d years, %.2f%% %5s|%-5s|%05d|%x|%o|%e|%g|%r|%c' % ('Al', 3, 1.5, 'a', 'b', 42, 255, 8, 1234.5, 0.0001, 'q', 'z') }}|||{{ '%(a)s-%(b)r' % {'a': 1, 'b': 'x'} }}|||{{ '%s' % 'x' }}|||{{ '%s' % [1,2] }}|||{{ '%s %s' % 'x' }}|||{{ '%d' % 'x' }}|||{{ '%d' % 3.9 }}|||{{ '%s' % (1,2) }}|||{{ 'x' % 1 }}|||{{ 'x' % [1] }}|||{{ 'x' % {'a': 1} }}|||{{ '%5.1f|%+d|% d|%#x|%X' % (3.14159, 5, 5, 255, 255) }}|||{{ '%*d' % (5, 42) }}|||{{ '%.3s' % 'abcdef' }}|||{{ '%%' % () }}|||{{ '%i' % true }}|||{{ '%5%' % () }}|||{{ '%.0f %.0f' % (0.5, 1.5) }}|||{{ '%g %g %g' % (1e10, 100000, 1000000) }}|||{{ '%s' % none }}|||{{ '%s' % x }}|||{{ '%y' % 1 }}|||{{ '%' % 1 }}|||{{ '%.5d' % 42 }}|||{{ '%e' % 0 }}
{{ '{} {}'.format(1, 'a') }}|||{{ '{0} {1} {0}'.format(1, 2) }}|||{{ '{a} {b!r}'.format(a=1, b='x') }}|||{{ '{:>5}|{:<5}|{:^5}|{:05d}|{:.2f}|{:,}|{:+}|{:x}|{:%}'.format('a', 'b', 'c', 42, 3.14159, 1234567, 5, 255, 0.25) }}|||{{ '{0.name}'.format(namespace(name=3)) }}|||{{ '{0[a]} {0[b][1]}'.format(d) }}|||{{ '{{}}'.format() }}|||{{ '{:{}}'.format('a', 5) }}x|||{{ '{:*^9}'.format('mid') }}|||{{ '{!r}'.format('x') }}|||{{ '{}'.format() }}|||{{ '{a}'.format() }}|||{{ '{'.format() }}|||{{ '}'.format() }}|||{{ '{:d}'.format('x') }}|||{{ '{:e} {:g} {:n}'.format(12345.678, 12345.678, 12) }}|||{{ '{:08.3f}'.format(-3.14159) }}|||{{ '{:_}'.format(1234567) }}|||{{ '{:b} {:o} {:#x} {:#b}'.format(5, 8, 255, 5) }}|||{{ '{:s}'.format('x') }}|||{{ '{:10.3}'.format('abcdef') }}|{{ '{:.3}'.format(3.14159) }}|||{{ '{}'.format(none) }}|||{{ '{:>5}'.format(none) }}|||{{ '{:5}'.format(true) }}|||{{ '{x}'.format_map({'x': 1}) }}|||{{ '{:c}'.format(65) }}|||{{ '{0.__class__}'.format(1) }}
{{ s.upper() }}|||{{ s.lower() }}|||{{ u.upper() }}|||{{ u.lower() }}|||{{ u.title() }}|||{{ u.swapcase() }}|||{{ u.casefold() }}|||{{ 'they\'re bill\'s'.title() }}|||{{ 'they\'re bill\'s (x) [y]-z'|title }}|||{{ 'ǆ ŉ ﬁ'.title() }}|||{{ 'hELLO wORLD'.capitalize() }}|||{{ 'ΑΣ ΣΑΣ'.lower() }}|||{{ s.split() }}|||{{ w.split() }}|||{{ w.split(none, 1) }}|||{{ w.rsplit(none, 1) }}|||{{ w.split(' ') }}|||{{ s.split(', ') }}|||{{ 'a,b,c'.split(',', 1) }}|||{{ 'a,b,c'.rsplit(',', 1) }}|||{{ 'abc'.split('') }}|||{{ ''.split() }}|||{{ ''.split(',') }}|||{{ multi.splitlines() }}|||{{ multi.splitlines(true) }}|||{{ 'a\r\nb\x0bc\u2028d'.splitlines() }}|||{{ w.strip() }}|{{ w.lstrip() }}|{{ w.rstrip() }}|||{{ 'xxaxx'.strip('x') }}|||{{ 'xyaxy'.strip('yx') }}|||{{ 'xxaxx'.lstrip('x') }}|||{{ 'abc'.startswith('ab') }}|||{{ 'abc'.startswith(('x', 'a')) }}|||{{ 'abc'.startswith('b', 1) }}|||{{ 'abc'.endswith('bc', 0, 3) }}|||{{ 'abc'.endswith('') }}|||{{ 'abc'.startswith(1) }}|||{{ 'abcabc'.find('c') }}|||{{ 'abcabc'.rfind('c') }}|||{{ 'abc'.find('z') }}|||{{ 'abc'.index('z') }}|||{{ 'abcabc'.index('c', 3) }}|||{{ u.find('😀') }}|||{{ 'aaaa'.count('aa') }}|||{{ 'abc'.count('') }}|||{{ 'abc'.replace('b', 'xx') }}|||{{ 'aaa'.replace('a', 'b', 2) }}|||{{ 'abc'.replace('', '-') }}|||{{ 'é世'.replace('', '-') }}|||{{ 'abc'.replace('', '-', 2) }}|||{{ 'a-b'.partition('-') }}|||{{ 'a-b-c'.rpartition('-') }}|||{{ 'ab'.partition('-') }}|||{{ 'ab'.rpartition('-') }}|||{{ 'ab'.center(7, '*') }}|{{ 'abc'.center(6, '*') }}|{{ 'ab'.center(5, '*') }}|||{{ 'ab'.ljust(5) }}|||{{ 'ab'.rjust(5, '0') }}|||{{ '-42'.zfill(6) }}|||{{ 'a\tb'.expandtabs(4) }}|||{{ 'abc'.removeprefix('a').removesuffix('c') }}|||{{ ', '.join(['a', 'b']) }}|||{{ ', '.join([1]) }}|||{{ '-'.join('abc') }}|||{{ '-'.join(d) }}|||{{ 'abc'.isalpha() }}{{ 'a1'.isalnum() }}{{ '12'.isdigit() }}{{ '½'.isnumeric() }}{{ '²'.isdigit() }}{{ '²'.isdecimal() }}{{ ' \n'.isspace() }}{{ ''.isalpha() }}{{ 'Ab Cd'.istitle() }}{{ 'AB'.isupper() }}{{ 'ab1'.islower() }}{{ '12'.isupper() }}{{ 'a_1'.isidentifier() }}{{ '1a'.isidentifier() }}{{ 'é'.isascii() }}{{ '\n'.isprintable() }}|||{{ 'abc'.foo() }}|||{{ 'abc'.upper(1) }}|||{{ s.encode }}x
{{ s|upper }}|||{{ s|lower }}|||{{ none|upper }}|||{{ 5|upper }}|||{{ s|capitalize }}|||{{ 'foo-bar (baz) {qux} [a] <b> c\'d'|title }}|||{{ w|trim }}|||{{ 'xax'|trim('x') }}|||{{ 5|trim }}|||{{ s|replace('l', 'L') }}|||{{ s|replace('l', 'L', 1) }}|||{{ 5|replace(5, 6) }}|||{{ s|center(20) }}|||{{ multi|indent }}|||{{ multi|indent(2, true) }}|||{{ multi|indent(2, true, true) }}|||{{ multi|indent('> ', blank=true) }}|||{{ ''|indent(4, true) }}|||{{ 5|indent }}|||{{ long|truncate(20) }}|||{{ long|truncate(20, true) }}|||{{ long|truncate(20, false, '!') }}|||{{ long|truncate(55) }}|||{{ long|truncate(55, leeway=0) }}|||{{ 'abc'|truncate(2) }}|||{{ long|wordwrap(20) }}|||{{ long|wordwrap(5) }}|||{{ 'averyveryverylongword short'|wordwrap(10) }}|||{{ 'averyveryverylongword short'|wordwrap(10, false) }}|||{{ multi|wordwrap(20, wrapstring='|') }}|||{{ 'well-known half-baked ideas'|wordwrap(8) }}|||{{ long|wordcount }}|||{{ u|wordcount }}|||{{ '%s-%s'|format(1, 'a') }}|||{{ '%(x)s'|format(x=3) }}|||{{ 'a'|format }}|||{{ html|e }}|||{{ html|escape|escape }}|||{{ html|forceescape }}|||{{ html|e|forceescape }}|||{{ html|safe }}|||{{ html|striptags }}|||{{ '<!-- x --> a  <b>b</b> &amp; &lt;c&gt;'|striptags }}|||{{ html|urlencode }}|||{{ 'a b/c?é'|urlencode }}|||{{ {'a b': 'c&d', 'e': 1}|urlencode }}|||{{ {'class': 'a', 'id': none, 'x': '<'}|xmlattr }}|||{{ ('<'|safe) + '<' }}|||{{ '<' + ('<'|e) }}|||{{ ('<'|e) ~ '<' }}|||{{ ('<%s>'|safe) % '<' }}|||{{ ('a'|safe).upper() is escaped }}|||{{ [html|e] }}|||{{ ('<{}>'|safe).format('<') }}|||{{ ('-'|safe).join(['<', 'a'|safe]) }}
{{ l|first }}|||{{ l|last }}|||{{ le|first }}x|||{{ le|first is defined }}|||{{ s|first }}|||{{ s|last }}|||{{ d|first }}|||{{ d|last }}|||{{ l|length }}|||{{ u|length }}|||{{ d|count }}|||{{ 5|length }}|||{{ none|length }}|||{{ s|list }}|||{{ d|list }}|||{{ 5|list }}|||{{ l|join }}|||{{ l|join(', ') }}|||{{ people|join(', ', attribute='name') }}|||{{ [1, none, x, true]|join('-') }}|||{{ 'abc'|join('-') }}|||{{ l|reverse|list }}|||{{ s|reverse }}|||{{ d|reverse|list }}|||{{ 5|reverse }}|||{{ l|sort }}|||{{ ls|sort }}|||{{ ls|sort(case_sensitive=true) }}|||{{ l|sort(reverse=true) }}|||{{ people|sort(attribute='name')|map(attribute='name')|list }}|||{{ people|sort(attribute='age,name')|map(attribute='name')|list }}|||{{ people|sort(attribute='age', reverse=true)|map(attribute='name')|list }}|||{{ [1, 'a']|sort }}|||{{ [[2, 1], [1, 2]]|sort }}|||{{ d|sort }}|||{{ [none, 1]|sort }}|||{{ [1, 2, 1, 'a', 'A']|unique|list }}|||{{ people|unique(attribute='age')|list }}|||{{ l|min }}|||{{ l|max }}|||{{ ls|min }}|||{{ ls|max }}|||{{ le|min }}x|||{{ people|max(attribute='age') }}|||{{ l|sum }}|||{{ people|sum(attribute='age') }}|||{{ l|sum(start=10) }}|||{{ ls|sum }}|||{{ [[1], [2]]|sum(start=[]) }}|||{{ range(7)|batch(3)|list }}|||{{ range(7)|batch(3, 'x')|list }}|||{{ range(7)|slice(3)|list }}|||{{ range(7)|slice(3, 'x')|list }}|||{{ d|items|list }}|||{{ l|items|list }}|||{{ x|items|list }}|||{{ {'b': 1, 'A': 2}|dictsort }}|||{{ {'b': 1, 'A': 2}|dictsort(true) }}|||{{ {'b': 1, 'A': 2}|dictsort(by='value', reverse=true) }}|||{{ {'b': 1}|dictsort(by='x') }}|||{{ people|groupby('age') }}|||{% for g, ps in people|groupby('age') %}{{ g }}:{{ ps|map(attribute='name')|join(',') }};{% endfor %}|||{% for g in people|groupby('name') %}{{ g.grouper }}{{ g.list|length }}{% endfor %}|||{{ people|groupby('tags', default=['none'])|length }}
{{ ls|map('upper')|list }}|||{{ l|map('string')|join('+') }}|||{{ people|map(attribute='name')|join(',') }}|||{{ people|map(attribute='tags', default='none')|list }}|||{{ people|map(attribute='tags.0')|list }}|||{{ [[1,2],[3]]|map('first')|list }}|||{{ ls|map('replace', 'b', 'x')|list }}|||{{ l|map('nosuch')|list }}|||{{ l|map|list }}|||{{ l|select('odd')|list }}|||{{ l|reject('odd')|list }}|||{{ [0, 1, '', 'a', none]|select|list }}|||{{ l|select('gt', 1)|list }}|||{{ people|selectattr('age', 'equalto', 3)|map(attribute='name')|list }}|||{{ people|selectattr('tags')|list|length }}|||{{ people|rejectattr('tags')|list|length }}|||{{ people|rejectattr('tags', 'defined')|map(attribute='name')|list }}|||{{ people|selectattr('name', 'in', ['Bo', 'Cy'])|map(attribute='age')|sum }}|||{{ people|selectattr|list }}|||{{ none|map('upper')|list }}|||{{ 5|map('upper')|list }}|||{{ (l|map('string')) is string }}|||{% set g = l|map('string') %}{{ g|list }}{{ g|list }}|||{{ l|map('string')|length }}|||{{ (l|map('string'))[0] }}x|||{{ [1, 'a', 2]|map('abs')|first }}|||{{ [1, 'a', 2]|map('abs')|list }}|||{{ d|attr('a') }}x|||{{ d|attr('items') is callable }}|||{{ namespace(a=1)|attr('a') }}
{{ '42'|int }}|||{{ ' 42 '|int }}|||{{ '4_2'|int }}|||{{ '42.9'|int }}|||{{ 'x'|int }}|||{{ 'x'|int(-1) }}|||{{ '0x1f'|int(base=16) }}|||{{ '0x1f'|int(0, 0) }}|||{{ '1f'|int(base=16) }}|||{{ '101'|int(base=2) }}|||{{ 3.9|int }}|||{{ -3.9|int }}|||{{ true|int }}|||{{ none|int }}|||{{ l|int }}|||{{ '1e3'|int }}|||{{ '-5'|int }}|||{{ '+5'|int }}|||{{ '--5'|int }}|||{{ ''|int }}|||{{ '3.14'|float }}|||{{ 'x'|float }}|||{{ 'x'|float(1.5) }}|||{{ 5|float }}|||{{ '1e5'|float }}|||{{ 'inf'|float }}|||{{ 'nan'|float }}|||{{ '.5'|float }}|||{{ '5.'|float }}|||{{ none|float }}|||{{ -5|abs }}|||{{ -2.5|abs }}|||{{ 'x'|abs }}|||{{ 2.5|round }}|||{{ 3.5|round }}|||{{ 42.55|round(1) }}|||{{ 2.675|round(2) }}|||{{ 42.55|round(1, 'floor') }}|||{{ 42.51|round(1, 'ceil') }}|||{{ 42|round }}|||{{ 42|round(1, 'ceil') }}|||{{ 1234.5|round(-2) }}|||{{ 1250|round(-2) }}|||{{ 42.5|round(0, 'x') }}|||{{ 'x'|round }}|||{{ 1.0|round|int }}|||{{ 1000|filesizeformat }}|||{{ 1|filesizeformat }}|||{{ 999|filesizeformat }}|||{{ 123456789|filesizeformat }}|||{{ 123456789|filesizeformat(true) }}|||{{ 1024|filesizeformat(binary=true) }}|||{{ 10000000000000000000000000.0|filesizeformat }}
{{ d|tojson }}|||{{ d|tojson(indent=2) }}|||{{ nested|tojson(indent=4) }}|||{{ le|tojson(indent=2) }}{{ de|tojson(indent=2) }}|||{{ u|tojson }}|||{{ u|tojson(ensure_ascii=true) }}|||{{ q|tojson }}|||{{ '\x7f\u2028</script>&\''|tojson }}|||{{ {'b': 1, 'a': 2}|tojson(sort_keys=true) }}|||{{ d|tojson(separators=(',', ':')) }}|||{{ d|tojson(indent='--') }}|||{{ d|tojson(indent=0) }}|||{{ {1: 2, none: 3, true: 4, 1.5: 5}|tojson }}|||{{ {(1,): 2}|tojson }}|||{{ (1, [2])|tojson }}|||{{ [1.0, 1e20, 0.1, -0.0]|tojson }}|||{{ range(3)|tojson }}|||{{ d.items()|tojson }}|||{{ d.keys()|tojson }}|||{{ x|tojson }}|||{{ namespace()|tojson }}|||{{ none|tojson }}{{ true|tojson }}{{ 'a'|tojson }}|||{{ d|tojson|safe }}|||{{ 'nan'|float|tojson }}|||{{ d|tojson(true) }}|||{{ d | tojson(foo=1) }}
{{ 1 is odd }}{{ 2 is even }}{{ 9 is divisibleby 3 }}{{ 9 is divisibleby(2) }}|||{{ none is none }}{{ x is none }}{{ none is defined }}|||{{ true is boolean }}{{ 1 is boolean }}{{ true is true }}{{ 1 is true }}{{ false is false }}|||{{ 1 is integer }}{{ true is integer }}{{ 1.0 is integer }}{{ 1.0 is float }}{{ true is number }}{{ 'a' is number }}|||{{ 'a' is string }}{{ l is sequence }}{{ d is sequence }}{{ s is sequence }}{{ x is sequence }}{{ d is mapping }}{{ l is mapping }}{{ d is iterable }}{{ 5 is iterable }}{{ x is iterable }}{{ d.items() is sequence }}|||{{ 'abc' is lower }}{{ 'ABC' is upper }}{{ 'aB' is lower }}{{ 5 is lower }}|||{{ range is callable }}{{ s is callable }}{{ x is callable }}|||{{ 1 is sameas 1 }}{{ l is sameas l }}{{ [1] is sameas [1] }}{{ none is sameas none }}{{ true is sameas 1 }}|||{{ 1 is in [1, 2] }}{{ 'a' is in 'abc' }}{{ 3 is not in [1] }}|||{{ 1 is eq 1 }}{{ 1 is ne 1 }}{{ 1 is lt 2 }}{{ 1 is gt 2 }}{{ 1 is le 1 }}{{ 1 is ge 2 }}{{ 1 is equalto 1.0 }}{{ 1 is lessthan(2) }}{{ 1 is greaterthan 0 }}|||{{ 'upper' is filter }}{{ 'zz' is filter }}{{ 'odd' is test }}|||{{ 1 is not odd }}{{ x is not defined }}|||{{ not x is defined }}|||{{ x is defined and x.y }}|||{{ x is defined or true }}|||{{ (x is defined) == false }}|||{{ 1 is odd is even }}|||{{ 1 is nosuch }}|||{{ 'a' is odd }}|||{{ x is defined if t else 'no' }}|||{{ 'yes' if x is not defined else 'no' }}|||{{ s is string and l is not string }}|||{{ 1|nosuch }}|||{% if false %}{{ 1|nosuch }}{% endif %}ok|||{% if true %}{{ 1|nosuch }}{% endif %}|||{{ 1 if true else 2|nosuch }}|||{{ 1|nosuch if false else 2 }}|||{% if false %}{% for i in l %}{{ i|nosuch }}{% endfor %}{% endif %}
{% for i in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }};{% endfor %}|||{% for i in l %}{{ loop.previtem }}<{{ i }}>{{ loop.nextitem }};{% endfor %}|||{% for i in l %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }}{% endfor %}|||{% for i in l %}{{ loop.cycle('a', 'b') }}{% endfor %}|||{% for i in [1,1,2] %}{{ loop.changed(i) }}{% endfor %}|||{% for i in [1,1,2] %}{{ loop.changed(i, loop.index) }}{% endfor %}|||{% for i in l %}{{ loop.cycle() }}{% endfor %}|||{% for i in l if i > 1 %}{{ loop.index }}{{ i }}{{ loop.last }}{% else %}e{% endfor %}|||{% for i in l if i > 5 %}{{ i }}{% else %}e{% endfor %}|||{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}|||{% for k in d %}{{ k }}{% endfor %}|||{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% endfor %}|||{% for a, b in [[1, 2, 3]] %}{% endfor %}|||{% for a, b in [[1]] %}{% endfor %}|||{% for a, b in [1] %}{% endfor %}|||{% for (a, b), c in [[[1, 2], 3]] %}{{ a }}{{ b }}{{ c }}{% endfor %}|||{% for i in 1, 2, 3 %}{{ i }}{% endfor %}|||{% for c in s %}{{ c }}.{% endfor %}|||{% for c in u %}{{ c }}.{% endfor %}|||{% for i in 5 %}{% endfor %}|||{% for i in none %}{% endfor %}|||{% for i in l %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}|||{% for i in l %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% else %}e{% endfor %}|||{% for i in l recursive %}{{ loop.depth }}{{ i }}{% endfor %}|||{% for n in nested recursive %}{% if n is iterable and n is not string and n is not mapping %}[{{ loop(n) }}]{% else %}{{ n }}@{{ loop.depth }}{% endif %}{% endfor %}|||{% for i in l %}{{ loop(l) }}{% endfor %}|||{% for i in l %}{% for j in l %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}|||{{ loop }}|||{% for i in l %}{{ loop.foo }}x{% endfor %}|||{% for i in [] %}x{% else %}{{ i }}y{% endfor %}|||{% for i in l %}{% set i = 5 %}{{ i }}{% endfor %}{{ i }}|||{% for i in (l|map('string')) %}{{ loop.length }}{{ i }}{% endfor %}|||{% for i in l|select('odd') %}{{ loop.last }}{{ loop.revindex }}{% endfor %}|||{% break %}|||{% for i in l %}{{ i }}{% endfor %}{{ i is defined }}|||{% for i in range(3) %}{% for j in range(3) %}{% if j == 1 %}{% break %}{% endif %}{{ i }}{{ j }} {% endfor %}{% endfor %}
{% set x = 1 %}{{ x }}|||{% set a, b = 1, 2 %}{{ a }}{{ b }}|||{% set a, b = [1] %}|||{% set x = 1, 2 %}{{ x }}|||{% set x = 1 %}{% for i in l %}{{ x }}{% set x = i %}{{ x }};{% endfor %}{{ x }}|||{% set ns = namespace(x=0) %}{% for i in l %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}|||{% set ns = namespace() %}{% set ns.a = 1 %}{% set ns.b, ns.c = 2, 3 %}{{ ns.a }}{{ ns.b }}{{ ns.c }}{{ ns.d is defined }}|||{% set ns = namespace() %}{{ ns.zz.y }}|||{% set d.a = 1 %}|||{% set nope.a = 1 %}|||{% set true = 1 %}|||{% set x %}a{{ 1 }}b{% endset %}{{ x }}|||{% set x | upper | replace('A', 'z') %}a{{ 1 }}b{% endset %}{{ x }}|||{% set ns = namespace() %}{% set ns.x %}hi{% endset %}{{ ns.x }}|||{% if true %}{% set y = 1 %}{% endif %}{{ y }}|||{% if false %}{% set y = 1 %}{% endif %}{{ y is defined }}|||{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}|||{% with %}{% set q2 = 1 %}{{ q2 }}{% endwith %}{{ q2 is defined }}|||{% with a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}{% endwith %}|||{% filter upper %}abc{{ 'def' }}{% endfilter %}|||{% filter replace('a', 'b') | upper %}aXa{% endfilter %}|||{% generation %}{% set zz = 1 %}{{ zz }}body{% endgeneration %}{{ zz is defined }}|||{% print 1 + 2 %}|||{% print 1, 2 %}|||{% block title %}T{{ s }}{% endblock %}|||{% for i in l %}{% block x scoped %}{{ i }}{% endblock %}{% endfor %}|||{% for i in l %}{% block x %}{{ i }}{% endblock %}{% endfor %}|||{% autoescape true %}{{ html }}{{ html|safe }}{% endautoescape %}|||{% autoescape false %}{{ html }}{% endautoescape %}|||{% include 'x' %}|||{% extends 'x' %}|||{% import 'x' as y %}|||{% from 'x' import y %}|||{% do 1 %}|||{% nosuch %}|||{% if %}{% endif %}|||{% if 1 %}|||{% endif %}|||{% for %}{% endfor %}|||{{ }}|||{{ 1 + }}|||{{ (1 }}|||{{ 1) }}|||{{ [1 }}|||{{ {1} }}|||{{ 'abc }}|||{% if 1 %}{% endfor %}|||{# abc|||{% raw %}abc|||{{ a b }}|||{{ 1 2 }}|||{{ a..b }}|||{{ @ }}|||{{ a ? b }}|||{{ f(a=1, 2) }}|||{{ f(**a, b) }}|||{% set 1 = 2 %}|||{% set a + b = 2 %}|||{{ 007 }}
{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(b=4, a=5) }}{{ m() }}|||{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}|||{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}|||{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}|||{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}|||{% macro m(a=1, b) %}{% endmacro %}|||{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}x{% endcall %}|||{% macro m() %}[{{ caller(1, 2) }}]{% endmacro %}{% call(a, b) m() %}{{ a }}{{ b }}{% endcall %}|||{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}|||{% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}|||{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}|||{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}|||{% set x = 1 %}{% macro m() %}{{ x }}{% set x = 2 %}{{ x }}{% endmacro %}{{ m() }}{{ x }}|||{% macro m() %}{{ y }}{% endmacro %}{% set y = 5 %}{{ m() }}|||{{ m is defined }}{% macro m() %}{% endmacro %}{{ m is defined }}|||{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}|||{% macro m(a) %}{{ a.b }}{% endmacro %}{{ m() }}|||{% macro m() %}{% endmacro %}{{ m.name }}{{ m }}|||{% macro m(a) %}  {{ a }}  {% endmacro %}{{ m('x')|trim }}|{{ m('x')|length }}|||{% for i in l %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}|||{% macro m(a, a2=none) %}{{ a }}{{ a2 }}{% endmacro %}{{ m(*[1, 2]) }}{{ m(**{'a': 3}) }}{{ m(*[1], **{'a2': 5}) }}|||{% macro m(x) -%} {{ x }} {%- endmacro %}[{{ m(1) }}]|||{% macro m() %}{{ varargs|length }}{{ varargs }}{% endmacro %}{{ m(1) }}{{ m() }}|||{% macro outer() %}{% macro inner() %}i{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}{{ inner is defined }}|||{{ cycler('a', 'b').next() }}|||{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}|||{% set j = joiner('; ') %}{% for i in l %}{{ j() }}{{ i }}{% endfor %}|||{{ cycler() }}|||{{ raise_exception('boom ' ~ 1) }}|||{{ strftime_now('%Y-%m-%d %H:%M:%S %A %B %j %U %W %y %I %p %a %b %e %-d %c %x %X %% %Q %') }}|||{{ lipsum is defined }}|||{{ range(3)|map('string')|join }}{{ self is defined }}|||{{ s('x') }}|||{{ l() }}|||{{ d.a() }}|||{{ (1).real }}x
a
{% if true %}
b
{% endif %}
c|||  {% if true %}
  x
  {% endif %}
y|||  {%- if true -%}
  x
  {%- endif -%}
y|||a  {%+ if true %}
x{% endif +%}
y|||{{ 1 }}
{{ 2 }}
|||{{ 1 -}}
   {{- 2 }}   
{{ 3 }}|||{# c #}
a|||   {# c #}
a|||{#- c -#}   a|||a   {#- c -#}   a|||{% raw %}{{ x }}{% y %}{% endraw %}|||  {% raw %}
 {{ x }}
  {% endraw %}
a|||{%- raw -%}  {{ x }}  {%- endraw -%}  b|||{% raw -%}   x   {%- endraw %}  y|||{{ '{{' }}{{ '}}' }}|||{{ {'a': {'b': 1}}.a.b }}|||{{ {'a': {'b': 1}}}}|||{{- 'x' -}} y|||	{% set x = 1 %}	
	z|||{% set x = 1 %} {% set y = 2 %}
z|||a {% set x = 1 %}
z|||{%set x=1%}{{x}}|||{%-set x=1-%}{{x}}|||{{'a'if true else'b'}}|||{% if true %}a{% elif true %}b{% else %}c{% endif %}|||{% if false %}a{% elif true %}b{% else %}c{% endif %}|||{% if false %}a{% elif false %}b{% else %}c{% endif %}|||{% if true: %}x{% endif %}|||line1
line2

|||
{{ 1 }}|||{% for i in l %}
  {{ i }}
{% endfor %}
end|||{% for i in l -%}
  {{ i }}
{%- endfor %}
end|||{% if true %}{# a #}
  b
{% endif %}|||x{% if true %} 
 y{% endif %}|||{{ "a
b" }}|||{{ # }}|||{{ 1 }}{#- a -#}

{{ 2 }}|||{# a +#}
b|||{% for i in l %}{{ i }}{{ "," if not loop.last }}{% endfor %}|||a{% if true %}
b{% endif %}
c{{ 1 }}
d{# x #}
e
"""


def hand_cases():
    for block in HAND.strip("\n").split("|||"):
        yield block
    # Rows of one line hold several cases; the separator never spans them.
    for case in ("a\r\nb{{ 1 }}\r\n", "a\r{% if true %}\rb{% endif %}", "{{ 1 }}\n\n", "{{ 1 }}\n", "\n\n{{ 1 }}",
                 "{{ '\r\n'|length }}"):
        yield case


VALUES = ["s", "u", "e", "w", "n", "z", "m", "f", "g", "t", "b", "none", "l", "ls", "le", "d", "de", "q", "x", "people",
          "html", "num", "real", "hex", "(1, 'a')", "range(3)", "d.keys()", "nested", "namespace(a=1)", "(l|map('string'))"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or"]
FILTERS = ["abs", "batch(2)", "capitalize", "center(9)", "default('d')", "dictsort", "escape", "filesizeformat", "first",
           "float", "forceescape", "format(1)", "groupby('age')", "indent", "int", "items", "join('-')", "last", "length",
           "list", "lower", "map('upper')", "max", "min", "reject('odd')", "replace('l', 'L')", "reverse", "round", "round(1)",
           "select", "selectattr('name')", "slice(2)", "sort", "string", "striptags", "sum", "title", "tojson", "tojson(indent=1)",
           "trim", "truncate(5)", "unique", "upper", "urlencode", "wordcount", "wordwrap(6)", "attr('name')", "xmlattr", "safe"]
TESTS = ["boolean", "callable", "defined", "divisibleby 2", "eq 7", "escaped", "even", "false", "float", "gt 1", "in [7, 's']",
         "integer", "iterable", "lower", "lt 'b'", "mapping", "none", "number", "odd", "sameas none", "sequence", "string",
         "true", "undefined", "upper"]
METHODS = ["upper()", "title()", "split()", "split('l')", "strip('H')", "replace('a', 'bb')", "center(20)", "zfill(15)",
           "find('o')", "rfind('o')", "count('l')", "startswith('H')", "endswith('')", "isalpha()", "isspace()", "splitlines()",
           "partition(' ')", "rsplit(' ', 1)", "join(['1', '2'])", "format(1)", "get('a')", "items()", "keys()", "index(1)",
           "count(1)", "copy()", "swapcase()", "casefold()", "capitalize()", "isdigit()", "istitle()", "islower()"]
SUBSCRIPTS = ["[0]", "[-1]", "[1:]", "[::-1]", "['a']", ".a", ".name", "[none]", "[1.0]", "[true]", "[(1,)]", "[:2]", "[-2:]"]


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
            return rng.choice(["1", "2.5", "'a b'", "\"é\"", "[1, 'x']", "{'k': 2}", "true", "none", "0", "-1"])
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


ADDRESS = re.compile(r" at 0x[0-9a-f]+|<generator|<built-in|<bound method|<function|<class|_reverseiterator object"
                     r"|<jinja2|<method", re.I)
# What we leave out on purpose: filler text, the block object, attributes of numbers, sets, generators as text.
LEFT_OUT = re.compile(r"lipsum|map..string...\\|(wordcount|wordwrap)|\bself\b|\.real|keys\(\)\)* ([-|&^]|<|>|>=|<=) |[-|&^] \(*d\.keys\(\)")


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
    cases = [(1, hand_cases()), (0.06, combined_cases()), (1, random_cases(20000 if everything else 1200))]
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
