#include "evaluate/windows.h"

#include <algorithm>

namespace ingle::evaluate {

namespace {

constexpr int64_t size_min = 4;
constexpr int64_t strided_multiple = 256;  // llama-perplexity rounds its context so

Status check(const WindowOptions& options, int64_t tokens) {
    if (options.size < size_min)
        return fail(Code::invalid_argument, "a window (-c) needs at least ", size_min,
                    " tokens, found ", options.size);
    if (options.stride >= options.size)
        return fail(Code::invalid_argument, "the stride must be smaller than the window of ",
                    options.size, " tokens, found ", options.stride);
    if (tokens < options.windows_min * options.size)
        return fail(Code::invalid_argument, "the text is too short: a window of ", options.size,
                    " tokens (-c) needs a text of at least ", options.windows_min * options.size,
                    " tokens, found ", tokens);
    return {};
}

}  // namespace

std::vector<Token> Windows::window(int64_t index) const {
    const auto begin = tokens.begin() + index * step;
    std::vector<Token> cut(begin, begin + size);
    if (bos) cut[0] = *bos;
    return cut;
}

Result<Windows> cut_windows(std::vector<Token> tokens, const WindowOptions& options,
                            std::optional<Token> bos) {
    const int64_t total = int64_t(tokens.size());
    INGLE_TRY(check(options, total));
    Windows windows;
    if (options.stride <= 0) {
        windows.bos = bos;
        windows.size = windows.step = options.size;
        windows.count = total / windows.size;
        windows.first_scored = windows.size / 2;
    } else {
        windows.size = (options.size + options.stride / 2 + strided_multiple - 1) / strided_multiple *
                       strided_multiple;
        windows.step = options.stride;
        if (total < windows.size)
            return fail(Code::invalid_argument, "the text is too short: with that stride a window has ",
                        windows.size, " tokens, the text ", total);
        windows.count = (total - windows.size) / windows.step + 1;
        windows.first_scored = windows.size - options.stride - 1;
    }
    if (options.windows_max >= 0) windows.count = std::min(windows.count, options.windows_max);
    if (windows.count == 0)
        return fail(Code::invalid_argument, "no window to score: --chunks is 0");
    windows.tokens = std::move(tokens);
    windows.tokens.resize(size_t((windows.count - 1) * windows.step + windows.size));
    return windows;
}

}  // namespace ingle::evaluate
