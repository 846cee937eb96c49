#include "server/model_files.h"

#include <algorithm>

#include "base/text.h"
#include "hub/cache.h"
#include "server/service.h"

namespace ingle::server {

namespace {

// The files of a model in the cache, by any of its names.
struct InCache {
    hub::Reference reference;
    std::vector<std::filesystem::path> paths;
};

Result<InCache> find_in_cache(const Service& service, const hub::Cache& cache, const std::string& name) {
    const auto missing = [&] {
        return fail(Code::not_found, "model ", quoted(name),
                    " not found among downloaded ones, whose names are user/repo:TYPE");
    };
    const auto report = service.models().report(name);
    auto reference = hub::parse_reference(report && name.find('/') == name.npos ? report->name : name);
    if (!reference.ok()) return missing();
    auto paths = cache.find(*reference);
    if (!paths.ok()) return missing();
    return InCache{std::move(*reference), std::move(*paths)};
}

// Whether it is served by a name of its own, not for being in the cache.
bool named_otherwise(const ModelReport& report, const InCache& model) {
    const bool same = std::ranges::any_of(model.paths, [&](const auto& path) { return path == report.path; });
    return same && report.name.find('/') == report.name.npos;
}

}  // namespace

std::optional<Error> refuse_management(const Settings& settings) {
    if (settings.manage_models) return std::nullopt;
    return Error{.status = 403, .type = "permission_error",
                 .message = "clients of this server may not download, delete or copy models; --manage-models lets them"};
}

Status delete_model(Service& service, const std::string& name) {
    const hub::Cache cache = hub::Cache::of_environment();
    INGLE_ASSIGN(const InCache model, find_in_cache(service, cache, name));
    for (const ModelReport& report : service.models().reports())
        if (named_otherwise(report, model))
            return fail(Code::invalid_argument, quoted(name), " is not deleted: the server was started with it, as ",
                        quoted(report.name));
    INGLE_TRY(cache.remove(model.reference).status());
    return service.models().rescan();
}

Status copy_model(Service& service, const std::string& source, const std::string& destination) {
    const hub::Cache cache = hub::Cache::of_environment();
    INGLE_ASSIGN(const InCache model, find_in_cache(service, cache, source));
    INGLE_ASSIGN(const hub::Reference target, hub::parse_reference(destination));
    if (!target.tag.empty() || !target.file.empty() || target.revision != "main")
        return fail(Code::invalid_argument, "'destination': ", quoted(destination),
                    " must be user/repo alone; the type stays that of the source");
    INGLE_TRY(cache.copy(model.reference, target.repo));
    return service.models().rescan();
}

}  // namespace ingle::server
