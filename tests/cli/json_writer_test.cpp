#include "cli/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ingle::cli {

namespace {

void fill(JsonWriter& json) {
    json.begin_object().member("text", "a\"b\\c\n\x01\xff\xc3\xa9").member("whole", 7);
    json.member("real", 0.1).member("nan", std::nan("")).member("truth", true);
    json.key("empty").begin_array().end_array();
    json.key("list").begin_array().value(1).value("x").null();
    json.begin_object().end_object().end_array().end_object();
}

}  // namespace

TEST(JsonWriter, an_independent_reader_understands_both_layouts) {
    for (const int indent : {0, 2}) {
        JsonWriter json(indent);
        fill(json);
        const auto read = nlohmann::json::parse(json.text(), nullptr, false);
        ASSERT_FALSE(read.is_discarded()) << json.text();
        EXPECT_EQ(read["text"], "a\"b\\c\n\x01\xef\xbf\xbd\xc3\xa9");
        EXPECT_EQ(read["whole"], 7);
        EXPECT_EQ(read["real"], 0.1);
        EXPECT_TRUE(read["nan"].is_null());
        EXPECT_EQ(read["truth"], true);
        EXPECT_TRUE(read["empty"].empty());
        EXPECT_EQ(read["list"].dump(), R"([1,"x",null,{}])");
    }
}

TEST(JsonWriter, one_line_is_one_line) {
    JsonWriter json;
    json.begin_array().value(1).value(2).end_array();
    EXPECT_EQ(json.text(), "[1, 2]");
}

}  // namespace ingle::cli
