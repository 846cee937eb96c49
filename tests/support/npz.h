// Reads the arrays of an .npz file that was stored without compression, as numpy.savez writes it.
#pragma once

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/fixtures.h"

namespace ingle::test {

class Npz {
  public:
    explicit Npz(const std::filesystem::path& path) : bytes_(bytes_of(path)) {
        // Local file headers follow each other: signature, ..., sizes at 18, name and extra lengths at 26.
        for (size_t at = 0; read<uint32_t>(at) == 0x04034b50u;) {
            const auto size = read<uint32_t>(at + 18);
            const auto name_length = read<uint16_t>(at + 26);
            const auto extra_length = read<uint16_t>(at + 28);
            const size_t data = at + 30 + name_length + extra_length;
            // numpy writes 64-bit sizes into the extra field.
            const uint64_t stored =
                size == 0xffffffffu ? read<uint64_t>(at + 30 + name_length + 4 + 8) : size;
            EXPECT_EQ(read<uint16_t>(at + 8), 0) << "compressed entry";
            arrays_[bytes_.substr(at + 30, name_length)] = {data, size_t(stored)};
            at = data + size_t(stored);
        }
    }

    // The values of NAME.npy, in C order.
    template <class T>
    std::vector<T> array(const std::string& name) const {
        const auto found = arrays_.find(name + ".npy");
        EXPECT_NE(found, arrays_.end()) << name;
        const size_t header = 10 + read<uint16_t>(found->second.first + 8);
        std::vector<T> values((found->second.second - header) / sizeof(T));
        std::memcpy(values.data(), bytes_.data() + found->second.first + header,
                    values.size() * sizeof(T));
        return values;
    }

  private:
    template <class T>
    T read(size_t at) const {
        T value = {};
        if (at + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, sizeof(T));
        return value;
    }

    std::string bytes_;
    std::map<std::string, std::pair<size_t, size_t>> arrays_;  // name -> offset, size
};

}  // namespace ingle::test
