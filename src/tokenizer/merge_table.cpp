#include "tokenizer/merge_table.h"

#include <bit>

namespace ingle::tokenizer {

Result<MergeTable> MergeTable::make(const std::vector<std::string>& merges, const TokenMap& tokens,
                                    Token tokens_count) {
    MergeTable table;
    table.next_id_ = tokens_count;
    const size_t capacity = std::bit_ceil(std::max<size_t>(merges.size() * 2, 16));
    table.slots_.resize(capacity);
    table.shift_ = 64 - std::countr_zero(capacity);
    std::string merged;
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        const std::string_view line = merges[rank];
        const size_t space = line.find(' ', 1);
        if (space == line.npos || space + 1 == line.size())
            return fail(Code::corrupt, "merge ", rank,
                        ": expected two parts with a space between, found ", quoted(line));
        const std::string_view left = line.substr(0, space), right = line.substr(space + 1);
        merged.assign(left).append(right);
        const Token left_id = table.intern(left, tokens), right_id = table.intern(right, tokens);
        table.insert(key_of(left_id, right_id), {uint32_t(rank), table.intern(merged, tokens)});
    }
    return table;
}

Token MergeTable::id_of(std::string_view text, const TokenMap& tokens) const {
    const Token token = tokens.find(text);
    if (token != no_token) return token;
    const auto found = beyond_.find(text);
    return found != beyond_.end() ? found->second : no_token;
}

Token MergeTable::intern(std::string_view text, const TokenMap& tokens) {
    Token id = id_of(text, tokens);
    if (id == no_token) beyond_.emplace(text, id = next_id_++);
    return id;
}

// Of equal pairs the first, better one stays.
void MergeTable::insert(uint64_t key, Merge merge) {
    size_t slot = slot_of(key);
    for (; slots_[slot].merge.key != no_merge; slot = (slot + 1) & (slots_.size() - 1))
        if (slots_[slot].key == key) return;
    slots_[slot] = {key, merge};
}

}  // namespace ingle::tokenizer
