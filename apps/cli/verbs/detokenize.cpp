// ingle detokenize: the text of token ids; undoes tokenize.
#include <cstdio>

#include "base/file.h"
#include "cli/model_file.h"
#include "cli/model_tokenizer.h"
#include "cli/options/model.h"
#include "cli/terminal.h"
#include "cli/token_list.h"
#include "tokenizer/tokenizer.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {
        model_option(),
        {.name = "ids", .flags = "--ids", .placeholder = "LIST", .default_value = std::string(),
         .help = "the ids: numbers between commas, spaces or brackets", .group = "Input"},
        {.name = "file", .flags = "-f,--file", .placeholder = "FILE",
         .default_value = std::string(), .help = "read the ids from a file; - is standard input",
         .group = "Input"},
        {.name = "special", .flags = "-sp,--special", .placeholder = "", .default_value = false,
         .help = "write every control token, also those that tokenize adds by itself"},
        {.name = "no_special", .flags = "--no-special", .placeholder = "", .default_value = false,
         .help = "write no control token at all"},
    };
}

Result<std::vector<Token>> ids_of(const Invocation& invocation) {
    std::string text = invocation.values.text("ids");
    for (const std::string& word : invocation.arguments) text += " " + word;
    const std::string& path = invocation.values.text("file");
    if (!path.empty()) {
        auto content = path == "-" ? read_standard_input() : read_file(path);
        if (!content.ok()) return std::move(content).status();
        text += " " + *content;
    }
    return parse_token_list(text);
}

// Takes off what tokenize adds of itself: BOS or CLS in front, EOS or SEP behind.
std::span<const Token> without_added(std::span<const Token> ids, const Tokenizer& tokenizer) {
    const SpecialTokens& special = tokenizer.special();
    const auto is = [](Token id, Token a, Token b) { return id >= 0 && (id == a || id == b); };
    if (!ids.empty() && tokenizer.adds_bos() && is(ids.front(), special.bos, special.cls))
        ids = ids.subspan(1);
    if (!ids.empty() && tokenizer.adds_eos() && is(ids.back(), special.eos, special.separator))
        ids = ids.first(ids.size() - 1);
    return ids;
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const std::string path, model_path(invocation));
    INGLE_ASSIGN(const std::vector<Token> ids, ids_of(invocation));
    INGLE_ASSIGN(const auto file, open_model(path));
    INGLE_ASSIGN(const auto tokenizer, tokenizer_of(file));
    INGLE_TRY(check_tokens(ids, tokenizer->size()));
    const std::string text = tokenizer->decode(
        values.flag("special") ? std::span<const Token>(ids) : without_added(ids, *tokenizer),
        !values.flag("no_special"));
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (decorated_output() && !text.ends_with('\n')) std::fputc('\n', stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb detokenize;
const Verb detokenize = {
    .name = "detokenize",
    .group = "Look inside",
    .summary = "show the text of token ids",
    .arguments = "[ID]...",
    .about = "  ingle detokenize -m MODEL.gguf 403 407 261\n"
             "  ingle tokenize -m MODEL.gguf -p Hello --ids | ingle detokenize -m MODEL.gguf -f -\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
