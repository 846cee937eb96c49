// POST /infill: fills the gap between two pieces of code, by the vocabulary's own marks.
#include "server/error.h"
#include "server/surfaces/native.h"

namespace ingle::server {

namespace {

void append(std::vector<Token>& tokens, const std::string& text, const Tokenizer& tokenizer) {
    const auto more = tokenizer.encode(text, {.add_special = false, .parse_special = false});
    tokens.insert(tokens.end(), more.begin(), more.end());
}

// The other files, each after the mark that separates files (or its name as a comment where there is none).
Status append_extra(const Json& body, const Tokenizer& tokenizer, std::vector<Token>& tokens) {
    Fields fields(body);
    const Json* const extra = fields.array("input_extra");
    INGLE_TRY(fields.status());
    if (extra == nullptr || extra->empty()) return {};
    const SpecialTokens& special = tokenizer.special();
    if (special.fim_repository != no_token) {
        tokens.push_back(special.fim_repository);
        append(tokens, "myproject\n", tokenizer);
    }
    for (const Json& file : *extra) {
        Fields of_file(file);
        const std::string name = of_file.text("filename", "tmp");
        const std::string text = of_file.text("text");
        INGLE_TRY(of_file.status());
        if (special.fim_separator != no_token) {
            tokens.push_back(special.fim_separator);
            append(tokens, name + "\n", tokenizer);
        } else {
            append(tokens, "\n\n--- snippet ---\n\n", tokenizer);
        }
        append(tokens, text, tokenizer);
    }
    if (special.fim_separator != no_token) {
        tokens.push_back(special.fim_separator);
        append(tokens, "filename\n", tokenizer);
    }
    return {};
}

Result<std::vector<Token>> prompt_of(const Json& body, const Tokenizer& tokenizer) {
    const SpecialTokens& special = tokenizer.special();
    if (special.fim_prefix == no_token || special.fim_suffix == no_token || special.fim_middle == no_token)
        return fail(Code::unsupported, "this model has no tokens for filling in (fim_prefix, fim_suffix, fim_middle)");
    Fields fields(body);
    fields.require("input_prefix");
    fields.require("input_suffix");
    const std::string before = fields.text("input_prefix"), after = fields.text("input_suffix");
    const std::string begun = fields.text("prompt");
    INGLE_TRY(fields.status());
    std::vector<Token> tokens;
    if (tokenizer.adds_bos() && special.bos != no_token) tokens.push_back(special.bos);
    INGLE_TRY(append_extra(body, tokenizer, tokens));
    tokens.push_back(special.fim_prefix);
    append(tokens, before, tokenizer);
    tokens.push_back(special.fim_suffix);
    append(tokens, after, tokenizer);
    tokens.push_back(special.fim_middle);
    append(tokens, begun, tokenizer);
    return tokens;
}

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    INGLE_ASSIGN(auto prompt, prompt_of(body, model->tokenizer()));
    std::vector<std::vector<Token>> prompts;
    prompts.push_back(std::move(prompt));
    return native_job(body, std::move(prompts), std::move(model), service.settings());
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint infill;
const Endpoint infill = {.method = "POST", .path = "/infill", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
