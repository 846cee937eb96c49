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
    for (const KvType key_type : {KvType::f32, KvType::f16})
        for (const KvType value_type : {KvType::f32, KvType::f16})
            for (const auto& [key_dim, value_dim] : {std::pair{64, 64}, {20, 24}, {7, 100}})
                for (const auto& [first, rows] : {std::pair{0, 1}, {5, 3}, {30, 70}, {64, 32}}) {
                    const KvShape shape{3, key_dim, value_dim};
                    const int64_t pages = (first + rows + 31) / 32;
                    Random random(1), same(1);
                    Pages fast(shape, key_type, value_type, pages, random);
                    Pages plain(shape, key_type, value_type, pages, same);
                    OneNode node(ops::KvAppend{3, key_dim, value_dim}, rows);
                    // Some too large for a half, some subnormal in it.
                    node.add_input(random_values(random, rows * 3 * key_dim, 40000));
                    node.add_input(random_values(random, rows * 3 * value_dim, 1e-6f));
                    const Sequence sequence(first, rows);
                    node.use(fast);
                    node.run(*entries::kv_append.make(node.inputs(GetParam())), sequence.batch());
                    node.use(plain);
                    node.run_reference(sequence.batch());
                    ASSERT_TRUE(std::ranges::equal(fast.bytes(), plain.bytes()))
                        << key_dim << " " << value_dim << " from " << first << ", " << rows;
                }
}

}  // namespace
}  // namespace ingle::cpu
