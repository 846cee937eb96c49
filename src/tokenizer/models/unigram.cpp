// SentencePiece Unigram (T5, XLM-RoBERTa): the segmentation whose token scores sum highest
// (Viterbi); a character without a token costs the lowest score minus 10. Texts are normalized
// first: the charsmap, runs of spaces made one, a space put before.
#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/byte_trie.h"
#include "tokenizer/charsmap.h"
#include "tokenizer/space_escape.h"

namespace ingle::tokenizer {
namespace {

constexpr float unknown_penalty = 10;

class Unigram : public Encoder {
  public:
    Unigram(Vocabulary& vocabulary, Charsmap charsmap)
        : charsmap_(std::move(charsmap)),
          scores_(std::move(vocabulary.scores)),
          bytes_(vocabulary),
          add_space_prefix_(*vocabulary.add_space_prefix),
          remove_extra_spaces_(*vocabulary.remove_extra_whitespaces) {
        scores_.resize(vocabulary.tokens.size());
        std::vector<ByteTrie::Entry> entries;
        float lowest = std::numeric_limits<float>::max();
        for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
            if (type_of(vocabulary, Token(i)) != TokenType::normal) continue;
            entries.emplace_back(vocabulary.tokens[i], Token(i));
            lowest = std::min(lowest, scores_[i]);
        }
        unknown_score_ = (entries.empty() ? 0 : lowest) - unknown_penalty;
        trie_ = ByteTrie(std::move(entries));
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        const std::string normalized = normalize(text);
        const std::vector<Step> best = best_steps(normalized);
        std::vector<Step> path;
        for (size_t end = normalized.size(); end > 0; end -= best[end].length)
            path.push_back(best[end]);
        size_t at = 0;
        for (size_t i = path.size(); i-- > 0;) {
            const size_t begin = at;
            at += path[i].length;
            if (path[i].token != no_token) {
                out.push_back(path[i].token);
                continue;
            }
            // Neighbouring unknown characters are one unknown token.
            for (; i > 0 && path[i - 1].token == no_token; --i) at += path[i - 1].length;
            bytes_.append(std::string_view(normalized).substr(begin, at - begin), out);
        }
    }

    void append_piece(std::string_view token_text, TokenType type,
                      std::string& out) const override {
        append_escaped_piece(token_text, type, out);
    }

    bool strips_leading_space() const override { return add_space_prefix_; }

  private:
    // The last step of the best way to a place in the text.
    struct Step {
        float score = 0;
        Token token = no_token;
        uint32_t length = 0;  // 0: not reached
    };

    std::string normalize(std::string_view text) const {
        std::string out;
        bool drop_spaces = remove_extra_spaces_;
        while (!text.empty()) {
            const auto [replaced, length] = charsmap_.replace_prefix(text);
            text.remove_prefix(length);
            std::string_view rest = replaced;
            while (drop_spaces && rest.starts_with(' ')) rest.remove_prefix(1);
            if (rest.empty()) continue;
            if (out.empty() && add_space_prefix_) out = escaped_space;
            append_escaped(rest, out);
            drop_spaces = remove_extra_spaces_ && rest.ends_with(' ');
        }
        while (remove_extra_spaces_ && out.ends_with(escaped_space))
            out.resize(out.size() - escaped_space.size());
        return out;
    }

    std::vector<Step> best_steps(std::string_view text) const {
        std::vector<Step> best(text.size() + 1);
        for (size_t at = 0; at < text.size();) {
            const size_t character = size_t(utf8::decode(text.substr(at)).length);
            const float so_far = best[at].score;
            const auto offer = [&](Token token, size_t length, float score) {
                Step& step = best[at + length];
                if (step.length == 0 || so_far + score > step.score)
                    step = {so_far + score, token, uint32_t(length)};
            };
            bool character_known = false;
            trie_.prefixes(text.substr(at), [&](Token token, size_t length) {
                if (length < character) return;
                character_known |= length == character;
                offer(token, length, scores_[size_t(token)]);
            });
            if (!character_known) offer(no_token, character, unknown_score_);
            at += character;
        }
        return best;
    }

    Charsmap charsmap_;
    std::vector<float> scores_;
    ByteTrie trie_;
    ByteFallback bytes_;
    float unknown_score_ = 0;
    bool add_space_prefix_;
    bool remove_extra_spaces_;
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    if (!vocabulary.add_eos) vocabulary.add_eos = true;
    if (!vocabulary.add_space_prefix) vocabulary.add_space_prefix = true;
    if (!vocabulary.remove_extra_whitespaces) vocabulary.remove_extra_whitespaces = true;
    INGLE_ASSIGN(auto charsmap, Charsmap::make(vocabulary.precompiled_charsmap));
    return std::unique_ptr<const Encoder>(
        std::make_unique<Unigram>(vocabulary, std::move(charsmap)));
}

}  // namespace

namespace entries {

extern const Algorithm unigram;
const Algorithm unigram{.names = "t5", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
