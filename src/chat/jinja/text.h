// Text as Python's str has it (indices count code points), and where each byte came from: the
// template, or data that must not act as template. Every operation carries the origin along.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chat/jinja/meter.h"
#include "chat/rendered.h"

namespace ingle::jinja {

using chat::Range;

class Text;
using TextPtr = std::shared_ptr<const Text>;

// Immutable, well-formed UTF-8.
class Text {
  public:
    explicit Text(std::string bytes, bool untrusted = false);
    Text(std::string bytes, std::vector<Range> untrusted, bool markup, Charge charge);

    std::string_view bytes() const { return bytes_; }
    const std::vector<Range>& untrusted() const { return untrusted_; }
    // Already escaped for HTML (Python's Markup); such text escapes what is added to it.
    bool markup() const { return markup_; }
    bool empty() const { return bytes_.empty(); }

    // Code points.
    size_t length() const { return length_; }
    bool single_bytes() const { return length_ == bytes_.size(); }
    // The byte at which code point `index` starts; the size of the text for any index past its end.
    size_t offset_of(size_t index) const;
    // The code point that starts at byte `offset`.
    size_t index_of(size_t offset) const;

  private:
    std::string bytes_;
    std::vector<Range> untrusted_;
    size_t length_;
    bool markup_ = false;
    Charge charge_;
};

// Bytes of the UTF-8 character that starts with `lead`.
inline size_t character_bytes(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

// Builds a text within the meter's limits. After a limit was reached appends do nothing and
// finish() fails.
class TextBuilder {
  public:
    explicit TextBuilder(Meter& meter) : meter_(meter), room_(meter.room()) {}

    // What the template itself says.
    TextBuilder& append(std::string_view bytes) { return append(bytes, false); }
    TextBuilder& append(std::string_view bytes, bool untrusted);
    TextBuilder& append(const Text& text) { return append(text, 0, text.bytes().size()); }
    // Bytes [begin, end) of `text`.
    TextBuilder& append(const Text& text, size_t begin, size_t end);
    TextBuilder& append_repeated(const Text& text, uint64_t count);
    TextBuilder& append_repeated(std::string_view bytes, uint64_t count);
    TextBuilder& append_point(char32_t point, bool untrusted);

    size_t size() const { return bytes_.size(); }
    std::string_view bytes() const { return bytes_; }
    bool overflowed() const { return overflowed_; }
    Result<TextPtr> finish(bool markup = false);

  private:
    bool has_room(uint64_t bytes);
    void mark(size_t begin, size_t end);

    Meter& meter_;
    uint64_t room_;
    std::string bytes_;
    std::vector<Range> untrusted_;
    uint64_t appends_ = 0;  // pieces of text, often single characters
    bool overflowed_ = false;
};

// Walks the characters of a text with their origin.
class Characters {
  public:
    explicit Characters(const Text& text) : text_(text) {}
    bool next();

    char32_t point() const { return point_; }
    size_t begin() const { return begin_; }
    size_t end() const { return end_; }
    bool untrusted() const { return untrusted_; }
    std::string_view bytes() const { return text_.bytes().substr(begin_, end_ - begin_); }

  private:
    const Text& text_;
    size_t begin_ = 0;
    size_t end_ = 0;
    size_t range_ = 0;  // first untrusted range that ends after begin_
    char32_t point_ = 0;
    bool untrusted_ = false;
};

}  // namespace ingle::jinja
