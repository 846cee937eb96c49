#include "backend/cpu/repack_cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "base/checksum.h"
#include "base/platform.h"

namespace ingle::cpu {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".repacked";
constexpr std::array<char, 8> cache_magic = {'I', 'N', 'G', 'L', 'E', 'R', 'P', '\n'};
constexpr uint32_t cache_version = 1;  // of this header; a changed layout of the data is found by comparing it
constexpr uint64_t data_alignment = 2u << 20;
constexpr uint64_t words_bytes_max = 64u << 20;

struct Header {
    std::array<char, 8> magic = {};
    uint32_t version = 0;  // also tells the byte order
    uint32_t path_bytes = 0;
    uint32_t state_bytes = 0;
    uint32_t layout_bytes = 0;
    uint64_t data_bytes = 0;
    uint64_t data_checksum = 0;
    uint64_t checksum = 0;  // of what precedes and of the texts that follow: path, state, layout

    uint64_t words_bytes() const { return uint64_t(path_bytes) + state_bytes + layout_bytes; }
    uint64_t data_offset() const {
        const uint64_t end = sizeof(Header) + words_bytes();
        return (end + data_alignment - 1) / data_alignment * data_alignment;
    }
};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

uint64_t checksum_of_header(const Header& header, std::string_view words) {
    Checksum sum;
    sum.update(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
    sum.update(bytes_of(words));
    return sum.value();
}

// The header at the beginning of a file, with its texts; fails if it is not whole.
Result<Header> read_header(const MappedFile& file) {
    Header header;
    const std::span<const std::byte> bytes = file.bytes();
    if (bytes.size() < sizeof(Header)) return fail(Code::corrupt, "is cut: it has ", bytes.size(), " bytes");
    std::memcpy(&header, bytes.data(), sizeof(Header));
    if (header.magic != cache_magic) return fail(Code::corrupt, "is no file of this kind");
    if (header.version != cache_version)
        return fail(Code::unsupported, "has version ", header.version, ", expected ", cache_version);
    const uint64_t end = sizeof(Header) + header.words_bytes();
    if (header.words_bytes() > words_bytes_max || end > bytes.size())
        return fail(Code::corrupt, "is cut: its header goes on behind its end");
    const std::string_view words(reinterpret_cast<const char*>(bytes.data()) + sizeof(Header),
                                 size_t(header.words_bytes()));
    if (checksum_of_header(header, words) != header.checksum)
        return fail(Code::corrupt, "has a damaged header");
    if (header.data_bytes != bytes.size() - std::min<uint64_t>(header.data_offset(), bytes.size()))
        return fail(Code::corrupt, "has ", bytes.size(), " bytes, expected ",
                    header.data_offset() + header.data_bytes);
    return header;
}

std::string text_at(const MappedFile& file, uint64_t offset, uint32_t size) {
    return std::string(reinterpret_cast<const char*>(file.bytes().data()) + offset, size);
}

std::vector<const MappedFile*> files_of(std::span<const PlacedMatrix> matrices) {
    std::vector<const MappedFile*> files;
    for (const PlacedMatrix& matrix : matrices)
        if (std::ranges::find(files, matrix.source->file) == files.end())
            files.push_back(matrix.source->file);
    return files;
}

std::string state_of(std::span<const MappedFile* const> files) {
    std::string text;
    for (const MappedFile* const file : files) {
        const platform::FileTimes times = file->times();
        text += cat(file->bytes().size(), " bytes, written ", times.written, ", changed ", times.changed, "\n");
    }
    return text;
}

std::string layout_of(std::span<const PlacedMatrix> matrices, std::span<const MappedFile* const> files) {
    std::string text;
    for (const PlacedMatrix& matrix : matrices) {
        const WeightSource& source = *matrix.source;
        text += cat(source.name, " ", source.format->name, " ", source.rows, "x", source.columns, " at ",
                    std::ranges::find(files, source.file) - files.begin(), ":", source.file_offset, " to ",
                    matrix.place, " in groups of ", matrix.shape.group_bytes, "\n");
    }
    return text;
}

// The model's own name, so that people find it, and a number that tells models of one name apart.
std::string name_of(const fs::path& model, std::string_view layout) {
    Checksum sum;
    sum.update(bytes_of(model.string()));
    sum.update(bytes_of(layout));
    char number[24];
    std::snprintf(number, sizeof(number), "-%016llx", static_cast<unsigned long long>(sum.value()));
    return model.stem().string().substr(0, 100) + number + std::string(extension);
}

uint64_t checksum_of_piece(uint64_t place, std::span<const std::byte> piece) {
    Checksum sum;
    sum.update(std::as_bytes(std::span(&place, 1)));
    sum.update(piece);
    return sum.value();
}

}  // namespace

RepackCache::RepackCache(const fs::path& folder, std::span<const PlacedMatrix> matrices)
    : matrices_(matrices) {
    const std::vector<const MappedFile*> files = files_of(matrices);
    model_state_ = state_of(files);
    layout_ = layout_of(matrices, files);
    data_bytes_ = end_of(matrices.back());
    std::error_code error;
    fs::path model = fs::canonical(files.front()->path(), error);
    if (error) model = files.front()->path();
    model_path_ = model.string();
    path_ = folder / name_of(model, layout_);
}

Result<RepackCache::Mapping> RepackCache::open(bool check_all) const {
    auto opened = MappedFile::open(path_);
    if (!opened.ok()) return std::move(opened).status();
    Mapping mapping = {std::move(*opened), 0};
    const MappedFile& file = mapping.file;
    auto header = read_header(file);
    if (!header.ok()) return std::move(header).status().in(path_.string());
    mapping.data_offset = header->data_offset();
    const uint64_t state_at = sizeof(Header) + header->path_bytes;
    const auto refused = [&](const auto&... why) { return fail(Code::corrupt, path_.string(), ": ", why...); };
    if (text_at(file, state_at, header->state_bytes) != model_state_)
        return refused("is of an earlier state of the model");
    if (text_at(file, state_at + header->state_bytes, header->layout_bytes) != layout_ ||
        header->data_bytes != data_bytes_)
        return refused("holds other matrices");
    const auto data = file.bytes().subspan(mapping.data_offset);
    INGLE_TRY(compare_samples(data).in(path_.string()));
    if (check_all && checksum_of(data) != header->data_checksum) return refused("is damaged");
    INGLE_TRY(file.intact());
    return mapping;
}

Status RepackCache::compare_samples(std::span<const std::byte> data) const {
    std::vector<std::byte> rows, packed;
    for (const PlacedMatrix& matrix : matrices_) {
        const PackedMatrix& shape = matrix.shape;
        const int64_t group = group_count(shape) / 2;
        const int64_t first = group * group_rows;
        const int64_t count = std::min<int64_t>(group_rows, shape.rows - first);
        if (count <= 0) continue;
        rows.resize(size_t(count) * matrix.source->row_bytes());
        packed.assign(shape.group_bytes, std::byte(0));
        INGLE_TRY(matrix.source->read_rows(first, count, rows.data()));
        pack_group(shape, group, rows.data(), packed.data());
        const std::byte* const found =
            data.data() + matrix.place + size_t(group) * shape.group_bytes;
        if (std::memcmp(found, packed.data(), packed.size()) != 0)
            return fail(Code::corrupt, "does not hold what ", matrix.source->name, " is packed to");
    }
    return {};
}

uint64_t RepackCache::checksum_of(std::span<const std::byte> data) const {
    uint64_t sum = 0;
    each_piece(matrices_, [&](uint64_t place, uint64_t bytes) {
        sum += checksum_of_piece(place, data.subspan(place, bytes));
    });
    return sum;
}

Status RepackCache::write(ThreadPool& pool, const backend::Progress& progress) const {
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    if (error) return fail(Code::io, "cannot make the folder ", path_.parent_path().string(), ": ", error.message());
    Header header;
    header.magic = cache_magic;
    header.version = cache_version;
    header.path_bytes = uint32_t(model_path_.size());
    header.state_bytes = uint32_t(model_state_.size());
    header.layout_bytes = uint32_t(layout_.size());
    header.data_bytes = data_bytes_;
    INGLE_ASSIGN(AtomicFile file, AtomicFile::create(path_));
    INGLE_TRY(file.reserve(header.data_offset() + data_bytes_));
    std::atomic<uint64_t> sum = 0;  // in whatever order the pieces come
    INGLE_TRY(pack_pieces(matrices_, pool, progress, [&](uint64_t place, std::span<const std::byte> piece) {
        sum += checksum_of_piece(place, piece);
        return file.write_at(header.data_offset() + place, piece);
    }));
    // Whoever writes to the model while it is read must not find its old state here later.
    if (state_of(files_of(matrices_)) != model_state_)
        return fail(Code::io, quoted(model_path_, 4096), " was changed while it was read");
    header.data_checksum = sum;
    const std::string words = model_path_ + model_state_ + layout_;
    header.checksum = checksum_of_header(header, words);
    INGLE_TRY(file.write_at(0, std::as_bytes(std::span(&header, 1))));
    INGLE_TRY(file.write_at(sizeof(Header), bytes_of(words)));
    return file.commit();
}

std::vector<CachedRepack> list_repack_cache(const fs::path& folder) {
    std::vector<CachedRepack> all;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != extension) continue;
        CachedRepack found = {at->path(), {}, at->file_size(error)};
        if (error) found.bytes = 0, error.clear();
        if (auto file = MappedFile::open(at->path()); file.ok())
            if (auto header = read_header(*file); header.ok())
                found.model = text_at(*file, sizeof(Header), header->path_bytes);
        all.push_back(std::move(found));
    }
    std::ranges::sort(all, {}, &CachedRepack::path);
    return all;
}

}  // namespace ingle::cpu
