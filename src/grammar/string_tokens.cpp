#include "grammar/string_tokens.h"

#include <algorithm>

#include "grammar/automaton.h"
#include "grammar/token_trie.h"

namespace ingle::grammar {

// Walks the vocabulary with a string of at most `room` characters, more than any token has; what is
// left of the room tells how many a token took.
StringTokens StringTokens::make(const TokenTrie& trie) {
    Expressions expressions;
    Automaton automaton(expressions);
    const uint32_t room = trie.depth_max() + 1;
    const Expr any = characters(expressions, {{0, 0x10ffff}});
    const Expr text = expressions.json_text(expressions.repeat(any, 0, room));
    struct Step {
        StateId state;
        uint32_t used;
    };
    std::vector<Step> path(trie.depth_max() + 1);
    path[0] = {automaton.start(expressions.step(text, '"')), 0};
    StringTokens out;
    out.bits.resize(trie.words());
    out.fitting.resize(trie.tokens().size());
    const auto nodes = trie.nodes();
    for (size_t i = 0; i < nodes.size();) {
        const TokenTrie::Node& node = nodes[i];
        const Step& before = path[node.depth - 1];
        const StateId state = automaton.step(before.state, node.byte);
        if (state == Automaton::dead) {
            i = node.end;
            continue;
        }
        const bool closes = automaton.stacks(state).empty();
        const uint32_t used =
            closes ? before.used
                   : room - expressions.room_in_text(automaton.stack(automaton.stacks(state)[0]).top);
        path[node.depth] = {state, used};
        for (uint32_t k = node.token_from; k < node.token_to; ++k) {
            const uint32_t token = trie.tokens()[k];
            out.bits[token / 64] |= uint64_t(1) << (token % 64);
            out.fitting[k] = 1;
            out.uses.push_back({token, used, closes});
            if (closes) out.closing.push_back({token, used, closes});
        }
        if (closes && node.end > i + 1) out.ends.push_back({uint32_t(i), used});
        ++i;
    }
    std::stable_sort(out.uses.begin(), out.uses.end(),
                     [](const Use& a, const Use& b) { return a.characters > b.characters; });
    return out;
}

}  // namespace ingle::grammar
