// PLaMo 2: the segmentation with the highest sum of integer scores, found from the end of the text:
//   best(i) = max over tokens t that text[i..] begins with of  round(10^4 score(t)) + best(i + |t|)
// A character without a token costs 10^7 and is written in bytes; among equals the longest token
// wins.
#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/byte_trie.h"
#include "tokenizer/space_escape.h"

namespace ingle::tokenizer {
namespace {

constexpr int64_t unknown_score = -10'000'000;

class Plamo2 : public Encoder {
  public:
    explicit Plamo2(const Vocabulary& vocabulary) : bytes_(vocabulary) {
        std::vector<ByteTrie::Entry> entries;
        for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
            const double score = vocabulary.scores.empty() ? 0.0 : double(vocabulary.scores[i]);
            scores_.push_back(int64_t(std::nearbyint(std::clamp(score * 1e4, -1e9, 1e9))));
            if (type_of(vocabulary, Token(i)) == TokenType::normal)
                entries.emplace_back(vocabulary.tokens[i], Token(i));
        }
        trie_ = ByteTrie(std::move(entries));
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        const std::vector<Step> best = best_steps(text);
        for (size_t at = 0; at < text.size(); at += best[at].length) {
            if (best[at].token != no_token)
                out.push_back(best[at].token);
            else
                bytes_.append(text.substr(at, best[at].length), out);
        }
    }

    void append_piece(std::string_view token_text, TokenType type,
                      std::string& out) const override {
        if (const int byte = type == TokenType::byte ? byte_of(token_text) : -1; byte >= 0)
            out += char(byte);
        else
            out += token_text;
    }

  private:
    struct Step {
        int64_t score = 0;  // of the whole rest of the text
        Token token = no_token;
        uint32_t length = 0;
    };

    // The best first step from every character.
    std::vector<Step> best_steps(std::string_view text) const {
        std::vector<Step> best(text.size() + 1);
        std::vector<uint32_t> starts;
        for (size_t at = 0; at < text.size(); at += size_t(utf8::decode(text.substr(at)).length))
            starts.push_back(uint32_t(at));
        for (size_t i = starts.size(); i-- > 0;) {
            const size_t at = starts[i];
            const size_t next = i + 1 < starts.size() ? starts[i + 1] : text.size();
            Step& step = best[at];
            step = {unknown_score + best[next].score, no_token, uint32_t(next - at)};
            trie_.prefixes(text.substr(at), [&](Token token, size_t length) {
                if (best[at + length].length == 0 && at + length != text.size())
                    return;  // inside a character
                const int64_t score = scores_[size_t(token)] + best[at + length].score;
                if (score >= step.score) step = {score, token, uint32_t(length)};
            });
        }
        return best;
    }

    ByteTrie trie_;
    ByteFallback bytes_;
    std::vector<int64_t> scores_;
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    return std::unique_ptr<const Encoder>(std::make_unique<Plamo2>(vocabulary));
}

}  // namespace

namespace entries {

extern const Algorithm plamo2;
const Algorithm plamo2{.names = "plamo2", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
