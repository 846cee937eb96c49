#include "chat/jinja/lexer.h"

#include "base/utf8.h"
#include "chat/jinja/string_literal.h"
#include "chat/jinja/unicode.h"

namespace ingle::jinja {

namespace {

// Line ends become \n and one at the very end goes, as the reference does before lexing.
std::string normalized(std::string_view source) {
    std::string text = utf8::replace_invalid(source);
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r') {
            out += text[i];
            continue;
        }
        out += '\n';
        if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    }
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
  public:
    explicit Lexer(std::string_view source) : text_(normalized(source)) {}
    Result<std::vector<Token>> run();

  private:
    Status root();
    Status comment(size_t begin);
    Status raw(size_t begin, size_t body);
    Status code(bool variable);
    Status sign(std::string& open);
    Status string();
    bool number();
    void name();

    // The text from the cursor to `begin`, where a tag starts whose third character is `mark`.
    void data_before(size_t begin, char mark, bool may_strip_line);
    // After a tag: the mark -, + or none in front of its end decides what white space goes.
    void after_end(char mark, size_t end, bool trims_newline);
    size_t skip_space(size_t at) const;
    char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    bool has(size_t i, std::string_view what) const {
        return text_.compare(i, what.size(), what) == 0;
    }
    // The cursor moves to `to`; its line and column follow.
    void advance(size_t to);
    void push(Token::Kind kind, std::string text) {
        tokens_.push_back({kind, std::move(text), place_});
    }
    size_t raw_tag_end(size_t begin) const;

    std::string text_;
    std::vector<Token> tokens_;
    size_t cursor_ = 0;
    Position place_;
    // Whether the last thing consumed ended a line: only then a tag's indentation may go.
    bool line_starting_ = true;
};

void Lexer::advance(size_t to) {
    for (; cursor_ < to; ++cursor_) {
        if (text_[cursor_] == '\n') {
            ++place_.line;
            place_.column = 1;
        } else if ((static_cast<unsigned char>(text_[cursor_]) & 0xc0) != 0x80) {
            ++place_.column;
        }
    }
}

size_t Lexer::skip_space(size_t at) const {
    while (at < text_.size()) {
        const auto decoded = utf8::decode(std::string_view(text_).substr(at));
        if (!is_space(decoded.point)) break;
        at += size_t(decoded.length);
    }
    return at;
}

void Lexer::data_before(size_t begin, char mark, bool may_strip_line) {
    const std::string_view data = std::string_view(text_).substr(cursor_, begin - cursor_);
    size_t kept = data.size();
    const auto blank_from = [&](size_t from) { return skip_space(cursor_ + from) >= begin; };
    if (mark == '-') {
        while (kept > 0) {
            size_t last = kept - 1;
            while (last > 0 && (static_cast<unsigned char>(data[last]) & 0xc0) == 0x80) --last;
            if (!is_space(utf8::decode(data.substr(last)).point)) break;
            kept = last;
        }
    } else if (mark != '+' && may_strip_line) {
        const size_t newline = data.rfind('\n');
        const size_t line = newline == std::string_view::npos ? 0 : newline + 1;
        if ((line > 0 || line_starting_) && line < data.size() && blank_from(line)) kept = line;
    }
    if (kept > 0) push(Token::Kind::data, std::string(data.substr(0, kept)));
    advance(begin);
}

void Lexer::after_end(char mark, size_t end, bool trims_newline) {
    size_t next = end;
    if (mark == '-') {
        next = skip_space(end);
    } else if (mark != '+' && trims_newline && at(end) == '\n') {
        next = end + 1;
    }
    line_starting_ = text_[next - 1] == '\n';
    advance(next);
}

