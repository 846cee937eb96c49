// Attention in tiles and chunks is the attention of the definition, whatever the batch.
#include <algorithm>

#include "support.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker attention;
}
namespace {

using namespace test;

class AttentionTest : public testing::TestWithParam<Isa> {};
INGLE_EACH_ISA(AttentionTest);

struct Case {
    ops::Attention op;
    int64_t first = 0;  // position of the first query
    int64_t rows = 1;
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
};

ops::Attention shape(int64_t heads, int64_t kv_heads, int64_t key_dim, int64_t value_dim,
                     int64_t window = 0, float softcap = 0) {
    ops::Attention op;
    op.heads = heads;
    op.kv_heads = kv_heads;
    op.key_dim = key_dim;
    op.value_dim = value_dim;
    op.scale = 1 / std::sqrt(float(key_dim));
    op.window = window;
    op.softcap = softcap;
    return op;
}

struct Scene {
    Random random;
    Pages pages;
    OneNode setup;
    Sequence sequence;

    explicit Scene(const Case& c, uint64_t seed = 1)
        : random(seed),
          pages({c.op.kv_heads, c.op.key_dim, c.op.value_dim}, c.key_type, c.value_type,
                (c.first + c.rows + 31) / 32, random),
          setup(c.op, c.rows),
          sequence(c.first, c.rows) {
        pages.fill(c.first + c.rows, random);
        setup.add_input(random_values(random, c.rows * c.op.heads * c.op.key_dim));
        setup.add_output(c.op.heads * c.op.value_dim);
        setup.use(pages);
    }
};

// Values are standard normal and weights sum to 1. A score, a sum of key_dim products, is off by
// at most key_dim * 2^-24 * |q||k| * scale < 2^-24 * key_dim * 6; the outputs move by that
// relative to the weights, times values of up to 5; the sums over tokens add less, since chunks
// keep their chains short. With f32 products unfused twice that.
double tolerance(const ops::Attention& op) {
    return 0x1p-24 * double(op.key_dim + 256) * 6 * 5 * 2 / std::sqrt(double(op.key_dim));
}

void expect_agreement(const Case& c, Scene& scene, Isa isa) {
    const auto step = entries::attention.make(scene.setup.inputs(isa));
    ASSERT_NE(step, nullptr);
    scene.setup.run(*step, scene.sequence.batch());
    const std::vector<float> fast = scene.setup.out();
    scene.setup.run_reference(scene.sequence.batch());
    const double bound = tolerance(c.op);
    double worst = 0;
    for (size_t i = 0; i < fast.size(); ++i) {
        ASSERT_FALSE(std::isnan(fast[i])) << "element " << i;
        worst = std::max(worst, std::abs(double(fast[i]) - double(scene.setup.out()[i])));
    }
    EXPECT_LT(worst, bound) << c.op.heads << "/" << c.op.kv_heads << " heads of " << c.op.key_dim
                            << ", window " << c.op.window << ", first " << c.first << ", rows "
                            << c.rows << ", " << info(c.key_type).name;
}

void expect_agreement(const Case& c, Isa isa) {
    Scene scene(c);
    expect_agreement(c, scene, isa);
}

TEST_P(AttentionTest, AgreesWithTheReferenceForEveryHeadSizeAndSharing) {
    for (const int64_t dim : {1, 8, 16, 20, 24, 64, 80, 96, 100, 128, 256})
        for (const auto& [heads, kv_heads] : {std::pair{1, 1}, {4, 4}, {6, 2}, {9, 3}, {7, 1}})
            expect_agreement({shape(heads, kv_heads, dim, dim), 3, 37}, GetParam());
}

TEST_P(AttentionTest, TakesKeysAndValuesOfDifferentSizesAndTypes) {
    for (const KvTypeInfo& keys : all_kv_types())
        for (const KvTypeInfo& values : all_kv_types())
            for (const auto& [key_dim, value_dim] : {std::pair{48, 32}, {24, 20}, {20, 64}})
                for (const int64_t rows : {1, 2, 33})
                    expect_agreement(
                        {shape(4, 2, key_dim, value_dim), 300, rows, keys.type, values.type},
                        GetParam());
}

TEST_P(AttentionTest, AgreesAcrossPagesAndChunks) {
    for (const int64_t first : {0, 1, 15, 16, 31, 32, 255, 256, 257, 511, 1000})
        for (const int64_t rows : {1, 2, 40})
            expect_agreement({shape(3, 1, 32, 32), first, rows}, GetParam());
    expect_agreement({shape(2, 1, 16, 16), 0, 700}, GetParam());
}

TEST_P(AttentionTest, KeepsToASlidingWindow) {
    for (const int64_t window : {1, 2, 31, 32, 33, 64, 256, 300, 512})
        for (const int64_t first : {0, 100, 700})
            expect_agreement({shape(4, 2, 32, 32, window), first, 50}, GetParam());
}

TEST_P(AttentionTest, CapsScores) {
    for (const float cap : {0.5f, 50.0f})
        expect_agreement({shape(4, 2, 32, 32, 0, cap), 270, 20}, GetParam());
}

TEST_P(AttentionTest, TakesMoreHeadsThanATileHasRows) {
    expect_agreement({shape(71, 1, 64, 64), 40, 3}, GetParam());
    expect_agreement({shape(140, 2, 16, 16), 600, 1}, GetParam());
}

KvType any_type(Random& random) {
    return all_kv_types()[random.below(uint32_t(all_kv_types().size()))].type;
}

TEST_P(AttentionTest, AgreesForRandomShapes) {
    Random random(7);
    for (int i = 0; i < 150; ++i) {
        const int64_t kv_heads = 1 + int64_t(random.below(4));
        const int64_t group = 1 + int64_t(random.below(9));
        const int64_t key_dim = 1 + int64_t(random.below(140));
        const int64_t value_dim = 1 + int64_t(random.below(140));
        const int64_t window = random.below(2) == 0 ? 0 : 1 + int64_t(random.below(400));
        Case c;
        c.op = shape(group * kv_heads, kv_heads, key_dim, value_dim, window,
                     random.below(4) == 0 ? 20.0f : 0.0f);
        c.first = int64_t(random.below(600));
        c.rows = 1 + int64_t(random.below(random.below(2) == 0 ? 4 : 70));
        c.key_type = any_type(random);
        c.value_type = any_type(random);
        expect_agreement(c, GetParam());
    }
}

void expect_independent_rows(const Case& c, Isa isa) {
    Scene scene(c);
    const auto step = entries::attention.make(scene.setup.inputs(isa));
    scene.setup.run(*step, scene.sequence.batch());
    const std::vector<float> whole = scene.setup.out();
    const int64_t columns = c.op.heads * c.op.value_dim;
    for (const int64_t part : {1, 2, 7, 32, 64}) {
        for (int64_t at = 0; at < c.rows; at += part) {
            const int64_t count = std::min(part, c.rows - at);
            StepInputs inputs = scene.setup.inputs(isa);
            inputs.in[0].data += at * inputs.in[0].columns;
            std::vector<float> out(size_t(count * columns), not_a_number);
            inputs.out[0].data = out.data();
            const auto small = entries::attention.make(inputs);
            const Sequence rows(c.first + at, count);
            scene.setup.run(*small, rows.batch());
            ASSERT_TRUE(
                same_bits(out, std::span(whole).subspan(size_t(at * columns), out.size())))
                << info(c.key_type).name << ", rows " << at << " to " << at + count;
        }
    }
}

// All rows at once, and cut anywhere, down to one by one: the same bits.
TEST_P(AttentionTest, ARowDoesNotDependOnItsBatch) {
    for (const auto& [op, first] :
         {std::pair{shape(9, 3, 64, 64), 0}, {shape(8, 1, 48, 40, 100), 500},
          {shape(2, 2, 32, 32), 900}, {shape(4, 1, 20, 24, 0, 30), 250}})
        for (const KvTypeInfo& type : all_kv_types())
            expect_independent_rows({op, first, 90, type.type, type.type}, GetParam());
    expect_independent_rows({shape(9, 3, 64, 64), 40, 90, KvType::q8_0, KvType::f16}, GetParam());
    expect_independent_rows({shape(9, 3, 64, 64), 40, 90, KvType::f16, KvType::q4_0}, GetParam());
}

// Sequences of any lengths side by side, also only the wanted rows of each: the bits of each alone.
TEST_P(AttentionTest, ARowSeesItsOwnSequenceOnly) {
    const auto op = shape(6, 2, 32, 32);
    const std::pair<int64_t, int64_t> ranges[] = {{700, 1}, {0, 3}, {31, 1}, {250, 70}, {5, 1}};
    std::vector<float> queries, expected;
    std::vector<Token> tokens;
    std::vector<int32_t> positions;
    std::vector<SequenceRows> sequences;
    Random random(3);
    int64_t pages = 0;
    for (const auto& [first, rows] : ranges) pages += (first + rows + 31) / 32;
    Pages all({2, 32, 32}, KvType::f16, KvType::f16, pages, random);
    all.fill(pages * 32, random);
    PageTable left = all.table();
    for (const auto& [first, rows] : ranges) {
        sequences.push_back({left, int32_t(tokens.size()), int32_t(rows), int32_t(tokens.size()),
                             int32_t(rows)});
        left = left.subspan(size_t((first + rows + 31) / 32));
        const Sequence sequence(first, rows);
        tokens.insert(tokens.end(), sequence.tokens.begin(), sequence.tokens.end());
        positions.insert(positions.end(), sequence.positions.begin(), sequence.positions.end());
        OneNode solo(op, rows);
        solo.add_input(random_values(random, rows * 6 * 32));
        solo.add_output(6 * 32);
        solo.use(all);
        const SequenceRows alone{sequences.back().pages, 0, int32_t(rows), 0, int32_t(rows)};
        Batch batch = sequence.batch();
        batch.sequences = {&alone, 1};
        const StepInputs inputs = solo.inputs(GetParam());
        solo.run(*entries::attention.make(inputs), batch);
        queries.insert(queries.end(), inputs.in[0].data, inputs.in[0].data + rows * 6 * 32);
        expected.insert(expected.end(), solo.out().begin(), solo.out().end());
    }
    OneNode together(op, int64_t(tokens.size()));
    together.add_input(queries);
    together.add_output(6 * 32);
    together.use(all);
    const auto step = entries::attention.make(together.inputs(GetParam()));
    together.run(*step, {tokens, positions, {}, sequences});
    EXPECT_TRUE(same_bits(together.out(), expected));
}

std::vector<float> frequencies(int64_t rotary) {
    std::vector<float> values;
    for (int64_t i = 0; i < rotary / 2; ++i)
        values.push_back(std::pow(10000.0f, -2.0f * float(i) / float(rotary)));
    return values;
}

// Page 0 has stayed, later ones moved by less and less.
void move_pages(Pages& pages, int32_t most) {
    for (size_t page = 1; page < pages.table().size(); ++page)
        pages.shift(page, page < 6 ? -most : page < 9 ? -32 : 0);
}

TEST_P(AttentionTest, TokensThatMovedAreMetByQueriesTurnedAsFar) {
    for (const bool interleaved : {false, true})
        for (const KvTypeInfo& type : all_kv_types())
            for (const auto& [first, rows] : {std::pair{330, 1}, {300, 40}, {0, 400}}) {
                Case c{shape(6, 2, 64, 32), first, rows, type.type, type.type};
                c.op.rotary = 48;
                c.op.interleaved = interleaved;
                Scene scene(c);
                scene.setup.add_weight(frequencies(c.op.rotary));
                move_pages(scene.pages, 30000);
                expect_agreement(c, scene, GetParam());
            }
}

// The oracle knows nothing of shifts: the same keys rotated to their new positions.
TEST_P(AttentionTest, AShiftIsWhatRewritingTheKeysWouldBe) {
    Case c{shape(4, 2, 64, 64), 320, 8, KvType::f32, KvType::f32};
    c.op.rotary = 64;
    const std::vector<float> frequency = frequencies(64);
    const auto rotated = [&](std::vector<float> x, double position) {
        for (size_t i = 0; i < 32; ++i) {
            const double angle = position * double(frequency[i]);
            const double a = double(x[i]), b = double(x[i + 32]);
            x[i] = float(a * std::cos(angle) - b * std::sin(angle));
            x[i + 32] = float(a * std::sin(angle) + b * std::cos(angle));
        }
        return x;
    };
    Scene moved(c), written(c);
    move_pages(moved.pages, 5000);
    Random random(3);
    for (int64_t t = 0; t < c.first + c.rows; ++t)
        for (int64_t head = 0; head < 2; ++head) {
            const std::vector<float> key = random_values(random, 64);
            const double before = double(t - moved.pages.table()[size_t(t / 32)].shift);
            moved.pages.with_table().put_key(head, t, rotated(key, before).data());
            written.pages.with_table().put_key(head, t, rotated(key, double(t)).data());
        }
    for (Scene* const scene : {&moved, &written}) {
        scene->setup.add_weight(frequency);
        scene->setup.run(*entries::attention.make(scene->setup.inputs(GetParam())),
                         scene->sequence.batch());
    }
    for (size_t i = 0; i < moved.setup.out().size(); ++i)
        EXPECT_NEAR(moved.setup.out()[i], written.setup.out()[i], tolerance(c.op));
}

// A value that a row must not see may be anything, even within a page and a tile that it shares
// with rows that see it.
TEST_P(AttentionTest, ALaterTokenCannotSpoilAnEarlierRow) {
    const Case c{shape(4, 2, 32, 32), 5, 60, KvType::f32, KvType::f32};
    Scene scene(c);
    const auto step = entries::attention.make(scene.setup.inputs(GetParam()));
    scene.setup.run(*step, scene.sequence.batch());
    const std::vector<float> clean = scene.setup.out();
    const int64_t spoiled = 40;
    const std::vector<float> bad_key(32, not_a_number), bad_value(32, INFINITY);
    for (int64_t head = 0; head < 2; ++head) {
        scene.pages.with_table().put_key(head, spoiled, bad_key.data());
        scene.pages.with_table().put_value(head, spoiled, bad_value.data());
    }
    scene.setup.run(*step, scene.sequence.batch());
    const size_t before = size_t(spoiled - c.first) * 4 * 32;
    EXPECT_TRUE(
        same_bits(std::span(clean).first(before), std::span(scene.setup.out()).first(before)));
    EXPECT_TRUE(std::isnan(scene.setup.out()[before]));
}

TEST_P(AttentionTest, ExtremeScoresNeitherOverflowNorVanish) {
    Case c{shape(2, 1, 16, 16), 600, 2, KvType::f32, KvType::f32};
    c.op.scale = 400;
    Scene scene(c);
    const auto step = entries::attention.make(scene.setup.inputs(GetParam()));
    scene.setup.run(*step, scene.sequence.batch());
    const std::vector<float> fast = scene.setup.out();
    scene.setup.run_reference(scene.sequence.batch());
    // Scores in the thousands are rounded to 2^-11 or so, by which weights move relatively.
    for (size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast[i], scene.setup.out()[i], 0.02);
}

TEST_P(AttentionTest, FewQueriesOverALongContextAreSplitByChunks) {
    Scene scene({shape(4, 1, 64, 64), 3000, 1});
    const auto step = entries::attention.make(scene.setup.inputs(GetParam()));
    EXPECT_EQ(scene.setup.tasks(*step, 0, scene.sequence.batch()), 3000 / 256 + 1);
    EXPECT_EQ(scene.setup.tasks(*step, 1, scene.sequence.batch()), 1);
}

TEST_P(AttentionTest, LittleWorkIsOneTask) {
    Scene scene({shape(8, 4, 8, 8), 20, 1});
    const auto step = entries::attention.make(scene.setup.inputs(GetParam()));
    EXPECT_EQ(scene.setup.tasks(*step, 0, scene.sequence.batch()), 1);
    EXPECT_EQ(scene.setup.tasks(*step, 1, scene.sequence.batch()), 0);
}

TEST_P(AttentionTest, AnEmptyBatchHasNoTasks) {
    Scene scene({shape(8, 4, 8, 8), 20, 1});
    const auto step = entries::attention.make(scene.setup.inputs(GetParam()));
    EXPECT_EQ(step->tasks(0, Batch()), 0);
    EXPECT_EQ(step->tasks(1, Batch()), 0);
}

TEST_P(AttentionTest, LeavesOtherPageSizesToTheReference) {
    Scene scene({shape(8, 4, 8, 8), 20, 1});
    StepInputs inputs = scene.setup.inputs(GetParam());
    inputs.kv.page_tokens = 16;
    EXPECT_EQ(entries::attention.make(inputs), nullptr);
}

}  // namespace
}  // namespace ingle::cpu
