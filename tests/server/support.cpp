#include "support.h"

namespace ingle::server {

std::shared_ptr<const Model> tiny_model() {
    static const std::shared_ptr<const Model> model = [] {
        ModelOptions options;
        options.path = test::source_dir() / "models/stories260K.gguf";
        auto loaded = Model::load(Runtime::make({.threads = 1}), options);
        return loaded.ok() ? *loaded : nullptr;
    }();
    return model;
}

}  // namespace ingle::server
