#include "chat/reading/json_mender.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace ingle::chat {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Appends a character of a string as JSON writes it.
void append_escaped(std::string& out, char c) {
    static constexpr char digits[] = "0123456789abcdef";
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else if (uint8_t(c) < 0x20) ((out += "\\u00") += digits[uint8_t(c) >> 4]) += digits[c & 15];
    else out += c;
}

// -?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?
bool is_number(std::string_view text) {
    size_t at = 0;
    const auto digits = [&] {
        const size_t from = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return at - from;
    };
    if (text.starts_with('-')) ++at;
    const size_t first = at;
    const size_t whole = digits();
    if (whole == 0 || (whole > 1 && text[first] == '0')) return false;
    if (at < text.size() && text[at] == '.') {
        ++at;
        if (digits() == 0) return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        if (digits() == 0) return false;
    }
    return at == text.size();
}

// Readers of JSON refuse numbers that no double can hold.
std::string within_range(const std::string& number) {
    const double value = std::strtod(number.c_str(), nullptr);
    if (!std::isinf(value)) return number;
    return value < 0 ? "-1.7976931348623157e308" : "1.7976931348623157e308";
}

// A word outside of quotes as JSON. `cut`: the text ended in it.
std::string scalar_json(std::string word, bool cut) {
    if (word == "True") return "true";
    if (word == "False") return "false";
    if (word == "None" || word == "NaN" || word == "undefined") return "null";
    for (const std::string_view known : {"true", "false", "null"})
        if (word == known || (cut && known.starts_with(word))) return std::string(known);
    std::string number = word.starts_with('+') ? word.substr(1) : word;
    if (number.starts_with('.')) number.insert(number.begin(), '0');
    if (number.starts_with("-.")) number.insert(number.begin() + 1, '0');
    if (number.ends_with('.')) number += '0';
    while (cut && !number.empty() && !is_digit(number.back())) number.pop_back();
    if (is_number(number)) return within_range(number);
    return cut && number.empty() ? "null" : json_quoted(word);
}

}  // namespace

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) append_escaped(out, c);
    return out += '"';
}

size_t JsonMender::push(std::string_view text, std::string& out) {
    size_t taken = 0;
    while (taken < text.size() && state_ != State::done && filter(text[taken], out)) ++taken;
    flush_text(out);
    return taken;
}

bool JsonMender::outside() const {
    return state_ != State::text && state_ != State::escape && state_ != State::hex;
}

bool JsonMender::mark_may_follow(std::string_view heard) const {
    const bool raw_text = state_ == State::text && quote_ == 0;
    const bool string_mark = raw_text || state_ == State::value || state_ == State::key;
    return (outside() && end_mark_.starts_with(heard)) ||
           (string_mark && notation_.string_mark.starts_with(heard));
}

// Marks are recognised here; all other bytes go on one by one.
bool JsonMender::filter(char c, std::string& out) {
    held_ += c;
    while (!held_.empty()) {
        if (mark_may_follow(held_)) {
            if (outside() && held_ == end_mark_) {
                held_.clear();
                finish(out);
                met_end_mark_ = true;
            } else if (held_ == notation_.string_mark) {
                held_.clear();
                if (state_ == State::text) {
                    end_text();
                } else {
                    if (state_ == State::value) begin_value(out);
                    begin_text(0);
                }
            }
            return true;
        }
        const bool last = held_.size() == 1;
        if (!step(held_.front(), out)) {
            // Only a byte that came alone can be given back; those held before it are no JSON, so they are
            // dropped.
            held_.clear();
            return !last;
        }
        if (!held_.empty()) held_.erase(0, 1);
    }
    return true;
}

