// Merging and reading out; the file forms are in gguf_form.cpp and dat_form.cpp.
#include "imatrix/imatrix.h"

#include <algorithm>

#include "base/file.h"
#include "gguf/format.h"
#include "imatrix/forms.h"

namespace ingle::imatrix {

namespace {

// The entry as a stack of `experts`. An entry of the older form holds all columns in one row.
Result<Entry> reshaped(const Entry& entry, uint64_t columns, uint64_t experts) {
    if (entry.columns() == columns && entry.experts() == experts) return entry;
    if (entry.experts() != 1 || experts == 0 || entry.columns() / experts != columns ||
        entry.columns() % experts != 0)
        return fail(Code::invalid_argument, "expected ", columns, " columns of ", experts,
                    " experts, found ", entry.columns(), " of ", entry.experts());
    return Entry{entry.sums, std::vector<float>(size_t(experts), entry.counts[0])};
}

}  // namespace

Result<Matrix> parse(std::span<const std::byte> bytes, uint32_t chunk_tokens) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(gguf::magic)) return parse_gguf(bytes);
    return parse_dat(bytes, chunk_tokens);
}

Result<Matrix> load(const std::filesystem::path& path, uint32_t chunk_tokens) {
    INGLE_ASSIGN(const auto file, MappedFile::open(path));
    auto matrix = parse(file.bytes(), chunk_tokens);
    if (!matrix.ok())
        return std::move(matrix).status().in(
            cat("importance matrix ", quoted(path.string(), 4096)));
    return matrix;
}

Status save(const std::filesystem::path& path, const Matrix& matrix, Form form) {
    for (const auto& [name, entry] : matrix.entries)
        if (entry.counts.empty() || entry.sums.empty() ||
            entry.sums.size() % entry.counts.size() != 0)
            return fail(Code::invalid_argument, "importance of ", quoted(name), ": ",
                        entry.sums.size(), " sums for ", entry.counts.size(), " counts");
    return form == Form::gguf ? save_gguf(path, matrix) : save_dat(path, matrix);
}

Status merge(Matrix& into, const Matrix& other) {
    Matrix merged = into;
    for (const auto& [name, added] : other.entries) {
        const auto found = merged.entries.find(name);
        if (found == merged.entries.end()) {
            merged.entries.emplace(name, added);
            continue;
        }
        Entry& entry = found->second;
        // Whichever knows its experts says the shape.
        const Entry& shape = entry.experts() >= added.experts() ? entry : added;
        const uint64_t columns = shape.columns(), experts = shape.experts();
        const auto where = [&](Status status) {
            return std::move(status).in(cat("importance of ", quoted(name)));
        };
        auto sum = reshaped(entry, columns, experts);
        auto addend = reshaped(added, columns, experts);
        if (!sum.ok()) return where(std::move(sum).status());
        if (!addend.ok()) return where(std::move(addend).status());
        for (size_t i = 0; i < sum->sums.size(); ++i) sum->sums[i] += addend->sums[i];
        for (size_t i = 0; i < sum->counts.size(); ++i) sum->counts[i] += addend->counts[i];
        entry = std::move(*sum);
    }
    for (const std::string& name : other.datasets)
        if (std::ranges::find(merged.datasets, name) == merged.datasets.end())
            merged.datasets.push_back(name);
    merged.chunk_count += other.chunk_count;
    into = std::move(merged);
    return {};
}

Result<std::vector<float>> means(const Entry& entry, uint64_t columns, uint64_t experts) {
    INGLE_ASSIGN(Entry shaped, reshaped(entry, columns, experts));
    for (size_t i = 0; i < shaped.sums.size(); ++i) {
        const float count = shaped.counts[i / size_t(columns)];
        shaped.sums[i] = count > 0 ? shaped.sums[i] / count : 1.0f;
    }
    return std::move(shaped.sums);
}

}  // namespace ingle::imatrix
