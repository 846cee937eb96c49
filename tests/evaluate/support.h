// Models and texts for tests of measurements.
#pragma once

#include "evaluate/score.h"
#include "support/fixtures.h"

namespace ingle::evaluate {

inline Result<std::shared_ptr<const Model>> open_model(const std::filesystem::path& path,
                                                       const RuntimeOptions& options) {
    return Model::load(Runtime::make(options),
                       {.path = path, .progress = {}, .without_tokenizer = false});
}

inline std::filesystem::path tiny_model() { return test::source_dir() / "models" / "stories260K.gguf"; }

// The windows of wiki.test.raw that llama-perplexity makes.
inline Result<Windows> wiki_windows(const Model& model, int64_t size, int64_t count) {
    const std::string text = test::bytes_of(test::fixtures() / "text" / "wiki.test.raw");
    const Tokenizer& tokenizer = *model.tokenizer();
    // Enough text for the windows asked for, cut where a line ends.
    const std::string_view head = std::string_view(text).substr(0, text.find('\n', size_t(size * count * 8)));
    std::optional<Token> bos;
    if (tokenizer.adds_bos()) bos = tokenizer.special().bos;
    return cut_windows(tokenizer.encode(head, {.add_special = true, .parse_special = false}),
                       {.size = size, .windows_max = count, .stride = 0}, bos);
}

}  // namespace ingle::evaluate
