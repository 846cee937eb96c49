#include "support/scripted_device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "support/fixtures.h"

namespace ingle::test {

namespace {

struct NoWeights final : backend::Weights {
    uint64_t bytes() const override { return 0; }
};

// Each page holds its tokens; a page that was given back holds -1.
struct TokenStore final : backend::KvStore {
    explicit TokenStore(const backend::KvLayout& of)
        : layout(of), tokens(size_t(of.pages_max * of.page_tokens), -1) {}

    std::span<Token> page(uint32_t number) {
        return std::span(tokens).subspan(size_t(number) * size_t(layout.page_tokens),
                                         size_t(layout.page_tokens));
    }
    Token& at(PageTable pages, int64_t position) {
        return page(pages[size_t(position / layout.page_tokens)].page)[size_t(
            position % layout.page_tokens)];
    }
    void discard(uint32_t number) override { std::ranges::fill(page(number), -1); }
    void discard_window(uint32_t) override {}
    void copy(uint32_t from, uint32_t to) override {
        std::ranges::copy(page(from), page(to).begin());
    }
    Status read(uint32_t number, backend::PagePart part, std::span<std::byte> out) override {
        std::ranges::fill(out, std::byte{0});
        if (part == backend::PagePart::lasting) std::memcpy(out.data(), page(number).data(), page(number).size_bytes());
        return {};
    }
    Status write(uint32_t number, backend::PagePart part, std::span<const std::byte> in) override {
        if (part == backend::PagePart::lasting) std::memcpy(page(number).data(), in.data(), page(number).size_bytes());
        return {};
    }

    backend::KvLayout layout;
    std::vector<Token> tokens;
};

class ScriptedExecutable final : public backend::Executable {
  public:
    ScriptedExecutable(const backend::Segment& segment, TokenStore& store, const Script& script)
        : result_(segment.exports.at(0)),
          columns_(segment.values[size_t(result_)].columns),
          store_(store),
          script_(script),
          logits_(std::ranges::any_of(segment.nodes, [&](const Node& node) {
              return std::holds_alternative<ops::Linear>(node.op) && node.out[0] == result_;
          })),
          values_(size_t(segment.outputs_max * columns_)) {
        text_.reserve(4096);  // so that who counts allocations sees the engine's alone
    }

    backend::Event submit(const backend::Call& call) override {
        status_ = {};
        for (const SequenceRows& rows : call.batch.sequences) {
            for (int32_t i = rows.first; i < rows.first + rows.count; ++i)
                store_.at(rows.pages, call.batch.positions[size_t(i)]) = call.batch.tokens[size_t(i)];
            for (int32_t o = rows.first_output; o < rows.first_output + rows.outputs; ++o)
                answer(rows.pages, call.batch.position(Rows::outputs, o), row(o));
        }
        return {};
    }
    Status wait(backend::Event) override { return status_; }
    Status read(ValueId, int64_t rows, float* out) override {
        std::copy_n(values_.data(), rows * columns_, out);
        return {};
    }
    Status write(ValueId, int64_t, const float*) override { return {}; }
    const float* peek(ValueId) const override { return values_.data(); }
    uint64_t activation_bytes() const override { return values_.size() * sizeof(float); }
    uint64_t scratch_bytes() const override { return 0; }
    std::vector<std::string> describe() const override { return {"script"}; }

  private:
    std::span<float> row(int64_t output) {
        return std::span(values_).subspan(size_t(output * columns_), size_t(columns_));
    }

    void answer(PageTable pages, int64_t position, std::span<float> out) {
        text_.clear();
        for (int64_t p = 0; p <= position; ++p) text_.push_back(store_.at(pages, p));
        if (!logits_) {
            for (size_t c = 0; c < out.size(); ++c) out[c] = float(text_.back()) + float(c) / 8;
            return;
        }
        const ScriptedStep step = script_(text_);
        if (step.delay_seconds > 0)
            std::this_thread::sleep_for(std::chrono::duration<double>(step.delay_seconds));
        if (step.fails) status_ = fail(Code::io, "a step that was made to fail");
        std::ranges::fill(out, step.not_a_number ? std::numeric_limits<float>::quiet_NaN() : -10.0f);
        if (step.not_a_number) return;
        for (const auto& [token, logit] : step.others) out[size_t(token)] = logit;
        out[size_t(step.token)] = 10;
    }

    ValueId result_;
    int64_t columns_;
    TokenStore& store_;
    const Script& script_;
    bool logits_;  // else hidden states, made of the token alone
    std::vector<float> values_;
    std::vector<Token> text_;
    Status status_;
};

}  // namespace

std::shared_ptr<const Model> scripted_model(Script script, const std::filesystem::path& path) {
    auto model = Model::load(
        Runtime::make({.threads = 1, .device = std::make_shared<ScriptedDevice>(std::move(script))}),
        {.path = path.empty() ? source_dir() / "models" / "stories260K.gguf" : path,
         .progress = {}});
    EXPECT_OK(model);
    return model.ok() ? std::move(*model) : nullptr;
}

Script script_of(std::map<std::vector<Token>, std::vector<Token>> answers, Token end) {
    return [answers = std::move(answers), end](std::span<const Token> text) {
        ScriptedStep step;
        step.token = end;
        size_t longest = 0;
        for (const auto& [prompt, answer] : answers) {
            if (prompt.size() < longest || prompt.size() > text.size() ||
                text.size() - prompt.size() >= answer.size())
                continue;
            const auto said = text.subspan(prompt.size());
            if (!std::ranges::equal(prompt, text.first(prompt.size())) ||
                !std::ranges::equal(said, std::span(answer).first(said.size())))
                continue;
            longest = prompt.size();
            step.token = answer[said.size()];
        }
        return step;
    };
}

Script script_of(const Tokenizer& tokenizer, const std::map<std::string, std::string>& answers) {
    std::map<std::vector<Token>, std::vector<Token>> all;
    for (const auto& [prompt, answer] : answers)
        all[tokenizer.encode(prompt)] = tokenizer.encode(answer, {.add_special = false});
    return script_of(std::move(all), tokenizer.end_of_generation().at(0));
}

Result<std::unique_ptr<backend::Weights>> ScriptedDevice::prepare(
    std::span<const WeightSource>, std::span<const backend::WeightUse>, const backend::Progress&) {
    return std::unique_ptr<backend::Weights>(std::make_unique<NoWeights>());
}

Result<std::unique_ptr<backend::KvStore>> ScriptedDevice::make_kv(const backend::KvLayout& layout) {
    return std::unique_ptr<backend::KvStore>(std::make_unique<TokenStore>(layout));
}

Result<std::unique_ptr<backend::Executable>> ScriptedDevice::compile(const backend::Segment& segment,
                                                                     const backend::Weights&,
                                                                     backend::KvStore* kv) {
    return std::unique_ptr<backend::Executable>(std::make_unique<ScriptedExecutable>(
        segment, static_cast<TokenStore&>(*kv), script_));
}

}  // namespace ingle::test
