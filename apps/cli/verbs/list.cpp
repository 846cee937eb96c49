// ingle list: the models that were downloaded.
#include <cstdio>

#include "cli/json_writer.h"
#include "cli/options/model.h"
#include "hub/cache.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() { return {json_option()}; }

Status run(const Invocation& invocation) {
    const hub::Cache cache = hub::Cache::of_environment();
    const auto entries = cache.entries();
    if (!invocation.values.flag("json")) {
        for (const auto& entry : entries)
            std::printf("%10s  %s/%s\n", human_bytes(entry.bytes).c_str(), entry.repo.c_str(), entry.name.c_str());
        return {};
    }
    JsonWriter json(2);
    json.begin_array();
    for (const auto& entry : entries) {
        json.begin_object().member("repo", std::string_view(entry.repo)).member("file", std::string_view(entry.name));
        json.member("commit", std::string_view(entry.commit)).member("bytes", entry.bytes);
        const std::string path = cache.file(entry.repo, entry.commit, entry.name).string();
        json.member("path", std::string_view(path)).end_object();
    }
    json.end_array();
    std::puts(json.text().c_str());
    return {};
}

}  // namespace

namespace entries {
extern const Verb list;
const Verb list = {
    .name = "list",
    .group = "Models",
    .summary = "list the downloaded models",
    .arguments = "",
    .about = "  ingle list\n"
             "  ingle list --json",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
