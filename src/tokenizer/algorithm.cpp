#include "tokenizer/algorithm.h"

namespace ingle::tokenizer {

Result<const Algorithm*> find_algorithm(std::string_view model) {
    std::string known;
    for (const Algorithm* algorithm : all_algorithms())
        for (const std::string_view name : split(algorithm->names, ' ')) {
            if (name == model) return algorithm;
            known += cat(known.empty() ? "" : ", ", name);
        }
    return fail(Code::unsupported, "unknown tokenizer model ", quoted(model),
                " (tokenizer.ggml.model); known are ", known);
}

}  // namespace ingle::tokenizer
