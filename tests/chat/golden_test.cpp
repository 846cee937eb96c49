// Every rendering of Python's jinja2 in the fixtures, byte for byte, and every error it gives.
#include <gtest/gtest.h>

#include <fstream>

#include "chat/template.h"
#include "support/fixtures.h"

namespace ingle::chat {

namespace {

Json read_json(const std::filesystem::path& path) {
    return Json::parse(test::bytes_of(path));
}

std::filesystem::path golden() {
    return test::fixtures() / "golden/chat-templates";
}

ChatInput input_of(const Json& context) {
    ChatInput input;
    input.messages = context["messages"];
    input.variables = context;
    input.bos_token = "<BOS>";
    input.eos_token = "<EOS>";
    input.now = parse_clock("2024-07-26 12:34:56").value();
    return input;
}

// "UndefinedError: 'x' is undefined" -> "'x' is undefined"
std::string without_class(const std::string& error) {
    return error.substr(error.find(": ") + 2);
}

// The vocabulary's sign for a blank, U+2581, as the blank it stands for.
std::string with_blanks(std::string_view text) {
    constexpr std::string_view sign = "\xe2\x96\x81";
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const bool blank = text.substr(at, sign.size()) == sign;
        out += blank ? ' ' : text[at];
        at += blank ? sign.size() : 1;
    }
    return out;
}

}  // namespace

TEST(GoldenTemplates, every_rendering_is_byte_equal_and_every_error_an_error_with_line_and_column) {
    INGLE_NEEDS(golden() / "renderings.jsonl");
    const Json contexts = read_json(golden() / "contexts.json")["contexts"];
    std::ifstream rows(golden() / "renderings.jsonl");
    int outputs = 0, errors = 0;
    for (std::string row; std::getline(rows, row);) {
        const Json expected = Json::parse(row);
        const std::string name = expected["template"];
        const std::string where = cat(name, " with ", expected["context"].get<std::string>());
        auto parsed = ChatTemplate::parse(test::bytes_of(test::fixtures() / name));
        if (!parsed.ok()) {
            ADD_FAILURE() << where << ": " << parsed.status().message();
            continue;
        }
        ChatInput input = input_of(contexts[expected["context"].get<std::string>()]);
        if (expected.contains("output")) {
            const auto rendered = parsed->render(input);
            EXPECT_TRUE(rendered.ok()) << where << ": " << rendered.status().message();
            if (rendered.ok()) {
                EXPECT_EQ(rendered->text, expected["output"].get<std::string>()) << where;
            }
            ++outputs;
            continue;
        }
        input.adapt = Adapt::never;
        const auto rendered = parsed->render(input);
        EXPECT_FALSE(rendered.ok()) << where;
        const std::string& message = rendered.status().message();
        const std::string wanted = without_class(expected["error"]);
        EXPECT_NE(message.find(wanted), std::string::npos)
            << where << ": " << message << "\nexpected " << wanted;
        EXPECT_NE(message.find("line "), std::string::npos) << where << ": " << message;
        EXPECT_NE(message.find(", column "), std::string::npos) << where << ": " << message;
        ++errors;
    }
    EXPECT_EQ(outputs, 557);
    EXPECT_EQ(errors, 24);
}

TEST(GoldenTemplates, the_published_prompts_of_mistral_conversations_are_met) {
    const auto folder = test::fixtures() / "templates-mistral";
    INGLE_NEEDS(folder);
    // Samples whose published prompt is spelled as the template's authors print it; conversations
    // with null content.
    const std::pair<const char*, const char*> samples[] = {
        {"no_tools", "v1"},       {"no_tools", "v2"},      {"no_tools", "v3"},
        {"parallel_calls", "v3"}, {"several_calls", "v2"}, {"several_calls", "v3"}};
    for (const auto& [sample, version] : samples) {
        const Json context = read_json(folder / "samples" / sample / "sample.json");
        const std::string expected =
            test::bytes_of(folder / "samples" / sample / cat("text_", version, ".txt"));
        const auto parsed =
            ChatTemplate::parse(test::bytes_of(folder / cat(version, "_spm.jinja")));
        ASSERT_OK(parsed);
        ChatInput input;
        input.variables = context;
        input.bos_token = "<s>";
        input.eos_token = "</s>";
        const auto rendered = parsed->render(input);
        ASSERT_OK(rendered);
        EXPECT_EQ(rendered->text, with_blanks(expected)) << sample << " " << version;
    }
}

}  // namespace ingle::chat
