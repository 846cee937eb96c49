#include "evaluate/logits_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/checked.h"

namespace ingle::evaluate {

namespace {

constexpr std::string_view magic = "_logits_";
constexpr size_t header_bytes = magic.size() + 3 * sizeof(int32_t);
constexpr float range = 16;  // logits further below the greatest than this are cut
constexpr size_t row_head_words = 4;

size_t row_words(int64_t vocab) { return size_t((vocab + 1) / 2 * 2) + row_head_words; }
int64_t rows_of(int64_t window_tokens) { return window_tokens - 1 - window_tokens / 2; }

}  // namespace

LogitsWriter::LogitsWriter(AtomicFile file, int64_t rows, int64_t vocab)
    : file_(std::move(file)), row_words_(row_words(vocab)), window_(size_t(rows) * row_words_) {}

Result<LogitsWriter> LogitsWriter::create(const std::filesystem::path& path, const Windows& windows,
                                          int64_t vocab) {
    if (windows.step != windows.size)
        return fail(Code::invalid_argument,
                    "--kl-divergence-base holds windows one after the other; it cannot be used with "
                    "--ppl-stride");
    INGLE_ASSIGN(AtomicFile file, AtomicFile::create(path));
    const std::array<int32_t, 3> numbers = {int32_t(windows.size), int32_t(vocab),
                                            int32_t(windows.count)};
    INGLE_TRY(file.append(std::as_bytes(std::span(magic))));
    INGLE_TRY(file.append(std::as_bytes(std::span(numbers))));
    INGLE_TRY(file.append(std::as_bytes(std::span(windows.tokens))));
    return LogitsWriter(std::move(file), windows.scored(), vocab);
}

void LogitsWriter::set_row(int64_t row, std::span<const float> logits, const LogSoftmax& softmax) {
    uint16_t* const out = window_.data() + size_t(row) * row_words_;
    const float lowest =
        std::max(softmax.greatest - range, *std::min_element(logits.begin(), logits.end()));
    const float scale = (softmax.greatest - lowest) / 65535.0f;
    const std::array<float, 2> head = {scale, float(softmax.of(lowest))};
    std::memcpy(out, head.data(), sizeof(head));
    const float inverse = scale > 0 ? 1 / scale : 0;
    for (size_t i = 0; i < logits.size(); ++i)
        out[row_head_words + i] =
            uint16_t(std::min((std::max(logits[i], lowest) - lowest) * inverse + 0.5f, 65535.0f));
}

Status LogitsWriter::write_window() { return file_.append(std::as_bytes(std::span(window_))); }

Status LogitsWriter::finish() { return file_.commit(); }

Result<LogitsReader> LogitsReader::open(const std::filesystem::path& path) {
    INGLE_ASSIGN(MappedFile file, MappedFile::open(path));
    LogitsReader reader(std::move(file));
    INGLE_TRY(reader.read_header().in(path.string()));
    return reader;
}

Status LogitsReader::read_header() {
    const std::span<const std::byte> bytes = file_.bytes();
    if (bytes.size() < header_bytes || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return fail(Code::corrupt, "expected a file of --kl-divergence-base, which begins with ",
                    quoted(magic));
    std::array<int32_t, 3> numbers;
    std::memcpy(numbers.data(), bytes.data() + magic.size(), sizeof(numbers));
    const auto [size, vocab, windows] = numbers;
    if (size < 4 || vocab < 1 || windows < 1)
        return fail(Code::corrupt, "expected a window size of at least 4, a vocabulary and windows, "
                    "found ", size, ", ", vocab, " and ", windows);
    window_tokens_ = size;
    vocab_ = vocab;
    windows_ = windows;
    const uint64_t token_bytes = uint64_t(windows) * uint64_t(size) * sizeof(Token);
    data_offset_ = header_bytes + token_bytes;
    const auto row_bytes =
        checked_mul(uint64_t(windows) * uint64_t(rows_of(size)), row_words(vocab) * 2);
    const auto expected = row_bytes ? checked_add(*row_bytes, data_offset_) : std::nullopt;
    if (!expected || bytes.size() != *expected)
        return fail(Code::corrupt, "expected ", expected.value_or(UINT64_MAX), " bytes for ",
                    windows, " windows of ", size, " tokens and a vocabulary of ", vocab,
                    ", found ", bytes.size());
    tokens_.resize(size_t(windows) * size_t(size));
    std::memcpy(tokens_.data(), bytes.data() + header_bytes, token_bytes);
    for (size_t i = 0; i < tokens_.size(); ++i)
        if (tokens_[i] < 0 || tokens_[i] >= vocab)
            return fail(Code::corrupt, "token ", i, ": expected an id below ", vocab, ", found ",
                        tokens_[i]);
    return {};
}

StoredRow LogitsReader::row(int64_t window, int64_t row) const {
    const uint64_t index = uint64_t(window * rows_of(window_tokens_) + row);
    const std::byte* const at =
        file_.bytes().data() + data_offset_ + index * row_words(vocab_) * sizeof(uint16_t);
    StoredRow stored;
    std::memcpy(&stored.scale, at, sizeof(float));
    std::memcpy(&stored.least, at + sizeof(float), sizeof(float));
    // The header has an even number of bytes, and so has every row: the codes are aligned.
    stored.codes = {reinterpret_cast<const uint16_t*>(at) + row_head_words, size_t(vocab_)};
    return stored;
}

}  // namespace ingle::evaluate
