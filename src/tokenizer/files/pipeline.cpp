#include "tokenizer/files/pipeline.h"

#include <algorithm>
#include <span>

#include "tokenizer/charsmap.h"
#include "tokenizer/files/base64.h"
#include "tokenizer/files/patterns.h"
#include "tokenizer/space_escape.h"

namespace ingle::files {
namespace {

constexpr int depth_max = 8;  // of sequences in sequences

Status refuse(const Json& step, std::string_view expected) {
    return fail(Code::unsupported, "tokenizer.json: expected ", expected, ", found ", shown(step));
}

Status read_prepend(const Json& step, Pipeline& pipeline) {
    if (text_member(step, "prepend") != tokenizer::escaped_space)
        return refuse(step, "a Prepend of U+2581");
    pipeline.prefixes_space = true;
    return {};
}

// " " -> U+2581, or runs of spaces -> one.
Status read_replace(const Json& step, Pipeline& pipeline) {
    const Json& pattern = member(step, "pattern");
    const std::string_view content = text_member(step, "content");
    const std::string_view regex = text_member(pattern, "Regex");
    if (text_member(pattern, "String") == " " && content == tokenizer::escaped_space)
        pipeline.escapes_spaces = true;
    else if ((regex == " {2,}" || regex == "▁{2,}") &&
             (content == " " || content == tokenizer::escaped_space))
        pipeline.joins_spaces = true;
    else
        return refuse(step, "a Replace of one space by U+2581 or of several by one");
    return {};
}

Status read_precompiled(const Json& step, Pipeline& pipeline) {
    INGLE_ASSIGN(pipeline.charsmap, decode_base64(text_member(step, "precompiled_charsmap")));
    INGLE_ASSIGN([[maybe_unused]] const auto charsmap,
                 tokenizer::Charsmap::make(pipeline.charsmap));
    return {};
}

Status read_bert_normalizer(const Json& step, Pipeline& pipeline) {
    if (!flag_member(step, "clean_text", true) || !flag_member(step, "handle_chinese_chars", true))
        return refuse(step, "a BertNormalizer that cleans the text and parts ideographs");
    pipeline.lowercase = flag_member(step, "lowercase", true);
    if (const Json& strip = member(step, "strip_accents"); strip.is_boolean())
        pipeline.strip_accents = strip.get<bool>();
    return {};
}

Status read_lowercase(const Json&, Pipeline& pipeline) {
    pipeline.lowercase = true;
    return {};
}

Status read_strip_accents(const Json&, Pipeline& pipeline) {
    pipeline.strip_accents = true;
    return {};
}

Status read_byte_level(const Json& step, Pipeline& pipeline) {
    pipeline.bytes_as_letters = true;
    if (flag_member(step, "use_regex", true)) pipeline.patterns.emplace_back(gpt2_pattern);
    if (flag_member(step, "add_prefix_space", true)) pipeline.prefixes_space = true;
    return {};
}

// Every match becomes a word: "Isolated", or "Removed" of what does not match.
Status read_split(const Json& step, Pipeline& pipeline) {
    const Json& pattern = member(step, "pattern");
    const std::string_view regex = text_member(pattern, "Regex");
    const std::string_view behavior = text_member(step, "behavior");
    const bool invert = flag_member(step, "invert", false);
    // Gemma cuts at spaces after all of them have been escaped: nothing is left to cut.
    if (text_member(pattern, "String") == " " && pipeline.escapes_spaces) return {};
    if (regex.empty() ||
        !((behavior == "Isolated" && !invert) || (behavior == "Removed" && invert)))
        return refuse(step, "a Split by a Regex that keeps every match as a word");
    pipeline.patterns.emplace_back(regex);
    return {};
}

Status read_digits(const Json& step, Pipeline& pipeline) {
    pipeline.patterns.emplace_back(flag_member(step, "individual_digits", false) ? R"(\p{N})"
                                                                                 : R"(\p{N}+)");
    return {};
}

Status read_punctuation(const Json& step, Pipeline& pipeline) {
    const bool runs = text_member(step, "behavior") == "Contiguous";
    pipeline.patterns.emplace_back(runs ? mark_runs_pattern : marks_pattern);
    return {};
}

Status read_metaspace(const Json& step, Pipeline& pipeline) {
    if (text_member(step, "replacement") != tokenizer::escaped_space)
        return refuse(step, "a Metaspace that writes U+2581");
    pipeline.escapes_spaces = true;
    const std::string_view scheme = text_member(step, "prepend_scheme");
    if (scheme.empty() ? flag_member(step, "add_prefix_space", true) : scheme != "never")
        pipeline.prefixes_space = true;
    return {};
}

Status read_space_joiner(const Json&, Pipeline& pipeline) {
    pipeline.joins_spaces = true;
    return {};
}

Status read_nothing(const Json&, Pipeline&) { return {}; }

struct Step {
    std::string_view type;
    Status (*read)(const Json&, Pipeline&);
};

constexpr Step normalizer_steps[] = {
    {"Prepend", read_prepend},          {"Replace", read_replace},
    {"Precompiled", read_precompiled},  {"BertNormalizer", read_bert_normalizer},
    {"Lowercase", read_lowercase},      {"StripAccents", read_strip_accents},
    {"ByteLevel", read_byte_level},
};
constexpr Step pre_tokenizer_steps[] = {
    {"ByteLevel", read_byte_level},     {"Split", read_split},
    {"Digits", read_digits},            {"Punctuation", read_punctuation},
    {"Metaspace", read_metaspace},      {"WhitespaceSplit", read_space_joiner},
};

// Reads `step` and, if it is a sequence, the steps in it (under `list_key`).
Status read_steps(const Json& step, const char* list_key, std::span<const Step> known, int depth,
                  Pipeline& pipeline, std::vector<std::string>& types) {
    if (step.is_null()) return {};
    const std::string_view type = text_member(step, "type");
    if (type.empty()) return refuse(step, "a step with a type");
    if (type == "Sequence") {
        if (depth == depth_max)
            return fail(Code::limit, "tokenizer.json: more than ", depth_max,
                        " sequences inside each other");
        for (const Json& inner : member(step, list_key))
            INGLE_TRY(read_steps(inner, list_key, known, depth + 1, pipeline, types));
        return {};
    }
    types.emplace_back(type);
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Step& s) { return s.type == type; });
    return found != known.end() ? found->read(step, pipeline) : read_nothing(step, pipeline);
}

}  // namespace

Result<Pipeline> read_pipeline(const Json& normalizer, const Json& pre_tokenizer) {
    Pipeline pipeline;
    INGLE_TRY(
        read_steps(normalizer, "normalizers", normalizer_steps, 0, pipeline, pipeline.normalizers));
    INGLE_TRY(read_steps(pre_tokenizer, "pretokenizers", pre_tokenizer_steps, 0, pipeline,
                         pipeline.pre_tokenizers));
    return pipeline;
}

Status check_steps(const Pipeline& pipeline, std::string_view model, std::string_view allowed) {
    const std::vector<std::string_view> known = split(allowed, ' ');
    for (const auto* list : {&pipeline.normalizers, &pipeline.pre_tokenizers})
        for (const std::string& type : *list)
            if (std::find(known.begin(), known.end(), type) == known.end())
                return fail(Code::unsupported, "tokenizer.json: ",
                            list == &pipeline.normalizers ? "normalizer " : "pre-tokenizer ",
                            quoted(type), " is not supported with ", model, "; supported are ",
                            allowed);
    return {};
}

}  // namespace ingle::files
