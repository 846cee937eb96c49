// Embed gives the table's rows bit for bit, from the file's form and from the packed one.
#include "support.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker embed;
}
namespace {

using namespace test;

class EmbedTest : public testing::TestWithParam<Isa> {};
INGLE_EACH_ISA(EmbedTest);

TEST_P(EmbedTest, LooksUpTheRowsOfItsTokens) {
    constexpr int64_t vocabulary = 40, width = 96, rows = 300;
    Random random(1);
    OneNode node(ops::Embed{}, rows);
    node.add_output(width);
    node.add_weight(random_values(random, vocabulary * width), vocabulary);
    Sequence sequence(0, rows);
    for (Token& token : sequence.tokens) token = Token(random.below(vocabulary));
    node.run_reference(sequence.batch());
    const std::vector<float> expected = node.out();

    for (const bool packed : {false, true}) {
        StepInputs inputs = node.inputs(GetParam());
        PreparedWeight prepared = *inputs.weights[0];
        const WeightSource& source = *prepared.source;
        std::vector<std::byte> memory;
        if (packed) {
            prepared.packed = packed_shape(find_kernel(*source.format, GetParam()), *source.format,
                                           vocabulary, width);
            memory.resize(packed_bytes(prepared.packed) + 64);
            std::byte* const data =
                memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
            prepared.packed.data = data;
            for (int64_t g = 0; g < group_count(prepared.packed); ++g)
                pack_group(prepared.packed, g, source.row(g * group_rows),
                           data + size_t(g) * prepared.packed.group_bytes);
        }
        inputs.weights[0] = &prepared;
        std::ranges::fill(node.out(), not_a_number);
        const auto step = entries::embed.make(inputs);
        EXPECT_GT(step->tasks(0, sequence.batch()), 1);
        node.run(*step, sequence.batch());
        EXPECT_TRUE(same_bits(node.out(), expected)) << (packed ? "packed" : "from the file");
    }
}

}  // namespace
}  // namespace ingle::cpu
