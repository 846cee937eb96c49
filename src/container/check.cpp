#include "container/check.h"

#include <algorithm>
#include <bit>

#include "container/codes.h"
#include "container/decode.h"
#include "gguf/tensor_type.h"

namespace ingle::container {

namespace {

constexpr uint64_t task_bytes = 256 << 10;

struct Task {
    const gguf::TensorInfo* tensor;
    const gguf::TensorType* type;
    DecodeRow decode;
    BadCodes bad_codes;  // may be null
    uint64_t first_block;
    uint64_t blocks;
};

struct Found {
    uint64_t bad = 0;
    uint64_t first = 0;
    Status status;
};

bool all_finite(std::span<const float> values) {
    uint32_t worst = 0;
    for (const float value : values)
        worst = std::max(worst, std::bit_cast<uint32_t>(value) & 0x7f800000u);
    return worst != 0x7f800000u;
}

Found check_blocks(const gguf::File& file, const Task& task, std::vector<std::byte>& bytes,
                   std::vector<float>& values) {
    Found found;
    const uint64_t elements = task.type->block_elements;
    bytes.resize(size_t(task.blocks * task.type->block_bytes));
    values.resize(size_t(task.blocks * elements));
    found.status = file.read(*task.tensor, task.first_block * task.type->block_bytes, bytes);
    if (!found.status.ok()) return found;
    task.decode(bytes.data(), int64_t(values.size()), values.data());
    if (task.bad_codes == nullptr && all_finite(values)) return found;
    for (uint64_t b = 0; b < task.blocks; ++b) {
        const bool finite = all_finite(std::span(values).subspan(size_t(b * elements), size_t(elements)));
        const std::byte* const block = bytes.data() + b * task.type->block_bytes;
        if (finite && (task.bad_codes == nullptr || !task.bad_codes(block))) continue;
        if (found.bad++ == 0) found.first = task.first_block + b;
    }
    return found;
}

std::vector<Task> tasks_of(const gguf::File& file, CheckReport& report) {
    std::vector<Task> tasks;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        const gguf::TensorType* const type = gguf::find_tensor_type(tensor.type_id);
        const DecodeRow decode = decoder_of(tensor.type_id);
        if (type == nullptr || decode == nullptr) {
            report.unknown.push_back(tensor.name);
            continue;
        }
        const uint64_t blocks = tensor.bytes / type->block_bytes;
        const uint64_t per_task = std::max<uint64_t>(task_bytes / type->block_bytes, 1);
        for (uint64_t first = 0; first < blocks; first += per_task)
            tasks.push_back({&tensor, type, decode, bad_codes_of(type->id), first, std::min(per_task, blocks - first)});
        report.tensors += 1;
        report.blocks += blocks;
    }
    return tasks;
}

}  // namespace

Result<CheckReport> check_tensors(const gguf::File& file, ThreadPool& pool, const Progress& progress) {
    CheckReport report;
    const std::vector<Task> tasks = tasks_of(file, report);
    std::vector<Found> found(tasks.size());
    const size_t round = size_t(pool.size()) * 16;  // between two looks at `progress`
    for (size_t done = 0; done < tasks.size(); done += round) {
        const size_t end = std::min(done + round, tasks.size());
        TaskCounter claims;
        pool.run([&](int) {
            std::vector<std::byte> bytes;
            std::vector<float> values;
            for (size_t t = done + size_t(claims.claim()); t < end; t = done + size_t(claims.claim()))
                found[t] = check_blocks(file, tasks[t], bytes, values);
        });
        INGLE_TRY(progress(end, tasks.size()));
    }
    for (size_t t = 0; t < tasks.size(); ++t) {
        INGLE_TRY(std::move(found[t].status));
        if (found[t].bad == 0) continue;
        const Task& task = tasks[t];
        if (report.faults.empty() || report.faults.back().tensor != task.tensor->name) {
            const uint64_t per_row = std::max<uint64_t>(task.tensor->dims[0] / task.type->block_elements, 1);
            report.faults.push_back({task.tensor->name, std::string(task.type->name), 0, found[t].first,
                                     found[t].first / per_row,
                                     task.tensor->bytes / task.type->block_bytes});
        }
        report.faults.back().bad_blocks += found[t].bad;
    }
    return report;
}

std::string describe(const TensorFault& fault) {
    return cat("tensor ", quoted(fault.tensor), " (", fault.type, "): ", fault.bad_blocks, " of ",
               fault.blocks, " blocks hold NaN, infinity or codes without a meaning, the first is block ", fault.first_block,
               " in row ", fault.first_row);
}

Status status_of(const CheckReport& report) {
    if (report.faults.empty()) return {};
    const size_t more = report.faults.size() - 1;
    return fail(Code::corrupt, describe(report.faults[0]),
                more == 0 ? "" : cat("; ", more, " more tensors are damaged"));
}

}  // namespace ingle::container
