// The table of recipes. They choose, tensor by tensor, what llama-quantize chooses, so that a name
// means the same size and about the same quality everywhere; tests/quantize holds them to its
// plans.
#include "gguf/tensor_type.h"
#include "quantize/recipe.h"

namespace ingle::quantize {

namespace {

consteval uint32_t id(std::string_view name) {
    return gguf::find_tensor_type(name)->id;
}
constexpr uint32_t f32 = id("F32"), f16 = id("F16"), bf16 = id("BF16");
constexpr uint32_t q4_0 = id("Q4_0"), q4_1 = id("Q4_1"), q5_0 = id("Q5_0"), q5_1 = id("Q5_1");
constexpr uint32_t q8_0 = id("Q8_0"), mxfp4 = id("MXFP4"), q1_0 = id("Q1_0"), q2_0 = id("Q2_0");
constexpr uint32_t q2_k = id("Q2_K"), q3_k = id("Q3_K"), q4_k = id("Q4_K"), q5_k = id("Q5_K");
constexpr uint32_t q6_k = id("Q6_K"), iq4_nl = id("IQ4_NL"), iq4_xs = id("IQ4_XS");
constexpr uint32_t iq3_s = id("IQ3_S"), iq3_xxs = id("IQ3_XXS"), iq2_s = id("IQ2_S");
constexpr uint32_t iq2_xs = id("IQ2_XS"), iq2_xxs = id("IQ2_XXS"), iq1_s = id("IQ1_S");
constexpr uint32_t iq1_m = id("IQ1_M"), tq1_0 = id("TQ1_0"), tq2_0 = id("TQ2_0");

using enum Role;

bool always(const Place&) {
    return true;
}

// Where in the model.
bool first_eighth(const Place& p) {
    return p.index < p.count / 8;
}
// Counted one by one even in models with experts.
bool first_few(const Place& p) {
    return p.ordinal < p.count / 8;
}
bool first_sixteenth(const Place& p) {
    return p.index < p.count / 16;
}
bool first_two(const Place& p) {
    return p.index < 2;
}
bool first_four(const Place& p) {
    return p.index < 4;
}
bool inner(const Place& p) {
    return p.index >= p.count / 8 && p.index < 7 * p.count / 8;
}
// The first and last eighths and every third layer between.
bool outer_and_thirds(const Place& p) {
    return !inner(p) || (p.index - p.count / 8) % 3 == 2;
}

// What kind of model.
bool shared_by_four(const Place& p) {
    return p.heads_per_kv >= 4;
}
bool shared_or_experts(const Place& p) {
    return p.heads_per_kv >= 4 || p.experts >= 4;
}
bool of_70b(const Place& p) {
    return p.is_70b;
}
bool of_eight(const Place& p) {
    return p.experts == 8;
}
bool of_falcon(const Place& p) {
    return p.is_falcon;
}
bool not_falcon(const Place& p) {
    return !p.is_falcon;
}
bool expert_stack(const Place& p) {
    return p.is_expert_stack;
}

// Together.
bool early_blind(const Place& p) {
    return first_eighth(p) && !p.has_importance;
}
bool early_seeing(const Place& p) {
    return first_eighth(p) && p.has_importance;
}
bool blind(const Place& p) {
    return !p.has_importance;
}
bool early_not_falcon(const Place& p) {
    return first_eighth(p) && !p.is_falcon;
}
bool thirds_of_falcon(const Place& p) {
    return p.is_falcon && outer_and_thirds(p);
}
bool thirds_of_eight(const Place& p) {
    return of_eight(p) && outer_and_thirds(p);
}
bool sixteenth_of_falcon(const Place& p) {
    return p.is_falcon && first_sixteenth(p);
}

// Mixtral and its like: attention is small beside eight experts, so it may be large.
constexpr Rule eight[] = {{attn_value, of_eight, q8_0}, {attn_key, of_eight, q8_0}};
constexpr Rule eight_and_output[] = {
    {attn_value, of_eight, q8_0}, {attn_key, of_eight, q8_0}, {attn_output, of_eight, q5_k}};
constexpr Rule eight_low[] = {
    {attn_value, of_eight, q4_k}, {attn_key, of_eight, q4_k}, {attn_output, of_eight, q5_k}};

constexpr Rule mxfp4_moe[] = {{ffn_down, expert_stack, mxfp4},
                              {ffn_gate, expert_stack, mxfp4},
                              {ffn_up, expert_stack, mxfp4}};
constexpr Rule q4_0_rules[] = {{ffn_down, early_seeing, q4_1}};
constexpr Rule q5_0_rules[] = {{ffn_down, early_seeing, q5_1}};
constexpr Rule q2_k_rules[] = {{attn_value, of_70b, q5_k},
                               {attn_value, shared_by_four, q4_k},
                               {attn_value, always, q3_k},
                               {attn_output, not_falcon, q3_k},
                               {ffn_down, always, q3_k}};
constexpr Rule q2_k_s_rules[] = {
    {attn_value, of_70b, q5_k}, {attn_value, shared_by_four, q4_k}, {ffn_down, first_eighth, q4_k}};
constexpr Rule q3_k_s_rules[] = {{attn_value, of_70b, q5_k}};
constexpr Rule q3_k_m_rules[] = {
    {attn_value, of_70b, q5_k},        {attn_value, first_two, q5_k},
    {attn_value, always, q4_k},        {attn_output, not_falcon, q4_k},
    {ffn_down, first_sixteenth, q5_k}, {ffn_down, thirds_of_falcon, q4_k},
    {ffn_down, not_falcon, q4_k}};
constexpr Rule q3_k_l_rules[] = {{attn_value, always, q5_k},     {attn_output, of_eight, q3_k},
                                 {attn_output, of_falcon, q4_k}, {attn_output, always, q5_k},
                                 {ffn_down, of_falcon, q4_k},    {ffn_down, always, q5_k}};
constexpr Rule q4_k_s_rules[] = {
    {attn_value, of_70b, q5_k}, {attn_value, first_four, q5_k}, {ffn_down, early_not_falcon, q5_k}};
constexpr Rule q4_k_m_rules[] = {
    {attn_value, outer_and_thirds, q6_k},  {attn_value, of_70b, q5_k},
    {ffn_down, sixteenth_of_falcon, q6_k}, {ffn_down, thirds_of_falcon, q5_k},
    {ffn_down, of_falcon, q4_k},           {ffn_down, outer_and_thirds, q6_k}};
constexpr Rule q5_k_m_rules[] = {{attn_value, outer_and_thirds, q6_k},
                                 {ffn_down, outer_and_thirds, q6_k}};
constexpr Rule iq1_rules[] = {{attn_value, shared_or_experts, q4_k},
                              {attn_value, always, q2_k},
                              {attn_output, always, iq2_xxs},
                              {ffn_down, first_few, q2_k}};
constexpr Rule iq2_x_rules[] = {
    {attn_value, shared_or_experts, q4_k}, {attn_value, always, q2_k}, {ffn_down, first_few, q2_k}};
constexpr Rule iq2_s_rules[] = {{attn_value, shared_or_experts, q4_k},
                                {attn_value, always, iq3_s},
                                {attn_output, always, iq3_s},
                                {ffn_down, first_few, iq3_s}};
constexpr Rule iq3_xxs_rules[] = {{attn_value, of_70b, q5_k},    {attn_value, shared_by_four, q4_k},
                                  {attn_value, blind, iq3_s},    {attn_output, not_falcon, iq3_s},
                                  {attn_query, always, iq2_s},   {attn_key, always, iq2_s},
                                  {ffn_down, early_blind, q4_k}, {ffn_down, blind, q3_k}};
constexpr Rule iq3_xs_rules[] = {{attn_value, of_70b, q5_k},    {attn_value, shared_by_four, q4_k},
                                 {attn_query, always, iq3_xxs}, {attn_key, always, iq3_xxs},
                                 {ffn_gate, inner, iq3_xxs},    {ffn_up, inner, iq3_xxs}};
constexpr Rule iq3_s_rules[] = {{attn_value, of_70b, q5_k}, {attn_value, shared_by_four, q4_k}};
constexpr Rule iq3_m_rules[] = {{attn_value, of_70b, q5_k},
                                {attn_value, always, q4_k},
                                {attn_output, not_falcon, q4_k},
                                {ffn_down, first_eighth, q4_k},
                                {ffn_down, thirds_of_eight, q4_k}};
constexpr Rule iq4_rules[] = {{attn_value, shared_by_four, q5_k}, {ffn_down, early_blind, q5_k}};

// Name, file type, what it is, base, output, embedding, rules.
constexpr Recipe table[] = {
    {"F32", 0, "32 bits, as trained or converted", f32, f32, f32, {}, {}},
    {"F16", 1, "16 bits, half precision", f16, f16, f16, {}, {}},
    {"BF16", 32, "16 bits, bfloat16", bf16, bf16, bf16, {}, {}},
    {"Q8_0", 7, "8.5 bits: as good as 16", q8_0, q8_0, q8_0, eight, {}},
    {"Q6_K", 18, "6.6 bits: hardly to be told from 16", q6_k, q6_k, q6_k, eight, {}},
    {"Q5_K_M", 17, "5.7 bits: very good", q5_k, q6_k, q5_k, eight_and_output, q5_k_m_rules},
    {"Q5_K_S", 16, "5.5 bits: very good", q5_k, q6_k, q5_k, eight, {}},
    {"Q5_1", 9, "6 bits, older kind", q5_1, q6_k, q5_1, eight, {}},
    {"Q5_0", 8, "5.5 bits, older kind", q5_0, q6_k, q5_0, eight, q5_0_rules},
    {"Q4_K_M", 15, "4.8 bits: good, the usual choice", q4_k, q6_k, q4_k, eight_and_output,
     q4_k_m_rules},
    {"Q4_K_S", 14, "4.6 bits: good", q4_k, q6_k, q4_k, eight_and_output, q4_k_s_rules},
    {"Q4_1", 3, "5 bits, older kind", q4_1, q6_k, q4_1, eight, {}},
    {"Q4_0", 2, "4.5 bits, older kind", q4_0, q6_k, q4_0, eight, q4_0_rules},
    {"IQ4_NL", 25, "4.5 bits, uneven levels", iq4_nl, q6_k, iq4_nl, eight_and_output, iq4_rules},
    {"IQ4_XS", 30, "4.25 bits, uneven levels", iq4_xs, q6_k, iq4_xs, eight_and_output, iq4_rules},
    {"MXFP4_MOE", 38, "experts in 4.25 bits, all else in 8.5", q8_0, q8_0, q8_0, {}, mxfp4_moe},
    {"Q3_K_L", 13, "4.3 bits", q3_k, q6_k, q3_k, eight, q3_k_l_rules},
    {"Q3_K_M", 12, "3.9 bits: noticeably worse", q3_k, q6_k, q3_k, eight_and_output, q3_k_m_rules},
    {"Q3_K_S", 11, "3.5 bits", q3_k, q6_k, q3_k, eight_and_output, q3_k_s_rules},
    {"IQ3_M", 27, "3.7 bits", iq3_s, q6_k, iq3_s, eight_and_output, iq3_m_rules},
    {"IQ3_S", 26, "3.4 bits", iq3_s, q6_k, iq3_s, eight_and_output, iq3_s_rules},
    {"IQ3_XS", 22, "3.3 bits", iq3_s, q6_k, iq3_s, eight_and_output, iq3_xs_rules},
    {"IQ3_XXS", 23, "3.1 bits; needs --imatrix", iq3_xxs, q5_k, iq3_s, eight_and_output,
     iq3_xxs_rules},
    {"Q2_K", 10, "3.0 bits: much worse", q2_k, q6_k, q2_k, eight_and_output, q2_k_rules},
    {"Q2_K_S", 21, "2.8 bits; needs --imatrix", q2_k, q6_k, q2_k, eight, q2_k_s_rules},
    {"IQ2_M", 29, "2.7 bits; needs --imatrix", iq2_s, q5_k, iq3_s, eight_low, iq2_s_rules},
    {"IQ2_S", 28, "2.5 bits; needs --imatrix", iq2_xs, q5_k, iq3_s, eight_low, iq2_s_rules},
    {"IQ2_XS", 20, "2.3 bits; needs --imatrix", iq2_xs, q5_k, q2_k, eight_low, iq2_x_rules},
    {"IQ2_XXS", 19, "2.1 bits; needs --imatrix", iq2_xxs, q5_k, q2_k, eight_low, iq2_x_rules},
    {"IQ1_M", 31, "1.75 bits; needs --imatrix", iq1_m, q5_k, q2_k, eight_low, iq1_rules},
    {"IQ1_S", 24, "1.6 bits; needs --imatrix", iq1_s, q5_k, q2_k, eight_low, iq1_rules},
    {"TQ2_0", 37, "2.1 bits, for models trained in three levels", tq2_0, q6_k, q4_k, eight, {}},
    {"TQ1_0", 36, "1.7 bits, for models trained in three levels", tq1_0, q6_k, q4_k, eight, {}},
    {"Q2_0", 41, "2.25 bits, for models trained in few levels", q2_0, q6_k, q4_k, eight, {}},
    {"Q1_0", 40, "1.125 bits, for models trained in two levels", q1_0, q6_k, q1_0, eight, {}},
};

}  // namespace

std::span<const Recipe> all_recipes() {
    return table;
}

}  // namespace ingle::quantize
