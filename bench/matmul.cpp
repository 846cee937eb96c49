// Matrix products of every format: prompts (many tokens, beside the machine's int8 or f32 roof) and
// decoding (few tokens, beside its read bandwidth). Names: matmul/FORMAT/ISA/ROWSxCOLUMNS/TOKENS.
// INGLE_BENCH_THREADS sets the threads.
#include "backend/cpu/gemm/matmul.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "backend/cpu/gemm/kernel.h"
#include "backend/cpu/roofs.h"
#include "base/cpu_info.h"
#include "base/platform.h"
#include "base/random.h"
#include "base/text.h"
#include "quant/support/format.h"

namespace {

using namespace ingle;
using namespace ingle::cpu;

int thread_count() {
    const char* const wanted = std::getenv("INGLE_BENCH_THREADS");
    return wanted != nullptr ? std::atoi(wanted) : default_thread_count(nullptr);
}

// Memory on large pages, as the arena of the weights has it.
class Pages {
  public:
    explicit Pages(size_t bytes)
        : bytes_(bytes), memory_(static_cast<std::byte*>(platform::allocate_pages(bytes))) {}
    ~Pages() { platform::free_pages(memory_, bytes_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    std::byte* get() const { return memory_; }

  private:
    size_t bytes_;
    std::byte* memory_;
};

struct Shape {
    int64_t rows, columns, tokens;
};

// Enough copies of a matrix that no cache holds them all, as in a model.
constexpr size_t cold_bytes = size_t(256) << 20;

void fill_with_noise(const PackedMatrix& shape, std::byte* out) {
    Random random(1);
    const quant::FormatInfo& format = *shape.format;
    const size_t row_bytes = size_t(shape.columns / format.block_size) * format.block_bytes;
    std::vector<float> row(size_t(shape.columns), 0.0f);
    std::vector<std::byte> rows(group_rows * row_bytes);
    for (size_t r = 0; r < group_rows; ++r) {
        for (float& value : row) value = float(random.normal());
        format.encode_row(row.data(), shape.columns, rows.data() + r * row_bytes, {});
    }
    for (int64_t group = 0; group < group_count(shape); ++group)
        pack_group(shape, group, rows.data(), out + size_t(group) * shape.group_bytes);
}

void matmul(benchmark::State& state, const quant::FormatInfo& format, Isa isa, Shape shape) {
    const int threads = thread_count();
    const WeightKernel& kernel = find_kernel(format, isa);
    const PackedMatrix one = packed_shape(kernel, format, shape.rows, shape.columns);
    const size_t bytes = packed_bytes(one);
    const size_t copies = shape.tokens > 16 ? 1 : cold_bytes / bytes + 1;
    const Pages memory(bytes * copies);
    std::vector<PackedMatrix> matrices(copies, one);
    for (size_t i = 0; i < copies; ++i) {
        matrices[i].data = memory.get() + i * bytes;
        if (i == 0) fill_with_noise(one, memory.get());
        if (i > 0) std::copy_n(memory.get(), bytes, memory.get() + i * bytes);
    }
    Random random(2);
    std::vector<float> x(size_t(shape.tokens * shape.columns), 0.0f);
    for (float& value : x) value = float(random.normal());
    std::vector<float> out(size_t(shape.tokens * shape.rows), 0.0f);
    Activations activations = {kernel.kind, isa, 1, shape.columns, shape.tokens, nullptr};
    const Pages activation_memory(activation_bytes(activations));
    activations.data = activation_memory.get();
    for (int64_t task = 0; task < fill_task_count(activations); ++task)
        fill_activations(activations, task, x.data(), shape.columns);

    ThreadPool pool(threads);
    const size_t scratch_size = scratch_bytes(isa);
    const Pages scratch(scratch_size * size_t(threads));
    TaskCounter counter;
    size_t next = 0;
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
        const MatmulJob job = {&matrices[next], &activations, out.data(), shape.rows};
        next = (next + 1) % copies;
        counter.reset();
        const auto start = std::chrono::steady_clock::now();
        pool.run([&](int thread) {
            run_tasks({&job, 1}, counter, {scratch.get() + scratch_size * size_t(thread)});
        });
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    // The best call tells the kernel's speed on a shared machine, the mean what the neighbours left
    // of it.
    const double operations =
        2e-9 * double(shape.rows) * double(shape.columns) * double(shape.tokens);
    const bool int8 = kernel.kind == ActivationKind::int8;
    static std::map<std::string, double> roofs;
    const std::string roof_name = cat(to_string(isa), int8 ? " int8" : " f32");
    if (roofs.find(roof_name) == roofs.end())
        roofs[roof_name] = int8 ? int8_roof(isa, threads) : f32_roof(isa, threads);
    if (roofs.find("read") == roofs.end()) roofs["read"] = read_roof(threads);
    state.counters["Gop/s"] = operations / best;
    state.counters["of_roof_%"] = 100 * operations / best / roofs[roof_name];
    state.counters["GB/s"] = double(bytes) * 1e-9 / best;
    state.counters["of_read_%"] = 100 * double(bytes) * 1e-9 / best / roofs["read"];
}

}  // namespace

int main(int argc, char** argv) {
    for (const Isa isa : supported_isas())
        for (const quant::FormatInfo& format : quant::all_formats())
            for (const Shape shape : {Shape{2048, 2048, 1},
                                      {2048, 2048, 4},
                                      {2048, 2048, 16},
                                      {2048, 2048, 512},
                                      {2048, 8192, 512},
                                      {576, 576, 512}}) {
                if (shape.columns % format.block_size != 0) continue;
                benchmark::RegisterBenchmark(cat("matmul/", format.name, "/", to_string(isa), "/",
                                                 shape.rows, "x", shape.columns, "/", shape.tokens)
                                                 .c_str(),
                                             [&format, isa, shape](benchmark::State& state) {
                                                 matmul(state, format, isa, shape);
                                             })
                    ->UseRealTime()
                    ->MinTime(0.05);
            }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
