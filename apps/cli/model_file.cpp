#include "cli/model_file.h"

namespace ingle::cli {

Status naming_file(Status status, const std::string& path) {
    if (status.message().find(path) != std::string::npos) return status;
    return std::move(status).in(path);
}

Result<gguf::File> open_model(const std::string& path) {
    auto file = gguf::File::open(path);
    if (!file.ok()) return naming_file(std::move(file).status(), path);
    return file;
}

}  // namespace ingle::cli
