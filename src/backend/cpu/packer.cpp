#include "backend/cpu/packer.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "base/platform.h"

namespace ingle::cpu {

namespace {

constexpr uint64_t matrix_alignment = 4096;
constexpr size_t read_bytes = 1 << 20;  // per thread and read, about

// A run of groups of one matrix that is read at once and packed.
struct Piece {
    const PlacedMatrix* matrix;
    int64_t first_group;
    int64_t groups;

    int64_t first_row() const { return first_group * group_rows; }
    int64_t rows() const { return std::min(groups * group_rows, matrix->shape.rows - first_row()); }
    uint64_t file_bytes() const { return uint64_t(rows()) * matrix->source->row_bytes(); }
    uint64_t place() const {
        return matrix->place + uint64_t(first_group) * matrix->shape.group_bytes;
    }
    size_t packed_bytes() const { return size_t(groups) * matrix->shape.group_bytes; }
};

std::vector<Piece> pieces_of(std::span<const PlacedMatrix> matrices) {
    std::vector<Piece> pieces;
    for (const PlacedMatrix& matrix : matrices) {
        const int64_t groups = group_count(matrix.shape);
        const size_t group_size = group_rows * matrix.source->row_bytes();
        const int64_t step = std::max<int64_t>(1, int64_t(read_bytes / std::max<size_t>(1, group_size)));
        for (int64_t g = 0; g < groups; g += step)
            pieces.push_back({&matrix, g, std::min(step, groups - g)});
    }
    return pieces;
}

uint64_t file_bytes_of(std::span<const Piece> pieces) {
    uint64_t total = 0;
    for (const Piece& piece : pieces) total += piece.file_bytes();
    return total;
}

// If memory cannot hold the packed form beside the file, the file's pages go as soon as they were read: otherwise the
// system would have to find out by itself. If it can they stay, for whoever loads the model next.
bool should_drop_file(std::span<const Piece> pieces) {
    uint64_t packed = 0;
    for (const Piece& piece : pieces) packed += piece.packed_bytes();
    return platform::available_memory_bytes() < packed + file_bytes_of(pieces);
}

Status pack_piece(const Piece& piece, bool drop_file, std::vector<std::byte>& buffer,
                  std::byte* out) {
    const WeightSource& source = *piece.matrix->source;
    const PackedMatrix& shape = piece.matrix->shape;
    const size_t row_bytes = source.row_bytes();
    buffer.resize(std::max(buffer.size(), size_t(piece.file_bytes())));
    INGLE_TRY(source.read_rows(piece.first_row(), piece.rows(), buffer.data()));
    if (drop_file && source.file != nullptr)
        source.file->drop_cached(source.file_offset + uint64_t(piece.first_row()) * row_bytes,
                                 piece.file_bytes());
    for (int64_t g = 0; g < piece.groups; ++g)
        pack_group(shape, piece.first_group + g, buffer.data() + size_t(g) * group_rows * row_bytes,
                   out + size_t(g) * shape.group_bytes);
    return {};
}

// Runs `work` for every piece on some thread, until one fails or loading is cancelled.
Status for_all(std::span<const Piece> pieces, ThreadPool& pool, const backend::Progress& progress,
               FunctionRef<Status(const Piece& piece, int thread)> work) {
    const uint64_t total = file_bytes_of(pieces);
    std::atomic<uint64_t> done = 0;
    std::atomic<bool> stopped = false;
    std::mutex failure_mutex;
    Status failure;
    const auto stop = [&](Status status) {
        const std::lock_guard lock(failure_mutex);
        if (!stopped.exchange(true)) failure = std::move(status);
    };
    TaskCounter counter;
    pool.run([&](int thread) {
        for (int64_t i = counter.claim(); i < int64_t(pieces.size()) && !stopped;
             i = counter.claim()) {
            const Piece& piece = pieces[size_t(i)];
            if (Status status = work(piece, thread); !status.ok()) stop(std::move(status));
            done += piece.file_bytes();
            if (thread == 0 && progress && !progress(done, total))
                stop(fail(Code::cancelled, "loading was cancelled"));
        }
    });
    if (!stopped && progress) (void)progress(total, total);
    return failure;
}

}  // namespace

uint64_t end_of(const PlacedMatrix& matrix) {
    return (matrix.place + packed_bytes(matrix.shape) + matrix_alignment - 1) / matrix_alignment *
           matrix_alignment;
}

Status pack_into(std::byte* arena, std::span<const PlacedMatrix> matrices, ThreadPool& pool,
                 const backend::Progress& progress) {
    const std::vector<Piece> pieces = pieces_of(matrices);
    const bool drop_file = should_drop_file(pieces);
    std::vector<std::vector<std::byte>> buffers(size_t(pool.size()));
    return for_all(pieces, pool, progress, [&](const Piece& piece, int thread) {
        return pack_piece(piece, drop_file, buffers[size_t(thread)], arena + piece.place());
    });
}

Status pack_pieces(std::span<const PlacedMatrix> matrices, ThreadPool& pool,
                   const backend::Progress& progress, TakePiece take) {
    const std::vector<Piece> pieces = pieces_of(matrices);
    const bool drop_file = should_drop_file(pieces);
    std::vector<std::vector<std::byte>> buffers(size_t(pool.size())), packed(size_t(pool.size()));
    return for_all(pieces, pool, progress, [&](const Piece& piece, int thread) -> Status {
        // Zeros where a format leaves bytes unused.
        packed[size_t(thread)].assign(piece.packed_bytes(), std::byte(0));
        std::byte* const out = packed[size_t(thread)].data();
        INGLE_TRY(pack_piece(piece, drop_file, buffers[size_t(thread)], out));
        return take(piece.place(), {out, piece.packed_bytes()});
    });
}

void each_piece(std::span<const PlacedMatrix> matrices,
                FunctionRef<void(uint64_t place, uint64_t bytes)> take) {
    for (const Piece& piece : pieces_of(matrices)) take(piece.place(), piece.packed_bytes());
}

}  // namespace ingle::cpu