bool JsonMender::step(char c, std::string& out) {
    switch (state_) {
        case State::value:
            step_value(c, out);
            return true;
        case State::key:
            if (is_space(c)) pending_ += c;
            else if (c == '}' || c == ')' || c == ']') close(c, out);
            else step_key(c);
            return true;
        case State::colon:
            if (is_space(c)) {
                pending_ += c;
            } else if (c == ':' || c == '=') {
                pending_ += ':';
                state_ = State::value;
            } else if (c == ',') {
                drop_pending();
                state_ = State::key;
            } else if (c == '}' || c == ')') {
                close(c, out);
            }
            return true;
        case State::next: return step_next(c, out);
        case State::text: step_text(c); return true;
        case State::quote: return step_quote(c, out);
        case State::escape: step_escape(c); return true;
        case State::hex: step_hex(c, out); return true;
        case State::scalar: return step_scalar(c, out);
        case State::bare_key: step_bare_key(c, out); return true;
        case State::done: return false;
    }
    return true;
}

bool JsonMender::step_next(char c, std::string& out) {
    if (levels_.empty()) {
        state_ = State::done;
        return false;
    }
    const State following = levels_.back().is_object ? State::key : State::value;
    if (is_space(c)) {
        pending_ += c;
    } else if (c == '}' || c == ']' || c == ')') {
        close(c, out);
    } else if (c == ',') {
        pending_ += c;
        comma_ = true;
        state_ = following;
    } else if (c == '"' || !ends_word(c) || ((c == '{' || c == '[') && following == State::value)) {
        // A comma is missing.
        state_ = following;
        return step(c, out);
    }
    return true;
}

void JsonMender::step_value(char c, std::string& out) {
    if (is_space(c)) {
        if (!levels_.empty()) pending_ += c;
    } else if (c == '{' || c == '[' || c == '(') {
        open(c, out);
    } else if (c == '"' || c == '\'') {
        begin_value(out);
        begin_text(c);
    } else if (c == '}' || c == ']' || c == ')') {
        close(c, out);
    } else if (c == ',') {
        if (levels_.empty() || !levels_.back().is_object) return;
        drop_pending();
        state_ = State::key;
    } else if (!ends_word(c)) {
        begin_value(out);
        word_ = c;
        state_ = State::scalar;
    }
}

void JsonMender::step_key(char c) {
    if (c == '"' || c == '\'') {
        in_key_ = true;
        begin_text(c);
    } else if (c != ',' && c != ':' && c != '=' && c != '{' && c != '[' && c != '(') {
        word_ = c;
        state_ = State::bare_key;
    }
}

void JsonMender::step_bare_key(char c, std::string& out) {
    const bool ends = c == ':' || c == '=' || c == ',' || c == '}' || c == ')';
    if (!ends) {
        word_ += c;
        return;
    }
    while (!word_.empty() && is_space(word_.back())) word_.pop_back();
    if (word_.size() > 1 && word_.ends_with('"')) word_.pop_back();
    pending_ += json_quoted(word_);
    state_ = State::colon;
    step(c, out);
}

void JsonMender::begin_text(char quote) {
    if (state_ == State::key) in_key_ = true;
    quote_ = quote;
    text_target() += '"';
    state_ = State::text;
}

void JsonMender::end_text() {
    drop_half_surrogate();
    text_target() += '"';
    if (in_key_) {
        in_key_ = false;
        state_ = State::colon;
    } else {
        end_value();
    }
}

void JsonMender::flush_text(std::string& out) {
    out += text_out_;
    text_out_.clear();
}

void JsonMender::add(char c) { append_escaped(text_target(), c); }

void JsonMender::drop_half_surrogate() {
    if (half_.empty()) return;
    half_.clear();
    text_target() += "\\ufffd";
}

void JsonMender::step_text(char c) {
    if (quote_ != 0 && c == '\\') {
        state_ = State::escape;
        return;
    }
    drop_half_surrogate();
    if (quote_ != 0 && c == quote_) {
        word_.clear();
        state_ = State::quote;
        return;
    }
    add(c);
}

void JsonMender::step_escape(char c) {
    state_ = State::text;
    if (c == 'u' || (c == 'x' && notation_.keyword_arguments)) {
        word_ = c;
        hex_digits_ = c == 'u' ? 4 : 2;
        state_ = State::hex;
        return;
    }
    drop_half_surrogate();
    std::string& out = text_target();
    if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) (out += '\\') += c;
    else if (c == '\'' || c == '\n') add(c);
    else {
        out += "\\\\";
        add(c);
    }
}

