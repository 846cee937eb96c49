// Pieces of answers that several APIs write alike: usage, timings, probabilities of tokens.
#pragma once

#include "server/generation.h"

namespace ingle::server {

// What a surface needs to know of its request.
struct Form {
    std::string id;
    std::string model;  // as the client named it
    int64_t created = 0;
    std::shared_ptr<const ServedModel> served;
    int choices = 1;  // of each prompt
    int64_t prompt_tokens = 0;
    bool verbose = false;             // show the prompt, as llama-server does
    std::string verbose_prompt = {};
    bool include_usage = false;
    bool timings_per_token = false;
    bool return_progress = false;
    bool return_tokens = false;
    int logprobs = -1;  // as in GenerationRequest
    bool after_sampling = false;
};

// Reads what of it is the same everywhere: "model", "stream_options", "timings_per_token", ...
Result<Form> form_of(const Json& request, std::shared_ptr<const ServedModel> model, std::string_view id_prefix);

// {"prompt_tokens","completion_tokens","total_tokens","prompt_tokens_details",...}
Json usage_json(const std::vector<Answer>& answers, int choices);
// llama-server's {"cache_n","prompt_n","prompt_ms",...,"predicted_per_second"}
Json timings_json(const Timings& timings);
// {"total","cache","processed","time_ms"}
Json progress_json(const PromptProgress& progress, Clock::time_point arrival);

// {"id","token","bytes","logprob","top_logprobs":[...]}, or with `after_sampling` "prob" and "top_probs".
Json probabilities_json(const std::vector<TokenPiece>& tokens, const Form& form);

// The bytes of a token as text, broken characters replaced.
std::string token_text(const Tokenizer& tokenizer, Token token);

// What a model reads, control tokens and the space before the first word included.
std::string text_as_read(const Tokenizer& tokenizer, const std::vector<Token>& tokens);

std::string system_fingerprint();

}  // namespace ingle::server
