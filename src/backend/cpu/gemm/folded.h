// Formats whose scales are small integers times one number of the cell: in a panel each code is
// multiplied by the integer of its columns, so that one exact dot product covers a whole block of
// activations instead of a part of it. Kernel text: included once per instruction set, inside its
// namespace.
//
// Such an unpacker has folded_bits, that hold 2^(folded_bits-1) + (code - 2^(bits-1)) * level for
// all levels, 0 to 15;  levels(cell, s), words;  and unit_scale(head) with
// scale(head, cell, s) = unit_scale(head) * levels(cell, s).

template <class Unpacker>
constexpr bool folds = requires { Unpacker::folded_bits; };

// What the core of a panel sees of a format.
template <class Unpacker>
constexpr int panel_bits() {
    if constexpr (folds<Unpacker>)
        return Unpacker::folded_bits;
    else
        return Unpacker::bits;
}
template <class Unpacker>
constexpr int panel_scale_columns() {
    return folds<Unpacker> ? int(scale_block) : Unpacker::scale_columns;
}

template <class Unpacker>
constexpr LookUpTable folded_centres() {
    LookUpTable table = {};
    for (int level = 0; level < 16; ++level)
        table.bytes[level] =
            uint8_t((1 << (Unpacker::folded_bits - 1)) - (level << (Unpacker::bits - 1)));
    return table;
}

// The codes of the columns of one scale, times its integer.
template <class Unpacker>
struct Folding {
    static constexpr LookUpTable centres = folded_centres<Unpacker>();
    Codes levels, offsets;

    INGLE_INLINE Folding(const std::byte* cell, int s) {
        levels = Unpacker::levels(cell, s);
        const Codes two = word_or(levels, levels, 8);
        offsets = look_up(centres.bytes, word_or(two, two, 16));
    }
    INGLE_INLINE Codes of(Codes codes) const {
        return add_bytes(multiply_rows(codes, levels), offsets);
    }
};
