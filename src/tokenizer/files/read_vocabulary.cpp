#include "tokenizer/files/read_vocabulary.h"

#include <algorithm>
#include <fstream>

#include "base/file.h"
#include "base/text.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/tokenizer_config.h"

namespace ingle {
namespace {

using files::Kind;
using std::filesystem::path;

std::vector<const Kind*> kinds_in_order() {
    std::vector<const Kind*> kinds(files::all_kinds().begin(), files::all_kinds().end());
    std::sort(kinds.begin(), kinds.end(),
              [](const Kind* a, const Kind* b) { return a->precedence < b->precedence; });
    return kinds;
}

// `pattern` has at most one `*`.
bool matches(std::string_view name, std::string_view pattern) {
    const size_t star = pattern.find('*');
    if (star == pattern.npos) return name == pattern;
    const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
    return name.size() >= before.size() + after.size() && name.starts_with(before) &&
           name.ends_with(after);
}

// A model of many gigabytes is not read to learn that it is one.
Result<std::string> read_text(const path& file) {
    std::ifstream stream(file, std::ios::binary);
    char magic[4] = {};
    stream.read(magic, sizeof(magic));
    if (std::string_view(magic, sizeof(magic)) == "GGUF") return std::string("GGUF");
    return read_file(file);
}

// Applies `apply` to the file `name` beside the vocabulary, if it is there.
Status apply_neighbour(const path& folder, const char* name,
                       Status (*apply)(std::string_view, Vocabulary&), Vocabulary& vocabulary) {
    std::error_code error;
    const path neighbour = folder / name;
    if (!std::filesystem::is_regular_file(neighbour, error)) return {};
    INGLE_ASSIGN(const std::string text, read_file(neighbour));
    return apply(text, vocabulary).in(neighbour.string());
}

Status set_chat_template(std::string_view text, Vocabulary& vocabulary) {
    vocabulary.chat_template = text;
    return {};
}

Status apply_neighbours(const path& folder, Vocabulary& vocabulary) {
    INGLE_TRY(apply_neighbour(folder, "added_tokens.json", apply_added_tokens, vocabulary));
    INGLE_TRY(
        apply_neighbour(folder, "special_tokens_map.json", apply_tokenizer_config, vocabulary));
    INGLE_TRY(apply_neighbour(folder, "tokenizer_config.json", apply_tokenizer_config, vocabulary));
    return apply_neighbour(folder, "chat_template.jinja", set_chat_template, vocabulary);
}

Result<Vocabulary> read_as(const Kind& kind, std::string_view bytes, const path& file) {
    auto vocabulary = kind.read(bytes, file);
    if (!vocabulary.ok()) return std::move(vocabulary).status().in(file.string());
    // A GGUF file says everything itself.
    if (bytes != "GGUF") INGLE_TRY(apply_neighbours(file.parent_path(), *vocabulary));
    return vocabulary;
}

std::string known_kinds() {
    std::string list;
    for (const Kind* kind : kinds_in_order()) list += cat(list.empty() ? "" : ", ", kind->what);
    return list;
}

bool is_named_as(const Kind& kind, const path& file) {
    const std::vector<std::string_view> names = split(kind.names, ' ');
    const std::string name = file.filename().string();
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view pattern) { return matches(name, pattern); });
}

Result<Vocabulary> read_one(const path& file) {
    INGLE_ASSIGN(const std::string bytes, read_text(file));
    for (const Kind* kind : kinds_in_order())
        if (kind->recognises(bytes)) return read_as(*kind, bytes, file);
    // Its name says what it should be, and the reader what is wrong with it.
    for (const Kind* kind : kinds_in_order())
        if (is_named_as(*kind, file)) return read_as(*kind, bytes, file);
    return fail(Code::unsupported, file.string(), ": expected ", known_kinds(), "; found ",
                bytes.size(), " bytes that are none of them");
}

Result<Vocabulary> read_folder(const path& folder) {
    std::error_code error;
    std::vector<path> files;
    for (std::filesystem::directory_iterator next(folder, error), end; !error && next != end;
         next.increment(error))
        if (std::error_code ignored; next->is_regular_file(ignored)) files.push_back(next->path());
    if (error) return fail(Code::io, folder.string(), ": ", error.message());
    std::sort(files.begin(), files.end());
    for (const Kind* kind : kinds_in_order())
        for (const std::string_view pattern : split(kind->names, ' '))
            for (const path& file : files)
                if (matches(file.filename().string(), pattern)) return read_one(file);
    return fail(Code::not_found, folder.string(), ": expected ", known_kinds(),
                "; found none of them");
}

}  // namespace

Result<Vocabulary> read_vocabulary(const path& file_or_folder) {
    std::error_code error;
    return std::filesystem::is_directory(file_or_folder, error) ? read_folder(file_or_folder)
                                                                : read_one(file_or_folder);
}

}  // namespace ingle
