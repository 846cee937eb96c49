#include "cli/options/grammar.h"

#include "base/file.h"
#include "cli/spelling.h"

namespace ingle::cli {

std::vector<Option> grammar_options() {
    const auto text = [](const char* name, const char* flags, const char* placeholder, const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = placeholder,
                      .default_value = std::string(), .help = help, .group = "Form of the answer"};
    };
    return {
        text("grammar", "--grammar", "TEXT", "the answer must match this grammar (GBNF)"),
        text("grammar_file", "--grammar-file", "FILE", "the same from a file"),
        text("json_schema", "-j,--json-schema", "TEXT",
             "the answer must be JSON that satisfies this schema; {}: any JSON"),
        text("json_schema_file", "-jf,--json-schema-file,--schema", "FILE", "the same from a file"),
        text("regex", "--regex", "TEXT", "the answer must match this regular expression as a whole"),
        Option{.name = "choice", .flags = "--choice", .placeholder = "TEXT",
               .default_value = std::vector<std::string>(),
               .help = "the answer must be one of these; may be given several times",
               .group = "Form of the answer"},
    };
}

Result<std::shared_ptr<grammar::Grammar>> grammar_of(const OptionValues& values,
                                                     const grammar::TokenNames& names) {
    using grammar::Grammar;
    std::string given;
    for (const char* name : {"grammar", "grammar_file", "json_schema", "json_schema_file", "regex", "choice"}) {
        if (!values.given(name)) continue;
        const std::string flag = spellings_of(*values.find(name)).front().text;
        if (!given.empty())
            return fail(Code::invalid_argument, flag, ": ", given, " says already what the answer looks like");
        given = flag;
    }
    if (values.given("grammar")) return Grammar::from_gbnf(values.text("grammar"), names);
    if (values.given("json_schema")) return Grammar::from_json_schema(values.text("json_schema"));
    if (values.given("regex")) return Grammar::from_regex(values.text("regex"));
    if (values.given("choice")) return Grammar::from_choices(values.list("choice"));
    for (const char* name : {"grammar_file", "json_schema_file"}) {
        if (!values.given(name)) continue;
        const std::string& path = values.text(name);
        INGLE_ASSIGN(const std::string text, read_file(path));
        auto made = std::string_view(name) == "grammar_file" ? Grammar::from_gbnf(text, names)
                                                             : Grammar::from_json_schema(text);
        if (!made.ok()) return std::move(made).status().in(path);
        return made;
    }
    return std::shared_ptr<Grammar>();
}

Result<std::unique_ptr<GrammarMask>> make_grammar_mask(const OptionValues& values, const Tokenizer& tokenizer) {
    INGLE_ASSIGN(auto made, grammar_of(values, token_names_of(tokenizer)));
    if (!made) return std::unique_ptr<GrammarMask>();
    return std::make_unique<GrammarMask>(std::move(made), token_trie_of(tokenizer));
}

}  // namespace ingle::cli
