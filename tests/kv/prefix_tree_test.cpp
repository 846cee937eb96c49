// Known beginnings are found, shared and given up in the right order, and never mixed up.
#include "kv/prefix_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/random.h"
#include "support/fixtures.h"

namespace ingle::kv {

namespace {

constexpr int64_t page = 4;

// Pages hold the tokens that were written to them, twice: layers with a window have their own.
struct TokenPages final : backend::KvStore {
    std::vector<std::vector<Token>> pages, windows;

    explicit TokenPages(int64_t count)
        : pages(size_t(count), std::vector<Token>(page, -1)), windows(pages) {}
    void discard(uint32_t at) override {
        pages[at].assign(page, -1);
        discard_window(at);
    }
    void discard_window(uint32_t at) override { windows[at].assign(page, -1); }
    void copy(uint32_t from, uint32_t to) override {
        pages[to] = pages[from];
        windows[to] = windows[from];
    }
    Status read(uint32_t, backend::PagePart, std::span<std::byte>) override { return {}; }
    Status write(uint32_t, backend::PagePart, std::span<const std::byte>) override {
        return {};
    }
};

class PrefixTreeTest : public testing::Test {
  protected:
    void make(int64_t pages, int64_t unused_max, const PoolOptions& options = {}) {
        tree_.reset();
        store_.emplace(pages);
        backend::KvStore* const stores[] = {&*store_};
        pool_.emplace(pages, stores, options);
        tree_.emplace(*pool_, page, unused_max, true);
    }
    void SetUp() override { make(32, 32); }

    // Computes what the tree does not know of the text; the tokens that it knew.
    int64_t begin(PrefixTree::Place& place, Sequence& sequence, const std::vector<Token>& text,
                  std::string_view salt = "") {
        place = tree_->enter(salt);
        const int64_t found = tree_->extend(place, sequence, text, int64_t(text.size()) - 1);
        compute(place, sequence, text);
        return found;
    }
    void compute(PrefixTree::Place& place, Sequence& sequence, const std::vector<Token>& text) {
        const int64_t from = sequence.length();
        ASSERT_OK(sequence.grow(int64_t(text.size()) - from));
        for (int64_t i = from; i < int64_t(text.size()); ++i) {
            const auto at = size_t(sequence.pages()[size_t(i / page)].page);
            store_->pages[at][size_t(i % page)] = store_->windows[at][size_t(i % page)] = text[size_t(i)];
            expect_window(sequence, text, i);
        }
        tree_->keep(place, sequence, text);
        sequence.trim();
        expect_text(sequence, text);
    }
    // What layers with a window see at `position`.
    void expect_window(const Sequence& sequence, const std::vector<Token>& text, int64_t position) const {
        const int64_t window = pool_->window().tokens;
        for (int64_t i = std::max<int64_t>(0, position - window + 1); window > 0 && i <= position; ++i)
            ASSERT_EQ(store_->windows[sequence.pages()[size_t(i / page)].page][size_t(i % page)],
                      text[size_t(i)])
                << "token " << i << " seen by " << position;
    }
    void expect_text(const Sequence& sequence, const std::vector<Token>& text) const {
        for (int64_t i = 0; i < sequence.length(); ++i)
            ASSERT_EQ(store_->pages[sequence.pages()[size_t(i / page)].page][size_t(i % page)],
                      text[size_t(i)])
                << "token " << i;
    }
    // From beginning to end; the tokens that were known.
    int64_t visit(const std::vector<Token>& text, std::string_view salt = "") {
        Sequence sequence(*pool_, page, 32);
        PrefixTree::Place place;
        const int64_t found = begin(place, sequence, text, salt);
        tree_->keep_and_leave(place, sequence, text);
        return found;
    }
    void random_texts();
    static std::vector<Token> text_of(Token first, int64_t count) {
        std::vector<Token> text(size_t(count), 0);
        std::iota(text.begin(), text.end(), first);
        return text;
    }

