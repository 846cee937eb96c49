// A program split over two devices computes what one device computes, whatever is split and how.
#include <gtest/gtest.h>

#include "backend/cpu/device.h"
#include "graph/pass.h"
#include "graph/program.h"
#include "models/support/architecture.h"
#include "support/fake_device.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

constexpr int64_t page_tokens = 32;
const std::set<std::string> every_op = {"embed",     "rms_norm", "linear",      "rope", "kv_append",
                                        "attention", "gated",    "select_rows", "add",  "mul",
                                        "scale",     "route",    "experts",     "gate_rows"};

// A model on one or two devices, ready to take one batch.
class Split {
  public:
    Split(const gguf::File& file, std::span<backend::Device* const> devices,
          const std::function<int(const Node&)>& prefer) {
        auto built = models::build_graph(file);
        EXPECT_OK(built);
        graph_ = graph::optimize(std::move(*built));
        EXPECT_OK(graph::place(graph_, devices, prefer));
        backend::KvLayout layout;
        layout.layers = graph_.kv_layers;
        layout.key_type = layout.value_type = KvType::f32;
        layout.page_tokens = page_tokens;
        layout.pages_max = 4;
        for (size_t d = 0; d < devices.size(); ++d) {
            weights_.push_back(std::move(
                *devices[d]->prepare(graph_.weights, graph::weight_uses(graph_, int(d)), {})));
            stores_.push_back(std::move(*devices[d]->make_kv(layout)));
            bindings_.push_back({devices[d], weights_.back().get(), stores_.back().get()});
        }
        auto program = graph::Program::compile(graph_, bindings_, 16, 16);
        EXPECT_OK(program);
        program_ = std::move(*program);
    }

    // Logits of every token, fed in two batches.
    std::vector<float> logits(std::span<const Token> tokens) {
        std::vector<float> all;
        for (size_t first = 0; first < tokens.size(); first += 8) {
            const size_t count = std::min<size_t>(8, tokens.size() - first);
            std::vector<int32_t> positions, outputs;
            for (size_t i = 0; i < count; ++i) {
                positions.push_back(int32_t(first + i));
                outputs.push_back(int32_t(i));
            }
            const std::vector<PageEntry> pages = {{2}, {0}, {3}, {1}};
            const SequenceRows sequence{pages, 0, int32_t(count), 0, int32_t(count)};
            backend::Call call;
            call.batch = {tokens.subspan(first, count), positions, outputs,
                          {&sequence, 1}};
            EXPECT_OK(program_->run(call));
            all.insert(all.end(), program_->result().begin(), program_->result().end());
        }
        return all;
    }

    std::string text() const { return program_->to_text(); }

  private:
    graph::Graph graph_;
    std::vector<std::unique_ptr<backend::Weights>> weights_;
    std::vector<std::unique_ptr<backend::KvStore>> stores_;
    std::vector<graph::Binding> bindings_;
    std::unique_ptr<graph::Program> program_;
};

class SplitTest : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const auto path = test::fixtures() / "arch" / GetParam() / "model.gguf";
        INGLE_NEEDS(path);
        auto opened = gguf::File::open(path);
        ASSERT_OK(opened);
        file_.emplace(std::move(*opened));
    }

    std::vector<float> alone() {
        backend::Device* const devices[] = {&cpu_};
        return Split(*file_, devices, [](const Node&) { return 0; }).logits(tokens_);
    }
    std::vector<float> split(test::FakeDevice& fake, const std::function<int(const Node&)>& prefer) {
        backend::Device* const devices[] = {&cpu_, &fake};
        return Split(*file_, devices, prefer).logits(tokens_);
    }

    const std::vector<Token> tokens_ = {5, 9, 200, 31, 7, 7, 150, 3, 88, 12, 64, 91};
    ThreadPool pool_{2};
    cpu::CpuDevice cpu_{pool_, {.isa = cpu::Isa::baseline, .reference = true, .planes = 1}};
    std::optional<gguf::File> file_;
};

TEST_P(SplitTest, by_layer_gives_the_same_logits) {
    test::FakeDevice fake(every_op, {});
    const auto result = split(fake, [](const Node& node) { return node.layer == 1 ? 1 : 0; });
    EXPECT_GT(fake.nodes_run, 0);
    EXPECT_EQ(result, alone());
}

TEST_P(SplitTest, by_tensor_gives_the_same_logits) {
    test::FakeDevice fake({"linear"}, {"F32"});
    int count = 0;
    const auto result = split(fake, [&](const Node&) { return ++count % 2; });
    EXPECT_GT(fake.nodes_run, 0);
    EXPECT_EQ(result, alone());
}

TEST_P(SplitTest, a_device_that_refuses_everything_is_passed_over) {
    test::FakeDevice fake({"linear"}, {"Q4_K"});
    const auto result = split(fake, [](const Node&) { return 1; });
    EXPECT_EQ(fake.nodes_run, 0);
    EXPECT_EQ(result, alone());
}

TEST_P(SplitTest, everything_on_the_other_device_gives_the_same_logits) {
    test::FakeDevice fake(every_op, {});
    const auto result = split(fake, [](const Node&) { return 1; });
    EXPECT_EQ(result, alone());
}

TEST_P(SplitTest, the_program_names_devices_and_transfers) {
    test::FakeDevice fake(every_op, {});
    backend::Device* const devices[] = {&cpu_, &fake};
    const Split program(*file_, devices, [](const Node& node) { return node.layer == 1 ? 1 : 0; });
    EXPECT_NE(program.text().find("segment 1 on fake\n    transfer %"), std::string::npos)
        << program.text();
}

INSTANTIATE_TEST_SUITE_P(models, SplitTest,
                         testing::Values("llama", "qwen2", "qwen3", "gemma3_text", "mixtral", "qwen2_moe"));

}  // namespace

}  // namespace ingle
