// ingle run: the model continues a text.
#include <cstdio>

#include "base/file.h"
#include "base/platform.h"
#include "cli/answer.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/grammar.h"
#include "cli/options/model.h"
#include "cli/options/prompt_cache.h"
#include "cli/terminal.h"
#include "sampling/options.h"

namespace ingle::cli {

namespace {

constexpr int standard_input = 0;

std::vector<Option> options() {
    std::vector<Option> all = {model_option()};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) all.push_back(std::move(option));
    };
    add(text_options());
    add({{.name = "escape", .flags = "-e,--escape,!--no-escape", .placeholder = "",
          .default_value = false, .help = "read \\n, \\t, \\\\ and the like in -p as in C",
          .group = "Input"},
         {.name = "display_prompt", .flags = "--display-prompt,!--no-display-prompt",
          .placeholder = "", .default_value = false, .help = "write the prompt before the answer",
          .group = "Answer"}});
    add(prompt_cache_options());
    add(answer_options());
    add(grammar_options());
    add(engine_options());
    add(sampling::sampling_options());
    add(compatibility_options());
    return all;
}

// \n \t \r \\ \" \' \xHH; anything else stays as it is.
std::string unescaped(std::string_view text) {
    constexpr std::string_view letters = "ntr\\\"'", meanings = "\n\t\r\\\"'";
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const size_t known = text[i] == '\\' && i + 1 < text.size() ? letters.find(text[i + 1])
                                                                    : std::string_view::npos;
        if (known == std::string_view::npos) {
            out += text[i];
        } else {
            out += meanings[known];
            ++i;
        }
    }
    return out;
}

// -p as it stands; a file or standard input without the newline that ends it, as llama.cpp reads them.
Result<std::string> prompt_of(const OptionValues& values) {
    INGLE_ASSIGN(auto given, given_text(values));
    if (!given && !platform::is_terminal(standard_input)) {
        INGLE_ASSIGN(given, read_standard_input());
    }
    std::string text = given ? std::move(*given) : "";
    if (values.given("prompt")) return values.flag("escape") ? unescaped(text) : text;
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

// An empty prompt is the beginning of a text: BOS alone.
Result<std::vector<Token>> tokens_of(const Tokenizer& tokenizer, const std::string& prompt) {
    std::vector<Token> tokens = tokenizer.encode(prompt);
    if (tokens.empty() && tokenizer.special().bos != no_token)
        tokens.push_back(tokenizer.special().bos);
    if (tokens.empty())
        return fail(Code::invalid_argument,
                    "this model has no token for the beginning of a text; give a prompt with -p");
    return tokens;
}

Status complete(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_ASSIGN(const std::string prompt, prompt_of(values));
    platform::count_interrupts();
    INGLE_ASSIGN(const auto model, load_model(invocation));
    INGLE_ASSIGN(const auto tokens, tokens_of(*model->tokenizer(), prompt));
    INGLE_ASSIGN(const SessionOptions settings, session_options(values, model));
    INGLE_ASSIGN(const auto session, Session::open(model, settings));
    INGLE_ASSIGN(sampling::Chain chain, make_chain(values, *session));

    INGLE_ASSIGN(const auto rest, take_cached(values, *session, tokens));
    for (const Token token : std::span(tokens).first(tokens.size() - rest.size()))
        chain.accept(token);

    GenerateOptions generating = generate_options(values);
    generating.begins_text = prompt.empty();
    INGLE_ASSIGN(const auto mask, make_grammar_mask(values, *model->tokenizer()));
    generating.grammar = mask.get();
    if (values.flag("display_prompt") && !values.flag("json"))
        std::fwrite(prompt.data(), 1, prompt.size(), stdout);
    INGLE_ASSIGN(const Generation generation, answer(*session, rest, chain, generating, values));
    INGLE_TRY(keep_cached(values, *session, int64_t(tokens.size())));

    if (values.flag("json")) std::puts(json_of(generation, *session).c_str());
    else if (decorated_output()) std::fputc('\n', stdout);
    report_speed(generation, values);
    if (generation.reason == FinishReason::cancelled) return fail(Code::cancelled, "interrupted");
    return {};
}

}  // namespace

namespace entries {
extern const Verb run;
const Verb run = {
    .name = "run",
    .group = "Talk",
    .summary = "let a model continue a text",
    .arguments = "[MODEL]",
    .about = "  ingle run -m MODEL.gguf -p \"Once upon a time\" -n 100\n"
             "  ingle run -m MODEL.gguf -f story.txt --temp 0\n"
             "  echo \"Dear Sir\" | ingle run -m MODEL.gguf\n\n"
             "Writes the generated text only. Without a prompt the model begins a text of its own.",
    .options = options,
    .run = complete,
};
}  // namespace entries

}  // namespace ingle::cli
