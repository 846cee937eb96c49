// Every sampler against the plainest form of its rule: sort, add up, cut, in double. Random chains
// of samplers with random settings over random logits must leave the same tokens with the same
// probabilities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

namespace {

struct Entry {
    Token id;
    double logit;
    double p;
};

// The plain twin. `doubtful` is set when a comparison was so close that rounding decides it.
class Oracle {
  public:
    explicit Oracle(const std::vector<float>& logits) {
        for (size_t i = 0; i < logits.size(); ++i)
            entries_.push_back({Token(i), double(logits[i]), 0});
        sort();
    }

    void top_k(double k) {
        if (k > 0 && k < double(entries_.size())) entries_.resize(size_t(k));
    }

    void top_p(double target, size_t keep_min) {
        if (target >= 1) return;
        softmax();
        cut_at_mass(target, keep_min);
    }

    void min_p(double bar, size_t keep_min) {
        if (bar <= 0) return;
        softmax();
        const double p_max = entries_.front().p;
        keep([&](size_t i) { return i < keep_min || at_least(entries_[i].p, bar * p_max); });
    }

    void top_n_sigma(double n) {
        if (n <= 0) return;
        double mean = 0, variance = 0;
        for (const Entry& e : entries_) mean += e.logit / double(entries_.size());
        for (const Entry& e : entries_)
            variance += (e.logit - mean) * (e.logit - mean) / double(entries_.size());
        const double bar = entries_.front().logit - n * std::sqrt(variance);
        keep([&](size_t i) { return i == 0 || at_least(entries_[i].logit, bar); });
    }

    void typ_p(double target, size_t keep_min) {
        if (target >= 1) return;
        softmax();
        const double h = entropy();
        std::ranges::stable_sort(entries_, {}, [h](const Entry& e) {
            return std::round(std::abs(h + std::log(e.p)) * 1e7);  // rounding noise makes no order
        });
        cut_at_mass(target, keep_min);
        sort();
    }

    void xtc(double threshold, size_t keep_min) {  // with probability 1
        softmax();
        size_t above = 0;
        while (above < entries_.size() && at_least(entries_[above].p, threshold)) ++above;
        if (above < 2 || entries_.size() - (above - 1) < keep_min) return;
        entries_.erase(entries_.begin(), entries_.begin() + std::ptrdiff_t(above) - 1);
    }

    void temperature(double t, double range, double exponent) {
        if (range > 0 && t > 0 && entries_.size() > 1) {
            softmax();
            const double evenness = entropy() / std::log(double(entries_.size()));
            const double low = std::max(0.0, t - range);
            t = low + (t + range - low) * std::pow(std::min(1.0, evenness), exponent);
        }
        if (t <= 1e-5) return entries_.resize(1);
        for (Entry& e : entries_) e.logit /= t;
    }

    std::map<Token, double> distribution() {
        softmax();
        std::map<Token, double> result;
        for (const Entry& e : entries_)
            if (e.p > 0) result[e.id] = e.p;
        return result;
    }

    bool doubtful = false;

  private:
    void sort() {
        std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
            return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
        });
    }

    void softmax() {
        double total = 0;
        for (Entry& e : entries_) total += e.p = std::exp(e.logit - entries_.front().logit);
        for (Entry& e : entries_) e.p /= total;
    }

    double entropy() const {
        double h = 0;
        for (const Entry& e : entries_) h -= e.p > 0 ? e.p * std::log(e.p) : 0;
        return h;
    }

    bool at_least(double value, double bar) {
        doubtful |= std::abs(value - bar) < 2e-6 * (std::abs(value) + std::abs(bar));
        return value >= bar;
    }

    void cut_at_mass(double target, size_t keep_min) {
        double sum = 0;
        size_t count = 0;
        while (count < entries_.size() && (count == 0 || !at_least(sum, target)))
            sum += entries_[count++].p;
        entries_.resize(std::min(entries_.size(), std::max(count, keep_min)));
    }

    template <class Keep>
    void keep(Keep keep_entry) {
        std::vector<Entry> kept;
        for (size_t i = 0; i < entries_.size(); ++i)
            if (keep_entry(i)) kept.push_back(entries_[i]);
        entries_ = kept;
    }

    std::vector<Entry> entries_;
};

