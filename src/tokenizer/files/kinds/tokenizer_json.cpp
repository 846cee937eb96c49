// tokenizer.json as a kind of file; reading it is tokenizer/files/tokenizer_json.cpp.
#include "tokenizer/files/tokenizer_json.h"

#include "tokenizer/files/kind.h"

namespace ingle::files {
namespace {

// An object with a member "model" that is an object: a list of tokens may hold the word, but gives
// it a number.
bool has_model(std::string_view bytes) {
    constexpr std::string_view blanks = " \t\r\n", key = "\"model\"";
    const size_t first = bytes.find_first_not_of(blanks);
    if (first == bytes.npos || bytes[first] != '{') return false;
    for (size_t at = bytes.find(key); at != bytes.npos; at = bytes.find(key, at + 1)) {
        const size_t colon = bytes.find_first_not_of(blanks, at + key.size());
        if (colon == bytes.npos || bytes[colon] != ':') continue;
        const size_t value = bytes.find_first_not_of(blanks, colon + 1);
        if (value != bytes.npos && bytes[value] == '{') return true;
    }
    return false;
}

}  // namespace

namespace entries {

extern const Kind tokenizer_json;
const Kind tokenizer_json{
    .what = "a tokenizer.json",
    .precedence = 1,
    .names = "tokenizer.json",
    .recognises = has_model,
    .read = [](std::string_view bytes, const std::filesystem::path&) {
        return vocabulary_from_tokenizer_json(bytes);
    },
};

}  // namespace entries
}  // namespace ingle::files
