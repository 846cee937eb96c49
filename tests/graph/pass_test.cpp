#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/memory_plan.h"
#include "graph/pass.h"
#include "support/fixtures.h"

namespace ingle::graph {

namespace {

WeightId matrix(Builder& builder, const std::string& name, int64_t columns, int64_t rows) {
    const std::vector<float> zeros(size_t(columns * rows));
    return builder.add_weight(constant_weight(name, zeros, rows));
}

Tensor linear(Tensor x, const std::string& name, int64_t rows) {
    const WeightId weight = matrix(x.builder(), name, x.columns(), rows);
    return x.builder().emit(ops::Linear{}, {x}, {weight, none}, rows);
}

// embed -> two blocks of (k, v -> cache; attention(q) + residual; gated feed-forward) -> logits of output rows
Graph two_blocks() {
    Builder b;
    Tensor x = b.emit(ops::Embed{}, {}, {matrix(b, "embd", 8, 10)}, 8);
    for (int layer = 0; layer < 2; ++layer) {
        b.begin_layer(layer);
        const std::string blk = cat("blk.", layer, ".");
        const Tensor q = linear(x, blk + "q", 8);
        const Tensor k = linear(x, blk + "k", 8);
        b.declare_kv({1, 8, 8});
        b.emit_effect(ops::KvAppend{1, 8, 8}, {k, k});
        const Tensor a = b.emit(ops::Attention{.heads = 1, .kv_heads = 1, .key_dim = 8, .value_dim = 8},
                                {q}, {}, 8);
        x = x + linear(a, blk + "o", 8);
        x = x + linear(silu(linear(x, blk + "gate", 16)) * linear(x, blk + "up", 16), blk + "down", 8);
    }
    b.begin_layer(none);
    b.set_result(linear(output_rows(x), "output", 10));
    return b.take();
}

std::string ops_of(const Graph& graph) {
    std::string text;
    for (const Node& node : graph.nodes) {
        text += cat(text.empty() ? "" : " ", op_name(node.op));
        if (node.rows == Rows::outputs) text += "*";
        if (node.out.size() > 1) text += cat("x", node.out.size());
    }
    return text;
}

}  // namespace

TEST(Passes, only_the_last_layers_keys_and_values_need_every_token) {
    // The input of the last layer is selected once; everything after works on output rows.
    EXPECT_EQ(ops_of(optimize(two_blocks())),
              "embed "
              "linearx2 kv_append attention linear linearx2 gated linear "
              "select_rows* linear* linear kv_append attention* linear* linear*x2 gated* linear* "
              "linear*");
}

TEST(MemoryPlan, values_that_live_together_never_share_bytes) {
    const Graph graph = optimize(two_blocks());
    backend::Segment segment;
    segment.nodes = graph.nodes;
    segment.values = graph.values;
    segment.exports = {graph.result};
    segment.tokens_max = 5;
    segment.outputs_max = 2;
    const MemoryPlan plan = plan_memory(segment);
    std::vector<int> last_read(graph.values.size(), -1);
    for (size_t n = 0; n < graph.nodes.size(); ++n)
        for (const ValueId in : graph.nodes[n].in) last_read[size_t(in)] = int(n);
    uint64_t naive = 0;
    int in_place = 0;
    std::vector<ValueId> alive;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto bytes = [&](ValueId v) {
            const Value& value = graph.values[size_t(v)];
            return (value.rows == Rows::tokens ? 5 : 2) * value.columns * 4;
        };
        for (const ValueId out : graph.nodes[n].out) {
            naive += uint64_t(bytes(out));
            for (const ValueId other : alive) {
                const int64_t a = plan.offset_bytes[size_t(out)];
                const int64_t b = plan.offset_bytes[size_t(other)];
                // Gated takes the place of its gate, which nobody reads afterwards.
                const Node& node = graph.nodes[n];
                if (op_name(node.op) == "gated" && a == b && bytes(out) == bytes(other) &&
                    last_read[size_t(other)] == int(n) && std::ranges::count(node.in, other) == 1) {
                    ++in_place;
                    continue;
                }
                EXPECT_TRUE(a + bytes(out) <= b || b + bytes(other) <= a) << out << " " << other;
            }
            alive.push_back(out);
        }
        std::erase_if(alive, [&](ValueId v) { return last_read[size_t(v)] <= int(n) && v != graph.result; });
    }
    EXPECT_LT(plan.bytes, naive);
    EXPECT_EQ(in_place, 2) << "once a block";
}

TEST(MemoryPlan, what_is_read_again_or_from_outside_is_not_replaced) {
    backend::Segment segment;
    const Value wide = {Rows::tokens, 8};
    const std::vector<Value> values(5, wide);
    // %1 = scale(%0); %2 = scale(%1); %3 = add(%1, %2); %4 = scale(%3)
    std::vector<Node> nodes(4);
    nodes[0] = {.op = ops::Scale{}, .in = {0}, .weights = {}, .out = {1}};
    nodes[1] = {.op = ops::Scale{}, .in = {1}, .weights = {}, .out = {2}};
    nodes[2] = {.op = ops::Add{}, .in = {1, 2}, .weights = {}, .out = {3}};
    nodes[3] = {.op = ops::Scale{}, .in = {3}, .weights = {}, .out = {4}};
    segment.nodes = nodes;
    segment.values = values;
    segment.imports = {0};
    segment.exports = {3, 4};
    segment.tokens_max = 3;
    const std::vector<int64_t> at = plan_memory(segment).offset_bytes;
    EXPECT_NE(at[1], at[0]) << "an import stays";
    EXPECT_NE(at[2], at[1]) << "%1 is read again";
    EXPECT_NE(at[4], at[3]) << "an export stays";
    // A chain lies in one place.
    std::vector<Node> chain(3);
    chain[0] = {.op = ops::Scale{}, .in = {4}, .weights = {}, .out = {0}};
    chain[1] = {.op = ops::Scale{}, .in = {0}, .weights = {}, .out = {1}};
    chain[2] = {.op = ops::Scale{}, .in = {1}, .weights = {}, .out = {2}};
    segment.nodes = chain;
    segment.imports = {4};
    segment.exports = {2};
    const MemoryPlan plan = plan_memory(segment);
    EXPECT_EQ(plan.offset_bytes[1], plan.offset_bytes[0]);
    EXPECT_NE(plan.offset_bytes[0], plan.offset_bytes[4]);
}

TEST(Graph, is_printed_one_node_a_line) {
    const Graph graph = optimize(two_blocks());
    EXPECT_NE(to_text(graph).find("%1, %2 = linear(%0) blk.0.q [F32 8x8] blk.0.k [F32 8x8]\n"),
              std::string::npos)
        << to_text(graph);
}

}  // namespace ingle::graph