    std::optional<TokenPages> store_;
    std::optional<PagePool> pool_;
    std::optional<PrefixTree> tree_;
};

TEST_F(PrefixTreeTest, a_text_is_found_again_but_for_its_last_token) {
    EXPECT_EQ(visit(text_of(10, 11)), 0);
    EXPECT_EQ(visit(text_of(10, 11)), 10);
    EXPECT_EQ(visit(text_of(10, 20)), 11);
    EXPECT_EQ(visit(text_of(10, 20)), 19);
    EXPECT_EQ(visit(text_of(11, 20)), 0);
}

TEST_F(PrefixTreeTest, an_edited_text_is_found_up_to_the_edit) {
    visit(text_of(10, 20));
    auto edited = text_of(10, 20);
    edited[9] = 99;
    EXPECT_EQ(visit(edited), 9);
    EXPECT_EQ(visit(edited), 19);
    EXPECT_EQ(visit(text_of(10, 20)), 19);
}

TEST_F(PrefixTreeTest, salts_do_not_share) {
    visit(text_of(10, 20), "a");
    EXPECT_EQ(visit(text_of(10, 20), "b"), 0);
    EXPECT_EQ(visit(text_of(10, 20), "a"), 19);
}

TEST_F(PrefixTreeTest, sequences_side_by_side_hold_the_same_pages) {
    const auto text = text_of(10, 17);
    Sequence first(*pool_, page, 32), second(*pool_, page, 32);
    PrefixTree::Place at_first, at_second;
    begin(at_first, first, text);
    EXPECT_EQ(begin(at_second, second, text), 16);
    EXPECT_EQ(pool_->used(), 4 + 2);
    tree_->leave(at_first, first);
    expect_text(second, text);
    tree_->leave(at_second, second);
    EXPECT_EQ(tree_->unused(), 4);
}

TEST_F(PrefixTreeTest, pages_computed_twice_become_one) {
    const auto text = text_of(10, 9);
    Sequence first(*pool_, page, 32), second(*pool_, page, 32);
    PrefixTree::Place at_first = tree_->enter(""), at_second = tree_->enter("");
    compute(at_first, first, text);
    EXPECT_EQ(pool_->used(), 3);
    compute(at_second, second, text);
    EXPECT_EQ(pool_->used(), 4);
    tree_->leave(at_first, first);
    tree_->leave(at_second, second);
}

TEST_F(PrefixTreeTest, what_was_used_last_stays_longest_and_ends_go_first) {
    visit(text_of(100, 12));
    visit(text_of(200, 12));
    visit(text_of(100, 12));
    EXPECT_EQ(tree_->unused(), 6);
    EXPECT_EQ(tree_->evict(4), 4);
    EXPECT_EQ(visit(text_of(200, 12)), 0);
    tree_->evict(100);
    visit(text_of(100, 12));
    tree_->evict(1);
    EXPECT_EQ(visit(text_of(100, 12)), 8);
}

TEST_F(PrefixTreeTest, pages_in_use_are_not_evicted) {
    const auto text = text_of(10, 12);
    Sequence sequence(*pool_, page, 32);
    PrefixTree::Place place;
    begin(place, sequence, text);
    EXPECT_EQ(tree_->evict(100), 0);
    expect_text(sequence, text);
    tree_->leave(place, sequence);
    EXPECT_EQ(tree_->evict(100), 3);
    EXPECT_EQ(pool_->used(), 0);
}

TEST_F(PrefixTreeTest, no_more_is_kept_than_was_allowed) {
    make(32, 5);
    for (Token first = 0; first < 1000; first += 50) visit(text_of(first, 13));
    EXPECT_LE(tree_->unused(), 5);
    EXPECT_EQ(pool_->used(), tree_->unused());
    EXPECT_EQ(visit(text_of(950, 13)), 12);
}

TEST_F(PrefixTreeTest, a_forgotten_text_goes_but_not_what_others_share) {
    visit(text_of(10, 11));
    auto other = text_of(10, 11);
    other[6] = 99;
    visit(other);
    tree_->forget("", text_of(10, 11));
    EXPECT_EQ(visit(other), 10);
    EXPECT_EQ(visit(text_of(10, 11)), 6);
    tree_->forget("nobody", other);
}

TEST_F(PrefixTreeTest, full_pages_are_not_split_where_their_form_differs) {
    tree_.emplace(*pool_, page, 32, false);
    visit(text_of(10, 11));
    EXPECT_EQ(visit(text_of(10, 7)), 4);
    EXPECT_EQ(visit(text_of(10, 20)), 11);
}

TEST_F(PrefixTreeTest, a_fork_holds_the_path_too) {
    const auto text = text_of(10, 12);
    Sequence first(*pool_, page, 32), second(*pool_, page, 32);
    PrefixTree::Place at_first;
    begin(at_first, first, text);
    second.share(first);
    PrefixTree::Place at_second = tree_->fork(at_first);
    tree_->leave(at_first, first);
    EXPECT_EQ(tree_->evict(100), 0);
    expect_text(second, text);
    tree_->leave(at_second, second);
    EXPECT_EQ(tree_->unused(), 3);
}

TEST_F(PrefixTreeTest, gives_everything_back_at_its_end) {
    visit(text_of(10, 30));
    tree_.reset();
    EXPECT_EQ(pool_->used(), 0);
}

constexpr PoolOptions windowed = {.window = {.tokens = 6, .page_tokens = page, .slack = 4},
                                  .windows_max = 20};

TEST_F(PrefixTreeTest, a_text_is_taken_up_at_its_end_and_where_its_window_is_still_there) {
    make(32, 32, windowed);
    auto text = text_of(10, 40);
    EXPECT_EQ(visit(text), 0);
    // What the end needs: tokens from 35 on and a little more, 31 on: pages 7 to 9.
    EXPECT_EQ(pool_->windows_used(), 3);
    text.resize(44, 5);
    EXPECT_EQ(visit(text), 40);
    text[36] = 7;
    EXPECT_EQ(visit(text), 36);
    // The window before token 12 is gone.
    text[12] = 7;
    EXPECT_EQ(visit(text), 0);
    // Where texts were seen to part it is kept from then on.
    text[13] = 7;
    EXPECT_EQ(visit(text), 12);
}

TEST_F(PrefixTreeTest, windows_go_by_least_recent_use) {
    make(32, 32, windowed);
    const auto first = text_of(10, 40), second = text_of(100, 40);
    visit(first);
    visit(second);
    visit(first);
    EXPECT_EQ(pool_->windows_used(), 6);
    EXPECT_EQ(tree_->evict_windows(17), 17);
    auto longer = first;
    longer.resize(42, 3);
    EXPECT_EQ(visit(longer), 40);
    longer = second;
    longer.resize(42, 3);
    EXPECT_EQ(visit(longer), 0);
}

TEST_F(PrefixTreeTest, a_sequence_goes_back_as_far_as_its_window_reaches) {
    make(32, 32, windowed);
    Sequence sequence(*pool_, page, 32);
    PrefixTree::Place place;
    const auto text = text_of(10, 40);
    begin(place, sequence, text);
    sequence.truncate(37);
    EXPECT_EQ(sequence.length(), 37);
    sequence.truncate(20);
    EXPECT_EQ(sequence.length(), 0);
    EXPECT_EQ(sequence.first_window(), 0);
    tree_->leave(place, sequence);
}

TEST_F(PrefixTreeTest, whatever_comes_every_window_is_that_of_its_own_text) {
    make(40, 20, windowed);
    random_texts();
    EXPECT_LE(pool_->windows_used(), tree_->unused());
    tree_->evict_windows(100);
    EXPECT_EQ(pool_->windows_used(), 0);
}

TEST_F(PrefixTreeTest, whatever_comes_every_sequence_reads_its_own_text) {
    make(40, 20);
    random_texts();
}

// Random texts of few letters come and go, many at once, in a pool that is too small.
void PrefixTreeTest::random_texts() {
    Random random(1);
    struct Reader {
        Sequence sequence;
        PrefixTree::Place place;
        std::vector<Token> text;
        explicit Reader(PagePool& pool) : sequence(pool, page, 16) {}
    };
    std::vector<std::unique_ptr<Reader>> readers;
    for (int i = 0; i < 5000; ++i) {
        if (readers.size() < 6 && random.below(2) == 0) {
            auto reader = std::make_unique<Reader>(*pool_);
            for (int64_t n = 1 + int64_t(random.below(24)); n > 0; --n)
                reader->text.push_back(Token(random.below(2)));
            tree_->evict(std::max<int64_t>(0, 7 - pool_->available()));
            if (pool_->available() >= 7 && tree_->evict_windows(7) >= 7)
                begin(reader->place, reader->sequence, reader->text, random.below(2) == 0 ? "x" : "");
            else continue;
            readers.push_back(std::move(reader));
        } else if (!readers.empty()) {
            const size_t which = random.below(uint32_t(readers.size()));
            Reader& reader = *readers[which];
            expect_text(reader.sequence, reader.text);
            if (random.below(2) == 0) tree_->keep_and_leave(reader.place, reader.sequence, reader.text);
            else tree_->leave(reader.place, reader.sequence);
            readers.erase(readers.begin() + std::ptrdiff_t(which));
        }
        ASSERT_FALSE(HasFatalFailure());
    }
    for (auto& reader : readers) tree_->leave(reader->place, reader->sequence);
    EXPECT_EQ(pool_->used(), tree_->unused());
    EXPECT_EQ(tree_->statistics().pages, tree_->unused());
}

}  // namespace

}  // namespace ingle::kv
