// The older form. All numbers little-endian:
//   i32 entries; per entry: i32 length, name, i32 calls, i32 values, f32 value[values]
//   i32 chunks, i32 length, name of the text            (absent in the oldest files)
// value = sum / count * calls: a mean square per call, times calls.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/file.h"
#include "gguf/cursor.h"
#include "imatrix/forms.h"

namespace ingle::imatrix {

namespace {

constexpr uint64_t name_bytes_max = 256;
constexpr uint64_t entry_bytes_min = 4 + 1 + 4 + 4 + 4;

Status read_text(gguf::Cursor& cursor, std::string_view& text, uint64_t bytes_max,
                 std::string_view what) {
    int32_t length = 0;
    INGLE_TRY(cursor.number(length, what));
    if (length < 0 || uint64_t(length) > bytes_max)
        return fail(Code::corrupt, "not an importance matrix, or a damaged one: expected ", what,
                    " of at most ", bytes_max, " bytes, found a length of ", length, " at byte ",
                    cursor.offset() - sizeof(length));
    return cursor.take(text, uint64_t(length)) ? Status()
                                               : cursor.truncated(uint64_t(length), what);
}

Status read_entry(gguf::Cursor& cursor, uint32_t chunk_tokens, Matrix& matrix) {
    std::string_view name;
    INGLE_TRY(read_text(cursor, name, name_bytes_max, "the name of a weight"));
    int32_t calls = 0, values = 0;
    INGLE_TRY(cursor.number(calls, "the number of calls"));
    INGLE_TRY(cursor.number(values, "the number of values"));
    if (name.empty() || calls < 1 || values < 1)
        return fail(Code::corrupt, quoted(name), ": expected a name, calls and values, found ",
                    calls, " calls and ", values, " values before byte ", cursor.offset());
    INGLE_TRY(cursor.fits(uint64_t(values), sizeof(float), "values"));
    Entry entry;
    entry.sums.resize(size_t(values));
    INGLE_TRY(cursor.numbers(std::span(entry.sums), "values"));
    INGLE_TRY(check_measured(entry.sums, quoted(name)));
    for (float& sum : entry.sums) sum *= float(chunk_tokens);
    entry.counts = {float(calls) * float(chunk_tokens)};
    if (!matrix.entries.emplace(name, std::move(entry)).second)
        return fail(Code::corrupt, quoted(name), " stands in the file twice");
    return {};
}

void put(std::string& out, int32_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& out, std::string_view text) {
    put(out, int32_t(text.size()));
    out += text;
}

void put(std::string& out, const Entry& entry, uint32_t chunk_tokens) {
    const float most = *std::max_element(entry.counts.begin(), entry.counts.end());
    const float calls = std::max(1.0f, std::ceil(most / float(std::max(chunk_tokens, 1u))));
    put(out, int32_t(calls));
    put(out, int32_t(entry.sums.size()));
    for (size_t i = 0; i < entry.sums.size(); ++i) {
        const float count = entry.counts[i / size_t(entry.columns())];
        const float value = (count > 0 ? entry.sums[i] / count : 1.0f) * calls;
        out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
}

}  // namespace

Result<Matrix> parse_dat(std::span<const std::byte> bytes, uint32_t chunk_tokens) {
    gguf::Cursor cursor(bytes);
    Matrix matrix;
    matrix.chunk_tokens = chunk_tokens;
    int32_t entries = 0;
    INGLE_TRY(cursor.number(entries, "the number of entries"));
    if (entries < 1)
        return fail(Code::corrupt, "expected a number of entries at byte 0, found ", entries);
    INGLE_TRY(cursor.fits(uint64_t(entries), entry_bytes_min, "entries"));
    for (int32_t i = 0; i < entries; ++i)
        INGLE_TRY(read_entry(cursor, chunk_tokens, matrix).in(cat("entry ", i)));
    if (cursor.remaining() == 0) return matrix;

    int32_t chunks = 0;
    std::string_view text;
    INGLE_TRY(cursor.number(chunks, "the number of chunks"));
    INGLE_TRY(read_text(cursor, text, cursor.remaining(), "the name of the text"));
    if (chunks < 0 || cursor.remaining() != 0)
        return fail(Code::corrupt, "expected the end of the file after ", chunks,
                    " chunks and the name of the text, found ", cursor.remaining(),
                    " bytes more at byte ", cursor.offset());
    matrix.chunk_count = uint32_t(chunks);
    if (!text.empty()) matrix.datasets.emplace_back(text);
    return matrix;
}

Status save_dat(const std::filesystem::path& path, const Matrix& matrix) {
    std::string out;
    put(out, int32_t(matrix.entries.size()));
    for (const auto& [name, entry] : matrix.entries) {
        put(out, name);
        put(out, entry, matrix.chunk_tokens);
    }
    put(out, int32_t(matrix.chunk_count));
    put(out, matrix.datasets.empty() ? std::string_view() : matrix.datasets.back());
    return write_file_atomically(path, std::as_bytes(std::span(out)));
}

}  // namespace ingle::imatrix
