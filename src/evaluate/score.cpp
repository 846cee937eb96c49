#include "evaluate/score.h"

#include <algorithm>

namespace ingle::evaluate {

namespace {

constexpr int64_t logits_bytes_max = 64 << 20;
constexpr int64_t rows_least = 16;

}  // namespace

Result<std::unique_ptr<Session>> open_for_windows(std::shared_ptr<const Model> model,
                                                  SessionOptions options, int64_t size) {
    const int64_t row_bytes = model->vocab() * int64_t(sizeof(float));
    options.context_tokens = size;
    options.chunk_tokens = std::min(options.chunk_tokens, size);
    options.outputs_max = std::clamp(logits_bytes_max / row_bytes, rows_least, options.chunk_tokens);
    return Session::open(std::move(model), options);
}

Status score_window(Session& session, const Windows& windows, int64_t index, ThreadPool& pool,
                    RowVisitor visit, Compute compute) {
    session.truncate(0);
    const int64_t vocab = session.model().vocab();
    const std::vector<Token> tokens = windows.window(index);
    const auto take = [&](int64_t first, std::span<const float> logits) -> Status {
        const int64_t rows = int64_t(logits.size()) / vocab;
        TaskCounter claims;
        pool.run([&](int) {
            for (int64_t r = claims.claim(); r < rows; r = claims.claim()) {
                const int64_t row = first + r - windows.first_scored;
                if (row >= 0 && row < windows.scored())
                    visit(row, logits.subspan(size_t(r * vocab), size_t(vocab)));
            }
        });
        return {};
    };
    return session.evaluate_from(tokens, compute == Compute::every_row ? 0 : windows.first_scored, take);
}

}  // namespace ingle::evaluate
