#include "sampling/candidates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>

#include "sampling/exact_math.h"

namespace ingle::sampling {

namespace {

constexpr size_t bins = 256;
constexpr size_t block = 256;  // entries whose maximum is taken at once, to skip the whole

int32_t greatest_key(const float* values, size_t count) {
    int32_t greatest = INT32_MIN;
    for (size_t i = 0; i < count; ++i) greatest = std::max(greatest, order_key(values[i]));
    return greatest;
}

// Four interleaved sums, merged pairwise: the same order of additions for every compiler and vector
// width.
template <class Term>
double fixed_sum(size_t count, Term term) {
    std::array<double, 4> sums = {};
    const size_t whole = count / 4 * 4;
    for (size_t i = 0; i < whole; i += 4)
        for (size_t lane = 0; lane < 4; ++lane) sums[lane] += term(i + lane);
    for (size_t i = whole; i < count; ++i) sums[i - whole] += term(i);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Which of `bins` equal parts a score falls into; never decreasing with the score.
struct BinRule {
    float first;
    float per_unit;
    size_t bin(float score) const {
        return size_t(std::min((score - first) * per_unit, float(bins - 1)));
    }
};

template <class T>
void grow(std::vector<T>& values, size_t size) {
    if (values.size() < size) values.resize(size);
}

}  // namespace

void Candidates::assign(std::span<const float> logits) {
    view_ = logits;
    whole_ = true;
    probabilities_valid_ = false;
}

size_t Candidates::possible() const {
    return size_t(std::ranges::count_if(view_, [](float logit) { return logit > impossible; }));
}

float Candidates::logit_max() const {
    if (view_.empty()) return impossible;
    return from_order_key(greatest_key(view_.data(), view_.size()));
}

std::optional<size_t> Candidates::find(Token token) const {
    if (token < 0) return std::nullopt;
    if (whole_) return size_t(token) < size() ? std::optional(size_t(token)) : std::nullopt;
    const auto end = ids_.begin() + std::ptrdiff_t(size());
    const auto found = std::lower_bound(ids_.begin(), end, token);
    if (found == end || *found != token) return std::nullopt;
    return size_t(found - ids_.begin());
}

std::span<float> Candidates::edit_logits() {
    if (view_.data() != logits_.data() || logits_.empty()) {
        grow(logits_, view_.size());
        std::ranges::copy(view_, logits_.begin());
    }
    view_ = std::span(logits_).first(view_.size());
    probabilities_valid_ = false;
    return std::span(logits_).first(view_.size());
}

void Candidates::compute_probabilities() {
    const float greatest = logit_max();
    grow(probabilities_, size());
    probabilities_valid_ = true;
    if (greatest == impossible) {
        std::fill_n(probabilities_.begin(), size(), 0.0f);
        log_total_ = impossible;
        return;
    }
    float* const p = probabilities_.data();
    const float* const logits = view_.data();
    for (size_t i = 0; i < size(); ++i) p[i] = exp_nonpositive(logits[i] - greatest);
    const double total = fixed_sum(size(), [p](size_t i) { return double(p[i]); });
    const float scale = float(1 / total);
    for (size_t i = 0; i < size(); ++i) p[i] *= scale;
    log_total_ = double(greatest) + exact_log(total);
}

std::span<const float> Candidates::probabilities() {
    if (!probabilities_valid_) compute_probabilities();
    return std::span(probabilities_).first(size());
}

double Candidates::log_total() {
    if (!probabilities_valid_) compute_probabilities();
    return log_total_;
}

double Candidates::entropy() {
    const std::span<const float> p = probabilities();
    const double total = log_total();
    return fixed_sum(size(), [&](size_t i) {
        return p[i] > 0 ? double(p[i]) * (total - double(view_[i])) : 0.0;
    });
}

double Candidates::probability_sum() {
    const std::span<const float> p = probabilities();
    return fixed_sum(size(), [p](size_t i) { return double(p[i]); });
}

std::span<float> Candidates::scores() {
    grow(scores_, size());
    return std::span(scores_).first(size());
}

void Candidates::take_selection() {
    // In place: an entry never moves to a later index.
    const size_t count = selected_count_;
    grow(ids_, count);
    grow(logits_, count);
    for (size_t i = 0; i < count; ++i) {
        const size_t from = selected_[i];
        ids_[i] = id(from);
        logits_[i] = view_[from];
    }
    whole_ = false;
    view_ = std::span(logits_).first(count);
    probabilities_valid_ = false;
}

void Candidates::shrink_selection(size_t count) {
    if (selected_count_ <= count) return;
    keys_.clear();
    for (const uint32_t i : selection()) keys_.push_back(order_key(view_[i]));
    const auto bar_place = keys_.begin() + std::ptrdiff_t(count - 1);
    std::nth_element(keys_.begin(), bar_place, keys_.end(), std::greater<>());
    const int32_t bar = *bar_place;
    size_t equal_left =
        count - size_t(std::count_if(keys_.begin(), bar_place, [&](int32_t k) { return k > bar; }));
    size_t kept = 0;
    for (const uint32_t i : selection()) {
        const int32_t key = order_key(view_[i]);
        if (key < bar || (key == bar && equal_left == 0)) continue;
        equal_left -= key == bar;
        selected_[kept++] = i;
    }
    selected_count_ = kept;
}

void Candidates::keep_top(size_t count) {
    if (count >= size()) return;
    const size_t room = std::min(size(), 2 * count + block);
    grow(selected_, room + block);
    selected_count_ = 0;
    int32_t bar = order_key(impossible);  // the `count`-th greatest so far
    for (size_t start = 0; start < size() && count > 0; start += block) {
        const size_t end = std::min(start + block, size());
        if (greatest_key(view_.data() + start, end - start) <= bar) continue;
        for (size_t i = start; i < end; ++i) {
            selected_[selected_count_] = uint32_t(i);
            selected_count_ += order_key(view_[i]) > bar;
        }
        if (selected_count_ <= room) continue;
        shrink_selection(count);
        bar = INT32_MAX;
        for (const uint32_t i : selection()) bar = std::min(bar, order_key(view_[i]));
    }
    shrink_selection(count);
    take_selection();
}

void Candidates::keep_from(float logit_min, size_t keep_min) {
    const int32_t bar = std::max(order_key(logit_min), order_key(impossible) + 1);
    grow(selected_, size());
    selected_count_ = 0;
    for (size_t start = 0; start < size(); start += block) {
        const size_t end = std::min(start + block, size());
        if (greatest_key(view_.data() + start, end - start) < bar) continue;
        for (size_t i = start; i < end; ++i) {
            selected_[selected_count_] = uint32_t(i);
            selected_count_ += order_key(view_[i]) >= bar;
        }
    }
    if (selected_count_ < keep_min) return keep_top(keep_min);
    take_selection();
}

// selected_ becomes the possible ones of `entries` whose score falls into the bin in which the
// running mass passes `mass`; `reached` grows by the mass of the bins before. In place: `entries`
// may be selected_ itself.
template <class Entries, class BinRule>
void Candidates::select_bin(std::span<const float> scores, const Entries& entries, BinRule rule,
                            double mass, double& reached) {
    std::array<double, bins> masses = {};
    for (const uint32_t i : entries) masses[rule.bin(scores[i])] += double(probabilities_[i]);
    size_t crossing = 0;
    while (crossing + 1 < bins && reached + masses[crossing] < mass) reached += masses[crossing++];
    selected_count_ = 0;
    for (const uint32_t i : entries) {
        selected_[selected_count_] = i;
        selected_count_ += size_t(rule.bin(scores[i]) == crossing) & size_t(probabilities_[i] > 0);
    }
}

void Candidates::keep_lowest(std::span<const float> scores, double mass, size_t keep_min) {
    const std::span<const float> p = probabilities();
    const auto before = [&](uint32_t a, uint32_t b) {
        return scores[a] != scores[b] ? scores[a] < scores[b] : a < b;
    };
    mass = std::max(mass, 1e-300);  // a mass of 0 is reached by the first possible entry
    // The bin in which the mass is reached becomes the whole, until it is small or all of one
    // score. The first bins are 1/3 nat wide: possible tokens differ by at most some 80 nats.
    double reached = 0;
    grow(selected_, size());
    select_bin(scores, std::views::iota(0u, uint32_t(size())), BinRule{0, 3}, mass, reached);
    while (selected_count_ > bins) {
        const auto by_score = [&](uint32_t a, uint32_t b) { return scores[a] < scores[b]; };
        const auto [low, high] = std::ranges::minmax_element(selection(), by_score);
        const float first = scores[*low], width = scores[*high] - first;
        if (!(width > 0)) break;
        select_bin(scores, selection(), BinRule{first, float(bins) / width}, mass, reached);
    }
    std::ranges::sort(selection(), before);
    size_t taken = 0;
    while (taken < selected_count_ && (taken == 0 || reached < mass))
        reached += double(p[selected_[taken++]]);
    if (taken == 0) return keep_top(std::max<size_t>(keep_min, 1));

    const uint32_t last = selected_[taken - 1];
    const float bar = scores[last];
    select([&](size_t i) {
        const int lower = scores[i] < bar, equal = scores[i] == bar, first = i <= last;
        return int(p[i] > 0) & (lower | (equal & first));
    });
    if (selected_count_ < keep_min) {
        select([&](size_t i) { return view_[i] > impossible; });
        const size_t wanted = std::min(keep_min, selected_count_);
        const std::span<uint32_t> all = selection();
        std::nth_element(all.begin(), all.begin() + std::ptrdiff_t(wanted) - 1, all.end(), before);
        selected_count_ = wanted;
        std::ranges::sort(selection());
    }
    take_selection();
}

}  // namespace ingle::sampling
