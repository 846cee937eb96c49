// @NAME@ against golden bytes; what every format must do is tested for it already (TEST_EACH_FORMAT).
#include "quant/@name@.h"

#include <gtest/gtest.h>

#include <vector>

#include "quant/support/format.h"

namespace ingle::quant {

TEST(@NAME@Format, is_found_and_decodes_its_codes) {
    const FormatInfo* const format = find_format("@NAME@");
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(format->gguf_id, @gguf_id@u);
    const std::vector<std::byte> block(format->block_bytes, std::byte{3});
    std::vector<float> values(size_t(format->block_size));
    format->decode_row(block.data(), format->block_size, values.data());
    for (const float value : values) EXPECT_EQ(value, 3.0f);
}

}  // namespace ingle::quant
