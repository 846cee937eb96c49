// The kinds of files that hold a vocabulary: one file each in kinds/.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle::files {

struct Kind {
    std::string_view what;  // as messages name it
    int precedence;         // in a folder with several kinds the smallest wins
    // What such files are called, separated by spaces; `*` stands for any characters.
    std::string_view names;
    // Whether these bytes are of this kind, by their beginning.
    bool (*recognises)(std::string_view bytes);
    // `path` is the file's place: some kinds need a second file beside it.
    Result<Vocabulary> (*read)(std::string_view bytes, const std::filesystem::path& path);
};

std::span<const Kind* const> all_kinds();

}  // namespace ingle::files
