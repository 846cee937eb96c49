#include "chat/jinja/value.h"

#include <algorithm>

#include "chat/jinja/compare.h"

namespace ingle::jinja {

namespace {

constexpr size_t searched_entries_max = 8;

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

}  // namespace

Value Value::undefined(std::string message) {
    return std::make_shared<const Undefined>(Undefined{std::move(message)});
}

std::optional<int64_t> Value::integer() const {
    if (const auto* value = as<int64_t>()) return *value;
    if (const auto* value = as<bool>()) return *value ? 1 : 0;
    return std::nullopt;
}

std::optional<double> Value::number() const {
    if (const auto* value = as<double>()) return *value;
    if (const auto value = integer()) return double(*value);
    return std::nullopt;
}

size_t Dict::size() const {
    return entries_.size();
}

size_t Dict::locate(const Value& key) const {
    if (entries_.size() <= searched_entries_max) {
        for (size_t i = 0; i < entries_.size(); ++i)
            if (same_key(entries_[i].key, key)) return i;
        return entries_.size();
    }
    const auto [first, last] = index_.equal_range(hash_of(key));
    for (auto at = first; at != last; ++at)
        if (same_key(entries_[at->second].key, key)) return at->second;
    return entries_.size();
}

const Value* Dict::find(std::string_view key) const {
    const auto matches = [&](const Entry& entry) {
        const Text* text = entry.key.text();
        return text && text->bytes() == key;
    };
    if (entries_.size() <= searched_entries_max) {
        const auto at = std::find_if(entries_.begin(), entries_.end(), matches);
        return at == entries_.end() ? nullptr : &at->value;
    }
    const auto [first, last] = index_.equal_range(hash_of(key));
    for (auto at = first; at != last; ++at)
        if (matches(entries_[at->second])) return &entries_[at->second].value;
    return nullptr;
}

const Value* Dict::find(const Value& key) const {
    if (!hashable(key)) return nullptr;
    const size_t at = locate(key);
    return at == entries_.size() ? nullptr : &entries_[at].value;
}

void Dict::set(Value key, Value value) {
    const size_t at = locate(key);
    if (at < entries_.size()) {
        entries_[at].value = std::move(value);
        return;
    }
    entries_.push_back({std::move(key), std::move(value)});
    if (entries_.size() <= searched_entries_max) return;
    if (index_.empty())
        for (size_t i = 0; i + 1 < entries_.size(); ++i)
            index_.emplace(hash_of(entries_[i].key), i);
    index_.emplace(hash_of(entries_.back().key), entries_.size() - 1);
}

void Dict::clear() {
    entries_.clear();
    index_.clear();
}

std::string_view type_name(const Value& value) {
    static constexpr std::string_view sequences[] = {
        "list", "tuple", "tuple", "range", "dict_keys", "dict_values", "dict_items"};
    return std::visit(
        Overloaded{
            [](None) -> std::string_view { return "NoneType"; },
            [](bool) -> std::string_view { return "bool"; },
            [](int64_t) -> std::string_view { return "int"; },
            [](double) -> std::string_view { return "float"; },
            [](const TextPtr&) -> std::string_view { return "str"; },
            [](const SequencePtr& s) -> std::string_view { return sequences[size_t(s->flavour)]; },
            [](const DictPtr&) -> std::string_view { return "dict"; },
            [](const NamespacePtr&) -> std::string_view { return "Namespace"; },
            [](const NativePtr& native) -> std::string_view { return native->type_name; },
            [](const GeneratorPtr& generator) -> std::string_view { return generator->type_name; },
            [](const UndefinedPtr&) -> std::string_view { return "Undefined"; },
        },
        value.data());
}

bool truthy(const Value& value) {
    return std::visit(Overloaded{
                          [](None) { return false; },
                          [](bool v) { return v; },
                          [](int64_t v) { return v != 0; },
                          [](double v) { return v != 0; },
                          [](const TextPtr& text) { return !text->empty(); },
                          [](const SequencePtr& sequence) { return !sequence->items.empty(); },
                          [](const DictPtr& dict) { return dict->size() > 0; },
                          [](const NamespacePtr&) { return true; },
                          [](const NativePtr&) { return true; },
                          [](const GeneratorPtr&) { return true; },
                          [](const UndefinedPtr&) { return false; },
                      },
                      value.data());
}

int depth_of(const Value& value) {
    if (const Sequence* sequence = value.sequence()) return sequence->depth;
    if (const Dict* dict = value.dict()) return dict->depth;
    if (const NativePtr* native = value.as<NativePtr>()) return (*native)->depth;
    if (const GeneratorPtr* generator = value.as<GeneratorPtr>())
        return (*generator)->items->depth + 1;
    return 0;
}

}  // namespace ingle::jinja