void JsonMender::step_hex(char c, std::string& out) {
    if (!is_hex(c)) {
        drop_half_surrogate();
        (text_target() += "\\\\") += word_;
        state_ = State::text;
        step(c, out);
        return;
    }
    word_ += c;
    if (word_.size() < 1 + hex_digits_) return;
    state_ = State::text;
    const unsigned value = unsigned(std::stoul(word_.substr(1), nullptr, 16));
    const std::string escape = "\\u" + std::string(4 - hex_digits_, '0') + word_.substr(1);
    const bool low = value >= 0xdc00 && value < 0xe000;
    if (low && !half_.empty()) {
        text_target() += half_ + escape;
        half_.clear();
        return;
    }
    drop_half_surrogate();
    if (value >= 0xd800 && value < 0xdc00) half_ = escape;
    else text_target() += low ? "\\ufffd" : escape;
}

// A quote ends a string if what follows goes on with the structure; otherwise it belongs to the text.
bool JsonMender::step_quote(char c, std::string& out) {
    if (is_space(c)) {
        word_ += c;
        return true;
    }
    const bool goes_on = c == ',' || c == '}' || c == ']' || (c == ')' && notation_.keyword_arguments) ||
                         (c == ':' && levels_.empty());
    if (in_key_ || goes_on) {
        end_text();
        if (in_key_ || !levels_.empty()) pending_ += word_;
        flush_text(out);
        return state_ == State::done ? false : step(c, out);
    }
    add(quote_);
    for (const char space : word_) add(space);
    state_ = State::text;
    return step(c, out);
}

bool JsonMender::step_scalar(char c, std::string& out) {
    if (!ends_word(c)) {
        word_ += c;
        return true;
    }
    out += scalar_json(word_, false);
    end_value();
    return state_ == State::done ? false : step(c, out);
}

bool JsonMender::ends_word(char c) const {
    return is_space(c) || std::string_view(",:{}[]()\"").find(c) != std::string_view::npos ||
           (notation_.keyword_arguments && c == '=');
}

void JsonMender::begin_value(std::string& out) {
    flush_text(out);
    if (!levels_.empty()) {
        if (levels_.back().filled && !comma_) out += ',';
        levels_.back().filled = true;
    }
    out += pending_;
    drop_pending();
}

void JsonMender::drop_pending() {
    pending_.clear();
    comma_ = false;
}

void JsonMender::end_value() { state_ = levels_.empty() ? State::done : State::next; }

void JsonMender::open(char c, std::string& out) {
    if (levels_.size() >= depth_max) return;
    const bool is_object = c == '{' || (c == '(' && levels_.empty() && notation_.keyword_arguments);
    begin_value(out);
    out += is_object ? '{' : '[';
    levels_.push_back({c == '{' ? '}' : c == '[' ? ']' : ')', is_object});
    state_ = is_object ? State::key : State::value;
}

// A bracket that closes an outer level closes those within it; one that closes nothing is dropped.
void JsonMender::close(char c, std::string& out) {
    const auto closes = [c](const Level& level) { return level.close == c; };
    if (std::none_of(levels_.begin(), levels_.end(), closes)) return;
    flush_text(out);
    if (comma_) pending_.erase(pending_.find(','), 1);
    if (std::all_of(pending_.begin(), pending_.end(), is_space)) out += pending_;
    drop_pending();
    while (true) {
        const Level level = levels_.back();
        out += level.is_object ? '}' : ']';
        levels_.pop_back();
        if (level.close == c) break;
    }
    end_value();
}

void JsonMender::finish(std::string& out) {
    if (state_ == State::done) return;
    if (!held_.empty() && state_ == State::text)
        for (const char c : held_) add(c);
    held_.clear();
    const bool in_text = state_ == State::text || state_ == State::quote || state_ == State::escape ||
                         state_ == State::hex;
    if (in_text && !in_key_) end_text();
    else if (state_ == State::scalar) out += scalar_json(word_, true);
    else if (levels_.empty() && state_ == State::value) out += "null";
    flush_text(out);
    for (; !levels_.empty(); levels_.pop_back()) out += levels_.back().is_object ? '}' : ']';
    state_ = State::done;
}

}  // namespace ingle::chat
