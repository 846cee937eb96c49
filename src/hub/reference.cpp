#include "hub/reference.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace ingle::hub {

namespace {

constexpr std::string_view suffix = ".gguf";

bool is_word(std::string_view text) {
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
    };
    return !text.empty() && text.front() != '.' && text.front() != '-' && text.find("..") == text.npos &&
           text.find("--") == text.npos && std::all_of(text.begin(), text.end(), is_part);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

// "model-Q4_K_M-00001-of-00003" -> "model-Q4_K_M"
std::string_view without_part(std::string_view stem) {
    constexpr size_t digits = 5, length = 2 * digits + 5;  // -00001-of-00003
    if (stem.size() <= length) return stem;
    const std::string_view end = stem.substr(stem.size() - length);
    const bool split = end.front() == '-' && end.substr(1 + digits, 4) == "-of-" && parse_int(end.substr(1, digits)) &&
                       parse_int(end.substr(length - digits));
    return split ? stem.substr(0, stem.size() - length) : stem;
}

std::string_view stem_of(std::string_view name) {
    name.remove_suffix(suffix.size());
    return without_part(name);
}

// Whether the tag stands in the name as a word of its own.
bool has_tag(std::string_view name, std::string_view tag) {
    const std::string text = lower(stem_of(name)), word = lower(tag);
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const auto is_border = [](char c) { return std::string_view("-._/").find(c) != std::string_view::npos; };
        const size_t end = at + word.size();
        // "_" does not end a tag: Q4_K is not Q4_K_M.
        if ((at == 0 || is_border(text[at - 1])) && (end == text.size() || (is_border(text[end]) && text[end] != '_')))
            return true;
    }
    return false;
}

bool is_model(std::string_view name) {
    const std::string text = lower(name);
    return text.ends_with(suffix) && text.find("mmproj") == text.npos && text.find("imatrix") == text.npos;
}

std::string list(const std::vector<std::string>& names) {
    std::string out;
    for (size_t i = 0; i < names.size() && i < 20; ++i) out += cat(i > 0 ? ", " : "", names[i]);
    return names.size() > 20 ? out + ", ..." : out;
}

}  // namespace

bool is_safe_path(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.find('\\') != path.npos || path.find('\0') != path.npos)
        return false;
    for (const std::string_view part : split(path, '/'))
        if (part.empty() || part == "." || part == "..") return false;
    return true;
}

bool looks_like_reference(std::string_view text) {
    std::error_code ignored;
    return text.find('/') != text.npos && parse_reference(text).ok() &&
           !std::filesystem::exists(std::filesystem::path(text), ignored);
}

Result<Reference> parse_reference(std::string_view text) {
    const auto wrong = [text](std::string_view what) {
        return fail(Code::invalid_argument, quoted(text), ": ", what,
                    "; expected user/repo, user/repo:TYPE or user/repo/file.gguf");
    };
    std::string_view rest = text;
    for (const std::string_view host : {"https://", "hf.co/", "huggingface.co/"})
        if (rest.starts_with(host)) rest.remove_prefix(host.size());
    Reference reference;
    if (const size_t colon = rest.rfind(':'); colon != rest.npos) {
        reference.tag = rest.substr(colon + 1);
        rest = rest.substr(0, colon);
        if (!is_word(reference.tag)) return wrong("the part behind ':' is no type");
    }
    if (const size_t at = rest.find('@'); at != rest.npos) {
        const size_t slash = rest.find('/', at);
        reference.revision = rest.substr(at + 1, slash - at - 1);
        if (!is_word(reference.revision)) return wrong("the part behind '@' is no revision");
        const std::string joined = cat(rest.substr(0, at), slash == rest.npos ? "" : rest.substr(slash));
        auto inner = parse_reference(joined);
        if (!inner.ok()) return wrong("no repository");
        inner->revision = reference.revision;
        inner->tag = reference.tag;
        return inner;
    }
    const auto parts = split(rest, '/');
    if (parts.size() < 2 || !is_word(parts[0]) || !is_word(parts[1])) return wrong("no repository");
    reference.repo = cat(parts[0], "/", parts[1]);
    if (parts.size() > 2) {
        reference.file = rest.substr(reference.repo.size() + 1);
        if (!is_safe_path(reference.file)) return wrong("no file's path");
    }
    return reference;
}

Result<std::vector<std::string>> choose_files(const Reference& reference, const std::vector<std::string>& names) {
    std::vector<std::string> models;
    for (const std::string& name : names)
        if (is_model(name) && is_safe_path(name)) models.push_back(name);
    std::sort(models.begin(), models.end());
    if (!reference.file.empty()) {
        if (std::find(names.begin(), names.end(), reference.file) == names.end())
            return fail(Code::not_found, reference.repo, " has no file ", quoted(reference.file), "; it has ",
                        list(models));
        if (!is_model(reference.file)) return std::vector<std::string>{reference.file};
    } else if (models.empty()) {
        return fail(Code::not_found, reference.repo, " has no GGUF file");
    }
    std::string chosen = reference.file;
    const std::vector<std::string> wishes =
        reference.tag.empty() ? std::vector<std::string>{"Q4_K_M", "Q4_0", "Q8_0"} : std::vector{reference.tag};
    for (const std::string& wish : wishes)
        for (const std::string& name : models)
            if (chosen.empty() && has_tag(name, wish)) chosen = name;
    if (chosen.empty() && reference.tag.empty()) chosen = models.front();
    if (chosen.empty())
        return fail(Code::not_found, reference.repo, " has no file of type ", quoted(reference.tag), "; it has ",
                    list(models));
    std::vector<std::string> parts;
    for (const std::string& name : models)
        if (stem_of(name) == stem_of(chosen)) parts.push_back(name);
    return parts;
}

}  // namespace ingle::hub
