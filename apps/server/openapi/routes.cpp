#include "server/openapi/document.h"

#include <algorithm>

namespace ingle::server {

namespace {

constexpr FieldDoc generation_fields[] = {
    {"model", "string", "which model answers; where there is one only, any name"},
    {"stream", "boolean", "the answer comes in parts, as server-sent events"},
    {"n_predict", "integer", "tokens of the answer at most; -1: until the context is full"},
    {"max_tokens", "integer", "the same; of several lengths the least counts"},
    {"max_completion_tokens", "integer", "the same"},
    {"stop", "string|array", "up to 16 texts that end the answer and are not part of it"},
    {"n", "integer", "answers to the one prompt, 1 to 64"},
    {"n_cmpl", "integer", "the same"},
    {"cache_prompt", "boolean", "look for the prompt's beginning among kept ones"},
    {"id_slot", "integer", "the slot to run in, if it is free"},
    {"priority", "integer", "higher goes first"},
    {"logit_bias", "object|array", "what is added to logits, by token id or text"},
    {"grammar", "string", "GBNF that the answer follows"},
    {"json_schema", "object|boolean", "JSON Schema that the answer follows"},
    {"regex", "string", "regular expression that the answer matches"},
    {"choice", "array", "texts of which the answer is one"},
    {"response_format", "object", "text, json_object or json_schema"},
    {"timings_per_token", "boolean", "every part of a stream has timings"},
    {"return_progress", "boolean", "a stream tells how much of the prompt is read"},
    {"return_tokens", "boolean", "answers have the ids of their tokens"},
    {"verbose", "boolean", "answers have the prompt"},
    {"post_sampling_probs", "boolean", "probabilities are those of the draw, not the model's"},
    {"stream_options", "object", "include_usage: a last part tells the tokens used"},
    {"n_probs", "integer", "likely tokens told with each"},
};
constexpr FieldDoc chat_fields[] = {
    {"messages", "array", "the conversation"},
    {"tools", "array", "functions that the model may call"},
    {"tool_choice", "string|object", "none, auto, required or one of the tools"},
    {"parallel_tool_calls", "boolean", "whether several calls may come at once"},
    {"logprobs", "boolean", "tell the probabilities of tokens"},
    {"top_logprobs", "integer", "likely tokens told with each"},
    {"chat_template_kwargs", "object", "variables of the chat template"},
    {"documents", "array", "for templates that know documents"},
    {"add_generation_prompt", "boolean", "whether an answer is to begin"},
    {"continue_final_message", "boolean", "the last message is the beginning of the answer"},
    {"reasoning_effort", "string", "for templates that know it"},
    {"reasoning_format", "string", "none: reasoning stays in the content"},
    {"reasoning_budget", "integer", "tokens of reasoning after which the model must answer; -1: any number"},
    {"reasoning_budget_tokens", "integer", "the same"},
    {"thinking_budget_tokens", "integer", "the same"},
    {"reasoning_budget_message", "string", "what ends the reasoning then says this first"},
    {"thinking_forced_open", "boolean", "the answer begins in reasoning"},
};
constexpr FieldDoc text_fields[] = {
    {"prompt", "string|array|object", "a text, a list of tokens, or several of these"},
    {"logprobs", "integer", "likely tokens told with each"},
    {"echo", "boolean", "not supported: true is refused"},
    {"suffix", "string", "not supported: a text is refused"},
};
constexpr FieldDoc native_fields[] = {
    {"prompt", "string|array|object", "a text, a list of tokens, or several of these"},
    {"logprobs", "integer", "the same as n_probs"},
    {"response_fields", "string|array", "members of the answer that are wanted; all if it is missing"},
};
constexpr FieldDoc infill_fields[] = {
    {"input_prefix", "string", "what stands before the gap"},
    {"input_suffix", "string", "what stands behind it"},
    {"input_extra", "array", "other files: {filename, text}"},
    {"prompt", "string", "the beginning of what fills the gap"},
    {"filename", "string", "of a file in input_extra"},
    {"text", "string", "likewise"},
    {"logprobs", "integer", "the same as n_probs"},
    {"response_fields", "string|array", "members of the answer that are wanted"},
};
constexpr FieldDoc anthropic_fields[] = {
    {"model", "string", "which model answers"},
    {"messages", "array", "the conversation"},
    {"max_tokens", "integer", "tokens of the answer at most"},
    {"system", "string|array", "what stands before the conversation"},
    {"stop_sequences", "array", "texts that end the answer"},
    {"stream", "boolean", "the answer comes in events"},
    {"temperature", "number", "see sampling"},
    {"top_p", "number", "see sampling"},
    {"top_k", "integer", "see sampling"},
    {"min_p", "number", "see sampling"},
    {"seed", "integer", "see sampling"},
    {"tools", "array", "functions that the model may call"},
    {"tool_choice", "object", "auto, any, tool or none"},
    {"thinking", "object", "type enabled or disabled; budget_tokens"},
    {"budget_tokens", "integer", "of thinking"},
    {"chat_template_kwargs", "object", "variables of the chat template"},
    {"id_slot", "integer", "the slot to run in"},
    {"cache_prompt", "boolean", "look for the prompt's beginning among kept ones"},
};
constexpr FieldDoc responses_fields[] = {
    {"model", "string", "which model answers"},
    {"input", "string|array", "the question, or items of a conversation"},
    {"instructions", "string", "what stands before the conversation"},
    {"previous_response_id", "string", "the response that this one continues"},
    {"store", "boolean", "keep the response, so that it may be continued"},
    {"max_output_tokens", "integer", "tokens of the answer at most"},
    {"stream", "boolean", "the answer comes in events"},
    {"temperature", "number", "see sampling"},
    {"top_p", "number", "see sampling"},
    {"tools", "array", "functions that the model may call"},
    {"tool_choice", "string|object", "none, auto, required or one of the tools"},
    {"text", "object", "format: what the answer looks like"},
    {"reasoning", "object", "effort"},
};
constexpr FieldDoc ollama_fields[] = {
    {"model", "string", "which model answers"},
    {"stream", "boolean", "lines of JSON, unless false"},
    {"options", "object", "sampling fields, num_predict, stop, seed"},
    {"format", "string|object", "json, or a JSON Schema"},
    {"think", "boolean|string", "whether the model reasons first, or how much"},
    {"keep_alive", "string|number", "how long the model stays in memory: seconds or \"10m\"; 0: not, negative: for ever"},
};
constexpr FieldDoc ollama_chat_fields[] = {
    {"messages", "array", "the conversation; none: the model is loaded or unloaded"},
    {"tools", "array", "functions that the model may call"},
};
constexpr FieldDoc ollama_text_fields[] = {
    {"prompt", "string", "what is asked; none: the model is loaded or unloaded"},
    {"system", "string", "what stands before it"},
    {"raw", "boolean", "without the chat template"},
    {"suffix", "string", "not supported: a text is refused"},
    {"images", "array", "not supported: pictures are refused"},
};
constexpr FieldDoc ollama_embed_fields[] = {
    {"model", "string", "which model answers"},
    {"input", "string|array", "the texts"},
    {"keep_alive", "string|number", "how long the model stays in memory"},
};
constexpr FieldDoc embedding_fields[] = {
    {"model", "string", "which model answers"},
    {"input", "string|array", "texts or lists of tokens"},
    {"encoding_format", "string", "float or base64"},
    {"dimensions", "integer", "not supported: a number is refused"},
};
constexpr FieldDoc native_embedding_fields[] = {
    {"model", "string", "which model answers"},
    {"content", "string|array", "texts or lists of tokens"},
    {"input", "string|array", "the same"},
    {"embd_normalize", "integer", "negative: vectors keep their length"},
};
constexpr FieldDoc rerank_fields[] = {
    {"model", "string", "which model ranks"},
    {"query", "string", "what documents are compared with"},
    {"documents", "array", "texts, or objects with a text"},
    {"texts", "array", "the same in another API's form, which also shapes the answer"},
    {"top_n", "integer", "how many of the best are told"},
    {"return_documents", "boolean", "the answer has the documents"},
    {"return_text", "boolean", "likewise, with texts"},
};
constexpr FieldDoc tokenize_fields[] = {
    {"model", "string", "which model's tokens"},
    {"content", "string", "the text"},
    {"add_special", "boolean", "with the tokens that begin a text"},
    {"parse_special", "boolean", "control tokens in the text are made such; on unless said"},
    {"with_pieces", "boolean", "the answer has the text of each"},
};
constexpr FieldDoc detokenize_fields[] = {
    {"model", "string", "which model's tokens"},
    {"tokens", "array", "their ids"},
};
constexpr FieldDoc model_fields[] = {{"model", "string", "its name"}};
constexpr FieldDoc pull_fields[] = {
    {"model", "string", "user/repo:TYPE"},
    {"name", "string", "the same"},
    {"stream", "boolean", "a line of JSON for each step; on unless said"},
};
constexpr FieldDoc copy_fields[] = {
    {"source", "string", "a downloaded model"},
    {"destination", "string", "user/repo, which is not there yet"},
};
constexpr FieldDoc show_fields[] = {{"model", "string", "its name"}, {"name", "string", "the same"}};
constexpr FieldDoc control_fields[] = {
    {"id", "string", "of the answer under way"},
    {"action", "string", "reasoning_end"},
};
constexpr FieldDoc slot_fields[] = {{"filename", "string", "a plain name in the folder of --slot-save-path"}};

constexpr FieldGroup generation{generation_fields, true}, chat{chat_fields}, text{text_fields},
    native{native_fields}, infill{infill_fields}, anthropic{anthropic_fields}, responses{responses_fields},
    ollama{ollama_fields}, ollama_chat{ollama_chat_fields}, ollama_text{ollama_text_fields},
    ollama_embed{ollama_embed_fields}, embedding{embedding_fields}, native_embedding{native_embedding_fields},
    rerank{rerank_fields}, tokenize{tokenize_fields}, detokenize{detokenize_fields}, model{model_fields},
    show{show_fields}, pull{pull_fields}, copy{copy_fields}, control{control_fields}, slot{slot_fields};

constexpr const FieldGroup* in_chat[] = {&generation, &chat};
constexpr const FieldGroup* in_text[] = {&generation, &text};
constexpr const FieldGroup* in_native[] = {&generation, &native};
constexpr const FieldGroup* in_infill[] = {&generation, &infill};
constexpr const FieldGroup* in_anthropic[] = {&anthropic};
constexpr const FieldGroup* in_responses[] = {&responses};
constexpr const FieldGroup* in_ollama_chat[] = {&ollama, &ollama_chat};
constexpr const FieldGroup* in_ollama_text[] = {&ollama, &ollama_text};
constexpr const FieldGroup* in_ollama_embed[] = {&ollama_embed};
constexpr const FieldGroup* in_embedding[] = {&embedding};
constexpr const FieldGroup* in_native_embedding[] = {&native_embedding};
constexpr const FieldGroup* in_rerank[] = {&rerank};
constexpr const FieldGroup* in_tokenize[] = {&tokenize};
constexpr const FieldGroup* in_detokenize[] = {&detokenize};
constexpr const FieldGroup* in_model[] = {&model};
constexpr const FieldGroup* in_show[] = {&show};
constexpr const FieldGroup* in_pull[] = {&pull};
constexpr const FieldGroup* in_copy[] = {&copy};
constexpr const FieldGroup* in_control[] = {&control};
constexpr const FieldGroup* in_slot[] = {&slot};

#define INGLE_HELLO R"("messages":[{"role":"user","content":"Hello"}],"max_tokens":8)"

constexpr RouteDoc routes[] = {
    {"POST", "/v1/chat/completions", "Answers a conversation, as OpenAI's API.", in_chat, "messages",
     "{" INGLE_HELLO "}", "object", "id object created model choices usage timings", ""},
    {"POST", "/v1/chat/completions/input_tokens", "Counts what a conversation would cost.", in_chat, "messages",
     "{" INGLE_HELLO "}", "object", "object input_tokens", ""},
    {"POST", "/v1/responses/input_tokens", "Counts what a response would cost.", in_responses, "input",
     R"({"input":"Hello"})", "object", "object input_tokens", ""},
    {"POST", "/v1/chat/completions/control", "Makes an answer under way stop reasoning.", in_control, "id action",
     R"({"id":"chatcmpl-none","action":"reasoning_end"})", "object", "error", "", 404},
    {"POST", "/v1/completions", "Continues texts, as OpenAI's API.", in_text, "prompt",
     R"({"prompt":"Once upon a time","max_tokens":8})", "object", "id object created model choices usage", ""},
    {"POST", "/v1/responses", "Answers, as OpenAI's Responses API.", in_responses, "input",
     R"({"input":"Hello","max_output_tokens":8})", "object", "id object status output usage", ""},
    {"GET", "/v1/responses/{id}", "A response that is kept.", {}, "", "", "object", "error", "", 404},
    {"DELETE", "/v1/responses/{id}", "Forgets a response.", {}, "", "", "object", "error", "", 404},
    {"POST", "/v1/embeddings", "Vectors of texts, as OpenAI's API.", in_embedding, "input", R"({"input":"Hello"})",
     "object", "object data model usage", ""},
    {"GET", "/v1/models", "The models, and which of them are in memory.", {}, "", "", "object", "object data models",
     "reload"},
    {"GET", "/v1/models/{model}", "One of them.", {}, "", "", "object", "error", "", 404},
    {"POST", "/models/load", "Brings a model into memory.", in_model, "model", R"({"model":"tiny"})", "object",
     "success", ""},
    {"POST", "/models", "Downloads a model in the background; with --manage-models.", in_model, "model",
     R"({"model":"user/repo:Q8_0"})", "object", "error", "", 403},
    {"DELETE", "/models", "Deletes a downloaded model; with --manage-models.", {}, "", "", "object", "error", "model",
     403},
    {"POST", "/models/unload", "Takes a model out of memory once its answers have ended.", in_model, "model",
     R"({"model":"tiny"})", "object", "success", ""},
    {"POST", "/v1/messages", "Answers a conversation, as Anthropic's API.", in_anthropic, "messages",
     "{" INGLE_HELLO "}", "object", "id type role content stop_reason usage", ""},
    {"POST", "/v1/messages/count_tokens", "Counts the tokens of a conversation.", in_anthropic, "messages",
     "{" INGLE_HELLO "}", "object", "input_tokens", ""},
    {"POST", "/api/chat", "Answers a conversation, as Ollama.", in_ollama_chat, "",
     R"({"messages":[{"role":"user","content":"Hello"}],"stream":false,"options":{"num_predict":8}})", "object",
     "model created_at message done done_reason", ""},
    {"POST", "/api/generate", "Answers a text, as Ollama.", in_ollama_text, "",
     R"({"prompt":"Hello","stream":false,"options":{"num_predict":8}})", "object",
     "model created_at response done done_reason", ""},
    {"POST", "/api/embed", "Vectors of texts, as Ollama.", in_ollama_embed, "", R"({"input":"Hello"})", "object",
     "model embeddings", ""},
    {"GET", "/api/tags", "The models, as Ollama; /api/ps: those in memory.", {}, "", "", "object", "models", ""},
    {"GET", "/api/version", "The version, as Ollama.", {}, "", "", "object", "version", ""},
    {"POST", "/api/show", "Describes a model, as Ollama.", in_show, "", R"({"model":"tiny"})", "object",
     "details model_info capabilities", ""},
    {"POST", "/api/pull", "Downloads a model, as Ollama; with --manage-models.", in_pull, "",
     R"({"model":"user/repo:Q8_0","stream":false})", "object", "error", "", 403},
    {"POST", "/api/copy", "Gives a downloaded model a second name, as Ollama; with --manage-models.", in_copy,
     "source destination", R"({"source":"user/repo:Q8_0","destination":"user/copy"})", "object", "error", "", 403},
    {"DELETE", "/api/delete", "Deletes a downloaded model, as Ollama; with --manage-models.", in_show, "",
     R"({"model":"user/repo:Q8_0"})", "object", "error", "", 403},
    {"POST", "/completion", "Continues texts, as llama-server.", in_native, "prompt",
     R"({"prompt":"Once upon a time","n_predict":8})", "object", "content stop model tokens_predicted timings", ""},
    {"POST", "/infill", "Fills a gap in a text.", in_infill, "input_prefix input_suffix",
     R"({"input_prefix":"Once","input_suffix":"time","n_predict":8})", "object", "error", "", 501},
    {"POST", "/embeddings", "Vectors of texts, as llama-server.", in_native_embedding, "", R"({"content":"Hello"})",
     "array", "", ""},
    {"POST", "/tokenize", "The tokens of a text.", in_tokenize, "", R"({"content":"Hello"})", "object", "tokens", ""},
    {"POST", "/detokenize", "The text of tokens.", in_detokenize, "", R"({"tokens":[1,2]})", "object", "content", ""},
    {"POST", "/apply-template", "The prompt that a conversation becomes.", in_chat, "messages", "{" INGLE_HELLO "}",
     "object", "prompt", ""},
    {"POST", "/v1/rerank", "How well documents answer a query, best first.", in_rerank, "query",
     R"({"query":"Hello","documents":["a","b"]})", "object", "error", "", 501},
    {"GET", "/props", "How the server or a model is set up.", {}, "", "", "object", "build_info is_sleeping", "model"},
    {"GET", "/slots", "What is under way.", {}, "", "", "array", "", "model fail_on_no_slot"},
    {"POST", "/slots/{id}", "Saves, restores or erases what ran in a slot.", in_slot, "", "", "object", "error",
     "action model", 400},
    {"GET", "/lora-adapters", "Adapters: none.", {}, "", "", "array", "", ""},
    {"GET", "/health", "Whether requests are answered.", {}, "", "", "object", "status", ""},
    {"GET", "/metrics", "Counters and histograms for Prometheus, with --metrics.", {}, "", "", "object", "error",
     "model", 501},
    {"GET", "/v1/stats", "Percentiles over 1, 5 and 15 minutes; a percentile of nothing is null.", {}, "", "",
     "object", "model latency_seconds totals queue kv memory_bytes", "model"},
    {"GET", "/", "The page.", {}, "", "", "text/html", "", ""},
    {"GET", "/openapi.json", "This description.", {}, "", "", "object", "openapi info paths components", ""},
};

#undef INGLE_HELLO

}  // namespace

std::span<const RouteDoc> all_route_docs() { return routes; }

const RouteDoc* find_route_doc(std::string_view method, std::string_view path) {
    const auto found = std::ranges::find_if(
        routes, [&](const RouteDoc& route) { return route.method == method && route.path == path; });
    return found == std::end(routes) ? nullptr : &*found;
}

}  // namespace ingle::server
