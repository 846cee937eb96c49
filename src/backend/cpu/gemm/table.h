// The functions of one instruction set as a table. Kernel text: included once per instruction set,
// inside its namespace.

template <class Unpacker>
constexpr WeightKernel make_kernel() {
    WeightKernel kernel = {};
    kernel.gguf_id = Unpacker::Format::gguf_id;
    kernel.isa = isa;
    kernel.kind = Unpacker::kind;
    kernel.cell_columns = Unpacker::cell_columns;
    kernel.cell_bytes = Unpacker::cell_bytes;
    kernel.direct = direct<Unpacker>;
    kernel.panel = panel<Unpacker>;
    if constexpr (Unpacker::kind == ActivationKind::int8) {
        kernel.pack = pack_int8<Unpacker>;
        kernel.decode = decode_int8<Unpacker>;
    } else {
        kernel.pack = pack_f32<Unpacker>;
        kernel.decode = decode_f32<Unpacker>;
    }
    return kernel;
}

template <class... Unpackers>
struct Table {
    static constexpr WeightKernel kernels[] = {make_kernel<Unpackers>()...};
};
