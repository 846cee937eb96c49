// Attention on one thread: prompts in Gflop/s (a multiplication and an addition count as two), single tokens in GB/s of
// keys and values read.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "backend/cpu/step.h"
#include "base/random.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker attention;
}
namespace {

// 8 KV heads, `context` tokens of which the last `rows` are queries.
struct Scene {
    Node node;
    KvView kv;
    std::vector<std::byte> pages, exact;
    std::vector<PageEntry> table;
    SequenceRows sequence;
    std::vector<float> query, out;
    std::vector<Token> tokens;
    std::vector<int32_t> positions;
    std::unique_ptr<Step> step;
    std::vector<std::byte> workspace, scratch;
    RunState state;
    Batch batch;

    Scene(int64_t group, int64_t dim, int64_t context, int64_t rows, Isa isa, KvType type) {
        ops::Attention op;
        op.kv_heads = 8;
        op.heads = op.kv_heads * group;
        op.key_dim = op.value_dim = dim;
        op.scale = 0.1f;
        node.op = op;
        make_pages({op.kv_heads, dim, dim}, (context + 31) / 32, type);
        Random random(1);
        query.resize(size_t(rows * op.heads * dim));
        for (float& q : query) q = float(random.normal());
        out.resize(query.size());
        tokens.resize(size_t(rows));
        positions.resize(size_t(rows));
        std::iota(positions.begin(), positions.end(), int32_t(context - rows));
        sequence = {table, 0, int32_t(rows), 0, 0};
        batch = {tokens, positions, {}, {&sequence, 1}};
        StepInputs inputs;
        inputs.node = &node;
        inputs.in = {{query.data(), op.heads * dim, Rows::tokens}};
        inputs.out = {{out.data(), op.heads * dim, Rows::tokens}};
        inputs.kv = kv;
        inputs.isa = isa;
        inputs.tokens_max = rows;
        step = entries::attention.make(inputs);
        workspace.resize(step->workspace_bytes() + 64);
        scratch.resize(step->scratch_bytes() + 64);
        state.batch = &batch;
        state.workspace = aligned(workspace);
        state.scratch.data = aligned(scratch);
    }

    void make_pages(const KvShape& shape, int64_t count, KvType type) {
        kv.pages_max = count;
        kv.set_types(shape, 32, type, type);
        kv.page_bytes = size_t(shape.page_bytes(type, type, 32));
        pages.resize(kv.page_bytes * size_t(count));
        kv.base = pages.data();
        kv.exact_page_bytes = size_t(shape.page_bytes(KvType::f16, KvType::f16, 32));
        if (info(type).quantized) exact.resize(kv.exact_page_bytes * size_t(count));
        if (info(type).quantized) kv.exact_base = exact.data();
        table.resize(size_t(count));
        for (size_t i = 0; i < table.size(); ++i) table[i].page = uint32_t(i);
        kv.table = table.data();
        std::vector<float> row(size_t(shape.key_dim));
        Random random(2);
        for (float& x : row) x = float(random.normal());
        for (int64_t token = 0; token < 32 * count; ++token)
            for (int64_t head = 0; head < shape.kv_heads; ++head) {
                row[size_t(random.below(uint32_t(row.size())))] = float(random.normal());
                kv.put_key(head, token, row.data());
                kv.put_value(head, token, row.data());
            }
    }

    static std::byte* aligned(std::vector<std::byte>& bytes) {
        return bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
    }

    void run() {
        for (int phase = 0; phase < step->phases(); ++phase) {
            const int64_t tasks = step->tasks(phase, batch);
            for (int64_t task = 0; task < tasks; ++task) step->run(phase, task, state);
        }
    }
};

// Arguments: instruction set, query heads per KV head, head_dim, context tokens, type of the cache. Bytes are counted as
// if they were f16, so that types compare.
void prompt(benchmark::State& state) {
    const int64_t group = state.range(1), dim = state.range(2), context = state.range(3);
    Scene scene(group, dim, context, context, Isa(state.range(0)), KvType(state.range(4)));
    for (auto _ : state) scene.run();
    const double pairs = double(context) * double(context + 1) / 2 * double(8 * group);
    state.counters["Gflop/s"] = benchmark::Counter(
        pairs * double(4 * dim) * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void decode(benchmark::State& state) {
    const int64_t group = state.range(1), dim = state.range(2), context = state.range(3);
    Scene scene(group, dim, context, 1, Isa(state.range(0)), KvType(state.range(4)));
    for (auto _ : state) scene.run();
    state.counters["GB/s"] = benchmark::Counter(double(context * 8 * dim * 2 * 2) * 1e-9,
                                                benchmark::Counter::kIsIterationInvariantRate);
}

void all_isas(benchmark::internal::Benchmark* bench, const std::vector<int64_t>& contexts) {
    for (const Isa isa : supported_isas())
        for (const int64_t context : contexts)
            for (const auto& [group, dim] : {std::pair{1, 64}, {3, 64}, {4, 128}})
                for (const KvType type : {KvType::f16, KvType::q8_0, KvType::q4_0})
                    bench->Args({int64_t(isa), group, dim, context, int64_t(type)});
}

BENCHMARK(prompt)->Apply([](auto* bench) { all_isas(bench, {512, 2048}); });
BENCHMARK(decode)->Apply([](auto* bench) { all_isas(bench, {256, 4096, 16384}); });

}  // namespace
}  // namespace ingle::cpu
