# Every NAME.h here says how one format is packed and unpacked. The generated cpu/unpackers.h
# includes them all inside the namespace of an instruction set and makes one table of kernels; like
# them it is text to be included once per set.
#
# An unpacker, struct NAME (in capitals), has
#   Format                    the quant:: struct of the file's blocks
#   kind                      int8 (codes) or f32 (values): the activations it is multiplied with
#   cell_columns, cell_bytes  of a cell of 16 rows; columns a multiple of 64, bytes of 32, better of
#                             64 where whole registers are loaded (f32: 1 column, 16 values)
# with codes:
#   bits                      codes are 0 .. 2^bits - 1
#   scale_columns             columns that share a scale: 32 or 16
#   has_minimum               value = scale * code + minimum; otherwise scale * (code - 2^(bits-1))
#   pack(block, row, b, cell) puts file block b of the cell's row into the (zeroed) cell
#   unrolled_blocks           optional: of the blocks of 32 columns of a cell (default: all)
#   unit(cell, u)             codes of columns 4u .. 4u+3 of the cell
#   pair(cell, p)             instead of unit, where two are found at once: units 2p and 2p + 1
#   Head, head(cell)          what all scales of a cell share
#   scale(head, cell, s)      scale s of the cell, as f32; minimum(head, cell, s) likewise
# with values:
#   values(cell)              one column as f32
_ingle_stems(${INGLE_REGISTRY_FOLDER} h stems)
set(unpackers "")
set(includes "")
foreach(stem IN LISTS stems)
  _ingle_cased(${stem} upper type)
  list(APPEND unpackers ${type})
  string(APPEND includes "#include \"backend/cpu/unpack/${stem}.h\"\n")
endforeach()
list(JOIN unpackers ", " unpackers)
_ingle_write(${INGLE_GENERATED}/cpu/unpackers.h
"// Generated from the file names of src/backend/cpu/unpack. No include guard: see its registry.cmake.
${includes}
using Unpackers = Table<${unpackers}>;
")
