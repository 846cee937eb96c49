#include "evaluate/perplexity.h"

#include <cmath>

#include "evaluate/softmax.h"

namespace ingle::evaluate {

Estimate perplexity_of(std::span<const double> surprise) {
    const Estimate mean = mean_of(surprise);
    const double perplexity = std::exp(mean.value);
    return {perplexity, perplexity * mean.error};
}

Result<std::vector<double>> measure_surprise(Session& session, const Windows& windows,
                                             ThreadPool& pool, LogitsWriter* base,
                                             const PerplexityDone& done) {
    std::vector<double> surprise(size_t(windows.count * windows.scored()));
    for (int64_t w = 0; w < windows.count; ++w) {
        const int64_t first = w * windows.scored();
        const auto visit = [&](int64_t row, std::span<const float> logits) {
            const LogSoftmax softmax = log_softmax(logits);
            const float target = logits[size_t(windows.target(w, row))];
            surprise[size_t(first + row)] = -softmax.of(target);
            if (base != nullptr) base->set_row(row, logits, softmax);
        };
        INGLE_TRY(score_window(session, windows, w, pool, visit));
        const auto so_far = std::span(surprise).first(size_t(first + windows.scored()));
        INGLE_TRY(check_finite(so_far, windows.scored(), "the surprise"));
        if (base != nullptr) INGLE_TRY(base->write_window());
        INGLE_TRY(done(w + 1, so_far));
    }
    return surprise;
}

}  // namespace ingle::evaluate
