#include "evaluate/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluate/quick_exp.h"

namespace ingle::evaluate {

namespace {

constexpr double cut_off = -16;  // the file cuts what is less likely; such tokens do not count

// sum p_base (log p_base - log p), and the token that the base holds for likeliest.
struct RowDivergence {
    double divergence = 0;
    Token base_top = 0;
};

RowDivergence row_divergence(const StoredRow& base, std::span<const float> logits,
                             const LogSoftmax& softmax) {
    const double offset = double(softmax.greatest) + softmax.log_sum;
    std::array<double, 8> sums = {};
    const auto term = [&](size_t i) {
        const float log_base = base.scale * float(base.codes[i]) + base.least;
        const double difference = double(log_base) - (double(logits[i]) - offset);
        return double(log_base) > cut_off ? double(quick_exp(log_base)) * difference : 0.0;
    };
    size_t i = 0;
    for (; i + sums.size() <= logits.size(); i += sums.size())
        for (size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += term(i + lane);
    for (; i < logits.size(); ++i) sums[0] += term(i);
    RowDivergence found;
    for (const double sum : sums) found.divergence += sum;
    found.base_top = Token(std::ranges::max_element(base.codes) - base.codes.begin());
    return found;
}

std::vector<double> head(const std::vector<double>& values, size_t count) {
    return {values.begin(), values.begin() + std::ptrdiff_t(count)};
}

void reserve_rows(DivergenceRows& rows, size_t count) {
    rows.surprise.resize(count);
    rows.base_surprise.resize(count);
    rows.divergence.resize(count);
    rows.probability_change.resize(count);
    rows.same_top.resize(count);
}

}  // namespace

DivergenceRows DivergenceRows::first(int64_t windows) const {
    const size_t count = size_t(windows * per_window);
    DivergenceRows part;
    part.per_window = per_window;
    part.first_position = first_position;
    part.surprise = head(surprise, count);
    part.base_surprise = head(base_surprise, count);
    part.divergence = head(divergence, count);
    part.probability_change = head(probability_change, count);
    part.same_top = head(same_top, count);
    return part;
}

std::span<const NamedQuantile> divergence_quantiles() {
    static constexpr NamedQuantile quantiles[] = {
        {"99.9%", 0.999}, {"99.0%", 0.99}, {"95.0%", 0.95}, {"90.0%", 0.90}, {"Median", 0.5},
        {"10.0%", 0.10},  {"5.0%", 0.05},  {"1.0%", 0.01},  {"0.1%", 0.001}};
    return quantiles;
}

std::span<const NamedQuantile> change_quantiles() {
    static constexpr NamedQuantile quantiles[] = {
        {"99.9%", 0.999}, {"99.0%", 0.99}, {"95.0%", 0.95}, {"90.0%", 0.90}, {"75.0%", 0.75},
        {"Median", 0.5},  {"25.0%", 0.25}, {"10.0%", 0.10}, {"5.0%", 0.05},  {"1.0%", 0.01},
        {"0.1%", 0.001}};
    return quantiles;
}

Result<Windows> windows_of(const LogitsReader& base, const Model& model) {
    if (base.vocab() != model.vocab())
        return fail(Code::invalid_argument, "the base was made with a vocabulary of ", base.vocab(),
                    " tokens, the model has ", model.vocab());
    Windows windows;
    windows.tokens = base.tokens();
    windows.size = windows.step = base.window_tokens();
    windows.count = base.windows();
    windows.first_scored = windows.size / 2;
    if (model.tokenizer()->adds_bos()) windows.bos = model.tokenizer()->special().bos;
    return windows;
}

Result<DivergenceRows> measure_divergence(Session& session, const LogitsReader& base,
                                          const Windows& windows, ThreadPool& pool,
                                          const DivergenceDone& done) {
    DivergenceRows rows;
    rows.per_window = windows.scored();
    rows.first_position = windows.first_scored + 1;
    reserve_rows(rows, size_t(windows.count * windows.scored()));
    for (int64_t w = 0; w < windows.count; ++w) {
        const auto visit = [&](int64_t row, std::span<const float> logits) {
            const size_t at = size_t(w * windows.scored() + row);
            const Token target = windows.target(w, row);
            const StoredRow stored = base.row(w, row);
            const LogSoftmax softmax = log_softmax(logits);
            const double log_p = softmax.of(logits[size_t(target)]);
            const double log_base = stored.log_probability(target);
            const RowDivergence divergence = row_divergence(stored, logits, softmax);
            rows.surprise[at] = -log_p;
            rows.base_surprise[at] = -log_base;
            rows.divergence[at] = divergence.divergence;
            rows.probability_change[at] = std::exp(log_p) - std::exp(log_base);
            rows.same_top[at] = softmax.top == divergence.base_top ? 1 : 0;
        };
        INGLE_TRY(score_window(session, windows, w, pool, visit));
        INGLE_TRY(check_finite(rows.divergence, rows.per_window, "the divergence"));
        INGLE_TRY(done(w + 1, rows));
    }
    return rows;
}

DivergenceSummary summarize(const DivergenceRows& rows) {
    DivergenceSummary s;
    const Estimate surprise = mean_of(rows.surprise), base = mean_of(rows.base_surprise);
    const double covariance = covariance_of_means(rows.surprise, rows.base_surprise);
    const double both = surprise.error * base.error;
    s.perplexity = {std::exp(surprise.value), std::exp(surprise.value) * surprise.error};
    s.base_perplexity = {std::exp(base.value), std::exp(base.value) * base.error};
    s.correlation = both > 0 ? covariance / both : 1;
    const double variance = surprise.error * surprise.error + base.error * base.error - 2 * covariance;
    s.log_ratio = {surprise.value - base.value, std::sqrt(std::max(variance, 0.0))};
    s.ratio.value = std::exp(s.log_ratio.value);
    s.ratio.error = s.ratio.value * s.log_ratio.error;
    s.difference.value = s.perplexity.value - s.base_perplexity.value;
    const double a = s.perplexity.error, b = s.base_perplexity.error;
    s.difference.error = std::sqrt(std::max(
        a * a + b * b - 2 * covariance * s.perplexity.value * s.base_perplexity.value, 0.0));
    s.mean = mean_of(rows.divergence);
    const Sorted divergence(rows.divergence), change(rows.probability_change);
    s.greatest = divergence.greatest();
    s.least = divergence.least();
    s.change = mean_of(rows.probability_change);
    s.change_greatest = change.greatest();
    s.change_least = change.least();
    std::vector<double> squares = rows.probability_change;
    for (double& value : squares) value *= value;
    const Estimate square = mean_of(squares);
    s.change_rms.value = std::sqrt(square.value);
    if (square.value > 0) s.change_rms.error = square.error / (2 * s.change_rms.value);
    s.same_top = mean_of(rows.same_top);
    return s;
}

std::vector<PositionMean> divergence_by_position(const DivergenceRows& rows, int64_t bins_max) {
    std::vector<PositionMean> means;
    const int64_t windows = int64_t(rows.size()) / rows.per_window;
    const int64_t width = (rows.per_window + bins_max - 1) / bins_max;
    for (int64_t first = 0; first < rows.per_window; first += width) {
        const int64_t last = std::min(first + width, rows.per_window);
        std::vector<double> values;
        for (int64_t w = 0; w < windows; ++w)
            for (int64_t r = first; r < last; ++r)
                values.push_back(rows.divergence[size_t(w * rows.per_window + r)]);
        means.push_back({double(rows.first_position) + double(first + last - 1) / 2,
                         mean_of(values)});
    }
    return means;
}

}  // namespace ingle::evaluate
