#include "backend/cpu/weights.h"

#include <algorithm>

#include "backend/cpu/gemm/matmul.h"
#include "backend/cpu/repack_cache.h"
#include "base/log.h"
#include "base/platform.h"

namespace ingle::cpu {

namespace {

PackedMatrix shape_of(const WeightSource& source, Isa isa) {
    PackedMatrix shape = packed_shape(find_kernel(*source.format, isa), *source.format, source.rows,
                                      source.columns);
    shape.factor = source.factor;
    return shape;
}

bool stays_in_file(const WeightSource& source, const StorageOptions& storage) {
    return storage.no_repack && source.file != nullptr;
}

}  // namespace

WeightNeed CpuWeights::need_of(const WeightSource& source, const backend::WeightUse& use,
                               const Options& options) {
    WeightNeed need;
    if (use.multiplied && !options.reference) {
        const uint64_t packed = packed_bytes(shape_of(source, options.isa));
        if (stays_in_file(source, options.storage)) need.mapped += source.bytes_total();
        else if (!options.storage.repack_cache.empty() && source.file != nullptr) need.mapped += packed;
        else need.own += packed;
    }
    if (use.read) need.own += uint64_t(source.rows * source.columns) * sizeof(float);
    return need;
}

CpuWeights::~CpuWeights() { platform::free_pages(arena_, packed_bytes_); }

Result<std::unique_ptr<CpuWeights>> CpuWeights::outline(std::span<const WeightSource> weights,
                                                        std::span<const backend::WeightUse> uses,
                                                        const Options& options) {
    auto result = std::make_unique<CpuWeights>();
    result->options_ = options;
    result->prepared_.resize(weights.size());
    result->scratch_bytes_ = cpu::scratch_bytes(options.isa);
    for (const backend::WeightUse& use : uses) {
        const WeightSource& source = weights[size_t(use.id)];
        PreparedWeight& prepared = result->prepared_[size_t(use.id)];
        prepared.source = &source;
        if (use.multiplied && !options.reference) {
            prepared.packed = shape_of(source, options.isa);
            if (stays_in_file(source, options.storage)) {
                prepared.packed.file_rows = source.stored().data();
                result->in_file_bytes_ += source.bytes_total();
                result->scratch_bytes_ =
                    std::max(result->scratch_bytes_, cpu::scratch_bytes(prepared.packed));
            } else {
                result->matrices_.push_back({&source, prepared.packed, result->packed_bytes_});
                result->matrix_ids_.push_back(use.id);
                result->packed_bytes_ = end_of(result->matrices_.back());
                // A model that was made in memory has no file to tell it by.
                result->without_cache_ = result->without_cache_ || source.file == nullptr;
            }
        }
        if (use.read) {
            prepared.values.resize(size_t(source.rows * source.columns));
            for (int64_t r = 0; r < source.rows; ++r)
                source.decode_row(r, prepared.values.data() + r * source.columns);
            result->value_bytes_ += prepared.values.size() * sizeof(float);
        }
    }
    return result;
}

uint64_t CpuWeights::bytes() const {
    const bool cached = wants_cache() && !without_cache_;
    return value_bytes_ + (cached ? 0 : packed_bytes_);
}

uint64_t CpuWeights::mapped_bytes() const {
    const bool cached = wants_cache() && !without_cache_;
    return in_file_bytes_ + (cached ? packed_bytes_ : 0);
}

Status CpuWeights::intact() const { return cache_ ? cache_->intact() : Status(); }

void CpuWeights::point_into(const std::byte* data) {
    for (size_t i = 0; i < matrices_.size(); ++i)
        prepared_[size_t(matrix_ids_[i])].packed.data = data + matrices_[i].place;
}

Status CpuWeights::reserve() {
    // The caller counted what it could not know to be needed.
    if (const uint64_t available = platform::available_memory_bytes(); packed_bytes_ > available)
        return fail(Code::out_of_memory, "the weights need ", human_bytes(packed_bytes_),
                    " of memory, but only ", human_bytes(available), " are free");
    arena_ = static_cast<std::byte*>(platform::allocate_pages(packed_bytes_));
    if (arena_ == nullptr)
        return fail(Code::out_of_memory, "cannot reserve ", human_bytes(packed_bytes_),
                    " for the packed weights");
    point_into(arena_);
    return {};
}

// The system begins to read what it does not have in memory; not where memory could not hold it.
void CpuWeights::expect_file_pages() const {
    if (mapped_bytes() > platform::available_memory_bytes()) return;
    for (const PreparedWeight& weight : prepared_)
        if (weight.packed.file_rows != nullptr)
            weight.source->file->expect_pages(weight.source->file_offset, weight.source->bytes_total());
}

Status CpuWeights::map_from_cache(ThreadPool& pool, const backend::Progress& progress) {
    const RepackCache cache(options_.storage.repack_cache, matrices_);
    auto mapping = cache.open(options_.storage.check_cache);
    if (!mapping.ok()) {
        if (mapping.status().code() != Code::not_found)
            log(LogLevel::warning, mapping.status().message(), "; it is made anew");
        Status made = cache.write(pool, progress);
        if (made.code() == Code::cancelled) return made;
        if (made.ok()) {
            log(LogLevel::notice, "wrote ", human_bytes(packed_bytes_), " of repacked weights to ",
                cache.path().string());
            mapping = cache.open(false);
            if (!mapping.ok()) made = std::move(mapping).status();
        }
        if (!made.ok()) {
            log(LogLevel::warning, "repack cache: ", made.message(), "; the model is loaded without it");
            without_cache_ = true;
            return {};
        }
    }
    cache_ = std::move(mapping->file);
    point_into(cache_->bytes().data() + mapping->data_offset);
    if (packed_bytes_ <= platform::available_memory_bytes())
        cache_->expect_pages(mapping->data_offset, packed_bytes_);
    return {};
}

Status CpuWeights::load(ThreadPool& pool, const backend::Progress& progress) {
    expect_file_pages();
    if (packed_bytes_ == 0) return {};
    if (wants_cache() && !without_cache_) INGLE_TRY(map_from_cache(pool, progress));
    if (cache_) return {};
    INGLE_TRY(reserve());
    return pack_into(arena_, matrices_, pool, progress);
}

}  // namespace ingle::cpu
