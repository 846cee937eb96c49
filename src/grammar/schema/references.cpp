#include "grammar/schema/references.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

bool has_scheme(std::string_view uri) {
    const size_t colon = uri.find_first_of(":/?#");
    return colon != uri.npos && colon > 0 && uri[colon] == ':';
}

std::string without_fragment(std::string_view uri) {
    return std::string(uri.substr(0, std::min(uri.find('#'), uri.size())));
}

// RFC 3986, 5.2, for references that occur in schemas.
std::string join(std::string_view base, std::string_view reference) {
    if (has_scheme(reference)) return std::string(reference);
    const std::string start = without_fragment(base);
    if (reference.empty() || reference[0] == '#') return start + std::string(reference);
    const size_t authority = start.find("://");
    const size_t path = authority == start.npos ? 0 : std::min(start.find('/', authority + 3), start.size());
    std::string joined;
    if (reference[0] == '/') {
        joined = start.substr(0, path) + std::string(reference);
    } else {
        const size_t slash = start.rfind('/');
        const bool in_path = slash != start.npos && slash >= path;
        joined = (in_path ? start.substr(0, slash + 1) : start.substr(0, path) + (path > 0 ? "/" : "")) +
                 std::string(reference);
    }
    for (size_t up; (up = joined.find("/../", path)) != joined.npos;) {
        const size_t before = up == 0 ? joined.npos : joined.rfind('/', up - 1);
        joined.erase(before == joined.npos || before < path ? up : before,
                     up + 3 - (before == joined.npos || before < path ? up : before));
    }
    return joined;
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        const char* const first = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(first, first + 2, value, 16).ptr == first + 2) {
            out += char(value);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string unescaped(std::string_view step) {
    std::string out;
    for (size_t i = 0; i < step.size(); ++i) {
        if (step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1'))
            out += step[++i] == '0' ? '~' : '/';
        else
            out += step[i];
    }
    return out;
}

// Where schemas are: below the keyword itself, or below each of its members.
bool holds_schema(std::string_view keyword) {
    constexpr std::string_view words[] = {
        "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains",
        "additionalProperties", "unevaluatedProperties", "propertyNames", "allOf", "anyOf", "oneOf",
        "not", "if", "then", "else"};
    return std::find(std::begin(words), std::end(words), keyword) != std::end(words);
}
bool holds_named_schemas(std::string_view keyword) {
    constexpr std::string_view words[] = {"properties", "patternProperties", "dependencies",
                                          "dependentSchemas", "$defs", "definitions"};
    return std::find(std::begin(words), std::end(words), keyword) != std::end(words);
}

}  // namespace

Result<References> References::make(const Json& root) {
    References out;
    if (const Json* const dialect = root.find("$schema")) {
        constexpr std::pair<std::string_view, Draft> known[] = {
            {"draft-04", Draft::draft4}, {"draft-06", Draft::draft6}, {"draft-07", Draft::draft7},
            {"2019-09", Draft::draft2019}, {"2020-12", Draft::draft2020},
            {"json-schema.org/schema", Draft::draft2020}};
        bool found = false;
        for (const auto& [word, draft] : known) {
            if (!dialect->is(Json::Type::string) || dialect->text.find("json-schema.org/") == std::string::npos ||
                dialect->text.find(word) == std::string::npos)
                continue;
            out.draft_ = draft;
            found = true;
            break;
        }
        if (!found)
            return fail(Code::unsupported, "schema, /$schema: the dialect ", quoted(dialect->text),
                        " is not known; drafts 4 to 7, 2019-09 and 2020-12 are");
    }
    out.root_ = {&root, ""};
    out.by_uri_[""] = out.root_;
    out.collect(root, "", "");
    return out;
}

void References::collect(const Json& value, const std::string& pointer, const std::string& base) {
    std::string here = base;
    if (pointer.empty()) bases_[&value] = here;
    if (value.is(Json::Type::object)) {
        const Json* const id = value.find(draft_ == Draft::draft4 ? "id" : "$id");
        const Json* const ref = value.find("$ref");
        const bool ignored = ref != nullptr && draft_ <= Draft::draft7;
        if (id != nullptr && id->is(Json::Type::string) && !ignored) {
            const std::string uri = join(base, id->text);
            by_uri_.try_emplace(uri, Place{&value, pointer});
            if (!id->text.starts_with('#')) {
                here = without_fragment(uri);
                by_uri_.try_emplace(here, Place{&value, pointer});
            }
        }
        const Json* const anchor = value.find("$anchor");
        if (anchor != nullptr && anchor->is(Json::Type::string))
            by_uri_.try_emplace(here + "#" + anchor->text, Place{&value, pointer});
        bases_[&value] = here;
    }
    for (const auto& [name, member] : value.members) {
        const std::string below = pointer_to(pointer, name);
        if (holds_schema(name)) collect(member, below, here);
        if (!holds_named_schemas(name)) continue;
        for (const auto& [key, inner] : member.members) collect(inner, pointer_to(below, key), here);
    }
    for (size_t i = 0; i < value.items.size(); ++i)
        collect(value.items[i], pointer_to(pointer, std::to_string(i)), here);
}

Result<References::Place> References::resolve(const Json& from, std::string_view reference) const {
    const auto base = bases_.find(&from);
    // Schemas in places that only a pointer finds belong to the root.
    const std::string& whole_base = bases_.at(root_.schema);
    const std::string uri = join(base == bases_.end() ? whole_base : base->second, reference);
    if (const auto whole = by_uri_.find(uri); whole != by_uri_.end()) return whole->second;
    const std::string resource = without_fragment(uri);
    const auto root = by_uri_.find(resource);
    if (root == by_uri_.end())
        return fail(Code::unsupported, "the schema ", quoted(reference),
                    " is not part of this document, and nothing is fetched");
    const std::string fragment =
        uri.size() > resource.size() ? percent_decoded(std::string_view(uri).substr(resource.size() + 1)) : "";
    Place place = root->second;
    if (fragment.empty()) return place;
    if (fragment[0] != '/')
        return fail(Code::invalid_argument, "no schema is called ", quoted(reference));
    for (const std::string_view escaped : split(std::string_view(fragment).substr(1), '/')) {
        const std::string step = unescaped(escaped);
        const Json* next = place.schema->find(step);
        if (place.schema->is(Json::Type::array)) {
            const auto index = parse_int(step);
            if (index && *index >= 0 && size_t(*index) < place.schema->items.size())
                next = &place.schema->items[size_t(*index)];
        }
        if (next == nullptr)
            return fail(Code::invalid_argument, "nothing is at ", quoted(reference));
        place = {next, pointer_to(place.pointer, step)};
    }
    return place;
}

}  // namespace ingle::grammar
