// Random weights and activations for the tests of the CPU matrix kernels, and a product run on one
// thread or many.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/cpu/gemm/kernel.h"
#include "backend/cpu/gemm/matmul.h"
#include "base/random.h"
#include "quant/support/format.h"

namespace ingle::cpu::test {

// 64-byte aligned, filled with a pattern that no kernel may rely on.
class Bytes {
  public:
    explicit Bytes(size_t size)
        : memory_(static_cast<std::byte*>(::operator new(size + 64, std::align_val_t(64)))) {
        std::memset(memory_.get(), 0xa5, size + 64);
    }
    std::byte* get() const { return memory_.get(); }

  private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
    };
    std::unique_ptr<std::byte, Free> memory_;
};

struct Weights {
    std::vector<std::byte> file;  // rows as in a file
    std::vector<float> values;    // decoded [rows, columns]
    PackedMatrix packed;
    Bytes memory;

    Weights(const quant::FormatInfo& format, const WeightKernel& kernel, int64_t rows,
            int64_t columns, std::vector<std::byte> file_rows)
        : file(std::move(file_rows)),
          values(size_t(rows * columns)),
          packed(packed_shape(kernel, format, rows, columns)),
          memory(packed_bytes(packed)) {
        const size_t row_bytes = size_t(columns / format.block_size) * format.block_bytes;
        for (int64_t row = 0; row < rows; ++row)
            format.decode_row(file.data() + size_t(row) * row_bytes, columns,
                              values.data() + row * columns);
        for (int64_t group = 0; group < group_count(packed); ++group)
            pack_group(packed, group, file.data() + size_t(group) * group_rows * row_bytes,
                       memory.get() + size_t(group) * packed.group_bytes);
        packed.data = memory.get();
    }
};

// Encoded random rows with a mean that differs from row to row. Encoders are slow, so rows are
// pieced together from a supply of 48 short ones.
inline std::vector<std::byte> random_rows(const quant::FormatInfo& format, int64_t rows,
                                          int64_t columns, Random& random) {
    constexpr int64_t stretches = 48, width = 256;
    static std::map<uint32_t, std::vector<std::byte>> supplies;
    const size_t block = format.block_bytes, stretch = size_t(width / format.block_size) * block;
    std::vector<std::byte>& supply = supplies[format.gguf_id];
    if (supply.empty()) {
        supply.resize(stretches * stretch);
        std::vector<float> values(width);
        for (size_t s = 0; s < stretches; ++s) {
            const double mean = random.normal() * 0.3;
            for (float& value : values) value = float(random.normal() + mean);
            format.encode_row(values.data(), width, supply.data() + s * stretch, {});
        }
    }
    const size_t row_bytes = size_t(columns / format.block_size) * block;
    std::vector<std::byte> file;
    for (int64_t r = 0; r < rows; ++r)
        for (size_t left = row_bytes; left > 0;) {
            const size_t from = random.below(stretches) * stretch, taken = std::min(left, stretch);
            file.insert(file.end(), supply.data() + from, supply.data() + from + taken);
            left -= taken;
        }
    return file;
}

inline Weights random_weights(const quant::FormatInfo& format, const WeightKernel& kernel,
                              int64_t rows, int64_t columns, Random& random) {
    return Weights(format, kernel, rows, columns, random_rows(format, rows, columns, random));
}

inline std::vector<float> random_floats(int64_t count, Random& random) {
    std::vector<float> values(size_t(count), 0.0f);
    for (float& value : values) value = float(random.normal() * (random.below(20) == 0 ? 8 : 1));
    return values;
}

struct Filled {
    Activations view;
    Bytes memory;

    Filled(const WeightKernel& kernel, int planes, int64_t columns, int64_t tokens, const float* x)
        : view{kernel.kind, kernel.isa, kernel.kind == ActivationKind::int8 ? planes : 1,
               columns,     tokens,     nullptr},
          memory(activation_bytes(view)) {
        view.data = memory.get();
        for (int64_t task = 0; task < fill_task_count(view); ++task)
            fill_activations(view, task, x, columns);
    }
};

struct Extras {
    const float* bias = nullptr;
    const float* residual = nullptr;  // [tokens, rows]
    int planes = 1;
};

// out [tokens, rows]
inline std::vector<float> multiply(const PackedMatrix& weights, const float* x, int64_t tokens,
                                   const Extras& extras = {}) {
    const Filled filled(*weights.kernel, extras.planes, weights.columns, tokens, x);
    std::vector<float> out(size_t(tokens * weights.rows), -77.0f);
    const MatmulJob job = {&weights,    &filled.view,    out.data(),  weights.rows,
                           extras.bias, extras.residual, weights.rows};
    const Bytes scratch(scratch_bytes(weights));
    for (int64_t task = 0; task < task_count(job); ++task) run_task(job, task, {scratch.get()});
    return out;
}

// Every format of this build on every instruction set of this processor, and decoded f32 as the
// last one.
struct Case {
    const quant::FormatInfo* format;
    Isa isa;
    bool reference;

    const WeightKernel& kernel() const {
        return reference ? reference_kernel(isa) : find_kernel(*format, isa);
    }
    std::string name() const {
        return std::string(format->name) + " on " + std::string(to_string(isa)) +
               (reference ? " as f32" : "");
    }
    // A number of columns that the format allows, near `wanted`.
    int64_t columns(int64_t wanted) const {
        const int64_t block = format->block_size;
        return std::max<int64_t>(1, (wanted + block - 1) / block) * block;
    }
};

inline std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Isa isa : supported_isas())
        for (const quant::FormatInfo& format : quant::all_formats()) {
            cases.push_back({&format, isa, false});
            if (format.gguf_id == 12) cases.push_back({&format, isa, true});
        }
    return cases;
}

}  // namespace ingle::cpu::test
