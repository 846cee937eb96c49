#include "models/support/blocks.h"

namespace ingle::models {

namespace {

constexpr int64_t layers_max = 4096;
constexpr int64_t columns_max = 1 << 20;
constexpr int64_t heads_max = 1 << 14;
constexpr int64_t head_dim_max = 1 << 13;

}  // namespace

Dims::Dims(Loader& w)
    : layers(w.integer("block_count", 1, layers_max)),
      width(w.integer("embedding_length", 1, columns_max)),
      ffn(w.integer("feed_forward_length", 1, columns_max)),
      heads(w.integer("attention.head_count", 1, heads_max)),
      kv_heads(w.integer_or("attention.head_count_kv", heads, 1, heads)),
      key_dim(w.integer_or("attention.key_length", width / heads, 1, head_dim_max)),
      value_dim(w.integer_or("attention.value_length", width / heads, 1, head_dim_max)),
      vocab(w.rows_of("token_embd")),
      eps(w.real("attention.layer_norm_rms_epsilon", 0, 1)) {
    // The last blocks of some files predict tokens further ahead; the model itself ends before them.
    layers -= w.integer_or("nextn_predict_layers", 0, 0, layers - 1);
    if (kv_heads > 0 && heads % kv_heads != 0)
        w.fault(cat("missing or impossible hyper-parameter '", w.architecture(),
                    ".attention.head_count_kv': expected a divisor of head_count ", heads,
                    ", found ", kv_heads));
    if (key_dim == 0 || value_dim == 0)
        w.fault(cat("missing or impossible hyper-parameter '", w.architecture(),
                    ".attention.head_count': expected at most embedding_length ", width,
                    ", found ", heads));
}

}  // namespace ingle::models
