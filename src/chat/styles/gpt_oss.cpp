// gpt-oss ("harmony"): a reply is a row of messages, each with a header of channel and recipient:
//
//   <|channel|>analysis<|message|>reasoning<|end|><|start|>assistant<|channel|>final<|message|>content<|return|>
//   <|channel|>commentary to=functions.f <|constrain|>json<|message|>{...}<|call|>
//   <|start|>assistant to=functions.f<|channel|>commentary json<|message|>{...}<|call|>
#include <array>

#include "chat/reading/gbnf_text.h"
#include "chat/reading/json_mender.h"
#include "chat/reading/marks.h"
#include "chat/reading/text_reader.h"
#include "chat/reading/tools.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<|channel|>analysis<|message|>", "<|end|>"}};
constexpr std::string_view dropped[] = {"<|channel|>", "<|message|>", "<|constrain|>", "<|start|>",
                                        "<|end|>", "<|call|>", "<|return|>"};
constexpr Writing writing = {.reasoning = reasoning, .dropped = dropped};

constexpr std::string_view message_mark = "<|message|>";
constexpr std::array<std::string_view, 4> ends = {"<|end|>", "<|call|>", "<|return|>", "<|start|>"};
constexpr size_t header_bytes_max = 1024;

// What stands behind `key` in a header, up to white space or a mark.
std::string_view field(std::string_view header, std::string_view key) {
    const size_t at = header.find(key);
    if (at == header.npos) return {};
    const std::string_view rest = header.substr(at + key.size());
    return rest.substr(0, std::min(rest.find_first_of(" \n\t<"), rest.size()));
}

class HarmonyReader final : public TextReader {
  public:
    explicit HarmonyReader(const ReplySetup& setup)
        : takes_calls_(!tools_of(setup.tools).empty() && setup.tool_choice != "none"),
          parallel_(setup.parallel_calls),
          splits_(setup.split_reasoning) {
        const std::string_view prompt = setup.prompt_end;
        if (prompt.ends_with("<|channel|>analysis<|message|>")) part_ = Part::reasoning;
        else if (prompt.ends_with(message_mark)) part_ = Part::content;
    }

  private:
    enum class Part { header, reasoning, content, call, arguments, rest_of_call };

    bool step(bool last) override {
        switch (part_) {
            case Part::header: return step_header(last);
            case Part::call: return step_call(last);
            case Part::arguments: return step_arguments(last);
            default: return step_text(last);
        }
    }

    bool go(Part part, size_t bytes) {
        take(bytes);
        part_ = part;
        return true;
    }

    bool step_header(bool last) {
        if (rest().empty()) return false;
        const size_t white = white_prefix(rest());
        const std::string_view text = rest().substr(white);
        // A model that leaves the headers out writes content.
        bool header = text.empty();
        for (const std::string_view word : {"<|", "to=", "assistant"}) {
            const Begins begins = begins_with(text, word, last);
            if (begins == Begins::unknown) return false;
            header |= begins == Begins::yes;
        }
        if (!header) return go(Part::content, 0);
        const MarkFound found = find_mark(rest(), {&message_mark, 1}, last);
        if (found.mark < 0) {
            if (!last && rest().size() <= header_bytes_max) return false;
            const bool marked = holds(rest(), "<|");
            return marked && last ? (take(rest().size()), false) : go(Part::content, 0);
        }
        const std::string_view head = rest().substr(0, found.at);
        recipient_ = field(head, "to=");
        if (recipient_.starts_with("functions.")) recipient_.erase(0, 10);
        const std::string_view channel = field(head, "<|channel|>");
        const size_t behind = found.at + message_mark.size();
        if (!recipient_.empty() && takes_calls_) return go(Part::call, behind);
        return go(channel == "analysis" && splits_ ? Part::reasoning : Part::content, behind);
    }

    bool step_text(bool last) {
        const MarkFound found = find_mark(rest(), ends, last);
        const std::string_view text = rest().substr(0, found.at);
        if (part_ == Part::reasoning) pieces().reasoning(text);
        if (part_ == Part::content) pieces().content(text);
        take(found.at);
        if (found.mark < 0) return false;
        if (part_ == Part::reasoning) pieces().end_reasoning();
        return go(Part::header, ends[size_t(found.mark)].size());
    }

    // Arguments, or the end of a call that has none.
    bool step_call(bool last) {
        const size_t white = white_prefix(rest());
        const std::string_view text = rest().substr(white);
        if (text.empty()) return false;
        const Begins ends_here = begins_with(text, "<|call|>", last);
        if (ends_here == Begins::unknown) return false;
        if (ends_here == Begins::no && text.front() != '{') return go(Part::content, 0);
        muted_ = called_ && !parallel_;
        called_ = true;
        if (!muted_) pieces().begin_call(recipient_, "");
        mender_ = JsonMender({}, "<|call|>");
        if (ends_here == Begins::no) return go(Part::arguments, white);
        if (!muted_) pieces().arguments("{}");
        return go(Part::rest_of_call, white);
    }

    bool step_arguments(bool last) {
        std::string json;
        const size_t taken = mender_.push(rest(), json);
        if (last) mender_.finish(json);
        if (!muted_) pieces().arguments(json);
        take(taken);
        if (!mender_.done()) return false;
        return go(mender_.met_end_mark() ? Part::header : Part::rest_of_call, 0);
    }

    bool takes_calls_, parallel_, splits_;
    Part part_ = Part::header;
    std::string recipient_;
    JsonMender mender_;
    bool called_ = false;
    bool muted_ = false;
};

Result<ReplyGrammar> harmony_grammar(const Writing&, const ReplySetup& setup) {
    INGLE_ASSIGN(const std::vector<Tool> tools, wanted_tools(setup));
    GbnfText text;
    std::vector<std::string> calls;
    const std::string type = cat("(\" \" ", text.mark("<|constrain|>"), "? \"json\")?");
    const std::string head = cat("(", type, " | ", text.mark("<|channel|>"), " \"commentary\" ", type, ")");
    for (const Tool& tool : tools)
        calls.push_back(cat(GbnfText::literal(tool.name), " ", head, " ", text.mark(message_mark), " ",
                            text.schema(tool.parameters)));
    const std::string call = cat("\"to=functions.\" ", GbnfText::either(calls));
    if (setup.tool_choice == "auto") {
        ReplyGrammar grammar = text.take(call);
        grammar.trigger_words = {"to=functions."};
        return grammar;
    }
    const std::string analysis = cat("(", text.mark("<|channel|>"), " \"analysis\" ", text.mark(message_mark), " ",
                                     text.text_without("<|"), " ", text.mark("<|end|>"), " ",
                                     text.mark("<|start|>"), " \"assistant\")?");
    return text.take(cat(analysis, " (", text.mark("<|channel|>"), " \"commentary \" | \" \") ", call));
}

}  // namespace

namespace entries {
extern const ReplyStyle gpt_oss;
const ReplyStyle gpt_oss = {
    .name = "gpt-oss",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<|start|>assistant"); },
    .writing = &writing,
    .special_reader = [](const Writing&, const ReplySetup& setup) -> std::unique_ptr<ReplyReader> {
        return std::make_unique<HarmonyReader>(setup);
    },
    .special_grammar = harmony_grammar,
};
}  // namespace entries

}  // namespace ingle::chat
