#include "tokenizer/files/tokenizer_json.h"

#include "base/log.h"
#include "tokenizer/files/added.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/json_model.h"

namespace ingle {
namespace {

using namespace files;

Status read_added_tokens(const Json& list, Vocabulary& vocabulary) {
    for (const Json& added : list)
        INGLE_TRY(add_token(added, id_of(member(added, "id")), vocabulary));
    return {};
}

// What a template puts before and after a text.
struct Frame {
    std::vector<Token> before;
    std::vector<Token> after;
};

// "special_tokens": {"<s>": {"ids": [1]}}, or the text is the token's own.
Status append_special(const Json& processor, std::string_view name, const Vocabulary& vocabulary,
                      std::vector<Token>& out) {
    const Json& entry = member(member(processor, "special_tokens"), std::string(name).c_str());
    const Json& ids = member(entry, "ids");
    if (ids.is_array()) {
        for (const Json& id : ids) {
            const int64_t number = id_of(id);
            if (number < 0 || uint64_t(number) >= vocabulary.tokens.size())
                return fail(Code::corrupt, "tokenizer.json: the template's ", quoted(name),
                            " has the id ", number, " outside the vocabulary");
            out.push_back(Token(number));
        }
        return {};
    }
    const Token token = find_token(vocabulary, name);
    if (token == no_token)
        return fail(Code::corrupt, "tokenizer.json: the template's ", quoted(name), " is no token");
    out.push_back(token);
    return {};
}

// "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}, ...]
Status read_template(const Json& processor, const Vocabulary& vocabulary, Frame& frame) {
    bool before = true;
    for (const Json& part : member(processor, "single")) {
        const std::string_view name = text_member(member(part, "SpecialToken"), "id");
        if (name.empty())
            before = false;
        else
            INGLE_TRY(
                append_special(processor, name, vocabulary, before ? frame.before : frame.after));
    }
    return {};
}

// "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]
Status read_pair(const Json& processor, const Vocabulary& vocabulary, Frame& frame) {
    const auto append = [&](const char* key, std::vector<Token>& out) -> Status {
        const Json& pair = member(processor, key);
        const int64_t id = pair.is_array() && pair.size() == 2 ? id_of(pair[1]) : -1;
        if (id < 0 || uint64_t(id) >= vocabulary.tokens.size())
            return fail(Code::corrupt,
                        "tokenizer.json: expected [text, id] in the post-processor's ", key,
                        ", found ", shown(pair));
        out.push_back(Token(id));
        return {};
    };
    INGLE_TRY(append("cls", frame.before));
    return append("sep", frame.after);
}

Status read_nothing(const Json&, const Vocabulary&, Frame&) { return {}; }

struct Processor {
    std::string_view type;
    Status (*read)(const Json&, const Vocabulary&, Frame&);
};
constexpr Processor processors[] = {{"TemplateProcessing", read_template},
                                    {"RobertaProcessing", read_pair},
                                    {"BertProcessing", read_pair},
                                    {"ByteLevel", read_nothing}};

Status read_processor(const Json& processor, const Vocabulary& vocabulary, Frame& frame) {
    const std::string_view type = text_member(processor, "type");
    for (const Processor& known : processors)
        if (known.type == type) return known.read(processor, vocabulary, frame);
    return fail(Code::unsupported, "tokenizer.json: unknown post-processor ", shown(processor));
}

// One token before a text and one after it is all that a vocabulary can say.
void apply_frame(const Frame& frame, Vocabulary& vocabulary) {
    SpecialTokens& special = vocabulary.special;
    if (frame.before.size() > 1 || frame.after.size() > 1)
        log(LogLevel::warning,
            cat("tokenizer.json puts ", frame.before.size(), " tokens before a text and ",
                frame.after.size(), " after it; more than one of each is left out"));
    vocabulary.add_bos = !frame.before.empty();
    vocabulary.add_eos = !frame.after.empty();
    const bool is_word_piece = vocabulary.model == "bert";
    if (!frame.before.empty()) (is_word_piece ? special.cls : special.bos) = frame.before.front();
    if (!frame.after.empty())
        (is_word_piece ? special.separator : special.eos) = frame.after.front();
}

Status read_post_processor(const Json& processor, Vocabulary& vocabulary) {
    Frame frame;
    if (text_member(processor, "type") == "Sequence") {
        for (const Json& inner : member(processor, "processors"))
            INGLE_TRY(read_processor(inner, vocabulary, frame));
    } else if (!processor.is_null()) {
        INGLE_TRY(read_processor(processor, vocabulary, frame));
    }
    apply_frame(frame, vocabulary);
    return {};
}

}  // namespace

Result<Vocabulary> vocabulary_from_tokenizer_json(std::string_view text) {
    INGLE_ASSIGN(const Json json, parse_json(text, "tokenizer.json"));
    INGLE_ASSIGN(const Pipeline pipeline,
                 read_pipeline(member(json, "normalizer"), member(json, "pre_tokenizer")));
    INGLE_ASSIGN(Vocabulary vocabulary, read_json_model(member(json, "model"), pipeline));
    INGLE_TRY(read_added_tokens(member(json, "added_tokens"), vocabulary));
    INGLE_TRY(read_post_processor(member(json, "post_processor"), vocabulary));
    fill_holes(vocabulary);
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

}  // namespace ingle
