#include "fuzz/allocation_meter.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace {

thread_local uint64_t allocated = 0;

}  // namespace

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // of operators that are inlined one without the other
#endif
// Both forms: a sanitizer's new[] would not come by ours.
void* operator new(size_t bytes) {
    allocated += bytes;
    if (void* const address = std::malloc(bytes != 0 ? bytes : 1)) return address;
    throw std::bad_alloc();
}
void* operator new[](size_t bytes) {
    return operator new(bytes);
}
void operator delete(void* address) noexcept {
    std::free(address);
}
void operator delete(void* address, size_t) noexcept {
    std::free(address);
}
void operator delete[](void* address) noexcept {
    std::free(address);
}
void operator delete[](void* address, size_t) noexcept {
    std::free(address);
}

namespace ingle::test {

uint64_t allocated_bytes() {
    return allocated;
}

TEST(AllocationMeter, every_block_is_counted) {
    const uint64_t before = allocated_bytes();
    const auto block = std::make_unique<char[]>(1000);
    EXPECT_GE(allocated_bytes(), before + 1000);
    EXPECT_NE(block, nullptr);
}

}  // namespace ingle::test
