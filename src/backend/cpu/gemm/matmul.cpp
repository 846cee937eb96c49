#include "backend/cpu/gemm/matmul.h"

#include <algorithm>
#include <cassert>

#include "backend/cpu/gemm/kernel.h"

namespace ingle::cpu {

namespace {

// Weights of a task of few columns: enough that claiming it costs little, few enough that threads
// end together.
constexpr size_t direct_task_bytes = 128 * 1024;
constexpr int64_t tasks_wanted = 16;

// How a job is cut: rows into pieces of `groups` groups, columns into pieces of `columns`.
struct Grid {
    bool direct;
    int64_t groups, columns;
    int64_t row_pieces, column_pieces;
};

int64_t divide_up(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

Grid grid_of(const MatmulJob& job) {
    const IsaKernels& kernels = kernels_of(job.weights->kernel->isa);
    const int64_t groups = group_count(*job.weights);
    const int64_t columns = column_count(*job.activations);
    if (columns == 0 || groups == 0) return {true, 1, 1, 0, 0};
    if (columns <= kernels.tile_columns) {
        const int64_t by_size =
            int64_t(direct_task_bytes / std::max<size_t>(job.weights->group_bytes, 1));
        const int64_t by_count = groups / tasks_wanted;
        const int64_t per_task = std::max<int64_t>(1, std::min(by_size, by_count));
        return {true, per_task, columns, divide_up(groups, per_task), 1};
    }
    // Columns are cut into equal pieces; more of them where there are too few panels to go round.
    const int64_t panels = divide_up(groups, kernels.panel_groups);
    // What has to be packed first is packed once, for all columns.
    if (job.weights->data == nullptr) return {false, kernels.panel_groups, panel_columns_max, panels, 1};
    const int64_t least = divide_up(columns, panel_columns_max);
    const int64_t wanted = std::max(least, divide_up(tasks_wanted / 2, panels));
    constexpr int64_t unit = 12;  // whole tiles and whole tokens
    const int64_t piece =
        std::max<int64_t>(divide_up(divide_up(columns, wanted), unit) * unit, task_columns_min);
    static_assert(task_columns_min % unit == 0);
    return {false, kernels.panel_groups, piece, panels, divide_up(columns, piece)};
}

void run_groups(const MatmulJob& job, const Grid& grid, int64_t group, int64_t group_end,
                int64_t column, int64_t column_end, ThreadScratch scratch) {
    const WeightKernel& kernel = *job.weights->kernel;
    if (grid.direct) return kernel.direct(job, group, group_end);
    kernel.panel(job, {group, group_end - group, column, column_end}, scratch.data);
}

// Weights in the file's order are packed as they are needed, a panel at a time, and then multiplied
// like any others: the same bits come out.
void run_from_file(const MatmulJob& job, const Grid& grid, int64_t first, int64_t last,
                   ThreadScratch scratch) {
    const int64_t step = kernels_of(job.weights->kernel->isa).panel_groups;
    const int64_t columns = column_count(*job.activations);
    std::byte* const packed = scratch.data + panel_scratch_bytes;
    for (int64_t group = first; group < last; group += step) {
        PackedMatrix weights = groups_of(*job.weights, group, std::min(group + step, last));
        const size_t row_bytes = file_row_bytes(weights);
        for (int64_t g = 0; g < group_count(weights); ++g)
            pack_group(weights, g, weights.file_rows + size_t(g * group_rows) * row_bytes,
                       packed + size_t(g) * weights.group_bytes);
        weights.data = packed;
        const int64_t row = group * group_rows;
        MatmulJob part = job;
        part.weights = &weights;
        part.out += row;
        if (part.bias != nullptr) part.bias += row;
        if (part.residual != nullptr) part.residual += row;
        for (int64_t column = 0; column < columns; column += grid.columns)
            run_groups(part, grid, 0, group_count(weights), column,
                       std::min(column + grid.columns, columns), scratch);
    }
}

}  // namespace

static_assert(panel_columns_max % 12 == 0 && panel_scratch_bytes % 64 == 0);

size_t scratch_bytes(Isa) {
    return panel_scratch_bytes;
}

size_t scratch_bytes(const PackedMatrix& weights) {
    if (weights.file_rows == nullptr) return panel_scratch_bytes;
    const int64_t groups = kernels_of(weights.kernel->isa).panel_groups;
    return panel_scratch_bytes + size_t(groups) * weights.group_bytes;
}

int64_t task_count(const MatmulJob& job) {
    const Grid grid = grid_of(job);
    return grid.row_pieces * grid.column_pieces;
}

void run_task(const MatmulJob& job, int64_t task, ThreadScratch scratch) {
    assert(job.activations->kind == job.weights->kernel->kind &&
           job.activations->isa == job.weights->kernel->isa);
    assert(job.activations->columns == job.weights->columns);
    const Grid grid = grid_of(job);
    // Pieces of the same rows follow each other, so that their weights are still in a cache.
    const int64_t group = task / grid.column_pieces * grid.groups;
    const int64_t group_end = std::min(group + grid.groups, group_count(*job.weights));
    if (job.weights->data == nullptr) return run_from_file(job, grid, group, group_end, scratch);
    const int64_t column = task % grid.column_pieces * grid.columns;
    const int64_t column_end = std::min(column + grid.columns, column_count(*job.activations));
    run_groups(job, grid, group, group_end, column, column_end, scratch);
}

void run_tasks(std::span<const MatmulJob> jobs, TaskCounter& counter, ThreadScratch scratch) {
    int64_t first = 0;  // number of the first task of the job looked at
    size_t index = 0;
    int64_t count = jobs.empty() ? 0 : task_count(jobs[0]);
    while (index < jobs.size()) {
        const int64_t task = counter.claim();
        while (index < jobs.size() && task >= first + count) {
            first += count;
            if (++index < jobs.size()) count = task_count(jobs[index]);
        }
        if (index < jobs.size()) run_task(jobs[index], task - first, scratch);
    }
}

}  // namespace ingle::cpu
