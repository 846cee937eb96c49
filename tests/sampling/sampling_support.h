// Helpers of the sampling tests: options from text, chains over small vocabularies, the
// distribution of a chain.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sampling/chain.h"
#include "sampling/options.h"
#include "support/fixtures.h"

namespace ingle::sampling::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline OptionValues options_of(const Settings& settings) {
    OptionValues values(sampling_options());
    for (const auto& [name, text] : settings) {
        const Status status = values.set_text(name, text);
        EXPECT_TRUE(status.ok()) << status.message();
    }
    return values;
}

// One sampler at a time: `order` is the whole order, everything else at its default.
inline Settings only(const std::string& order, Settings settings) {
    settings.emplace_back("samplers", order);
    settings.emplace_back("seed", "1");
    return settings;
}

inline VocabularyInfo vocabulary_of(size_t size) {
    VocabularyInfo vocabulary;
    vocabulary.size = int32_t(size);
    return vocabulary;
}

inline VocabularyInfo vocabulary_of(std::vector<std::string> texts, std::vector<Token> ends = {}) {
    VocabularyInfo vocabulary;
    vocabulary.size = int32_t(texts.size());
    vocabulary.end_tokens = std::move(ends);
    vocabulary.append_text = [texts = std::move(texts)](Token token, std::string& out) {
        out += texts[size_t(token)];
    };
    return vocabulary;
}

inline Chain chain_of(const Settings& settings, VocabularyInfo vocabulary,
                      int64_t context_tokens = 0) {
    Result<Chain> chain = Chain::make(options_of(settings), std::move(vocabulary), context_tokens);
    EXPECT_TRUE(chain.ok()) << chain.status().message();
    return std::move(chain).value();
}

// The distribution from which the next token is drawn: probability by token, only those above 0.
inline std::map<Token, double> distribution(Chain& chain, const std::vector<float>& logits) {
    const Result<Token> token = chain.sample(logits);
    EXPECT_TRUE(token.ok()) << token.status().message();
    std::map<Token, double> result;
    Candidates& last = chain.last();
    for (size_t i = 0; i < last.size(); ++i)
        if (last.probabilities()[i] > 0) result[last.id(i)] = double(last.probabilities()[i]);
    return result;
}

inline std::map<Token, double> distribution(const Settings& settings,
                                            const std::vector<float>& logits) {
    Chain chain = chain_of(settings, vocabulary_of(logits.size()));
    return distribution(chain, logits);
}

inline void expect_near(const std::map<Token, double>& found,
                        const std::map<Token, double>& expected, double tolerance = 1e-5) {
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [token, probability] : expected) {
        ASSERT_TRUE(found.contains(token)) << "token " << token;
        EXPECT_NEAR(found.at(token), probability, tolerance) << "token " << token;
    }
}

}  // namespace ingle::sampling::test
