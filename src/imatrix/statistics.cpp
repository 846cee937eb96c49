#include "imatrix/statistics.h"

#include <algorithm>
#include <cmath>

namespace ingle::imatrix {

namespace {

constexpr double active_above = 1e-5;
constexpr std::string_view block_prefix = "blk.";

std::vector<double> mean_squares(const Entry& entry) {
    std::vector<double> values;
    const size_t columns = size_t(entry.columns());
    for (size_t e = 0; e < entry.experts(); ++e) {
        if (entry.counts[e] <= 0) continue;
        for (size_t c = 0; c < columns; ++c)
            values.push_back(double(entry.sums[e * columns + c]) / double(entry.counts[e]));
    }
    return values;
}

// "blk.12.ffn_up.weight" -> 12
int64_t layer_of(std::string_view name) {
    if (!name.starts_with(block_prefix)) return -1;
    name.remove_prefix(block_prefix.size());
    return parse_int(name.substr(0, name.find('.'))).value_or(-1);
}

std::string in_layer(std::string_view name, int64_t layer) {
    const size_t rest = name.find('.', block_prefix.size());
    return cat(block_prefix, layer, name.substr(rest));
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return 0;
    double product = 0, left = 0, right = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        product += a[i] * b[i];
        left += a[i] * a[i];
        right += b[i] * b[i];
    }
    return left > 0 && right > 0 ? product / std::sqrt(left * right) : 0;
}

EntryStatistics figures_of(const std::vector<double>& values) {
    EntryStatistics s;
    s.columns = values.size();
    if (values.empty()) return s;
    const double n = double(values.size());
    s.least = s.greatest = values[0];
    for (const double value : values) {
        s.sum += value;
        s.least = std::min(s.least, value);
        s.greatest = std::max(s.greatest, value);
        s.active += value > active_above ? 1 / n : 0;
    }
    s.mean = s.sum / n;
    for (const double value : values) {
        s.deviation += (value - s.mean) * (value - s.mean) / n;
        if (value > 0) s.entropy -= value / s.sum * std::log2(value / s.sum);
    }
    s.deviation = std::sqrt(s.deviation);
    s.entropy_share = values.size() > 1 ? s.entropy / std::log2(n) : 1;
    for (const double value : values) s.outliers += value > s.mean + s.deviation ? 1 / n : 0;
    return s;
}

}  // namespace

std::vector<EntryStatistics> statistics_of(const Matrix& matrix) {
    std::vector<EntryStatistics> all;
    for (const auto& [name, entry] : matrix.entries) {
        const std::vector<double> values = mean_squares(entry);
        EntryStatistics s = figures_of(values);
        s.name = name;
        s.layer = layer_of(name);
        if (s.layer > 0) {
            const auto before = matrix.entries.find(in_layer(name, s.layer - 1));
            if (before != matrix.entries.end())
                s.similarity = cosine(values, mean_squares(before->second));
        }
        all.push_back(std::move(s));
    }
    std::ranges::stable_sort(all, std::greater{}, &EntryStatistics::sum);
    return all;
}

}  // namespace ingle::imatrix