struct Trial {
    Settings settings;
    std::map<Token, double> expected;
    bool doubtful;
};

double tenth(Random& random, uint32_t most) { return double(random.below(most + 1)) / 10; }

// A random order of one to four samplers with random settings, and what the oracle makes of it.
Trial trial_of(Random& random, const std::vector<float>& logits) {
    const double k = double(random.below(uint32_t(logits.size()) + 20)) - 5;
    const double top_p = tenth(random, 10), min_p = tenth(random, 10) * tenth(random, 10);
    const double sigma = tenth(random, 30) - 0.5, typical = tenth(random, 10);
    const double threshold = tenth(random, 5) * tenth(random, 5) + 0.001;
    const double t = tenth(random, 20), range = random.below(2) ? tenth(random, 15) : 0;
    const double exponent = tenth(random, 20) + 0.1;
    const size_t keep_min = random.below(3) ? 0 : random.below(10);
    Oracle oracle(logits);
    std::string order;
    for (uint64_t steps = 1 + random.below(4); steps > 0; --steps) {
        switch (random.below(7)) {
            case 0: order += 'k', oracle.top_k(k); break;
            case 1: order += 'p', oracle.top_p(top_p, keep_min); break;
            case 2: order += 'm', oracle.min_p(min_p, keep_min); break;
            case 3: order += 's', oracle.top_n_sigma(sigma); break;
            case 4: order += 'y', oracle.typ_p(typical, keep_min); break;
            case 5: order += 'x', oracle.xtc(threshold, keep_min); break;
            default: order += 't', oracle.temperature(t, range, exponent); break;
        }
    }
    Trial trial;
    trial.expected = oracle.distribution();
    trial.doubtful = oracle.doubtful;
    trial.settings = {{"sampler_seq", order},
                      {"seed", "1"},
                      {"top_k", cat(int64_t(k))},
                      {"top_p", cat(top_p)},
                      {"min_p", cat(min_p)},
                      {"top_n_sigma", cat(sigma)},
                      {"typical_p", cat(typical)},
                      {"xtc_probability", "1"},
                      {"xtc_threshold", cat(std::min(threshold, 0.5))},
                      {"temperature", cat(t)},
                      {"dynatemp_range", cat(range)},
                      {"dynatemp_exponent", cat(exponent)},
                      {"min_keep", cat(keep_min)}};
    trial.doubtful |= threshold > 0.5;
    return trial;
}

std::string show(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : settings) text += cat(name, "=", value, " ");
    return text;
}

// All trials beyond doubt must agree, and there must be more than `compared_min` of them.
void compare(uint64_t seed, int trials, uint32_t size_max, bool ties, int compared_min) {
    Random random(seed);
    int compared = 0;
    for (int i = 0; i < trials && !::testing::Test::HasFailure(); ++i) {
        std::vector<float> logits(1 + random.below(size_max));
        const double spread = 0.1 + 5 * random.uniform();
        for (float& logit : logits) {
            const double value = spread * random.normal();
            logit = float(ties ? std::round(value * 2) / 2 + 0.0 : value);
        }
        const Trial trial = trial_of(random, logits);
        if (trial.doubtful) continue;
        ++compared;
        SCOPED_TRACE(cat(show(trial.settings), "size=", logits.size()));
        std::map<Token, double> found = distribution(trial.settings, logits);
        for (const auto& [token, p] : trial.expected) {
            if (p < 1e-28) continue;  // may count as zero
            ASSERT_TRUE(found.contains(token)) << "token " << token << " of p " << p;
            EXPECT_NEAR(found[token], p, 2e-5 * p + 1e-9);
        }
        for (const auto& [token, p] : found)
            EXPECT_TRUE(trial.expected.contains(token)) << "token " << token << " of p " << p;
    }
    EXPECT_GT(compared, compared_min);
}

}  // namespace

TEST(Oracle, small_vocabularies_agree) { compare(1, 3000, 40, false, 2000); }
TEST(Oracle, equal_logits_are_ranked_by_id) { compare(2, 3000, 40, true, 1000); }
TEST(Oracle, large_vocabularies_agree) { compare(3, 200, 20000, false, 100); }
TEST(Oracle, large_vocabularies_with_equal_logits_agree) {
    compare(4, 200, 20000, true, 50);
}

}  // namespace ingle::sampling
