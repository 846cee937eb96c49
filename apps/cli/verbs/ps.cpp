// ingle ps: the models of a running server, and which of them are in memory.
#include <cstdio>

#include "cli/options/model.h"
#include "cli/running_server.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = running_server_options();
    all.push_back(json_option());
    all.push_back({.name = "all", .flags = "-a,--all", .placeholder = "", .default_value = false,
                   .help = "also those that are not in memory", .group = "Output"});
    return all;
}

std::string status_of(const chat::Json& model) {
    return model.contains("status") ? model["status"].value("value", "") : std::string();
}

// What Ollama's list tells of the model: when it leaves memory.
std::string expiry_of(const chat::Json& running, const std::string& name) {
    for (const chat::Json& model : running["models"])
        if (model.value("name", "") == name) {
            const std::string at = model.value("expires_at", "");
            return at.starts_with("2318") ? "stays" : "until " + at;
        }
    return "";
}

Status run(const Invocation& invocation) {
    INGLE_ASSIGN(const chat::Json models, ask_server(invocation.values, "/models"));
    INGLE_ASSIGN(const chat::Json running, ask_server(invocation.values, "/api/ps"));
    if (!models.contains("data") || !running.contains("models"))
        return fail(Code::corrupt, "this server's list of models is in no form that is known here");
    chat::Json shown = chat::Json::array();
    for (const chat::Json& model : models["data"]) {
        const std::string status = status_of(model);
        if (!invocation.values.flag("all") && status != "loaded" && status != "loading" && status != "unloading")
            continue;
        const std::string name = model.value("id", "");
        shown.push_back({{"name", name},
                         {"status", status},
                         {"bytes", model.contains("meta") ? model["meta"].value("size", uint64_t(0)) : 0},
                         {"context", model.contains("meta") ? model["meta"].value("n_ctx", int64_t(0)) : 0},
                         {"expires", expiry_of(running, name)}});
    }
    if (invocation.values.flag("json")) {
        std::puts(shown.dump(2).c_str());
        return {};
    }
    for (const chat::Json& model : shown)
        std::printf("%-9s  %10s  %7lld  %s  %s\n", model["status"].get<std::string>().c_str(),
                    human_bytes(model["bytes"].get<uint64_t>()).c_str(),
                    static_cast<long long>(model["context"].get<int64_t>()), model["name"].get<std::string>().c_str(),
                    model["expires"].get<std::string>().c_str());
    return {};
}

}  // namespace

namespace entries {
extern const Verb ps;
const Verb ps = {
    .name = "ps",
    .group = "Models",
    .summary = "list the models that a running server has in memory",
    .arguments = "",
    .about = "  ingle ps\n"
             "  ingle ps --all --port 9000\n\n"
             "Each line: state, size of the file, tokens of context, name, when it leaves memory.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
