// Attention on the CPU, in tiles of queries of one sequence that share a KV head. With few queries and a long
// context the chunks of keys are tasks of their own, and a second phase merges their partial
// results; else a task walks all chunks of its tile.
#include "backend/cpu/attention/kernels.h"

#include <algorithm>

#include "backend/cpu/ops/kernels/rotate.h"
#include "backend/cpu/step.h"

namespace ingle::cpu::entries {

namespace {

using attention::Tile;

constexpr int32_t not_packed = INT32_MIN;            // no queries are: no shift is so large
constexpr int64_t tasks_wanted = 32;                 // enough for threads of unequal speed
constexpr int64_t rows_wanted = 16;                  // below this a tile reuses keys too little
constexpr int64_t small_work = 200'000;              // multiplications that are not worth a barrier
constexpr uint64_t partial_bytes_max = 16ull << 20;  // of all partial results of a split

// How one batch is cut up. Nothing here changes a result.
struct Plan {
    int64_t rows = 0;
    int64_t queries_per_tile = 1;
    int64_t tiles = 0;
    int64_t first_chunk = 0;  // of the whole batch; known if it may be split
    int64_t chunks = 1;
    bool single = false;      // one task does everything
    bool split = false;       // chunks are tasks of their own
};

class AttentionStep final : public Step {
  public:
    explicit AttentionStep(const StepInputs& inputs)
        : op_(inputs.op<ops::Attention>()),
          kernels_(attention::kernels(inputs.isa)),
          query_(inputs.in[0]),
          out_(inputs.out[0]),
          rows_domain_(inputs.node->rows),
          frequency_(inputs.weights.empty() ? nullptr : inputs.weights[0]->values.data()),
          rotate_(rotate_kernels(inputs.isa)),
          kv_(inputs.kv),
          exact_(inputs.kv.exact()),
          group_(op_.heads / op_.kv_heads),
          tile_heads_(std::min<int64_t>(group_, attention::tile_rows_max)),
          head_blocks_((group_ + tile_heads_ - 1) / tile_heads_) {
        const int64_t chunks_max =
            kv_.pages_max * attention::page_tokens / attention::chunk_tokens + 1;
        const uint64_t row_bytes = uint64_t(partial_stride()) * sizeof(float);
        // Only fewer than tasks_wanted tiles are split; the last one of a sequence may be half empty.
        const int64_t rows = std::min(2 * inputs.rows_max() * op_.heads,
                                      tasks_wanted * attention::tile_rows_max);
        const uint64_t wanted = uint64_t(rows * chunks_max) * row_bytes;
        partials_max_ = int64_t(std::min(wanted, partial_bytes_max) / row_bytes);
    }

    int phases() const override { return 2; }

    int64_t tasks(int phase, const Batch& batch) const override {
        const Plan plan = plan_for(batch);
        if (phase == 1) return plan.split ? plan.tiles : 0;
        if (plan.single) return 1;
        return plan.split ? plan.tiles * plan.chunks : plan.tiles;
    }

    void run(int phase, int64_t task, const RunState& state) override {
        const Plan plan = plan_for(*state.batch);
        if (phase == 1) return merge_tile(plan, task, state);
        if (plan.split) return attend_chunk(plan, task, state);
        if (!plan.single) return attend_tile(plan, plan.tiles - 1 - task, state);
        for (int64_t tile = 0; tile < plan.tiles; ++tile) attend_tile(plan, tile, state);
    }

    uint64_t workspace_bytes() const override {
        return uint64_t(partials_max_ * partial_stride()) * sizeof(float);
    }
    size_t scratch_bytes() const override { return attention::scratch_bytes(op_); }

    std::string describe() const override {
        std::string text = cat("attention ", op_.heads, " heads over ", op_.kv_heads, " x ",
                               op_.key_dim);
        if (op_.window > 0) text += cat(", window ", op_.window);
        return text;
    }

  private:
    int64_t partial_stride() const { return attention::partial_stride(op_); }

    Plan plan_for(const Batch& batch) const {
        Plan plan;
        plan.rows = batch.count(rows_domain_);
        if (plan.rows == 0) return plan;
        const int64_t columns = op_.kv_heads * head_blocks_;
        const int64_t query_blocks = (tasks_wanted + columns - 1) / columns;
        const int64_t even_share = (plan.rows + query_blocks - 1) / query_blocks;
        plan.queries_per_tile =
            std::min(plan.rows,
                     std::clamp(even_share, std::max<int64_t>(1, rows_wanted / tile_heads_),
                                std::max<int64_t>(1, attention::tile_rows_max / tile_heads_)));
        for (const SequenceRows& sequence : batch.sequences)
            plan.tiles += query_blocks_of(sequence, plan) * columns;
        if (plan.tiles < tasks_wanted) scan(batch, plan);
        return plan;
    }

