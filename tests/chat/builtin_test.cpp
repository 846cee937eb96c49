// The built-in templates against the published vectors of the formats they are named after.
#include "chat/builtin.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "chat/template.h"
#include "support/fixtures.h"

namespace ingle::chat {

namespace {

// The vector's name -> ours.
const std::map<std::string, std::string> names = {
    {"teknium/OpenHermes-2.5-Mistral-7B", "chatml"},
    {"mistralai/Mistral-7B-Instruct-v0.2 (NOTE: Old pre-v1 without a system prompt)", "llama2"},
    {"TheBloke/FusionNet_34Bx2_MoE-AWQ", "llama2-sys-bos"},
    {"bofenghuang/vigogne-2-70b-chat", "llama2-sys-strip"},
    {"mlabonne/AlphaMonarch-7B", "monarch"},
    {"google/gemma-7b-it", "gemma"},
    {"OrionStarAI/Orion-14B-Chat", "orion"},
    {"openchat/openchat-3.5-0106", "openchat"},
    {"deepseek-ai/deepseek-coder-33b-instruct", "deepseek"},
    {"eachadea/vicuna-13b-1.1", "vicuna"},
    {"Orca-Vicuna", "vicuna-orca"},
    {"CohereForAI/c4ai-command-r-plus", "command-r"},
    {"Llama-3", "llama3"},
    {"Phi-3-mini", "phi3"},
    {"Phi-3-small", "phi3"},
    {"Phi-3-medium", "phi3"},
    {"Phi-3-vision", "phi3"},
    {"ChatGLM3", "chatglm3"},
    {"ChatGLM4", "chatglm4"},
    {"GLMEdge", "glmedge"},
    {"MiniCPM-3B-OpenHermes-2.5-v2-GGUF", "minicpm"},
    {"DeepSeek-V2", "deepseek2"},
    {"ibm-granite/granite-3.0-8b-instruct", "granite"},
    {"ibm-granite/granite-3.x (tool call)", "granite"},
    {"ibm-granite/granite-4.0 (tool call)", "granite-4.0"},
    {"mistralai/Mistral-7B-Instruct-v0.2 (mistralai 'v1' template with a system prompt)",
     "mistral-v1"},
    {"Mistral-Large-Instruct-2407 (mistralai 'v3' template; modified to have system prompt at "
     "start)",
     "mistral-v3"},
    {"Mistral-Nemo-Instruct-2407 (mistralai 'v3-tekken' template; modified to have system prompt "
     "at start)",
     "mistral-v3-tekken"},
    {"mistralai/Mistral-Large-Instruct-2411 (mistralai 'v7' template)", "mistral-v7"},
    {"ai-sage/GigaChat-20B-A3B-instruct", "gigachat"},
    {"Infinigence/Megrez-3B-Instruct", "megrez"},
    {"phi-4", "phi4"},
    {"yandex/YandexGPT-5-Lite-8B-instruct", "yandex"},
    {"inclusionAI/Ling-lite", "bailing"},
    {"ByteDance-Seed/Seed-OSS-36B-Instruct", "seed_oss"},
};

Json vectors() {
    return Json::parse(
        test::bytes_of(test::fixtures() / "golden/chat-templates/llamacpp-template-vectors.json"));
}

ChatInput input_of(const Json& vector) {
    ChatInput input;
    input.messages = vector["messages"];
    input.add_generation_prompt = vector["add_generation_prompt"];
    input.bos_token = vector["bos_token"];
    input.eos_token = vector["eos_token"];
    return input;
}

}  // namespace

TEST(BuiltinTemplates, each_gives_the_published_text_of_its_format) {
    INGLE_NEEDS(test::fixtures() / "golden/chat-templates/llamacpp-template-vectors.json");
    for (const Json& vector : vectors()) {
        const auto name = names.find(vector["name"].get<std::string>());
        ASSERT_NE(name, names.end()) << vector["name"];
        const BuiltinTemplate* builtin = find_builtin_template(name->second);
        ASSERT_NE(builtin, nullptr) << name->second;
        const auto parsed = ChatTemplate::parse(std::string(builtin->source));
        ASSERT_OK(parsed);
        const auto rendered = parsed->render(input_of(vector));
        ASSERT_OK(rendered);
        EXPECT_EQ(rendered->text, vector["expected_legacy"].get<std::string>()) << name->second;
    }
}

TEST(BuiltinTemplates, every_published_jinja_source_renders_as_the_reference_does) {
    INGLE_NEEDS(test::fixtures() / "golden/chat-templates/llamacpp-template-vectors.json");
    int matched = 0;
    for (const Json& vector : vectors()) {
        if (!vector.value("jinja2_matches_expected", false)) continue;
        const auto parsed = ChatTemplate::parse(vector["template"]);
        ASSERT_OK(parsed);
        ChatInput input = input_of(vector);
        if (vector["template"].get<std::string>().find("additional_special_tokens") !=
            std::string::npos)
            continue;  // needs the tokenizer's own list
        const auto rendered = parsed->render(input);
        ASSERT_OK(rendered);
        EXPECT_EQ(rendered->text, vector["expected_jinja"].get<std::string>()) << vector["name"];
        ++matched;
    }
    EXPECT_GE(matched, 27);
}

TEST(BuiltinTemplates, all_names_are_there_once_in_order_and_parse) {
    const auto all = builtin_templates();
    EXPECT_EQ(all.size(), 54u);
    std::set<std::string_view> seen;
    for (const BuiltinTemplate& builtin : all) {
        EXPECT_TRUE(seen.insert(builtin.name).second) << builtin.name;
        const auto parsed = ChatTemplate::parse(std::string(builtin.source));
        ASSERT_OK(parsed);
        ChatInput input;
        input.messages = Json::array({{{"role", "user"}, {"content", "needle"}}});
        const auto rendered = parsed->render(input);
        ASSERT_OK(rendered);
        EXPECT_NE(rendered->text.find("needle"), std::string::npos) << builtin.name;
    }
    EXPECT_EQ(find_builtin_template("no such template"), nullptr);
    EXPECT_NE(find_builtin_template("granite-4.0"), nullptr);
}

}  // namespace ingle::chat
