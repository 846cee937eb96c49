// Encodings and texts recorded from transformers, for the vocabularies that there is a GGUF file
// of.
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

const std::filesystem::path& encoded() {
    static const auto folder = fixtures() / "tokenizers/encoded";
    return folder;
}

struct Recorded {
    const char* vocabulary;  // vocab/ggml-vocab-NAME.gguf
    const char* file;        // one French text
    const char* name;        // in tokenizer_tests.json
    bool decodes_exactly;    // the others go through transformers' clean-up of spaces
};

class Transformers : public testing::TestWithParam<Recorded> {
  protected:
    void SetUp() override {
        const auto path =
            fixtures() / "vocab" / (std::string("ggml-vocab-") + GetParam().vocabulary + ".gguf");
        INGLE_NEEDS(path);
        INGLE_NEEDS(encoded());
        tokenizer_ = tokenizer_of(path);
        ASSERT_TRUE(tokenizer_);
    }
    std::unique_ptr<const Tokenizer> tokenizer_;
};

TEST_P(Transformers, gives_the_same_ids_for_a_french_text) {
    const auto golden = json_of(encoded() / GetParam().file);
    const auto ids = golden["token_ids"].get<std::vector<Token>>();
    EXPECT_EQ(tokenizer_->encode(golden["text"].get<std::string>()), ids);
}

TEST_P(Transformers, gives_the_same_ids_and_texts_for_short_strings) {
    const auto golden = json_of(encoded() / "tokenizer_tests.json")[GetParam().name];
    ASSERT_GE(golden.size(), 18u);
    for (const auto& example : golden) {
        const std::string text = example["input"];
        const auto ids = example["encoded"]["input_ids"].get<std::vector<Token>>();
        EXPECT_EQ(tokenizer_->encode(text), ids) << text;
        if (GetParam().decodes_exactly)
            EXPECT_EQ(tokenizer_->decode(ids),
                      example["decoded_without_special"].get<std::string>());
        else
            EXPECT_EQ(tokenizer_->decode(ids), text);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Transformers,
    testing::Values(Recorded{"bert-bge", "bert_uncased_encoded.json", "bert-base-uncased", true},
                    Recorded{"bert-bge", "bert_uncased_encoded.json",
                             "google-bert/bert-base-uncased", true},
                    Recorded{"gpt-2", "gpt2_encoded_tokens.json", "distilgpt2", false},
                    Recorded{"falcon", "falcon_encoded.json", "tiiuae/falcon-7b", false},
                    Recorded{"llama-bpe", "llama_3.2_encoded.json",
                             "pcuenq/Llama-3.2-1B-Instruct-tokenizer", false},
                    Recorded{"llama-spm", "llama_encoded.json",
                             "coreml-projects/Llama-2-7b-chat-coreml", true}));

}  // namespace
}  // namespace ingle::test
