#include "engine/shift.h"

#include <algorithm>

namespace ingle {

Status can_shift(const Model& model) {
    const auto& metadata = model.file().metadata();
    const std::string architecture(metadata.text("general.architecture"));
    const auto refuse = [&](std::string_view why) {
        return fail(Code::unsupported, "this model's context cannot be shifted: ", why);
    };
    if (metadata.text(architecture + ".rope.scaling.type") == "longrope")
        return refuse("its rotations (longrope) depend on the length of the text");
    for (const char* const name : {".attention.temperature_scale", ".attention.temperature_length"})
        if (metadata.find(architecture + name) != nullptr)
            return refuse(cat("its attention is scaled by position (", architecture, name, ")"));
    for (const Node& node : model.graph().nodes)
        if (const auto* const attention = std::get_if<ops::Attention>(&node.op))
            if (attention->rotary == 0)
                return refuse("its queries and keys are not rotated, so positions lie elsewhere");
    return {};
}

int64_t shifting_context(int64_t tokens, int64_t page_tokens) {
    return std::max<int64_t>(tokens / page_tokens, 3) * page_tokens;
}

Result<std::vector<int64_t>> pages_to_drop(int64_t pages, int64_t page_tokens,
                                           const ShiftOptions& options,
                                           std::span<const TokenRange> pinned) {
    const auto pages_of = [&](int64_t tokens) { return (tokens + page_tokens - 1) / page_tokens; };
    std::vector<int64_t> may_go;
    for (int64_t page = std::max<int64_t>(1, pages_of(options.keep_tokens)); page < pages; ++page) {
        const int64_t begin = page * page_tokens;
        const bool holds_pinned = std::ranges::any_of(pinned, [&](const TokenRange& range) {
            return range.begin < begin + page_tokens && range.end > begin;
        });
        if (!holds_pinned) may_go.push_back(page);
    }
    const auto count = int64_t(may_go.size());
    const int64_t wanted =
        options.drop_tokens > 0 ? pages_of(options.drop_tokens) : (count + 1) / 2;
    if (count == 0)
        return fail(Code::limit, "the context of ", pages * page_tokens,
                    " tokens is full, and all of them are to be kept");
    may_go.resize(size_t(std::min(wanted, count)));
    return may_go;
}

}  // namespace ingle
