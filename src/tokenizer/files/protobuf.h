// Reading protocol buffers without a schema: a message is a row of fields, each
//   varint key = number << 3 | wire type;  0: varint   1: 8 bytes   2: varint size, bytes   5: 4
//   bytes
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace ingle::files {

struct Field {
    uint32_t number = 0;
    uint64_t value = 0;      // wire types 0, 1 and 5
    std::string_view bytes;  // wire type 2
    bool is_bytes = false;
};

class MessageReader {
  public:
    explicit MessageReader(std::string_view message) : message_(message) {}

    bool at_end() const { return at_ == message_.size(); }
    // Not at the end. Fails for a field that is cut, naming its place in this message.
    Result<Field> next();

  private:
    Status read_varint(uint64_t& value);
    Status read_fixed(size_t size, uint64_t& value);

    std::string_view message_;
    size_t at_ = 0;
};

}  // namespace ingle::files
