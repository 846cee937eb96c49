#include "models/support/architecture.h"

#include <algorithm>

#include "base/log.h"

namespace ingle::models {

const Architecture* find_architecture(std::string_view name) {
    for (const Architecture* const architecture : all_architectures())
        if (std::ranges::find(architecture->names, name) != architecture->names.end())
            return architecture;
    return nullptr;
}

namespace {

std::string supported() {
    std::string names;
    for (const Architecture* const architecture : all_architectures())
        for (const std::string_view name : architecture->names)
            names += cat(names.empty() ? "" : ", ", name);
    return names;
}

}  // namespace

Result<graph::Graph> build_graph(const gguf::File& file) {
    const std::string_view name = file.metadata().text("general.architecture");
    if (name.empty())
        return fail(Code::corrupt, "metadata key 'general.architecture' is missing");
    const Architecture* const architecture = find_architecture(name);
    if (architecture == nullptr)
        return fail(Code::unsupported, "unknown architecture ", quoted(name), "; supported: ",
                    supported());
    graph::Builder builder;
    Loader loader(file, builder);
    architecture->build(loader);
    INGLE_TRY(loader.status());
    for (const std::string& unused : loader.unused_tensors())
        log(LogLevel::notice, "tensor '", unused, "' is not used by architecture ", name);
    return builder.take();
}

}  // namespace ingle::models
