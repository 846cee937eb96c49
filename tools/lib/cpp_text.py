"""Just enough C++ reading to move files together: comments and literals apart from code, the names that a
file declares in its unnamed namespaces, renaming of words."""
import re

PIECES = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                # comments
    r'|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'             # raw strings
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''  # literals; not 1'000
    r'|[A-Za-z_]\w*|\d(?:[\w.\']|[eEpP][+-])*|\s+|::|->|\.\.\.|.', re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
KEYWORDS = frozenset("""alignas alignof auto bool break case char class const constexpr consteval constinit continue
decltype default delete do double else enum explicit extern false float for friend if inline int long mutable namespace
noexcept nullptr operator private protected public requires return short signed sizeof static static_assert struct
switch template this thread_local true typedef typename union unsigned using virtual void volatile while
concept co_return""".split())


class Source:
    def __init__(self, text):
        self.text = text
        self.pieces = [match.group(0) for match in PIECES.finditer(text)]


def is_code(piece):
    return not (piece.isspace() or piece.startswith(("//", "/*")))


def is_word(piece):
    return WORD.match(piece) is not None


def tokens_of(source):
    return {piece for piece in source.pieces if is_word(piece)}


def macro_names(source):
    """Macros that the text defines and leaves defined."""
    defined = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", source.text, re.MULTILINE))
    return defined - set(re.findall(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", source.text, re.MULTILINE))


def without_preprocessor(text):
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", "", text, flags=re.MULTILINE)


def declared_names(source):
    """Names declared directly inside unnamed namespaces, with the named namespace around each: ("ingle", "cli")."""
    pieces = [p for p in Source(without_preprocessor(source.text)).pieces if is_code(p)]
    names, scopes, statement, around = {}, [], [], []
    for i, piece in enumerate(pieces):
        if piece == "{":
            if statement[-1:] == ["namespace"]:
                scopes.append("unnamed")
                statement = []
            elif "namespace" in statement[:2]:
                scopes.append("named")
                words = [w for w in statement if is_word(w) and w not in ("namespace", "inline")]
                around.append(words)
                statement = []
            else:
                if scopes and scopes[-1] == "unnamed":
                    names |= dict.fromkeys(names_in(statement + ["{"]), tuple(sum(around, [])))
                scopes.append("block")
                statement.append("{}")
            continue
        if piece == "}":
            closed = scopes.pop() if scopes else None
            if closed == "named":
                around.pop()
            if closed != "block" or (scopes and scopes[-1] != "block"
                                     and ends_definition(statement, pieces[i + 1:i + 2])):
                statement = []
            continue
        if scopes and scopes[-1] == "block":
            continue
        if piece == ";":
            if scopes and scopes[-1] == "unnamed":
                names |= dict.fromkeys(names_in(statement + [";"]), tuple(sum(around, [])))
            statement = []
            continue
        statement.append(piece)
    return names


def ends_definition(statement, following):
    """A body has just closed: is its statement over? Not where an initializer or a declarator goes on."""
    return following[:1] != [";"] and following[:1] != [","] and following[:1] != ["("]


def names_in(statement):
    """The names that one declaration introduces."""
    words = drop_template_heads(statement)
    if not words or words[0] in ("static_assert", "friend"):
        return set()
    if words[0] == "using":
        return {words[1]} if "=" in words[:3] else set()
    if words[0] in ("struct", "class", "union", "enum", "concept"):
        rest = [w for w in words[1:] if w not in ("class", "struct")]
        rest = skip_groups(rest, "alignas")
        found = {rest[0]} if rest and is_word(rest[0]) else set()
        return found
    if "operator" in words:
        return set()
    depth, previous = 0, None
    for word in words:
        if word in "<" and previous and is_word(previous):
            depth += 1
        elif word == ">" and depth:
            depth -= 1
        elif depth == 0 and word in ("(", "=", "{", ";", "[", "{}") and previous is not None:
            if is_word(previous) and previous not in KEYWORDS:
                return {previous}
            if word != "[" and previous not in ("]",):
                return set()
        previous = word if depth == 0 or not is_word(word) else previous
    return set()


def drop_template_heads(words):
    out = list(words)
    while out and out[0] in ("template", "inline", "static", "constexpr", "const", "extern", "["):
        if out[0] == "template":
            depth, i = 0, 1
            while i < len(out):
                depth += (out[i] == "<") - (out[i] == ">")
                i += 1
                if depth == 0:
                    break
            out = out[i:]
            if out and out[0] == "requires":
                out = skip_requires(out)
        elif out[0] == "[":
            out = out[out.index("]") + 2:] if "]" in out else []
        else:
            out = out[1:]
    return out


def skip_requires(words):
    depth = 0
    for i, word in enumerate(words[1:], 1):
        depth += (word == "(") - (word == ")")
        if word == ")" and depth == 0:
            return words[i + 1:]
    return []


def skip_groups(words, keyword):
    if words[:1] != [keyword]:
        return words
    return words[words.index(")") + 1:]


def rename(source, names, around):
    """The text with words replaced, except members (after . or ->). A qualified name is replaced only after the
    namespace that `around` gives for it."""
    if not names:
        return source.text
    out, before = [], ["", ""]
    for piece in source.pieces:
        if piece in names and (before[1] not in (".", "->", "::")
                               or before[1] == "::" and before[0] in around[piece][-1:]):
            out.append(names[piece])
        else:
            out.append(piece)
        if is_code(piece):
            before = [before[1], piece]
    return "".join(out)
