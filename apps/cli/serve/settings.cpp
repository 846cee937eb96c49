#include "cli/serve/settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "server/access.h"

namespace ingle::cli {

namespace {

// "rpm=60", "tpm=10000"
Status take_rate(std::string_view word, server::Rate& rate) {
    const std::optional<int64_t> number = parse_int(word.substr(std::min<size_t>(4, word.size())));
    if (!number || *number < 0 || (!word.starts_with("rpm=") && !word.starts_with("tpm=")))
        return fail(Code::invalid_argument, "expected rpm=N or tpm=N behind a key, found ", ingle::quoted(word));
    (word.front() == 'r' ? rate.requests : rate.tokens) = *number;
    return {};
}

// "NAME:KEY rpm=60 tpm=10000", of which the key alone must be there.
Result<server::ApiKey> key_of_line(std::string_view line, size_t number, const server::Rate& of_all) {
    const std::vector<std::string_view> words = split(line, ' ');
    const size_t colon = words[0].find(':');
    server::ApiKey key{.name = cat("key ", number), .key = std::string(words[0])};
    if (colon != std::string_view::npos) {
        key.name = words[0].substr(0, colon);
        key.key = words[0].substr(colon + 1);
    }
    for (size_t i = 1; i < words.size(); ++i) {
        if (words[i].empty()) continue;
        if (!key.rate) key.rate = of_all;
        INGLE_TRY(take_rate(words[i], *key.rate));
    }
    return key;
}

Status take_keys(const OptionValues& values, server::Settings& settings) {
    for (const std::string& given : values.list("api_key"))
        for (const std::string& key : words_of(given))
            settings.api_keys.push_back({cat("key ", settings.api_keys.size() + 1), key});
    // The one variable whose name in llama-server follows no rule.
    const char* const key = std::getenv("LLAMA_API_KEY");
    if (settings.api_keys.empty() && key != nullptr && *key != 0) settings.api_keys.push_back({"key 1", key});
    if (!values.given("api_key_file")) return {};
    INGLE_ASSIGN(const std::string file, read_file(values.text("api_key_file")));
    for (const std::string_view line : split(file, '\n')) {
        if (trim(line).empty() || trim(line).starts_with('#')) continue;
        auto read = key_of_line(trim(line), settings.api_keys.size() + 1, settings.rate);
        if (!read.ok()) return std::move(read).status().in(values.text("api_key_file"));
        settings.api_keys.push_back(std::move(*read));
    }
    return {};
}

Status check(const server::Settings& settings) {
    if (settings.key_file.empty() != settings.certificate_file.empty())
        return fail(Code::invalid_argument, "TLS needs both --ssl-key-file and --ssl-cert-file");
    for (const std::string& host : settings.hosts)
        if (!server::is_loopback(host) && !server::is_socket_path(host) && settings.api_keys.empty())
            return fail(Code::invalid_argument, "--host ", ingle::quoted(host),
                        " is reached from other machines: give a key with --api-key or --api-key-file");
    return {};
}

}  // namespace

std::vector<std::string> words_of(std::string_view list) {
    std::vector<std::string> words;
    for (const std::string_view word : split(list, ','))
        if (!trim(word).empty()) words.emplace_back(trim(word));
    return words;
}

Result<server::Settings> server_settings(const OptionValues& values) {
    server::Settings settings;
    settings.hosts = words_of(values.text("host"));
    settings.port = int(values.integer("port"));
    settings.api_prefix = values.text("api_prefix");
    settings.rate = {values.integer("rate_requests"), values.integer("rate_tokens")};
    INGLE_TRY(take_keys(values, settings));
    settings.key_file = values.text("ssl_key_file");
    settings.certificate_file = values.text("ssl_cert_file");
    settings.origins = words_of(values.text("cors_origins"));
    settings.origin_credentials = values.flag("cors_credentials");
    settings.reuse_port = values.flag("reuse_port");
    if (values.integer("threads_http") > 0)
        settings.worker_threads = int(std::min<int64_t>(values.integer("threads_http"), 64));
    settings.write_timeout = double(values.integer("timeout"));
    settings.ping_interval = double(values.integer("sse_ping_interval"));
    settings.drain_timeout = double(values.integer("drain_timeout"));
    settings.show_page = values.flag("webui");
    settings.show_metrics = values.flag("metrics");
    settings.show_slots = values.flag("slots");
    settings.manage_models = values.flag("manage_models");
    settings.offline = values.flag("offline");
    settings.slot_save_folder = values.text("slot_save_path");
    settings.rerank = values.flag("rerank");
    settings.split_reasoning = values.text("reasoning_format") != "none";
    settings.reasoning_budget = values.integer("reasoning_budget");
    settings.reasoning_budget_message = values.text("reasoning_budget_message");
    settings.prefill_assistant = values.flag("prefill_assistant");
    settings.context_shift = values.flag("context_shift");
    settings.tokens_max = values.integer("n_predict");
    settings.pooling = values.text("pooling");
    INGLE_TRY(check(settings));
    return settings;
}

int64_t context_of_sequence(const OptionValues& values) {
    const int64_t whole = values.integer("ctx_size"), sequences = values.integer("parallel");
    if (whole <= 0 || sequences <= 1 || values.flag("kv_unified")) return whole;
    return std::max<int64_t>(1, whole / sequences);
}

}  // namespace ingle::cli