    int64_t query_blocks_of(const SequenceRows& sequence, const Plan& plan) const {
        return (sequence.size(rows_domain_) + plan.queries_per_tile - 1) / plan.queries_per_tile;
    }

    // Looks at the positions of a small batch: what it costs, and whether splitting its keys pays.
    void scan(const Batch& batch, Plan& plan) const {
        int64_t first = INT64_MAX;
        int64_t last = 0;
        int64_t keys = 0;
        for (int64_t r = 0; r < plan.rows; ++r) {
            const int64_t position = batch.position(rows_domain_, r);
            const int64_t first_key = op_.first_key(position, batch.sequence(rows_domain_, r));
            first = std::min(first, first_key);
            last = std::max(last, position);
            keys += position + 1 - first_key;
        }
        plan.first_chunk = first / attention::chunk_tokens;
        plan.chunks = last / attention::chunk_tokens - plan.first_chunk + 1;
        plan.single = keys * op_.heads * (op_.key_dim + op_.value_dim) < small_work;
        const int64_t partials = plan.tiles * plan.chunks * plan.queries_per_tile * tile_heads_;
        plan.split = !plan.single && plan.chunks > 1 && partials <= partials_max_;
    }

    // Tile number = (sequence, block of its queries, KV head, block of its heads), the last running fastest.
    Tile tile_at(const Plan& plan, int64_t number, const Batch& batch) const {
        Tile tile;
        const int64_t head_block = number % head_blocks_;
        tile.kv_head = number / head_blocks_ % op_.kv_heads;
        int64_t query_block = number / head_blocks_ / op_.kv_heads;
        const SequenceRows* sequence = batch.sequences.data();
        while (query_block >= query_blocks_of(*sequence, plan))
            query_block -= query_blocks_of(*sequence++, plan);
        tile.table = sequence->pages.data();
        const int64_t first = sequence->begin(rows_domain_) + query_block * plan.queries_per_tile;
        const int64_t last = std::min(first + plan.queries_per_tile, sequence->end(rows_domain_));
        const int64_t first_head = tile.kv_head * group_ + head_block * tile_heads_;
        const int64_t last_head =
            std::min(first_head + tile_heads_, (tile.kv_head + 1) * group_);
        for (int64_t r = first; r < last; ++r) {
            const int64_t position = batch.position(rows_domain_, r);
            for (int64_t head = first_head; head < last_head; ++head) {
                tile.query[tile.rows] = query_.data + r * query_.columns + head * op_.key_dim;
                tile.out[tile.rows] = out_.data + r * out_.columns + head * op_.value_dim;
                tile.begin[tile.rows] = op_.first_key(position, *sequence);
                tile.end[tile.rows++] = position + 1;
            }
        }
        return tile;
    }

    static KvView view_of(const Tile& tile, KvView view) {
        view.table = tile.table;
        return view;
    }

    // Packs the tile's queries for tokens that moved by `shift`.
    void pack(const attention::Work& work, int32_t shift) const {
        const int64_t half = op_.rotary / 2;
        if (shift == 0 || half == 0) return kernels_.pack_queries(work, work.tile.query);
        // The table stands where the next page will.
        float* const cosine = work.scratch.page;
        float* const sine = cosine + half;
        rotate_.make_exact_table(-double(shift), frequency_, half, cosine, sine);
        const auto rotate = op_.interleaved ? rotate_.neighbours : rotate_.halves;
        const float* queries[attention::tile_rows_max];
        for (int r = 0; r < work.tile.rows; ++r) {
            float* const turned = work.scratch.turned + r * op_.key_dim;
            std::copy_n(work.tile.query[r], op_.key_dim, turned);
            rotate(work.tile.query[r], cosine, sine, half, turned);
            queries[r] = turned;
        }
        kernels_.pack_queries(work, queries);
    }

