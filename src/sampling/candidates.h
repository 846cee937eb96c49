// The tokens that may still be drawn: ids, logits and probabilities as three parallel arrays in
// ascending id order. At first it only looks at the model's logits (id = index); the first edit or
// cut copies what it needs. Every cut is a selection, never a sort of the vocabulary, and keeps the
// id order, so that a draw depends on no library's ordering of equal elements. Equal logits are
// ranked by id, the lower first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"

namespace ingle {

using Token = int32_t;

}  // namespace ingle

namespace ingle::sampling {

inline constexpr float impossible = -std::numeric_limits<float>::infinity();

class Candidates {
  public:
    // The whole vocabulary. `logits` must stay alive until the next assign. Contains no NaN after
    // `settle`.
    void assign(std::span<const float> logits);

    // Entries, among them impossible ones (logit -inf, probability 0) as long as nothing cut them.
    size_t size() const { return view_.size(); }
    size_t possible() const;
    Token id(size_t index) const { return whole_ ? Token(index) : ids_[index]; }
    std::span<const float> logits() const { return view_; }
    // The greatest logit; -inf if there is no entry.
    float logit_max() const;
    // The entry of a token, if it still has one.
    std::optional<size_t> find(Token token) const;

    // Logits for changing in place; probabilities are computed anew afterwards.
    std::span<float> edit_logits();

    // softmax of the logits; all 0 if every logit is -inf. Computed when first asked for after a
    // change.
    std::span<const float> probabilities();
    // log(sum of exp(logit)): log p = logit - log_total.
    double log_total();
    // Their sum: 1 but for rounding, or 0.
    double probability_sum();
    // -sum p log p, in nats.
    double entropy();

    // Cuts. Each removes impossible entries, too.
    // The `count` greatest logits.
    void keep_top(size_t count);
    // Logits of at least `logit_min`, but no fewer than the `keep_min` greatest.
    void keep_from(float logit_min, size_t keep_min);
    // The entries of lowest score, in order of score, until their probabilities reach `mass` of 1
    // (at least one entry, at least `keep_min`). One score an entry, none below 0.
    void keep_lowest(std::span<const float> scores, double mass, size_t keep_min);
    // Those for which keep(index) holds.
    template <class Keep>
    void keep_if(Keep keep) {
        select([&](size_t i) { return view_[i] > impossible && keep(i); });
        take_selection();
    }

    // Scratch of at least size() floats for scores; valid until the next cut or assign.
    std::span<float> scores();

  private:
    // The entries to keep, ascending. Every entry is written and the end moved or not: no branch to
    // mispredict.
    template <class Keep>
    void select(Keep keep) {
        if (selected_.size() < size()) selected_.resize(size());
        selected_count_ = 0;
        for (size_t i = 0; i < size(); ++i) {
            selected_[selected_count_] = uint32_t(i);
            selected_count_ += size_t(bool(keep(i)));
        }
    }
    std::span<uint32_t> selection() { return std::span(selected_).first(selected_count_); }
    // Cuts the selection to its `count` greatest logits, at equal logits the first.
    void shrink_selection(size_t count);
    // Makes the selection the candidates.
    void take_selection();
    void compute_probabilities();
    template <class Entries, class BinRule>
    void select_bin(std::span<const float> scores, const Entries& entries, BinRule rule,
                    double mass, double& reached);

    std::span<const float> view_;  // the logits: the caller's array, or logits_
    bool whole_ = true;            // entry i is token i
    bool probabilities_valid_ = false;
    double log_total_ = 0;
    std::vector<Token> ids_;
    std::vector<float> logits_;
    std::vector<float> probabilities_;
    std::vector<float> scores_;
    std::vector<uint32_t> selected_;  // the first selected_count_ count
    size_t selected_count_ = 0;
    std::vector<int32_t> keys_;
};

}  // namespace ingle::sampling
