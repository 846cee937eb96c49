// Functionary v3.2: a row of messages, each behind >>> and its recipient; the prompt ends in the first >>>.
//
//   all
//   content>>>f
//   {...}>>>g
//   {...}
#include <algorithm>

#include "chat/reading/gbnf_text.h"
#include "chat/reading/json_mender.h"
#include "chat/reading/marks.h"
#include "chat/reading/text_reader.h"
#include "chat/reading/tools.h"

namespace ingle::chat {

namespace {

constexpr std::string_view mark = ">>>";
constexpr size_t recipient_bytes_max = 256;
constexpr Writing writing = {};

class RecipientReader final : public TextReader {
  public:
    explicit RecipientReader(const ReplySetup& setup) : parallel_(setup.parallel_calls) {
        if (setup.tool_choice != "none") tools_ = tools_of(setup.tools);
    }

  private:
    enum class Part { first, recipient, content, call, arguments, behind };

    bool step(bool last) override {
        switch (part_) {
            case Part::first: return step_first(last);
            case Part::recipient: return step_recipient(last);
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

    // Some prompts leave the first mark to the model.
    bool step_first(bool last) {
        if (rest().empty()) return false;
        const Begins begins = begins_with(rest(), mark, last);
        if (begins == Begins::unknown) return false;
        return go(Part::recipient, begins == Begins::yes ? mark.size() : 0);
    }

    bool step_recipient(bool last) {
        const size_t end = rest().find('\n');
        if (end == rest().npos && !last && rest().size() <= recipient_bytes_max) return false;
        const std::string_view line = rest().substr(0, end);
        const auto is_named = [line](const Tool& tool) { return tool.name == trim(line); };
        if (end != line.npos && trim(line) == "all") return go(Part::content, end + 1);
        if (end == line.npos || std::none_of(tools_.begin(), tools_.end(), is_named)) {
            if (rest().empty()) return false;
            return go(Part::content, 0);
        }
        recipient_ = trim(line);
        return go(Part::call, end + 1);
    }

    bool step_text(bool last) {
        const MarkFound found = find_mark(rest(), {&mark, 1}, last);
        if (part_ == Part::content) pieces().content(rest().substr(0, found.at));
        take(found.at);
        if (found.mark < 0) return false;
        return go(Part::recipient, mark.size());
    }

    bool step_call(bool last) {
        const size_t white = white_prefix(rest());
        if (white == rest().size() && !last) return false;
        if (white == rest().size() || rest()[white] != '{') {
            pieces().content(recipient_ + "\n");
            return go(Part::content, 0);
        }
        muted_ = called_ && !parallel_;
        called_ = true;
        if (!muted_) pieces().begin_call(recipient_, "");
        mender_ = JsonMender({}, mark);
        return go(Part::arguments, white);
    }

    bool step_arguments(bool last) {
        std::string json;
        const size_t taken = mender_.push(rest(), json);
        if (last) mender_.finish(json);
        if (!muted_) pieces().arguments(json);
        take(taken);
        if (!mender_.done()) return false;
        return go(mender_.met_end_mark() ? Part::recipient : Part::behind, 0);
    }

    std::vector<Tool> tools_;
    bool parallel_;
    Part part_ = Part::first;
    std::string recipient_;
    JsonMender mender_;
    bool called_ = false;
    bool muted_ = false;
};

Result<ReplyGrammar> recipient_grammar(const Writing&, const ReplySetup& setup) {
    INGLE_ASSIGN(const std::vector<Tool> tools, wanted_tools(setup));
    GbnfText text;
    std::vector<std::string> calls, words;
    for (const Tool& tool : tools) {
        words.push_back(tool.name + "\n");
        calls.push_back(cat(GbnfText::literal(words.back()), " ", text.schema(tool.parameters)));
    }
    const std::string call = text.rule("call", GbnfText::either(calls));
    ReplyGrammar grammar = text.take(setup.parallel_calls ? cat(call, " (\">>>\" ", call, ")*") : call);
    if (setup.tool_choice == "auto") grammar.trigger_words = std::move(words);
    return grammar;
}

}  // namespace

namespace entries {
extern const ReplyStyle functionary_v3_2;
const ReplyStyle functionary_v3_2 = {
    .name = "functionary-v3.2",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, ">>>${recipient}"); },
    .writing = &writing,
    .special_reader = [](const Writing&, const ReplySetup& setup) -> std::unique_ptr<ReplyReader> {
        return std::make_unique<RecipientReader>(setup);
    },
    .special_grammar = recipient_grammar,
};
}  // namespace entries

}  // namespace ingle::chat
