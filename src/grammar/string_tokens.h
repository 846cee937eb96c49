// What the tokens of a vocabulary do inside a JSON string of any characters: how many characters each
// takes, and whether it closes the string. Made once a vocabulary, it gives the mask of every string
// without a pattern, whatever its lengths, without a walk.
#pragma once

#include <cstdint>
#include <vector>

namespace ingle::grammar {

class TokenTrie;

struct StringTokens {
    struct Use {
        uint32_t token;
        uint32_t characters;  // taken, the last perhaps in part
        bool closes;          // it ends with the quote
    };
    struct End {
        uint32_t node;        // of the trie: the quote, with more to come
        uint32_t characters;  // before it
    };

    std::vector<uint64_t> bits;    // tokens that can stand in a string
    std::vector<uint8_t> fitting;  // the same in the order of TokenTrie::tokens()
    std::vector<Use> uses;       // of all of them, most characters first
    std::vector<Use> closing;    // of those that close it
    std::vector<End> ends;

    static StringTokens make(const TokenTrie& trie);
};

}  // namespace ingle::grammar
