#include "cli/options/server.h"

namespace ingle::cli {

namespace {

constexpr char network[] = "Network";
constexpr char safety[] = "Safety";
constexpr char answers[] = "Answers";
constexpr char shown[] = "What is shown";

Option text(const char* name, const char* flags, const char* placeholder, const char* help, const char* group,
            const char* fallback = "") {
    return {.name = name, .flags = flags, .placeholder = placeholder, .default_value = std::string(fallback),
            .help = help, .group = group};
}

Option flag(const char* name, const char* flags, bool fallback, const char* help, const char* group) {
    return {.name = name,
            .flags = flags,
            .placeholder = "",
            .default_value = fallback,
            .help = help,
            .group = group};
}

Option number(const char* name, const char* flags, int64_t fallback, double min, const char* help,
              const char* group) {
    return {.name = name, .flags = flags, .placeholder = "N", .default_value = fallback, .help = help, .min = min,
            .max = double(1 << 30), .group = group};
}

std::vector<Option> network_options() {
    return {
        text("host", "--host", "ADDRESS",
             "where to listen: addresses or paths of Unix sockets, separated by commas", network,
             "127.0.0.1"),
        {.name = "port",
         .flags = "--port",
         .placeholder = "N",
         .default_value = int64_t(8080),
         .help = "port; 0: a free one",
         .min = 0,
         .max = 65535,
         .group = network},
        flag("reuse_port", "--reuse-port", false, "let several processes listen at one port",
             network),
        text("api_prefix", "--api-prefix", "PATH", "every path begins with this", network),
        number("timeout", "-to,--timeout", 3600, 1,
               "seconds that a client may leave an answer unread", network),
        number("threads_http", "--threads-http", -1, -1,
               "threads that read and prepare requests (-1: 2)", network),
        number("sse_ping_interval", "--sse-ping-interval", 30, -1,
               "seconds of silence after which a stream gets a comment (-1: never)", network),
        number("drain_timeout", "--drain-timeout", 30, 0,
               "seconds that answers under way have after SIGTERM", network),
    };
}

std::vector<Option> safety_options() {
    return {
        {.name = "api_key",
         .flags = "--api-key",
         .placeholder = "KEY,...",
         .default_value = std::vector<std::string>(),
         .help = "keys, one of which every request must bring (Bearer or X-Api-Key)",
         .group = safety},
        text("api_key_file", "--api-key-file", "FILE",
             "the same from a file, one a line: NAME:KEY or KEY, then its own limits, rpm=N tpm=N", safety),
        number("rate_requests", "--rate-requests", 0, 0,
               "requests a minute of each key, or of each address (0: any number)", safety),
        number("rate_tokens", "--rate-tokens", 0, 0, "likewise, tokens of prompts and answers", safety),
        text("ssl_key_file", "--ssl-key-file", "FILE", "private key for TLS, PEM", safety),
        text("ssl_cert_file", "--ssl-cert-file", "FILE", "certificate for TLS, PEM", safety),
        flag("manage_models", "--manage-models", false,
             "let clients download, delete and copy models in the cache: /api/pull, /api/delete, /api/copy, /models",
             safety),
        text("cors_origins", "--cors-origins", "ORIGINS",
             "web pages that may use this server, separated by commas; localhost: pages of this "
             "machine; *: all",
             safety, "localhost"),
        flag("cors_credentials", "--cors-credentials,!--no-cors-credentials", false,
             "let them send the browser's credentials", safety),
    };
}

std::vector<Option> answer_options_of_server() {
    return {
        text("alias", "-a,--alias", "NAMES", "names of the model for clients, separated by commas",
             answers),
        text("tags", "--tags", "NAMES", "tags of the model for clients, separated by commas",
             answers),
        number("parallel", "-np,--parallel", -1, -1,
               "answers under way at once (-1: as memory allows)", answers),
        number("batch", "-b,--batch-size", 2048, 1,
               "tokens of prompts in one step, at most those of -ub", answers),
        {.name = "n_predict",
         .flags = "-n,--predict,--n-predict",
         .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "tokens of an answer if the request does not say (-1: until the context is full)",
         .min = -1,
         .max = double(1 << 30),
         .group = answers},
        text("prefix_memory", "--prefix-memory", "SIZE",
             "memory for beginnings of prompts that no answer uses, like 512M (as much as the cache has left)", answers),
        flag("cache_prompt", "--cache-prompt,!--no-cache-prompt", true,
             "look for the beginning of prompts among kept ones", answers),
        {.name = "reasoning_format",
         .flags = "--reasoning-format",
         .placeholder = "FORM",
         .default_value = std::string("auto"),
         .help = "whether reasoning is given apart from the content",
         .choices = {"auto", "none", "deepseek", "deepseek-legacy"},
         .group = answers},
        {.name = "reasoning_budget",
         .flags = "--reasoning-budget",
         .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "tokens of reasoning after which the model must answer, if the request does not say (-1: any number)",
         .min = -1,
         .max = double(1 << 30),
         .group = answers},
        text("reasoning_budget_message", "--reasoning-budget-message", "TEXT",
             "what ends the reasoning when its budget is spent says this first", answers),
        {.name = "reasoning",
         .flags = "-rea,--reasoning",
         .placeholder = "WHEN",
         .default_value = std::string("auto"),
         .help = "whether a model that can think first shall (auto: yes)",
         .choices = {"auto", "on", "off"},
         .group = answers},
        flag("prefill_assistant", "--prefill-assistant,!--no-prefill-assistant", true,
             "take a last message of the assistant for the beginning of the answer", answers),
        flag("embedding", "--embedding,--embeddings", false,
             "accepted; embeddings are always answered", answers),
        flag("rerank", "--rerank,--reranking", false, "accepted; see /v1/rerank", answers),
        {.name = "pooling",
         .flags = "--pooling",
         .placeholder = "KIND",
         .default_value = std::string("mean"),
         .help = "how the vectors of a text become one",
         .choices = {"none", "mean", "cls", "last", "rank"},
         .group = answers},
    };
}

std::vector<Option> shown_options() {
    return {
        flag("metrics", "--metrics", false, "answer at /metrics", shown),
        flag("slots", "--slots,!--no-slots", true, "answer at /slots", shown),
        flag("props", "--props", false, "accepted; properties cannot be changed", shown),
        text("slot_save_path", "--slot-save-path", "FOLDER", "where /slots saves and restores", shown),
        flag("webui", "--webui,--ui,!--no-webui,!--no-ui", true, "serve the page at /", shown),
    };
}

}  // namespace

std::vector<Option> server_options() {
    std::vector<Option> all;
    for (auto* const options : {network_options, safety_options, answer_options_of_server, shown_options})
        for (Option& option : options()) all.push_back(std::move(option));
    return all;
}

}  // namespace ingle::cli
