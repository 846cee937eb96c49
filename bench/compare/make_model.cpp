// Writes a Llama of random weights, for speed comparisons: the same file for every engine.
//
//   make_model OUT.gguf TYPE [layers width heads kv_heads ffn vocab [experts used]]
//                                                     default 16 2048 32 8 8192 32000 (1.1 B)
//
// With experts `ffn` is that of one: 16 1024 16 4 768 32000 32 4 has 1.4 B parameters, of which 0.3 B take part in a token.
// TYPE is a weight format (Q8_0, F16, ...), or Q4_K_M: Q4_K with Q6_K for the output, and for attn_v and ffn_down in
// the first and last eighth of the layers and every third between. Rows repeat a few encoded ones in random order.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/random.h"
#include "gguf/tensor_type.h"
#include "gguf/writer.h"
#include "quant/support/format.h"

namespace ingle {

namespace {

constexpr int64_t distinct_rows = 64;

struct Shape {
    int64_t layers = 16, width = 2048, heads = 32, kv_heads = 8, ffn = 8192, vocab = 32000;
    int64_t experts = 0, used = 0;
    int64_t head_dim() const { return width / heads; }
};

bool more_bits(int64_t layer, int64_t layers) {
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

class Maker {
  public:
    Maker(const Shape& shape, std::string type) : shape_(shape), type_(std::move(type)) {
        const int64_t w = shape.width, kv = shape.kv_heads * shape.head_dim();
        const bool mixed = type_ == "Q4_K_M";
        const std::string base = mixed ? "Q4_K" : type_;
        add("token_embd.weight", base, w, shape.vocab);
        for (int64_t i = 0; i < shape.layers; ++i) {
            const std::string blk = cat("blk.", i, ".");
            const std::string fine = mixed && more_bits(i, shape.layers) ? "Q6_K" : base;
            add(blk + "attn_norm.weight", "F32", w, 1);
            add(blk + "attn_q.weight", base, w, w);
            add(blk + "attn_k.weight", base, w, kv);
            add(blk + "attn_v.weight", fine, w, kv);
            add(blk + "attn_output.weight", base, w, w);
            add(blk + "ffn_norm.weight", "F32", w, 1);
            const std::string stack = shape.experts > 0 ? "_exps.weight" : ".weight";
            if (shape.experts > 0) add(blk + "ffn_gate_inp.weight", "F32", w, shape.experts);
            add(blk + "ffn_gate" + stack, base, w, shape.ffn, shape.experts);
            add(blk + "ffn_up" + stack, base, w, shape.ffn, shape.experts);
            add(blk + "ffn_down" + stack, fine, shape.ffn, w, shape.experts);
        }
        add("output_norm.weight", "F32", w, 1);
        add("output.weight", mixed ? "Q6_K" : base, w, shape.vocab);
    }

    Status write(const std::string& path) {
        INGLE_ASSIGN(auto writer, gguf::Writer::create(path, metadata(), specs_));
        for (const gguf::TensorSpec& spec : specs_) {
            uint64_t rows = 1;
            for (size_t i = 1; i < spec.dims.size(); ++i) rows *= spec.dims[i];
            INGLE_TRY(write_rows(writer, *quant::find_format(spec.type_id), int64_t(spec.dims[0]),
                                 int64_t(rows)));
        }
        return writer.finish();
    }

  private:
    void add(const std::string& name, const std::string& format, int64_t columns, int64_t rows,
             int64_t experts = 0) {
        const quant::FormatInfo* const info = quant::find_format(format);
        if (info == nullptr) {
            std::fprintf(stderr, "error: unknown weight format '%s'\n", format.c_str());
            std::exit(2);
        }
        std::vector<uint64_t> dims = {uint64_t(columns)};
        if (rows > 1) dims.push_back(uint64_t(rows));
        if (experts > 0) dims.push_back(uint64_t(experts));
        specs_.push_back({name, info->gguf_id, dims});
    }

    gguf::Metadata metadata() const {
        gguf::Metadata m;
        const auto set = [&](const char* key, gguf::Value value) { m.set(key, std::move(value)); };
        set("general.architecture", std::string("llama"));
        set("general.name", cat("random ", type_));
        set("llama.block_count", uint32_t(shape_.layers));
        set("llama.context_length", uint32_t(32768));
        set("llama.embedding_length", uint32_t(shape_.width));
        set("llama.feed_forward_length", uint32_t(shape_.ffn));
        set("llama.attention.head_count", uint32_t(shape_.heads));
        set("llama.attention.head_count_kv", uint32_t(shape_.kv_heads));
        set("llama.rope.dimension_count", uint32_t(shape_.head_dim()));
        set("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        set("llama.vocab_size", uint32_t(shape_.vocab));
        if (shape_.experts > 0) {
            set("llama.expert_count", uint32_t(shape_.experts));
            set("llama.expert_used_count", uint32_t(shape_.used));
        }
        set("tokenizer.ggml.model", std::string("llama"));
        std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
        std::vector<int32_t> types = {2, 3, 3};
        for (int byte = 0; byte < 256; ++byte) {
            std::array<char, 8> text;
            std::snprintf(text.data(), text.size(), "<0x%02X>", byte);
            tokens.emplace_back(text.data());
            types.push_back(6);
        }
        while (int64_t(tokens.size()) < shape_.vocab) {
            tokens.push_back(cat("token", tokens.size()));
            types.push_back(1);
        }
        set("tokenizer.ggml.tokens", gguf::Array{gguf::Strings::copy_of(tokens)});
        set("tokenizer.ggml.scores", gguf::Array{std::vector<float>(tokens.size(), 0.0f)});
        set("tokenizer.ggml.token_type", gguf::Array{types});
        set("tokenizer.ggml.bos_token_id", uint32_t(1));
        set("tokenizer.ggml.eos_token_id", uint32_t(2));
        return m;
    }

    Status write_rows(gguf::Writer& writer, const quant::FormatInfo& format, int64_t columns,
                      int64_t rows) {
        const size_t bytes = size_t(columns / format.block_size) * format.block_bytes;
        std::vector<std::byte> pool(bytes * distinct_rows);
        std::vector<float> row(static_cast<size_t>(columns));
        for (int64_t r = 0; r < std::min(rows, distinct_rows); ++r) {
            // A norm's weights lie around 1; a matrix keeps the size of its input.
            for (float& x : row)
                x = rows == 1 ? float(1 + 0.1 * random_.normal())
                              : float(random_.normal() / std::sqrt(double(columns)));
            format.encode_row(row.data(), columns, pool.data() + size_t(r) * bytes, {});
        }
        for (int64_t r = 0; r < rows; ++r) {
            // Few rows are all different: experts that a router cannot tell apart would be chosen together.
            const uint64_t pick = rows <= distinct_rows ? uint64_t(r) : random_.below(uint32_t(distinct_rows));
            INGLE_TRY(writer.append({pool.data() + pick * bytes, bytes}));
        }
        return {};
    }

    Shape shape_;
    std::string type_;
    Random random_{42};
    std::vector<gguf::TensorSpec> specs_;
};

int run(int argc, char** argv) {
    if (argc != 3 && argc != 9 && argc != 11) {
        std::fprintf(stderr, "usage: make_model OUT.gguf TYPE [layers width heads kv_heads ffn vocab [experts used]]\n");
        return 2;
    }
    Shape shape;
    int64_t* const fields[] = {&shape.layers, &shape.width, &shape.heads,   &shape.kv_heads,
                               &shape.ffn,    &shape.vocab, &shape.experts, &shape.used};
    for (int i = 3; i < argc; ++i) {
        *fields[i - 3] = parse_int(argv[i]).value_or(0);
        if (*fields[i - 3] > 0) continue;
        std::fprintf(stderr, "error: expected a whole number above 0, found '%s'\n", argv[i]);
        return 2;
    }
    if (shape.used > shape.experts) {
        std::fprintf(stderr, "error: expected at most %lld experts used, found %lld\n",
                     static_cast<long long>(shape.experts), static_cast<long long>(shape.used));
        return 2;
    }
    const Status status = Maker(shape, argv[2]).write(argv[1]);
    if (!status.ok()) std::fprintf(stderr, "error: %s\n", status.message().c_str());
    return status.ok() ? 0 : 1;
}

}  // namespace

}  // namespace ingle

int main(int argc, char** argv) { return ingle::run(argc, argv); }
