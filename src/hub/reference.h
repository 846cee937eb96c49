// A model on a hub: user/repo, user/repo:Q4_K_M, user/repo@revision:Q4_K_M, user/repo/file.gguf.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::hub {

struct Reference {
    std::string repo;               // "user/name"
    std::string revision = "main";  // a branch, a tag or a commit
    std::string tag;                // which of the repository's files: a type of weights; empty: our choice
    std::string file;               // its path in the repository; wins over the tag
};

// Whether the text can only mean a model on a hub: it has the form, and no file or folder of that name is there.
bool looks_like_reference(std::string_view text);
// Also "hf.co/..." and "https://huggingface.co/...". Fails with what is wrong.
Result<Reference> parse_reference(std::string_view text);

// The GGUF files to download, all parts of a split model, from the names of the repository's files. Fails naming what
// there is.
Result<std::vector<std::string>> choose_files(const Reference& reference, const std::vector<std::string>& names);

// A path that stays below the folder that it is joined to.
bool is_safe_path(std::string_view path);

}  // namespace ingle::hub
