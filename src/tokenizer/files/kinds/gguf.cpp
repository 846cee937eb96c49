// GGUF as a kind of file; reading its vocabulary is tokenizer/gguf_vocabulary.cpp.
#include "tokenizer/files/kind.h"
#include "tokenizer/gguf_vocabulary.h"

namespace ingle::files::entries {

extern const Kind gguf;
const Kind gguf{
    .what = "a GGUF file",
    .precedence = 8,
    .names = "*.gguf",
    .recognises = [](std::string_view bytes) { return bytes.starts_with("GGUF"); },
    .read = [](std::string_view, const std::filesystem::path& path) -> Result<Vocabulary> {
        INGLE_ASSIGN(const ::ingle::gguf::File file, ::ingle::gguf::File::open(path));
        return vocabulary_from(file);
    },
};

}  // namespace ingle::files::entries
