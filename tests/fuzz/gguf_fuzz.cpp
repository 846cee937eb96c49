// libFuzzer target for the GGUF reader:  fuzz_gguf -rss_limit_mb=512 NEW_INPUTS
// ../shared/fixtures/fuzz/gguf
#include <cstdint>

#include "fuzz/gguf_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    ingle::test::check_gguf(std::as_bytes(std::span(data, size)));
    return 0;
}
