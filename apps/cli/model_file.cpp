#include "cli/model_file.h"

namespace ingle::cli {

namespace {

// The system's and the reader's messages may name the file already.
Status naming(Status status, const std::string& path) {
    if (status.message().find(path) != std::string::npos) return status;
    return std::move(status).in(path);
}

}  // namespace

Result<gguf::File> open_model(const std::string& path) {
    auto file = gguf::File::open(path);
    if (!file.ok()) return naming(std::move(file).status(), path);
    return file;
}

}  // namespace ingle::cli
