// ingle tokenize: the token ids of a text.
#include "tokenizer/tokenizer.h"

#include <cstdio>

#include "base/file.h"
#include "cli/json_writer.h"
#include "cli/model_file.h"
#include "cli/model_tokenizer.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = {model_option()};
    for (Option& option : text_options()) all.push_back(std::move(option));
    const auto add_flag = [&all](const char* name, const char* flags, const char* help) {
        all.push_back({.name = name, .flags = flags, .placeholder = "", .default_value = false,
                       .help = help});
    };
    add_flag("stdin", "--stdin", "read the text from standard input, as -f - does");
    add_flag("ids", "--ids", "print one JSON array of ids and nothing else");
    add_flag("show_count", "--show-count", "print the number of tokens too");
    add_flag("no_bos", "--no-bos", "add no special token of any kind");
    add_flag("no_parse_special", "--no-parse-special",
             "take <|names|> of control tokens in the text as plain text");
    add_flag("no_escape", "--no-escape", "as it always is: the text is taken as it stands");
    return all;
}

Result<std::string> text_of(const Invocation& invocation) {
    if (invocation.values.flag("stdin")) return read_standard_input();
    INGLE_ASSIGN(auto text, given_text(invocation.values));
    if (!text) return fail(Code::invalid_argument, "no text given: use -p TEXT, -f FILE or -f -");
    return std::move(*text);
}

void print_table(const Tokenizer& tokenizer, const std::vector<Token>& tokens) {
    for (const Token token : tokens)
        std::printf("%6d -> %s\n", token, ingle::quoted(tokenizer.piece(token, true)).c_str());
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const std::string path, model_path(invocation));
    INGLE_ASSIGN(const std::string text, text_of(invocation));
    INGLE_ASSIGN(const auto file, open_model(path));
    INGLE_ASSIGN(const auto tokenizer, tokenizer_of(file));
    const std::vector<Token> tokens =
        tokenizer->encode(text, {.add_special = !values.flag("no_bos"),
                                 .parse_special = !values.flag("no_parse_special")});
    if (values.flag("ids")) {
        JsonWriter json;
        json.begin_array();
        for (const Token token : tokens) json.value(token);
        std::printf("%s\n", json.end_array().text().c_str());
    } else {
        print_table(*tokenizer, tokens);
    }
    if (values.flag("show_count")) std::printf("Total number of tokens: %zu\n", tokens.size());
    return {};
}

}  // namespace

namespace entries {
extern const Verb tokenize;
const Verb tokenize = {
    .name = "tokenize",
    .group = "Look inside",
    .summary = "show the tokens of a text",
    .arguments = "",
    .about = "  ingle tokenize -m MODEL.gguf -p \"Hello\"         a table of ids and texts\n"
             "  ingle tokenize -m MODEL.gguf -f book.txt --ids  one JSON array\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
