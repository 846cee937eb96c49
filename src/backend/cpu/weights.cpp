#include "backend/cpu/weights.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/platform.h"

namespace ingle::cpu {

namespace {

constexpr uint64_t matrix_alignment = 4096;
constexpr size_t read_bytes = 1 << 20;  // per thread and read, about

uint64_t aligned(uint64_t bytes) {
    return (bytes + matrix_alignment - 1) / matrix_alignment * matrix_alignment;
}

// A run of groups of one matrix that is read at once and packed.
struct Piece {
    PreparedWeight* weight;
    int64_t first_group;
    int64_t groups;

    int64_t first_row() const { return first_group * group_rows; }
    int64_t rows() const {
        return std::min(groups * group_rows, weight->packed.rows - first_row());
    }
};

std::vector<Piece> pieces_of(std::span<PreparedWeight> weights) {
    std::vector<Piece> pieces;
    for (PreparedWeight& weight : weights) {
        if (weight.packed.kernel == nullptr) continue;
        const int64_t groups = group_count(weight.packed);
        const size_t group_size = group_rows * weight.source->row_bytes();
        const int64_t step = std::max<int64_t>(1, int64_t(read_bytes / std::max<size_t>(1, group_size)));
        for (int64_t g = 0; g < groups; g += step)
            pieces.push_back({&weight, g, std::min(step, groups - g)});
    }
    return pieces;
}

Status pack_piece(const Piece& piece, std::vector<std::byte>& buffer) {
    const WeightSource& source = *piece.weight->source;
    const PackedMatrix& packed = piece.weight->packed;
    const size_t row_bytes = source.row_bytes();
    buffer.resize(std::max(buffer.size(), size_t(piece.rows()) * row_bytes));
    INGLE_TRY(source.read_rows(piece.first_row(), piece.rows(), buffer.data()));
    for (int64_t g = 0; g < piece.groups; ++g) {
        std::byte* const out = const_cast<std::byte*>(packed.data) +
                               size_t(piece.first_group + g) * packed.group_bytes;
        pack_group(packed, piece.first_group + g, buffer.data() + size_t(g) * group_rows * row_bytes,
                   out);
    }
    return {};
}

}  // namespace

CpuWeights::~CpuWeights() { platform::free_pages(arena_, arena_bytes_); }

Result<std::unique_ptr<CpuWeights>> CpuWeights::outline(std::span<const WeightSource> weights,
                                                        std::span<const backend::WeightUse> uses,
                                                        bool reference, Isa isa) {
    auto result = std::make_unique<CpuWeights>();
    result->prepared_.resize(weights.size());
    for (const backend::WeightUse& use : uses) {
        PreparedWeight& prepared = result->prepared_[size_t(use.id)];
        prepared.source = &weights[size_t(use.id)];
        if (use.multiplied && !reference) {
            const WeightSource& source = *prepared.source;
            prepared.packed = packed_shape(find_kernel(*source.format, isa), *source.format,
                                           source.rows, source.columns);
            prepared.packed.factor = source.factor;
            result->arena_bytes_ += aligned(packed_bytes(prepared.packed));
        }
        if (use.read) {
            const WeightSource& source = *prepared.source;
            prepared.values.resize(size_t(source.rows * source.columns));
            for (int64_t r = 0; r < source.rows; ++r)
                source.decode_row(r, prepared.values.data() + r * source.columns);
            result->value_bytes_ += prepared.values.size() * sizeof(float);
        }
    }
    INGLE_TRY(result->reserve());
    return result;
}

Status CpuWeights::reserve() {
    if (arena_bytes_ == 0) return {};
    arena_ = static_cast<std::byte*>(platform::allocate_pages(arena_bytes_));
    if (arena_ == nullptr)
        return fail(Code::out_of_memory, "cannot reserve ", human_bytes(arena_bytes_),
                    " for the packed weights");
    uint64_t at = 0;
    for (PreparedWeight& weight : prepared_) {
        if (weight.packed.kernel == nullptr) continue;
        weight.packed.data = arena_ + at;
        at += aligned(packed_bytes(weight.packed));
    }
    return {};
}

Status CpuWeights::pack_all(ThreadPool& pool, const backend::Progress& progress) {
    if (arena_bytes_ == 0) return {};
    const std::vector<Piece> pieces = pieces_of(prepared_);
    uint64_t total = 0;
    for (const Piece& piece : pieces) total += uint64_t(piece.rows()) * piece.weight->source->row_bytes();
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
        std::vector<std::byte> buffer;
        for (int64_t i = counter.claim(); i < int64_t(pieces.size()) && !stopped;
             i = counter.claim()) {
            const Piece& piece = pieces[size_t(i)];
            if (Status status = pack_piece(piece, buffer); !status.ok()) stop(std::move(status));
            done += uint64_t(piece.rows()) * piece.weight->source->row_bytes();
            if (thread == 0 && progress && !progress(done, total))
                stop(fail(Code::cancelled, "loading was cancelled"));
        }
    });
    if (!stopped && progress) (void)progress(total, total);
    return failure;
}

}  // namespace ingle::cpu
