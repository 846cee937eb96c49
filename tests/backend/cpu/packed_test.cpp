#include "backend/cpu/gemm/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "backend/cpu/matrices.h"
#include "support/fixtures.h"

namespace ingle::cpu::test {

TEST(Packed, rows_decode_to_the_bits_of_the_golden_data) {
    const auto folder = ingle::test::fixtures() / "quant";
    INGLE_NEEDS(folder);
    constexpr int64_t columns = 512;
    for (const Case& test : all_cases()) {
        const std::string name(test.format->name);
        if (!std::filesystem::exists(folder / (name + ".blocks.bin"))) continue;  // F32 has none
        const auto file = ingle::test::array_of<std::byte>(folder / (name + ".blocks.bin"));
        const auto values = ingle::test::array_of<float>(folder / (name + ".values.f32"));
        const int64_t rows = int64_t(values.size()) / columns;
        const Weights weights(*test.format, test.kernel(), rows, columns, file);
        std::vector<float> row(columns);
        for (int64_t r = 0; r < rows; ++r) {
            decode_row(weights.packed, r, row.data());
            ASSERT_EQ(std::memcmp(row.data(), values.data() + r * columns, columns * sizeof(float)),
                      0)
                << test.name() << ", row " << r;
        }
    }
}

TEST(Packed, any_number_of_rows_and_columns_decodes_as_quant_does) {
    Random random(11);
    for (const Case& test : all_cases())
        for (const int64_t rows : {1, 15, 16, 17, 50})
            for (const int64_t wanted : {1, 33, 172, 1000}) {
                const int64_t columns = test.columns(wanted);
                const Weights weights =
                    random_weights(*test.format, test.kernel(), rows, columns, random);
                std::vector<float> row(size_t(columns), 0.0f);
                for (int64_t r = 0; r < rows; ++r) {
                    decode_row(weights.packed, r, row.data());
                    ASSERT_EQ(std::memcmp(row.data(), weights.values.data() + r * columns,
                                          row.size() * sizeof(float)),
                              0)
                        << test.name() << ", row " << r << " of " << rows << " x " << columns;
                }
            }
}

TEST(Packed, packing_costs_at_most_three_percent_of_memory) {
    for (const Case& test : all_cases()) {
        if (test.reference || &find_kernel(*test.format, test.isa) == &reference_kernel(test.isa))
            continue;
        const auto shape = packed_shape(test.kernel(), *test.format, 2048, 2048);
        const double packed = double(shape.group_bytes);
        const std::string_view name = test.format->name;
        // These store the eighth sign of 8, which the file leaves out.
        const bool more_signs = name == "IQ2_XXS" || name == "IQ2_XS" || name == "IQ3_XXS";
        const double bits = test.format->bits_per_weight() + (more_signs ? 0.125 : 0);
        const double file = 16.0 * 2048 / 8 * bits;
        // Where a cell is small, the half cache line that aligns it may be more.
        const double cells = 2048.0 / double(test.kernel().cell_columns);
        EXPECT_LE(packed, std::max(file * 1.03, file + 32 * cells)) << test.name();
    }
}

TEST(Packed, a_format_without_kernels_of_its_own_is_kept_as_f32) {
    Random random(12);
    for (const Isa isa : supported_isas()) {
        quant::FormatInfo unknown = *quant::find_format("Q5_K");
        unknown.gguf_id = 1234567;
        const WeightKernel& kernel = find_kernel(unknown, isa);
        EXPECT_EQ(&kernel, &reference_kernel(isa));
        EXPECT_EQ(activation_kind(kernel), ActivationKind::f32);
        const Weights weights = random_weights(unknown, kernel, 20, 512, random);
        std::vector<float> row(512);
        decode_row(weights.packed, 19, row.data());
        EXPECT_TRUE(std::equal(row.begin(), row.end(), weights.values.end() - 512));
    }
}

TEST(Packed, every_format_of_weights_has_kernels_on_every_instruction_set) {
    for (const Isa isa : supported_isas())
        for (const quant::FormatInfo& format : quant::all_formats()) {
            const bool has_kernels = &find_kernel(format, isa) != &reference_kernel(isa);
            // Integers and doubles are data, not weights of a product.
            const bool is_data = format.block_size == 1 && format.gguf_id >= 24 &&
                                 format.gguf_id <= 28;
            EXPECT_EQ(has_kernels, !is_data) << format.name;
        }
}

}  // namespace ingle::cpu::test
