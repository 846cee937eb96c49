// RWKV World's list: lines of "id literal bytes". The literal is Python's: 'x', "it's", b'\xff',
// with escapes.
#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/vocabulary_files.h"

namespace ingle {
namespace {

using namespace files;

int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The number in the first `digits` characters, or -1.
int64_t hex_number(std::string_view text, size_t digits) {
    if (text.size() < digits) return -1;
    int64_t number = 0;
    for (const char c : text.substr(0, digits)) {
        if (hex_digit(c) < 0) return -1;
        number = number * 16 + hex_digit(c);
    }
    return number;
}

// What follows a backslash; returns the characters it takes, or 0 if Python would not write it so.
size_t append_escape(std::string_view rest, bool is_bytes, std::string& out) {
    constexpr std::string_view letters = "tnrabfv0\\'\"", meanings("\t\n\r\a\b\f\v\0\\'\"", 11);
    if (rest.empty()) return 0;
    const size_t digits = rest[0] == 'x'   ? 2
                          : is_bytes       ? 0
                          : rest[0] == 'u' ? 4
                          : rest[0] == 'U' ? 8
                                           : 0;
    if (digits != 0) {
        const int64_t number = hex_number(rest.substr(1), digits);
        if (number < 0 || number > 0x10ffff) return 0;
        if (is_bytes)
            out += char(number);
        else
            utf8::append(out, char32_t(number));
        return digits + 1;
    }
    const size_t letter = letters.find(rest[0]);
    if (letter == letters.npos) return 0;
    out += meanings[letter];
    return 1;
}

// The bytes of a literal that fills `text`.
bool read_literal(std::string_view text, std::string& out) {
    const bool is_bytes = text.starts_with('b');
    if (is_bytes) text.remove_prefix(1);
    if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0])
        return false;
    const char quote = text[0];
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        if (text[0] == quote) return false;
        if (text[0] != '\\') {
            out += text[0];
            text.remove_prefix(1);
            continue;
        }
        const size_t taken = append_escape(text.substr(1), is_bytes, out);
        if (taken == 0) return false;
        text.remove_prefix(1 + taken);
    }
    return true;
}

// The spelling of GGUF: printable ASCII as it is, the rest as \t \n \r \\ or \xHH.
std::string spelled(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef", plain = "\t\n\r\\", letters = "tnr\\";
    std::string out;
    for (const char c : bytes) {
        const size_t letter = plain.find(c);
        if (letter != plain.npos)
            out += {'\\', letters[letter]};
        else if (c >= 0x20 && c < 0x7f)
            out += c;
        else
            out += {'\\', 'x', digits[uint8_t(c) >> 4], digits[uint8_t(c) & 15]};
    }
    return out;
}

Status read_line(std::string_view line, size_t number, Vocabulary& vocabulary) {
    const size_t first = line.find(' '), last = line.rfind(' ');
    std::string bytes;
    const bool well_formed =
        first != line.npos && last > first && parse_int(line.substr(0, first)) &&
        read_literal(line.substr(first + 1, last - first - 1), bytes) && !bytes.empty();
    if (!well_formed)
        return fail(Code::corrupt, "RWKV vocabulary: expected \"id literal bytes\" in line ",
                    number, ", found ", quoted(line));
    if (parse_int(line.substr(last + 1)) != int64_t(bytes.size()))
        return fail(Code::corrupt, "RWKV vocabulary: line ", number, ": expected ",
                    line.substr(last + 1), " bytes, found ", bytes.size());
    return place_new(vocabulary, *parse_int(line.substr(0, first)), spelled(bytes),
                     TokenType::normal);
}

}  // namespace

Result<Vocabulary> vocabulary_from_rwkv(std::string_view text) {
    Vocabulary vocabulary;
    vocabulary.model = "rwkv";
    INGLE_TRY(place(vocabulary, 0, "<s>", TokenType::control));
    vocabulary.special.bos = vocabulary.special.eos = 0;
    size_t number = 0;
    for (std::string_view line : split(text, '\n')) {
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) INGLE_TRY(read_line(line, number, vocabulary));
    }
    fill_holes(vocabulary);
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

namespace files::entries {

extern const Kind rwkv_list;
const Kind rwkv_list{
    .what = "an RWKV vocabulary",
    .precedence = 6,
    .names = "rwkv_vocab*.txt",
    .recognises =
        [](std::string_view bytes) {
            Vocabulary vocabulary;
            return read_line(bytes.substr(0, bytes.find('\n')), 1, vocabulary).ok();
        },
    .read = [](std::string_view bytes,
               const std::filesystem::path&) { return vocabulary_from_rwkv(bytes); },
};

}  // namespace files::entries
}  // namespace ingle
