// ingle gguf: looks into GGUF files and makes others from them. One word says what to do.
#include <algorithm>

#include "base/platform.h"
#include "cli/gguf_actions.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    constexpr char writing[] = "Writing";
    const auto flag = [&](const char* name, const char* flags, const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "", .default_value = false,
                      .help = help, .group = writing};
    };
    return {
        json_option(),
        {.name = "threads", .flags = "-t,--threads", .placeholder = "N", .default_value = int64_t(-1),
         .help = "threads that check; -1: as many as this machine grants", .min = -1, .max = 4096,
         .group = "Checking"},
        {.name = "output", .flags = "-o,--output", .placeholder = "FILE",
         .default_value = std::string(), .help = "the file to write (set, remove, extract)",
         .group = writing},
        flag("raw", "--raw", "extract: the tensor's bytes as they lie in the file"),
        flag("dry_run", "--dry-run", "say what would be done and do nothing"),
        {.name = "split_max_tensors", .flags = "--split-max-tensors", .placeholder = "N",
         .default_value = int64_t(128), .help = "split: tensors in a part at most", .min = 1,
         .max = 1e9, .group = writing},
        {.name = "split_max_size", .flags = "--split-max-size", .placeholder = "SIZE",
         .default_value = std::string(),
         .help = "split: bytes of tensors in a part at most, as in 500M or 2G", .group = writing},
        flag("no_tensor_first_split", "--no-tensor-first-split",
             "split: the first part holds metadata only"),
    };
}

std::vector<GgufAction> all_actions() {
    std::vector<GgufAction> actions(gguf_reports().begin(), gguf_reports().end());
    actions.insert(actions.end(), gguf_changes().begin(), gguf_changes().end());
    return actions;
}

Status run(const Invocation& invocation) {
    const std::vector<GgufAction> actions = all_actions();
    std::vector<std::string_view> names;
    std::string known;
    for (const GgufAction& action : actions) {
        names.push_back(action.name);
        known += cat(known.empty() ? "" : ", ", action.name);
    }
    if (invocation.arguments.empty())
        return fail(Code::invalid_argument, "expected what to do: ", known);
    const std::string& word = invocation.arguments[0];
    const auto action = std::ranges::find(actions, word, &GgufAction::name);
    if (action == actions.end()) {
        const std::string_view near = closest(word, names);
        return fail(Code::invalid_argument, "unknown action ", quoted(word),
                    near.empty() ? cat("; known are ", known) : cat("; did you mean ", near, "?"));
    }
    const auto words = std::span(invocation.arguments).subspan(1);
    if (words.size() < action->words_min || words.size() > action->words_max)
        return fail(Code::invalid_argument, "expected ingle gguf ", action->name, " ", action->words,
                    ", found ", words.size(), " words after it");
    platform::count_interrupts();
    return action->run({invocation.values, words});
}

}  // namespace

namespace entries {
extern const Verb gguf;
const Verb gguf = {
    .name = "gguf",
    .group = "Look inside",
    .summary = "look into GGUF files, check, compare, split, merge and edit them",
    .arguments = "ACTION FILE...",
    .about = "  ingle gguf dump FILE                      header, metadata, tensors (--json: everything)\n"
             "  ingle gguf get FILE KEY                   one metadata value, whole\n"
             "  ingle gguf hash FILE                      SHA-256 of the file and of every tensor\n"
             "  ingle gguf diff FILE FILE                 what differs, with relative errors\n"
             "  ingle gguf check FILE...                  every block of every tensor\n"
             "  ingle gguf split FILE PREFIX              several files, as llama-gguf-split makes them\n"
             "  ingle gguf merge PART FILE                one file again\n"
             "  ingle gguf set FILE KEY=TYPE:VALUE...     e.g. general.name=str:Mine x.list=u32[]:1,2\n"
             "  ingle gguf remove FILE KEY...\n"
             "  ingle gguf extract FILE TENSOR -o T.npy   float32; --raw the bytes\n\n"
             "Any GGUF file will do, also of an architecture that this build does not know. What is written\n"
             "takes its name when it is whole and on the disk.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
