// ingle grammar: compiles a grammar or JSON schema and tells whether a text matches it.
#include "cli/options/grammar.h"

#include <cstdio>

#include "base/file.h"
#include "cli/model_file.h"
#include "cli/model_tokenizer.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = grammar_options();
    for (Option& option : all) option.group = "Grammar";
    all.push_back({.name = "text", .flags = "--text", .placeholder = "TEXT", .default_value = std::string(),
                   .help = "the text to check; without one only the grammar is"});
    all.push_back({.name = "text_file", .flags = "--text-file", .placeholder = "FILE",
                   .default_value = std::string(), .help = "the same from a file; -: standard input"});
    Option model = model_option();
    model.help = "look up <tokens> of the grammar in the vocabulary of this model";
    all.push_back(std::move(model));
    return all;
}

Result<std::optional<std::string>> text_of(const OptionValues& values) {
    if (values.given("text")) return std::optional(values.text("text"));
    if (!values.given("text_file")) return std::optional<std::string>();
    if (values.text("text_file") == "-") {
        INGLE_ASSIGN(std::string text, read_standard_input());
        return std::optional(std::move(text));
    }
    INGLE_ASSIGN(std::string text, read_file(values.text("text_file")));
    return std::optional(std::move(text));
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    if (invocation.arguments.size() != 1 || invocation.arguments[0] != "check")
        return fail(Code::invalid_argument, "expected: ingle grammar check, found ",
                    ingle::quoted(invocation.arguments.empty() ? "" : invocation.arguments[0]));
    std::unique_ptr<const Tokenizer> tokenizer;
    grammar::TokenNames names;
    if (values.given("model")) {
        INGLE_ASSIGN(const std::string path, model_path(invocation));
        INGLE_ASSIGN(const auto file, open_model(path));
        INGLE_ASSIGN(tokenizer, tokenizer_of(file));
        names = token_names_of(*tokenizer);
    }
    INGLE_ASSIGN(const auto made, grammar_of(values, names));
    if (!made) return fail(Code::invalid_argument, "no grammar given: use --grammar, --json-schema or the like");
    INGLE_ASSIGN(const auto text, text_of(values));
    if (!text) {
        std::puts("the grammar is valid");
        return {};
    }
    INGLE_ASSIGN(const grammar::Verdict verdict, grammar::check_text(made, *text));
    if (verdict.accepted) {
        std::puts("accepted");
        return {};
    }
    if (verdict.incomplete)
        return fail(Code::invalid_argument, "the text is incomplete: it must go on after its ", text->size(),
                    " bytes");
    return fail(Code::invalid_argument, "the text is refused at byte ", verdict.offset, ": ",
                ingle::quoted(std::string_view(*text).substr(verdict.offset)));
}

}  // namespace

namespace entries {
extern const Verb grammar;
const Verb grammar = {
    .name = "grammar",
    .group = "Look inside",
    .summary = "check a grammar or JSON schema, and a text against it",
    .arguments = "check",
    .about = "  ingle grammar check --schema person.json --text '{\"name\": \"Ada\"}'\n"
             "  ingle grammar check --grammar-file list.gbnf --text-file answer.txt\n"
             "  ingle grammar check --regex '[0-9]{3}' --text 123\n\n"
             "Prints \"accepted\", or fails and says at which byte the text is refused.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
