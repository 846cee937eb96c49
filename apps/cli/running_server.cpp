#include "cli/running_server.h"

#include "hub/http.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Server";

Option text(const char* name, const char* flags, const char* placeholder, const char* fallback, const char* help) {
    return {.name = name, .flags = flags, .placeholder = placeholder, .default_value = std::string(fallback),
            .help = help, .group = group};
}

std::string address_of(const OptionValues& values) {
    std::string host = values.text("host");
    host = host.substr(0, host.find(','));
    if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
    if (host.find("://") != host.npos) return host;
    if (host.find(':') != host.npos && host.front() != '[') host = "[" + host + "]";
    return cat("http://", host, ":", values.integer("port"));
}

// "error": {"message"} or {"error": "..."} of an answer that is a refusal.
std::string words_of_refusal(const std::string& body) {
    const chat::Json json = chat::Json::parse(body, nullptr, false);
    if (!json.is_object() || !json.contains("error")) return body;
    const chat::Json& error = json["error"];
    if (error.is_string()) return error.get<std::string>();
    return error.is_object() && error.contains("message") && error["message"].is_string()
               ? error["message"].get<std::string>()
               : body;
}

}  // namespace

std::vector<Option> running_server_options() {
    return {
        text("host", "--host", "ADDRESS", "127.0.0.1", "where the server listens; also a whole https://NAME:PORT"),
        {.name = "port", .flags = "--port", .placeholder = "N", .default_value = int64_t(8080), .help = "its port",
         .min = 1, .max = 65535, .group = group},
        text("api_key", "--api-key", "KEY", "", "a key that it knows"),
        text("api_prefix", "--api-prefix", "PATH", "", "what its paths begin with"),
    };
}

Result<chat::Json> ask_server(const OptionValues& values, const std::string& path, const std::string& body) {
    hub::HttpRequest request;
    request.url = address_of(values) + values.text("api_prefix") + path;
    const std::string& keys = values.text("api_key");
    request.token = keys.substr(0, keys.find(','));
    request.post = body;
    std::string text;
    const auto take = [&text](const hub::HttpReply&, std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return Status();
    };
    auto reply = hub::http_get(request, take);
    if (!reply.ok()) return std::move(reply).status().in("is the server running?");
    if (reply->status != 200)
        return fail(reply->status == 404 ? Code::not_found : Code::invalid_argument, "the server says ", reply->status,
                    ": ", words_of_refusal(reply->refusal));
    chat::Json json = chat::Json::parse(text, nullptr, false);
    if (json.is_discarded()) return fail(Code::corrupt, request.url, ": expected JSON, found ", quoted(text, 60));
    return json;
}

}  // namespace ingle::cli
