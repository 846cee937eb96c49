// A model that says what a test wants: a device whose cache holds the tokens themselves, and whose logits come from a
// script that reads the text so far through the page tables. So stops, split characters, cancellations, damaged logits
// and failing steps can be provoked exactly, and a wrong page shows as a wrong text.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "engine/model.h"

namespace ingle::test {

// What comes after a text.
struct ScriptedStep {
    Token token = 0;                               // gets the highest logit
    std::vector<std::pair<Token, float>> others = {};  // logits below 10, that of `token`; the rest has -10
    double delay_seconds = 0;                      // before the step ends
    bool not_a_number = false;                     // all logits are NaN
    bool fails = false;                            // the step ends with an error
};
// May be called from any engine's thread, one call at a time for each.
using Script = std::function<ScriptedStep(std::span<const Token> text)>;

// A model of the file's graph and tokenizer, by default those of stories260K, whose every word is the script's.
std::shared_ptr<const Model> scripted_model(Script script, const std::filesystem::path& path = {});

// Answers that are known by heart: after a prompt its answer, token by token, then `end`. Texts that are not there give
// `end` at once.
Script script_of(std::map<std::vector<Token>, std::vector<Token>> answers, Token end);
// The same in text: prompts and answers by the model's tokenizer, the end by its end token. Prompts as encode() makes them.
Script script_of(const Tokenizer& tokenizer, const std::map<std::string, std::string>& answers);

class ScriptedDevice final : public backend::Device {
  public:
    explicit ScriptedDevice(Script script) : script_(std::move(script)) {}

    std::string_view name() const override { return "script"; }
    bool accepts(const Node&, std::span<const WeightSource>) const override { return true; }
    uint64_t weight_bytes(const WeightSource&, const backend::WeightUse&) const override { return 0; }
    Result<std::unique_ptr<backend::Weights>> prepare(std::span<const WeightSource> weights,
                                                      std::span<const backend::WeightUse> uses,
                                                      const backend::Progress& progress) override;
    Result<std::unique_ptr<backend::KvStore>> make_kv(const backend::KvLayout& layout) override;
    Result<std::unique_ptr<backend::Executable>> compile(const backend::Segment& segment,
                                                         const backend::Weights& weights,
                                                         backend::KvStore* kv) override;

  private:
    Script script_;
};

}  // namespace ingle::test