// After "{%": where "raw %}" or "raw -%}" ends, or npos if that is no raw tag.
size_t Lexer::raw_tag_end(size_t begin) const {
    size_t i = begin + 2;
    if (at(i) == '-' || at(i) == '+') ++i;
    i = skip_space(i);
    if (!has(i, "raw")) return std::string::npos;
    i = skip_space(i + 3);
    if (has(i, "%}")) return i + 2;
    if (has(i, "-%}")) return skip_space(i + 3);
    return std::string::npos;
}

Status Lexer::root() {
    size_t begin = cursor_;
    for (;; ++begin) {
        begin = text_.find('{', begin);
        if (begin == std::string::npos) break;
        const char kind = at(begin + 1);
        if (kind == '{' || kind == '%' || kind == '#') break;
    }
    if (begin == std::string::npos) {
        if (cursor_ < text_.size()) push(Token::Kind::data, text_.substr(cursor_));
        advance(text_.size());
        return Status();
    }
    const char kind = at(begin + 1), mark = at(begin + 2);
    const bool marked = mark == '-' || mark == '+';
    data_before(begin, marked ? mark : ' ', kind != '{');
    if (kind == '#') return comment(begin);
    if (kind == '%') {
        const size_t body = raw_tag_end(begin);
        if (body != std::string::npos) return raw(begin, body);
    }
    push(kind == '{' ? Token::Kind::variable_begin : Token::Kind::block_begin, "");
    advance(begin + (marked ? 3 : 2));
    return code(kind == '{');
}

Status Lexer::comment(size_t begin) {
    const size_t inside = begin + (at(begin + 2) == '-' || at(begin + 2) == '+' ? 3 : 2);
    const size_t end = text_.find("#}", inside);
    if (end == std::string::npos) return syntax_error(place_, "Missing end of comment tag");
    after_end(end > inside ? text_[end - 1] : ' ', end + 2, true);
    return Status();
}

Status Lexer::raw(size_t, size_t body) {
    const Position opened = place_;
    line_starting_ = text_[body - 1] == '\n';
    advance(body);
    for (size_t begin = text_.find("{%", body);; begin = text_.find("{%", begin + 1)) {
        if (begin == std::string::npos) return syntax_error(opened, "Missing end of raw directive");
        const bool marked = at(begin + 2) == '-' || at(begin + 2) == '+';
        size_t i = skip_space(begin + (marked ? 3 : 2));
        if (!has(i, "endraw")) continue;
        i = skip_space(i + 6);
        const char mark = has(i, "-%}") || has(i, "+%}") ? text_[i] : ' ';
        if (mark != ' ') ++i;
        if (!has(i, "%}")) continue;
        data_before(begin, marked ? text_[begin + 2] : ' ', true);
        after_end(mark, i + 2, true);
        return Status();
    }
}

Status Lexer::code(bool variable) {
    const std::string_view end = variable ? "}}" : "%}";
    std::string open;  // closing brackets still expected
    for (;;) {
        if (open.empty()) {
            const char mark = at(cursor_);
            const bool marked =
                (mark == '-' || (mark == '+' && !variable)) && has(cursor_ + 1, end);
            if (marked || has(cursor_, end)) {
                push(variable ? Token::Kind::variable_end : Token::Kind::block_end, "");
                after_end(marked ? mark : ' ', cursor_ + (marked ? 3 : 2), !variable);
                return Status();
            }
        }
        if (cursor_ >= text_.size())
            return syntax_error(place_, cat("unexpected end of template, expected '", end, "'"));
        const size_t next = skip_space(cursor_);
        if (next > cursor_) {
            advance(next);
            continue;
        }
        const char c = text_[cursor_];
        if (c == '\'' || c == '"') {
            INGLE_TRY(string());
        } else if (is_digit(c) && number()) {
        } else if (is_word(c)) {
            name();
        } else {
            INGLE_TRY(sign(open));
        }
    }
}

// Digits, perhaps grouped by single underscores; the end of them.
size_t digits_end(std::string_view text, size_t i, std::string_view digits) {
    for (;;) {
        if (i < text.size() && digits.find(text[i]) != std::string_view::npos) {
            ++i;
        } else if (i + 1 < text.size() && text[i] == '_' &&
                   digits.find(text[i + 1]) != std::string_view::npos) {
            i += 2;
        } else {
            return i;
        }
    }
}

