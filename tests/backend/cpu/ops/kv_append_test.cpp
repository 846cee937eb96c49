// KvAppend writes exactly what the reference writes, and nothing else.
#include "support.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker kv_append;
}
namespace {

using namespace test;

class KvAppendTest : public testing::TestWithParam<Isa> {};
INGLE_EACH_ISA(KvAppendTest);

TEST_P(KvAppendTest, WritesTheBytesOfTheReference) {
    for (const KvTypeInfo& keys : all_kv_types())
        for (const KvTypeInfo& values : all_kv_types())
            for (const auto& [key_dim, value_dim] : {std::pair{64, 64}, {20, 24}, {7, 100}})
                for (const auto& [first, rows] : {std::pair{0, 1}, {5, 3}, {30, 70}, {64, 32}}) {
                    const KvShape shape{3, key_dim, value_dim};
                    const int64_t pages = (first + rows + 31) / 32;
                    Random random(1), same(1);
                    Pages fast(shape, keys.type, values.type, pages, random);
                    Pages plain(shape, keys.type, values.type, pages, same);
                    OneNode node(ops::KvAppend{3, key_dim, value_dim}, rows);
                    // Some too large for a half, some subnormal in it.
                    node.add_input(random_values(random, rows * 3 * key_dim, 40000));
                    node.add_input(random_values(random, rows * 3 * value_dim, 1e-6f));
                    const Sequence sequence(first, rows);
                    node.use(fast);
                    node.run(*entries::kv_append.make(node.inputs(GetParam())), sequence.batch());
                    node.use(plain);
                    node.run_reference(sequence.batch());
                    ASSERT_TRUE(std::ranges::equal(fast.exact_bytes(), plain.exact_bytes()));
                    ASSERT_TRUE(std::ranges::equal(fast.bytes(), plain.bytes()))
                        << keys.name << " " << values.name << " " << key_dim << " " << value_dim << " from " << first << ", " << rows;
                }
}

TEST_P(KvAppendTest, WritesEachRowToItsOwnSequence) {
    const KvShape shape{2, 16, 16};
    Random random(1), same(1);
    Pages fast(shape, KvType::f16, KvType::f16, 8, random);
    Pages plain(shape, KvType::f16, KvType::f16, 8, same);
    OneNode node(ops::KvAppend{2, 16, 16}, 45);
    node.add_input(random_values(random, 45 * 2 * 16));
    node.add_input(random_values(random, 45 * 2 * 16));
    Sequence rows(0, 45);
    const auto place = [&](int64_t row, int32_t first, int32_t count) {
        for (int32_t i = 0; i < count; ++i) rows.positions[size_t(row + i)] = first + i;
    };
    place(0, 9, 1), place(1, 20, 40), place(41, 0, 4);
    const PageTable table = fast.table();
    const SequenceRows sequences[] = {
        {table.first(1), 0, 1, 0, 1}, {table.subspan(1, 2), 1, 40, 1, 40}, {table.subspan(5), 41, 4, 41, 4}};
    Batch batch = rows.batch();
    batch.sequences = sequences;
    node.use(fast);
    node.run(*entries::kv_append.make(node.inputs(GetParam())), batch);
    node.use(plain);
    node.run_reference(batch);
    EXPECT_TRUE(std::ranges::equal(fast.bytes(), plain.bytes()));
    KvView third = plain.without_table();
    third.table = sequences[2].pages.data();
    std::vector<float> key(16);
    third.get_key(1, 3, 3, key.data());
    EXPECT_FALSE(std::isnan(key[0]));
    third.get_key(1, 4, 4, key.data());
    EXPECT_TRUE(std::isnan(key[0]));
}

}  // namespace
}  // namespace ingle::cpu
