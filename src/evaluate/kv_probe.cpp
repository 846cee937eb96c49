#include "evaluate/kv_probe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "evaluate/softmax.h"

namespace ingle::evaluate {

namespace {

constexpr double worse_at_most = 1.2;  // than q8_0
// Mean divergence of q8_0 above which a model is taken to suffer from it: most have less than a tenth of that.
constexpr double far = 0.01;
constexpr int64_t page_tokens = 32;
// The first page and a query's own are seen in f16 whatever the type: measuring begins where others are seen.
constexpr int64_t first_measured = 2 * page_tokens;
constexpr int64_t tokens_most = 384;

// Prose, dialogue, figures and code; it comes twice, so that the second time the model can look up what it read.
constexpr std::string_view sample =
    "The harbour lay quiet under a thin fog when the pilot boat came back. Three of the crew had gone "
    "ashore at dawn to buy bread, rope and 40 litres of paraffin; the fourth, a boy of sixteen, stayed "
    "behind to mend the net. \"You will not find the light on a day like this,\" said the old keeper, "
    "\"but you will hear the bell: two strokes, a pause, then one.\" In 1887 the tower was raised by "
    "12.5 metres, and since then no ship of more than 300 tonnes has been lost on the northern reef.\n"
    "def mean(values):\n    total = 0.0\n    for value in values:\n        total += value\n"
    "    return total / len(values) if values else None\n"
    "Name: Keller, Anna. Berth: 7. Departure: 18:45. She asked twice whether the mail for Bergen was on "
    "board, wrote the answer down, and walked along the quay to the red house at the end.\n";

std::vector<Token> sample_tokens(const Model& model) {
    std::vector<Token> tokens;
    if (model.tokenizer() != nullptr) tokens = model.tokenizer()->encode(sample);
    const int64_t context = model.context_trained() > 0 ? model.context_trained() : tokens_most;
    const auto most = size_t(std::min(tokens_most, context));
    // A vocabulary that spells out letters has read enough before the end.
    if (tokens.size() > most / 2) tokens.resize(most / 2);
    const std::vector<Token> once = tokens;
    while (!once.empty() && tokens.size() < most)
        tokens.insert(tokens.end(), once.begin(),
                      once.begin() + std::ptrdiff_t(std::min(once.size(), most - tokens.size())));
    return tokens;
}

double divergence(std::span<const float> base, std::span<const float> logits) {
    const LogSoftmax p = log_softmax(base), q = log_softmax(logits);
    double sum = 0;
    for (size_t i = 0; i < base.size(); ++i) {
        const double log_p = p.of(base[i]);
        sum += std::exp(log_p) * (log_p - q.of(logits[i]));
    }
    return sum;
}

// Sessions that read the same text in step: the first is what the others are compared with.
class Readers {
  public:
    Status open(const std::shared_ptr<const Model>& model, std::optional<KvType> keys,
                std::optional<KvType> values, std::span<const KvType> types, int64_t tokens) {
        for (const KvType type : types) {
            SessionOptions options{.context_tokens = tokens, .chunk_tokens = page_tokens};
            options.outputs_max = page_tokens;
            options.key_type = keys.value_or(type);
            options.value_type = values.value_or(type);
            INGLE_ASSIGN(auto session, Session::open(model, options));
            sessions_.push_back(std::move(session));
        }
        sums_.assign(types.size(), 0);
        return {};
    }

    Status read(std::span<const Token> tokens, bool measure) {
        const auto vocab = size_t(sessions_.front()->model().vocab());
        for (size_t s = 0; s < sessions_.size(); ++s) {
            if (!measure) {
                INGLE_TRY(sessions_[s]->feed(tokens));
                continue;
            }
            const auto take = [&](int64_t index, std::span<const float> logits) -> Status {
                if (s == 0) base_.insert(base_.end(), logits.begin(), logits.end());
                for (size_t at = 0; s > 0 && at < logits.size(); at += vocab)
                    sums_[s] += divergence(std::span(base_).subspan(size_t(index) * vocab + at, vocab),
                                           logits.subspan(at, vocab));
                return {};
            };
            if (s == 0) base_.clear();
            INGLE_TRY(sessions_[s]->evaluate_from(tokens, 0, take));
        }
        return {};
    }

    double sum(size_t session) const { return sums_[session]; }

  private:
    std::vector<std::unique_ptr<Session>> sessions_;
    std::vector<double> sums_;  // of divergence
    std::vector<float> base_;   // the first one's logits of a page
};

}  // namespace

KvType choose_kv_type(double eight_bits, double four_bits) {
    // Whatever is not a number compares as too far.
    if (four_bits <= worse_at_most * eight_bits && four_bits <= far) return KvType::q4_0;
    return eight_bits <= far ? KvType::q8_0 : KvType::f16;
}

Result<KvProbe> probe_kv_types(const std::shared_ptr<const Model>& model, std::optional<KvType> keys,
                               std::optional<KvType> values) {
    constexpr KvType types[] = {KvType::f16, KvType::q8_0, KvType::q4_0};
    KvProbe probe;
    const std::vector<Token> tokens = sample_tokens(*model);
    const auto count = int64_t(tokens.size()) / page_tokens * page_tokens;
    KvType chosen = KvType::f16;
    if (count > first_measured) {
        Readers readers;
        INGLE_TRY(readers.open(model, keys, values, types, count));
        for (int64_t at = 0; at < count; at += page_tokens)
            INGLE_TRY(readers.read(std::span(tokens).subspan(size_t(at), size_t(page_tokens)),
                                   at >= first_measured));
        probe.tokens = count - first_measured;
        probe.eight_bits = readers.sum(1) / double(probe.tokens);
        probe.four_bits = readers.sum(2) / double(probe.tokens);
        chosen = choose_kv_type(probe.eight_bits, probe.four_bits);
    }
    probe.keys = keys.value_or(chosen);
    probe.values = values.value_or(chosen);
    return probe;
}

std::string KvProbe::text() const {
    const std::string chosen = cat("keys in ", info(keys).name, ", values in ", info(values).name);
    if (tokens == 0) return cat(chosen, ": this model's context is too short to measure others");
    char numbers[160];
    std::snprintf(numbers, sizeof(numbers),
                  ": over %lld tokens q8_0 is %.2g nats away from f16 on average, q4_0 %.2g",
                  static_cast<long long>(tokens), eight_bits, four_bits);
    return cat(chosen, numbers, " (4 bits are taken if they are at most ", "1.2 times as far, f16 if ",
               "even q8_0 is more than 0.01 away)");
}

}  // namespace ingle::evaluate