    // Pages that moved by the same meet the same queries; `packed` says which those are.
    void attend_chunk(const attention::Work& work, int64_t chunk, int32_t& packed,
                      float* partials) const {
        const int64_t start = chunk * attention::chunk_tokens;
        const int64_t end =
            std::min<int64_t>(*std::max_element(work.tile.end, work.tile.end + work.tile.rows) - start,
                              attention::chunk_tokens);
        const auto shift_at = [&](int64_t at) {
            return work.tile.table[(start + at) / attention::page_tokens].shift;
        };
        for (int64_t at = 0, next; at < end; at = next) {
            const int32_t shift = shift_at(at);
            next = at + attention::page_tokens;
            while (next < end && shift_at(next) == shift) next += attention::page_tokens;
            if (shift != packed) pack(work, packed = shift);
            kernels_.score(work, chunk, at, next);
        }
        kernels_.attend(work, chunk, partials);
    }

    void attend_tile(const Plan& plan, int64_t number, const RunState& state) const {
        const Tile tile = tile_at(plan, number, *state.batch);
        const KvView kv = view_of(tile, kv_);
        const KvView exact = view_of(tile, exact_);
        const attention::Scratch scratch = attention::scratch_at(state.scratch.data, op_);
        const attention::Work work = {op_, kv, exact, tile, scratch};
        int32_t packed = not_packed;
        for (int64_t chunk = tile.first_chunk(); chunk <= tile.last_chunk(); ++chunk) {
            attend_chunk(work, chunk, packed, scratch.chunk);
            for (int r = 0; r < tile.rows; ++r)
                if (attention::sees(tile, r, chunk))
                    take(tile, r, chunk, scratch.chunk + r * partial_stride(),
                         scratch.running + r * partial_stride());
        }
        for (int r = 0; r < tile.rows; ++r)
            finish(scratch.running + r * partial_stride(), tile.out[r]);
    }

    void finish(const float* running, float* out) const {
        kernels_.finish(op_, running, out);
        hadamard_rows(out, op_.value_dim, kv_.value_rotation());
    }

    // The row's first chunk starts its running result, later ones are merged into it.
    void take(const Tile& tile, int row, int64_t chunk, const float* partial,
              float* running) const {
        if (chunk == tile.begin[row] / attention::chunk_tokens)
            std::copy_n(partial, partial_stride(), running);
        else kernels_.merge(op_, running, partial);
    }

    // Partial results of a split: [tile][chunk][row of the tile].
    float* partials_at(const Plan& plan, int64_t tile, int64_t chunk, const RunState& state) const {
        const int64_t slot = (tile * plan.chunks + chunk - plan.first_chunk) *
                             plan.queries_per_tile * tile_heads_;
        return reinterpret_cast<float*>(state.workspace) + slot * partial_stride();
    }

    void attend_chunk(const Plan& plan, int64_t task, const RunState& state) const {
        const int64_t chunk = plan.first_chunk + task % plan.chunks;
        const Tile tile = tile_at(plan, task / plan.chunks, *state.batch);
        if (chunk < tile.first_chunk() || chunk > tile.last_chunk()) return;
        const KvView kv = view_of(tile, kv_);
        const KvView exact = view_of(tile, exact_);
        const attention::Scratch scratch = attention::scratch_at(state.scratch.data, op_);
        const attention::Work work = {op_, kv, exact, tile, scratch};
        int32_t packed = not_packed;
        attend_chunk(work, chunk, packed, partials_at(plan, task / plan.chunks, chunk, state));
    }

    void merge_tile(const Plan& plan, int64_t number, const RunState& state) const {
        const Tile tile = tile_at(plan, number, *state.batch);
        const attention::Scratch scratch = attention::scratch_at(state.scratch.data, op_);
        for (int r = 0; r < tile.rows; ++r) {
            for (int64_t chunk = tile.begin[r] / attention::chunk_tokens;
                 chunk * attention::chunk_tokens < tile.end[r]; ++chunk)
                take(tile, r, chunk,
                     partials_at(plan, number, chunk, state) + r * partial_stride(),
                     scratch.running);
            finish(scratch.running, tile.out[r]);
        }
    }

    ops::Attention op_;
    const attention::Kernels& kernels_;
    Operand query_;
    Operand out_;
    Rows rows_domain_;
    const float* frequency_;  // [rotary / 2]
    const RotateKernels& rotate_;
    KvView kv_;
    KvView exact_;
    int64_t group_;        // query heads of a KV head
    int64_t tile_heads_;   // of them in one tile
    int64_t head_blocks_;  // tiles that a group takes
    int64_t partials_max_ = 0;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    if (inputs.kv.page_tokens != attention::page_tokens) return nullptr;
    return std::make_unique<AttentionStep>(inputs);
}

}  // namespace

extern const StepMaker attention;
const StepMaker attention{.op = ops::Attention::name, .make = make};

}  // namespace ingle::cpu::entries
