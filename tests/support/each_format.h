// Tests that hold for every weight format, those of the future included:
//   template <class Format> void rows_have_whole_blocks() { ... EXPECT_EQ(...); }
//   TEST_EACH_FORMAT(rows_have_whole_blocks)
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "quant/all.h"

namespace ingle::test {

template <class Body>
class FormatTest : public testing::Test {
  public:
    explicit FormatTest(Body body) : body_(body) {}
    void TestBody() override { body_(); }

  private:
    Body body_;
};

inline void register_format_test(const char* name, std::string_view format, const char* file,
                                 int line, void (*body)()) {
    testing::RegisterTest(name, std::string(format).c_str(), nullptr, nullptr, file, line,
                          [=]() -> testing::Test* { return new FormatTest(body); });
}

// Formats that keep every value of a C++ type: the data files of quant/ say nothing of them.
template <class Format>
constexpr bool is_conversion =
    Format::block_size == 1 && Format::name != "F16" && Format::name != "BF16";

}  // namespace ingle::test

#define TEST_EACH_FORMAT(function)                                                    \
    static const bool function##_is_registered = [] {                                 \
        ::ingle::quant::for_each(::ingle::quant::All{}, []<class Format>() {          \
            ::ingle::test::register_format_test(#function, Format::name, __FILE__, __LINE__,\
                                                &function<Format>);                   \
        });                                                                           \
        return true;                                                                  \
    }();
