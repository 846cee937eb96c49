// GBNF, the grammar notation of llama.cpp:
//
//   root ::= "text" [a-z] [^\n] . rule ( ... | ... ) <[42]> !<[42]> <name> !<name>   # comment
//   * + ? {n} {n,} {n,m} {,m}  escapes \n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "grammar/expression.h"

namespace ingle::grammar {

// The token with this text, or nothing.
using TokenNames = std::function<std::optional<uint32_t>(std::string_view text)>;

// A rule that a GBNF text may call without defining it.
struct Part {
    enum class Kind {
        json_schema,   // JSON that the schema `text` allows
        mark,          // `text`, in which tokens of the vocabulary match by themselves, too
        text_without,  // any characters among which `text` does not stand
    };
    Kind kind = Kind::mark;
    std::string name;
    std::string text;
};

// A part, made ready.
struct NamedExpr {
    std::string name;
    Expr body = none;
};

// The expression of `root`. Fails with line and column; refuses left recursion, rules that are not
// defined and rules that no text can complete. `names` may be empty: then <name> is refused.
Result<Expr> parse_gbnf(Expressions& pool, std::string_view text, const TokenNames& names,
                        const std::vector<NamedExpr>& parts = {}, std::string_view root = "root");

}  // namespace ingle::grammar
