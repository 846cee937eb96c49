#include "tokenizer/files/protobuf.h"

namespace ingle::files {

Status MessageReader::read_varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at_end())
            return fail(Code::corrupt, "a number is cut at byte ", at_, " of ", message_.size());
        const uint8_t byte = uint8_t(message_[at_++]);
        value |= uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80) return {};
    }
    return fail(Code::corrupt, "a number longer than 64 bits ends at byte ", at_);
}

Status MessageReader::read_fixed(size_t size, uint64_t& value) {
    if (message_.size() - at_ < size)
        return fail(Code::corrupt, "expected ", size, " bytes at byte ", at_, ", found ",
                    message_.size() - at_);
    value = 0;
    for (size_t i = 0; i < size; ++i) value |= uint64_t(uint8_t(message_[at_ + i])) << (8 * i);
    at_ += size;
    return {};
}

Result<Field> MessageReader::next() {
    uint64_t key = 0;
    INGLE_TRY(read_varint(key));
    Field field;
    field.number = uint32_t(key >> 3);
    const uint64_t wire = key & 7;
    if (wire == 0) {
        INGLE_TRY(read_varint(field.value));
    } else if (wire == 1 || wire == 5) {
        INGLE_TRY(read_fixed(wire == 1 ? 8 : 4, field.value));
    } else if (wire == 2) {
        uint64_t size = 0;
        INGLE_TRY(read_varint(size));
        if (size > message_.size() - at_)
            return fail(Code::corrupt, "field ", field.number, ": expected ", size,
                        " bytes at byte ", at_, ", found ", message_.size() - at_);
        field.bytes = message_.substr(at_, size_t(size));
        field.is_bytes = true;
        at_ += size_t(size);
    } else {
        return fail(Code::corrupt, "field ", field.number, ": wire type ", wire, " at byte ", at_,
                    " is unknown");
    }
    return field;
}

}  // namespace ingle::files
