#include "cli/options/quantize.h"

#include <filesystem>

#include "base/file.h"
#include "cli/options/model.h"
#include "gguf/tensor_type.h"
#include "quant/support/encode_context.h"
#include "quantize/metadata.h"

namespace ingle::cli {

namespace {

constexpr std::string_view copy_name = "COPY";

Option words_option(const char* name, const char* flags, const char* placeholder, const char* help,
                    const char* group) {
    return {.name = name,
            .flags = flags,
            .placeholder = placeholder,
            .default_value = std::vector<std::string>(),
            .help = help,
            .group = group};
}
Option text_option(const char* name, const char* flags, const char* placeholder, const char* help,
                   const char* group) {
    return {.name = name,
            .flags = flags,
            .placeholder = placeholder,
            .default_value = std::string(),
            .help = help,
            .group = group};
}
Option switch_option(const char* name, const char* flags, const char* help, const char* group) {
    return {.name = name,
            .flags = flags,
            .placeholder = "",
            .default_value = false,
            .help = help,
            .group = group};
}

bool same_word(std::string_view a, std::string_view b) {
    return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

// COPY or a recipe; false if the word is neither.
bool take_type(const std::string& word, const quantize::Recipe*& recipe) {
    recipe = quantize::find_recipe(word);
    return recipe != nullptr || same_word(word, copy_name);
}

Result<uint32_t> tensor_type(std::string_view name) {
    for (const gguf::TensorType& type : gguf::tensor_types)
        if (same_word(type.name, name) && type.removed.empty()) return type.id;
    return fail(Code::invalid_argument, "expected a type of tensors (Q4_K, Q8_0, F16, ...), found ",
                quoted(name));
}

Result<std::optional<uint32_t>> optional_type(const OptionValues& values, const char* name,
                                              std::string_view flag) {
    if (!values.given(name)) return std::optional<uint32_t>();
    auto type = tensor_type(values.text(name));
    if (!type.ok()) return std::move(type).status().in(flag);
    return std::optional(*type);
}

Result<quantize::TypeOverride> type_override(std::string_view text) {
    const size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
        return fail(Code::invalid_argument, "expected PATTERN=TYPE, found ", quoted(text));
    INGLE_ASSIGN(const uint32_t type, tensor_type(text.substr(equals + 1)));
    // Names are in lower case, so patterns are taken as if they were.
    std::string pattern(text.substr(0, equals));
    for (size_t i = 0; i < pattern.size(); ++i) {
        const bool is_escape = i > 0 && pattern[i - 1] == '\\';
        if (pattern[i] >= 'A' && pattern[i] <= 'Z' && !is_escape)
            pattern[i] = char(pattern[i] - 'A' + 'a');
    }
    INGLE_ASSIGN(Pattern names, Pattern::compile(pattern));
    return quantize::TypeOverride{std::move(names), type};
}

Status add_overrides(const OptionValues& values, std::vector<quantize::TypeOverride>& overrides) {
    for (const std::string& text : values.list("tensor_type")) {
        auto entry = type_override(text);
        if (!entry.ok()) return std::move(entry).status().in("--tensor-type");
        overrides.push_back(std::move(*entry));
    }
    if (!values.given("tensor_type_file")) return {};
    INGLE_ASSIGN(const std::string text, read_file(values.text("tensor_type_file"), 1 << 24));
    size_t line_number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++line_number;
        for (std::string_view word : split(line, ' ')) {
            word = trim(word);
            if (word.empty()) continue;
            auto entry = type_override(word);
            if (!entry.ok())
                return std::move(entry).status().in(
                    cat(values.text("tensor_type_file"), ", line ", line_number));
            overrides.push_back(std::move(*entry));
        }
    }
    return {};
}

Result<std::vector<int>> layer_numbers(const std::string& text) {
    std::vector<int> layers;
    if (text.empty()) return layers;
    for (const std::string_view word : split(text, ',')) {
        const auto number = parse_int(trim(word));
        if (!number || *number < 0 || *number > 99999)
            return fail(Code::invalid_argument,
                        "--prune-layers: expected numbers of layers like 3,4,7, found ",
                        quoted(word));
        layers.push_back(int(*number));
    }
    return layers;
}

}  // namespace

std::vector<Option> quantize_options() {
    constexpr char types[] = "Types";
    constexpr char importance[] = "Importance";
    constexpr char file[] = "The new file";
    return {
        words_option(
            "tensor_type", "--tensor-type", "PATTERN=TYPE",
            "this type for tensors whose name the regular expression is found in; may be given "
            "often, the first that fits wins",
            types),
        text_option("tensor_type_file", "--tensor-type-file", "FILE",
                    "the same, separated by blanks or newlines", types),
        text_option("output_tensor_type", "--output-tensor-type", "TYPE",
                    "type of output.weight, or of the embedding that stands in for it", types),
        text_option("token_embedding_type", "--token-embedding-type", "TYPE",
                    "type of token_embd.weight", types),
        switch_option("pure", "--pure", "no mixture: every matrix gets the base type", types),
        switch_option("leave_output_tensor", "--leave-output-tensor", "keep output.weight as it is",
                      types),
        switch_option(
            "allow_requantize", "--allow-requantize",
            "take matrices that are quantized already; loses more than starting from 16 bits",
            types),
        switch_option(
            "no_fallback", "--no-fallback",
            "fail where a row does not divide into blocks, instead of taking another type", types),
        text_option("imatrix", "--imatrix", "FILE",
                    "which columns matter: an importance matrix, GGUF or .dat", importance),
        words_option("include_weights", "--include-weights", "TEXT",
                     "use it only for tensors with this in their name; may be given often",
                     importance),
        words_option("exclude_weights", "--exclude-weights", "TEXT",
                     "do not use it for tensors with this in their name; may be given often",
                     importance),
        text_option("prune_layers", "--prune-layers", "LIST", "leave these layers out, e.g. 20,21",
                    file),
        words_option("override_kv", "--override-kv", "KEY=TYPE:VALUE",
                     "set metadata; TYPE is int, float, bool or str; may be given often", file),
        switch_option("keep_split", "--keep-split", "write as many parts as the model has", file),
        switch_option("dry_run", "--dry-run", "show types and sizes, write nothing", file),
        {.name = "effort",
         .flags = "--effort",
         .placeholder = "N",
         .default_value = int64_t(quant::effort_min),
         .help = "how long to search for the codes that lose least, 1 to 3: 2 takes about three times "
                 "as long, 3 twelve times; Q8_0 gains most; types and sizes stay as they are",
         .min = quant::effort_min,
         .max = quant::effort_max,
         .group = file},
        {.name = "threads",
         .flags = "-t,--threads",
         .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "threads that compute; -1: as many as this machine grants",
         .min = -1,
         .max = 4096,
         .group = file},
        {.name = "max_buffer_size",
         .flags = "--max-buffer-size",
         .placeholder = "MIB",
         .default_value = int64_t(8192),
         .help = "without effect: a few MiB of rows are in memory at a time",
         .min = 1,
         .max = 1 << 30,
         .group = file},
        json_option(),
    };
}

Result<QuantizeWords> quantize_words(const std::vector<std::string>& arguments) {
    QuantizeWords words;
    const auto count = arguments.size();
    if (count < 2 || count > 4)
        return fail(Code::invalid_argument, "expected IN.gguf [OUT.gguf] TYPE [THREADS], found ",
                    count, count == 1 ? " word" : " words");
    words.input = arguments[0];
    size_t at = 1;
    std::string type = arguments[at];
    // A type in second place is no file name, unless a type follows.
    const quantize::Recipe* next = nullptr;
    const bool is_output = !take_type(type, words.recipe) ||
                           (count > 2 && take_type(arguments[2], next) && !parse_int(arguments[2]));
    if (is_output) {
        words.output = type;
        if (++at >= count)
            return fail(Code::invalid_argument, "expected a type after ", quoted(type),
                        ", found the end of the command; ingle help quantize lists the types");
        type = arguments[at];
        if (!take_type(type, words.recipe)) {
            std::vector<std::string_view> names;
            for (const quantize::Recipe& recipe : quantize::all_recipes())
                names.push_back(recipe.name);
            const std::string_view near = closest(type, names);
            return fail(Code::invalid_argument, "unknown type ", quoted(type),
                        near.empty() ? "" : cat("; did you mean ", near, "?"),
                        "; ingle help quantize lists them");
        }
    }
    if (words.output.empty()) {
        const std::string_view name = words.recipe == nullptr ? copy_name : words.recipe->name;
        words.output =
            (std::filesystem::path(words.input).parent_path() / cat("ggml-model-", name, ".gguf"))
                .string();
    }
    if (++at == count) return words;
    const auto threads = parse_int(arguments[at]);
    if (at + 1 != count || !threads || *threads < 1 || *threads > 4096)
        return fail(Code::invalid_argument,
                    "expected a number of threads from 1 to 4096 after the type, found ",
                    quoted(arguments[at]));
    words.threads = int(*threads);
    return words;
}

Result<quantize::Options> quantize_options_of(const OptionValues& values,
                                              std::optional<imatrix::Matrix>& importance) {
    quantize::Options options;
    INGLE_ASSIGN(options.output_type,
                 optional_type(values, "output_tensor_type", "--output-tensor-type"));
    INGLE_ASSIGN(options.embedding_type,
                 optional_type(values, "token_embedding_type", "--token-embedding-type"));
    INGLE_TRY(add_overrides(values, options.overrides));
    options.pure = values.flag("pure");
    options.leave_output = values.flag("leave_output_tensor");
    options.allow_requantize = values.flag("allow_requantize");
    options.allow_fallback = !values.flag("no_fallback");
    INGLE_ASSIGN(options.prune_layers, layer_numbers(values.text("prune_layers")));
    for (const std::string& text : values.list("override_kv")) {
        auto entry = quantize::parse_override(text);
        if (!entry.ok()) return std::move(entry).status().in("--override-kv");
        options.override_metadata.push_back(std::move(*entry));
    }
    options.include = values.list("include_weights");
    options.exclude = values.list("exclude_weights");
    if (!options.include.empty() && !options.exclude.empty())
        return fail(Code::invalid_argument,
                    "--include-weights and --exclude-weights exclude each other");
    if (values.given("imatrix")) {
        options.importance_file = values.text("imatrix");
        INGLE_ASSIGN(importance, imatrix::load(options.importance_file));
        options.importance = &*importance;
    } else if (!options.include.empty() || !options.exclude.empty()) {
        return fail(
            Code::invalid_argument,
            "--include-weights and --exclude-weights choose among what --imatrix FILE gives");
    }
    return options;
}

std::string quantize_type_table() {
    std::string text = "Types, with the numbers that llama.cpp gives them:\n";
    for (const quantize::Recipe& recipe : quantize::all_recipes()) {
        const std::string number = std::to_string(recipe.file_type);
        text += cat("  ", recipe.name, std::string(11 - recipe.name.size(), ' '),
                    std::string(2 - number.size(), ' '), number, "  ", recipe.summary, "\n");
    }
    return text + "  COPY           every tensor as it is\n";
}

}  // namespace ingle::cli