bool Lexer::number() {
    static constexpr std::string_view decimal = "0123456789";
    const std::string_view text = text_;
    const size_t whole = digits_end(text, cursor_, decimal);
    size_t end = whole;
    if (at(end) == '.' && is_digit(at(end + 1))) end = digits_end(text, end + 1, decimal);
    if (at(end) == 'e' || at(end) == 'E') {
        const size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
        if (is_digit(at(end + 1 + sign))) end = digits_end(text, end + 1 + sign, decimal);
    }
    const bool after_dot = cursor_ > 0 && text_[cursor_ - 1] == '.';
    Token::Kind kind = end > whole && !after_dot ? Token::Kind::real : Token::Kind::integer;
    if (kind == Token::Kind::integer) {
        end = whole;
        const char base = char(at(cursor_ + 1) | 0x20);
        if (text_[cursor_] == '0' && (base == 'x' || base == 'o' || base == 'b')) {
            const std::string_view digits = base == 'x'   ? "0123456789abcdefABCDEF"
                                            : base == 'o' ? "01234567"
                                                          : "01";
            const size_t based = digits_end(text, cursor_ + 2, digits);
            if (based > cursor_ + 2) end = based;
        }
        // A leading zero stands alone: "007" is the numbers 00 and 7.
        if (text_[cursor_] == '0' && end == whole) end = digits_end(text, cursor_, "0");
    }
    std::string found;
    for (const char c : text.substr(cursor_, end - cursor_))
        if (c != '_') found += c;
    push(kind, std::move(found));
    advance(end);
    return true;
}

void Lexer::name() {
    size_t end = cursor_;
    while (is_word(at(end))) ++end;
    push(Token::Kind::name, text_.substr(cursor_, end - cursor_));
    advance(end);
}

Status Lexer::string() {
    const char quote = text_[cursor_];
    size_t end = cursor_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return syntax_error(place_, "this string does not end");
    auto value = resolve_escapes(std::string_view(text_).substr(cursor_ + 1, end - cursor_ - 1));
    if (!value.ok()) return syntax_error(place_, value.status().message());
    push(Token::Kind::string, std::move(*value));
    advance(end + 1);
    return Status();
}

Status Lexer::sign(std::string& open) {
    static constexpr std::string_view signs[] = {"**", "//", "==", "!=", ">=", "<=", "+", "-", "/",
                                                 "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                 ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
    for (const std::string_view sign : signs) {
        if (!has(cursor_, sign)) continue;
        const char c = sign[0];
        if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
        if (c == ')' || c == ']' || c == '}') {
            if (open.empty()) return syntax_error(place_, cat("unexpected '", sign, "'"));
            if (open.back() != c)
                return syntax_error(place_, cat("unexpected '", sign, "', expected '",
                                                std::string_view(&open.back(), 1), "'"));
            open.pop_back();
        }
        push(Token::Kind::sign, std::string(sign));
        advance(cursor_ + sign.size());
        return Status();
    }
    const auto decoded = utf8::decode(std::string_view(text_).substr(cursor_));
    return syntax_error(place_, cat("unexpected character ", quoted(std::string_view(text_).substr(
                                                                 cursor_, decoded.length))));
}

Result<std::vector<Token>> Lexer::run() {
    while (cursor_ < text_.size()) INGLE_TRY(root());
    push(Token::Kind::end, "");
    return std::move(tokens_);
}

}  // namespace

Status syntax_error(Position at, std::string_view message) {
    return fail(Code::corrupt, "line ", at.line, ", column ", at.column, ": ", message);
}

Result<std::vector<Token>> tokenize(std::string_view source) {
    return Lexer(source).run();
}

}  // namespace ingle::jinja
