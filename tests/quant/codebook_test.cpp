// The codebooks of the IQ formats against the published hashes of their rows.
#include "quant/support/codebook.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "quant/support/even_signs.h"
#include "quant/support/grids/iq1_s.h"
#include "quant/support/grids/iq2_s.h"
#include "quant/support/grids/iq2_xs.h"
#include "quant/support/grids/iq2_xxs.h"
#include "quant/support/grids/iq3_s.h"
#include "quant/support/grids/iq3_xxs.h"
#include "support/sha256.h"

namespace ingle {

namespace {

// Of all rows, one signed byte per number, counted in `unit`.
template <size_t Rows, size_t Size>
std::string hash_of(const quant::Codebook<Rows, Size>& book, int unit = 1) {
    std::string bytes;
    for (size_t row = 0; row < Rows; ++row)
        for (size_t k = 0; k < Size; ++k) bytes += char(book.at(row, k) / unit);
    return test::sha256(bytes);
}

}  // namespace

TEST(Sha256, gives_the_hashes_of_the_standard) {
    EXPECT_EQ(test::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(test::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Codebook, rows_have_the_published_hashes) {
    EXPECT_EQ(hash_of(quant::iq2_xxs_grid),
              "05826b5d3e472a3a78f196be62ac78acf81df0f909626e12ab9fa2a5d490dd54");
    EXPECT_EQ(hash_of(quant::iq2_xs_grid),
              "06e47aaca60b4dc1d9b5a3f34540437058a6b142b4d7a59d5ded769b4d1bf1de");
    EXPECT_EQ(hash_of(quant::iq2_s_grid),
              "e1aa1473412b0552c2174c30ef22ab4073f6a181b85a17056e8249bd2932fd88");
    EXPECT_EQ(hash_of(quant::iq3_xxs_grid),
              "46e35f5a997efdee6c99ce57854c8a0d4f0ff8ca57e5e8a60c0793ea580acf5d");
    EXPECT_EQ(hash_of(quant::iq3_s_grid),
              "bd1af4945a1717c65610b0284e4628b9a1ba3b306fae3a06f6e5f597356e349f");
    EXPECT_EQ(hash_of(quant::iq1_s_grid, 8),
              "07540ffc1aeaf6ad4d97e96b0fcc765aae39671d4ae4a27bbd0e796fde167c6a");
}

TEST(EvenSigns, keep_seven_bits_and_make_the_number_of_ones_even) {
    for (uint32_t code = 0; code < 256; ++code) {
        const unsigned signs = quant::even_signs(code);
        EXPECT_EQ(signs & 127, code & 127);
        EXPECT_EQ(std::popcount(signs) % 2, 0);
    }
}

}  // namespace ingle
