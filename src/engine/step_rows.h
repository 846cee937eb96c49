// The rows of one step: which tokens of which slots, in memory planned once.
#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "engine/lane.h"

namespace ingle {

class StepRows {
  public:
    enum class Outputs { none, last, all };

    struct Member {
        Slot* slot = nullptr;
        SequenceRows rows;
    };

    StepRows(int64_t rows_max, int64_t members_max);

    void clear();
    int64_t size() const { return int64_t(tokens_.size()); }
    int64_t room() const { return rows_max_ - size(); }
    // The last `count` tokens of what the slot's sequence has room for; the sequence has grown by them already.
    void add(Slot& slot, int64_t count, Outputs outputs);

    std::span<const Member> members() const { return members_; }
    // All of them, or a member alone. Valid until the next add() or clear().
    backend::Call call() const;
    backend::Call call_of(size_t member, SequenceRows& rows);

  private:
    int64_t rows_max_;
    std::vector<Token> tokens_;
    std::vector<int32_t> positions_;
    std::vector<int32_t> outputs_;
    std::vector<int32_t> alone_outputs_;  // of one member, counted from its first row
    std::vector<SequenceRows> sequences_;
    std::vector<Member> members_;
};

}  // namespace ingle
