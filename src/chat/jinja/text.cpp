#include "chat/jinja/text.h"

#include <algorithm>

#include "base/utf8.h"

namespace ingle::jinja {

namespace {

size_t count_points(std::string_view bytes) {
    size_t count = 0;
    for (const char c : bytes) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
}

}  // namespace

Text::Text(std::string bytes, bool untrusted)
    : bytes_(std::move(bytes)), length_(count_points(bytes_)) {
    if (untrusted && !bytes_.empty()) untrusted_.push_back({0, bytes_.size()});
}

Text::Text(std::string bytes, std::vector<Range> untrusted, bool markup, Charge charge)
    : bytes_(std::move(bytes)),
      untrusted_(std::move(untrusted)),
      length_(count_points(bytes_)),
      markup_(markup),
      charge_(std::move(charge)) {}

size_t Text::offset_of(size_t index) const {
    if (index >= length_) return bytes_.size();
    if (single_bytes()) return index;
    size_t offset = 0;
    for (; index > 0; --index) offset += character_bytes(bytes_[offset]);
    return offset;
}

size_t Text::index_of(size_t offset) const {
    return single_bytes() ? offset : count_points(std::string_view(bytes_).substr(0, offset));
}

bool TextBuilder::has_room(uint64_t bytes) {
    if (overflowed_ || bytes > room_ - bytes_.size()) overflowed_ = true;
    return !overflowed_;
}

void TextBuilder::mark(size_t begin, size_t end) {
    if (begin == end) return;
    if (!untrusted_.empty() && untrusted_.back().end == begin) {
        untrusted_.back().end = end;
    } else {
        untrusted_.push_back({begin, end});
    }
}

TextBuilder& TextBuilder::append(std::string_view bytes, bool untrusted) {
    if (!has_room(bytes.size())) return *this;
    ++appends_;
    if (untrusted) mark(bytes_.size(), bytes_.size() + bytes.size());
    bytes_ += bytes;
    return *this;
}

TextBuilder& TextBuilder::append(const Text& text, size_t begin, size_t end) {
    if (!has_room(end - begin)) return *this;
    const auto& ranges = text.untrusted();
    const size_t shift = bytes_.size();
    auto range = std::partition_point(ranges.begin(), ranges.end(),
                                      [&](const Range& r) { return r.end <= begin; });
    for (; range != ranges.end() && range->begin < end; ++range)
        mark(shift + std::max(range->begin, begin) - begin,
             shift + std::min(range->end, end) - begin);
    bytes_ += text.bytes().substr(begin, end - begin);
    return *this;
}

TextBuilder& TextBuilder::append_repeated(const Text& text, uint64_t count) {
    const uint64_t size = text.bytes().size();
    if (size == 0 || count == 0) return *this;
    if (count > room_ / size || !has_room(size * count)) {
        overflowed_ = true;
        return *this;
    }
    for (; count > 0; --count) append(text);
    return *this;
}

TextBuilder& TextBuilder::append_repeated(std::string_view bytes, uint64_t count) {
    return append_repeated(Text(std::string(bytes)), count);
}

TextBuilder& TextBuilder::append_point(char32_t point, bool untrusted) {
    std::string bytes;
    utf8::append(bytes, point);
    return append(bytes, untrusted);
}

Result<TextPtr> TextBuilder::finish(bool markup) {
    if (overflowed_ || bytes_.size() > meter_.room()) return meter_.out_of_memory();
    INGLE_TRY(meter_.touch(bytes_.size(), appends_));
    Charge charge(meter_, sizeof(Text) + bytes_.size() + untrusted_.size() * sizeof(Range));
    return std::make_shared<const Text>(std::move(bytes_), std::move(untrusted_), markup,
                                        std::move(charge));
}

bool Characters::next() {
    begin_ = end_;
    if (begin_ >= text_.bytes().size()) return false;
    const utf8::Decoded decoded = utf8::decode(text_.bytes().substr(begin_));
    point_ = decoded.point;
    end_ = begin_ + size_t(decoded.length);
    const auto& ranges = text_.untrusted();
    while (range_ < ranges.size() && ranges[range_].end <= begin_) ++range_;
    untrusted_ = range_ < ranges.size() && ranges[range_].begin <= begin_;
    return true;
}

}  // namespace ingle::jinja
