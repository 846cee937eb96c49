#include "tokenizer/pre_tokenizer.h"

#include <algorithm>

namespace ingle::pre {

Ends PreTokenizer::split(std::string_view text) const {
    Ends ends;
    if (text.empty()) return ends;
    ends.push_back(text.size());
    Ends previous;
    for (const Step& step : steps) {
        if (step.split == nullptr) break;
        previous.swap(ends);
        ends.clear();
        size_t begin = 0;
        for (const size_t end : previous) {
            step.split(text.substr(begin, end - begin), begin, ends);
            begin = end;
        }
    }
    return ends;
}

namespace {

// Names that begin alike, then the one that was probably meant.
std::string near_names(std::string_view name, const std::vector<std::string_view>& known) {
    std::string list;
    const std::string_view stem = name.substr(0, std::min<size_t>(name.size(), 4));
    for (const std::string_view candidate : known)
        if (!stem.empty() && candidate.starts_with(stem))
            list += cat(list.empty() ? "" : ", ", candidate);
    if (list.empty()) list = closest(name, known);
    return list;
}

}  // namespace

Result<const PreTokenizer*> find_pre_tokenizer(std::string_view name) {
    std::vector<std::string_view> known;
    for (const PreTokenizer* entry : all_pre_tokenizers())
        for (const std::string_view candidate : split(entry->names, ' ')) {
            if (candidate == name) return entry;
            known.push_back(candidate);
        }
    const std::string near = near_names(name, known);
    return fail(Code::unsupported, "unknown pre-tokenizer ", quoted(name), " (tokenizer.ggml.pre)",
                near.empty() ? "" : cat("; near names that are known: ", near));
}

const PreTokenizer* find_pre_tokenizer(std::span<const std::string_view> patterns) {
    for (const PreTokenizer* entry : all_pre_tokenizers()) {
        const auto used = std::find_if(std::begin(entry->steps), std::end(entry->steps),
                                       [](const Step& step) { return step.split == nullptr; });
        if (std::equal(std::begin(entry->steps), used, patterns.begin(), patterns.end(),
                       [](const Step& step, std::string_view p) { return step.pattern == p; }))
            return entry;
    }
    return nullptr;
}

}  // namespace ingle::pre
