#include "cli/serve/settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "server/access.h"

namespace ingle::cli {

namespace {

Status take_keys(const OptionValues& values, server::Settings& settings) {
    const auto add = [&settings](std::string_view line) {
        const size_t colon = line.find(':');
        const std::string number = cat("key ", settings.api_keys.size() + 1);
        if (colon == std::string_view::npos) settings.api_keys.emplace_back(number, line);
        else settings.api_keys.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    };
    for (const std::string& given : values.list("api_key"))
        for (const std::string& key : words_of(given))
            settings.api_keys.emplace_back(cat("key ", settings.api_keys.size() + 1), key);
    // The one variable whose name in llama-server follows no rule.
    const char* const key = std::getenv("LLAMA_API_KEY");
    if (settings.api_keys.empty() && key != nullptr && *key != 0) settings.api_keys.emplace_back("key 1", key);
    if (!values.given("api_key_file")) return {};
    INGLE_ASSIGN(const std::string file, read_file(values.text("api_key_file")));
    for (const std::string_view line : split(file, '\n'))
        if (!trim(line).empty() && !trim(line).starts_with('#')) add(trim(line));
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
    settings.slot_save_folder = values.text("slot_save_path");
    settings.rerank = values.flag("rerank");
    settings.split_reasoning = values.text("reasoning_format") != "none";
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
