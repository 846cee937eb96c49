#include "tokenizer/files/published.h"

#include <string_view>

namespace ingle::files {
namespace {

struct Published {
    size_t tokens;
    std::string_view rule;
};
constexpr Published all_published[] = {
    {50256, "gpt-2"},      // r50k
    {50257, "gpt-2"},      // GPT-2 with <|endoftext|>
    {50280, "gpt-2"},      // p50k
    {100256, "llama3"},    // cl100k cuts as Llama 3
    {128000, "llama3"},    // Llama 3
    {151643, "qwen2"},     // Qwen
    {199998, "gpt-4o"},    // o200k
};

}  // namespace

std::string published_rule(size_t tokens) {
    for (const Published& published : all_published)
        if (published.tokens == tokens) return std::string(published.rule);
    return {};
}

}  // namespace ingle::files
