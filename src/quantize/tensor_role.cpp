#include "quantize/tensor_role.h"

#include <algorithm>

#include "base/text.h"

namespace ingle::quantize {

namespace {

bool has(std::string_view name, std::string_view part) {
    return name.find(part) != std::string_view::npos;
}

// Parts of names that are left as they are, found by asking llama-quantize about each.
constexpr std::string_view kept[] = {
    "_norm.weight",
    "ffn_gate_inp.weight",  // the router
    "position_embd",
    "token_types.weight",
    "patch_embd",
    "ssm_conv1d",
    "shortconv.conv.weight",
    "time_mix_first.weight",
    "time_mix_w0.weight",
    "time_mix_w1.weight",
    "time_mix_w2.weight",
    "time_mix_v0.weight",
    "time_mix_v1.weight",
    "time_mix_v2.weight",
    "time_mix_a0.weight",
    "time_mix_a1.weight",
    "time_mix_a2.weight",
    "time_mix_g1.weight",
    "time_mix_g2.weight",
    "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight",
    "time_mix_lerp_fused.weight",
    "attn_rel_b.weight",
    "altup",
    "laurel",
    "per_layer_model_proj",
};

}  // namespace

Role role_of(std::string_view name) {
    if (name == "output.weight") return Role::output;
    if (name == "token_embd.weight" || name == "per_layer_token_embd.weight")
        return Role::embedding;
    if (has(name, "attn_v.weight") || has(name, "attn_qkv.weight") || has(name, "attn_kv_b.weight"))
        return Role::attn_value;
    if (has(name, "attn_k.weight")) return Role::attn_key;
    if (has(name, "attn_q.weight")) return Role::attn_query;
    if (has(name, "attn_output.weight")) return Role::attn_output;
    if (has(name, "ffn_down")) return Role::ffn_down;
    if (has(name, "ffn_gate")) return Role::ffn_gate;
    if (has(name, "ffn_up")) return Role::ffn_up;
    return Role::other;
}

int layer_of(std::string_view name) {
    constexpr std::string_view prefix = "blk.";
    if (!name.starts_with(prefix)) return -1;
    name.remove_prefix(prefix.size());
    const auto layer = parse_int(name.substr(0, name.find('.')));
    return layer && *layer >= 0 && *layer < 100000 ? int(*layer) : -1;
}

bool is_quantizable(std::string_view name, uint32_t rank) {
    return rank >= 2 && name.ends_with("weight") &&
           std::none_of(std::begin(kept), std::end(kept),
                        [&](std::string_view part) { return has(name, part); });
}

}  // namespace ingle::quantize
