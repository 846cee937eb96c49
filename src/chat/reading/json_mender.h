// Turns what a model wrote for a JSON value into JSON, byte by byte: valid JSON passes unchanged, and whatever
// else comes, what is given out can always be completed to a valid value.
//
//   mended: trailing, doubled and missing commas; keys without quotes or without values; 'single' and inner
//   "quotes"; raw line breaks and unknown escapes in strings; True, None, .5; brackets that were not closed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/reading/notation.h"

namespace ingle::chat {

class JsonMender {
  public:
    // `end_mark`, if not empty, ends the value wherever it stands outside a string, and is taken with it.
    explicit JsonMender(Notation notation = {}, std::string_view end_mark = {})
        : notation_(notation), end_mark_(end_mark) {}

    // Takes text and appends JSON to `out`; returns how many bytes were taken: fewer than all once the value
    // has ended before them. Text is UTF-8.
    size_t push(std::string_view text, std::string& out);
    bool done() const { return state_ == State::done; }
    bool met_end_mark() const { return met_end_mark_; }
    // The text ends here: completes the value. A value that has not begun is null.
    void finish(std::string& out);

    static constexpr size_t depth_max = 200;  // brackets nested deeper are dropped

  private:
    enum class State {
        value,        // expects a value
        key,          // expects a key or the end of an object
        colon,        // behind a key
        next,         // behind a value: a comma or the end
        text,         // in a string
        quote,        // behind a quote that may end a string: what follows tells
        escape,       // behind a backslash
        hex,          // in the digits of an escape
        scalar,       // in a number or a word
        bare_key,     // in a key without quotes
        done,
    };
    struct Level {
        char close;
        bool is_object;
        bool filled = false;
    };

    // False: the byte was not taken, since the value ended before it.
    bool filter(char c, std::string& out);
    bool step(char c, std::string& out);
    bool step_next(char c, std::string& out);
    void step_value(char c, std::string& out);
    void step_key(char c);
    void step_text(char c);
    void step_escape(char c);
    void step_hex(char c, std::string& out);
    bool step_quote(char c, std::string& out);
    bool step_scalar(char c, std::string& out);
    void step_bare_key(char c, std::string& out);

    bool ends_word(char c) const;
    bool outside() const;
    bool mark_may_follow(std::string_view heard) const;
    void begin_value(std::string& out);
    void drop_pending();
    void end_value();
    void open(char c, std::string& out);
    void close(char c, std::string& out);
    void begin_text(char quote);
    void end_text();
    void flush_text(std::string& out);
    void add(char c);
    void drop_half_surrogate();
    std::string& text_target() { return in_key_ ? pending_ : text_out_; }

    Notation notation_;
    std::string_view end_mark_;
    State state_ = State::value;
    std::vector<Level> levels_;
    std::string pending_;   // a comma, white space and a key, until the value begins
    std::string text_out_;  // of a string, to be given out
    std::string word_;      // scalar, bare key, digits of an escape, white space behind a quote
    std::string half_;      // the escape of a high surrogate, until its other half comes
    std::string held_;      // may be the beginning of a mark
    char quote_ = 0;        // of the string at hand; 0: the notation's mark
    size_t hex_digits_ = 4;
    bool comma_ = false;    // it is in `pending_`
    bool in_key_ = false;
    bool met_end_mark_ = false;
};

// The text as a JSON string, in quotes.
std::string json_quoted(std::string_view text);

}  // namespace ingle::chat
