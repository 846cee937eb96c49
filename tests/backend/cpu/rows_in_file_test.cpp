// Weights that lie as in their file give the same bits as packed ones.
#include <gtest/gtest.h>

#include "backend/cpu/matrices.h"

namespace ingle::cpu::test {

TEST(RowsInFile, products_are_the_bits_of_packed_weights) {
    Random random(21);
    for (const Case& test : all_cases())
        for (const int64_t tokens : {1, 3, 12, 40, 300}) {
            const int64_t rows = 1 + random.below(70), columns = test.columns(1 + random.below(600));
            Weights weights = random_weights(*test.format, test.kernel(), rows, columns, random);
            weights.packed.factor = tokens == 3 ? 0.37f : 1;
            const std::vector<float> x = random_floats(tokens * columns, random);
            const std::vector<float> bias = random_floats(rows, random);
            const std::vector<float> residual = random_floats(tokens * rows, random);
            const Extras extras = {bias.data(), tokens == 12 ? nullptr : residual.data(), tokens == 40 ? 2 : 1};
            const auto expected = multiply(weights.packed, x.data(), tokens, extras);
            PackedMatrix in_file = weights.packed;
            in_file.data = nullptr;
            in_file.file_rows = weights.file.data();
            const auto out = multiply(in_file, x.data(), tokens, extras);
            EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size() * 4), 0)
                << test.name() << ": " << rows << " rows, " << columns << " columns, " << tokens << " tokens";
        }
}

TEST(RowsInFile, a_range_of_groups_is_a_matrix_of_its_own) {
    Random random(22);
    for (const Case& test : all_cases()) {
        const int64_t rows = 61, columns = test.columns(200), tokens = 2;
        const Weights weights = random_weights(*test.format, test.kernel(), rows, columns, random);
        const std::vector<float> x = random_floats(tokens * columns, random);
        const auto whole = multiply(weights.packed, x.data(), tokens);
        PackedMatrix in_file = weights.packed;
        in_file.data = nullptr;
        in_file.file_rows = weights.file.data();
        for (const PackedMatrix& matrix : {weights.packed, in_file})
            for (const auto& [first, last] : {std::pair(0, 2), std::pair(1, 3), std::pair(3, 4)}) {
                const PackedMatrix part = groups_of(matrix, first, last);
                ASSERT_EQ(part.rows, std::min<int64_t>(rows, last * group_rows) - first * group_rows);
                const auto out = multiply(part, x.data(), tokens);
                for (int64_t token = 0; token < tokens; ++token)
                    for (int64_t r = 0; r < part.rows; ++r)
                        ASSERT_EQ(out[size_t(token * part.rows + r)],
                                  whole[size_t(token * rows + first * group_rows + r)])
                            << test.name();
            }
    }
}

}  // namespace ingle::cpu::test
