// Opening a model's file.
#pragma once

#include <string>

#include "gguf/reader.h"

namespace ingle::cli {

// Failures name the file.
Result<gguf::File> open_model(const std::string& path);
// The failure with the file's name before it, unless it names it already.
Status naming_file(Status status, const std::string& path);

}  // namespace ingle::cli
