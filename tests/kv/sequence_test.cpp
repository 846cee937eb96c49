// Pages are taken, shared, copied when written and given back.
#include "kv/sequence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fixtures.h"

namespace ingle::kv {

namespace {

// Remembers what was asked of it.
struct Store final : backend::KvStore {
    std::vector<uint32_t> discarded;
    std::vector<std::pair<uint32_t, uint32_t>> copied;

    void discard(uint32_t page) override { discarded.push_back(page); }
    void discard_window(uint32_t) override {}
    void copy(uint32_t from, uint32_t to) override { copied.emplace_back(from, to); }
    Status read(uint32_t, backend::PagePart, std::span<std::byte>) override { return {}; }
    Status write(uint32_t, backend::PagePart, std::span<const std::byte>) override {
        return {};
    }
};

struct Cache {
    Store store;
    backend::KvStore* stores[1] = {&store};
    PagePool pool;

    explicit Cache(int64_t pages, int64_t warm = 0) : pool(pages, stores, {.warm_max = warm}) {}
};

TEST(PagePool, hands_out_every_page_once_and_then_none) {
    Cache cache(3);
    std::vector<uint32_t> pages = {*cache.pool.take(), *cache.pool.take(), *cache.pool.take()};
    std::ranges::sort(pages);
    EXPECT_EQ(pages, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(cache.pool.take().status().code(), Code::limit);
    EXPECT_EQ(cache.pool.used(), 3);
}

TEST(PagePool, a_page_goes_back_when_its_last_holder_lets_go) {
    Cache cache(2);
    const auto page = *cache.pool.take();
    cache.pool.share(page, true);
    cache.pool.release(page, true);
    EXPECT_EQ(cache.pool.available(), 1);
    EXPECT_TRUE(cache.store.discarded.empty());
    cache.pool.release(page, true);
    EXPECT_EQ(cache.pool.available(), 2);
    EXPECT_EQ(cache.store.discarded, std::vector<uint32_t>{page});
}

TEST(PagePool, keeps_the_memory_of_the_last_few_free_pages) {
    Cache cache(4, 2);
    std::vector<uint32_t> pages;
    for (int i = 0; i < 4; ++i) pages.push_back(*cache.pool.take());
    for (const uint32_t page : pages) cache.pool.release(page, true);
    EXPECT_EQ(cache.store.discarded, (std::vector<uint32_t>{pages[0], pages[1]}));
    EXPECT_EQ(cache.pool.committed(), 2);
    EXPECT_EQ(*cache.pool.take(), pages[3]);
    EXPECT_EQ(cache.pool.committed(), 2);
}

TEST(Sequence, takes_pages_as_it_grows_and_gives_them_back_as_it_shrinks) {
    Cache cache(8);
    Sequence sequence(cache.pool, 4, 8);
    EXPECT_EQ(sequence.pages_for(5), 2);
    ASSERT_OK(sequence.grow(5));
    EXPECT_EQ(sequence.pages().size(), 2u);
    EXPECT_EQ(sequence.pages_for(3), 0);
    ASSERT_OK(sequence.grow(3));
    EXPECT_EQ(cache.pool.used(), 2);
    sequence.truncate(4);
    EXPECT_EQ(cache.pool.used(), 1);
    EXPECT_EQ(sequence.length(), 4);
}

TEST(Sequence, that_cannot_grow_is_as_before) {
    Cache cache(2);
    Sequence sequence(cache.pool, 4, 8);
    ASSERT_OK(sequence.grow(3));
    const Status status = sequence.grow(6);
    EXPECT_EQ(status.code(), Code::limit);
    EXPECT_NE(status.message().find("3 of 8 tokens"), std::string::npos) << status.message();
    EXPECT_EQ(sequence.length(), 3);
    EXPECT_EQ(cache.pool.used(), 1);
}

TEST(Sequence, gives_everything_back_at_its_end) {
    Cache cache(4);
    {
        Sequence sequence(cache.pool, 4, 4);
        ASSERT_OK(sequence.grow(13));
    }
    EXPECT_EQ(cache.pool.used(), 0);
}

TEST(Sequence, a_fork_shares_whole_pages_and_copies_the_one_it_writes_to) {
    Cache cache(8);
    Sequence first(cache.pool, 4, 8), second(cache.pool, 4, 8);
    ASSERT_OK(first.grow(6));
    second.share(first);
    EXPECT_EQ(cache.pool.used(), 2);
    EXPECT_EQ(second.pages_for(1), 1);
    ASSERT_OK(second.grow(1));
    EXPECT_EQ(cache.store.copied.size(), 1u);
    EXPECT_EQ(cache.pool.used(), 3);
    EXPECT_EQ(first.pages()[0], second.pages()[0]);
    EXPECT_NE(first.pages()[1], second.pages()[1]);
    // The other is alone with its page now: nothing to copy.
    ASSERT_OK(first.grow(1));
    EXPECT_EQ(cache.store.copied.size(), 1u);
}

TEST(Sequence, a_fork_at_the_end_of_a_page_copies_nothing) {
    Cache cache(8);
    Sequence first(cache.pool, 4, 8), second(cache.pool, 4, 8);
    ASSERT_OK(first.grow(8));
    second.share(first);
    ASSERT_OK(second.grow(1));
    ASSERT_OK(first.grow(1));
    EXPECT_TRUE(cache.store.copied.empty());
    EXPECT_EQ(cache.pool.used(), 4);
}

TEST(Sequence, without_room_for_the_copy_a_fork_does_not_grow) {
    Cache cache(2);
    Sequence first(cache.pool, 4, 8), second(cache.pool, 4, 8);
    ASSERT_OK(first.grow(6));
    second.share(first);
    EXPECT_EQ(second.grow(1).code(), Code::limit);
    EXPECT_EQ(first.pages()[1], second.pages()[1]);
}

TEST(Sequence, adopts_pages_of_others) {
    Cache cache(4);
    Sequence first(cache.pool, 4, 4), second(cache.pool, 4, 4);
    ASSERT_OK(first.grow(4));
    second.adopt(first.pages()[0].page);
    EXPECT_EQ(second.length(), 4);
    EXPECT_EQ(cache.pool.holders(first.pages()[0].page), 2);
    ASSERT_OK(second.grow(4));
    first.truncate(0);
    ASSERT_OK(first.grow(8));
    second.replace(1, first.pages()[1].page);
    EXPECT_EQ(cache.pool.used(), 3);
}

TEST(Sequence, dropping_pages_moves_what_follows_them) {
    Cache cache(5);
    Sequence sequence(cache.pool, 4, 5);
    ASSERT_OK(sequence.grow(20));
    const std::vector<PageEntry> before(sequence.pages().begin(), sequence.pages().end());
    const int64_t gone[] = {1, 3};
    sequence.drop(gone);
    EXPECT_EQ(sequence.length(), 12);
    EXPECT_EQ(cache.pool.available(), 2);
    ASSERT_EQ(sequence.pages().size(), 3u);
    EXPECT_EQ(sequence.pages()[0], (PageEntry{before[0].page, 0}));
    EXPECT_EQ(sequence.pages()[1], (PageEntry{before[2].page, -4}));
    EXPECT_EQ(sequence.pages()[2], (PageEntry{before[4].page, -8}));
    const int64_t second[] = {1};
    sequence.drop(second);
    EXPECT_EQ(sequence.pages()[1], (PageEntry{before[4].page, -12}));
    ASSERT_OK(sequence.grow(1));
    EXPECT_EQ(sequence.pages()[2].shift, 0);
}

}  // namespace

}  // namespace ingle::kv
